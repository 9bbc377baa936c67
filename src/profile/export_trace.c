/* SPDX-License-Identifier: MIT */
/* Chrome's trace event format (JSON object form): slices of functions, made of the stacks of successive
 * samples, and a counter a thread. The clock is the thread's instructions, one shown as a nanosecond. */
#include "profile/export.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 500, FULL = 8 }; /* steps of a counter's curve over a thread's life; samples in one, about */

/* A function that a thread is in. */
struct open_slice {
	const struct apmu__frame *frame;
	const char *object;
	uint64_t since;
};

struct track {
	struct open_slice *open;
	size_t depth, room;
	uint64_t now;         /* instructions at the last sample */
	uint64_t bin, in_bin; /* the counter's */
	uint64_t width, samples;
};

struct trace {
	const struct apmu__export *export;
	struct track *track;              /* by thread */
	const struct apmu__frame **frame; /* of the sample in hand, outermost first */
	const char **object;
	size_t frames, room;
	bool some; /* an event was written */
};

/* Instructions are shown as nanoseconds; ts counts microseconds. */
static void put_time(FILE *out, const char *key, uint64_t at)
{
	fprintf(out, ",\"%s\":%" PRIu64 ".%03" PRIu64, key, at / 1000, at % 1000);
}

static void begin(struct trace *trace, const char *phase, const char *name, size_t thread)
{
	FILE *out = trace->export->out;

	fprintf(out, "%s{\"ph\":\"%s\",\"pid\":1,\"tid\":%zu,\"name\":", trace->some ? ",\n" : "\n", phase,
		thread + 1);
	trace->some = true;
	apmu__put_json(out, name);
}

static void put_slice(struct trace *trace, size_t thread, const struct open_slice *slice, uint64_t end)
{
	FILE *out = trace->export->out;

	if (end <= slice->since)
		return;
	begin(trace, "X", slice->frame->function, thread);
	fputs(",\"cat\":\"function\"", out);
	put_time(out, "ts", slice->since);
	put_time(out, "dur", end - slice->since);
	fputs(",\"args\":{\"object\":", out);
	apmu__put_json(out, slice->object);
	fputs(",\"file\":", out);
	apmu__put_json(out, slice->frame->file);
	fputs("}}", out);
}

static void put_counter(struct trace *trace, size_t thread)
{
	struct track *track = &trace->track[thread];
	const char *label = trace->export->summary->profile->event[trace->export->event].label;
	FILE *out = trace->export->out;

	begin(trace, "C", label, thread);
	fprintf(out, ",\"id\":\"thread %zu\"", thread);
	put_time(out, "ts", track->bin * track->width);
	fprintf(out, ",\"args\":{\"count\":%" PRIu64 "}}", track->in_bin);
	track->in_bin = 0;
}

static bool push(struct trace *trace, const struct apmu__place *place, const struct apmu__frame *frame)
{
	if (trace->frames == trace->room) {
		size_t room = trace->room ? 2 * trace->room : 64;
		const struct apmu__frame **more = realloc((void *)trace->frame, room * sizeof *more);
		if (more)
			trace->frame = more;
		const char **object = realloc((void *)trace->object, room * sizeof *object);
		if (object)
			trace->object = object;
		if (more == NULL || object == NULL)
			return false;
		trace->room = room;
	}
	trace->frame[trace->frames] = frame;
	trace->object[trace->frames++] = place->object;
	return true;
}

static bool unfold(struct trace *trace, const struct apmu__sample *sample)
{
	struct apmu__resolver *resolver = trace->export->summary->resolver;
	struct apmu__stack stack = {
		.place = apmu__place_at(resolver, sample->thread, sample->when, sample->pc),
		.thread = sample->thread,
		.chain = sample->chain,
		.when = sample->when};
	const struct apmu__place **place;
	size_t n = apmu__stack_places(trace->export->summary, &stack, &place);
	bool ok = n > 0;

	trace->frames = 0;
	for (size_t i = n; i-- > 0;)
		for (size_t j = place[i]->frames; j-- > 0;)
			ok = ok && push(trace, place[i], &place[i]->frame[j]);
	free((void *)place);
	return ok;
}

static bool open_more(struct track *track, const struct trace *trace)
{
	if (trace->frames > track->room) {
		struct open_slice *more = realloc(track->open, trace->frames * sizeof *more);
		if (more == NULL)
			return false;
		track->open = more;
		track->room = trace->frames;
	}
	for (size_t i = track->depth; i < trace->frames; i++)
		track->open[i] = (struct open_slice){trace->frame[i], trace->object[i], track->now};
	track->depth = trace->frames;
	return true;
}

static void close_to(struct trace *trace, size_t thread, size_t depth)
{
	struct track *track = &trace->track[thread];

	while (track->depth > depth) {
		track->depth--;
		put_slice(trace, thread, &track->open[track->depth], track->now);
	}
}

static void count(struct trace *trace, size_t thread, const struct apmu__sample *sample)
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

/* A sample's stack stands for the time since the sample before it. */
static int use(void *context, const struct apmu__sample *sample)
{
	struct trace *trace = context;
	struct track *track = &trace->track[sample->thread];
	size_t same = 0;

	if (sample->event != trace->export->event)
		return 0;
	if (!unfold(trace, sample))
		return -ENOMEM;
	while (same < track->depth && same < trace->frames &&
	       strcmp(track->open[same].frame->function, trace->frame[same]->function) == 0)
		same++;
	close_to(trace, sample->thread, same);
	if (!open_more(track, trace))
		return -ENOMEM;
	count(trace, sample->thread, sample);
	track->now = sample->instructions;
	return 0;
}

static int look_ahead(void *context, const struct apmu__sample *sample)
{
	struct track *track = &((struct trace *)context)->track[sample->thread];

	track->now = sample->instructions > track->now ? sample->instructions : track->now;
	track->samples++;
	return 0;
}

static void choose_width(struct track *track)
{
	uint64_t bins = track->samples / FULL + 1;

	track->width = track->now / (bins < BINS ? bins : BINS) + 1;
	track->now = 0;
}

static void put_names(struct trace *trace)
{
	const struct apmu__profile *profile = trace->export->summary->profile;
	FILE *out = trace->export->out;

	begin(trace, "M", "process_name", 0);
	fputs(",\"args\":{\"name\":", out);
	apmu__put_json(out, profile->program);
	fputs("}}", out);
	for (size_t t = 0; t < profile->threads; t++) {
		begin(trace, "M", "thread_name", t);
		fprintf(out, ",\"args\":{\"name\":\"thread %zu\"}}", t);
	}
}

static int put_all(struct trace *trace)
{
	const struct apmu__profile *profile = trace->export->summary->profile;

	(void)apmu__profile_each(profile, look_ahead, trace);
	for (size_t t = 0; t < profile->threads; t++)
		choose_width(&trace->track[t]);
	put_names(trace);
	int code = apmu__profile_each(profile, use, trace);
	for (size_t t = 0; t < profile->threads; t++) {
		close_to(trace, t, 0);
		if (trace->track[t].now)
			put_counter(trace, t);
	}
	return code;
}

int apmu__export_trace(const struct apmu__export *export)
{
	const struct apmu__profile *profile = export->summary->profile;
	struct trace trace = {.export = export, .track = calloc(profile->threads + 1, sizeof *trace.track)};
	int code = -ENOMEM;

	fputs("{\"displayTimeUnit\":\"ns\",\"otherData\":{\"core\":", export->out);
	apmu__put_json(export->out, profile->core);
	fputs(",\"clock\":\"instructions of the thread; 1 ns is one\"},\n\"traceEvents\":[", export->out);
	if (trace.track)
		code = put_all(&trace);
	fputs("\n]}\n", export->out);
	for (size_t t = 0; trace.track && t < profile->threads; t++)
		free(trace.track[t].open);
	free(trace.track);
	free((void *)trace.frame);
	free((void *)trace.object);
	return code;
}
