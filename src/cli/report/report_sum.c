/* SPDX-License-Identifier: MIT */
/* Sums samples to rows: first by address and thread, with the stacks that end there, then by the sort
 * keys. */
#include "cli/report/report_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Samples that differ in nothing but their chains. */
struct spot {
	uint64_t weight, samples;
	uint64_t latency, loads; /* sum of latencies in cycles, and the number of samples that have one */
	uint32_t row;
	uint32_t class; /* of the stacks that end here */
	bool passes;
};

struct summing {
	const struct profile__profile *profile;
	struct profile__resolver *resolver;
	struct cli__report *report;
	struct cli__report_rows rows;
	struct cli__report_tree tree;
	struct profile__index index;
	struct spot *spot;
	uint32_t event, maps; /* maps: mappings up to the current sample; both come in order of time */
};

static int open_spot(struct summing *s, const struct profile__sample *sample, struct spot *spot)
{
	const struct profile__place *place =
		profile__place_at(s->resolver, sample->thread, sample->when, sample->pc);

	if (!place)
		return -ENOMEM;
	struct cli__report_level leaf = cli__report_leaf(place, sample->thread);
	leaf.level = sample->has_data ? sample->level : PROFILE__LEVEL_NONE;
	leaf.tlb_miss = sample->tlb_miss;
	leaf.walk = sample->walk;
	spot->passes = cli__report_passes(&s->rows, &leaf);
	if (!spot->passes)
		return 0;
	spot->row = cli__report_row(&s->rows, &leaf);
	if (s->report->children)
		spot->class = cli__report_class(&s->rows, place, sample->thread);
	return spot->row == UINT32_MAX || spot->class == UINT32_MAX ? -ENOMEM : 0;
}

static struct spot *spot_of(struct summing *s, const struct profile__sample *sample)
{
	uint64_t where = (uint64_t)sample->level | (uint64_t)sample->tlb_miss << 8 |
			 (uint64_t)sample->walk << 9 | (uint64_t)sample->has_data << 10;
	const struct profile__key key = {{sample->pc, (uint64_t)sample->thread << 32 | s->maps, where}};
	bool fresh;
	uint32_t i = profile__index_add(&s->index, key, &fresh);

	if (i == UINT32_MAX)
		return NULL;
	if (fresh) {
		s->spot = cli__grow(s->spot, i, sizeof *s->spot);
		if (open_spot(s, sample, &s->spot[i]) != 0)
			return NULL;
	}
	return &s->spot[i];
}

static int add_stack(struct summing *s, const struct profile__sample *sample, uint32_t class)
{
	uint32_t group = cli__report_group(&s->tree, sample->thread, s->maps, sample->when);
	uint32_t stack =
		group == UINT32_MAX ? group : cli__report_stack(&s->tree, group, sample->chain, class);

	if (stack == UINT32_MAX)
		return -ENOMEM;
	s->tree.stack[stack].weight += sample->weight;
	return 0;
}

static int add_sample(void *context, const struct profile__sample *sample)
{
	struct summing *s = context;

	while (s->maps < s->profile->maps && s->profile->map[s->maps].when <= sample->when)
		s->maps++;
	if (sample->event != s->event)
		return 0;
	struct spot *spot = spot_of(s, sample);
	if (!spot)
		return -ENOMEM;
	spot->weight += sample->weight;
	spot->samples++;
	if (sample->has_data && sample->latency) {
		spot->latency += sample->latency;
		spot->loads++;
	}
	return spot->passes && s->report->children ? add_stack(s, sample, spot->class) : 0;
}

static void add_spots(const struct summing *s)
{
	struct cli__report *r = s->report;

	for (uint32_t i = 0; i < s->index.n; i++) {
		const struct spot *spot = &s->spot[i];
		r->weight += spot->weight;
		r->samples += spot->samples;
		if (!spot->passes)
			continue;
		r->shown += spot->weight;
		r->row[spot->row].self += spot->weight;
		r->row[spot->row].samples += spot->samples;
		r->row[spot->row].latency += spot->latency;
		r->row[spot->row].loads += spot->loads;
	}
}

static int by_children(const void *left, const void *right)
{
	const struct cli__report_row *a = left, *b = right;

	if (a->children != b->children)
		return a->children > b->children ? -1 : 1;
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	for (size_t k = 0; k < CLI__KEYS && a->text[k] && b->text[k]; k++)
		if (strcmp(a->text[k], b->text[k]) != 0)
			return strcmp(a->text[k], b->text[k]);
	return 0;
}

int cli__report_sum(const struct cli__report_options *options, const struct cli__open_profile *loaded,
		    uint32_t event, struct cli__report *report)
{
	struct summing s = {
		.profile = loaded->profile, .resolver = loaded->resolver, .report = report, .event = event};

	*report = (struct cli__report){.children = loaded->profile->chains && !options->no_children};
	for (size_t k = 0; k < options->keys; k++)
		report->children = report->children && options->key[k] != CLI__KEY_LEVEL;
	cli__report_rows_open(&s.rows, options, loaded->profile, report);
	s.tree = (struct cli__report_tree){.rows = &s.rows, .resolver = loaded->resolver};
	int bad = profile__each(loaded->profile, add_sample, &s);
	if (bad == 0)
		add_spots(&s);
	if (bad == 0 && report->children)
		bad = cli__report_children(&s.tree);
	free(s.spot);
	profile__index_free(&s.index);
	cli__report_tree_close(&s.tree);
	cli__report_rows_close(&s.rows);
	if (report->rows)
		qsort(report->row, report->rows, sizeof *report->row, by_children);
	return bad;
}

void cli__report_free(struct cli__report *report)
{
	for (size_t i = 0; i < report->rows; i++)
		for (size_t k = 0; k < CLI__KEYS; k++)
			free(report->row[i].text[k]);
	free(report->row);
}
