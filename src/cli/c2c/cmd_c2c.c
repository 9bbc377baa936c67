/* SPDX-License-Identifier: MIT */
#include "cli/c2c/c2c.h"

#include "cli/common/colour.h"
#include "cli/common/options.h"

#include <apmu/uarch.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_INPUT, OPT_MOST, OPT_LINE, OPT_LIMIT, OPT_ALL, OPT_ROOT, OPT_DEBUG, OPT_COLOUR, OPT_HELP };

static const struct cli__option table[] = {
	{'i', "input", "FILE", "the recording (default " CLI__DATA_FILE "; -: standard input)", OPT_INPUT},
	{'n', "lines", "N", "the first N lines alone", OPT_MOST},
	{0, "line-size", "BYTES",
	 "bytes of a line (default: of the L1 data of the core that\nwas recorded, or else 64)", OPT_LINE},
	{0, "percent-limit", "P", "leave out lines below P percent of all transfers (default 1)", OPT_LIMIT},
	{0, "all", NULL, "also lines that are not contended: no store, or only one\nthread, was sampled",
	 OPT_ALL},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "debug-dir", "DIR", "separate debug files are looked for here first", OPT_DEBUG},
	{0, "color", "[=WHEN]", CLI__COLOUR_HELP, OPT_COLOUR},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

static void print_help(FILE *out)
{
	fputs("usage: apmu c2c record [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	      "       apmu c2c [report] [OPTION]... [FILE]\n"
	      "\n"
	      "Finds cache lines that threads fight for. 'record' is 'apmu record -d --transfers', and takes its options: it\n"
	      "samples lines that move from one core's first level to another's, each thread having a core of its own. 'report'\n"
	      "names the lines, worst first, with the code on all sides: thread, function, source line, offset in the line.\n"
	      "A line is shared falsely if no word of it was sampled in two threads of which one writes it. An access counts\n"
	      "for the word in which it begins; accesses that did not wait for the line, as where the prefetcher or an access\n"
	      "just before had brought it, are not seen: look whether the code around uses words in common. 'modified' is the\n"
	      "share of transfers whose line the other core had modified (perf's HITM); 'latency' is of loads, in cycles.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu c2c record --core cortex-a72 -- ./prog args && apmu c2c report\n"
	      "  apmu c2c -n 1 lines.data\n",
	      out);
}

enum { HELP = -1, LEAST = 8, MOST = 4096, USUAL = 64 };

static bool is_size(uint64_t size)
{
	return size >= LEAST && size <= MOST && (size & (size - 1)) == 0;
}

static int set_size(const struct cli__cli *cli, const char *value, uint64_t *out)
{
	if (cli__number(value, MOST, out) && is_size(*out))
		return 0;
	return cli__option_bad(cli, "--line-size", value, "a power of two from 8 to 4096");
}

static int set_most(const struct cli__cli *cli, const char *value, uint64_t *out)
{
	if (cli__number(value, INT32_MAX, out) && *out)
		return 0;
	return cli__option_bad(cli, "-n", value, "a number of lines, 1 or more");
}

static int set_option(struct cli__cli *cli, int id, const char *value, struct cli__c2c_options *o)
{
	switch (id) {
	case OPT_INPUT: o->load.input = value; return 0;
	case OPT_MOST: return set_most(cli, value, &o->most);
	case OPT_LINE: return set_size(cli, value, &o->size);
	case OPT_LIMIT: return cli__option_percent(cli, "--percent-limit", value, 100, &o->limit);
	case OPT_ALL: o->all = true; return 0;
	case OPT_ROOT: o->load.sysroot = value; return 0;
	case OPT_DEBUG: o->load.debug_dir = value; return 0;
	case OPT_COLOUR: return cli__colour_option(cli, value);
	default: print_help(cli->out); return HELP;
	}
}

static int parse(struct cli__cli *cli, int argc, char **argv, struct cli__c2c_options *o)
{
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	int id, bad = 0;

	*o = (struct cli__c2c_options){.limit = 1, .load.event = CLI__C2C_EVENT};
	while (bad == 0 && ((id = cli__option_next(&args)) != CLI__OPTION_WORD || args.at < argc)) {
		if (id == CLI__OPTION_WORD && o->load.input != NULL)
			break;
		if (id == CLI__OPTION_WORD)
			o->load.input = argv[args.at++];
		else
			bad = id == CLI__OPTION_BAD ? CLI__EXIT_USAGE : set_option(cli, id, args.value, o);
	}
	if (bad == 0 && args.at < argc) {
		cli__message(cli, "unexpected argument '%s': a report takes one recording", argv[args.at]);
		bad = CLI__EXIT_USAGE;
	}
	return bad;
}

/* Refuses a recording without the event of transfers: other events have transfers only by chance. */
static int check_recording(const struct cli__cli *cli, const struct cli__open_profile *loaded)
{
	const struct profile__profile *p = loaded->profile;

	if (p->data && strcmp(p->event[loaded->event].label, CLI__C2C_EVENT) == 0)
		return 0;
	cli__message(cli, "%s was recorded without transfers of lines: 'apmu c2c record' takes them",
		     loaded->path);
	return CLI__EXIT_FAILURE;
}

/* Bytes of a line of L1 data: what was recorded, or else, in recordings of an older apmu, the core's own. */
static uint64_t line_of(const struct profile__profile *p)
{
	const struct apmu_core *core = apmu_core_find(p->core);
	const struct apmu_uarch_params *row = core ? apmu_uarch_find(core->uarch) : NULL;

	if (is_size(p->line))
		return p->line;
	return row && is_size(row->l1d.line) ? row->l1d.line : USUAL;
}

static int report(struct cli__cli *cli, struct cli__c2c_options *o, struct cli__open_profile *loaded)
{
	const struct profile__resolver_options names = {.sysroot = o->load.sysroot,
							.debug_dir = o->load.debug_dir};
	struct cli__load_options file = o->load;
	struct cli__c2c c2c = {0};

	file.event = NULL;
	int bad = cli__load_profile(cli, &file, loaded);
	if (bad == 0)
		for (uint32_t e = 0; e < loaded->profile->events; e++)
			if (strcmp(loaded->profile->event[e].label, o->load.event) == 0)
				loaded->event = e;
	if (bad == 0)
		bad = check_recording(cli, loaded);
	if (bad != 0)
		return bad;
	if (o->size == 0)
		o->size = line_of(loaded->profile);
	loaded->resolver = profile__resolver_open(loaded->profile, &names);
	bad = loaded->resolver ? cli__c2c_sum(&c2c, loaded, loaded->event, o->size) : -ENOMEM;
	if (bad == 0)
		cli__c2c_text(o, loaded, &c2c, cli->out);
	else
		cli__message(cli, "%s: %s", loaded->path, strerror(-bad));
	fflush(cli->out);
	if (bad == 0)
		cli__say_notes(cli, loaded->resolver, true);
	cli__c2c_free(&c2c);
	return bad ? CLI__EXIT_FAILURE : 0;
}

/* Runs `record -d --transfers` with the rest of the command line. */
static int record(struct cli__cli *cli, int argc, char **argv)
{
	char **args = cli__zalloc((size_t)argc + 3, sizeof *args);
	static char data[] = "-d", transfers[] = "--transfers";

	args[0] = argv[0];
	args[1] = data;
	args[2] = transfers;
	memcpy(args + 3, argv + 1, (size_t)(argc - 1) * sizeof *args);
	int code = cli__cmd_record(cli, argc + 2, args);
	free(args);
	return code;
}

int cli__cmd_c2c(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__c2c_options options;
	struct cli__open_profile loaded = {0};

	if (argc > 1 && strcmp(argv[1], "record") == 0)
		return record(cli, argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "report") == 0)
		argc--, argv++;
	int bad = parse(cli, argc, argv, &options);
	if (bad != 0 || cli->parse_only)
		return bad == HELP ? 0 : bad;
	bad = report(cli, &options, &loaded);
	cli__unload(&loaded);
	return bad;
}
