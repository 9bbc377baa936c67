/* SPDX-License-Identifier: MIT */
/** `apmu top-down`: cmd_topdown.c prints by core, topdown_by.c by function, line or another key of a
 * report. */
#ifndef APMU_CLI_TOPDOWN_TOPDOWN_H
#define APMU_CLI_TOPDOWN_TOPDOWN_H

#include "cli/report/report.h"
#include "cli/stat/stat.h"

/* The command line for stat's parser, with "-M all" added and without --by, whose value goes to `keys`; to be
 * freed. NULL after a complaint. */
char **cli__topdown_words(struct cli__cli *cli, int argc, char **argv, int *words, const char **keys);

/* Refuses options that --by does not take. 0, or an exit code after a complaint. */
int cli__topdown_by_check(const struct cli__cli *cli, const struct cli__stat_options *options);

/* Runs the program once, counts each instruction and prints the sums by `keys`. Returns the command's exit
 * code. */
int cli__topdown_by(struct cli__cli *cli, const struct cli__stat_options *options, const char *keys);

#endif
