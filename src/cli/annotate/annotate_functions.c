/* SPDX-License-Identifier: MIT */
/* Gathers instructions by the function that holds them in memory. */
#define _GNU_SOURCE /* qsort_r */
#include "cli/annotate/annotate.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b, void *context)
{
	const struct profile__summary *summary = context;
	uint64_t x = summary->spot[*(const uint32_t *)a].place->address;
	uint64_t y = summary->spot[*(const uint32_t *)b].place->address;

	return x < y ? -1 : x > y;
}

static int by_weight(const void *a, const void *b, void *context)
{
	const struct cli__open_profile *loaded = context;
	const struct cli__body *x = a;
	const struct cli__body *y = b;
	uint64_t p = x->weight[loaded->event];
	uint64_t q = y->weight[loaded->event];

	if (p != q)
		return p > q ? -1 : 1;
	int order = strcmp(x->name, y->name);
	return order ? order : x->place->address < y->place->address ? -1 : 1;
}

/* The body that a place belongs to: its symbol's, or that of all nameless code of its file. Symbols of
 * different sizes may begin together. */
static uint32_t body_of(struct cli__bodies *bodies, struct profile__index *index,
			const struct profile__place *place, size_t events)
{
	struct profile__key key = {
		{place->object_id, place->named ? place->start : 0, place->named ? place->size + 1 : 0}};
	bool fresh;
	uint32_t at = profile__index_add(index, key, &fresh);

	if (at == UINT32_MAX || !fresh)
		return at;
	bodies->body = cli__grow(bodies->body, at, sizeof *bodies->body);
	bodies->body[at] = (struct cli__body){
		.place = place,
		.named = place->named,
		.name = place->named ? place->frame[place->frames - 1].function : "(code without names)",
		.weight = cli__zalloc(events + 1, sizeof(uint64_t)),
	};
	bodies->n = at + 1;
	return at;
}

void cli__bodies_make(struct cli__bodies *bodies, const struct cli__open_profile *loaded)
{
	const struct profile__summary *summary = &loaded->summary;
	struct profile__index index = {0};

	*bodies = (struct cli__bodies){0};
	for (uint32_t i = 0; i < summary->spots; i++) {
		uint32_t at = body_of(bodies, &index, summary->spot[i].place, summary->events);
		if (at == UINT32_MAX)
			continue;
		struct cli__body *body = &bodies->body[at];
		body->spot = cli__grow(body->spot, body->spots, sizeof *body->spot);
		body->spot[body->spots++] = i;
		for (size_t e = 0; e < summary->events; e++)
			body->weight[e] += summary->spot_weight[i * summary->events + e];
	}
	for (size_t i = 0; i < bodies->n; i++)
		qsort_r(bodies->body[i].spot, bodies->body[i].spots, sizeof(uint32_t), by_address,
			(void *)summary);
	if (bodies->n)
		qsort_r(bodies->body, bodies->n, sizeof *bodies->body, by_weight, (void *)loaded);
	profile__index_free(&index);
}

void cli__bodies_free(struct cli__bodies *bodies)
{
	for (size_t i = 0; i < bodies->n; i++) {
		free(bodies->body[i].weight);
		free(bodies->body[i].spot);
	}
	free(bodies->body);
	*bodies = (struct cli__bodies){0};
}
