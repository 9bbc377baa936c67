/* SPDX-License-Identifier: MIT */
#include "cli/record/record.h"

#include <stdlib.h>

int cli__cmd_record(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__record_options first;
	int exits = 0, bad = cli__record_options_of(cli, argc, argv, 0, &first);
	size_t n = bad == 0 ? first.cores : 1;
	struct cli__record_options *each = cli__zalloc(n, sizeof *each);

	each[0] = first;
	for (size_t i = 1; i < n && bad == 0; i++)
		bad = cli__record_options_of(cli, argc, argv, i, &each[i]);
	if (bad == 0 && !cli->parse_only)
		bad = cli__record_runs(cli, each, n, &exits);
	for (size_t i = 0; i < n; i++)
		cli__record_options_free(&each[i]);
	free(each);
	return bad == CLI__RECORD_HELP ? 0 : bad ? bad : exits;
}
