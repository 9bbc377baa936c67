/* SPDX-License-Identifier: MIT */
/**
 * Branch prediction of the kinds that the timed programs use, slow and obvious: a branch target buffer with
 * two-bit counters or the static rule for the direction, and a return stack. Written from
 * spec/uarch/keys.txt.
 */
#ifndef APMU_TEST_BRANCHES_H
#define APMU_TEST_BRANCHES_H

#include "story.h"

struct branches {
	struct branch_entry {
		uint64_t addr; /* 0: empty */
		unsigned counter;
	} * entry;
	uint64_t stack[64];
	unsigned depth;
};

void branches_open(struct branches *b, const struct apmu_uarch_params *p);
void branches_close(struct branches *b);

/* The branch goes on at `next`: its enum outcome. */
uint8_t branches_see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		     uint64_t next);

#endif
