/* SPDX-License-Identifier: MIT */
/**
 * A profile in the formats of other tools. docs/exports.md describes what each holds.
 *
 * Each writer prints one summary to a stream that the caller opened; the caller checks the stream for errors.
 */
#ifndef APMU_PROFILE_EXPORT_H
#define APMU_PROFILE_EXPORT_H

#include "profile/summary.h"

#include <stdio.h>

struct profile__export {
	const struct profile__summary *summary;
	uint32_t event; /* event to export, for formats that hold one (`single`) */
	FILE *out;
};

struct profile__export_format {
	const char *name;                                   /* "folded" */
	const char *text;                                   /* tools that read it */
	int (*write)(const struct profile__export *export); /* 0 or a negative errno */
	bool binary;                                        /* binary data, not for a terminal */
	bool single;                                        /* holds one event */
	bool time;      /* needs samples in order of time, so no exact profile */
	bool by_thread; /* needs spots per thread */
	bool edges;     /* needs branches: record -b */
	bool raw;       /* uses only the profile of `summary`: no names and no sums */
};

/* Returns the i-th format, or NULL past the last. */
const struct profile__export_format *profile__export_format(size_t i);

int profile__export_folded(const struct profile__export *export);
int profile__export_callgrind(const struct profile__export *export);
int profile__export_pprof(const struct profile__export *export);
int profile__export_trace(const struct profile__export *export);
int profile__export_csv(const struct profile__export *export);
int profile__export_json(const struct profile__export *export);
int profile__export_openmetrics(const struct profile__export *export);
int profile__export_perf(const struct profile__export *export);
int profile__export_bolt(const struct profile__export *export);
int profile__export_autofdo(const struct profile__export *export);
int profile__export_profgen(const struct profile__export *export);

/* Prints a text as a JSON string with its quotes; bytes that are not UTF-8 become '?', control characters are
 * escaped. NULL becomes null. */
void profile__put_json(FILE *out, const char *text);

/* Prints a text with '?' for what may not be shown (base/text.h), and `escape` before each character of
 * `escaped`. */
void profile__put_shown(FILE *out, const char *text, const char *escaped, char escape);

/* Prints a CSV field, quoted where necessary (RFC 4180); what a spreadsheet would take for a formula gets an
 * apostrophe in front. NULL is empty. */
void profile__put_csv(FILE *out, const char *text);

#endif
