/* SPDX-License-Identifier: MIT */
/* pprof's profile.proto, with the field numbers of its comments. Not compressed, which its readers allow. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "profile/export.h"

#include "base/text.h"
#include "profile/proto.h"
#include "symbol/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Fields of Profile. */
enum {
	SAMPLE_TYPE = 1,
	SAMPLE = 2,
	MAPPING = 3,
	LOCATION = 4,
	FUNCTION = 5,
	STRING_TABLE = 6,
	PERIOD_TYPE = 11,
	PERIOD = 12,
	COMMENT = 13,
	DEFAULT_SAMPLE_TYPE = 14
};

struct pprof {
	const struct profile__export *export;
	struct profile__blob out, message, part;
	struct symbol__pool pool;
	struct profile__index strings, locations, functions;
	uint64_t *of_call; /* location of each call of the summary; 0: not looked up yet */
	bool failed;
};

/* Returns a text's number in the string table; a new text is written. 0 is "". */
static uint64_t text(struct pprof *pprof, const char *what)
{
	const char *kept = symbol__pool_add(&pprof->pool, what ? what : "");
	struct profile__key key = {{(uintptr_t)kept, 0, 0}};
	bool fresh;
	uint32_t at = kept ? profile__index_add(&pprof->strings, key, &fresh) : UINT32_MAX;

	if (at == UINT32_MAX) {
		pprof->failed = true;
		return 0;
	}
	char *shown = fresh ? strdup(kept) : NULL;
	pprof->failed |= fresh && !shown;
	if (shown)
		profile__proto_text(&pprof->out, STRING_TABLE, apmu_base__text_plain(shown, '\0'));
	free(shown);
	return at;
}

static void value_type(struct pprof *pprof, unsigned field, const char *type, const char *unit)
{
	uint64_t type_at = text(pprof, type);
	uint64_t unit_at = text(pprof, unit);

	profile__proto_number(&pprof->part, 1, type_at);
	profile__proto_number(&pprof->part, 2, unit_at);
	profile__proto_message(&pprof->out, field, &pprof->part);
}

static void put_head(struct pprof *pprof)
{
	const struct profile__profile *profile = pprof->export->summary->profile;

	text(pprof, "");
	value_type(pprof, SAMPLE_TYPE, "samples", "count");
	for (size_t e = 0; e < profile->events; e++)
		value_type(pprof, SAMPLE_TYPE, profile->event[e].label, "count");
	if (profile->events == 0)
		return;
	value_type(pprof, PERIOD_TYPE, profile->event[0].label, "count");
	profile__proto_number(&pprof->out, PERIOD, profile->event[0].period);
	uint64_t first = text(pprof, profile->event[0].label);
	profile__proto_number(&pprof->out, DEFAULT_SAMPLE_TYPE, first);
	uint64_t core = text(pprof, profile->core);
	profile__proto_number(&pprof->out, COMMENT, core);
}

static void put_mappings(struct pprof *pprof)
{
	const struct profile__profile *profile = pprof->export->summary->profile;
	char id[2 * sizeof profile->map->build_id + 1];

	for (size_t i = 0; i < profile->maps; i++) {
		const struct profile__map *map = &profile->map[i];
		if (map->function || map->unmapped)
			continue;
		symbol__build_id_text(map->build_id, map->build_id_size, id);
		uint64_t path = text(pprof, map->path);
		uint64_t build = text(pprof, id);
		profile__proto_number(&pprof->message, 1, i + 1);
		profile__proto_number(&pprof->message, 2, map->start);
		profile__proto_number(&pprof->message, 3, map->end);
		profile__proto_number(&pprof->message, 4, map->offset);
		profile__proto_number(&pprof->message, 5, path);
		profile__proto_number(&pprof->message, 6, build);
		for (unsigned has = 7; has <= 10; has++) /* functions, files, lines, inlined frames */
			profile__proto_number(&pprof->message, has, 1);
		profile__proto_message(&pprof->out, MAPPING, &pprof->message);
	}
}

/* Returns a function's number, from 1. */
static uint64_t function(struct pprof *pprof, const struct profile__place *place,
			 const struct symbol__frame *frame)
{
	struct profile__key key = {{place->object_id, (uintptr_t)frame->function, (uintptr_t)frame->file}};
	bool fresh;
	uint32_t at = profile__index_add(&pprof->functions, key, &fresh);

	pprof->failed = pprof->failed || at == UINT32_MAX;
	if (!fresh)
		return at + 1ull;
	uint64_t name = text(pprof, frame->function);
	uint64_t file = text(pprof, frame->file);
	profile__proto_number(&pprof->part, 1, at + 1ull);
	profile__proto_number(&pprof->part, 2, name);
	profile__proto_number(&pprof->part, 3, name);
	profile__proto_number(&pprof->part, 4, file);
	profile__proto_message(&pprof->out, FUNCTION, &pprof->part);
	return at + 1ull;
}

static void put_location(struct pprof *pprof, const struct profile__place *place, uint64_t id, uint32_t map,
			 uint64_t pc)
{
	uint64_t of[SYMBOL__FRAMES];

	for (size_t i = 0; i < place->frames; i++)
		of[i] = function(pprof, place, &place->frame[i]);
	profile__proto_number(&pprof->message, 1, id);
	profile__proto_number(&pprof->message, 2, map == PROFILE__NONE ? 0 : map + 1ull);
	profile__proto_number(&pprof->message, 3, pc);
	for (size_t i = 0; i < place->frames; i++) {
		profile__proto_number(&pprof->part, 1, of[i]);
		profile__proto_number(&pprof->part, 2, place->frame[i].line);
		profile__proto_message(&pprof->message, 4, &pprof->part);
	}
	profile__proto_message(&pprof->out, LOCATION, &pprof->message);
}

static uint64_t location(struct pprof *pprof, const struct profile__stack *stack,
			 const struct profile__place *place, uint64_t pc)
{
	const struct profile__profile *profile = pprof->export->summary->profile;
	uint32_t map = profile__map_at(profile, stack->thread, stack->when, pc);
	if (map != PROFILE__NONE && profile->map[map].function)
		map = PROFILE__NONE;
	struct profile__key key = {{pc, map, (uintptr_t)place}};
	bool fresh;
	uint32_t at = profile__index_add(&pprof->locations, key, &fresh);

	pprof->failed = pprof->failed || at == UINT32_MAX;
	if (fresh)
		put_location(pprof, place, at + 1ull, map, pc);
	return at + 1ull;
}

static void put_label(struct pprof *pprof, const char *name, uint64_t value)
{
	uint64_t key = text(pprof, name);

	profile__proto_number(&pprof->part, 1, key);
	profile__proto_number(&pprof->part, 3, value);
	profile__proto_message(&pprof->message, 3, &pprof->part);
}

static uint64_t location_of_call(struct pprof *pprof, const struct profile__stack *stack, uint32_t call)
{
	const struct profile__summary *summary = pprof->export->summary;
	const struct profile__call *it = &summary->call[call];

	if (pprof->of_call[call] == 0)
		pprof->of_call[call] =
			location(pprof, stack, it->place, summary->profile->frame[it->frame].pc);
	return pprof->of_call[call];
}

/* Writes the locations of a sample, which must precede it. */
static void put_locations(struct pprof *pprof, const struct profile__stack *stack)
{
	const struct profile__summary *summary = pprof->export->summary;
	uint64_t leaf = location(pprof, stack, stack->place, stack->pc);
	size_t n = 1;

	for (uint32_t call = stack->call; call; call = summary->call[call].parent)
		(void)location_of_call(pprof, stack, call);
	profile__proto_varint(&pprof->part, leaf);
	for (uint32_t call = stack->call; call && n < PROFILE__SUMMARY_DEEPEST;
	     call = summary->call[call].parent, n++)
		profile__proto_varint(&pprof->part, pprof->of_call[call]);
	profile__proto_message(&pprof->message, 1, &pprof->part);
}

static void put_stack(struct pprof *pprof, size_t at)
{
	const struct profile__summary *summary = pprof->export->summary;
	const uint64_t *weight = &summary->stack_weight[at * summary->events];
	const uint64_t *samples = &summary->stack_samples[at * summary->events];
	uint64_t all = 0;

	put_locations(pprof, &summary->stack[at]);
	for (size_t e = 0; e < summary->events; e++)
		all += samples[e];
	profile__proto_varint(&pprof->part, all);
	for (size_t e = 0; e < summary->events; e++)
		profile__proto_varint(&pprof->part, weight[e]);
	profile__proto_message(&pprof->message, 2, &pprof->part);
	/* from 1: pprof drops a label whose number is 0 */
	put_label(pprof, "thread", summary->stack[at].thread + UINT64_C(1));
	profile__proto_message(&pprof->out, SAMPLE, &pprof->message);
}

/* Writes complete messages out of memory. */
static void pass_on(struct pprof *pprof, size_t above)
{
	if (pprof->out.size <= above || pprof->failed || pprof->out.failed)
		return;
	fwrite(pprof->out.at, 1, pprof->out.size, pprof->export->out);
	pprof->out.size = 0;
}

int profile__export_pprof(const struct profile__export *export)
{
	struct pprof pprof = {.export = export,
			      .of_call = calloc(export->summary->calls + 1, sizeof(uint64_t))};

	pprof.failed = pprof.of_call == NULL;
	put_head(&pprof);
	put_mappings(&pprof);
	for (size_t i = 0; i < export->summary->stacks && !pprof.failed; i++) {
		put_stack(&pprof, i);
		pass_on(&pprof, 1 << 20);
	}
	int code = pprof.failed || pprof.out.failed ? -ENOMEM : 0;
	pass_on(&pprof, 0);
	profile__blob_free(&pprof.out);
	profile__blob_free(&pprof.message);
	profile__blob_free(&pprof.part);
	symbol__pool_free(&pprof.pool);
	profile__index_free(&pprof.strings);
	profile__index_free(&pprof.locations);
	profile__index_free(&pprof.functions);
	free(pprof.of_call);
	return code;
}
