/* SPDX-License-Identifier: MIT */
/** Coloured output: --color=WHEN, NO_COLOR, and the check for a terminal. */
#ifndef APMU_CLI_COMMON_COLOUR_H
#define APMU_CLI_COMMON_COLOUR_H

#include "cli/cli.h"

#define CLI__COLOUR_HELP "colour: auto (the default: on a terminal, unless NO_COLOR is\nset), always or never"

enum cli__colour {
	CLI__COLOUR_NONE,
	CLI__COLOUR_DIM,
	CLI__COLOUR_GREEN,
	CLI__COLOUR_YELLOW,
	CLI__COLOUR_MAGENTA,
	CLI__COLOUR_RED
};

/* Parses --color's value, which holds for everything printed afterwards. 0, or CLI__EXIT_USAGE after a
 * complaint. */
int cli__colour_option(const struct cli__cli *cli, const char *value);

/* True if output to this stream is coloured. */
bool cli__coloured(FILE *out);

/* Escape sequences that switch a colour on and off; "" for CLI__COLOUR_NONE. */
const char *cli__colour_begin(enum cli__colour colour);
const char *cli__colour_end(enum cli__colour colour);

/* perf's colour for a function's share of a profile in percent: red from 5 on, green from 0.5 on. */
enum cli__colour cli__colour_share(double percent);

#endif
