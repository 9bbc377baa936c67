/* SPDX-License-Identifier: MIT */
/* Instructions gathered by the function that holds them in memory. */
#define _GNU_SOURCE /* qsort_r */
#include "cli/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b, void *context)
{
	const struct apmu__summary *summary = context;
	uint64_t x = summary->spot[*(const uint32_t *)a].place->address;
	uint64_t y = summary->spot[*(const uint32_t *)b].place->address;

	return x < y ? -1 : x > y;
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct apmu__open_profile *loaded = context;
	const struct apmu__body *x = a;
	const struct apmu__body *y = b;
	uint64_t p = x->weight[loaded->event];
	uint64_t q = y->weight[loaded->event];

	if (p != q)
		return p > q ? -1 : 1;
	int order = strcmp(x->name, y->name);
	return order ? order : x->place->address < y->place->address ? -1 : 1;
}

/* The body that a place belongs to: its symbol's, or that of all nameless code of its file. */
static uint32_t body_of(struct apmu__bodies *bodies, struct apmu__index *index,
			const struct apmu__profile_place *place, size_t events)
{
	struct apmu__key key = {{place->object_id, place->named, place->named ? place->start : 0}};
	bool fresh;
	uint32_t at = apmu__index_add(index, key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	bodies->body = apmu__grow(bodies->body, at, sizeof *bodies->body);
	bodies->body[at] = (struct apmu__body){
		.place = place,
		.named = place->named,
		.name = place->named ? place->frame[place->frames - 1].function : "(code without names)",
		.weight = apmu__zalloc(events + 1, sizeof(uint64_t)),
	};
	bodies->n = at + 1;
	return at;
}

void apmu__bodies_make(struct apmu__bodies *bodies, const struct apmu__open_profile *loaded)
{
	const struct apmu__summary *summary = &loaded->summary;
	struct apmu__index index = {0};

	*bodies = (struct apmu__bodies){0};
	for (uint32_t i = 0; i < summary->spots; i++) {
		uint32_t at = body_of(bodies, &index, summary->spot[i].place, summary->events);
		if (at == UINT32_MAX)
			continue;
		struct apmu__body *body = &bodies->body[at];
		body->spot = apmu__grow(body->spot, body->spots, sizeof *body->spot);
		body->spot[body->spots++] = i;
		for (size_t e = 0; e < summary->events; e++)
			body->weight[e] += summary->spot_weight[i * summary->events + e];
	}
	for (size_t i = 0; i < bodies->n; i++)
		qsort_r(bodies->body[i].spot, bodies->body[i].spots, sizeof(uint32_t), by_address,
			(void *)summary);
	if (bodies->n)
		qsort_r(bodies->body, bodies->n, sizeof *bodies->body, by_weight, (void *)loaded);
	apmu__index_free(&index);
}

void apmu__bodies_free(struct apmu__bodies *bodies)
{
	for (size_t i = 0; i < bodies->n; i++) {
		free(bodies->body[i].weight);
		free(bodies->body[i].spot);
	}
	free(bodies->body);
	*bodies = (struct apmu__bodies){0};
}
