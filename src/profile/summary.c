/* SPDX-License-Identifier: MIT */
#include "profile/summary_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool profile__rows_grow(void **array, size_t n, size_t size)
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

bool profile__weights_grow(const struct profile__summary *summary, uint64_t **array, size_t n)
{
	void *bytes = *array;
	bool grown = profile__rows_grow(&bytes, n, (summary->events ? summary->events : 1) * sizeof **array);

	*array = bytes;
	return grown;
}

void profile__weights_add(uint64_t *to, const uint64_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] += from[i];
}

/* Returns the spot of a place and thread; UINT32_MAX without memory. */
static uint32_t spot_of(struct profile__summary *summary, const struct profile__place *place, uint32_t thread)
{
	struct profile__key key = {{place->object_id, place->address, thread}};
	bool fresh;
	bool ok = true;
	uint32_t at = profile__index_add(&summary->index[PROFILE__SPOTS], key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	PROFILE__ROWS_GROW(summary->spot, at, ok);
	if (!ok || !profile__weights_grow(summary, &summary->spot_weight, at))
		return UINT32_MAX;
	summary->spot[at] = (struct profile__spot){place, thread};
	summary->spots = at + 1;
	return at;
}

/* A pass over the samples in order, with the number of mappings that came before. */
struct reading {
	struct profile__summary *summary;
	uint32_t maps;
};

static int add_stack(const struct reading *reading, uint32_t at, const struct profile__sample *sample)
{
	struct profile__summary *summary = reading->summary;
	bool ok = true;

	PROFILE__ROWS_GROW(summary->stack, at, ok);
	if (!ok || !profile__weights_grow(summary, &summary->stack_weight, at) ||
	    !profile__weights_grow(summary, &summary->stack_samples, at))
		return -ENOMEM;
	struct profile__stack *stack = &summary->stack[at];
	*stack = (struct profile__stack){
		.place = profile__place_at(summary->resolver, sample->thread, sample->when, sample->pc),
		.pc = sample->pc,
		.thread = sample->thread,
		.chain = sample->chain,
		.when = sample->when,
		.maps = reading->maps};
	summary->stacks = at + 1;
	stack->spot = spot_of(summary, stack->place, summary->by_thread ? sample->thread : PROFILE__NONE);
	return stack->spot == UINT32_MAX ? -ENOMEM : 0;
}

static struct profile__key stack_key(const struct profile__summary *summary,
				     const struct profile__sample *sample)
{
	uint32_t map = profile__map_at(summary->profile, sample->thread, sample->when, sample->pc);

	return (struct profile__key){{(uint64_t)sample->thread << 32 | sample->chain, sample->pc, map}};
}

const struct profile__stack *profile__summary_stack(const struct profile__summary *summary,
						    const struct profile__sample *sample)
{
	uint32_t at = profile__index_find(&summary->index[PROFILE__STACKS], stack_key(summary, sample));

	return at == UINT32_MAX ? NULL : &summary->stack[at];
}

static int use(void *context, const struct profile__sample *sample)
{
	struct reading *reading = context;
	struct profile__summary *summary = reading->summary;
	const struct profile__profile *profile = summary->profile;
	bool fresh;
	uint32_t at =
		profile__index_add(&summary->index[PROFILE__STACKS], stack_key(summary, sample), &fresh);
	int code = at == UINT32_MAX ? -ENOMEM : 0;

	while (reading->maps < profile->maps && profile->map[reading->maps].when <= sample->when)
		reading->maps++;
	if (code == 0 && fresh)
		code = add_stack(reading, at, sample);
	if (code != 0)
		return code;
	summary->stack_weight[at * summary->events + sample->event] += sample->weight;
	summary->stack_samples[at * summary->events + sample->event]++;
	summary->spot_weight[summary->stack[at].spot * summary->events + sample->event] += sample->weight;
	summary->weight[sample->event] += sample->weight;
	return 0;
}

int profile__summary_make(struct profile__summary *summary, const struct profile__profile *profile,
			  struct profile__resolver *resolver, bool by_thread)
{
	struct reading reading = {.summary = summary};

	*summary = (struct profile__summary){
		.profile = profile, .resolver = resolver, .events = profile->events, .by_thread = by_thread};
	summary->weight = calloc(profile->events + 1, sizeof *summary->weight);
	if (summary->weight == NULL)
		return -ENOMEM;
	int code = profile__each(profile, use, &reading);
	return code ? code : profile__summary_tree(summary);
}

void profile__summary_free(struct profile__summary *summary)
{
	for (size_t i = 0; i < sizeof summary->index / sizeof summary->index[0]; i++)
		profile__index_free(&summary->index[i]);
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
	free(summary->node_total);
	free(summary->call);
	free(summary->weight);
	*summary = (struct profile__summary){0};
}
