/* SPDX-License-Identifier: MIT */
/* Samples to rows: first those with the same address, chain and thread, then by what rows are told apart by.
 */
#define _GNU_SOURCE /* FNM_CASEFOLD */
#include "cli/report.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const apmu__report_key_name[APMU__KEYS] = {"function", "object", "file", "line",
						       "address",  "thread", "level"};

/* Samples that differ in nothing that any row could show. */
struct heap {
	uint64_t pc, weight, samples;
	uint32_t thread, chain, when;
	uint8_t level, tlb_miss, walk;
	uint64_t latency, loads; /* cycles of so many samples */
};

struct heaps {
	struct heap *heap;
	struct apmu__index index;
	uint32_t event;
};

static int add_sample(void *context, const struct apmu__sample *s)
{
	struct heaps *all = context;
	uint64_t where = (uint64_t)s->level | (uint64_t)s->tlb_miss << 8 | (uint64_t)s->walk << 9;
	const struct apmu__key key = {{s->pc, (uint64_t)s->thread << 32 | s->chain, where}};
	bool fresh;

	if (s->event != all->event)
		return 0;
	uint32_t i = apmu__index_add(&all->index, key, &fresh);
	if (i == UINT32_MAX)
		return -ENOMEM;
	if (fresh) {
		all->heap = apmu__grow(all->heap, i, sizeof *all->heap);
		all->heap[i] =
			(struct heap){.pc = s->pc, .thread = s->thread, .chain = s->chain, .when = s->when};
		all->heap[i].level = s->has_data ? s->level : APMU__LEVEL_NONE;
		all->heap[i].tlb_miss = s->tlb_miss;
		all->heap[i].walk = s->walk;
	}
	all->heap[i].weight += s->weight;
	all->heap[i].samples++;
	if (s->has_data && s->latency) {
		all->heap[i].latency += s->latency;
		all->heap[i].loads++;
	}
	return 0;
}

struct summing {
	const struct apmu__report_options *options;
	const struct apmu__loaded *loaded;
	struct apmu__report *report;
	uint64_t stack; /* number of the one in hand */
};

/* One function at an address: a place, or an inlined part of it. */
struct level {
	const struct apmu__place *place;
	const struct apmu__frame *frame; /* NULL: nothing known */
	const struct heap *heap;
};

static const char *function_of(const struct level *l)
{
	return l->frame && l->frame->function ? l->frame->function : l->place->function;
}

static const char *file_of(const struct level *l)
{
	const char *file = l->frame ? l->frame->file : l->place->file;

	return file ? file : "[unknown]";
}

static char *thread_text(const struct summing *s, const struct level *l)
{
	const struct apmu__profile_thread *t = &s->loaded->profile->thread[l->heap->thread];

	if (s->loaded->profile->system)
		return apmu__format("vCPU %" PRId32, t->tid);
	return t->pid == t->tid ? apmu__format("%" PRId32, t->tid)
				: apmu__format("%" PRId32 "/%" PRId32, t->pid, t->tid);
}

static char *level_text(const struct level *l)
{
	static const char *const name[] = {"[none]", "L1", "L2", "L3", "memory"};
	unsigned level = l->heap->level < 5 ? l->heap->level : 0;

	return apmu__format("%s%s", name[level],
			    l->heap->walk       ? ", table walk"
			    : l->heap->tlb_miss ? ", TLB miss"
						: "");
}

static char *key_text(const struct summing *s, const struct level *l, unsigned key)
{
	uint32_t line = l->frame ? l->frame->line : l->place->line;

	switch (key) {
	case APMU__KEY_FUNCTION: return apmu__copy(function_of(l));
	case APMU__KEY_OBJECT: return apmu__copy(apmu__base_name(l->place->object));
	case APMU__KEY_FILE: return apmu__copy(file_of(l));
	case APMU__KEY_LINE:
		return line ? apmu__format("%s:%" PRIu32, apmu__base_name(file_of(l)), line)
			    : apmu__copy("[unknown]");
	case APMU__KEY_ADDRESS: return apmu__format("0x%" PRIx64, l->place->address);
	case APMU__KEY_THREAD: return thread_text(s, l);
	default: return level_text(l);
	}
}

/* FNV-1a, with two starts: 128 bits are enough to tell texts apart. */
static void add_hash(struct apmu__key *key, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text;; c++) {
		key->word[0] = (key->word[0] ^ *c) * 0x100000001B3u;
		key->word[1] = (key->word[1] ^ *c ^ 0x55) * 0x100000001B3u + key->word[0];
		if (*c == '\0')
			break;
	}
}

/* The row that a level belongs to; NULL without memory. */
static struct apmu__report_row *row_of(struct summing *s, const struct level *l)
{
	struct apmu__key key = {{0xCBF29CE484222325u, 0x84222325CBF29CE4u, 0}};
	struct apmu__report *r = s->report;
	char *text[APMU__KEYS] = {NULL};
	bool fresh;

	for (size_t k = 0; k < s->options->keys; k++) {
		text[k] = key_text(s, l, s->options->key[k]);
		add_hash(&key, text[k]);
	}
	uint32_t i = apmu__index_add(&r->index, key, &fresh);
	if (i != UINT32_MAX && fresh) {
		r->row = apmu__grow(r->row, i, sizeof *r->row);
		memcpy(r->row[i].text, text, sizeof text);
		r->rows = (size_t)i + 1;
		return &r->row[i];
	}
	for (size_t k = 0; k < s->options->keys; k++)
		free(text[k]);
	return i == UINT32_MAX ? NULL : &r->row[i];
}

static bool fits(const char *pattern, const char *text)
{
	return !pattern || fnmatch(pattern, text, 0) == 0;
}

static bool passes(const struct summing *s, const struct level *l)
{
	const struct apmu__report_options *o = s->options;
	const struct apmu__profile_thread *t = &s->loaded->profile->thread[l->heap->thread];

	return fits(o->function, function_of(l)) && (!o->by_thread || (uint64_t)t->tid == o->thread) &&
	       (fits(o->file, file_of(l)) || fits(o->file, apmu__base_name(file_of(l)))) &&
	       (fits(o->object, l->place->object) || fits(o->object, apmu__base_name(l->place->object)));
}

/* All functions at one address are on the stack, once each. */
static int add_children(struct summing *s, const struct apmu__place *place, const struct heap *h)
{
	for (size_t f = 0; f == 0 || f < place->frames; f++) {
		struct level l = {place, place->frames ? &place->frame[f] : NULL, h};
		struct apmu__report_row *row = row_of(s, &l);
		if (!row)
			return -ENOMEM;
		if (row->seen != s->stack)
			row->children += h->weight;
		row->seen = s->stack;
	}
	return 0;
}

static int add_callers(struct summing *s, const struct heap *h)
{
	const struct apmu__profile *p = s->loaded->profile;
	uint32_t node = h->chain;
	int bad = 0;

	for (unsigned depth = 0; bad == 0 && node && node < p->frames && depth < 10000; depth++) {
		const struct apmu__place *place =
			apmu__place_at(s->loaded->resolver, h->thread, h->when, p->frame[node].pc);
		bad = place ? add_children(s, place, h) : -ENOMEM;
		node = p->frame[node].parent;
	}
	return bad;
}

static int add_heap(struct summing *s, const struct heap *h)
{
	const struct apmu__place *place = apmu__place_at(s->loaded->resolver, h->thread, h->when, h->pc);

	s->report->weight += h->weight;
	s->report->samples += h->samples;
	s->stack++;
	if (!place)
		return -ENOMEM;
	struct level l = {place, place->frames ? place->frame : NULL, h};
	if (!passes(s, &l))
		return 0;
	s->report->shown += h->weight;
	struct apmu__report_row *row = row_of(s, &l);
	if (!row)
		return -ENOMEM;
	row->self += h->weight;
	row->samples += h->samples;
	row->latency += h->latency;
	row->loads += h->loads;
	if (!s->report->children)
		return 0;
	int bad = add_children(s, place, h);
	return bad ? bad : add_callers(s, h);
}

static int by_children(const void *left, const void *right)
{
	const struct apmu__report_row *a = left, *b = right;

	if (a->children != b->children)
		return a->children > b->children ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	for (size_t k = 0; k < APMU__KEYS && a->text[k] && b->text[k]; k++)
		if (strcmp(a->text[k], b->text[k]) != 0)
			return strcmp(a->text[k], b->text[k]);
	return 0;
}

int apmu__report_sum(const struct apmu__report_options *options, const struct apmu__loaded *loaded,
		     uint32_t event, struct apmu__report *report)
{
	struct heaps all = {.event = event};
	struct summing s = {.options = options, .loaded = loaded, .report = report};

	*report = (struct apmu__report){.children = loaded->profile->chains && !options->no_children};
	for (size_t k = 0; k < options->keys; k++)
		report->children = report->children && options->key[k] != APMU__KEY_LEVEL;
	int bad = apmu__profile_each(loaded->profile, add_sample, &all);
	for (uint32_t i = 0; bad == 0 && i < all.index.n; i++)
		bad = add_heap(&s, &all.heap[i]);
	free(all.heap);
	apmu__index_free(&all.index);
	if (report->rows)
		qsort(report->row, report->rows, sizeof *report->row, by_children);
	return bad;
}

void apmu__report_free(struct apmu__report *report)
{
	for (size_t i = 0; i < report->rows; i++)
		for (size_t k = 0; k < APMU__KEYS; k++)
			free(report->row[i].text[k]);
	free(report->row);
	apmu__index_free(&report->index);
}
