/* SPDX-License-Identifier: MIT */
/* Exports: folded stacks, CSV, OpenMetrics. */
#include "profile/export.h"

#include "base/text.h"
#include "profile/summary_tree.h"
#include "symbol/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Prints one frame of a folded stack; ';' separates frames. */
static void put_word(FILE *out, const char *text)
{
	for (unsigned n; *text; text += n) {
		unsigned shown = apmu_base__shown(text, &n);
		fwrite(*text == ';' ? ":" : shown ? text : "?", 1, shown ? n : 1, out);
	}
}

/* A function without a name is printed as its address with the file that it is in. */
static void put_function(FILE *out, const struct profile__function *function)
{
	if (function->place->named) {
		put_word(out, function->name);
		return;
	}
	fputc('[', out);
	put_word(out, profile__base_name(function->place->object));
	fprintf(out, "+%s]", function->name);
}

static const char *shown_program(const char *path)
{
	return path && path[0] ? profile__base_name(path) : "program";
}

/* A line of folded stacks: a function under one chain of callers, in one program. */
struct line {
	const char *program;
	uint32_t node;
	uint64_t weight;
};

static int by_node(const void *left, const void *right)
{
	const struct line *a = left, *b = right;

	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return strcmp(a->program, b->program);
}

/* Fills in a line for each stack with samples of the event, in order; returns the number of lines. `program`
 * has a place for each thread: a thread that executes a program ends, and another one begins. */
static size_t make_lines(const struct profile__export *export, const char **program, struct line *line)
{
	const struct profile__summary *summary = export->summary;
	size_t n = 0;

	for (size_t i = 0; i < summary->stacks; i++) {
		const struct profile__stack *stack = &summary->stack[i];
		uint64_t weight = summary->stack_weight[i * summary->events + export->event];
		const char **of = &program[stack->thread];
		if (weight == 0)
			continue;
		if (*of == NULL)
			*of = shown_program(
				profile__program_at(summary->profile, stack->thread, stack->when));
		line[n++] = (struct line){*of, stack->node, weight};
	}
	if (n)
		qsort(line, n, sizeof *line, by_node);
	return n;
}

static void put_folded(const struct profile__export *export, const struct line *line, uint64_t weight)
{
	const struct profile__summary *summary = export->summary;
	uint32_t path[PROFILE__SUMMARY_DEEPEST];
	size_t depth = 0;

	for (uint32_t node = line->node; node != 0 && depth < PROFILE__SUMMARY_DEEPEST;
	     node = summary->node[node].parent)
		path[depth++] = node;
	put_word(export->out, line->program);
	while (depth-- > 0) {
		fputc(';', export->out);
		put_function(export->out, &summary->function[summary->node[path[depth]].function]);
	}
	fprintf(export->out, " %" PRIu64 "\n", weight);
}

int profile__export_folded(const struct profile__export *export)
{
	const struct profile__summary *summary = export->summary;
	const char **program = calloc(summary->profile->threads + 1, sizeof *program);
	struct line *line = calloc(summary->stacks + 1, sizeof *line);
	size_t n = program && line ? make_lines(export, program, line) : 0;
	int bad = program && line ? 0 : -ENOMEM;

	for (size_t i = 0, next; i < n; i = next) {
		uint64_t weight = line[i].weight;
		for (next = i + 1; next < n && by_node(&line[i], &line[next]) == 0; next++)
			weight += line[next].weight;
		put_folded(export, &line[i], weight);
	}
	free((void *)program);
	free(line);
	return bad;
}

int profile__export_csv(const struct profile__export *export)
{
	const struct profile__summary *summary = export->summary;

	fputs("thread,event,count,object,function,file,line,address\n", export->out);
	for (size_t i = 0; i < summary->spots; i++) {
		const struct profile__place *place = summary->spot[i].place;
		for (size_t e = 0; e < summary->events; e++) {
			uint64_t weight = summary->spot_weight[i * summary->events + e];
			if (weight == 0)
				continue;
			fprintf(export->out, "%" PRIu64 ",",
				profile__thread_number(summary->profile, summary->spot[i].thread));
			profile__put_csv(export->out, summary->profile->event[e].label);
			fprintf(export->out, ",%" PRIu64 ",", weight);
			profile__put_csv(export->out, place->object);
			fputc(',', export->out);
			profile__put_csv(export->out, place->named ? place->function : NULL);
			fputc(',', export->out);
			profile__put_csv(export->out, place->file);
			fprintf(export->out, ",%" PRIu32 ",0x%" PRIx64 "\n", place->line, place->address);
		}
	}
	return 0;
}

/* Prints a label and its quoted value; backslash and quote are escaped (OpenMetrics 1.0, "Text format"). */
static void put_label(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%s=\"", name);
	profile__put_shown(out, text ? text : "", "\\\"", '\\');
	fputc('"', out);
}

static void put_labels(const struct profile__export *export, size_t e)
{
	const struct profile__profile *profile = export->summary->profile;

	put_label(export->out, "core", profile->core);
	fputc(',', export->out);
	put_label(export->out, "program", shown_program(profile->program));
	fputc(',', export->out);
	put_label(export->out, "event", profile->event[e].label);
}

/* Returns for each function the first one with equal labels: a set of labels may occur once (OpenMetrics 1.0,
 * "Label"), but code that a program makes may have one name many times. To be freed; NULL without memory. */
static uint32_t *firsts(const struct profile__summary *summary)
{
	uint32_t *first = calloc(summary->functions + 1, sizeof *first);
	uint32_t *of_labels = calloc(summary->functions + 1, sizeof *of_labels);
	struct symbol__pool pool = {0};
	struct profile__index labels = {0};
	bool ok = first && of_labels;

	for (uint32_t i = 0; ok && i < summary->functions; i++) {
		const char *object = symbol__pool_add(&pool, summary->function[i].place->object);
		const char *name = symbol__pool_add(&pool, summary->function[i].name);
		bool fresh;
		uint32_t at = profile__index_add(
			&labels, (struct profile__key){{(uintptr_t)object, (uintptr_t)name, 0}}, &fresh);
		ok = object && name && at != UINT32_MAX;
		if (ok && fresh)
			of_labels[at] = i;
		if (ok)
			first[i] = of_labels[at];
	}
	profile__index_free(&labels);
	symbol__pool_free(&pool);
	free(of_labels);
	if (!ok)
		free(first);
	return ok ? first : NULL;
}

/* Prints the metric with the weights of each function and of those whose labels equal its own. */
static int put_metric(const struct profile__export *export, const char *metric, const uint64_t *of,
		      const uint32_t *first)
{
	const struct profile__summary *summary = export->summary;
	uint64_t *weight = calloc(summary->functions * summary->events + 1, sizeof *weight);

	if (weight == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < summary->functions; i++)
		profile__weights_add(&weight[first[i] * summary->events], &of[i * summary->events],
				     summary->events);
	for (size_t i = 0; i < summary->functions; i++)
		for (size_t e = 0; e < summary->events; e++) {
			if (weight[i * summary->events + e] == 0)
				continue;
			fprintf(export->out, "%s{", metric);
			put_labels(export, e);
			fputc(',', export->out);
			put_label(export->out, "object", summary->function[i].place->object);
			fputc(',', export->out);
			put_label(export->out, "function", summary->function[i].name);
			fprintf(export->out, "} %" PRIu64 "\n", weight[i * summary->events + e]);
		}
	free(weight);
	return 0;
}

/* All metrics are gauges: they describe one finished run and do not go on counting. */
int profile__export_openmetrics(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	uint32_t *first = firsts(export->summary);

	if (first == NULL)
		return -ENOMEM;
	fputs("# HELP apmu_event_occurrences Occurrences of an event counted in the run, by thread.\n"
	      "# TYPE apmu_event_occurrences gauge\n",
	      export->out);
	for (size_t t = 0; t < profile->threads; t++)
		for (size_t e = 0; e < profile->events; e++) {
			fputs("apmu_event_occurrences{", export->out);
			put_labels(export, e);
			fprintf(export->out, ",thread=\"%" PRIu64 "\"} %" PRIu64 "\n",
				profile__thread_number(profile, t), profile->thread[t].total[e]);
		}
	fputs("# HELP apmu_function_self_occurrences Occurrences in the function itself, as sampled.\n"
	      "# TYPE apmu_function_self_occurrences gauge\n",
	      export->out);
	int bad = put_metric(export, "apmu_function_self_occurrences", export->summary->self, first);
	fputs("# HELP apmu_function_all_occurrences The same, with what the function called.\n"
	      "# TYPE apmu_function_all_occurrences gauge\n",
	      export->out);
	if (bad == 0)
		bad = put_metric(export, "apmu_function_all_occurrences", export->summary->total, first);
	fputs("# EOF\n", export->out);
	free(first);
	return bad;
}
