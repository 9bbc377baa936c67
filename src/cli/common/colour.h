/* SPDX-License-Identifier: MIT */
/** Colour in what a person reads: --color=WHEN, NO_COLOR, and whether a stream goes to a terminal. */
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

/* Takes --color's value, for all that is printed from then on. 0, or CLI__EXIT_USAGE after a complaint. */
int cli__colour_option(const struct cli__cli *cli, const char *value);

/* Is what goes to this stream coloured? */
bool cli__coloured(FILE *out);

/* What begins and what ends a colour on a terminal; "" for CLI__COLOUR_NONE. */
const char *cli__colour_begin(enum cli__colour colour);
const char *cli__colour_end(enum cli__colour colour);

/* perf's colour of a function's share of a profile, percent: above 5 red, above 0.5 green. */
enum cli__colour cli__colour_share(double percent);

#endif
