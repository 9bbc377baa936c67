/* SPDX-License-Identifier: MIT */
#include "bounds.h"

#include <stddef.h>

#define PAIR   "in order no two instructions pair over a block's end"
#define SLACK  "in order a short wait over a block's end is not made up for by a wait behind it"
#define HELD   "in order a wait over a block's end counts too long or too short"
#define QUEUES "out of order queues are looked at a few instructions at a time"
#define SHARES \
	"out of order one that holds a pipe for some cycles may share it, and what goes far ahead is counted in bulk"
#define WITHIN  "out of order dispatch goes on within a cycle after a wrong branch"
#define STEPS   "out of order a limit per cycle counts by the block"
#define REFUSED "out of order other lines find no place for a prefetch"
#define FAR     "in order a prefetcher that asks 32 lines ahead"
#define PLACED \
	"out of order a block waits for all its lines before it begins; what stalls it is taken to stall its last piece"
#define NONE ""
#define ANY  1e30

/* In the order of kinds.c. */
const struct bound bounds[] = {
	{"free", {1, 1}, {1, 1}, NONE},
	{"chain", {1, 1}, {1, 1}, NONE},
	{"mix", {12, 28}, {18, 18}, HELD "; " SHARES},
	{"blocks", {18, 12}, {52, 14}, SLACK "; " PAIR},
	{"hits", {1, 26}, {12, 20}, SLACK "; " SHARES},
	{"hit-list", {10, 1}, {14, 1}, SLACK},
	{"multiple",
	 {3, 12},
	 {9, 28},
	 SLACK "; loads of several registers take their data from stores one by one"},
	{"l2-list", {4, 1}, {1, 1}, SLACK},
	{"l3-list", {2, 1}, {1, 1}, SLACK},
	{"far-list", {2, 1}, {1, 1}, SLACK},
	{"l2-loads", {4, 10}, {4, 10}, QUEUES},
	{"l3-loads", {4, 6}, {2, 12}, QUEUES},
	{"far-loads", {4, 2}, {2, 8}, QUEUES},
	{"gather", {6, 15}, {8, 30}, "out of order a place is taken ahead"},
	{"walk", {10, 7}, {8, 25}, QUEUES},
	{"walk-ahead", {8, 20}, {12, 25}, QUEUES "; " FAR "; where no prefetcher is, as walk; " REFUSED},
	{"list-ahead", {6, 2}, {15, 1}, SLACK},
	{"store-hits", {5, 20}, {20, 25}, PAIR "; " QUEUES},
	{"l2-stores", {10, 10}, {3, 20}, QUEUES},
	{"far-stores", {10, 8}, {1, 10}, QUEUES},
	{"forward", {20, 8}, {40, 15}, QUEUES "; " STEPS},
	{"wrong", {15, 6}, {30, 12}, SLACK "; " PAIR "; " WITHIN},
	{"calls",
	 {16, 42},
	 {20, 20},
	 PAIR "; out of order a taken branch and its target share what is left of a cycle"},
	{"pages", {12, 7}, {2, 8}, "in order a hit in the main TLB and a miss of L1 overlap; " QUEUES},
	{"code", {1, 1}, {2, 18}, NONE},
	{"straight", {3, 5}, {4, 4}, PLACED},
	{"hops", {2, 3}, {2, 4}, PLACED},
	{"turns", {2, 8}, {2, 5}, PLACED "; too fast not traced"},
	{"far-code", {2, 2}, {2, 4}, PLACED},
	{"code-in-l2", {2, 4}, {2, 4}, PLACED},
	{"code-both", {2, 4}, {2, 6}, PLACED},
	{"code-next", {2, 2}, {4, 4}, PLACED},
	{"next-both", {2, 4}, {3, 5}, PLACED},
	{"decoded", {6, 8}, {6, 14}, SLACK "; " SHARES},
	{"all", {10, 18}, {20, 27}, "all of these"},
};
const unsigned bounds_n = sizeof bounds / sizeof bounds[0];

#define FILLED "schedulers of 8 entries fill up with those that wait for a chain, or do not: either lasts"

const struct deviation deviations[] = {
	{"store-hits", "cortex-a15", 1, 20, 45, FILLED},
};
const unsigned deviations_n = sizeof deviations / sizeof deviations[0];
