/* SPDX-License-Identifier: MIT */
/**
 * `apmu annotate`: declarations that its files share. cmd_annotate.c: parses and chooses functions.
 * annotate_functions.c: gathers instructions by function. annotate.c: prints one function. annotate_exact.c:
 * runs a program for --exact.
 */
#ifndef APMU_CLI_ANNOTATE_ANNOTATE_H
#define APMU_CLI_ANNOTATE_ANNOTATE_H

#include "cli/common/disassemble.h"
#include "cli/common/open_profile.h"
#include "cli/common/source_lines.h"
#include "cli/common/temporary.h"

/* A function of a file as it lies in memory, with what was inlined into it; or all code of a file that has no
 * names. */
struct cli__body {
	const struct profile__place *place; /* one of its places */
	const char *name;
	bool named;
	uint64_t *weight; /* by event */
	uint32_t *spot;   /* indices into summary.spot, by address */
	size_t spots;
};

struct cli__bodies {
	struct cli__body *body; /* hottest first, by the chosen event */
	size_t n;
};

void cli__bodies_make(struct cli__bodies *bodies, const struct cli__open_profile *loaded);
void cli__bodies_free(struct cli__bodies *bodies);

struct cli__annotate_style {
	bool no_source;   /* instructions only */
	bool no_code;     /* source lines only */
	uint32_t context; /* instructions kept on each side of one with a count; UINT32_MAX: all */
	bool coloured;
};

/* Guesses that nameless code is T32 if an instruction ran at an address that is no multiple of four, as A32's
 * are, or if the program's entry says so. */
void cli__annotate_guess(const struct cli__open_profile *loaded, const struct cli__body *body,
			 struct cli__disassembler *disassembler);

/* Prints one function. */
void cli__annotate(const struct cli__open_profile *loaded, const struct cli__body *body,
		   const struct cli__annotate_style *style, struct cli__sources *sources, FILE *out);

/* `annotate --exact`: what is passed to `record`, and the file that `record` writes. */
struct cli__exact {
	bool on;
	const char *foreign; /* an option that is record's alone; NULL: none was given */
	const char
		*output; /* the file with the counts; NULL: a temporary one, named here by cli__exact_run() */
	char **word;     /* record's options, owned */
	size_t words;
	char **argv; /* the program, NULL-terminated */
	struct cli__temporary temporary;
};

/* Adds an option for `record`; takes the string over. */
void cli__exact_word(struct cli__exact *exact, char *word);

/* Runs `record --exact`. What the program prints on its standard output goes to standard error, because the
 * command's own is for the counts. 0, with the program's exit status in *exits, or an exit code after a
 * complaint. */
int cli__exact_run(struct cli__cli *cli, struct cli__exact *exact, int *exits);
void cli__exact_free(struct cli__exact *exact);

#endif
