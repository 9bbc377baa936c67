/* SPDX-License-Identifier: MIT */
/* The schema apmu-profile/1: docs/json.md. It has no process or thread numbers, so two equal runs give equal
 * bytes. */
#include "profile/export.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, "\"%s\":", name);
	profile__put_json(out, text);
}

static void put_weights(FILE *out, const char *name, const uint64_t *weight, size_t n)
{
	fprintf(out, ",\"%s\":[", name);
	for (size_t e = 0; e < n; e++)
		fprintf(out, "%s%" PRIu64, e ? "," : "", weight[e]);
	fputc(']', out);
}

static void put_events(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	FILE *out = export->out;

	fputs(",\n\"events\":[", out);
	for (size_t e = 0; e < profile->events; e++) {
		const struct profile__event *event = &profile->event[e];
		fputs(e ? ",\n {" : "\n {", out);
		put_text(out, "event", event->label);
		fputc(',', out);
		put_text(out, "name", event->name);
		if (event->number == PROFILE__CYCLE_COUNTER || event->number == PROFILE__SIGNAL)
			fputs(",\"number\":null", out);
		else
			fprintf(out, ",\"number\":%" PRIu32, event->number);
		fprintf(out,
			",\"period\":%" PRIu64 ",\"frequency\":%" PRIu64 ",\"total\":%" PRIu64
			",\"samples\":%" PRIu64 ",\"weight\":%" PRIu64 "}",
			event->period, event->frequency, event->total, event->samples, event->weight);
	}
	fputs("]", out);
}

static void put_threads(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	FILE *out = export->out;

	fputs(",\n\"threads\":[", out);
	for (size_t t = 0; t < profile->threads; t++) {
		const struct profile__thread *thread = &profile->thread[t];
		fprintf(out,
			"%s {\"instructions\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"samples\":%" PRIu64
			",\"resyncs\":%" PRIu64,
			t ? ",\n" : "\n", thread->instructions, thread->cycles, thread->samples,
			thread->resyncs);
		put_weights(out, "totals", thread->total, profile->events);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_functions(const struct profile__export *export)
{
	const struct profile__summary *summary = export->summary;
	FILE *out = export->out;

	fputs(",\n\"functions\":[", out);
	for (size_t i = 0; i < summary->functions; i++) {
		const struct profile__function *function = &summary->function[i];
		fputs(i ? ",\n {" : "\n {", out);
		put_text(out, "function", function->name);
		fputc(',', out);
		put_text(out, "object", function->place->object);
		fputc(',', out);
		put_text(out, "file", function->file);
		put_weights(out, "self", &summary->self[i * summary->events], summary->events);
		put_weights(out, "total", &summary->total[i * summary->events], summary->events);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_instructions(const struct profile__export *export)
{
	const struct profile__summary *summary = export->summary;
	FILE *out = export->out;

	fputs(",\n\"instructions\":[", out);
	for (size_t i = 0; i < summary->spots; i++) {
		const struct profile__place *place = summary->spot[i].place;
		fprintf(out, "%s {\"address\":%" PRIu64 ",", i ? ",\n" : "\n", place->address);
		put_text(out, "object", place->object);
		fputc(',', out);
		put_text(out, "function", place->function);
		fputc(',', out);
		put_text(out, "file", place->file);
		fprintf(out, ",\"line\":%" PRIu32, place->line);
		put_weights(out, "self", &summary->spot_weight[i * summary->events], summary->events);
		fputc('}', out);
	}
	fputs("]", out);
}

static void put_tree(const struct profile__export *export)
{
	const struct profile__summary *summary = export->summary;
	FILE *out = export->out;

	fputs(",\n\"tree\":[\n {\"parent\":null,\"function\":null", out);
	put_weights(out, "self", summary->node_self, summary->events);
	for (size_t i = 1; i < summary->nodes; i++) {
		fprintf(out, "},\n {\"parent\":%" PRIu32 ",\"function\":%" PRIu32, summary->node[i].parent,
			summary->node[i].function);
		put_weights(out, "self", &summary->node_self[i * summary->events], summary->events);
	}
	fputs("}]", out);
}

int profile__export_json(const struct profile__export *export)
{
	const struct profile__profile *profile = export->summary->profile;
	FILE *out = export->out;

	fputs("{\"schema\":\"apmu-profile/1\",\n", out);
	put_text(out, "core", profile->core);
	fputs(",\n\"program\":[", out);
	for (size_t i = 0; i < profile->args; i++) {
		fputs(i ? "," : "", out);
		profile__put_json(out, profile->argv[i]);
	}
	fprintf(out, "],\n\"mode\":\"%s\",\"chains\":%s,\"exit\":%d,\"signal\":%d,\"lost\":%" PRIu64,
		profile->exact ? "exact" : "sampled", profile->chains ? "true" : "false", profile->exit,
		profile->signal, profile->lost);
	put_events(export);
	put_threads(export);
	put_functions(export);
	put_instructions(export);
	put_tree(export);
	fputs("\n}\n", out);
	return 0;
}
