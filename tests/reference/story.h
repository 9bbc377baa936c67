/* SPDX-License-Identifier: MIT */
/**
 * What a program does, apart from time: the instructions in program order, each with the lines that its
 * access touches and the fills that bring them, the cost of its translation, the lines that the prefetcher
 * requests because of it, and the outcome of its branch.
 *
 * Caches and TLBs are simulated in program order, so that the same accesses miss for every clock that replays
 * the story; the clock only decides when a line arrives. Written from include/apmu/uarch.h and
 * docs/accuracy.md; the caches are the second simulators of tests/unit.
 */
#ifndef APMU_TEST_STORY_H
#define APMU_TEST_STORY_H

#include "program.h"

#define NO_FILL SIZE_MAX
#define CODES   6 /* most code lines of a block */

/* A line on its way into L1. */
struct fill {
	uint64_t line;
	uint8_t level;   /* 2: from L2, 3: from L3, 4: from memory */
	bool prefetched; /* asked for by the prefetcher, not by an access */
	unsigned out[5]; /* victims of the fill, in lines: 2: into L2, 3: into L3, 4: written to memory */
	size_t first_ahead, aheads; /* a code line: the fills by which L2 reads ahead when it is requested */
	size_t behind;              /* a code line that L2 has read ahead: the fill that did; NO_FILL: none */
	size_t next;       /* a code line that fetch requests with this one (`code_next`); NO_FILL: none */
	bool asked, begun; /* set by the clock: the line is requested; the transfer has begun */
	bool holds;        /* set by the clock: the fill has an MSHR */
	bool queued;       /* set by the clock: the fill is a prefetch that was queued */
	bool wanted;       /* set by the clock: an access has wanted that prefetch since */
	uint64_t comes;    /* set by the clock: cycle in which the data arrive */
	uint64_t since;    /* set by the clock, `behind`: cycle in which the line was requested */
	uint64_t turn;     /* set by the clock: how many lines L2 read ahead before this one */
	bool here;         /* set by the clock: a code line that prediction requests is in L1I */
};

enum outcome {
	BRANCH_NONE, /* no branch, or one not taken, as predicted */
	BRANCH_FOLDED,
	BRANCH_TAKEN,    /* as the main BTB predicted */
	BRANCH_NANO,     /* as the nano BTB predicted */
	BRANCH_MICRO,    /* as the micro BTB predicted */
	BRANCH_JOINED,   /* predicted together with the taken branch before it */
	BRANCH_STATIC,   /* as the static rule predicted */
	BRANCH_RETURNED, /* as the return stack predicted */
	BRANCH_WRONG
};

struct event {
	const struct apmu_insn *insn;
	bool first; /* the first instruction of its block */
	uint8_t outcome;
	/* access */
	uint64_t address;
	unsigned bytes;
	size_t fill[2];       /* the fills that bring the lines it touches; NO_FILL: none */
	bool outside;         /* a store that does not allocate in L1 or writes through */
	uint64_t line;        /* outside: the line that is written */
	unsigned spills;      /* outside: lines that go to memory because of the store */
	size_t below;         /* outside: fill by which a level below reads the line; NO_FILL: none */
	unsigned translation; /* cycles beyond a first-level hit */
	size_t first_prefetch, prefetches; /* the fills that the prefetcher requests at this access */
	/* fetch */
	size_t code[CODES]; /* fills of instruction lines: of its block's, requested when the block is
			       entered; where prediction runs ahead, of its own */
	unsigned codes;
	size_t piece; /* what its block has in one aligned piece of 32 bytes: the pieces' numbers, as they run
		       */
	bool decoded; /* decoded anew: a miss in the cache of decoded instructions */
};

struct story {
	struct event *event;
	size_t events;
	struct fill *fill;
	size_t fills, room;
	uint64_t misses, from[5]; /* lines of accesses that missed L1; all fills, by level */
	uint64_t written;         /* lines written to memory */
	uint64_t wrong;           /* branches mispredicted */
	uint64_t refills, walks;
	bool every_cycle; /* the clock steps through all cycles, also those in which nothing moves */
};

/* True if branch prediction runs ahead of fetch (`run_ahead`). */
static inline bool story_runs_ahead(const struct apmu_uarch_params *p)
{
	return p->rob && p->l1i.size && p->run_ahead.queue;
}

void story_tell(struct story *s, const struct apmu_uarch_params *p, const struct program *program);
void story_close(struct story *s);

#endif
