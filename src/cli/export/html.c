/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem, qsort_r */
#include "cli/export/html.h"

#include "cli/common/uarch_options.h"
#include "cli/stat/stat_band.h"
#include "profile/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint8_t page[] = {
#include "cli/export/page.inc"
};

void cli__html_weights(const uint64_t *weight, size_t n, FILE *out)
{
	for (size_t e = 0; e < n; e++)
		fprintf(out, "%c%" PRIu64, e ? ',' : '[', weight[e]);
	fputs(n ? "]" : "[]", out);
}

double cli__html_worth(const struct profile__summary *summary, const uint64_t *weight)
{
	double most = 0.0;

	for (size_t e = 0; e < summary->events; e++) {
		double share = (double)weight[e] / ((double)summary->weight[e] + 1.0);
		most = share > most ? share : most;
	}
	return most;
}

static void put_event(const struct profile__event *event, FILE *out)
{
	fputs("{\"label\":", out);
	profile__put_json(out, event->label);
	fputs(",\"name\":", out);
	profile__put_json(out, event->name);
	fprintf(out,
		",\"total\":%" PRIu64 ",\"weight\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"period\":%" PRIu64
		",\"cycles\":%s",
		event->total, event->weight, event->samples, event->period,
		event->number == PROFILE__CYCLE_COUNTER ? "true" : "false");
	if (event->part) {
		fputs(",\"part\":", out);
		profile__put_json(out, event->part);
		fprintf(out, ",\"scale\":%" PRIu64, event->scale);
	}
	fputs("}", out);
}

static void put_threads(const struct profile__profile *profile, FILE *out)
{
	fputs(",\n\"threads\":[", out);
	for (size_t t = 0; t < profile->threads; t++) {
		const struct profile__thread *thread = &profile->thread[t];
		char *name = profile->system ? cli__format("vCPU %" PRId32, thread->tid)
					     : cli__copy(thread->name ? thread->name : "");
		fprintf(out, "%s{\"name\":", t ? ",\n" : "\n");
		profile__put_json(out, name);
		fprintf(out, ",\"instructions\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"resyncs\":%" PRIu64,
			thread->instructions, thread->cycles, thread->resyncs);
		fputs(",\"totals\":", out);
		cli__html_weights(thread->total, profile->events, out);
		fputs("}", out);
		free(name);
	}
	fputs("]", out);
}

/* When the recording was written: its file's time; 0 if that is unknown. */
static long long written(const char *path)
{
	struct stat about;

	return path && stat(path, &about) == 0 && S_ISREG(about.st_mode) ? (long long)about.st_mtime : 0;
}

/* The core whose timing is used if the named one has none of its own; else "". */
static const char *borrowed(const char *name)
{
	const struct apmu_core *core = apmu_core_find(name);

	return core != NULL && !cli__has_own_params(core) ? core->uarch : "";
}

static enum cli__band_class class_of(const char *part)
{
	static const struct {
		const char *part;
		enum cli__band_class class;
	} classes[] = {{"branch", CLI__BAND_BRANCHES}, {"front", CLI__BAND_FETCH},
		       {"itlb", CLI__BAND_FETCH},      {"l2", CLI__BAND_L2},
		       {"l3", CLI__BAND_L3},           {"memory", CLI__BAND_MEMORY},
		       {"tlb", CLI__BAND_TABLES},      {"store", CLI__BAND_STORES}};

	for (size_t i = 0; part && i < sizeof classes / sizeof classes[0]; i++)
		if (strcmp(classes[i].part, part) == 0)
			return classes[i].class;
	return CLI__BAND_INSTRUCTIONS; /* what no part takes */
}

static double occurrences(const struct profile__event *event)
{
	return (double)(event->total ? event->total : event->weight);
}

/* Writes the expected error of the cycles, if a CPI stack says what they went to. */
static void put_band(const struct profile__profile *profile, FILE *out)
{
	const struct apmu_core *core = apmu_core_find(profile->core);
	double cycles[CLI__BAND_CLASSES] = {0}, spent = 0;
	bool stack = false;

	for (size_t e = 0; e < profile->events; e++) {
		const struct profile__event *event = &profile->event[e];
		enum cli__band_class class = class_of(event->part);
		stack = stack || class != CLI__BAND_INSTRUCTIONS;
		if (event->number == PROFILE__CYCLE_COUNTER)
			cycles[CLI__BAND_INSTRUCTIONS] = occurrences(event);
		else if (class != CLI__BAND_INSTRUCTIONS) {
			cycles[class] += occurrences(event) * (double)event->scale;
			spent += occurrences(event) * (double)event->scale;
		}
	}
	cycles[CLI__BAND_INSTRUCTIONS] = fmax(0, cycles[CLI__BAND_INSTRUCTIONS] - spent);
	struct cli__band band = {0};
	if (core && stack)
		band = cli__band_of_cycles(core, cycles);
	if (band.known)
		fprintf(out, ",\"band\":{\"percent\":%.0f,\"untold\":%.0f}", cli__band_percent(&band),
			100 * band.untold);
}

static void put_run(const struct profile__profile *profile, const char *path, FILE *out)
{
	fputs("\"core\":", out);
	profile__put_json(out, profile->core);
	fputs(",\"timing\":", out);
	profile__put_json(out, borrowed(profile->core));
	fputs(",\"file\":", out);
	profile__put_json(out, profile->program);
	fputs(",\"uarch\":", out);
	profile__put_json(out, profile->uarch ? profile->uarch : "");
	fputs(",\"version\":", out);
	profile__put_json(out, profile->version);
	fprintf(out,
		",\"clock\":%" PRIu64
		",\"written\":%lld,\"exact\":%s,\"chains\":%s,\"exit\":%d,\"signal\":%d,\"skid\":%" PRIu32
		",\"unfinished\":%s,\"program\":[",
		profile->clock, written(path), profile->exact ? "true" : "false",
		profile->chains ? "true" : "false", profile->exit, profile->signal, profile->skid,
		profile->flaws & PROFILE__FLAW_UNFINISHED ? "true" : "false");
	for (size_t i = 0; i < profile->args; i++) {
		fputs(i ? "," : "", out);
		profile__put_json(out, profile->argv[i]);
	}
	fputs("]", out);
	put_band(profile, out);
	fputs(",\n\"events\":[", out);
	for (size_t e = 0; e < profile->events; e++) {
		fputs(e ? ",\n" : "\n", out);
		put_event(&profile->event[e], out);
	}
	fputs("]", out);
	put_threads(profile, out);
}

/* Rank of a function: its largest share of any event, of its own or half of that with what it calls. */
static double worth(const struct profile__summary *summary, uint32_t function)
{
	double self = cli__html_worth(summary, &summary->self[function * summary->events]);
	double all = cli__html_worth(summary, &summary->total[function * summary->events]) / 2.0;

	return self > all ? self : all;
}

static int by_worth(const void *a, const void *b, void *context)
{
	uint32_t p = *(const uint32_t *)a;
	uint32_t q = *(const uint32_t *)b;
	double x = worth(context, p);
	double y = worth(context, q);

	return x > y ? -1 : x < y ? 1 : p < q ? -1 : 1;
}

static void put_function(const struct profile__summary *summary, uint32_t at, FILE *out)
{
	const struct profile__function *function = &summary->function[at];

	fputs("[", out);
	profile__put_json(out, function->name);
	fprintf(out, ",%" PRIu32 ",", function->place->object_id);
	profile__put_json(out, function->file);
	fputs(",", out);
	cli__html_weights(&summary->self[at * summary->events], summary->events, out);
	fputs(",", out);
	cli__html_weights(&summary->total[at * summary->events], summary->events, out);
	fputs("]", out);
}

/* Writes the rows of the highest rank. Returns the row of each function, PROFILE__NONE if it has none. */
static uint32_t *put_functions(const struct profile__summary *summary, FILE *out)
{
	uint32_t *order = cli__zalloc(summary->functions + 1, sizeof *order);
	uint32_t *row = cli__zalloc(summary->functions + 1, sizeof *row);

	for (uint32_t i = 0; i < summary->functions; i++)
		order[i] = i;
	if (summary->functions)
		qsort_r(order, summary->functions, sizeof *order, by_worth, (void *)summary);
	fputs(",\n\"functions\":[", out);
	for (uint32_t i = 0; i < summary->functions; i++) {
		row[order[i]] = i < CLI__HTML_FUNCTIONS ? i : PROFILE__NONE;
		if (i >= CLI__HTML_FUNCTIONS)
			continue;
		fputs(i ? ",\n" : "\n", out);
		put_function(summary, order[i], out);
	}
	fputs("]", out);
	free(order);
	return row;
}

static void put_objects(const struct profile__summary *summary, FILE *out)
{
	uint32_t most = 0;

	for (size_t i = 0; i < summary->functions; i++)
		if (summary->function[i].place->object_id > most)
			most = summary->function[i].place->object_id;
	const char **object = cli__zalloc(most + 1ul, sizeof *object);
	for (size_t i = 0; i < summary->functions; i++)
		object[summary->function[i].place->object_id] = summary->function[i].place->object;
	fputs(",\n\"objects\":[", out);
	for (uint32_t i = 0; i <= most; i++) {
		fputs(i ? "," : "", out);
		profile__put_json(out, object[i] ? object[i] : "[unknown]");
	}
	fputs("]", out);
	free((void *)object);
}

/* Writes what the first views need: the run, its objects and functions. */
static void put_run_and_functions(const struct cli__open_profile *loaded, struct cli__html_rows *rows,
				  FILE *out)
{
	put_run(loaded->profile, loaded->path, out);
	put_objects(&loaded->summary, out);
	rows->function = put_functions(&loaded->summary, out);
}

static void free_rows(struct cli__html_rows *rows)
{
	free(rows->function);
	free(rows->node);
	free(rows->spot);
}

/* Writes the page up to a mark; returns what follows the mark. */
static const uint8_t *put_page(const uint8_t *from, const char *mark, FILE *out)
{
	const uint8_t *at = memmem(from, (size_t)(page + sizeof page - from), mark, strlen(mark));

	fwrite(from, 1, (size_t)(at - from), out);
	return at + strlen(mark);
}

static void begin_part(const char *name, FILE *out)
{
	fprintf(out, "\n<script id=\"data-%s\" type=\"application/json\">", name);
}

static void end_part(FILE *out)
{
	fputs("</script>", out);
}

int cli__html(const struct cli__open_profile *loaded, const struct cli__open_profile *before, FILE *out)
{
	struct cli__html_rows rows = {0}, old = {0};
	const uint8_t *rest = put_page(page, "@RUN@", out);

	fputs("{", out);
	put_run_and_functions(loaded, &rows, out);
	fprintf(out, ",\n\"accesses\":%s", loaded->profile->data ? "true" : "false");
	if (before) {
		fputs(",\n\"before\":{", out);
		put_run_and_functions(before, &old, out);
		fputs("}", out);
	}
	fputs("}", out);
	rest = put_page(rest, "@REST@", out);
	begin_part("nodes", out);
	cli__html_nodes(&loaded->summary, &rows, out);
	end_part(out);
	if (before) {
		begin_part("before", out);
		cli__html_nodes(&before->summary, &old, out);
		end_part(out);
	}
	begin_part("access", out);
	cli__html_data(loaded, out);
	end_part(out);
	begin_part("listing", out);
	cli__html_code(loaded, &rows, out);
	end_part(out);
	begin_part("time", out);
	int code = cli__html_time(&loaded->summary, &rows, out);
	end_part(out);
	fwrite(rest, 1, (size_t)(page + sizeof page - rest), out);
	free_rows(&rows);
	free_rows(&old);
	return code;
}
