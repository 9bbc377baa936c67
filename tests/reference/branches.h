/* SPDX-License-Identifier: MIT */
/**
 * Branch prediction of the kinds that the timed programs use, slow and obvious: a branch target buffer with
 * two-bit counters or the static rule for the direction, the levels before that buffer as one list, and a
 * return stack. Written from spec/uarch/keys.txt and docs/accuracy.md.
 */
#ifndef APMU_TEST_BRANCHES_H
#define APMU_TEST_BRANCHES_H

#include "story.h"

struct branches {
	struct branch_entry {
		uint64_t addr; /* 0: empty */
		unsigned counter;
	} * entry;
	uint64_t *list; /* branches that were put into the nano BTB, the last one last; some more than once */
	size_t listed, room;
	bool behind; /* the last branch went as predicted, and did not come with another */
	uint64_t stack[64];
	unsigned depth;
};

void branches_open(struct branches *b, const struct apmu_uarch_params *p);
void branches_close(struct branches *b);

/* The branch goes on at `next`: its enum outcome. */
uint8_t branches_see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		     uint64_t next);

#endif
