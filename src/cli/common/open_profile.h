/* SPDX-License-Identifier: MIT */
/**
 * A recorded profile, opened and summed up for the commands that show it: export, annotate, diff, html.
 */
#ifndef APMU_CLI_COMMON_OPEN_PROFILE_H
#define APMU_CLI_COMMON_OPEN_PROFILE_H

#include "cli/cli.h"
#include "profile/summary.h"

#define APMU__DATA_FILE "apmu.data" /* what `apmu record` writes when it is told no other */

struct apmu__load_options {
	const char *input; /* NULL: APMU__DATA_FILE */
	const char *event; /* label or the manual's name; NULL: the first */
	const char *sysroot, *debug_dir;
	bool no_inlines, no_lines;
	bool by_thread; /* see struct apmu__summary */
};

struct apmu__open_profile {
	const char *path;
	struct apmu__profile *profile;
	struct apmu__resolver *resolver;
	struct apmu__summary summary;
	uint32_t event; /* the chosen one */
};

/* Opens, chooses the event, names and sums up. Says what is wrong with the file, and what could not be named,
 * on the error stream. 0, or an exit code after a complaint. apmu__unload() in any case. */
int apmu__load(const struct apmu__cli *cli, const struct apmu__load_options *options,
	       struct apmu__open_profile *loaded);
void apmu__unload(struct apmu__open_profile *loaded);

/* Only the file and the event: no names, no sums. */
int apmu__load_profile(const struct apmu__cli *cli, const struct apmu__load_options *options,
		       struct apmu__open_profile *loaded);

#endif
