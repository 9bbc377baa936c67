/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/colour.h"

#include "cli/common/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum { AUTO, ALWAYS, NEVER } when;

int cli__colour_option(const struct cli__cli *cli, const char *value)
{
	static const char *const word[] = {"auto", "always", "never"};

	for (unsigned i = 0; i < sizeof word / sizeof word[0]; i++)
		if (!value ? i == ALWAYS : strcmp(value, word[i]) == 0) {
			when = i;
			return 0;
		}
	return cli__option_bad(cli, "--color", value, "auto, always or never");
}

bool cli__coloured(FILE *out)
{
	const char *off = getenv("NO_COLOR"), *terminal = getenv("TERM");
	int fd = fileno(out);

	if (when != AUTO)
		return when == ALWAYS;
	return !(off && *off) && !(terminal && strcmp(terminal, "dumb") == 0) && fd >= 0 && isatty(fd);
}

const char *cli__colour_begin(enum cli__colour colour)
{
	static const char *const code[] = {"", "\033[2m", "\033[32m", "\033[33m", "\033[35m", "\033[31m"};

	return code[colour];
}

const char *cli__colour_end(enum cli__colour colour)
{
	return colour ? "\033[0m" : "";
}

enum cli__colour cli__colour_share(double percent)
{
	return percent >= 5 ? CLI__COLOUR_RED : percent >= 0.5 ? CLI__COLOUR_GREEN : CLI__COLOUR_NONE;
}
