/* SPDX-License-Identifier: MIT */
/* `apmu top-down --by KEYS`: makes an exact recording of the CPI stack in a temporary file, and reports
 * it. */
#include "cli/common/output.h"
#include "cli/common/temporary.h"
#include "cli/record/record.h"
#include "cli/top-down/topdown.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_BY = 1000 };

/* The table of stat's options, with --by before them. */
static struct cli__option *table_of(void)
{
	const struct cli__option *stat = cli__stat_table();
	size_t n = 0;

	while (stat[n].name)
		n++;
	struct cli__option *table = cli__zalloc(n + 2, sizeof *table);
	table[0] = (struct cli__option){0, "by", "KEYS", "", OPT_BY};
	memcpy(table + 1, stat, (n + 1) * sizeof *table);
	return table;
}

char **cli__topdown_words(struct cli__cli *cli, int argc, char **argv, int *words, const char **keys)
{
	static char metrics[] = "-M", all[] = "all";
	struct cli__option *table = table_of();
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	char **word = cli__zalloc((size_t)argc + 3, sizeof *word);
	int n = 0, id = 0;

	word[n++] = argv[0];
	word[n++] = metrics;
	word[n++] = all;
	for (int before = args.at; id != CLI__OPTION_WORD && id != CLI__OPTION_BAD; before = args.at) {
		id = cli__option_next(&args);
		if (id == OPT_BY)
			*keys = args.value;
		else
			for (; before < args.at; before++)
				word[n++] = argv[before];
	}
	for (int i = args.at; i < argc; i++)
		word[n++] = argv[i];
	*words = n;
	if (id == CLI__OPTION_BAD) {
		free((void *)word);
		word = NULL;
	}
	free(table);
	return word;
}

int cli__topdown_by_check(const struct cli__cli *cli, const struct cli__stat_options *o)
{
	const char *why = NULL;

	if (o->cores > 1)
		why = "--by is of one core: name one with -c";
	else if (o->json || o->separator)
		why = "--by prints a table alone: leave out -j and -x";
	else if (o->repeat > 1 || o->hardware || o->sample_time)
		why = "--by counts one run, exactly: leave out -r, --as-hardware and --sample-time";
	if (!why)
		return 0;
	cli__message(cli, "%s", why);
	return CLI__EXIT_USAGE;
}

static int record(struct cli__cli *cli, const struct cli__stat_options *o, const struct cli__temporary *file,
		  int *exits)
{
	struct cli__record_options r = {.core = o->core[0].core,
					.uarch = o->core[0].uarch,
					.argv = o->argv,
					.sysroot = o->sysroot,
					.cpu = o->cpu,
					.qemu = o->qemu,
					.region = o->region,
					.kernel = o->kernel,
					.system = o->system,
					.alone = o->alone,
					.verbose = o->verbose,
					.defaulted = o->defaulted,
					.output = file->path,
					.temporary = file->folder,
					.exact = true,
					.stack = true,
					.quiet = true};
	int bad = cli__record_events(cli, &r);

	if (bad == 0)
		bad = cli__record_run(cli, &r, exits);
	cli__record_options_free(&r);
	return bad;
}

static int print(struct cli__cli *cli, const struct cli__stat_options *o, const char *path, const char *keys)
{
	struct cli__output out;
	int bad = cli__output_open(cli, &out, o->output);

	if (bad == 0) {
		bad = cli__report_parts_of(cli, path, o->sysroot, keys, o->coloured, out.stream);
		bad |= cli__output_close(cli, &out, bad == 0);
	}
	return bad;
}

int cli__topdown_by(struct cli__cli *cli, const struct cli__stat_options *o, const char *keys)
{
	struct cli__temporary file;
	int exits = 0, bad = cli__temporary_open(cli, &file);

	if (bad == 0)
		bad = record(cli, o, &file, &exits);
	if (bad == 0)
		bad = print(cli, o, file.path, keys);
	cli__temporary_close(&file);
	return bad ? bad : exits;
}
