/* SPDX-License-Identifier: MIT */
/* Visits all states of toy cores. walk.h says what the walk covers. */
#include "test.h"
#include "walk.h"

#define STEPS_MAX 400u

struct alphabet {
	struct step step[STEPS_MAX];
	size_t n;
};

static void add(struct alphabet *a, struct step step)
{
	assert_true(a->n < STEPS_MAX);
	a->step[a->n++] = step;
}

/* Adds one cycle for each pair of counts that the two signals can have. */
static void add_cycles(struct alphabet *a, const struct toy *toy)
{
	unsigned most0 = apmu_signal_row(toy->signal[0])->step, most1 = apmu_signal_row(toy->signal[1])->step;

	for (unsigned i = 0; i <= most0; i++)
		for (unsigned j = 0; j <= most1; j++)
			add(a, (struct step){.kind = STEP_CYCLE, .n = {(uint8_t)i, (uint8_t)j}});
}

static void add_counter_writes(struct alphabet *a, unsigned first)
{
	for (unsigned i = first; i < 3; i++)
		for (unsigned v = 0; v <= TOY_MAX; v++)
			add(a, (struct step){.kind = STEP_COUNTER, .i = (uint8_t)i, .value = v});
}

static void add_pmnc(struct alphabet *a, uint32_t value)
{
	add(a, (struct step){.kind = STEP_PMNC, .value = value});
}

static uint32_t selectors(const struct toy *toy, unsigned first, unsigned second)
{
	return (uint32_t)toy->event[first] << toy->evt_lsb[0] | (uint32_t)toy->event[second]
									<< toy->evt_lsb[1];
}

/* Adds writes of all enables with all acknowledgements, E set and clear; selectors and resets separately. */
static void add_pmnc_writes(struct alphabet *a, const struct toy *toy)
{
	for (unsigned e = 0; e <= PMNC_E; e++) {
		for (unsigned enables = 0; enables < 8; enables++)
			for (unsigned ones = 0; ones < 8; ones++)
				add_pmnc(a, selectors(toy, 0, 1) | enables << PMNC_INTEN | ones << PMNC_FLAG |
						    e);
		for (unsigned pair = 0; pair < 4; pair++)
			add_pmnc(a, selectors(toy, pair & 1, pair >> 1) | e);
		for (unsigned resets = 0; resets < 4; resets++)
			add_pmnc(a, selectors(toy, 0, 1) | 4u << PMNC_INTEN | resets * PMNC_P | e);
	}
}

/* Adds writes for both lines: IRQ enables all set or all clear, some of the eight FIQ enables and
 * acknowledgements. */
static void add_pmnc_writes_fiq(struct alphabet *a, const struct toy *toy)
{
	static const unsigned some[] = {0, 1, 4, 7};

	for (unsigned e = 0; e <= PMNC_E; e++)
		for (unsigned irq = 0; irq <= 7; irq += 7)
			for (unsigned i = 0; i < 16; i++)
				add_pmnc(a, selectors(toy, 0, 1) | some[i / 4] << PMNC_FIQEN |
						    irq << PMNC_INTEN | some[i % 4] << PMNC_FLAG | e);
}

static void add_pmnc_writes_divide(struct alphabet *a)
{
	for (unsigned low = 0; low < 16; low++)
		for (unsigned enable = 0; enable < 2; enable++)
			for (unsigned one = 0; one < 2; one++)
				add_pmnc(a, enable << (PMNC_INTEN + 2) | one << (PMNC_FLAG + 2) | low);
}

static bool walk(const struct toy *toy)
{
	static struct alphabet a;
	static struct walk w;

	a.n = 0;
	if (toy->divide) {
		add(&a, (struct step){.kind = STEP_CYCLE});
		add_pmnc_writes_divide(&a);
		add_counter_writes(&a, 2);
	} else {
		add_cycles(&a, toy);
		add_counter_writes(&a, 0);
		if (toy->fiq)
			add_pmnc_writes_fiq(&a, toy);
		else
			add_pmnc_writes(&a, toy);
	}
	bool held = walk_all(&w, toy, a.step, a.n);
	printf("%s: %zu states, %lu transitions\n", toy->name, w.states, w.transitions);
	return held && w.states > 1;
}

static struct toy arm11(const char *name, const char *core)
{
	return (struct toy){
		.name = name,
		.core = core,
		.event = {0x00, 0x07},
		.signal = {APMU_SIG_L1I_MISS, APMU_SIG_INST},
		.evt_lsb = {20, 12},
		.pmnc = apmu_cp(15, 0, 15, 12, 0),
		.counter = {apmu_cp(15, 0, 15, 12, 2), apmu_cp(15, 0, 15, 12, 3), apmu_cp(15, 0, 15, 12, 1)},
		.holdoff = 3,
		.latched = true,
	};
}

static struct toy xsc1(const char *name)
{
	return (struct toy){
		.name = name,
		.core = "xscale1",
		.event = {0x00, 0x07},
		.signal = {APMU_SIG_L1I_MISS, APMU_SIG_INST},
		.evt_lsb = {12, 20},
		.pmnc = apmu_cp(14, 0, 0, 0, 0),
		.counter = {apmu_cp(14, 0, 2, 0, 0), apmu_cp(14, 0, 3, 0, 0), apmu_cp(14, 0, 1, 0, 0)},
	};
}

TEST(every_state_of_a_toy_arm1136_keeps_the_rules)
{
	struct toy toy = arm11("toy ARM1136", "arm1136jf-s");

	CHECK(walk(&toy));
}

TEST(every_state_of_a_toy_arm1156_keeps_the_rules_of_both_lines)
{
	struct toy toy = arm11("toy ARM1156", "arm1156t2-s");

	toy.fiq = true;
	CHECK(walk(&toy));
}

TEST(every_phase_of_the_divider_on_a_toy_arm1176_keeps_the_rules)
{
	struct toy toy = arm11("toy ARM1176, divided", "arm1176jzf-s");

	toy.divide = true;
	CHECK(walk(&toy));
}

TEST(every_state_of_a_toy_xscale_keeps_the_rules)
{
	struct toy toy = xsc1("toy XSC1");

	CHECK(walk(&toy));
}

TEST(every_state_of_a_toy_xscale_that_loses_flags_keeps_the_rest_of_the_rules)
{
	struct toy toy = xsc1("toy XSC1, A stepping");

	toy.errata = 1u << APMU_ERRATUM_FLAG_LOSS;
	CHECK(walk(&toy));
}

TEST(every_phase_of_the_divider_on_a_toy_xscale_keeps_the_rules)
{
	struct toy toy = xsc1("toy XSC1, divided");

	toy.divide = true;
	CHECK(walk(&toy));
}

/* Breaks a rule on purpose: a walk that cannot fail proves nothing. */
static void short_holdoff(struct apmu_core *core)
{
	core->holdoff = 2;
}

static void plain_line(struct apmu_core *core)
{
	core->line_rule = APMU_LINE_PLAIN;
}

static void latched_line(struct apmu_core *core)
{
	core->line_rule = APMU_LINE_LATCHED;
}

static void wide_counters(struct apmu_core *core)
{
	core->width = TOY_BITS + 1;
}

static void wide_cycle_counter(struct apmu_core *core)
{
	core->cycle_width = TOY_BITS + 1;
}

static bool found_out(struct toy toy, void (*spoil)(struct apmu_core *core))
{
	toy.spoil = spoil;
	return !walk(&toy);
}

TEST(a_toy_with_one_rule_wrong_is_found_out)
{
	printf("the next five toys are wrong on purpose:\n");
	CHECK(found_out(arm11("hold-off of 2", "arm1136jf-s"), short_holdoff));
	CHECK(found_out(arm11("plain line", "arm1136jf-s"), plain_line));
	CHECK(found_out(xsc1("latched line"), latched_line));
	CHECK(found_out(xsc1("wide counters"), wide_counters));
	CHECK(found_out(xsc1("wide cycle counter"), wide_cycle_counter));
}
