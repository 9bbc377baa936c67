/* SPDX-License-Identifier: MIT */
/* pmuv3 2.18 and 5: captures and the lines. */
#include "ref_v8.h"

#define I_C 31u /* the cycle counter */

static bool bit(uint64_t word, unsigned i)
{
	return word >> i & 1;
}

/* 5.3, 5.2: the chain of PMEE; *level is the level that decided, 1 for PMECR. choice: the reserved values
 * disable interrupt and exception. */
unsigned v8_pmee(const struct ref_v8 *r, unsigned *level)
{
	unsigned at3 = (unsigned)(r->mdcr_el3 >> 40 & 3), at2 = (unsigned)(r->mdcr_el2 >> 40 & 3);

	*level = 3;
	if (r->f.el3_a64 && at3 != 1)
		return at3;
	*level = 2;
	if (v8_el2_enabled(r, r->mode) && at2 != 1)
		return at2;
	*level = 1;
	return r->pmecr & 3;
}

/* 2.18: the chain of enables. choice: 01 in PMECR.SSE is disabled. */
static unsigned capture_state(const struct ref_v8 *r)
{
	unsigned at3 = (unsigned)(r->mdcr_el3 >> 30 & 3), at2 = (unsigned)(r->mdcr_el2 >> 30 & 3);
	unsigned at1 = (unsigned)(r->pmecr >> 3 & 3);

	if (r->f.el3 && at3 != 1)
		return at3;
	if (r->f.el2 && at2 != 1)
		return at2;
	return at1 == 1 ? 0 : at1;
}

/* 2.18; Debug state prohibits (9.2 item 7). */
bool ref_v8_capture(struct ref_v8 *r)
{
	unsigned state = r->f.ss ? capture_state(r) : 0;

	if (state == 0)
		return false;
	r->nc = state == 2 || r->os_lock || r->mode.debug_halted;
	if (r->nc)
		return false;
	for (unsigned i = 0; i < APMU_COUNTERS; i++)
		r->saved[i] = r->counter[i];
	return true;
}

/* 5.2 */
static bool any_request(const struct ref_v8 *r, bool synchronous_too)
{
	uint64_t both = r->ovs & r->inten;

	for (unsigned i = 0; i < APMU_COUNTERS; i++)
		if (bit(both, i) && v8_enabled(r, i) && (synchronous_too || i == I_C || !bit(r->type[i], 58)))
			return true;
	return false;
}

bool ref_v8_irq(const struct ref_v8 *r)
{
	unsigned level;

	if (r->f.ebep && v8_pmee(r, &level) != 0)
		return false;
	return any_request(r, true);
}

/* 5.2: to CTI and ETE, whatever PMEE says. */
bool ref_v8_trigger(const struct ref_v8 *r)
{
	return any_request(r, true);
}

/* 5.4: BRBCR_EL1.FZP and the first range with the instruction counter, BRBCR_EL2.FZP and the second. */
bool ref_v8_branch_freeze(const struct ref_v8 *r)
{
	for (unsigned i = 0; i < APMU_COUNTERS; i++) {
		bool asks = v8_range(r, i) == 1 ? r->brbe_fzp1 : v8_range(r, i) == 2 && r->brbe_fzp2;

		if (i != I_C && asks && bit(r->ovs, i) && !bit(r->type[i], 58))
			return true;
	}
	return false;
}

/* 5.3. choice: the line of the exception is up while the exception would be taken. */
static bool pending(const struct ref_v8 *r)
{
	return v8_exception_enabled(r) && any_request(r, false);
}

unsigned ref_v8_profiling(const struct ref_v8 *r)
{
	unsigned target;

	if (!pending(r) || r->mode.debug_halted)
		return 0;
	v8_pmee(r, &target);
	if (target == 1 && v8_el2_enabled(r, r->mode) && (r->hcr >> 27 & 1))
		target = 2;
	if (r->mode.el > target)
		return 0;
	if (target == 2 && r->mode.el == 2 && (r->mdcr_el2 >> 40 & 3) != 3)
		return 0;
	if (r->mode.el == target && (!(r->pmecr & 4) || r->profiling_masked))
		return 0;
	return target;
}
