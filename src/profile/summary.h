/* SPDX-License-Identifier: MIT */
/**
 * A profile summed up: by stack, by instruction, by function, and as a tree of calls. What the exports, the
 * page, annotate and diff are made of.
 *
 * Weights are occurrences of an event; each of the tables has `events` of them a row, weight[row * events +
 * e]. Order everywhere is that of first arrival in the file, so equal profiles give equal output.
 *
 * threading: one thread at a time.
 */
#ifndef APMU_PROFILE_SUMMARY_H
#define APMU_PROFILE_SUMMARY_H

#include "profile/index.h"
#include "profile/resolve.h"

/* Samples of one thread at one pc with one chain. */
struct apmu__stack {
	const struct apmu__place *place;
	uint64_t pc;
	uint32_t thread, chain, when; /* `when`: of the first of them */
	uint32_t spot, node;
};

/* An instruction. */
struct apmu__spot {
	const struct apmu__place *place;
	uint32_t thread; /* NONE unless told apart by thread */
};

/* A function of an object, inlined ones too. */
struct apmu__function {
	const struct apmu__place *place; /* one of its places: object, whether it has a name */
	const char *name;
	const char *file; /* NULL: unknown */
	uint64_t start;   /* of the code in memory that the first place lies in */
	uint64_t seen;    /* private: the last stack that counted it */
};

/* A function as called by its callers. Node 0 is the root, without function. */
struct apmu__node {
	uint32_t parent, function;
};

struct apmu__summary {
	const struct apmu__profile *profile;
	struct apmu__resolver *resolver;
	size_t events;
	bool by_thread; /* spots are told apart by thread */

	struct apmu__stack *stack;
	size_t stacks;
	uint64_t *stack_weight, *stack_samples;

	struct apmu__spot *spot;
	size_t spots;
	uint64_t *spot_weight;

	struct apmu__function *function;
	size_t functions;
	uint64_t *self, *total; /* of functions; total counts a recursive function once a stack */

	struct apmu__node *node; /* a parent stands before its children */
	size_t nodes;
	uint64_t *node_self;

	uint64_t *weight;            /* events: of all samples */
	struct apmu__index index[4]; /* private */
};

/* 0, -ENOMEM, or what the reader answers. Free in any case. */
int apmu__summary_make(struct apmu__summary *summary, const struct apmu__profile *profile,
		       struct apmu__resolver *resolver, bool by_thread);
void apmu__summary_free(struct apmu__summary *summary);

/* The places of a stack from the sampled instruction outwards: place 0, then the calls. Answers how many;
 * *out is the caller's to free. A chain deeper than 10000 is cut there. */
size_t apmu__stack_places(const struct apmu__summary *summary, const struct apmu__stack *stack,
			  const struct apmu__place ***out);

#endif
