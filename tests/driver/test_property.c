/* SPDX-License-Identifier: MIT */
/* Random lives: events between any two accesses, interrupts late or early, reads, stops, turns. An oracle
 * that watches the model's counters knows the true counts; the driver's must be equal.
 *
 *     APMU_SEED=7 APMU_STEPS=100000 test-driver-property     repeats or prolongs */
#include "bench.h"
#include "test.h"

#include <stdlib.h>

#define WANTS  12
#define PERIOD 100003

/* A kind of random life. */
struct life {
	const char *core;
	uint32_t errata;
	bool aarch32, chain, poll, turns, sample; /* chain: the first want is 64 bits wide */
};

static struct {
	struct bench b;
	uint64_t random;
	uint64_t truth[WANTS], periods[WANTS];
	uint64_t unseen; /* cycles since the driver could last read the counters */
	bool late;       /* the interrupt is delayed */
	unsigned wants;
	struct life life;
} t;

static uint64_t draw(uint64_t below)
{
	t.random ^= t.random << 13;
	t.random ^= t.random >> 7;
	t.random ^= t.random << 17;
	return below ? t.random % below : 0;
}

/* ARM11: to acknowledge a stopped PMU the driver must start it for a moment. True during that moment. */
static bool is_pulse(void)
{
	const struct apmu *pmu = &t.b.pmu;

	return pmu->core->line_rule == APMU_LINE_LATCHED && !t.life.poll && !t.b.dev.running && !pmu->s.inten;
}

/* Lets cycles pass and tells the oracle what each counter counted. */
static void pass(uint64_t cycles)
{
	uint64_t before[APMU_COUNTERS];
	struct apmu *pmu = &t.b.pmu;

	memcpy(before, pmu->s.counter, sizeof(before));
	t.b.tally.n[APMU_SIG_CYCLES] += cycles;
	t.b.tally.n[APMU_SIG_INST] += draw(cycles + 1);
	t.b.tally.n[APMU_SIG_L1D_MISS] += draw(cycles / 2 + 1);
	t.b.tally.n[APMU_SIG_BR_EXEC] += draw(cycles / 3 + 1);
	apmu_advance(pmu);
	t.unseen += cycles;
	for (unsigned w = 0; w < t.wants && t.b.dev.loaded && !is_pulse(); w++) {
		const struct apmu_dev_slot *slot = &t.b.slots[w];
		unsigned width =
			slot->counter == APMU_CYCLE_COUNTER ? pmu->core->cycle_width : pmu->core->width;
		uint64_t gain = pmu->s.counter[slot->counter] - before[slot->counter];

		if (slot->round == 0xFF || slot->round == t.b.dev.round)
			t.truth[w] += width == 64 ? gain : gain & 0xFFFFFFFFu;
	}
}

static uint64_t some_cycles(void)
{
	switch (draw(16)) {
	case 0: return draw(1u << 29);
	case 1:
	case 2: return draw(1u << 20);
	case 3:
	case 4:
	case 5:
	case 6: return draw(30);
	default: return 0;
	}
}

/* Called before each access of the driver. */
static void between(void *ctx)
{
	(void)ctx;
	if (t.unseen < 1u << 29)
		pass(some_cycles());
}

static void sample(void *ctx, const struct apmu_sample *s)
{
	(void)ctx;
	t.periods[s->slot] += s->periods;
	CHECK(s->value <= t.truth[s->slot]);
}

static void look(void)
{
	t.b.masked = false;
	bench_deliver(&t.b);
	if (t.life.poll)
		CHECK_EQ(apmu_dev_poll(&t.b.dev), 0);
	t.b.masked = t.late;
	t.unseen = 0;
}

static void check(unsigned w, const struct apmu_count *count, uint64_t before)
{
	if (count->value < before || count->value > t.truth[w] || count->lost)
		print_error("%s errata %x want %u on counter %u: %llu%s, truly %llu to %llu\n", t.life.core,
			    t.life.errata, w, t.b.slots[w].counter, (unsigned long long)count->value,
			    count->lost ? " (lost)" : "", (unsigned long long)before,
			    (unsigned long long)t.truth[w]);
	CHECK(count->value >= before && count->value <= t.truth[w]);
	CHECK(!count->lost);
	CHECK(count->running <= count->enabled);
}

static void check_read(void)
{
	struct apmu_count count[WANTS];
	uint64_t before[WANTS];

	memcpy(before, t.truth, sizeof(before));
	CHECK_EQ(apmu_dev_read(&t.b.dev, count, t.wants), 0);
	for (unsigned w = 0; w < t.wants; w++)
		check(w, &count[w], before[w]);
}

static void check_one(void)
{
	unsigned w = (unsigned)draw(t.wants);
	uint64_t before = t.truth[w];
	struct apmu_count count;

	CHECK_EQ(apmu_dev_read_one(&t.b.dev, w, &count), 0);
	check(w, &count, before);
}

static void step(void)
{
	if (t.unseen >= 1u << 29)
		look();
	switch (draw(12)) {
	case 0: CHECK_EQ(apmu_dev_start(&t.b.dev), 0); break;
	case 1: CHECK_EQ(apmu_dev_stop(&t.b.dev), 0); break;
	case 2: check_read(); break;
	case 3: check_one(); break;
	case 4: t.b.masked = t.late = draw(3) == 0; break;
	case 5: look(); break;
	case 6:
		if (t.life.turns)
			CHECK_EQ(apmu_dev_rotate(&t.b.dev), 0);
		break;
	case 7: CHECK_EQ(apmu_dev_tick(&t.b.dev), 0); break;
	default: pass(some_cycles());
	}
	bench_deliver(&t.b);
}

/* Chooses events of this core by signal, each twice if turns are to be taken; the second takes samples if any
 * does; cycles last. */
static void choose(struct apmu_want *want)
{
	static const enum apmu_signal signals[] = {APMU_SIG_INST, APMU_SIG_L1D_MISS, APMU_SIG_BR_EXEC};
	unsigned most = t.life.turns ? 9 : t.b.pmu.core->counters < 3 ? t.b.pmu.core->counters : 3;

	t.wants = 0;
	for (unsigned i = 0; t.wants < most && i < 12; i++) {
		int event = bench_event(t.b.pmu.core, signals[i % 3]);

		if (event < 0)
			continue;
		want[t.wants] = (struct apmu_want){.event = (uint16_t)event, .counter = APMU_ANY_COUNTER};
		if (t.life.chain && !t.wants)
			want[t.wants].flags = APMU_WANT_LONG;
		want[t.wants].period = t.life.sample && t.wants == 1 ? PERIOD : 0;
		t.wants++;
	}
	want[t.wants++] = (struct apmu_want){.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES};
}

static void live(struct life life, uint64_t seed, unsigned steps)
{
	struct apmu_want want[WANTS] = {{0}};

	memset(&t, 0, sizeof(t));
	t.life = life;
	t.random = seed * 0x9E3779B97F4A7C15u + 1;
	bench_make(&t.b, apmu_core_find(life.core));
	apmu_errata(&t.b.pmu, life.errata);
	t.b.port.aarch32 = life.aarch32;
	bench_backend(&t.b, apmu_backend_of_model(&t.b.port), &t.b.port);
	t.b.config.interrupt = !life.poll;
	t.b.config.sample = sample;
	CHECK_EQ(bench_open(&t.b), 0);
	choose(want);
	CHECK_EQ(apmu_dev_use(&t.b.dev, want, t.wants, life.turns ? APMU_MULTIPLEX : 0, NULL), 0);
	CHECK_EQ(t.b.slots[0].flags & 1, life.chain);
	t.b.between = between;
	for (unsigned i = 0; i < steps; i++)
		step();
	t.late = t.b.masked = false;
	apmu_dev_start(&t.b.dev); /* Armv7 and PMUv3 assert no interrupt while E is clear */
	bench_deliver(&t.b);
	apmu_dev_stop(&t.b.dev);
	look();
	check_read(); /* stopped: nothing changes during the read */
	for (unsigned w = 0; w < t.wants && !life.turns; w++)
		if (want[w].period)
			CHECK_EQ(t.periods[w], t.truth[w] / PERIOD);
	CHECK(t.truth[t.wants - 1] > 1ull << 32);
}

static unsigned number(const char *name, unsigned otherwise)
{
	const char *text = getenv(name);

	return text ? (unsigned)strtoul(text, NULL, 0) : otherwise;
}

#define FLAG_LOSS     (1u << APMU_ERRATUM_FLAG_LOSS)
#define LOST_OVERFLOW (1u << APMU_ERRATUM_LOST_OVERFLOW)

static const struct life lives[] = {
	{.core = "arm1136"},
	{.core = "arm1156"},
	{.core = "arm1176"},
	{.core = "xscale1"},
	{.core = "xscale1", .errata = FLAG_LOSS},
	{.core = "xscale2"},
	{.core = "cortex-a8"},
	{.core = "cortex-a9"},
	{.core = "cortex-a9", .errata = LOST_OVERFLOW},
	{.core = "cortex-a15"},
	{.core = "cortex-a53"},
	{.core = "cortex-a53", .aarch32 = true},
	{.core = "cortex-a53", .chain = true},
	{.core = "cortex-a57", .chain = true, .aarch32 = true},
	{.core = "neoverse-n2"},
	{.core = "neoverse-n2", .aarch32 = true},
	{.core = "generic-v9"},
};

/* Runs lives of every family and erratum, by interrupt or by polling, with turns or samples. */
static void each(bool poll, bool turns, bool sample)
{
	unsigned seeds = getenv("APMU_TEST_ALL") ? 20 : 2, first = number("APMU_SEED", 1);

	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++) {
		for (unsigned seed = first; seed < first + seeds; seed++) {
			struct life life = lives[i];

			life.poll = poll;
			life.turns = turns;
			life.sample = sample;
			if (getenv("APMU_SEED"))
				print_message("%s errata %x seed %u\n", life.core, life.errata, seed);
			live(life, seed, number("APMU_STEPS", 3000));
		}
	}
}

TEST(no_count_is_lost_or_doubled_with_interrupts)
{
	each(false, false, false);
}

TEST(no_count_is_lost_or_doubled_by_polling)
{
	each(true, false, false);
}

TEST(no_count_is_lost_or_doubled_while_sampling)
{
	each(false, false, true);
}

TEST(no_count_is_lost_or_doubled_while_taking_turns)
{
	each(false, true, false);
}

TEST(no_count_is_lost_or_doubled_while_taking_turns_and_sampling)
{
	each(false, true, true);
}

TEST(no_count_is_lost_or_doubled_while_taking_turns_by_polling)
{
	each(true, true, false);
}
