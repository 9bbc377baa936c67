/* SPDX-License-Identifier: MIT */
/**
 * What a program does, whatever time it takes: each instruction in order, with the lines that its access
 * touches, who brings them from where, what its translation costs, which lines the prefetcher asks for
 * because of it, and what its branch is found to be.
 *
 * Caches and TLBs are followed in program order here, so which access misses is the same for every clock that
 * is given the story; when a line comes is the clock's affair. Written from include/apmu/uarch.h and
 * docs/accuracy.md; the caches are the second simulators of tests/unit.
 */
#ifndef APMU_TEST_STORY_H
#define APMU_TEST_STORY_H

#include "program.h"

#define NO_FILL SIZE_MAX

/* A line on its way into L1. */
struct fill {
	uint64_t line;
	uint8_t level;     /* 2: from L2, 3: from L3, 4: from memory */
	bool ahead;        /* asked for by the prefetcher, not by an access */
	unsigned out[5];   /* lines that make room for it: 2: into L2, 3: into L3, 4: written to memory */
	bool asked, begun; /* the clock's: it waits for its way; it is on it */
	bool holds;        /* the clock's: it has a place among the misses */
	bool queued;       /* the clock's: ... among the prefetcher's lines */
	bool wanted;       /* the clock's: ... and an access has wanted it since */
	uint64_t comes;    /* the clock's: cycle in which its data are there */
};

enum outcome {
	BRANCH_NONE, /* no branch, or one that does not go, as predicted */
	BRANCH_FOLDED,
	BRANCH_TAKEN,    /* as the branch target buffer said */
	BRANCH_NANO,     /* ... of which the level before all others said it */
	BRANCH_MICRO,    /* ... the level between */
	BRANCH_JOINED,   /* likewise, and it comes with the branch before it */
	BRANCH_STATIC,   /* as the static rule said */
	BRANCH_RETURNED, /* as the return stack said */
	BRANCH_WRONG
};

struct event {
	const struct apmu_insn *insn;
	bool first; /* of its block */
	uint8_t outcome;
	/* access */
	uint64_t address;
	unsigned bytes;
	size_t fill[2];       /* who brings the lines that it touches; NO_FILL: an old one, or none */
	bool outside;         /* a store that L1 does not take */
	uint64_t line;        /* ... to this line */
	unsigned spills;      /* ... so many lines it writes to memory */
	size_t below;         /* ... and this one a level below reads from there; NO_FILL: none */
	unsigned translation; /* cycles beyond a first-level hit */
	size_t ahead, aheads; /* fills that the prefetcher asks for when it sees the access */
	/* fetch */
	size_t code[2]; /* fills of its instruction lines, asked for when the block is entered */
	unsigned codes;
	bool decoded; /* the cache of decoded instructions had it not */
};

struct story {
	struct event *event;
	size_t events;
	struct fill *fill;
	size_t fills, room;
	uint64_t misses, from[5]; /* accesses' lines that missed L1; all fills by level */
	uint64_t written;         /* lines written to memory */
	uint64_t wrong;           /* branches mispredicted */
	uint64_t refills, walks;
	bool every_cycle; /* the clock leaves none out, not even where nothing moves */
};

void story_tell(struct story *s, const struct apmu_uarch_params *p, const struct program *program);
void story_close(struct story *s);

#endif
