/* SPDX-License-Identifier: MIT */
#include "bounds.h"

#include <stddef.h>

#define PAIR   "in order no two instructions pair over a block's end"
#define SLACK  "in order a short wait over a block's end is not made up for by a wait behind it"
#define QUEUES "out of order queues are looked at a few instructions at a time"
#define ORDER  "out of order a pipe is taken in the order of instructions"
#define WITHIN "out of order dispatch goes on within a cycle after a wrong branch"
#define GIVES  "out of order a store that left its queue before the load is dispatched still gives its data"
#define NONE   ""
#define ANY    1e30

/* In the order of kinds.c. */
const struct bound bounds[] = {
	{"free", {1, 1}, {1, 1}, NONE},
	{"chain", {1, 40}, {1, 1}, ORDER},
	{"mix", {1, 35}, {12, 12}, SLACK "; " ORDER},
	{"blocks", {10, 15}, {35, 10}, SLACK "; " PAIR},
	{"hits", {1, 6}, {12, 20}, SLACK},
	{"hit-list", {1, 1}, {10, 1}, SLACK},
	{"multiple",
	 {2, 20},
	 {6, 35},
	 SLACK "; loads of several registers take their data from stores one by one"},
	{"l2-list", {4, 1}, {1, 1}, SLACK},
	{"l3-list", {2, 1}, {1, 1}, SLACK},
	{"far-list", {2, 1}, {1, 1}, SLACK},
	{"l2-loads", {4, 6}, {4, 10}, QUEUES},
	{"l3-loads", {4, 3}, {1, 12}, QUEUES},
	{"far-loads", {4, 2}, {1, 8}, QUEUES},
	{"gather",
	 {6, 15},
	 {8, 30},
	 "out of order a gap on the bus is filled from its end, and a place is taken ahead"},
	{"walk", {10, 4}, {8, 35}, QUEUES},
	{"walk-ahead", {8, 5}, {8, 35}, QUEUES "; where no prefetcher is, as walk"},
	{"list-ahead", {6, 4}, {15, 1}, SLACK},
	{"store-hits", {5, 28}, {20, 40}, PAIR "; " QUEUES},
	{"l2-stores", {10, 10}, {2, 40}, QUEUES},
	{"far-stores", {10, 8}, {1, 10}, QUEUES},
	{"forward", {20, 1}, {40, 40}, SLACK "; " GIVES},
	{"wrong", {15, 6}, {30, 18}, SLACK "; " PAIR "; " WITHIN},
	{"calls",
	 {16, 42},
	 {20, 30},
	 PAIR "; out of order a taken branch and its target share what is left of a cycle"},
	{"pages", {12, 3}, {1, 8}, "in order a hit in the main TLB and a miss of L1 overlap"},
	{"code", {1, 1}, {1, 18}, NONE},
	{"all", {10, 10}, {20, 40}, "all of these"},
};
const unsigned bounds_n = sizeof bounds / sizeof bounds[0];

#define GAPS "32 misses in a window of 384: the gaps on the bus that are filled from their end are long"

const struct deviation deviations[] = {
	{"gather", "cortex-x4", 1, 15, 80, GAPS},
	{"gather", "neoverse-v3", 1, 15, 80, GAPS},
};
const unsigned deviations_n = sizeof deviations / sizeof deviations[0];
