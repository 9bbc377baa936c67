/* SPDX-License-Identifier: MIT */
/* The Armv7 family: accesses from every exception level and security state, through CP15 and the frame. */
#include "family.h"
#include "ref_v7.h"

#include <string.h>

_Static_assert(sizeof(struct ref_v7) <= LIFE_REF_SIZE, "the reference fits its box");

/* apmu_cp(15, ...) as constants, since this is a static table. */
static const uint32_t encoding[] = {
	0xF09C0, 0xF09C1, 0xF09C2, 0xF09C3, 0xF09C4, 0xF09C5, 0xF09C6, 0xF09C7, /* PMCR to PMCEID1 */
	0xF09D0, 0xF09D1, 0xF09D2, 0xF09E0, 0xF09E1, 0xF09E2, 0xF09E3,          /* PMCCNTR to PMOVSSET */
	0xF4111, 0xF0111,                                                       /* HDCR, SDER */
	0xF09D3, 0xF09E4, 0xF0E80, 0xF0EF7,                                     /* not on Armv7 (armv7 9) */
};
static const uint16_t offset[] = {
	0x000, 0x004, 0x008, 0x00C, 0x010, 0x014, 0x07C, 0x400, 0x404, 0x408, 0x40C, 0x410, 0x414,
	0x47C, 0xC00, 0xC20, 0xC40, 0xC60, 0xC80, 0xCA0, 0xCC0, 0xE04, 0xE08, 0xFB0, 0xFB4,
};
#define ENCODINGS (sizeof encoding / sizeof encoding[0])
#define OFFSETS   (sizeof offset / sizeof offset[0])

static const uint8_t selector[] = {0x08, 0x68, 0x11, 0x11, 0x03, 0x00, 0x00, 0x1E};
static const uint8_t hot[] = {APMU_SIG_INST, APMU_SIG_L1D_FILL};

static const struct apmu_core *core_of(const struct subject *subject)
{
	return apmu_core_find(subject->core);
}

/* Exception level and security state number 0 to 5; Hyp only if the core has it. */
static struct apmu_mode place(const struct apmu_core *core, unsigned which)
{
	static const struct apmu_mode all[] = {
		{.el = 0, .security = APMU_NONSECURE}, {.el = 0, .security = APMU_SECURE},
		{.el = 1, .security = APMU_NONSECURE}, {.el = 1, .security = APMU_SECURE},
		{.el = 3, .security = APMU_SECURE},    {.el = 2, .security = APMU_NONSECURE},
	};
	unsigned n = core->features >> APMU_FEATURE_EL2 & 1 ? 6 : 5;

	return all[which % n];
}

static struct apmu_access any_access(struct rng *r, const struct apmu_core *core)
{
	struct apmu_access at = {
		.view = APMU_VIEW_CP,
		.encoding = encoding[rng_below(r, ENCODINGS)],
		.from = place(core, rng_below(r, 6)),
	};

	if (rng_one_in(r, 4)) {
		at.view = APMU_VIEW_MMIO;
		at.encoding = offset[rng_below(r, OFFSETS)];
		at.from.debug_port = rng_one_in(r, 2);
	}
	return at;
}

static uint64_t any_value(struct rng *r, struct apmu_access at)
{
	uint64_t any = rng_next(r);
	bool frame = at.view == APMU_VIEW_MMIO;

	if (at.encoding == 0xF09C0 || (frame && at.encoding == 0xE04))
		return rng_one_in(r, 4) ? any & 0x3F : (any & 0x39) | 1;
	if (at.encoding == 0xF09D1 || (frame && at.encoding >= 0x400 && at.encoding <= 0x47C))
		return likely_byte(r, few_bits(r, any) << 27, 0, selector, sizeof selector);
	if (at.encoding == 0xF09D0 || at.encoding == 0xF09D2 || (frame && at.encoding <= 0x7C))
		return likely_count(r, any) & 0xFFFFFFFF;
	if (at.encoding == 0xF09C5)
		return rng_one_in(r, 6) ? 31 : rng_below(r, 8);
	if (frame && at.encoding == 0xFB0)
		return rng_one_in(r, 3) ? any : 0xC5ACCE55;
	if (at.encoding == 0xF4111)
		return (any & 0xE0) | rng_below(r, 8);
	return few_bits(r, any) & 0xFFFFFFFF;
}

static void draw_machine(struct op *op, struct rng *r)
{
	uint64_t any = rng_next(r);

	op->machine.mdcr_el2 = (any & 0x80) | (rng_one_in(r, 4) ? any & 0x60 : 0) | rng_below(r, 8);
	op->machine.scr_el3 = any >> 32 & 1;
	op->machine.sder = any >> 33 & 3;
	op->machine.aarch32 = 0xF;
}

static void draw(struct op *op, struct rng *r, const struct subject *subject)
{
	const struct apmu_core *core = core_of(subject);
	unsigned p = rng_below(r, 200);

	op->turn = (uint32_t)rng_next(r);
	if (p < 80) {
		op->kind = p < 70 ? OP_CYCLES : OP_LATE;
		draw_hot_cycles(op, r, subject->family);
	} else if (p < 170) {
		op->kind = OP_WRITE;
		op->at = any_access(r, core);
		op->value = any_value(r, op->at);
	} else if (p < 185) {
		op->kind = OP_ENTER;
		op->mode = place(core, rng_below(r, 6));
		op->mode.debug_halted = rng_one_in(r, 12);
	} else if (p < 189) {
		op->kind = OP_INPUT;
		op->in = draw_pins(r);
	} else if (p < 194) {
		op->kind = OP_MACHINE;
		draw_machine(op, r);
	} else if (p < 199) {
		op->kind = p < 197 ? OP_SAVE : OP_RESTORE;
	} else {
		op->kind = rng_one_in(r, 2) ? OP_RESET : OP_ERRATA;
		op->value = rng_one_in(r, 2) ? 1u << APMU_ERRATUM_LOST_OVERFLOW : 0;
	}
}

static bool all_agree(struct life *l, const struct apmu_core *core)
{
	struct apmu_access at = {.view = APMU_VIEW_CP};
	bool same = true;

	for (unsigned m = 0; m < 6 && same; m++) {
		at.from = place(core, m);
		for (size_t i = 0; i < ENCODINGS && same; i++)
			at.encoding = encoding[i], same = life_read_agrees(l, at);
	}
	at.view = APMU_VIEW_MMIO;
	for (size_t i = 0; i < OFFSETS && same; i++)
		at.encoding = offset[i], same = life_read_agrees(l, at);
	return same;
}

static bool some_agree(struct life *l, const struct apmu_core *core)
{
	struct rng r = {l->turn};

	for (unsigned i = 0; i < 8; i++)
		if (!life_read_agrees(l, any_access(&r, core)))
			return false;
	return true;
}

static bool agrees(struct life *l)
{
	const struct ref_v7 *r = (const void *)&l->ref;
	struct apmu before;

	memcpy(&before, &l->pmu, sizeof before);
	bool same = l->turn % 64 ? some_agree(l, l->pmu.core) : all_agree(l, l->pmu.core);
	if (memcmp(&before, &l->pmu, sizeof before) != 0)
		return life_fails(l, "a read changes nothing", 1, 0);
	return same && life_line_agrees(l, APMU_LINE_IRQ, ref_v7_irq(r)) &&
	       life_line_agrees(l, APMU_LINE_FIQ, false) && life_line_agrees(l, APMU_LINE_PROFILING, false) &&
	       life_line_agrees(l, APMU_LINE_TRIGGER, ref_v7_irq(r)) &&
	       life_line_agrees(l, APMU_LINE_DEBUG, false);
}

static void init(void *ref, unsigned kind, struct apmu_mode mode)
{
	ref_v7_init(ref, apmu_core_at(kind), mode);
}

FAMILY_VERBS(v7)

/* Only Cortex-A9 has the switch (armv7 5). */
static void errata(void *ref, uint32_t set)
{
	struct ref_v7 *r = ref;

	r->lost_overflow = r->has_lost_overflow && (set >> APMU_ERRATUM_LOST_OVERFLOW & 1);
}

static void machine(void *ref, const struct apmu_machine_state *m)
{
	ref_v7_machine(ref, m);
}

static bool capture(void *ref)
{
	(void)ref; /* FEAT_PMUv3_SS is not Armv7's */
	return false;
}

const struct family family_v7 = {
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
	.steps = 550000,
	.draw = draw,
	.agrees = agrees,
	.machine = machine,
	.capture = capture,
};
