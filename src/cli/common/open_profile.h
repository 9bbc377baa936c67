/* SPDX-License-Identifier: MIT */
/**
 * A recorded profile, opened and summed up for the commands that show it: report, annotate, export, diff,
 * c2c.
 */
#ifndef APMU_CLI_COMMON_OPEN_PROFILE_H
#define APMU_CLI_COMMON_OPEN_PROFILE_H

#include "cli/cli.h"
#include "profile/summary.h"

#define CLI__DATA_FILE "apmu.data" /* what `apmu record` writes without -o */

struct cli__load_options {
	const char *input; /* NULL: CLI__DATA_FILE */
	const char *event; /* label or the manual's name; NULL: the first */
	const char *sysroot, *debug_dir;
	bool no_inlines, no_lines;
	bool by_thread; /* see struct profile__summary */
};

struct cli__open_profile {
	const char *path;
	struct profile__profile *profile;
	struct profile__resolver *resolver;
	struct profile__summary summary;
	uint32_t event; /* index of the chosen event */
};

/* Warns about names: files that were rebuilt since the recording and, with `functions`, files without
 * names. */
void cli__say_notes(const struct cli__cli *cli, const struct profile__resolver *resolver, bool functions);

/* Opens the file, chooses the event, resolves names and sums up. Reports flaws of the file and missing names
 * on the error stream. 0, or an exit code after a complaint. Call cli__unload() in any case. */
int cli__load(const struct cli__cli *cli, const struct cli__load_options *options,
	      struct cli__open_profile *loaded);
void cli__unload(struct cli__open_profile *loaded);

/* Like cli__load(), but only opens the file and chooses the event: no names, no sums. */
int cli__load_profile(const struct cli__cli *cli, const struct cli__load_options *options,
		      struct cli__open_profile *loaded);

/* Prints the recorded program with its arguments, safe for a terminal. */
void cli__put_program(const struct profile__profile *profile, FILE *out);

#endif
