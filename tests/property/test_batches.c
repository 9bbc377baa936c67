/* SPDX-License-Identifier: MIT */
/* Properties that need no reference: batching cycles, sharing a tally and reading registers change nothing.
 * For every core, in states that random lives reach. APMU_SEED; the number of states is a share of
 * APMU_STEPS. */
#include "life.h"
#include "test.h"

#define CYCLES_MAX 40u

/* Runs a random life, so that `l` gets into a random state. */
static void wander(struct life *l, const struct subject *subject, struct rng *r)
{
	life_start(l, subject, NULL);
	for (unsigned i = 5 + rng_below(r, 60); i > 0; i--) {
		struct op op;

		op_draw(&op, r, subject);
		life_do(l, &op);
	}
	apmu_advance(&l->pmu); /* a last late cycle */
}

/* A copy of the PMU of `l`, without callbacks, on a tally of its own. */
static struct apmu copy_of(const struct life *l, struct apmu_tally *tally)
{
	struct apmu copy = l->pmu;

	*tally = *l->tally;
	copy.tally = tally;
	copy.lines = (struct apmu_lines){0};
	return copy;
}

static bool same_state(const struct apmu *a, const struct apmu *b)
{
	return memcmp(&a->s, &b->s, sizeof a->s) == 0;
}

static void draw_cycle(struct op *op, struct rng *r, const struct subject *subject)
{
	do
		op_draw(op, r, subject);
	while (op->kind != OP_LATE); /* always one cycle */
}

static unsigned long states(void)
{
	unsigned long n = life_steps(&subjects[0]) / 100;

	return n ? n : 1;
}

/* Feeds the same cycles one at a time and all at once. False if batching is not allowed: a counter wraps in
 * between, or single cycles are asked for. */
static bool batch(const struct life *l, struct rng *r, struct apmu *by_one, struct apmu *at_once)
{
	static struct apmu_tally slow, fast;
	bool wraps = false;

	*by_one = copy_of(l, &slow);
	*at_once = copy_of(l, &fast);
	for (unsigned k = rng_below(r, CYCLES_MAX) + 2; k > 0; k--) {
		uint64_t before[APMU_COUNTERS];
		struct op op;

		draw_cycle(&op, r, l->subject);
		memcpy(before, by_one->s.counter, sizeof before);
		life_feed(&slow, &op);
		life_feed(&fast, &op);
		apmu_advance(by_one);
		for (unsigned i = 0; i < APMU_COUNTERS; i++)
			wraps = wraps || by_one->s.counter[i] < before[i];
	}
	apmu_advance(at_once);
	return !wraps && !apmu_wants_cycles(&l->pmu);
}

TEST(a_batch_without_a_wrap_equals_its_cycles_one_by_one)
{
	static struct life l;
	struct rng r = {life_seed()};
	unsigned long held = 0;

	for (unsigned long i = 0; i < states(); i++) {
		struct apmu by_one, at_once;

		wander(&l, &subjects[i % subjects_n], &r);
		if (!batch(&l, &r, &by_one, &at_once))
			continue;
		held++;
		CHECK(same_state(&by_one, &at_once));
	}
	printf("batches compared: %lu of %lu\n", held, states());
	CHECK(held > 0);
}

/* Checks counters by arithmetic: a batch may be longer than several wraps. */
TEST(a_batch_of_many_wraps_leaves_the_remainder_and_one_flag)
{
	struct rng r = {life_seed()};

	for (size_t c = 0; c < subjects_n; c++)
		for (unsigned i = 0; i < 100; i++) {
			struct apmu_tally tally = {0};
			struct apmu pmu;
			uint64_t start = (uint32_t)rng_next(&r), cycles = rng_next(&r) >> rng_below(&r, 30);

			apmu_init(&pmu, apmu_core_find(subjects[c].core), &tally, (struct apmu_lines){0});
			apmu_enter(&pmu, (struct apmu_mode){.el = 1});
			struct apmu_snapshot snap;
			apmu_save(&pmu, &snap);
			snap.state.word[APMU_WORD_ENABLE] = 1;
			snap.state.counter[APMU_CYCLE_COUNTER] = start;
			CHECK_EQ(apmu_restore(&pmu, &snap), 0);
			tally.n[APMU_SIG_CYCLES] += cycles;
			apmu_advance(&pmu);
			CHECK_EQ(pmu.s.counter[APMU_CYCLE_COUNTER], (start + cycles) & 0xFFFFFFFF);
			CHECK_EQ(pmu.s.overflow >> APMU_CYCLE_COUNTER & 1, cycles > 0xFFFFFFFF - start);
		}
}

static bool still_agrees(struct life *l)
{
	if (life_agrees(l))
		return true;
	printf("%s: %s: %s\n", l->subject->core, l->broken, l->detail);
	return false;
}

/* Two different cores share a tally: each must still agree with its own reference. */
TEST(pmus_that_share_a_tally_do_not_disturb_each_other)
{
	static struct life a, b;
	struct rng r = {life_seed()};

	for (unsigned long i = 0; i < states(); i++) {
		static struct apmu_tally tally;
		struct op op;

		if (i % 100 == 0) {
			memset(&tally, 0, sizeof tally);
			life_start(&a, &subjects[rng_below(&r, (unsigned)subjects_n)], &tally);
			life_start(&b, &subjects[rng_below(&r, (unsigned)subjects_n)], &tally);
		}
		struct life *one = rng_one_in(&r, 2) ? &a : &b;
		op_draw(&op, &r, one->subject);
		if (op.kind == OP_CYCLES || op.kind == OP_LATE) {
			life_feed(&tally, &op);
			life_take_cycle(&a, &op);
			life_take_cycle(&b, &op);
		} else {
			life_do(one, &op);
		}
		CHECK(still_agrees(&a));
		CHECK(still_agrees(&b));
	}
}

TEST(a_read_of_anything_from_anywhere_is_pure)
{
	static struct life l;
	struct rng r = {life_seed()};

	for (unsigned long i = 0; i < states(); i++) {
		struct apmu before;

		wander(&l, &subjects[i % subjects_n], &r);
		l.tally->n[APMU_SIG_CYCLES] += rng_below(&r, 3); /* pending or not */
		memcpy(&before, &l.pmu, sizeof before);
		for (unsigned k = 0; k < 20; k++) {
			struct op op;
			uint64_t value;

			do
				op_draw(&op, &r, l.subject);
			while (op.kind != OP_PROBE);
			apmu_read(&l.pmu, op.at, &value);
		}
		for (unsigned s = 0; s < APMU_SIGNALS; s++)
			CHECK(apmu_until_overflow(&l.pmu, s) >= 1);
		CHECK(memcmp(&before, &l.pmu, sizeof before) == 0);
	}
}

TEST(a_snapshot_brings_back_every_bit_and_both_lines)
{
	static struct life l;
	struct rng r = {life_seed()};

	for (unsigned long i = 0; i < states(); i++) {
		struct apmu_snapshot snap, again;
		bool line[APMU_LINES];

		wander(&l, &subjects[i % subjects_n], &r);
		memcpy(line, l.line, sizeof line);
		memset(&snap, 0, sizeof snap);
		memset(&again, 0, sizeof again);
		apmu_save(&l.pmu, &snap);
		for (unsigned k = 0; k < 10; k++) {
			struct op op;

			op_draw(&op, &r, l.subject);
			life_do(&l, &op);
		}
		CHECK_EQ(apmu_restore(&l.pmu, &snap), APMU_OK);
		apmu_save(&l.pmu, &again);
		CHECK(memcmp(&snap, &again, sizeof snap) == 0);
		CHECK(memcmp(line, l.line, sizeof line) == 0);
	}
}
