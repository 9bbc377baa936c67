/* SPDX-License-Identifier: MIT */
/**
 * A summary of a profile: by stack, by instruction, by function, and as a tree of calls. The exports, the
 * page, annotate and diff are made from it.
 *
 * Weights are occurrences of an event; each table has `events` of them per row, weight[row * events + e]. All
 * tables are in order of first arrival in the file, so equal profiles give equal output.
 *
 * threading: one thread at a time.
 */
#ifndef APMU_PROFILE_SUMMARY_H
#define APMU_PROFILE_SUMMARY_H

#include "profile/index.h"
#include "profile/resolve.h"

/* Samples of one thread at one pc with one chain. */
struct profile__stack {
	const struct profile__place *place;
	uint64_t pc;
	uint32_t thread, when; /* `when`: of the first sample */
	uint32_t maps;         /* number of mappings up to then */
	uint32_t chain;        /* node of the profile's frames */
	uint32_t spot, node, call;
};

/* A frame of the profile's chains in a process, with what was mapped then. Call 0 is the root and has no
 * place. */
struct profile__call {
	const struct profile__place *place; /* of the calling instruction */
	uint32_t parent;                    /* has a smaller index */
	uint32_t frame;                     /* index into the profile's frames */
	uint32_t node;                      /* of the innermost function at the place */
};

/* An instruction. */
struct profile__spot {
	const struct profile__place *place;
	uint32_t thread; /* NONE unless by_thread */
};

/* A function of an object, inlined ones included. */
struct profile__function {
	const struct profile__place *place; /* one of its places: object, and if it has a name */
	const char *name;
	const char *file; /* NULL: unknown */
	uint64_t start;   /* of the code in memory that holds the first place */
};

/* A function under one chain of callers. Node 0 is the root and has no function. */
struct profile__node {
	uint32_t parent, function;
	uint32_t depth; /* 0 for the root */
};

struct profile__summary {
	const struct profile__profile *profile;
	struct profile__resolver *resolver;
	size_t events;
	bool by_thread; /* spots are per thread */

	struct profile__stack *stack;
	size_t stacks;
	uint64_t *stack_weight, *stack_samples;

	struct profile__spot *spot;
	size_t spots;
	uint64_t *spot_weight;

	struct profile__function *function;
	size_t functions;
	uint64_t *self, *total; /* of functions; total counts recursion once per stack */

	struct profile__node *node; /* a parent has a smaller index than its children */
	size_t nodes;
	uint64_t *node_self, *node_total; /* total includes all nodes below */

	struct profile__call *call; /* a parent has a smaller index than its children */
	size_t calls;

	uint64_t *weight;               /* sum over all samples, per event */
	struct profile__index index[5]; /* private */
};

/* Makes a summary. 0, -ENOMEM, or the reader's error. Call profile__summary_free() in any case. */
int profile__summary_make(struct profile__summary *summary, const struct profile__profile *profile,
			  struct profile__resolver *resolver, bool by_thread);
void profile__summary_free(struct profile__summary *summary);

/* Returns the stack in which a sample of the profile was counted; NULL if none, which cannot happen for
 * samples of profile__each(). */
const struct profile__stack *profile__summary_stack(const struct profile__summary *summary,
						    const struct profile__sample *sample);

/* Longer paths are cut at their outer end where each path is written out. */
#define PROFILE__SUMMARY_DEEPEST 10000

#endif
