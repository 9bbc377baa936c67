/* SPDX-License-Identifier: MIT */
#include "cli/record/record.h"

int cli__cmd_record(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__record_options options;
	int exits = 0, bad = cli__record_options(cli, argc, argv, &options);

	if (bad == 0 && !cli->parse_only)
		bad = cli__record_run(cli, &options, &exits);
	cli__record_options_free(&options);
	return bad == CLI__RECORD_HELP ? 0 : bad ? bad : exits;
}
