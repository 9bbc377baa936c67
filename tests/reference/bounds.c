/* SPDX-License-Identifier: MIT */
#include "bounds.h"

#include <stddef.h>

#define CARRY \
	"operands carry at most 4 cycles over a block's end, and an early operand is not asked for there"
#define NONE ""
#define ANY  1e30

/* In the order of kinds.c. */
const struct bound bounds[] = {
	{"free", {1, 1}, {1, 1}, NONE},
	{"chain", {20, 40}, {1, 1}, CARRY},
	{"mix", {75, 12}, {12, 1}, CARRY},
	{"blocks", {30, 15}, {25, 1}, CARRY "; no two instructions pair over a block's end"},
	{"hits", {16, 6}, {2, 10}, CARRY},
	{"hit-list", {20, 1}, {1, 1}, CARRY},
	{"multiple", {30, 1}, {10, 55}, CARRY},
	{"l2-list", {6, 1}, {1, 1}, CARRY},
	{"l3-list", {3, 1}, {1, 1}, CARRY},
	{"far-list", {3, 1}, {1, 1}, CARRY},
	{"l2-loads", {6, 6}, {18, 10}, NONE},
	{"l3-loads", {5, 3}, {20, 12}, NONE},
	{"far-loads", {3, 2}, {20, 8}, NONE},
	{"gather", {5, 15}, {8, 30}, NONE},
	{"walk", {8, 3}, {20, 35}, NONE},
	{"walk-ahead", {8, 8}, {8, 15}, NONE},
	{"list-ahead", {6, 4}, {15, 1}, CARRY},
	{"store-hits", {30, 28}, {15, 40}, CARRY},
	{"l2-stores", {10, 10}, {2, 40}, NONE},
	{"far-stores", {10, 8}, {1, 10}, NONE},
	{"forward", {20, 1}, {20, 90}, CARRY},
	{"wrong", {15, 10}, {10, 20}, CARRY},
	{"calls",
	 {15, 30},
	 {10, 1},
	 "out of order a taken branch and its target share what is left of a cycle"},
	{"pages", {10, 3}, {1, 8}, NONE},
	{"code", {1, 1}, {1, 16}, NONE},
	{"all", {10, 8}, {20, 50}, NONE},
};
const unsigned bounds_n = sizeof bounds / sizeof bounds[0];

#define UNREAD "stores that pass L1: the line that L2 reads for them takes no time of the bus"

#define LATE "stores of data that come late, to lines that the prefetcher brings, hold up one another"

const struct deviation deviations[] = {
	{"gather", "cortex-a8", 0, 35, 1, UNREAD},     {"l2-stores", "cortex-a8", 0, 95, 1, UNREAD},
	{"far-stores", "cortex-a8", 0, 98, 1, UNREAD}, {"store-hits", "cortex-a8", 0, 95, 1, UNREAD},
	{"all", "cortex-a8", 0, 95, 10, UNREAD},
};
const unsigned deviations_n = sizeof deviations / sizeof deviations[0];
