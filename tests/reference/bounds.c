/* SPDX-License-Identifier: MIT */
#include "bounds.h"

#include <stddef.h>

#define CARRY \
	"operands carry at most 4 cycles over a block's end, and an early operand is not asked for there"
#define QUEUES "out of order queues are looked at eight instructions at a time"
#define NONE   ""
#define ANY    1e30

/* In the order of kinds.c. */
const struct bound bounds[] = {
	{"free", {1, 1}, {1, 1}, NONE},
	{"chain", {20, 40}, {1, 1}, CARRY "; out of order a pipe is taken in the order of instructions"},
	{"mix", {75, 12}, {12, 12}, CARRY},
	{"blocks", {30, 15}, {25, 10}, CARRY "; no two instructions pair over a block's end"},
	{"hits", {16, 6}, {2, 20}, CARRY},
	{"hit-list", {20, 1}, {1, 1}, CARRY},
	{"multiple",
	 {30, 6},
	 {10, 45},
	 CARRY "; loads of several registers take their data from stores one by one"},
	{"l2-list", {6, 1}, {1, 1}, CARRY},
	{"l3-list", {3, 1}, {1, 1}, CARRY},
	{"far-list", {3, 1}, {1, 1}, CARRY},
	{"l2-loads", {9, 6}, {4, 10}, QUEUES},
	{"l3-loads", {8, 3}, {1, 12}, QUEUES},
	{"far-loads", {3, 2}, {1, 8}, QUEUES},
	{"gather",
	 {5, 15},
	 {8, 30},
	 "out of order a gap on the bus is filled from its end, and a place is taken ahead"},
	{"walk", {10, 4}, {8, 35}, QUEUES},
	{"walk-ahead", {8, 8}, {8, 15}, QUEUES},
	{"list-ahead", {6, 4}, {15, 1}, CARRY},
	{"store-hits", {35, 28}, {40, 40}, QUEUES},
	{"l2-stores", {10, 10}, {2, 40}, QUEUES},
	{"far-stores", {10, 8}, {1, 10}, QUEUES},
	{"forward",
	 {20, 1},
	 {40, 90},
	 "a load that takes its data from a store waits for the store's line too"},
	{"wrong", {15, 10}, {25, 20}, CARRY "; a wrong branch shares a cycle with what follows"},
	{"calls",
	 {16, 42},
	 {10, 30},
	 "out of order a taken branch and its target share what is left of a cycle"},
	{"pages", {12, 3}, {1, 8}, "in order a hit in the main TLB and a miss of L1 overlap"},
	{"code", {1, 1}, {1, 18}, NONE},
	{"all", {10, 10}, {20, 70}, "all of these"},
};
const unsigned bounds_n = sizeof bounds / sizeof bounds[0];

#define UNREAD "stores that pass L1: the line that L2 reads for them takes no time of the bus"

#define GAPS "32 misses in a window of 384: the gaps on the bus that are filled from their end are long"

#define LATE "stores of data that come late, to lines that the prefetcher brings, hold up one another"

const struct deviation deviations[] = {
	{"gather", "cortex-a8", 0, 35, 1, UNREAD},     {"l2-stores", "cortex-a8", 0, 95, 1, UNREAD},
	{"far-stores", "cortex-a8", 0, 98, 1, UNREAD}, {"store-hits", "cortex-a8", 0, 95, 1, UNREAD},
	{"all", "cortex-a8", 0, 95, 10, UNREAD},       {"gather", "cortex-x4", 1, 15, 80, GAPS},
	{"gather", "neoverse-v3", 1, 15, 80, GAPS},
};
const unsigned deviations_n = sizeof deviations / sizeof deviations[0];
