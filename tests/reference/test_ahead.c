/* SPDX-License-Identifier: MIT */
/*
 * Code that is fetched ahead: cases that were computed by hand, for the reference and the fast model, and
 * laws for the reference alone.
 */
#include "check.h"
#include "directed.h"

#include <inttypes.h>
#include <stdlib.h>

#include "test.h"

enum { TURNS = 40, RUNS = 400, SEEDS = 4 };

/* Changes a parameter, which must be allowed. */
static void set(struct apmu_uarch_params *p, const char *key, const char *value)
{
	if (apmu_uarch_set(p, key, value) != APMU_OK)
		printf("%s %s is not allowed\n", key, value);
	CHECK_EQ(apmu_uarch_set(p, key, value), APMU_OK);
}

static void set_all(struct apmu_uarch_params *p, const char *params)
{
	char text[400], *at = text;
	snprintf(text, sizeof text, "%s", params);
	for (char *key; (key = strtok(at, " ")); at = NULL)
		set(p, key, strtok(NULL, " "));
}

/* A core that dispatches four instructions per cycle, with lines of 64 bytes. L1I lacks every line of a loop
 * of more than 64 of them. L2 has 7 cycles and takes 3 for a line. */
static struct apmu_uarch_params core(const char *params)
{
	static const struct directed plain = {.name = "code", .params = "prefetch.streams 0 l1i.size 4096"};
	struct apmu_uarch_params p = *apmu_uarch_find("neoverse-n1");
	directed_row(&p, &plain);
	set_all(&p,
		"l1i.replace lru l2.replace lru l3.replace lru l3.inclusion neither l2.latency 7 l2.fill 3 l3.latency 30 "
		"l3.fill 5 mispredict 11 width 4 run_ahead.queue 12 run_ahead.rate 1 "
		"run_ahead.refills 8 run_ahead.fill 0 code_ahead 0");
	set_all(&p, params);
	CHECK(!apmu_uarch_check(&p));
	CHECK(p.l1i.line == 64 && p.l1i.ways == 4 && p.l2.ways == 8 && p.dispatch.taken == 1);
	return p;
}

#define STRAIGHT   "16x nop straight:84" /* 84 lines; the first 64 are a page of 4 KiB */
#define HOPS       "3x nop hops:84"      /* 84 lines, of four instructions each */
#define TURNS_84   "3x nop turns:84"
#define WIDE_TURNS "30x nop turns:42"
#define PIECES     "2x nop straight:80" /* 10 lines, of eight blocks of two instructions each */
#define TINY       " l1i.size 256"

static const struct hand {
	const char *loop, *params;
	uint64_t cycles; /* of a turn */
} hand[] = {
	/* A line is dispatched in 4 cycles, then the next one takes 7. */
	{STRAIGHT, "run_ahead.queue 0", 84 * 11},
	/* A line per 6 cycles; without that limit as fast as dispatch. */
	{STRAIGHT, "run_ahead.fill 6", 84 * 6},
	{STRAIGHT, "run_ahead.fill 0", 84 * 4},
	{STRAIGHT, "run_ahead.fill 11", 84 * 11},
	/* One entry, half a line: a line is requested when the one before it has been dispatched. Two: when
	 * half of it has, in its second cycle. Three: when the line before that has; four: when half of that
	 * has. */
	{STRAIGHT, "run_ahead.queue 1", 84 * 11},
	{STRAIGHT, "run_ahead.queue 2", 84 * (2 + 7)},
	{STRAIGHT, "run_ahead.queue 3", 84 * (4 + 7) / 2},
	{STRAIGHT, "run_ahead.queue 4", 84 * (2 + 7) / 2},
	{STRAIGHT, "l2.latency 20 run_ahead.queue 8", 84 * (2 + 20) / 4},
	{STRAIGHT, "l2.latency 20 run_ahead.queue 12", 84 * 4},
	/* N lines in flight: N per latency. */
	{STRAIGHT, "run_ahead.refills 1", 84 * 7},
	{STRAIGHT, "run_ahead.refills 2", 84 * 4},
	{STRAIGHT, "l2.latency 20 run_ahead.refills 2", 84 * 20 / 2},
	{STRAIGHT, "l2.latency 20 run_ahead.refills 4", 84 * 20 / 4},
	/* A path that takes 9 cycles for a line. */
	{STRAIGHT, "l2.fill 9", 84 * 9},
	/* An entry per cycle, or two: a line has two, or eight if its blocks have two instructions. */
	{STRAIGHT, "width 16 l2.fill 1 run_ahead.queue 64 run_ahead.refills 64", 84 * 2},
	{STRAIGHT, "width 16 l2.fill 1 run_ahead.queue 64 run_ahead.refills 64 run_ahead.rate 2", 84},
	{PIECES, "run_ahead.queue 64" TINY, 10 * 8},
	{PIECES, "run_ahead.queue 64 run_ahead.rate 2" TINY, 10 * 4},
	{PIECES, "run_ahead.queue 0" TINY, 10 * 11},
	/* A line with four instructions takes dispatch one cycle, the path from L2 three. */
	{HOPS, "run_ahead.queue 0", 84 * 8},
	{HOPS, "run_ahead.fill 6", 84 * 6},
	{HOPS, "", 84 * 3},
	{HOPS, "run_ahead.refills 2", 84 * 7 / 2},
	/* Entry n is predicted in the cycle after entry n - 2 was dispatched, so two lines take 1 + 7. */
	{HOPS, "run_ahead.queue 2", 84 * 8 / 2},
	/* A wrong branch executes in the cycle of its dispatch; 11 cycles later prediction begins anew, and
	 * the line takes 7. The last of the 84 is right: without a queue the next line takes 8; with one it
	 * is requested a cycle after the last and comes 3 later, for which that holds the path, or 6. */
	{TURNS_84, "run_ahead.queue 0", 83 * 18 + 8},
	{TURNS_84, "", 83 * 18 + 3},
	{TURNS_84, "run_ahead.fill 6", 83 * 18 + 6},
	/* Two lines behind each wrong branch, dispatched in 4 cycles each, the branch in the eighth: without
	 * a queue one line after the other; with one the second is there in time, or 6 cycles after the
	 * first. Behind the one that is right dispatch goes on in the same cycle, if the line is there. */
	{WIDE_TURNS, "run_ahead.queue 0", 41 * (14 + 7 + 11) + 14 + 7},
	{WIDE_TURNS, "", 41 * (7 + 7 + 11) + 8},
	{WIDE_TURNS, "run_ahead.fill 6", 41 * (7 + 6 + 3 + 11) + 6 + 6},
	/* Branches that the BTB does not have: found at decode, which costs 1 + 4 cycles. If that is no more
	 * than a branch that it has, prediction knew them. */
	{HOPS, "btb 0 taken 1 static_taken 4", 84 * 12},
	{HOPS, "btb 0 taken 1 static_taken 4 run_ahead.queue 0", 84 * 12},
	{HOPS, "btb 0 taken 1 static_taken 1", 84 * 3},
	/* Lines from L3: 30 cycles and 4 of dispatch. */
	{STRAIGHT, "run_ahead.queue 0 l2.size 4096", 84 * 34},
	/* L2 reads a line ahead: the first line of a page comes after 30 cycles. The second was requested
	 * then and is wanted in cycle 34; it takes 7. The third was requested in cycle 34 and comes in 64,
	 * the fourth in 75, and so on: 34 cycles for two lines. The program has 64 lines in one page and 20
	 * in another. */
	{STRAIGHT, "run_ahead.queue 0 l2.size 4096 code_ahead 1", (41 + 31 * 34 + 4) + (41 + 9 * 34 + 4)},
	/* Two lines ahead: the lines come in cycles 30, 41, 52, 64, 75, 86, 98 ...: 34 cycles for three. */
	{STRAIGHT, "run_ahead.queue 0 l2.size 4096 code_ahead 2",
	 (30 + 21 * 34 + 4) + (30 + 6 * 34 + 11 + 4)},
	/* Eight: all come from L2 in time, 11 cycles per line. */
	{STRAIGHT, "run_ahead.queue 0 l2.size 4096 code_ahead 8", (34 + 63 * 11) + (34 + 19 * 11)},
};

static bool as_by_hand(const struct hand *h)
{
	struct directed d = {.params = ""};
	struct apmu_uarch_params p = core(h->params);
	snprintf(d.loop, sizeof d.loop, "%s", h->loop);
	uint64_t slow = directed_slow(&p, &d, TURNS), fast = directed_fast(&p, &d, TURNS);
	bool right = slow == TURNS * h->cycles;
	bool same = directed_same(fast, slow, TURNS);
	if (!right || !same)
		printf("%s, %s: %.2f cycles per turn, %.2f by the fast model, by hand %" PRIu64 "\n", h->loop,
		       h->params, (double)slow / TURNS, (double)fast / TURNS, h->cycles);
	return right && same;
}

TEST(code_that_is_fetched_ahead_takes_the_time_that_was_computed_by_hand)
{
	unsigned wrong = 0;
	for (unsigned k = 0; k < sizeof hand / sizeof hand[0]; k++)
		wrong += !as_by_hand(&hand[k]);
	CHECK_EQ(wrong, 0);
}

/* The reference's cycles of a random program of the kind, with one parameter changed; "": none. */
static uint64_t random_cycles(const struct trial *t, const char *key, const char *value)
{
	struct apmu_uarch_params p;
	struct program program;
	check_make(t, &p, &program);
	if (*key)
		set(&p, key, value);
	uint64_t cycles = slow_run(&p, &program).cycles;
	program_close(&program);
	return cycles;
}

/* True if the first is no more than the second, but for what a few instructions more in a cycle make. */
static bool no_more(uint64_t cycles, uint64_t than)
{
	return cycles <= than + than / 100 + 100;
}

/* Changes that only make code come later, or only sooner. */
static const struct {
	const char *key, *value;
	bool slower;
} changes[] = {
	{"run_ahead.queue", "1", true},   {"run_ahead.queue", "64", false},   {"run_ahead.rate", "4", false},
	{"run_ahead.refills", "1", true}, {"run_ahead.refills", "64", false}, {"run_ahead.fill", "0", false},
	{"run_ahead.fill", "30", true},
};

/* Number of laws that a program breaks. */
static unsigned breaks_laws(const struct trial *t)
{
	struct apmu_uarch_params p;
	struct program program;
	unsigned broken = 0;
	check_make(t, &p, &program);
	program_close(&program);
	if (!story_runs_ahead(&p))
		return 0;
	uint64_t now = random_cycles(t, "", "");
	for (unsigned k = 0; k < sizeof changes / sizeof changes[0]; k++) {
		uint64_t then = random_cycles(t, changes[k].key, changes[k].value);
		bool fine = changes[k].slower ? no_more(now, then) : no_more(then, now);
		if (!fine)
			printf("%s on %s, seed %" PRIu64 ": %" PRIu64 " cycles, with %s %s %" PRIu64 "\n",
			       t->kind->name, t->row->name, t->seed, now, changes[k].key, changes[k].value,
			       then);
		broken += !fine;
	}
	uint64_t fast = random_cycles(t, "run_ahead.fill", "0"),
		 off = random_cycles(t, "run_ahead.queue", "0");
	if (!no_more(fast, off))
		printf("%s on %s, seed %" PRIu64 ": %" PRIu64 " cycles, %" PRIu64 " without the queue\n",
		       t->kind->name, t->row->name, t->seed, fast, off);
	return broken + !no_more(fast, off);
}

TEST(code_that_is_requested_earlier_makes_no_program_slower)
{
	unsigned broken = 0;
	for (unsigned k = 0; k < kinds_n; k++)
		for (size_t i = 0; i < apmu_uarch_count(); i++)
			for (unsigned n = 0; n < SEEDS; n++) {
				const struct trial t = {apmu_uarch_at(i), &kinds[k], check_seed() + n, RUNS};
				if (strstr(kinds[k].params, "run_ahead") && apmu_uarch_at(i)->rob)
					broken += breaks_laws(&t);
			}
	CHECK_EQ(broken, 0);
}

/* L2 reads code ahead: true if that costs no more than the lines that nobody needs hold their paths. */
static bool costs_no_more_than_the_paths(const struct trial *t)
{
	struct apmu_uarch_params p;
	struct program program;
	uint64_t with = random_cycles(t, "code_ahead", "3"), without = random_cycles(t, "code_ahead", "0");
	check_make(t, &p, &program);
	set(&p, "code_ahead", "3");
	uint64_t paths = check_read_ahead(&p, &program);
	program_close(&program);
	if (!no_more(with, without + paths))
		printf("%s on %s: %" PRIu64 " cycles with code_ahead 3, %" PRIu64 " without\n", t->kind->name,
		       t->row->name, with, without);
	return no_more(with, without + paths);
}

TEST(an_l2_that_reads_code_ahead_makes_no_program_slower_than_the_paths_allow)
{
	unsigned slower = 0;
	for (unsigned k = 0; k < kinds_n; k++)
		for (size_t i = 0; i < apmu_uarch_count(); i++) {
			const struct trial t = {apmu_uarch_at(i), &kinds[k], check_seed(), RUNS};
			if (strstr(kinds[k].params, "code_ahead") && t.row->l2.size)
				slower += !costs_no_more_than_the_paths(&t);
		}
	CHECK_EQ(slower, 0);
}

/* True if a loop of directed.c takes another time with the parameter changed by one. */
static bool noticed(const char *key, unsigned value)
{
	unsigned n;
	const struct directed *all = directed_all(&n);
	char text[16];
	snprintf(text, sizeof text, "%u", value);
	for (unsigned k = 0; k < n; k++) {
		struct apmu_uarch_params p = *apmu_uarch_find("neoverse-n1"), q;
		set_all(&p, "run_ahead.queue 12 run_ahead.rate 1 run_ahead.refills 8 run_ahead.fill 6 "
			    "code_ahead 2");
		q = p;
		set(&q, key, text);
		directed_row(&p, &all[k]);
		directed_row(&q, &all[k]);
		if (strncmp(all[k].name, "code-", 5) == 0 && memcmp(&p, &q, sizeof p) != 0 &&
		    !directed_same(directed_slow(&q, &all[k], TURNS), directed_slow(&p, &all[k], TURNS),
				   TURNS))
			return true;
	}
	printf("%s %u: not noticed\n", key, value);
	return false;
}

TEST(a_figure_of_code_that_is_fetched_ahead_that_is_wrong_by_one_is_noticed)
{
	CHECK(noticed("run_ahead.queue", 11) && noticed("run_ahead.queue", 13));
	CHECK(noticed("run_ahead.rate", 2));
	CHECK(noticed("run_ahead.refills", 7) && noticed("run_ahead.refills", 9));
	CHECK(noticed("run_ahead.fill", 5) && noticed("run_ahead.fill", 7));
	CHECK(noticed("code_ahead", 1) && noticed("code_ahead", 3));
}
