/* SPDX-License-Identifier: MIT */
/*
 * Loads that take their data from stores: cases that were computed by hand, for the reference and the fast
 * model.
 */
#include "directed.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

enum { TURNS = 100 };

/* A loop in which each turn's store waits for the load of the turn before. A load takes 4 cycles from L1, 6
 * from a store, 15 if it cannot get all its data from there; a line of memory takes 20. */
static struct apmu_uarch_params core(const char *params)
{
	static const struct directed plain = {.name = "forward", .params = "prefetch.streams 0"};
	struct apmu_uarch_params p = *apmu_uarch_find("neoverse-n1");
	char text[400], *at = text;
	directed_row(&p, &plain);
	snprintf(text, sizeof text,
		 "width 8 result.load 4 forward 6 forward_fail 15 memory 20 line_fill 1 line_write 1 "
		 "l3.size 0 %s",
		 params);
	for (char *key; (key = strtok(at, " ")); at = NULL)
		CHECK_EQ(apmu_uarch_set(&p, key, strtok(NULL, " ")), APMU_OK);
	CHECK(!apmu_uarch_check(&p));
	return p;
}

#define HALF   "forward_half 1"
#define NONE   "forward_half 0"
#define TAKES4 " group.strd result:4"

#define WHOLE    "store:0,12 load:0,12", 0, 0, 0
#define LATE     "store~:0,12 load:0,12", 0, 0, 0
#define FIRST    "storew:0,12 loadw:0,12", 0, 0, 0
#define SECOND   "loadw:0,12 storew:0,12", 8, 16, 0
#define MIDDLE   "loadw:0,12 storew:0,12", 4, 8, 0
#define QUARTER  "store:0,12 loadw:0,12", 0, 0, 0
#define LATE_8   "storew~:0,12 loadw:0,12", 0, 0, 0
#define LATE_4   "store~:0,12 loadw:0,12", 0, 0, 0
#define FAR      "store:0,0 load:0,0", 4160, 0, 2
#define FAR_HALF "storew:0,0 loadw:0,0", 4160, 0, 2

static const struct {
	const char *params, *loop;
	unsigned step, wrap, cell; /* struct directed */
	uint64_t cycles;           /* of a turn */
} hand[] = {
	{NONE, WHOLE, 6},
	/* A general register's data are there in the store's first cycle, which is as good as at its start.
	 */
	{"group.strd result:0", LATE, 6},
	{"group.strd result:1", LATE, 6},
	{"group.strd result:2", LATE, 7},
	{"group.strd result:4", LATE, 9},
	{"result.store 4", WHOLE, 9},
	{"result.store 4 group.strd result:2", LATE, 7},
	/* Forwarding fails, with and without waiting for all before the store: that is the load of the turn
	 * before, which has retired when its data are there, in the cycle in which the store starts. */
	{"forward_retired 1", QUARTER, 15},
	{"forward_retired 0", QUARTER, 15},
	{"forward_retired 1" TAKES4, LATE_4, 18},
	{"forward_retired 0" TAKES4, LATE_4, 18},
	{NONE TAKES4, LATE_8, 18},
	/* Halves of a vector. */
	{NONE, FIRST, 15},
	{HALF, FIRST, 6},
	{NONE, SECOND, 15},
	{HALF, SECOND, 6},
	{HALF TAKES4, LATE_8, 9},
	{HALF, MIDDLE, 15},
	{HALF, QUARTER, 15},
	/* Store and load also take their address from the load before. The line comes 20 cycles after the
	 * store asked for it, and the cache's half 4 later. What comes from the store alone waits for no
	 * line. */
	{HALF, FAR, 6},
	{NONE, FAR_HALF, 24},
	{HALF, FAR_HALF, 24},
	{HALF " result.store 4", FAR_HALF, 24},
	{HALF " forward_fail 27 forward 27", FAR_HALF, 27},
	{HALF " forward_fail 27 forward 27 result.store 4", FAR_HALF, 30},
};

TEST(loads_wait_for_stores_as_computed_by_hand)
{
	for (unsigned k = 0; k < sizeof hand / sizeof hand[0]; k++) {
		struct apmu_uarch_params p = core(hand[k].params);
		struct directed d = {.step = hand[k].step, .wrap = hand[k].wrap, .cell = hand[k].cell};
		snprintf(d.loop, sizeof d.loop, "%s", hand[k].loop);
		uint64_t slow = directed_slow(&p, &d, TURNS), fast = directed_fast(&p, &d, TURNS);
		uint64_t want = hand[k].cycles * TURNS;
		if (!directed_same(slow, want, TURNS) || !directed_same(fast, want, TURNS))
			printf("%s, %s: %" PRIu64 " cycles; %.2f by the reference, %.2f by the fast model\n",
			       d.loop, hand[k].params, hand[k].cycles, (double)slow / TURNS,
			       (double)fast / TURNS);
		CHECK(directed_same(slow, want, TURNS));
		CHECK(directed_same(fast, want, TURNS));
	}
}
