/* SPDX-License-Identifier: MIT */
/* The page's time: one lane per thread and event, and the counts of each function, box and instruction per
 * step, for a range of time that a reader picks. */
#define _GNU_SOURCE /* qsort_r */
#include "cli/export/html.h"

#include <inttypes.h>
#include <stdlib.h>

/* Counts by (thread and step, row, event). */
struct cells {
	struct profile__index index;
	uint64_t *weight;
	unsigned steps; /* steps of the whole time; 0: too many counts even with the fewest steps */
};

struct timing {
	const struct profile__summary *summary;
	const struct cli__html_rows *rows;
	uint64_t last, most;  /* end of the time; most samples of a thread and event */
	uint64_t width, bins; /* width of a bin, and bins of a lane */
	uint64_t *lane;       /* thread, event, bin */
	uint64_t *samples;    /* thread, event */
	uint64_t *before;     /* thread, event: time of the last sample so far */
	struct cells functions, nodes, spots;
};

static uint64_t time_of(const struct timing *t, const struct profile__sample *sample)
{
	return t->summary->profile->cycles ? sample->cycles : sample->instructions;
}

static int look_ahead(void *context, const struct profile__sample *sample)
{
	struct timing *t = context;
	uint64_t *n = &t->samples[sample->thread * t->summary->events + sample->event];

	if (time_of(t, sample) > t->last)
		t->last = time_of(t, sample);
	if (++*n > t->most)
		t->most = *n;
	return 0;
}

static void add(struct cells *cells, uint64_t step, uint32_t row, uint32_t event, uint64_t weight)
{
	bool fresh;
	uint32_t at = UINT32_MAX;

	if (cells->steps && row != PROFILE__NONE)
		at = profile__index_add(&cells->index, (struct profile__key){{step, row, event}}, &fresh);
	if (at == UINT32_MAX)
		return;
	if (fresh) {
		cells->weight = cli__grow(cells->weight, at, sizeof *cells->weight);
		cells->weight[at] = 0;
	}
	cells->weight[at] += weight;
}

/* Spreads a sample's weight evenly over the time since the thread's sample before it of the same event. */
static void put_weight(struct timing *t, const struct profile__sample *sample)
{
	size_t row = sample->thread * t->summary->events + sample->event;
	uint64_t *lane = &t->lane[row * t->bins], until = time_of(t, sample), from = t->before[row],
		 last = t->bins - 1;
	uint64_t begin = from / t->width, end = until / t->width, left = sample->weight;

	t->before[row] = until;
	begin = begin < last ? begin : last;
	end = end < last ? end : last;
	for (uint64_t bin = begin; bin < end; bin++) { /* from < until, as they are in different bins */
		uint64_t to = (bin + 1) * t->width;
		uint64_t part = (uint64_t)((double)left * (double)(to - from) / (double)(until - from));
		part = part < left ? part : left;
		lane[bin] += part;
		left -= part;
		from = to;
	}
	lane[end] += left;
}

static int fill(void *context, const struct profile__sample *sample)
{
	struct timing *t = context;
	const struct profile__summary *s = t->summary;
	const struct profile__stack *stack = profile__summary_stack(s, sample);

	if (sample->thread >= CLI__HTML_THREADS || stack == NULL)
		return 0;
	put_weight(t, sample);
	double part = (double)time_of(t, sample) / ((double)t->last + 1.0);
	uint64_t step = (uint64_t)(part * CLI__HTML_STEPS);
	if (step >= CLI__HTML_STEPS) /* rounding of times beyond a double's precision */
		step = CLI__HTML_STEPS - 1;
	step += (uint64_t)sample->thread * CLI__HTML_STEPS;
	add(&t->functions, step, t->rows->function[s->node[stack->node].function], sample->event,
	    sample->weight);
	add(&t->nodes, step, t->rows->node[stack->node], sample->event, sample->weight);
	add(&t->spots, step, t->rows->spot[stack->spot], sample->event, sample->weight);
	return 0;
}

static void free_cells(struct cells *cells)
{
	profile__index_free(&cells->index);
	free(cells->weight);
	*cells = (struct cells){0};
}

/* Doubles the length of steps until there are few enough counts. */
static void coarsen(struct cells *cells)
{
	while (cells->index.n > CLI__HTML_CELLS && cells->steps) {
		struct cells half = {.steps = cells->steps % 2 || cells->steps < 12 ? 0 : cells->steps / 2};
		for (uint32_t i = 0; half.steps && i < cells->index.n; i++) {
			const uint64_t *word = cells->index.key[i].word;
			uint64_t thread = word[0] / cells->steps;
			add(&half, word[0] % cells->steps / 2 + thread * half.steps, (uint32_t)word[1],
			    (uint32_t)word[2], cells->weight[i]);
		}
		free_cells(cells);
		*cells = half;
	}
}

static int by_key(const void *a, const void *b, void *context)
{
	const struct cells *cells = context;
	const uint64_t *x = cells->index.key[*(const uint32_t *)a].word;
	const uint64_t *y = cells->index.key[*(const uint32_t *)b].word;

	for (unsigned i = 0; i < 3; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

/* {"steps":N,"cells":[[thread * N + step,[row,event,weight,...]],...]} */
static void put_cells(const char *name, struct cells *cells, FILE *out)
{
	uint64_t now = UINT64_MAX;

	coarsen(cells);
	uint32_t *order = cli__zalloc(cells->index.n + 1ul, sizeof *order);
	for (uint32_t i = 0; i < cells->index.n; i++)
		order[i] = i;
	if (cells->index.n)
		qsort_r(order, cells->index.n, sizeof *order, by_key, cells);
	fprintf(out, ",\n\"%s\":{\"steps\":%u,\"cells\":[", name, cells->steps);
	for (uint32_t i = 0; i < cells->index.n; i++) {
		const uint64_t *word = cells->index.key[order[i]].word;
		if (word[0] != now)
			fprintf(out, "%s[%" PRIu64 ",[", i ? "]],\n" : "\n", word[0]);
		fprintf(out, "%s%" PRIu64 ",%" PRIu64 ",%" PRIu64, word[0] != now ? "" : ",", word[1],
			word[2], cells->weight[order[i]]);
		now = word[0];
	}
	fputs(cells->index.n ? "]]]}" : "]}", out);
	free(order);
	free_cells(cells);
}

/* Chooses about eight samples per bin of the busiest lane, so that it shows the program and not the
 * period. */
static void divide(struct timing *t)
{
	t->bins = t->most / 8 + 1;
	if (t->bins > CLI__HTML_BINS)
		t->bins = CLI__HTML_BINS;
	t->width = t->last / t->bins + (t->last != UINT64_MAX); /* the last bin takes the remainder */
}

static void put_lanes(const struct timing *t, size_t threads, FILE *out)
{
	size_t events = t->summary->events;

	fprintf(out, "{\"unit\":\"%s\",\"end\":%" PRIu64 ",\"width\":%" PRIu64 ",\"lanes\":[",
		t->summary->profile->cycles ? "cycles" : "instructions", t->last, t->width);
	for (size_t i = 0; i < threads * events; i++) {
		fprintf(out, "%s", i ? i % events ? "," : "],\n[" : "[");
		cli__html_weights(&t->lane[i * t->bins], t->bins, out);
	}
	fputs(threads ? "]]" : "]", out);
}

int cli__html_time(const struct profile__summary *summary, const struct cli__html_rows *rows, FILE *out)
{
	const struct profile__profile *profile = summary->profile;
	size_t threads = profile->threads < CLI__HTML_THREADS ? profile->threads : CLI__HTML_THREADS;
	struct timing t = {.summary = summary,
			   .rows = rows,
			   .functions.steps = CLI__HTML_STEPS,
			   .nodes.steps = CLI__HTML_STEPS,
			   .spots.steps = CLI__HTML_STEPS};

	if (profile->exact) {
		fputs("null", out);
		return 0;
	}
	t.samples = cli__zalloc(profile->threads * summary->events + 1, sizeof *t.samples);
	int code = profile__each(profile, look_ahead, &t);
	divide(&t);
	t.lane = cli__zalloc(threads * summary->events * t.bins + 1, sizeof *t.lane);
	t.before = cli__zalloc(threads * summary->events + 1, sizeof *t.before);
	code = code ? code : profile__each(profile, fill, &t);
	put_lanes(&t, threads, out);
	put_cells("functions", &t.functions, out);
	put_cells("nodes", &t.nodes, out);
	put_cells("spots", &t.spots, out);
	fputs("}", out);
	free(t.lane);
	free(t.before);
	free(t.samples);
	return code;
}
