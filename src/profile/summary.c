/* SPDX-License-Identifier: MIT */
#include "profile/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STACKS, SPOTS, FUNCTIONS, NODES };
enum { DEEPEST = 10000 };

/* Rows of `size` bytes and of `events` numbers grow together, doubling; new ones are zero. */
static bool grow_bytes(void **array, size_t n, size_t size)
{
	if (n != 0 && (n & (n - 1)) != 0)
		return true;
	size_t room = n ? 2 * n : 1;
	uint8_t *more = realloc(*array, room * size);
	if (more == NULL)
		return false;
	memset(more + n * size, 0, (room - n) * size);
	*array = more;
	return true;
}

static bool grow_weights(const struct apmu__summary *summary, uint64_t **array, size_t n)
{
	void *bytes = *array;
	bool grown = grow_bytes(&bytes, n, (summary->events ? summary->events : 1) * sizeof **array);

	*array = bytes;
	return grown;
}

#define GROW(array, n, ok)                                             \
	do {                                                           \
		void *bytes = (array);                                 \
		(ok) = (ok) && grow_bytes(&bytes, n, sizeof *(array)); \
		(array) = bytes;                                       \
	} while (0)

static uint64_t pair(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* UINT32_MAX without memory. */
static uint32_t spot_of(struct apmu__summary *summary, const struct apmu__place *place, uint32_t thread)
{
	struct apmu__key key = {{place->object_id, place->address, thread}};
	bool fresh;
	bool ok = true;
	uint32_t at = apmu__index_add(&summary->index[SPOTS], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	GROW(summary->spot, at, ok);
	if (!ok || !grow_weights(summary, &summary->spot_weight, at))
		return UINT32_MAX;
	summary->spot[at] = (struct apmu__spot){place, thread};
	summary->spots = at + 1;
	return at;
}

static uint32_t function_of(struct apmu__summary *summary, const struct apmu__place *place,
			    const struct apmu__frame *frame)
{
	struct apmu__key key = {{place->object_id, (uintptr_t)frame->function, 0}};
	bool fresh;
	bool ok = true;
	uint32_t at = apmu__index_add(&summary->index[FUNCTIONS], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	GROW(summary->function, at, ok);
	if (!ok || !grow_weights(summary, &summary->self, at) || !grow_weights(summary, &summary->total, at))
		return UINT32_MAX;
	summary->function[at] = (struct apmu__function){
		.place = place, .name = frame->function, .file = frame->file, .start = frame->start};
	summary->functions = at + 1;
	return at;
}

static uint32_t node_of(struct apmu__summary *summary, uint32_t parent, uint32_t function)
{
	struct apmu__key key = {{pair(parent, function), 1, 0}};
	bool fresh;
	bool ok = true;
	uint32_t at = apmu__index_add(&summary->index[NODES], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	GROW(summary->node, at, ok);
	if (!ok || !grow_weights(summary, &summary->node_self, at))
		return UINT32_MAX;
	summary->node[at] = (struct apmu__node){parent, function};
	summary->nodes = at + 1;
	return at;
}

static int add_stack(struct apmu__summary *summary, uint32_t at, const struct apmu__sample *sample)
{
	bool ok = true;

	GROW(summary->stack, at, ok);
	if (!ok || !grow_weights(summary, &summary->stack_weight, at) ||
	    !grow_weights(summary, &summary->stack_samples, at))
		return -ENOMEM;
	struct apmu__stack *stack = &summary->stack[at];
	*stack = (struct apmu__stack){
		.place = apmu__place_at(summary->resolver, sample->thread, sample->when, sample->pc),
		.pc = sample->pc,
		.thread = sample->thread,
		.chain = sample->chain,
		.when = sample->when};
	summary->stacks = at + 1;
	stack->spot =
		spot_of(summary, stack->place, summary->by_thread ? sample->thread : APMU__PROFILE_NONE);
	return stack->spot == UINT32_MAX ? -ENOMEM : 0;
}

static int use(void *context, const struct apmu__sample *sample)
{
	struct apmu__summary *summary = context;
	uint32_t map = apmu__profile_map_at(summary->profile, sample->thread, sample->when, sample->pc);
	struct apmu__key key = {{pair(sample->thread, sample->chain), sample->pc, map}};
	bool fresh;
	uint32_t at = apmu__index_add(&summary->index[STACKS], key, &fresh);
	int code = at == UINT32_MAX ? -ENOMEM : 0;

	if (code == 0 && fresh)
		code = add_stack(summary, at, sample);
	if (code != 0)
		return code;
	summary->stack_weight[at * summary->events + sample->event] += sample->weight;
	summary->stack_samples[at * summary->events + sample->event]++;
	summary->spot_weight[summary->stack[at].spot * summary->events + sample->event] += sample->weight;
	summary->weight[sample->event] += sample->weight;
	return 0;
}

size_t apmu__stack_places(const struct apmu__summary *summary, const struct apmu__stack *stack,
			  const struct apmu__place ***out)
{
	const struct apmu__profile *profile = summary->profile;
	size_t n = 1;

	*out = NULL;
	for (uint32_t i = stack->chain; i != 0 && n < DEEPEST; i = profile->frame[i].parent)
		n++;
	const struct apmu__place **place = malloc(n * sizeof *place);
	if (place == NULL)
		return 0;
	place[0] = stack->place;
	uint32_t chain = stack->chain;
	for (size_t i = 1; i < n; i++, chain = profile->frame[chain].parent)
		place[i] = apmu__place_at(summary->resolver, stack->thread, stack->when,
					  profile->frame[chain].pc);
	*out = place;
	return n;
}

static void add(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

/* One function of a stack, from the outermost inwards: its total, once a stack, and its node. */
static uint32_t enter(struct apmu__summary *summary, size_t at, uint32_t node,
		      const struct apmu__place *place, const struct apmu__frame *frame, uint32_t *function)
{
	*function = function_of(summary, place, frame);
	if (*function == UINT32_MAX)
		return UINT32_MAX;
	if (summary->function[*function].seen != at + 1)
		add(&summary->total[*function * summary->events],
		    &summary->stack_weight[at * summary->events], summary->events);
	summary->function[*function].seen = at + 1;
	return node_of(summary, node, *function);
}

static int add_functions(struct apmu__summary *summary, size_t at)
{
	struct apmu__stack *stack = &summary->stack[at];
	const struct apmu__place **place;
	size_t n = apmu__stack_places(summary, stack, &place);
	uint32_t function = UINT32_MAX;
	uint32_t node = 0;

	for (size_t i = n; i-- > 0 && node != UINT32_MAX;)
		for (size_t j = place[i]->frames; j-- > 0 && node != UINT32_MAX;)
			node = enter(summary, at, node, place[i], &place[i]->frame[j], &function);
	free((void *)place);
	if (n == 0 || node == UINT32_MAX)
		return -ENOMEM;
	stack->node = node;
	add(&summary->self[function * summary->events], &summary->stack_weight[at * summary->events],
	    summary->events);
	add(&summary->node_self[node * summary->events], &summary->stack_weight[at * summary->events],
	    summary->events);
	return 0;
}

int apmu__summary_make(struct apmu__summary *summary, const struct apmu__profile *profile,
		       struct apmu__resolver *resolver, bool by_thread)
{
	*summary = (struct apmu__summary){
		.profile = profile, .resolver = resolver, .events = profile->events, .by_thread = by_thread};
	summary->weight = calloc(profile->events + 1, sizeof *summary->weight);
	if (summary->weight == NULL || node_of(summary, 0, UINT32_MAX) != 0)
		return -ENOMEM;
	int code = apmu__profile_each(profile, use, summary);
	for (size_t i = 0; code == 0 && i < summary->stacks; i++)
		code = add_functions(summary, i);
	return code;
}

void apmu__summary_free(struct apmu__summary *summary)
{
	for (size_t i = 0; i < sizeof summary->index / sizeof summary->index[0]; i++)
		apmu__index_free(&summary->index[i]);
	free(summary->stack);
	free(summary->stack_weight);
	free(summary->stack_samples);
	free(summary->spot);
	free(summary->spot_weight);
	free(summary->function);
	free(summary->self);
	free(summary->total);
	free(summary->node);
	free(summary->node_self);
	free(summary->weight);
	*summary = (struct apmu__summary){0};
}
