/* SPDX-License-Identifier: MIT */
/* The flame graph's boxes and the curves over time. */
#include "cli/export/html.h"
#include "profile/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool large(const struct apmu__summary *summary, size_t node, uint64_t parts)
{
	for (size_t e = 0; e < summary->events; e++) {
		uint64_t mine = summary->node_total[node * summary->events + e];
		if (mine > 0 && mine >= summary->weight[e] / parts)
			return true;
	}
	return false;
}

/* How small may a box be? The finest division that leaves few enough of them. */
static uint64_t finest(const struct apmu__summary *summary)
{
	for (uint64_t parts = 1 << 20; parts > 16; parts /= 2) {
		size_t n = 0;
		for (size_t i = 0; i < summary->nodes; i++)
			n += large(summary, i, parts);
		if (n <= APMU__HTML_NODES)
			return parts;
	}
	return 16;
}

void apmu__html_nodes(const struct apmu__summary *summary, const uint32_t *functions, FILE *out)
{
	uint32_t *row = apmu__zalloc(summary->nodes + 1, sizeof *row);
	uint64_t parts = finest(summary);
	uint32_t n = 0;

	fputs(",\n\"nodes\":[", out);
	for (size_t i = 0; i < summary->nodes; i++) {
		uint32_t parent = row[summary->node[i].parent];
		row[i] = APMU__PROFILE_NONE;
		if (i > 0 &&
		    (parent == APMU__PROFILE_NONE || !large(summary, i, parts) || n >= APMU__HTML_NODES))
			continue;
		row[i] = n++;
		uint32_t function = i ? functions[summary->node[i].function] : APMU__PROFILE_NONE;
		fprintf(out, "%s[%" PRIu32 ",", i ? ",\n" : "\n", i ? parent : 0);
		if (function == APMU__PROFILE_NONE)
			fputs("null,", out);
		else
			fprintf(out, "%" PRIu32 ",", function);
		apmu__html_weights(&summary->node_total[i * summary->events], summary->events, out);
		fputs("]", out);
	}
	fputs("]", out);
	free(row);
}

struct curve {
	uint64_t last, samples, width, steps;
	uint64_t *bin; /* events * APMU__HTML_BINS */
};

struct curves {
	const struct apmu__summary *summary;
	struct curve *curve;
};

static int look_ahead(void *context, const struct apmu__sample *sample)
{
	struct curves *curves = context;
	struct curve *curve = &curves->curve[sample->thread];

	curve->last = sample->instructions > curve->last ? sample->instructions : curve->last;
	curve->samples++;
	return 0;
}

static int fill(void *context, const struct apmu__sample *sample)
{
	struct curves *curves = context;
	struct curve *curve = &curves->curve[sample->thread];
	uint64_t step = sample->instructions / curve->width;

	if (curve->bin && step < curve->steps)
		curve->bin[sample->event * APMU__HTML_BINS + step] += sample->weight;
	return 0;
}

/* About eight samples a step, so that the curve shows the program and not the period. */
static void begin(struct curve *curve, uint64_t instructions, size_t events)
{
	curve->last = instructions > curve->last ? instructions : curve->last;
	curve->steps = curve->samples / 8 + 1;
	if (curve->steps > APMU__HTML_BINS)
		curve->steps = APMU__HTML_BINS;
	curve->width = curve->last / curve->steps + 1;
	curve->bin = apmu__zalloc(events * APMU__HTML_BINS + 1, sizeof *curve->bin);
}

static void put_curve(const struct apmu__summary *summary, const struct curve *curve, size_t thread,
		      FILE *out)
{
	const struct apmu__profile *profile = summary->profile;

	fputs(thread ? ",\n" : "\n", out);
	if (profile->system)
		fprintf(out, "{\"name\":\"vCPU %" PRId32 "\"", profile->thread[thread].tid);
	else
		fprintf(out, "{\"name\":\"thread %zu\"", thread);
	fprintf(out, ",\"instructions\":%" PRIu64 ",\"width\":%" PRIu64 ",\"bins\":[", curve->last,
		curve->width);
	for (size_t e = 0; e < summary->events; e++) {
		fputs(e ? "," : "", out);
		apmu__html_weights(&curve->bin[e * APMU__HTML_BINS], curve->steps, out);
	}
	fputs("]}", out);
}

void apmu__html_timeline(const struct apmu__summary *summary, FILE *out)
{
	const struct apmu__profile *profile = summary->profile;
	struct curves curves = {summary, apmu__zalloc(profile->threads + 1, sizeof *curves.curve)};
	size_t shown = profile->threads < APMU__HTML_THREADS ? profile->threads : APMU__HTML_THREADS;

	fputs(",\n\"timeline\":[", out);
	if (profile->exact)
		shown = 0;
	if (shown)
		(void)apmu__profile_each(profile, look_ahead, &curves);
	for (size_t t = 0; t < profile->threads; t++)
		curves.curve[t].width = 1;
	for (size_t t = 0; t < shown; t++)
		begin(&curves.curve[t], profile->thread[t].instructions, summary->events);
	if (shown)
		(void)apmu__profile_each(profile, fill, &curves);
	for (size_t t = 0; t < shown; t++)
		put_curve(summary, &curves.curve[t], t, out);
	fputs("]", out);
	for (size_t t = 0; t < profile->threads; t++)
		free(curves.curve[t].bin);
	free(curves.curve);
}
