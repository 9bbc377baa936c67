/* SPDX-License-Identifier: MIT */
/**
 * A profile in the formats of other tools. docs/exports.md says what each holds.
 *
 * Each writer prints one summary to a stream that the caller opened; the caller looks for errors of the
 * stream.
 */
#ifndef APMU_PROFILE_EXPORT_H
#define APMU_PROFILE_EXPORT_H

#include "profile/summary.h"

#include <stdio.h>

struct profile__export {
	const struct profile__summary *summary;
	uint32_t event; /* which one, for formats that hold one (`single`) */
	FILE *out;
};

struct profile__export_format {
	const char *name;                                   /* "folded" */
	const char *text;                                   /* what opens it */
	int (*write)(const struct profile__export *export); /* 0 or a negative errno */
	bool binary;                                        /* not for a terminal */
	bool single;                                        /* holds one event */
	bool time;      /* needs samples in order of time: no exact profile */
	bool by_thread; /* needs spots told apart by thread */
	bool edges;     /* needs branches: record -b */
	bool raw;       /* of `summary` it looks at the profile alone: no names, no sums are needed */
};

/* The i-th format, or NULL past the last. */
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

/* Prints a text as JSON has it, with its quotes; what is not UTF-8 becomes '?', controls are escaped. NULL is
 * null. */
void profile__put_json(FILE *out, const char *text);

/* Prints what may be shown of a text (base/text.h), '?' for the rest; `escape` before each character of
 * `escaped`. */
void profile__put_shown(FILE *out, const char *text, const char *escaped, char escape);

/* Prints a CSV field, quoted where it must be (RFC 4180); what a spreadsheet would compute has an apostrophe
 * before it. NULL is empty. */
void profile__put_csv(FILE *out, const char *text);

#endif
