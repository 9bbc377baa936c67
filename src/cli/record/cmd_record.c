/* SPDX-License-Identifier: MIT */
#include "cli/record/record.h"

int apmu__cmd_record(struct apmu__cli *cli, int argc, char **argv)
{
	struct apmu__record_options options;
	int exits = 0, bad = apmu__record_options(cli, argc, argv, &options);

	if (bad == 0 && !cli->parse_only)
		bad = apmu__record_run(cli, &options, &exits);
	apmu__record_options_free(&options);
	return bad == APMU__RECORD_HELP ? 0 : bad ? bad : exits;
}
