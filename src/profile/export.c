/* SPDX-License-Identifier: MIT */
#include "profile/export.h"

#include <string.h>

/* clang-format off */
static const struct apmu__export_format formats[] = {
	/* name          what opens it                                                      writer                binary single time   by thread edges raw */
	{"folded",      "folded stacks, a line a stack: flamegraph.pl, speedscope, inferno", apmu__export_folded,      false, true,  false, false, false, false},
	{"callgrind",   "callgrind_annotate, KCachegrind, QCachegrind",                      apmu__export_callgrind,   false, false, false, false, false, false},
	{"pprof",       "pprof's protocol buffer, not compressed: go tool pprof, speedscope", apmu__export_pprof,      true,  false, false, false, false, false},
	{"perf",        "perf.data: perf report, perf script, perf annotate",                apmu__export_perf,        true,  false, false, false, false, true},
	{"bolt",        "BOLT's profile, .fdata: llvm-bolt --data (recorded with -b)",       apmu__export_bolt,        false, false, false, false, true,  true},
	{"autofdo",     "counted ranges: autofdo's create_llvm_prof --profiler=text (-b)",   apmu__export_autofdo,     false, false, false, false, true,  true},
	{"profgen",     "counted ranges: llvm-profgen --unsymbolized-profile (-b)",          apmu__export_profgen,     false, false, false, false, true,  true},
	{"trace",       "Chrome's trace events: ui.perfetto.dev, chrome://tracing",          apmu__export_trace,       false, true,  true,  false, false, false},
	{"csv",         "a row for each instruction, thread and event",                      apmu__export_csv,         false, false, false, true, false, false},
	{"json",        "everything, schema apmu-profile/1 (docs/json.md)",                  apmu__export_json,        false, false, false, false, false, false},
	{"openmetrics", "OpenMetrics text: Prometheus and kin",                              apmu__export_openmetrics, false, false, false, false, false, false},
};
/* clang-format on */

const struct apmu__export_format *apmu__export_format(size_t i)
{
	return i < sizeof formats / sizeof formats[0] ? &formats[i] : NULL;
}

/* Bytes of the UTF-8 sequence at `text`; 0: none (RFC 3629, without the finer rules on surrogates). */
static unsigned sequence(const unsigned char *text)
{
	static const struct {
		unsigned char mask, lead;
	} kinds[] = {{0x80, 0x00}, {0xe0, 0xc0}, {0xf0, 0xe0}, {0xf8, 0xf0}};

	for (unsigned n = 1; n <= 4; n++) {
		if ((text[0] & kinds[n - 1].mask) != kinds[n - 1].lead)
			continue;
		for (unsigned i = 1; i < n; i++)
			if ((text[i] & 0xc0) != 0x80)
				return 0;
		return n == 2 && text[0] < 0xc2 ? 0 : n;
	}
	return 0;
}

void apmu__put_json(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	if (text == NULL) {
		fputs("null", out);
		return;
	}
	fputc('"', out);
	while (*at) {
		unsigned n = sequence(at);
		if (n == 0)
			fputc('?', out);
		else if (*at == '"' || *at == '\\')
			fprintf(out, "\\%c", *at);
		else if (*at < 0x20 || *at == '<') /* "</script>" must not end a page's script */
			fprintf(out, "\\u%04x", *at);
		else
			fwrite(at, 1, n, out);
		at += n ? n : 1;
	}
	fputc('"', out);
}

void apmu__put_csv(FILE *out, const char *text)
{
	text = text ? text : "";
	if (strpbrk(text, ",\"\r\n") == NULL) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}
