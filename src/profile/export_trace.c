/* SPDX-License-Identifier: MIT */
/* Chrome's trace event format (JSON object form): slices of functions, made of the stacks of successive
 * samples, and one counter per thread. The clock is the thread's instructions, each shown as a nanosecond. */
#define _POSIX_C_SOURCE 200809L
#include "profile/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* BINS: most steps of a counter's curve over a thread's life; FULL: samples per step, about. */
enum { BINS = 500, FULL = 8 };

/* A function that the thread is in. */
struct open_slice {
	uint32_t node; /* node of the summary */
	uint64_t since;
};

struct track {
	struct open_slice *open; /* indexed by depth, outermost first */
	size_t depth, room;
	uint64_t now;         /* instructions at the last sample */
	uint64_t bin, in_bin; /* present step of the counter, and its count */
	uint64_t width, samples;
};

struct trace {
	const struct profile__export *export;
	struct track *track; /* indexed by thread */
	char **named;        /* indexed by function, NULL before its first slice: name and category as JSON */
	bool some;           /* an event was written already */
};

/* Instructions are shown as nanoseconds; ts counts microseconds. */
static void put_time(FILE *out, const char *key, uint64_t at)
{
	fprintf(out, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, at / 1000, at % 1000);
}

/* A part of a slice's text. A trace has millions of slices, so these are made without printf. */
struct line {
	char text[192];
	size_t at;
};

static void add_text(struct line *line, const char *text)
{
	size_t n = strlen(text);

	memcpy(line->text + line->at, text, n);
	line->at += n;
}

/* Adds a number with at least `digits` digits. */
static void add_number(struct line *line, uint64_t n, size_t digits)
{
	char text[20];
	size_t used = 0;

	for (; n != 0 || used < digits; n /= 10)
		text[used++] = (char)('0' + n % 10);
	while (used > 0)
		line->text[line->at++] = text[--used];
}

static void add_time(struct line *line, const char *key, uint64_t at)
{
	add_text(line, key);
	add_number(line, at / 1000, 1);
	add_text(line, ".");
	add_number(line, at % 1000, 3);
}

static void begin(struct trace *trace, const char *phase, const char *name, size_t thread)
{
	FILE *out = trace->export->out;

	fprintf(out, "%s{\"ph\":\"%s\",\"pid\":1,\"tid\":%zu,\"name\":", trace->some ? ",\n" : "\n", phase,
		thread + 1);
	trace->some = true;
	profile__put_json(out, name);
}

/* Returns a function's name and category as JSON; NULL without memory. */
static const char *named(struct trace *trace, uint32_t f)
{
	const struct profile__function *function = &trace->export->summary->function[f];
	size_t size;

	if (trace->named[f] != NULL)
		return trace->named[f];
	FILE *out = open_memstream(&trace->named[f], &size);
	if (out == NULL)
		return NULL;
	profile__put_json(out, function->name);
	fputs(",\"cat\":", out);
	profile__put_json(out, profile__base_name(function->place->object));
	return fclose(out) == 0 ? trace->named[f] : NULL;
}

static bool put_slice(struct trace *trace, size_t thread, const struct open_slice *slice, uint64_t end)
{
	FILE *out = trace->export->out;
	struct line head = {.at = 0}, tail = {.at = 0};

	if (end <= slice->since)
		return true;
	const char *name = named(trace, trace->export->summary->node[slice->node].function);
	if (name == NULL)
		return false;
	add_text(&head, trace->some ? ",\n" : "\n");
	add_text(&head, "{\"ph\":\"X\",\"pid\":1,\"tid\":");
	add_number(&head, thread + 1, 1);
	add_text(&head, ",\"name\":");
	add_time(&tail, ",\"ts\":", slice->since);
	add_time(&tail, ",\"dur\":", end - slice->since);
	add_text(&tail, "}");
	trace->some = true;
	fwrite(head.text, 1, head.at, out);
	fputs(name, out);
	fwrite(tail.text, 1, tail.at, out);
	return true;
}

static void put_counter(struct trace *trace, size_t thread)
{
	struct track *track = &trace->track[thread];
	const char *label = trace->export->summary->profile->event[trace->export->event].label;
	FILE *out = trace->export->out;

	begin(trace, "C", label, thread);
	fprintf(out, ",\"id\":\"thread %zu\"", thread + 1);
	put_time(out, "ts", track->bin * track->width);
	fprintf(out, ",\"args\":{\"count\":%" PRIu64 "}}", track->in_bin);
	track->in_bin = 0;
}

/* Returns how many of the open slices are on a node's path too. */
static size_t common(const struct profile__summary *summary, const struct track *track, uint32_t node)
{
	size_t depth = summary->node[node].depth;

	while (depth > 0 && (depth > track->depth || track->open[depth - 1].node != node)) {
		node = summary->node[node].parent;
		depth = summary->node[node].depth;
	}
	return depth;
}

/* Opens slices from the innermost open one to a node. */
static bool open_more(const struct profile__summary *summary, struct track *track, uint32_t node)
{
	size_t depth = summary->node[node].depth;

	if (depth > track->room) {
		struct open_slice *more = realloc(track->open, depth * sizeof *more);
		if (more == NULL)
			return false;
		track->open = more;
		track->room = depth;
	}
	for (size_t i = depth; i > track->depth; i--, node = summary->node[node].parent)
		track->open[i - 1] = (struct open_slice){node, track->now};
	track->depth = depth;
	return true;
}

static bool close_to(struct trace *trace, size_t thread, size_t depth)
{
	struct track *track = &trace->track[thread];

	while (track->depth > depth) {
		track->depth--;
		if (!put_slice(trace, thread, &track->open[track->depth], track->now))
			return false;
	}
	return true;
}

static void count(struct trace *trace, size_t thread, const struct profile__sample *sample)
{
	struct track *track = &trace->track[thread];
	uint64_t bin = sample->instructions / track->width;

	if (bin != track->bin) {
		put_counter(trace, thread);
		if (bin > track->bin + 1) {
			track->bin++;
			put_counter(trace, thread);
		}
		track->bin = bin;
	}
	track->in_bin += sample->weight;
}

/* Handles a sample; its stack stands for the time since the previous sample. */
static int use(void *context, const struct profile__sample *sample)
{
	struct trace *trace = context;
	const struct profile__summary *summary = trace->export->summary;
	struct track *track = &trace->track[sample->thread];

	if (sample->event != trace->export->event)
		return 0;
	const struct profile__stack *stack = profile__summary_stack(summary, sample);
	uint32_t node = stack ? stack->node : 0;
	while (summary->node[node].depth > PROFILE__SUMMARY_DEEPEST)
		node = summary->node[node].parent;
	if (!close_to(trace, sample->thread, common(summary, track, node)) ||
	    !open_more(summary, track, node))
		return -ENOMEM;
	count(trace, sample->thread, sample);
	track->now = sample->instructions;
	return 0;
}

static int look_ahead(void *context, const struct profile__sample *sample)
{
	struct track *track = &((struct trace *)context)->track[sample->thread];

	track->now = sample->instructions > track->now ? sample->instructions : track->now;
	track->samples++;
	return 0;
}

static void choose_width(struct track *track)
{
	uint64_t bins = track->samples / FULL + 1;
	uint64_t width = track->now / (bins < BINS ? bins : BINS);

	/* In a hostile file the time may be the largest possible. */
	track->width = width + (width < UINT64_MAX);
	track->now = 0;
}

static void put_thread_name(const struct profile__profile *profile, size_t t, FILE *out)
{
	const char *name = profile->thread[t].name;

	fputs(",\"args\":{\"name\":", out);
	if (name && *name)
		profile__put_json(out, name);
	else
		fprintf(out, "\"thread %zu\"", t + 1);
	fputs("}}", out);
}

static void put_names(struct trace *trace)
{
	const struct profile__profile *profile = trace->export->summary->profile;
	FILE *out = trace->export->out;

	begin(trace, "M", "process_name", 0);
	fputs(",\"args\":{\"name\":", out);
	profile__put_json(out, profile->program);
	fputs("}}", out);
	for (size_t t = 0; t < profile->threads; t++) {
		begin(trace, "M", "thread_name", t);
		if (profile->system)
			fprintf(out, ",\"args\":{\"name\":\"vCPU %" PRId32 "\"}}", profile->thread[t].tid);
		else
			put_thread_name(profile, t, out);
	}
}

static int put_all(struct trace *trace)
{
	const struct profile__profile *profile = trace->export->summary->profile;

	int code = profile__each(profile, look_ahead, trace);
	for (size_t t = 0; t < profile->threads; t++)
		choose_width(&trace->track[t]);
	put_names(trace);
	code = code ? code : profile__each(profile, use, trace);
	for (size_t t = 0; t < profile->threads; t++) {
		if (!close_to(trace, t, 0))
			code = -ENOMEM;
		if (trace->track[t].now)
			put_counter(trace, t);
	}
	return code;
}

int profile__export_trace(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	size_t functions = export->summary->functions;
	struct trace trace = {.export = export,
			      .track = calloc(profile->threads + 1, sizeof *trace.track),
			      .named = calloc(functions + 1, sizeof *trace.named)};
	int code = -ENOMEM;

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"core\":", export->out);
	profile__put_json(export->out, profile->core);
	fputs(",\"clock\":\"instructions of the thread; 1 ns is one\"},\n\"traceEvents\":[", export->out);
	if (trace.track && trace.named)
		code = put_all(&trace);
	fputs("\n]}\n", export->out);
	for (size_t t = 0; trace.track && t < profile->threads; t++)
		free(trace.track[t].open);
	for (size_t f = 0; trace.named && f < functions; f++)
		free(trace.named[f]);
	free(trace.named);
	free(trace.track);
	return code;
}
