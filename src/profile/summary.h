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
struct profile__stack {
	const struct profile__place *place;
	uint64_t pc;
	uint32_t thread, when; /* `when`: of the first of them */
	uint32_t maps;         /* mappings up to then */
	uint32_t chain;        /* of the profile */
	uint32_t spot, node, call;
};

/* A frame of the profile's chains as a process saw it, with what was mapped then. Call 0 is the root, without
 * place. */
struct profile__call {
	const struct profile__place *place; /* of the calling instruction */
	uint32_t parent;                    /* stands before it */
	uint32_t frame;                     /* of the profile */
	uint32_t node;                      /* of the innermost function at the place */
};

/* An instruction. */
struct profile__spot {
	const struct profile__place *place;
	uint32_t thread; /* NONE unless told apart by thread */
};

/* A function of an object, inlined ones too. */
struct profile__function {
	const struct profile__place *place; /* one of its places: object, whether it has a name */
	const char *name;
	const char *file; /* NULL: unknown */
	uint64_t start;   /* of the code in memory that the first place lies in */
};

/* A function as called by its callers. Node 0 is the root, without function. */
struct profile__node {
	uint32_t parent, function;
	uint32_t depth; /* of the root: 0 */
};

struct profile__summary {
	const struct profile__profile *profile;
	struct profile__resolver *resolver;
	size_t events;
	bool by_thread; /* spots are told apart by thread */

	struct profile__stack *stack;
	size_t stacks;
	uint64_t *stack_weight, *stack_samples;

	struct profile__spot *spot;
	size_t spots;
	uint64_t *spot_weight;

	struct profile__function *function;
	size_t functions;
	uint64_t *self, *total; /* of functions; total counts a recursive function once per stack */

	struct profile__node *node; /* a parent stands before its children */
	size_t nodes;
	uint64_t *node_self, *node_total; /* total: with all nodes below */

	struct profile__call *call; /* a parent stands before its children */
	size_t calls;

	uint64_t *weight;               /* events: of all samples */
	struct profile__index index[5]; /* private */
};

/* 0, -ENOMEM, or what the reader answers. Free in any case. */
int profile__summary_make(struct profile__summary *summary, const struct profile__profile *profile,
			  struct profile__resolver *resolver, bool by_thread);
void profile__summary_free(struct profile__summary *summary);

/* The stack that a sample of the profile was counted in; NULL: none, which no sample of profile__each()
 * has. */
const struct profile__stack *profile__summary_stack(const struct profile__summary *summary,
						    const struct profile__sample *sample);

/* Paths longer than this are cut at their outer end where each is written out. */
#define PROFILE__SUMMARY_DEEPEST 10000

#endif
