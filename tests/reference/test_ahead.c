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

/* A core that issues two instructions per cycle in order, with lines of 64 bytes and an L2 as above. */
static struct apmu_uarch_params in_order_core(const char *params)
{
	static const struct directed plain = {.name = "code", .params = "prefetch.streams 0 l1i.size 4096"};
	struct apmu_uarch_params p = *apmu_uarch_find("cortex-a53");
	directed_row(&p, &plain);
	set_all(&p,
		"l1i.ways 4 l1i.replace lru l2.replace lru l2.latency 7 l2.fill 3 width 2 nano_btb 0 fetch_queue 8 "
		"taken 0 static_taken 0 code_ahead 0");
	set_all(&p, params);
	CHECK(!apmu_uarch_check(&p));
	CHECK(p.l1i.line == 64 && p.l2.ways == 16 && !p.rob);
	return p;
}

#define STRAIGHT   "16x nop straight:84" /* 84 lines; the first 64 are a page of 4 KiB */
#define HOPS       "3x nop hops:84"      /* 84 lines, of four instructions each */
#define TURNS_84   "3x nop turns:84"
#define WIDE_TURNS "30x nop turns:42"
#define PIECES     "2x nop straight:80"  /* 10 lines, of eight blocks of two instructions each */
#define LINES_2    "32x nop straight:42" /* 42 blocks of two lines */
#define TINY       " l1i.size 256"
#define NEXT       "run_ahead.queue 0 code_next 1"

struct hand {
	const char *loop, *params;
	uint64_t cycles; /* of a turn */
};

static const struct hand hand[] = {
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
	/* Branches to the next instruction are taken, as predicted. */
	{"15x nop hops:84", "", 84 * 4},
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
	/* Lines of L2 are twice as long. Lines 0 and 3: in cycle 0 L2 reads those with 0 and, ahead, with 2
	 * and 3, which come in 30 and 50. Line 3 is requested in cycle 31 and waits for the second. */
	{"3x nop hops:20*3",
	 "run_ahead.queue 0 l2.size 2048 l2.line 128 l3.line 128 l3.fill 20 code_ahead 2" TINY, 10 * 51},
	/* A line brings the next one: requested in cycle 0, they come in 7 and 10; the first is dispatched
	 * until 11, the second until 15. */
	{STRAIGHT, NEXT, 42 * 15},
	{PIECES, NEXT TINY, 5 * 15},
	{HOPS, NEXT, 42 * (10 + 1)},
	/* The second comes in cycle 16; in 27, and the path is free in 40. */
	{STRAIGHT, NEXT " l2.fill 9", 42 * (16 + 4)},
	{STRAIGHT, NEXT " l2.fill 20", 42 * 40},
	/* From L3, in cycles 30 and 35. */
	{STRAIGHT, NEXT " l2.size 4096", 42 * (35 + 4)},
	/* Not with a queue. */
	{STRAIGHT, "code_next 1 run_ahead.fill 6", 84 * 6},
	{STRAIGHT, "code_next 1 run_ahead.queue 1", 84 * 11},
	/* An odd number of lines: the line behind the last is not used next. So with 63 and 21 lines of two
	 * pages. */
	{"16x nop straight:83", NEXT, 41 * 15 + 11},
	{"16x nop straight:84+1", NEXT, (31 * 15 + 11) + (10 * 15 + 11)},
	/* Every other line is used. */
	{"15x nop hops:42*2", NEXT, 42 * 11},
	{"3x nop hops:84*2", NEXT, 84 * 8},
	/* L1I has all but the lines of the first one, two, three sets, five lines each. The third line brings
	 * one that L1I has; the next that misses is another. */
	{"16x nop straight:65", NEXT, 5 * 11 + 60 * 4},
	{"16x nop straight:66", NEXT, 5 * 15 + 56 * 4},
	{"16x nop straight:67", NEXT, 5 * (15 + 11) + 52 * 4},
	/* Blocks of two lines wait for both: 10 cycles, then 8 of dispatch; side by side or not. */
	{LINES_2, NEXT, 42 * (10 + 8)},
	{"31x nop hops:42*2", NEXT, 42 * (10 + 8)},
	/* The block with the last line of a page and the first of the next: 14 cycles, and the second brings
	 * the first of the next block, which is there when it is needed. Then each block waits for its second
	 * line. */
	{LINES_2 "+1", NEXT, 31 * (10 + 8) + (14 + 8) + 10 * (7 + 8)},
	/* Blocks of three lines, dispatched in 10 cycles. The first two come in cycle 10; the third is
	 * requested then and brings the first of the next block, whose others come in 7 and 10. If the next
	 * block is not behind it, that line is forgotten. */
	{"39x nop hops:28", NEXT, 14 * (10 + 7 + 10 + 10 + 10)},
	{"39x nop hops:42*2", NEXT, 42 * (10 + 7 + 10)},
	/* Blocks of a line and a half, 6 cycles: the first has two new lines, which come in cycle 10; the
	 * second has one, 7 cycles, which brings the first of two for the third block: that waits for the
	 * second, 7 cycles, which brings what the fourth needs. */
	{"24x nop straight:84", NEXT, 21 * (10 + 6 + 7 + 6 + 7 + 6 + 6)},
	/* Behind a wrong branch, 11 cycles, the second line is there. The last of all is right. */
	{TURNS_84, NEXT, 41 * (7 + 11 + 11) + 7 + 11 + 1},
	{WIDE_TURNS, NEXT, 41 * (10 + 7 + 11) + 10 + 7},
	/* L2 reads a line ahead, too: lines 0 and 1 are requested in cycle 0, line 2 for L2. They come there
	 * in 30, 35 and 40; 1 is dispatched until 39. Then 2 and 3 are requested, and 4 for L2: 2 comes in
	 * 46, 3 in 69, and is dispatched until 73. So on: 34 cycles for two lines. */
	{STRAIGHT, NEXT " l2.size 4096 code_ahead 1", (39 + 31 * 34) + (39 + 9 * 34)},
	/* Two lines ahead: 0 and 1 are requested in 0, 2 and 3 for L2, where they come in 40 and 45. In 39
	 * they are requested and come in 46; 4 and 5 for L2 then, in 69 and 74. In 54 these are requested,
	 * and dispatched until 78; 6 and 7 come to L2 in 84 and 89. In 78 they are requested, come in 85 and
	 * 89 and are dispatched until 93. So on: 24 and 15 cycles. */
	{STRAIGHT, NEXT " l2.size 4096 code_ahead 2", (54 + 15 * 39) + (54 + 4 * 39)},
	/* Eight: all but the first come from L2 in time. */
	{STRAIGHT, NEXT " l2.size 4096 code_ahead 8", (39 + 31 * 15) + (39 + 9 * 15)},
};

/* The same, in order: a line of 16 instructions issues in 8 cycles. */
static const struct hand in_order[] = {
	{STRAIGHT, "", 84 * (7 + 8)},
	{STRAIGHT, "fetch_queue 0", 84 * (7 + 8)},
	{STRAIGHT, "fetch_queue 0 width 1", 84 * (7 + 16)},
	{STRAIGHT, "code_next 1", 42 * (7 + 16)},
	{STRAIGHT, "code_next 1 l2.fill 20", 42 * 40},
	{"16x nop straight:84+1", "code_next 1", (31 * 23 + 15) + (10 * 23 + 15)},
	{"16x nop straight:67", "code_next 1", 5 * (23 + 15) + 52 * 8},
	{HOPS, "", 84 * (7 + 2)},
	{HOPS, "code_next 1", 42 * (10 + 2)},
	{HOPS, "code_next 1 fetch_queue 0", 42 * (10 + 2)},
	{"3x nop hops:84*2", "code_next 1", 84 * (7 + 2)},
	{LINES_2, "code_next 1", 42 * (10 + 16)},
	{LINES_2 "+1", "code_next 1", 31 * (10 + 16) + (14 + 16) + 10 * (7 + 16)},
};

static bool as_by_hand(const struct hand *h, struct apmu_uarch_params p)
{
	struct directed d = {.params = ""};
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
		wrong += !as_by_hand(&hand[k], core(hand[k].params));
	for (unsigned k = 0; k < sizeof in_order / sizeof in_order[0]; k++)
		wrong += !as_by_hand(&in_order[k], in_order_core(in_order[k].params));
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

/* True if no line that is requested with the one before it makes the program slower. */
static bool no_slower_with_the_next_line(const struct trial *t)
{
	uint64_t with = random_cycles(t, "code_next", "1"), without = random_cycles(t, "code_next", "0");
	if (!no_more(with, without))
		printf("%s on %s, seed %" PRIu64 ": %" PRIu64 " cycles with code_next, %" PRIu64 " without\n",
		       t->kind->name, t->row->name, t->seed, with, without);
	return no_more(with, without);
}

TEST(a_code_line_that_brings_the_next_one_makes_no_program_slower)
{
	unsigned slower = 0;
	for (unsigned k = 0; k < kinds_n; k++)
		for (size_t i = 0; i < apmu_uarch_count(); i++)
			for (unsigned n = 0; n < SEEDS; n++) {
				const struct trial t = {apmu_uarch_at(i), &kinds[k], check_seed() + n, RUNS};
				if (strstr(kinds[k].params, "code_next"))
					slower += !no_slower_with_the_next_line(&t);
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
