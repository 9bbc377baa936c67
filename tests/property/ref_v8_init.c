/* SPDX-License-Identifier: MIT */
/* pmuv3 1.4 and the masks of 2: implemented bits, reset, and the machine around the PMU. */
#include "ref_v8.h"

#include <string.h>

static uint64_t one_if(bool exists, unsigned bit)
{
	return exists ? (uint64_t)1 << bit : 0;
}

static uint64_t two_if(bool exists, unsigned low)
{
	return exists ? (uint64_t)3 << low : 0;
}

static bool has(const struct apmu_core *core, enum apmu_feature feature)
{
	return core->features >> feature & 1;
}

static struct ref_v8_features features_of(const struct apmu_core *c)
{
	return (struct ref_v8_features){
		.el2 = has(c, APMU_FEATURE_EL2),
		.el3 = has(c, APMU_FEATURE_EL3),
		.el3_a64 = has(c, APMU_FEATURE_EL3_A64),
		.aa32 = has(c, APMU_FEATURE_AA32),
		.aa32el1 = has(c, APMU_FEATURE_AA32EL1),
		.aa32el3 = has(c, APMU_FEATURE_AA32EL3),
		.p1 = has(c, APMU_FEATURE_P1),
		.p4 = has(c, APMU_FEATURE_P4),
		.p5 = has(c, APMU_FEATURE_P5),
		.p7 = has(c, APMU_FEATURE_P7),
		.p8 = has(c, APMU_FEATURE_P8),
		.p9 = has(c, APMU_FEATURE_P9),
		.th = has(c, APMU_FEATURE_TH),
		.edge = has(c, APMU_FEATURE_EDGE),
		.th2 = has(c, APMU_FEATURE_TH2),
		.sme = has(c, APMU_FEATURE_SME),
		.icntr = has(c, APMU_FEATURE_ICNTR),
		.ss = has(c, APMU_FEATURE_SS),
		.ebep = has(c, APMU_FEATURE_EBEP),
		.sebep = has(c, APMU_FEATURE_SEBEP),
		.mtpmu = has(c, APMU_FEATURE_MTPMU),
		.hpmn0 = has(c, APMU_FEATURE_HPMN0),
		.sel2 = has(c, APMU_FEATURE_SEL2),
		.rme = has(c, APMU_FEATURE_RME),
		.fgt = has(c, APMU_FEATURE_FGT),
		.fgt2 = has(c, APMU_FEATURE_FGT2),
		.vhe = has(c, APMU_FEATURE_VHE),
		.ext32 = has(c, APMU_FEATURE_EXT32),
		.ext64 = has(c, APMU_FEATURE_EXT64),
		.extpmn = has(c, APMU_FEATURE_EXTPMN),
		.spe12 = has(c, APMU_FEATURE_SPE12),
		.dpfzs = has(c, APMU_FEATURE_DPFZS),
		.export = has(c, APMU_FEATURE_EXPORT),
		.debugv8p2 = has(c, APMU_FEATURE_DEBUGV8P2),
		.debugv8p4 = has(c, APMU_FEATURE_DEBUGV8P4),
	};
}

/* 2.15 */
uint64_t v8_mdcr_el2_bits(const struct ref_v8 *r)
{
	const struct ref_v8_features *f = &r->f;

	if (!f->el2)
		return 0;
	return two_if(f->ebep, 40) | one_if(f->spe12, 36) | two_if(f->ss, 30) | one_if(f->p7, 29) |
	       one_if(f->mtpmu && !f->el3, 28) | one_if(f->p5, 26) | one_if(f->p5, 23) | one_if(f->p1, 17) |
	       0xFF;
}

/* 2.16 */
uint64_t v8_mdcr_el3_bits(const struct ref_v8 *r)
{
	const struct ref_v8_features *f = &r->f;
	bool ext = f->ext32 || f->ext64;

	if (!f->el3)
		return 0;
	return two_if(f->ss && ext, 45) | one_if(f->ss, 44) | two_if(f->ebep, 40) | one_if(f->p7, 35) |
	       one_if(f->p7, 34) | two_if(f->ss, 30) | one_if(f->mtpmu, 28) | one_if(f->p5, 23) |
	       one_if(ext, 21) | one_if(true, 17) | one_if(f->p9 || f->ebep || f->ss, 7) | one_if(true, 6) |
	       one_if(f->rme && ext, 2);
}

/* 2.4 to 2.6: the filter bits of the three kinds of counter. */
static uint64_t filter_bits(const struct ref_v8 *r)
{
	const struct ref_v8_features *f = &r->f;

	return two_if(f->sme, 56) | one_if(true, 31) | one_if(true, 30) | one_if(f->el3, 29) |
	       one_if(f->el3, 28) | one_if(f->el2, 27) | one_if(f->el3, 26) | one_if(f->el3 && f->sel2, 24) |
	       one_if(f->rme, 22) | one_if(f->rme, 21) | one_if(f->rme, 20);
}

uint64_t v8_type_bits(const struct ref_v8 *r, unsigned i)
{
	const struct ref_v8_features *f = &r->f;
	uint64_t th = f->th ? (((uint64_t)1 << r->thwidth) - 1) << 32 | (uint64_t)7 << 61 : 0;

	if (i == APMU_CYCLE_COUNTER)
		return filter_bits(r);
	if (i == APMU_INSTR_COUNTER)
		return filter_bits(r) | one_if(f->sebep, 58);
	return filter_bits(r) | th | one_if(f->edge, 60) | one_if(f->sebep, 58) |
	       two_if(f->th2 && i % 2, 54) | one_if(f->mtpmu, 25) | (f->p1 ? 0xFFFF : 0x3FF);
}

/* 1.4. choice: what is UNKNOWN out of reset is 0; the levels keep their instruction sets, as the mode stays.
 */
void ref_v8_reset(struct ref_v8 *r)
{
	r->e = r->d = r->x = r->dp = r->lc = r->lp = r->fzo = r->fzs = false;
	r->cnten = r->ovs = r->inten = r->uacr = 0;
	memset(r->counter, 0, sizeof r->counter);
	memset(r->type, 0, sizeof r->type);
	memset(r->saved, 0, sizeof r->saved);
	memset(r->cp, 0, sizeof r->cp);
	r->type[APMU_INSTR_COUNTER] = 8;
	r->sel = r->useren = 0;
	r->mdcr_el2 = r->f.el2 ? r->n : 0;
	r->mdcr_el3 = r->f.el3 && r->f.mtpmu ? 1u << 28 : 0;
	r->hdfgrtr = r->hdfgwtr = r->hdfgrtr2 = r->hdfgwtr2 = 0;
	r->pmecr = r->pmiar = 0;
	r->nc = true;
	r->epmn = (uint8_t)r->n;
	r->epme = r->oslo = false;
	r->slk = r->f.ext32;
	r->phase = 0;
	r->sder = 0;
	r->hcr = r->scr = r->hstr = 0;
	r->streaming = r->profiling_masked = r->spe_stopped = false;
	r->edecr_pme = r->brbe_fzp1 = r->brbe_fzp2 = false;
	r->edscr_sdd = r->os_lock = r->double_lock = r->powered_off = false;
}

void ref_v8_init(struct ref_v8 *r, const struct apmu_core *core, struct apmu_mode mode)
{
	memset(r, 0, sizeof *r);
	r->f = features_of(core);
	r->n = core->counters;
	r->thwidth = core->threshold_bits;
	r->imp = core->constant[APMU_CORE_IMP];
	r->idcode = core->constant[APMU_CORE_IDCODE];
	r->ceid0 = core->constant[APMU_CORE_PMCEID0];
	r->ceid1 = core->constant[APMU_CORE_PMCEID1];
	r->slots = (uint8_t)core->constant[APMU_CORE_PMMIR];
	r->aarch32 = r->f.el3_a64 ? 0 : 0xF;
	r->br_retired = apmu_event_find(core, 0x21) != NULL;
	r->mode = mode;
	r->in.dbgen = r->in.niden = r->in.spiden = r->in.spniden = true;
	ref_v8_reset(r);
}

/* choice: HDFG*TR hold the other units' bits too, as the host or the guest left them. */
void ref_v8_machine(struct ref_v8 *r, const struct apmu_machine_state *m)
{
	r->hcr = m->hcr_el2;
	r->scr = m->scr_el3;
	r->hstr = m->hstr_el2;
	r->mdcr_el2 = m->mdcr_el2 & v8_mdcr_el2_bits(r);
	r->mdcr_el3 = m->mdcr_el3 & v8_mdcr_el3_bits(r);
	r->hdfgrtr = m->hdfgrtr_el2;
	r->hdfgwtr = m->hdfgwtr_el2;
	r->hdfgrtr2 = m->hdfgrtr2_el2;
	r->hdfgwtr2 = m->hdfgwtr2_el2;
	r->sder = m->sder;
	r->aarch32 = m->aarch32;
	r->streaming = m->streaming;
	r->profiling_masked = m->profiling_masked;
	r->spe_stopped = m->spe_stopped;
	r->edscr_sdd = m->edscr_sdd;
	r->os_lock = m->os_lock;
	r->double_lock = m->double_lock;
	r->powered_off = m->powered_off;
	r->edecr_pme = m->edecr_pme;
	r->brbe_fzp1 = m->brbe_fzp1;
	r->brbe_fzp2 = m->brbe_fzp2;
}
