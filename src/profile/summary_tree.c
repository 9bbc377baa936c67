/* SPDX-License-Identifier: MIT */
#include "profile/summary_tree.h"

#include <errno.h>
#include <stdlib.h>

/* The call of a frame, which stays valid while the mappings are unchanged. Indexed by frame. */
struct known {
	uint32_t since; /* `state` in which it was found; 0: not known */
	uint32_t call;
};

struct growing {
	struct profile__summary *summary;
	struct known *known;
	uint32_t *path; /* frames to look up, innermost first */
	size_t room;
	uint32_t state; /* incremented when the process or mappings differ from those of the previous stack */
	int32_t pid;
	uint32_t maps;
};

static uint64_t pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

static uint32_t function_of(struct profile__summary *summary, const struct profile__place *place,
			    const struct symbol__frame *frame)
{
	struct profile__key key = {{place->object_id, (uintptr_t)frame->function, 0}};
	bool fresh;
	bool ok = true;
	uint32_t at = profile__index_add(&summary->index[PROFILE__FUNCTIONS], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	PROFILE__ROWS_GROW(summary->function, at, ok);
	if (!ok || !profile__weights_grow(summary, &summary->self, at) ||
	    !profile__weights_grow(summary, &summary->total, at))
		return UINT32_MAX;
	summary->function[at] = (struct profile__function){
		.place = place, .name = frame->function, .file = frame->file, .start = frame->start};
	summary->functions = at + 1;
	return at;
}

static uint32_t node_of(struct profile__summary *summary, uint32_t parent, uint32_t function)
{
	struct profile__key key = {{pair(parent, function), 1, 0}};
	bool fresh;
	bool ok = true;
	uint32_t at = profile__index_add(&summary->index[PROFILE__NODES], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	PROFILE__ROWS_GROW(summary->node, at, ok);
	if (!ok || !profile__weights_grow(summary, &summary->node_self, at))
		return UINT32_MAX;
	summary->node[at] =
		(struct profile__node){parent, function, at ? summary->node[parent].depth + 1 : 0};
	summary->nodes = at + 1;
	return at;
}

/* Returns the node of the innermost function at a place, below `node`; UINT32_MAX without memory. */
static uint32_t enter(struct profile__summary *summary, uint32_t node, const struct profile__place *place)
{
	for (size_t i = place->frames; i-- > 0 && node != UINT32_MAX;) {
		uint32_t function = function_of(summary, place, &place->frame[i]);
		node = function == UINT32_MAX ? function : node_of(summary, node, function);
	}
	return node;
}

static uint32_t call_of(struct growing *growing, const struct profile__stack *stack, uint32_t parent,
			uint32_t frame)
{
	struct profile__summary *summary = growing->summary;
	const struct profile__place *place = profile__place_at(summary->resolver, stack->thread, stack->when,
							       summary->profile->frame[frame].pc);
	struct profile__key key = {{pair(parent, frame), (uintptr_t)place, 2}};
	bool fresh;
	bool ok = true;
	uint32_t at = profile__index_add(&summary->index[PROFILE__CALLS], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	PROFILE__ROWS_GROW(summary->call, at, ok);
	uint32_t node = ok ? enter(summary, summary->call[parent].node, place) : UINT32_MAX;
	if (node == UINT32_MAX)
		return node;
	summary->call[at] = (struct profile__call){place, parent, frame, node};
	summary->calls = at + 1;
	return at;
}

static bool push(struct growing *growing, size_t n, uint32_t frame)
{
	if (n == growing->room) {
		size_t room = n ? 2 * n : 64;
		uint32_t *more = realloc(growing->path, room * sizeof *more);
		if (more == NULL)
			return false;
		growing->path = more;
		growing->room = room;
	}
	growing->path[n] = frame;
	return true;
}

/* Returns the call of a stack's chain: goes outwards to a known frame, then inwards again. */
static uint32_t chain_of(struct growing *growing, const struct profile__stack *stack)
{
	const struct profile__profile *profile = growing->summary->profile;
	uint32_t frame = stack->chain < profile->frames ? stack->chain : 0;
	size_t n = 0;

	for (; frame != 0 && growing->known[frame].since != growing->state;
	     frame = profile->frame[frame].parent)
		if (!push(growing, n++, frame))
			return UINT32_MAX;
	uint32_t call = frame ? growing->known[frame].call : 0;
	while (n-- > 0 && call != UINT32_MAX) {
		call = call_of(growing, stack, call, growing->path[n]);
		growing->known[growing->path[n]] = (struct known){growing->state, call};
	}
	return call;
}

static void follow_mappings(struct growing *growing, const struct profile__stack *stack)
{
	int32_t pid = growing->summary->profile->thread[stack->thread].pid;

	growing->state += growing->state == 0 || pid != growing->pid || stack->maps != growing->maps;
	growing->pid = pid;
	growing->maps = stack->maps;
}

static int add_stack(struct growing *growing, size_t at)
{
	struct profile__summary *summary = growing->summary;
	struct profile__stack *stack = &summary->stack[at];
	const uint64_t *weight = &summary->stack_weight[at * summary->events];

	follow_mappings(growing, stack);
	stack->call = chain_of(growing, stack);
	if (stack->call == UINT32_MAX)
		return -ENOMEM;
	stack->node = enter(summary, summary->call[stack->call].node, stack->place);
	if (stack->node == UINT32_MAX)
		return -ENOMEM;
	uint32_t function = summary->node[stack->node].function;
	profile__weights_add(&summary->self[function * summary->events], weight, summary->events);
	profile__weights_add(&summary->node_self[stack->node * summary->events], weight, summary->events);
	return 0;
}

/* A walk over the nodes: each node's first child and next sibling, and how often each function is on the
 * path. */
struct walk {
	uint32_t *child, *next;
	uint32_t *on_path; /* indexed by function */
};

static void enter_node(struct profile__summary *summary, struct walk *walk, uint32_t node)
{
	uint32_t function = summary->node[node].function;

	if (walk->on_path[function]++ == 0)
		profile__weights_add(&summary->total[function * summary->events],
				     &summary->node_total[node * summary->events], summary->events);
}

/* Adds up each function's total over its nodes; of nested nodes of a function only the outermost counts. */
static void add_totals(struct profile__summary *summary, struct walk *walk)
{
	uint32_t node = 0;

	for (;;) {
		uint32_t child = walk->child[node];
		if (child) {
			walk->child[node] = walk->next[child];
			enter_node(summary, walk, child);
			node = child;
			continue;
		}
		if (node == 0)
			break;
		walk->on_path[summary->node[node].function]--;
		node = summary->node[node].parent;
	}
}

static int sum_up(struct profile__summary *summary)
{
	size_t events = summary->events;
	struct walk walk = {.child = calloc(summary->nodes, sizeof *walk.child),
			    .next = calloc(summary->nodes, sizeof *walk.next),
			    .on_path = calloc(summary->functions + 1, sizeof *walk.on_path)};

	summary->node_total = calloc(summary->nodes * events + 1, sizeof *summary->node_total);
	bool ok = walk.child && walk.next && walk.on_path && summary->node_total;
	for (size_t i = summary->nodes; ok && i-- > 0;) {
		uint32_t parent = summary->node[i].parent;
		profile__weights_add(&summary->node_total[i * events], &summary->node_self[i * events],
				     events);
		if (i == 0)
			break;
		profile__weights_add(&summary->node_total[parent * events], &summary->node_total[i * events],
				     events);
		walk.next[i] = walk.child[parent];
		walk.child[parent] = (uint32_t)i;
	}
	if (ok)
		add_totals(summary, &walk);
	free(walk.child);
	free(walk.next);
	free(walk.on_path);
	return ok ? 0 : -ENOMEM;
}

/* Makes the roots of both trees. */
static bool plant(struct profile__summary *summary)
{
	struct profile__key key = {{pair(UINT32_MAX, 0), 0, 2}};
	bool ok = node_of(summary, 0, UINT32_MAX) == 0;

	ok = ok && profile__index_add(&summary->index[PROFILE__CALLS], key, NULL) == 0;
	PROFILE__ROWS_GROW(summary->call, 0, ok);
	summary->calls = ok;
	return ok;
}

int profile__summary_tree(struct profile__summary *summary)
{
	struct growing growing = {.summary = summary,
				  .known = calloc(summary->profile->frames + 1, sizeof *growing.known)};
	int code = growing.known && plant(summary) ? 0 : -ENOMEM;

	for (size_t i = 0; code == 0 && i < summary->stacks; i++)
		code = add_stack(&growing, i);
	free(growing.known);
	free(growing.path);
	return code ? code : sum_up(summary);
}
