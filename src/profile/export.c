/* SPDX-License-Identifier: MIT */
#include "profile/export.h"

#include "base/text.h"

#include <string.h>

/* clang-format off */
static const struct profile__export_format formats[] = {
	/* name          what opens it                                                      writer                binary single time   by thread edges raw */
	{"folded",      "folded stacks, one per line: flamegraph.pl, speedscope, inferno", profile__export_folded,      false, true,  false, false, false, false},
	{"callgrind",   "callgrind_annotate, KCachegrind, QCachegrind",                      profile__export_callgrind,   false, false, false, false, false, false},
	{"pprof",       "pprof's protocol buffer, not compressed: go tool pprof, speedscope", profile__export_pprof,      true,  false, false, false, false, false},
	{"perf",        "perf.data: perf report, perf script, perf annotate",                profile__export_perf,        true,  false, false, false, false, true},
	{"bolt",        "BOLT's profile, .fdata: llvm-bolt --data (recorded with -b)",       profile__export_bolt,        false, false, false, false, true,  true},
	{"autofdo",     "counted ranges: autofdo's create_llvm_prof --profiler=text (-b)",   profile__export_autofdo,     false, false, false, false, true,  true},
	{"profgen",     "counted ranges: llvm-profgen --unsymbolized-profile (-b)",          profile__export_profgen,     false, false, false, false, true,  true},
	{"trace",       "Chrome's trace events: ui.perfetto.dev, chrome://tracing",          profile__export_trace,       false, true,  true,  false, false, false},
	{"csv",         "a row for each instruction, thread and event",                      profile__export_csv,         false, false, false, true, false, false},
	{"json",        "everything, schema apmu-profile/1 (docs/json.md)",                  profile__export_json,        false, false, false, false, false, false},
	{"openmetrics", "OpenMetrics text: Prometheus and others",                           profile__export_openmetrics, false, false, false, false, false, false},
};
/* clang-format on */

const struct profile__export_format *profile__export_format(size_t i)
{
	return i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

void profile__put_json(FILE *out, const char *text)
{
	if (text == NULL) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	for (unsigned n; *text; text += n ? n : 1) {
		uint32_t c = 0;
		n = apmu_base__utf8(text, &c);
		if (n == 0)
			fputc('?', out);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (apmu_base__commands(c) ||
			 *text == '<') /* "</script>" must not end a page's script */
			fprintf(out, "\\u%04x", (unsigned)c);
		else
			fwrite(text, 1, n, out);
	}
	fputc('"', out);
}

void profile__put_shown(FILE *out, const char *text, const char *escaped, char escape)
{
	unsigned n;

	for (; *text; text += n) {
		unsigned shown = apmu_base__shown(text, &n);
		if (shown && strchr(escaped, *text))
			fputc(escape, out);
		fwrite(shown ? text : "?", 1, shown ? n : 1, out);
	}
}

/* A cell that begins with one of these characters is a formula to a spreadsheet; with an apostrophe before
 * it, it is text. */
void profile__put_csv(FILE *out, const char *text)
{
	text = text ? text : "";
	bool formula = *text && strchr("=+-@\t\r", *text);

	if (!formula && strpbrk(text, ",\"\r\n") == NULL) {
		profile__put_shown(out, text, "", '\0');
		return;
	}
	fputs(formula ? "\"'" : "\"", out);
	profile__put_shown(out, text, "\"", '"');
	fputc('"', out);
}
