/* SPDX-License-Identifier: MIT */
/* Whether `apmu stat` takes the command lines of a plan, before any is run. */
#include "cli/sweep/sweep.h"

#include <stdlib.h>

/* Lets stat read the run's command line. Returns its exit code; it complains to `err`. */
static int read_by_stat(const struct cli__sweep_run *run, FILE *err)
{
	struct cli__words all = {0};

	cli__words_add(&all, "apmu");
	for (size_t i = 0; i < run->stat.n; i++)
		cli__words_add(&all, run->stat.word[i]);
	int code = cli__parse_only((int)all.n, all.word, err, err);
	cli__words_free(&all);
	return code;
}

/* True if no run so far was taken, or none with one of this run's values. Notes the run if it `was` taken. */
static bool is_first(const struct cli__sweep *sweep, const struct cli__sweep_run *run, bool *taken, bool was)
{
	bool first = !taken[0];
	size_t at = 1; /* of the set's first value; before it: of the plan */

	taken[0] |= was;
	for (size_t s = 0; s < sweep->sets; at += sweep->set[s++].values.n) {
		first |= !taken[at + run->value[s]];
		taken[at + run->value[s]] |= was;
	}
	return first;
}

int cli__sweep_check(const struct cli__cli *cli, const char *path, const struct cli__sweep *sweep)
{
	size_t values = 1;
	FILE *nowhere = fopen("/dev/null", "w");
	int code = 0;

	for (size_t s = 0; s < sweep->sets; s++)
		values += sweep->set[s].values.n;
	bool *taken = cli__zalloc(values, sizeof *taken);
	for (size_t i = 0; nowhere != NULL && i < sweep->runs; i++)
		if (is_first(sweep, &sweep->run[i], taken, false) &&
		    read_by_stat(&sweep->run[i], nowhere) != CLI__EXIT_USAGE)
			is_first(sweep, &sweep->run[i], taken, true);
	for (size_t i = 0; nowhere != NULL && code == 0 && i < sweep->runs; i++)
		if (is_first(sweep, &sweep->run[i], taken, false)) {
			cli__message(cli, "%s: refused is '%s':", path, sweep->run[i].command);
			code = read_by_stat(&sweep->run[i], cli->err);
		}
	if (nowhere != NULL)
		fclose(nowhere);
	free(taken);
	return code;
}
