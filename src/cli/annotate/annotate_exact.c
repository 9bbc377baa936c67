/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
/* `apmu annotate --exact -- PROGRAM`: `apmu record --exact` into a temporary file, or into that of -o. */
#include "cli/annotate/annotate.h"
#include "cli/record/record.h"

#include <stdlib.h>
#include <unistd.h>

void cli__exact_word(struct cli__exact *exact, char *word)
{
	exact->word = cli__grow((void *)exact->word, exact->words, sizeof *exact->word);
	exact->word[exact->words++] = word;
}

void cli__exact_free(struct cli__exact *exact)
{
	cli__temporary_close(&exact->temporary);
	for (size_t i = 0; i < exact->words; i++)
		free(exact->word[i]);
	free((void *)exact->word);
}

static int choose_output(const struct cli__cli *cli, struct cli__exact *exact)
{
	if (exact->output || cli->parse_only)
		return 0;
	if (cli__temporary_open(cli, &exact->temporary) != 0)
		return CLI__EXIT_FAILURE;
	exact->output = exact->temporary.path;
	cli__exact_word(exact, cli__copy("--quiet"));
	cli__exact_word(exact, cli__format("--output=%s", exact->output));
	return 0;
}

/* Builds record's command line: "record --exact OPTION... -- PROGRAM ARGUMENT...". */
static char **command_line(const struct cli__exact *exact, int *argc)
{
	static char name[] = "record", option[] = "--exact", end[] = "--";
	size_t n = 0, words = 0;

	while (exact->argv[n] != NULL)
		n++;
	char **made = cli__zalloc(exact->words + n + 4, sizeof *made);
	made[words++] = name;
	made[words++] = option;
	for (size_t i = 0; i < exact->words; i++)
		made[words++] = exact->word[i];
	made[words++] = end;
	for (size_t i = 0; i < n; i++)
		made[words++] = exact->argv[i];
	*argc = (int)words;
	return made;
}

/* The program inherits our standard output, which is therefore standard error while the program runs. */
static int run_beside(struct cli__cli *cli, const struct cli__record_options *options, int *exits)
{
	fflush(cli->out);
	int kept = dup(STDOUT_FILENO);
	if (kept >= 0)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	int code = cli__record_run(cli, options, exits);
	if (kept >= 0) {
		dup2(kept, STDOUT_FILENO);
		close(kept);
	}
	return code;
}

int cli__exact_run(struct cli__cli *cli, struct cli__exact *exact, int *exits)
{
	struct cli__record_options options;
	int argc, code = choose_output(cli, exact);

	if (code != 0)
		return code;
	char **argv = command_line(exact, &argc);
	code = cli__record_options(cli, argc, argv, &options);
	options.temporary = exact->temporary.folder;
	if (code == 0 && !cli->parse_only)
		code = run_beside(cli, &options, exits);
	if (code == 0 && options.defaulted && !cli->parse_only)
		cli__message(cli, "counted on %s (the default core)", options.core->name);
	cli__record_options_free(&options);
	free((void *)argv);
	return code;
}
