/* SPDX-License-Identifier: MIT */
/*
 * Identification registers: MIDR and the fields of the PMU and of the caches are from the core's rows, the
 * other fields from the emulator.
 */
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"

#include "base/bits.h"
#include "base/log2.h"

#define VPIDR_EL2 (3u << 16 | 4u << 12)
#define CTR_V7    4u /* CTR[31:29]: the format of Armv7 and later */
#define CTR_EL0   (3u << 16 | 3u << 12 | 1)
#define HCR_TID2  (1u << 17)
#define SCTLR_UCT (1u << 15)

#define ID_PFR1_GIC     28 /* GIC: the interrupt controller's CPU interface is system registers */
#define ID_AA64PFR0_GIC 24
#define ID_AA64PFR0_SVE 32

/* Values of identity[].what beside those of enum apmu_id. Those of 0 and more are trapped by HCR_EL2.TID3. */
enum { ID_MIDR = -1, ID_CTR = -2, ID_CLIDR = -3, ID_CCSIDR = -4, ID_PFR1 = APMU_ID_DFR1 + 1, ID_AA64PFR0 };
static const struct {
	uint8_t view;
	uint32_t encoding;
	int what;
} identity[] = {
	{APMU_VIEW_CP, 15u << 16, ID_MIDR},
	{APMU_VIEW_CP, 15u << 16 | 1, ID_CTR},
	{APMU_VIEW_CP, 15u << 16 | 1 << 12, ID_CCSIDR},
	{APMU_VIEW_CP, 15u << 16 | 1 << 12 | 1, ID_CLIDR},
	{APMU_VIEW_CP, 15u << 16 | 1 << 4 | 1, ID_PFR1},
	{APMU_VIEW_CP, 15u << 16 | 1 << 4 | 2, APMU_ID_DFR0},
	{APMU_VIEW_CP, 15u << 16 | 3 << 4 | 5, APMU_ID_DFR1},
	{APMU_VIEW_A64, 3u << 16, ID_MIDR},
	{APMU_VIEW_A64, CTR_EL0, ID_CTR},
	{APMU_VIEW_A64, 3u << 16 | 1 << 12, ID_CCSIDR},
	{APMU_VIEW_A64, 3u << 16 | 1 << 12 | 1, ID_CLIDR},
	{APMU_VIEW_A64, 3u << 16 | 4 << 4, ID_AA64PFR0},
	{APMU_VIEW_A64, 3u << 16 | 5 << 4, APMU_ID_AA64DFR0},
	{APMU_VIEW_A64, 3u << 16 | 5 << 4 | 1, APMU_ID_AA64DFR1},
	{APMU_VIEW_A64, 3u << 16 | 1 << 4 | 1, ID_PFR1},
	{APMU_VIEW_A64, 3u << 16 | 1 << 4 | 2, APMU_ID_DFR0},
	{APMU_VIEW_A64, 3u << 16 | 3 << 4 | 5, APMU_ID_DFR1},
};

static int row_of(enum apmu_view view, uint32_t encoding)
{
	for (size_t i = 0; i < sizeof identity / sizeof *identity; i++)
		if (identity[i].view == view && identity[i].encoding == encoding)
			return (int)i;
	return -1;
}

bool apmu_machine__is_identity(enum apmu_view view, uint32_t encoding)
{
	return row_of(view, encoding) >= 0;
}

/* Sets VPIDR, from which EL1 reads MIDR, to the core's MIDR, if there is an EL2. */
void apmu_machine__reset_identity(struct apmu_machine *m)
{
	if (m->highest_el < 2 || !m->core->midr_mask)
		return;
	if (m->model->a64)
		apmu_machine__sys_set(m, VPIDR_EL2, m->core->midr);
	else if (m->model->lpae)
		apmu_machine__cp_set(m, 4, 0, 0, 0, m->core->midr);
}

static uint64_t main_identity(const struct apmu_machine *m, uint64_t native)
{
	if (m->mode.el == 1 && apmu_machine__el2_on(m))
		return m->model->a64 ? apmu_machine__sys(m, VPIDR_EL2) : apmu_machine__cp(m, 4, 0, 0, 0);
	return m->core->midr_mask ? m->core->midr : native;
}

/* DDI0211K 3.2.3, XSCALE 7.2.1: size, associativity, line; P if a way is larger than the smallest page. */
static uint32_t old_size(const struct apmu_cache_params *c)
{
	uint32_t page = c->size / c->ways > 4096 && c->ways < 32 ? 1u << 11 : 0;

	return c->size ? page | apmu_base__log2(c->size / 512) << 6 | apmu_base__log2(c->ways) << 3 |
				 apmu_base__log2(c->line / 8)
		       : 4;
}

/* DDI0406C B4.1.42: the smallest lines in words. */
static uint64_t cache_type(const struct apmu_machine *m, uint64_t native)
{
	const struct apmu_uarch_params *p = &m->params;

	if (native >> 29 == CTR_V7)
		return (native & ~(uint64_t)0xF000F) | apmu_base__log2(p->l1d.line / 4) << 16 |
		       apmu_base__log2(p->l1i.line / 4);
	return (native & ~(uint64_t)0xFFFFFF) | old_size(&p->l1d) << 12 | old_size(&p->l1i);
}

/* Number of cache levels that the core controls; CLIDR does not show a cache on the core's bus, a PL310. */
static unsigned levels(const struct apmu_machine *m, uint64_t clidr)
{
	unsigned has = m->params.l3.size ? 3 : m->params.l2.size ? 2 : 1, own = clidr >> 24 & 7;

	return has < own || has == 3 ? has : own;
}

/* DDI0406C B4.1.20: separate caches at level 1, unified ones below. */
static uint64_t cache_levels(const struct apmu_machine *m, uint64_t native)
{
	unsigned n = levels(m, native);
	uint64_t value = (native & ~(uint64_t)0x71FFFFF) | (uint64_t)n << 24 | 3;

	for (unsigned k = 1; k < n; k++)
		value |= (uint64_t)4 << 3 * k;
	return value;
}

/* DDI0406C B4.1.19. */
static uint64_t cache_size(const struct apmu_machine *m, uint64_t native)
{
	const struct apmu_uarch_params *p = &m->params;
	unsigned which = (unsigned)(m->model->a64 ? apmu_machine__sys(m, 3u << 16 | 2 << 12)
						  : apmu_machine__cp(m, 2, 0, 0, 0)) &
			 15;
	const struct {
		uint32_t size, ways, line;
	} shape[] = {{p->l1d.size, p->l1d.ways, p->l1d.line},
		     {p->l1i.size, p->l1i.ways, p->l1i.line},
		     {p->l2.size, p->l2.ways, p->l2.line},
		     {0},
		     {p->l3.size, p->l3.ways, p->l3.line}};

	if (which >= sizeof shape / sizeof *shape || !shape[which].size)
		return native;
	return (native & 0xF0000000) | (shape[which].size / shape[which].ways / shape[which].line - 1) << 13 |
	       (shape[which].ways - 1) << 3 | (apmu_base__log2(shape[which].line) - 4);
}

/* DDI0487, ID_AA64PFR0_EL1 and ID_PFR1_EL1. */
static uint64_t processor_features(const struct apmu_machine *m, unsigned gic_at, uint64_t native)
{
	return apmu_base__put(native, gic_at + 3, gic_at, m->board.row->gic == 3);
}

/* ID_AA64PFR0_EL1.EL0 to EL3: 0 absent, 1 AArch64 only, 2 AArch32 too. */
static uint64_t with_levels(const struct apmu_core *core, uint64_t pfr0)
{
	static const uint8_t a32[] = {APMU_FEATURE_AA32, APMU_FEATURE_AA32EL1, APMU_FEATURE_AA32EL1,
				      APMU_FEATURE_AA32EL3};
	static const uint8_t there[] = {APMU_FEATURE_A64, APMU_FEATURE_A64, APMU_FEATURE_EL2,
					APMU_FEATURE_EL3};

	for (unsigned el = 0; el < 4; el++)
		pfr0 = apmu_base__put(
			pfr0, 4 * el + 3, 4 * el,
			!(core->features >> there[el] & 1) ? 0 : 1 + (core->features >> a32[el] & 1));
	return pfr0;
}

static uint64_t identify(const struct apmu_machine *m, int what, uint64_t native)
{
	switch (what) {
	case ID_MIDR: return main_identity(m, native);
	case ID_CTR: return cache_type(m, native);
	case ID_CLIDR: return cache_levels(m, native);
	case ID_CCSIDR: return cache_size(m, native);
	case ID_PFR1: return processor_features(m, ID_PFR1_GIC, native);
	case ID_AA64PFR0: /* sve.c keeps SVE disabled */
		return apmu_base__put(processor_features(m, ID_AA64PFR0_GIC, with_levels(m->core, native)),
				      ID_AA64PFR0_SVE + 3, ID_AA64PFR0_SVE, 0);
	default: return apmu_identify(m->core, (enum apmu_id)what, native);
	}
}

/* True if the register exists and this level may read it without a trap. If not, the emulator answers; it
 * knows HCR_EL2.TID2, TID3 and SCTLR_EL1.UCT. */
static bool is_open(const struct apmu_machine *m, int what, uint32_t encoding)
{
	if (what < ID_MIDR && m->mode.el < 2 && apmu_machine__el2_on(m) && m->hcr & HCR_TID2)
		return false;
	if ((what < ID_CTR || what == ID_PFR1) && m->model->version < 7)
		return false;
	if (m->mode.el == 0)
		return encoding == CTR_EL0 && m->model->a64 && apmu_machine__control(m) & SCTLR_UCT;
	return true;
}

bool apmu_machine__identity(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding,
			    uint64_t *value, enum apmu_outcome *outcome)
{
	int what = identity[row_of(view, encoding)].what;
	bool hidden = what >= 0 && apmu_machine__hides_identity(m);

	if (!is_open(m, what, encoding) || (hidden && m->model->a64))
		return false;
	if (hidden)
		*outcome = APMU_TRAP_EL2; /* HCR.TID3 of Armv7, which the emulator does not know */
	else
		*value = identify(m, what, *value);
	return true;
}
