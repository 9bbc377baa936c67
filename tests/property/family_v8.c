/* SPDX-License-Identifier: MIT */
/* The PMUv3 family: accesses from every exception level and security state, in AArch64, AArch32 and through
 * the frame. */
#include "family_v8.h"
#include "ref_v8.h"

#include <string.h>

_Static_assert(sizeof(struct ref_v8) <= LIFE_REF_SIZE, "the reference fits its box");

static const uint8_t hot[] = {APMU_SIG_INST, APMU_SIG_L1D_FILL, APMU_SIG_BR_EXEC};

static const struct ref_v8 *ref_of(const struct life *l)
{
	return (const void *)&l->ref;
}

/* False for an access that no guest can make in the current state of the exception levels. */
static bool possible(const struct ref_v8 *r, struct apmu_access at)
{
	bool a32 = r->aarch32 >> at.from.el & 1;

	return at.view == APMU_VIEW_MMIO || (at.view == APMU_VIEW_A64 ? !a32 : a32);
}

static bool syndrome_agrees(struct life *l, struct apmu_access at)
{
	const struct ref_v8 *r = ref_of(l);
	unsigned rt = l->turn & 31, rt2 = l->turn >> 5 & 31, cond = l->turn >> 10 & 15;
	bool write = l->turn >> 14 & 1;
	enum apmu_outcome outcome = v8_check(r, v8_where(r, at), at, write);

	if (outcome == APMU_DONE || at.view == APMU_VIEW_MMIO)
		return true;
	return life_same(l, "apmu_syndrome()", apmu_syndrome(&l->pmu, at, outcome, write, rt, rt2, cond),
			 ref_v8_syndrome(r, at, outcome, write, rt, rt2, cond));
}

static bool some_agree(struct life *l, unsigned n)
{
	struct rng r = {l->turn};

	for (unsigned i = 0; i < n; i++) {
		struct apmu_mode m = v8_any_place(&r, l->pmu.core);

		m.debug_halted = rng_one_in(&r, 8);
		struct apmu_access at = v8_access_from(&r, l->pmu.core, m, ref_of(l)->aarch32);
		if (!life_read_agrees(l, at) || (i == 0 && !syndrome_agrees(l, at)))
			return false;
	}
	return true;
}

static bool list_agrees(struct life *l, struct apmu_mode m, enum apmu_view view, const uint32_t *list,
			size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct apmu_access at = {.view = view, .encoding = list[i], .from = m};

		if (!life_read_agrees(l, at))
			return false;
	}
	return true;
}

static bool frame_agrees(struct life *l, struct apmu_mode m)
{
	size_t n = v8_frame_n(l->pmu.core);

	for (size_t i = 0; i < n; i++) {
		struct apmu_access at = {.view = APMU_VIEW_MMIO, .encoding = v8_frame[i], .from = m};

		if (!life_read_agrees(l, at))
			return false;
	}
	return true;
}

static bool all_agree(struct life *l)
{
	struct rng r = {l->turn};

	for (unsigned i = 0; i < 6; i++) {
		struct apmu_mode m = v8_any_place(&r, l->pmu.core);
		bool a32 = ref_of(l)->aarch32 >> m.el & 1;

		if (!(a32 ? list_agrees(l, m, APMU_VIEW_CP, v8_cp, v8_cp_n)
			  : list_agrees(l, m, APMU_VIEW_A64, v8_a64, v8_a64_n)))
			return false;
		if (!frame_agrees(l, m))
			return false;
	}
	return true;
}

static bool agrees(struct life *l)
{
	const struct ref_v8 *r = ref_of(l);
	struct apmu before;

	memcpy(&before, &l->pmu, sizeof before);
	bool same = l->turn % 64 ? some_agree(l, 10) : all_agree(l);
	if (memcmp(&before, &l->pmu, sizeof before) != 0)
		return life_fails(l, "a read changes nothing", 1, 0);
	return same && life_line_agrees(l, APMU_LINE_IRQ, ref_v8_irq(r)) &&
	       life_line_agrees(l, APMU_LINE_FIQ, false) &&
	       life_line_agrees(l, APMU_LINE_PROFILING, ref_v8_profiling(r) != 0) &&
	       life_line_agrees(l, APMU_LINE_TRIGGER, ref_v8_trigger(r)) &&
	       life_line_agrees(l, APMU_LINE_DEBUG, ref_v8_trigger(r) && r->edecr_pme && r->f.p9) &&
	       life_line_agrees(l, APMU_LINE_BRBE, ref_v8_branch_freeze(r)) &&
	       life_same(l, "apmu_profiling()", apmu_profiling(&l->pmu), ref_v8_profiling(r));
}

static void init(void *ref, unsigned kind, struct apmu_mode mode)
{
	ref_v8_init(ref, apmu_core_at(kind), mode);
}

FAMILY_VERBS(v8)

static void errata(void *ref, uint32_t set)
{
	(void)ref;
	(void)set;
}

static void machine(void *ref, const struct apmu_machine_state *m)
{
	ref_v8_machine(ref, m);
}

static bool capture(void *ref)
{
	return ref_v8_capture(ref);
}

static bool can(const void *ref, struct apmu_access at)
{
	return possible(ref, at);
}

const struct family family_v8 = {
	.hot = hot,
	.hots = sizeof hot,
	.init = init,
	.reset = reset,
	.cycle = cycle,
	.read = read,
	.write = write,
	.enter = enter,
	.input = input,
	.errata = errata,
	.steps = 700000,
	.draw = v8_draw,
	.agrees = agrees,
	.machine = machine,
	.capture = capture,
	.possible = can,
};
