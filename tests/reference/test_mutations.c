/* SPDX-License-Identifier: MIT */
/*
 * Checks that the comparison notices a parameter that is wrong by one. Each latency and each queue size of a
 * row is made one larger, or one smaller, for the fast model only; some directed loop must then take another
 * time than the reference says.
 */
#include "directed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { TURNS = 460, DIRECTED = 160 };

/* Rows, and what is changed in them so that they have all that is to be tested. */
static const struct {
	const char *name, *params;
} rows[] = {
	{"arm1136", ""},
	{"cortex-a53", ""},
	{"cortex-a57", ""},
	{"neoverse-n1",
	 "run_ahead.queue 12 run_ahead.rate 1 run_ahead.refills 8 run_ahead.fill 6 code_ahead 2"},
};

/* Keys that are a time or the size of a queue. A key that ends in '.' stands for all that begin with it. */
static const char *const timing[] = {"issue.",
				     "result.",
				     "pipes.",
				     "width",
				     "rob",
				     "load_queue",
				     "store_queue",
				     "flag_registers",
				     "flag_cycles",
				     "scheduler",
				     "schedulers.",
				     "scheduler_cycles",
				     "store_buffer",
				     "forward",
				     "forward_fail",
				     "forward_half",
				     "base_slots",
				     "alu_factor",
				     "dispatch.breaks",
				     "shift_reg",
				     "shift_extra",
				     "address_extra",
				     "address_load",
				     "address_base",
				     "store_late",
				     "addend_late",
				     "load_bytes",
				     "subword_extra",
				     "multiple_first",
				     "multiple_per_cycle",
				     "multiple_issue",
				     "unaligned_extra",
				     "memory",
				     "line_fill",
				     "line_write",
				     "tlb_hit",
				     "walk",
				     "misses",
				     "write_buffer",
				     "write_drain",
				     "mispredict",
				     "taken",
				     "nano_btb",
				     "nano_taken",
				     "micro_btb",
				     "micro_taken",
				     "static_taken",
				     "return_predicted",
				     "return_wrong",
				     "indirect",
				     "load_pc",
				     "l2.latency",
				     "l2.fill",
				     "l3.latency",
				     "l3.fill",
				     "code_next",
				     "code_ahead",
				     "run_ahead.",
				     "prefetch.trigger",
				     "prefetch.distance",
				     "prefetch.flights"};

/* Keys whose change no directed loop notices, and why. They are tried with APMU_TEST_ALL alone. */
static const struct {
	const char *key, *why, *row; /* row NULL: any */
} unseen[] = {
	{"indirect", "no loop jumps to a register's value", NULL},
	{"load_pc", "no loop loads the PC", NULL},
	{"issue.swap", "no loop has one", NULL},
	{"result.swap", "no loop has one", NULL},
	{"issue.preload", "no loop has one", NULL},
	{"result.preload", "it has no result", NULL},
	{"issue.exception", "no loop has one", NULL},
	{"result.exception", "it has no result", NULL},
	{"issue.barrier", "no loop has one", NULL},
	{"result.barrier", "it has no result", NULL},
	{"result.nop", "it has no result", NULL},
	{"issue.nop", "out of order it takes no pipe of a group", NULL},
	{"issue.unknown", "out of order it takes no pipe of a group", NULL},
	{"issue.system", "out of order it takes no pipe of a group", NULL},
	{"result.store", "in order it has no result but the base register", "arm1136"},
	{"result.store", "in order it has no result but the base register", "cortex-a53"},
	{"result.branch", "no loop reads the link register but the return, a block later", NULL},
	{"store_buffer", "where stores do not allocate none waits there", NULL},
	{"forward", "in order it is 0, and 1 is less than a hit takes", NULL},
	{"shift_extra", "out of order it has no effect", NULL},
	{"address_extra", "out of order it has no effect", NULL},
	{"address_load", "out of order it has no effect", NULL},
	{"address_base", "out of order it has no effect", NULL},
	{"store_late", "out of order it has no effect", NULL},
	{"base_slots", "in order it has no effect", NULL},
	{"multiple_issue", "out of order it has no effect", NULL},
	{"pipes.5", "as many as the core is wide", NULL},
	{"prefetch.trigger", "a stream begins once in a loop", NULL},
	{"prefetch.flights", "no loop has as many lines on their way", NULL},
	{"write_drain", "where stores allocate none passes L1 but in read-allocate mode, which is off here",
	 NULL},
	{"write_buffer",
	 "where stores allocate it holds lines for memory alone; the loop that fills it does not agree",
	 NULL},
	{"schedulers.5", "a block has one branch", NULL},
	{"schedulers.7", "only instruction groups need it; the loops are of classes", NULL},
	{"schedulers.8", "only instruction groups need it; the loops are of classes", NULL},
	{"schedulers.9", "only instruction groups need it; the loops are of classes", NULL},
	{"scheduler_cycles", "only instruction groups need those; the loops are of classes", "neoverse-n1"},
	{"unaligned_extra", "out of order no loop waits for it", NULL},
	{"l2.latency", "a line put out follows each that is read, and l2.fill is as long", "cortex-a53"},
	{"load_queue", "one more is half a miss, beside 28", "neoverse-n1"},
	{"store_queue", "one more is half a miss, beside 22", "neoverse-n1"},
	{"flag_registers", "one more is half a miss, beside 19", "neoverse-n1"},
	{"run_ahead.queue", "a queue of one entry is as good as none", "cortex-a57"},
	{"walk", "a cycle in 330, less than may differ", "neoverse-n1"},
};

static bool is_timing(const char *key)
{
	for (unsigned k = 0; k < sizeof timing / sizeof timing[0]; k++) {
		size_t n = strlen(timing[k]);
		if (timing[k][n - 1] == '.' ? strncmp(key, timing[k], n) == 0 : strcmp(key, timing[k]) == 0)
			return true;
	}
	return false;
}

/* True for pipes that no class uses, only instruction groups: test_uarch_effect.c covers those. */
static bool for_groups_alone(const struct apmu_uarch_params *row, const char *key)
{
	unsigned pipes;
	if (sscanf(key, "pipes.%u", &pipes) != 1)
		return false;
	for (unsigned c = 0; c < APMU_CLASSES; c++)
		if (row->unit[c] == pipes)
			return false;
	return true;
}

static const char *why_unseen(const struct apmu_uarch_params *row, const char *key)
{
	for (unsigned k = 0; k < sizeof unseen / sizeof unseen[0]; k++)
		if (strcmp(unseen[k].key, key) == 0 &&
		    (!unseen[k].row || strcmp(unseen[k].row, row->name) == 0))
			return unseen[k].why;
	return for_groups_alone(row, key) ? "only instruction groups need it; the loops are of classes"
					  : NULL;
}

/* Adds `by` to a parameter. False if the row has no use for it or does not allow the value. */
static bool mutate(struct apmu_uarch_params *p, const struct apmu_uarch_param *f, int by)
{
	char value[24], why[200];
	struct apmu_uarch_params changed = *p;
	snprintf(value, sizeof value, "%ld", strtol(f->value, NULL, 10) + by);
	if (apmu_uarch_idle(p, f->key, why, sizeof why) ||
	    apmu_uarch_set(&changed, f->key, value) != APMU_OK || apmu_uarch_check(&changed))
		return false;
	*p = changed;
	return true;
}

/* Writes the reference's cycles of each directed loop on the row, or 0 if the two do not agree on the
 * unchanged row. Returns for how many loops they agree. */
static unsigned expect(const struct apmu_uarch_params *row, const struct directed *all, unsigned n,
		       uint64_t *want)
{
	unsigned agree = 0;
	for (unsigned k = 0; k < n; k++) {
		struct apmu_uarch_params p = *row;
		directed_row(&p, &all[k]);
		uint64_t slow = directed_slow(&p, &all[k], TURNS);
		uint64_t fast = directed_fast(&p, &all[k], TURNS);
		bool same = directed_same(fast, slow, TURNS);
		want[k] = same ? slow : 0;
		agree += same;
		if (!same)
			printf("%s: %s: the two do not agree: %.2f cycles a turn, %.2f by the reference\n",
			       row->name, all[k].name, (double)fast / TURNS, (double)slow / TURNS);
	}
	return agree;
}

static const char *notice(const struct apmu_uarch_params *row, const struct apmu_uarch_params *mutant,
			  const struct directed *all, unsigned n, const uint64_t *want)
{
	for (unsigned k = 0; k < n; k++) {
		struct apmu_uarch_params p = *row, q = *mutant;
		if (!want[k])
			continue;
		directed_row(&p, &all[k]);
		directed_row(&q, &all[k]);
		if (memcmp(&p, &q, sizeof p) == 0)
			continue;
		if (!directed_same(directed_fast(&q, &all[k], TURNS), want[k], TURNS))
			return all[k].name;
	}
	return NULL;
}

/* One of the rows, changed. */
static struct apmu_uarch_params row_of(unsigned k)
{
	CHECK(apmu_uarch_find(rows[k].name) != NULL);
	struct apmu_uarch_params p = *apmu_uarch_find(rows[k].name);
	char text[200], *at = text;
	snprintf(text, sizeof text, "%s", rows[k].params);
	for (char *key; (key = strtok(at, " ")); at = NULL)
		CHECK_EQ(apmu_uarch_set(&p, key, strtok(NULL, " ")), APMU_OK);
	return p;
}

/* Number of parameters of the row whose change is neither noticed nor listed in `unseen`. */
static unsigned unnoticed(unsigned k)
{
	bool try_all = getenv("APMU_TEST_ALL") != NULL;
	const struct apmu_uarch_params changed = row_of(k), *row = &changed;
	const char *name = rows[k].name;
	static uint64_t want[DIRECTED];
	unsigned n, bad = 0, tried = 0, seen = 0;
	const struct directed *all = directed_all(&n);
	struct apmu_uarch_param f;
	CHECK(n <= DIRECTED);
	unsigned agree = expect(row, all, n, want);
	CHECK(agree * 10 >= n * 9);
	for (size_t i = 0; apmu_uarch_param(row, i, &f); i++) {
		struct apmu_uarch_params more = *row, less = *row;
		bool larger = is_timing(f.key) && mutate(&more, &f, 1);
		bool smaller = is_timing(f.key) && mutate(&less, &f, -1);
		const char *why = why_unseen(row, f.key);
		if ((!larger && !smaller) || (why && !try_all))
			continue;
		const char *by = larger ? notice(row, &more, all, n, want) : NULL;
		if (!by && smaller)
			by = notice(row, &less, all, n, want);
		tried++;
		seen += by != NULL;
		if (!by)
			printf("%s: %s: not noticed%s%s\n", name, f.key, why ? ": " : "", why ? why : "");
		bad += !by && !why;
	}
	printf("%s: %u of %u mutations noticed, %u of %u loops agree\n", name, seen, tried, agree, n);
	return bad;
}

TEST(a_figure_of_arm1136_that_is_wrong_by_one_is_noticed)
{
	CHECK_EQ(unnoticed(0), 0);
}

TEST(a_figure_of_cortex_a53_that_is_wrong_by_one_is_noticed)
{
	CHECK_EQ(unnoticed(1), 0);
}

TEST(a_figure_of_cortex_a57_that_is_wrong_by_one_is_noticed)
{
	CHECK_EQ(unnoticed(2), 0);
}

TEST(a_figure_of_neoverse_n1_that_is_wrong_by_one_is_noticed)
{
	CHECK_EQ(unnoticed(3), 0);
}
