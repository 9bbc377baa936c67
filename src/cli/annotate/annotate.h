/* SPDX-License-Identifier: MIT */
/**
 * `apmu annotate`: what its files share. cmd_annotate.c parses and chooses functions, annotate.c prints one,
 * annotate_exact.c runs a program for --exact.
 */
#ifndef APMU_CLI_ANNOTATE_ANNOTATE_H
#define APMU_CLI_ANNOTATE_ANNOTATE_H

#include "cli/common/open_profile.h"
#include "cli/common/source_lines.h"

/* A function of a file as it lies in memory, with what others were inlined into it; or, where a file has no
 * names, the whole of it. */
struct apmu__body {
	const struct apmu__profile_place *place; /* one of its places */
	const char *name;
	bool named;
	uint64_t *weight; /* by event */
	uint32_t *spot;   /* indices into summary.spot, by address */
	size_t spots;
};

struct apmu__bodies {
	struct apmu__body *body; /* hottest first, by the chosen event */
	size_t n;
};

void apmu__bodies_make(struct apmu__bodies *bodies, const struct apmu__open_profile *loaded);
void apmu__bodies_free(struct apmu__bodies *bodies);

struct apmu__annotate_style {
	bool no_source;   /* instructions only */
	bool no_code;     /* source lines only */
	uint32_t context; /* instructions kept round one with a count; UINT32_MAX: all */
};

/* Prints one function. */
void apmu__annotate(const struct apmu__open_profile *loaded, const struct apmu__body *body,
		    const struct apmu__annotate_style *style, struct apmu__sources *sources, FILE *out);

/* `annotate --exact`: what it hands to `record`, and the file between them. */
struct apmu__exact {
	bool on;
	const char *foreign; /* an option that is record's alone; NULL: none was given */
	const char *
		output; /* the file with the counts; NULL: a temporary one, named here by apmu__exact_run() */
	char **word;    /* record's options, owned */
	size_t words;
	char **argv;     /* the program, NULL-terminated */
	char *temporary; /* removed by apmu__exact_free() */
};

/* Adds an option for `record`; takes the string over. */
void apmu__exact_word(struct apmu__exact *exact, char *word);

/* Records exactly. What the program prints on its standard output goes to standard error: ours is for the
 * counts. 0 and how the program ended, or an exit code after a complaint. */
int apmu__exact_run(struct apmu__cli *cli, struct apmu__exact *exact, int *exits);
void apmu__exact_free(struct apmu__exact *exact);

#endif
