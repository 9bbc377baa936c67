/* SPDX-License-Identifier: MIT */
/**
 * `apmu diff`: what its files share. diff_read.c reads a measurement, cmd_diff.c compares and judges,
 * diff_print.c prints.
 */
#ifndef APMU_CLI_DIFF_DIFF_H
#define APMU_CLI_DIFF_DIFF_H

#include "cli/common/open_profile.h"

/* An event's count on a core. */
struct apmu__figure {
	char *core, *event;
	uint64_t value;
};

/* A run: the JSON of `apmu stat -j`, or a profile, which has functions too. */
struct apmu__measured {
	const char *path;
	struct apmu__figure *figure;
	size_t figures;
	bool profile;
	struct apmu__open_profile loaded; /* if `profile` */
};

/* 0, or an exit code after a complaint. Free in any case. */
int apmu__measured_read(const struct apmu__cli *cli, const char *path, const struct apmu__load_options *load,
			struct apmu__measured *out);
void apmu__measured_free(struct apmu__measured *measured);

/* One thing in both runs; one that a run lacks has 0 there and `missing` says which lacks it. */
enum apmu__missing { APMU__IN_BOTH, APMU__NEW_ONLY, APMU__OLD_ONLY };

struct apmu__change {
	const char *core, *event;      /* of a figure */
	const char *function, *object; /* of a function; else NULL */
	uint64_t before, after;
	enum apmu__missing missing;
	bool above; /* the limit of --fail-above */
};

struct apmu__changes {
	struct apmu__change *figure, *function; /* functions: the largest change first */
	size_t figures, functions;
};

/* Percent; HUGE_VAL from nothing to something. */
double apmu__change_percent(const struct apmu__change *change);

void apmu__diff_text(const struct apmu__changes *changes, size_t limit, FILE *out);
int apmu__diff_json(const struct apmu__changes *changes, size_t limit, FILE *out);
void apmu__diff_markdown(const struct apmu__changes *changes, size_t limit, FILE *out);

#endif
