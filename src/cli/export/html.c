/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem, qsort_r */
#include "cli/export/html.h"

#include "profile/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t page[] = {
#include "cli/export/page.inc"
};

void apmu__html_weights(const uint64_t *weight, size_t n, FILE *out)
{
	for (size_t e = 0; e < n; e++)
		fprintf(out, "%c%" PRIu64, e ? ',' : '[', weight[e]);
	fputs(n ? "]" : "[]", out);
}

static void put_run(const struct apmu__profile *profile, FILE *out)
{
	fputs("\"core\":", out);
	apmu__put_json(out, profile->core);
	fprintf(out, ",\"mode\":\"%s\",\"program\":[", profile->exact ? "exact counts" : "sampled");
	for (size_t i = 0; i < profile->args; i++) {
		fputs(i ? "," : "", out);
		apmu__put_json(out, profile->argv[i]);
	}
	fputs("],\n\"events\":[", out);
	for (size_t e = 0; e < profile->events; e++) {
		const struct apmu__profile_event *event = &profile->event[e];
		fprintf(out, "%s{\"label\":", e ? "," : "");
		apmu__put_json(out, event->label);
		fprintf(out,
			",\"total\":%" PRIu64 ",\"weight\":%" PRIu64 ",\"samples\":%" PRIu64
			",\"period\":%" PRIu64 "}",
			event->total, event->weight, event->samples, event->period);
	}
	fputs("]", out);
}

/* A function counts by its largest share of any event. */
static double worth(const struct apmu__summary *summary, uint32_t function)
{
	double most = 0.0;

	for (size_t e = 0; e < summary->events; e++) {
		double self = (double)summary->self[function * summary->events + e];
		double all = (double)summary->total[function * summary->events + e] / 2.0;
		double share = (self > all ? self : all) / ((double)summary->weight[e] + 1.0);
		most = share > most ? share : most;
	}
	return most;
}

static int by_worth(const void *a, const void *b, void *context)
{
	uint32_t p = *(const uint32_t *)a;
	uint32_t q = *(const uint32_t *)b;
	double x = worth(context, p);
	double y = worth(context, q);

	return x > y ? -1 : x < y ? 1 : p < q ? -1 : 1;
}

static void put_function(const struct apmu__summary *summary, uint32_t at, FILE *out)
{
	const struct apmu__function *function = &summary->function[at];

	fputs("[", out);
	apmu__put_json(out, function->name);
	fprintf(out, ",%" PRIu32 ",", function->place->object_id);
	apmu__put_json(out, function->file);
	fputs(",", out);
	apmu__html_weights(&summary->self[at * summary->events], summary->events, out);
	fputs(",", out);
	apmu__html_weights(&summary->total[at * summary->events], summary->events, out);
	fputs("]", out);
}

/* Rows of the table, the most important ones; answers where each function went. */
static uint32_t *put_functions(const struct apmu__summary *summary, FILE *out)
{
	uint32_t *order = apmu__zalloc(summary->functions + 1, sizeof *order);
	uint32_t *row = apmu__zalloc(summary->functions + 1, sizeof *row);

	for (uint32_t i = 0; i < summary->functions; i++)
		order[i] = i;
	if (summary->functions)
		qsort_r(order, summary->functions, sizeof *order, by_worth, (void *)summary);
	fputs(",\n\"functions\":[", out);
	for (uint32_t i = 0; i < summary->functions; i++) {
		row[order[i]] = i < APMU__HTML_FUNCTIONS ? i : APMU__PROFILE_NONE;
		if (i >= APMU__HTML_FUNCTIONS)
			continue;
		fputs(i ? ",\n" : "\n", out);
		put_function(summary, order[i], out);
	}
	fputs("]", out);
	free(order);
	return row;
}

static void put_objects(const struct apmu__summary *summary, FILE *out)
{
	uint32_t most = 0;

	for (size_t i = 0; i < summary->functions; i++)
		if (summary->function[i].place->object_id > most)
			most = summary->function[i].place->object_id;
	const char **object = apmu__zalloc(most + 1ul, sizeof *object);
	for (size_t i = 0; i < summary->functions; i++)
		object[summary->function[i].place->object_id] = summary->function[i].place->object;
	fputs(",\n\"objects\":[", out);
	for (uint32_t i = 0; i <= most; i++) {
		fputs(i ? "," : "", out);
		apmu__put_json(out, object[i] ? object[i] : "[unknown]");
	}
	fputs("]", out);
	free((void *)object);
}

void apmu__html(const struct apmu__loaded *loaded, FILE *out)
{
	const struct apmu__summary *summary = &loaded->summary;
	static const char mark[] = "@DATA@";
	const uint8_t *split = memmem(page, sizeof page, mark, sizeof mark - 1);

	fwrite(page, 1, (size_t)(split - page), out);
	fputs("{", out);
	put_run(summary->profile, out);
	put_objects(summary, out);
	uint32_t *row = put_functions(summary, out);
	apmu__html_nodes(summary, row, out);
	apmu__html_timeline(summary, out);
	apmu__html_data(loaded, out);
	apmu__html_code(loaded, out);
	fputs("}", out);
	split += sizeof mark - 1;
	fwrite(split, 1, (size_t)(page + sizeof page - split), out);
	free(row);
}
