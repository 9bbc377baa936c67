/* SPDX-License-Identifier: MIT */
#include "ref_v7.h"

#include <string.h>

#define C31 0x80000000u

bool v7_nonsecure(struct apmu_mode m)
{
	return m.el != 3 && m.security == APMU_NONSECURE;
}

/* armv7 3.5. choice: HPMN 0 or more than N is N, as the cores' row says (`hpmn0 full`). */
unsigned v7_hpmn(const struct ref_v7 *r)
{
	if (!r->el2 || r->hpmn == 0 || r->hpmn > r->n)
		return r->n;
	return r->hpmn;
}

void ref_v7_reset(struct ref_v7 *r)
{
	r->dp = r->x = r->d = r->e = false;
	r->cnten = r->ovs = r->inten = 0;
	memset(r->counter, 0, sizeof r->counter);
	memset(r->type, 0, sizeof r->type);
	r->pmccnt = r->pmccfilt = 0;
	r->sel = 0;
	r->en = false;
	r->hpme = r->tpm = r->tpmcr = false;
	r->hpmn = r->el2 ? (uint8_t)r->n : 0;
	r->ns = r->suiden = r->suniden = false;
	r->divider = 0;
	r->slk = true; /* choice: locked out of reset */
}

void ref_v7_init(struct ref_v7 *r, const struct apmu_core *core, struct apmu_mode mode)
{
	memset(r, 0, sizeof *r);
	r->n = core->counters;
	r->filter = core->features >> APMU_FEATURE_FILTER & 1;
	r->el2 = core->features >> APMU_FEATURE_EL2 & 1;
	r->ceid = core->features >> APMU_FEATURE_CEID & 1;
	r->imp = (uint32_t)core->constant[APMU_CORE_IMP];
	r->idcode = (uint32_t)core->constant[APMU_CORE_IDCODE];
	r->ceid0 = (uint32_t)core->constant[APMU_CORE_PMCEID0];
	r->inst = strcmp(core->name, "cortex-a9") == 0 ? 0x68 : 0x08; /* armv7 7, note 2 */
	r->has_lost_overflow = strcmp(core->name, "cortex-a9") == 0;  /* armv7 5 */
	r->mode = mode;
	r->in.dbgen = r->in.niden = r->in.spiden = r->in.spniden = true;
	ref_v7_reset(r);
}

void v7_write_hdcr(struct ref_v7 *r, uint64_t v)
{
	r->hpme = v >> 7 & 1;
	r->tpm = v >> 6 & 1;
	r->tpmcr = v >> 5 & 1;
	r->hpmn = v & 31;
}

void ref_v7_machine(struct ref_v7 *r, const struct apmu_machine_state *m)
{
	if (r->el2)
		v7_write_hdcr(r, m->mdcr_el2);
	r->ns = m->scr_el3 & 1;
	r->suiden = m->sder & 1;
	r->suniden = m->sder >> 1 & 1;
}

/* armv7 2: the table of PMXEVTYPER's filters. */
static bool filtered(const struct ref_v7 *r, uint32_t type, struct apmu_mode m)
{
	bool p = type >> 31 & 1, u = type >> 30 & 1, nsk = type >> 29 & 1, nsu = type >> 28 & 1;
	bool nsh = type >> 27 & 1;

	if (!r->filter)
		return false;
	if (m.el == 2)
		return !nsh;
	if (!v7_nonsecure(m))
		return m.el == 0 ? u : p;
	return m.el == 0 ? u != nsu : p != nsk;
}

/* armv7 4: enabled and permitted. choice: SUIDEN needs DBGEN. */
static bool allowed(const struct ref_v7 *r, struct apmu_mode m)
{
	if (!r->in.dbgen && !r->in.niden)
		return false;
	if (v7_nonsecure(m) || m.el == 2)
		return true;
	if (r->in.spiden || r->in.spniden)
		return true;
	return m.el == 0 && (r->suniden || (r->suiden && r->in.dbgen));
}

static bool global_enable(const struct ref_v7 *r, unsigned i)
{
	return i < v7_hpmn(r) ? r->e : r->hpme;
}

static bool counts(const struct ref_v7 *r, unsigned i, struct apmu_mode m)
{
	if (m.debug_halted || !allowed(r, m))
		return false;
	return (r->cnten >> i & 1) && global_enable(r, i) && !filtered(r, r->type[i], m);
}

/* armv7 4, last column: DP alone lets prohibited regions stop the cycle counter. */
static bool cycles_count(const struct ref_v7 *r)
{
	if (r->mode.debug_halted || !r->e || !(r->cnten & C31))
		return false;
	if (r->dp && !allowed(r, r->mode))
		return false;
	return !filtered(r, r->pmccfilt, r->mode);
}

static uint64_t occurrences(const struct ref_v7 *r, uint32_t number, const uint64_t n[APMU_SIGNALS])
{
	if (number == 0x11)
		return n[APMU_SIG_CYCLES];
	if (number == 0x03)
		return n[APMU_SIG_L1D_FILL];
	if (number == r->inst)
		return n[APMU_SIG_INST];
	return 0; /* lives select no other event number with a signal */
}

/* armv7 5: the carry sets the flag; counting continues. The erratum misses wraps that step over 0 (core.h).
 */
static void add(struct ref_v7 *r, unsigned i, uint64_t amount)
{
	uint64_t sum = r->counter[i] + amount;

	r->counter[i] = (uint32_t)sum;
	if (sum >> 32 && !(r->lost_overflow && r->counter[i] != 0))
		r->ovs |= (uint32_t)1 << i;
}

/* choice: the divider runs while the cycle counter counts, whether D looks at it or not. */
static void cycle_of_pmccntr(struct ref_v7 *r)
{
	if (!cycles_count(r))
		return;
	r->divider = (uint8_t)((r->divider + 1) % 64);
	if (r->d && r->divider != 0)
		return;
	r->pmccnt++;
	if (r->pmccnt == 0)
		r->ovs |= C31;
}

void ref_v7_cycle(struct ref_v7 *r, const uint64_t n[APMU_SIGNALS])
{
	for (unsigned i = 0; i < r->n; i++)
		if (counts(r, i, r->mode))
			add(r, i, occurrences(r, r->type[i] & 0xFF, n));
	cycle_of_pmccntr(r);
}

/* armv7 5: a level, gated by the enable of the counter's range. */
bool ref_v7_irq(const struct ref_v7 *r)
{
	uint32_t both = r->ovs & r->inten;

	for (unsigned i = 0; i < r->n; i++)
		if ((both >> i & 1) && global_enable(r, i))
			return true;
	return (both & C31) && r->e;
}

/* choice: filters and permission are those of the mode that the core is in, whoever makes the access. */
void v7_software_increment(struct ref_v7 *r, uint32_t which)
{
	for (unsigned i = 0; i < r->n; i++)
		if ((which >> i & 1) && (r->type[i] & 0xFF) == 0 && counts(r, i, r->mode))
			add(r, i, 1);
}
