/* SPDX-License-Identifier: MIT */
/**
 * Branch prediction of the kinds that the timed programs use, slow and obvious: a branch target buffer (BTB)
 * with two-bit counters or the static rule for the direction, the nano and micro BTB as one list in order of
 * insertion, and a return stack. Written from spec/uarch/keys.txt and docs/accuracy.md.
 */
#ifndef APMU_TEST_BRANCHES_H
#define APMU_TEST_BRANCHES_H

#include "story.h"

struct branches {
	struct branch_entry {
		uint64_t addr; /* 0: empty */
		unsigned counter;
	} * entry;
	uint64_t *list; /* branches inserted into the nano BTB, the youngest last; some more than once */
	size_t listed, room;
	bool behind; /* the last branch was taken as predicted and not joined to one before it */
	uint64_t stack[64];
	unsigned depth;
};

void branches_open(struct branches *b, const struct apmu_uarch_params *p);
void branches_close(struct branches *b);

/* Predicts and trains a branch after which the program goes on at `next`; returns its enum outcome. */
uint8_t branches_see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		     uint64_t next);

#endif
