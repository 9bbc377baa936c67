/* SPDX-License-Identifier: MIT */
#include "cli/annotate/annotate.h"
#include "cli/common/colour.h"
#include "cli/common/options.h"
#include "cli/common/suggest.h"
#include "cli/record/record.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_INPUT,
	OPT_EVENT,
	OPT_ROOT,
	OPT_DEBUG,
	OPT_LIMIT,
	OPT_CONTEXT,
	OPT_SOURCE,
	OPT_NO_SOURCE,
	OPT_SYMBOL,
	OPT_EXACT,
	OPT_COLOUR,
	OPT_HELP,
	OPT_CORE, /* from here on: options of record too */
	OPT_OUTPUT,
	OPT_RECORD /* from here on: rows of record's table */
};

static const struct cli__option options[] = {
	{'i', "input", "FILE", "the recording (default " CLI__DATA_FILE "; -: standard input)", OPT_INPUT},
	{'e', "event", "EVENT", "sort and give shares by this event (default: the first\nrecorded)",
	 OPT_EVENT},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "debug-dir", "DIR", "separate debug files are looked for here first", OPT_DEBUG},
	{0, "percent-limit", "P", "without a FUNCTION: only those with at least P percent\n(default 1)",
	 OPT_LIMIT},
	{0, "context", "N", "only instructions with counts and N on each side (default:\nwhole functions)",
	 OPT_CONTEXT},
	{'l', "lines", NULL, "source lines with their counts, no instructions", OPT_SOURCE},
	{0, "no-source", NULL, "instructions, no source lines", OPT_NO_SOURCE},
	{'s', "symbol", "FUNCTION", "the same as the argument FUNCTION; perf's form", OPT_SYMBOL},
	{0, "exact", NULL,
	 "run PROGRAM, count each of its instructions, show that;\ntakes the options of 'apmu record' too",
	 OPT_EXACT},
	{0, "core", "NAME", "with --exact: the core to run on", OPT_CORE},
	{'o', "output", "FILE", "with --exact: keep the counts in FILE", OPT_OUTPUT},
	{0, "color", "[=WHEN]", CLI__COLOUR_HELP, OPT_COLOUR},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	struct cli__load_options load;
	struct cli__annotate_style style;
	double limit;      /* percent */
	const char **name; /* functions to show; none: the hottest */
	size_t names;
	struct cli__exact exact;
	bool help;
};

static void print_help(FILE *out)
{
	fputs("usage: apmu annotate [OPTION]... [FUNCTION]...\n"
	      "       apmu annotate --exact [OPTION]... [FUNCTION]... -- PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Shows a recorded profile instruction by instruction, below the source lines that they come from: a column\n"
	      "for each event, with its occurrences, and the share of the function's in the first. A FUNCTION may be a\n"
	      "pattern such as 'parse*'; without one the hottest are shown.\n"
	      "\n"
	      "With --exact it runs a program first, as 'apmu record --exact' does, and shows the exact count of each\n"
	      "instruction. What the program prints goes to standard error then, and its exit status is apmu's.\n"
	      "\n",
	      out);
	cli__options_help(options, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu record --core cortex-a53 -e cache-misses,branch-misses -- ./prog && apmu annotate\n"
	      "  apmu annotate -e branch-misses --context 3 'parse(char const*)'\n"
	      "  apmu annotate --exact --core cortex-a53 -e instructions,cycles main -- ./prog args\n",
	      out);
}

/* Keeps an option for `record`, which knows it too, or alone. */
static void pass_on(struct request *request, const struct cli__option *row, const char *value)
{
	cli__exact_word(&request->exact,
			value ? cli__format("--%s=%s", row->name, value) : cli__format("--%s", row->name));
	if (row->id != OPT_EVENT && row->id != OPT_ROOT)
		request->exact.foreign = row->name;
}

static void add_name(struct request *request, const char *name)
{
	request->name = cli__grow((void *)request->name, request->names, sizeof *request->name);
	request->name[request->names++] = name;
}

static int take_option(const struct cli__cli *cli, struct request *request, const struct cli__option *row,
		       const char *value)
{
	uint64_t number;

	if (row->id == OPT_EVENT || row->id == OPT_ROOT || row->id >= OPT_CORE)
		pass_on(request, row, value);
	switch (row->id) {
	case OPT_INPUT: request->load.input = value; break;
	case OPT_EVENT: request->load.event = value; break;
	case OPT_ROOT: request->load.sysroot = value; break;
	case OPT_DEBUG: request->load.debug_dir = value; break;
	case OPT_SOURCE: request->style.no_code = true; break;
	case OPT_NO_SOURCE: request->style.no_source = true; break;
	case OPT_EXACT: request->exact.on = true; break;
	case OPT_SYMBOL: add_name(request, value); break;
	case OPT_OUTPUT: request->exact.output = value; break;
	case OPT_COLOUR: return cli__colour_option(cli, value);
	case OPT_LIMIT: return cli__option_percent(cli, "--percent-limit", value, 100, &request->limit);
	case OPT_CONTEXT:
		if (!cli__number(value, UINT32_MAX - 1, &number))
			return cli__option_bad(cli, "--context", value, "a number of instructions");
		request->style.context = (uint32_t)number;
		break;
	case OPT_HELP: request->help = true; break;
	default: break;
	}
	return 0;
}

/* The table of our own rows, then record's, so that ours are found first; of record's rows only the name
 * counts. */
static struct cli__option *with_rows_of_record(void)
{
	const struct cli__option *other = cli__record_table();
	size_t n = sizeof options / sizeof options[0] - 1, m = 0;

	while (other[m].name != NULL)
		m++;
	struct cli__option *made = cli__zalloc(n + m + 1, sizeof *made);
	memcpy(made, options, n * sizeof *made);
	memcpy(made + n, other, m * sizeof *made);
	for (size_t i = 0; i < m; i++)
		made[n + i].id = OPT_RECORD + (int)i;
	return made;
}

static const struct cli__option *row_of(const struct cli__option *row, int id)
{
	while (row->id != id)
		row++;
	return row;
}

static int parse_words(struct cli__args *args, struct request *request)
{
	while (!request->help) {
		int id = cli__option_next(args);
		if (id == CLI__OPTION_BAD)
			return CLI__EXIT_USAGE;
		if (id != CLI__OPTION_WORD) {
			int code = take_option(args->cli, request, row_of(args->option, id), args->value);
			if (code != 0)
				return code;
			continue;
		}
		if (args->at >= args->argc || (args->done && request->exact.on))
			break;
		add_name(request, args->argv[args->at++]);
	}
	return 0;
}

/* Refuses options that contradict each other. */
static int check(const struct cli__cli *cli, const struct request *request, char **program)
{
	const struct cli__exact *exact = &request->exact;

	if (!exact->on && exact->foreign)
		cli__message(cli, "--%s is for --exact, which runs a program", exact->foreign);
	else if (exact->on && request->load.input)
		cli__message(cli, "--exact runs a program: leave out -i, or --exact");
	else if (request->style.no_code && request->style.no_source)
		cli__message(cli,
			     "-l and --no-source exclude each other: together they leave nothing to show");
	else if (exact->on && *program == NULL)
		cli__message(cli, "--exact needs a program after '--': apmu annotate --exact -- ./prog");
	else
		return 0;
	return CLI__EXIT_USAGE;
}

static int parse(const struct cli__cli *cli, int argc, char **argv, struct request *request)
{
	struct cli__option *table = with_rows_of_record();
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	int code = parse_words(&args, request);

	if (code == 0 && !request->help)
		code = check(cli, request, argv + args.at);
	request->style.coloured = cli__coloured(cli->out);
	request->exact.argv = argv + args.at;
	if (request->exact.on)
		request->load.event = NULL; /* -e said what to count; the first event sorts */
	free(table);
	return code;
}

/* True if `name` means `function`: "ns::f" means "ns::f(int)", "f" means "f.constprop.0" and "f(int) [clone
 * .isra.0]"; or a pattern that matches. */
static bool is_named(const char *function, const char *name)
{
	size_t n = strlen(name);

	return (strncmp(function, name, n) == 0 &&
		(function[n] == '\0' || strchr("(. ", function[n]) != NULL)) ||
	       (strpbrk(name, "*?[") != NULL && fnmatch(name, function, 0) == 0);
}

/* The function of this name that was inlined into a body; NULL: none. */
static const char *inlined_in(const struct cli__open_profile *loaded, const struct cli__body *body,
			      const char *name)
{
	for (size_t i = 0; i < body->spots; i++) {
		const struct profile__place *place = loaded->summary.spot[body->spot[i]].place;
		for (size_t f = 0; f + 1 < place->frames; f++)
			if (place->frame[f].function && is_named(place->frame[f].function, name))
				return place->frame[f].function;
	}
	return NULL;
}

/* Says into which functions `name` was inlined; false if into none. */
static bool say_inlined(const struct cli__cli *cli, const struct cli__open_profile *loaded,
			const struct cli__bodies *bodies, const char *name)
{
	const char *found = NULL, *into = NULL;
	size_t more = 0;

	for (size_t i = 0; i < bodies->n; i++) {
		const char *here = inlined_in(loaded, &bodies->body[i], name);
		if (here != NULL && into == NULL)
			found = here, into = bodies->body[i].name;
		else if (here != NULL)
			more++;
	}
	if (into != NULL && more != 0)
		cli__message(cli, "'%s' was inlined: its instructions are in '%s' and %zu more", found, into,
			     more);
	else if (into != NULL)
		cli__message(cli, "'%s' was inlined: its instructions are in '%s'", found, into);
	return into != NULL;
}

static int no_function(const struct cli__cli *cli, const struct cli__open_profile *loaded,
		       const struct cli__bodies *bodies, const char *name)
{
	struct cli__nearest near = {.want = name};

	if (say_inlined(cli, loaded, bodies, name))
		return CLI__EXIT_FAILURE;
	if (access(name, F_OK) == 0) {
		cli__message(cli, "'%s' is a file, not a function of the recording; -i names the recording",
			     name);
		return CLI__EXIT_USAGE;
	}
	for (size_t i = 0; i < bodies->n; i++)
		cli__nearest_offer(&near, bodies->body[i].name);
	if (cli__nearest(&near))
		cli__message(cli, "nothing was counted in '%s'; did you mean '%s'?", name,
			     cli__nearest(&near));
	else
		cli__message(cli, "nothing was counted in '%s'; 'apmu report' lists the functions", name);
	return CLI__EXIT_FAILURE;
}

static int show_named(struct cli__cli *cli, const struct request *request,
		      const struct cli__open_profile *loaded, const struct cli__bodies *bodies,
		      struct cli__sources *sources)
{
	for (size_t i = 0; i < request->names; i++) {
		bool found = false;
		for (size_t j = 0; j < bodies->n; j++) {
			if (!is_named(bodies->body[j].name, request->name[i]))
				continue;
			cli__annotate(loaded, &bodies->body[j], &request->style, sources, cli->out);
			found = true;
		}
		if (!found)
			return no_function(cli, loaded, bodies, request->name[i]);
	}
	return 0;
}

static void show_hottest(struct cli__cli *cli, const struct request *request,
			 const struct cli__open_profile *loaded, const struct cli__bodies *bodies,
			 struct cli__sources *sources)
{
	double least = (double)loaded->summary.weight[loaded->event] * request->limit / 100.0;
	size_t shown = 0;

	while (shown < bodies->n && (double)bodies->body[shown].weight[loaded->event] >= least)
		cli__annotate(loaded, &bodies->body[shown++], &request->style, sources, cli->out);
	if (bodies->n == 0)
		fputs("nothing was counted\n", cli->out);
	if (shown < bodies->n)
		fprintf(cli->out, "%zu more functions have less than %g percent each (--percent-limit)\n",
			bodies->n - shown, request->limit);
}

static int annotate(struct cli__cli *cli, const struct request *request)
{
	struct cli__open_profile loaded = {0};
	struct cli__bodies bodies = {0};
	struct cli__sources sources = {0};
	int code = cli__load(cli, &request->load, &loaded);

	if (code == 0) {
		cli__bodies_make(&bodies, &loaded);
		if (request->names)
			code = show_named(cli, request, &loaded, &bodies, &sources);
		else
			show_hottest(cli, request, &loaded, &bodies, &sources);
	}
	cli__bodies_free(&bodies);
	cli__sources_free(&sources);
	cli__unload(&loaded);
	return code;
}

/* Runs the program, then shows its counts; the exit status is the program's. */
static int run_and_annotate(struct cli__cli *cli, struct request *request)
{
	int exits = 0;
	int code = cli__exact_run(cli, &request->exact, &exits);

	request->load.input = request->exact.output;
	if (code == 0 && !cli->parse_only)
		code = annotate(cli, request);
	return code ? code : exits;
}

int cli__cmd_annotate(struct cli__cli *cli, int argc, char **argv)
{
	struct request request = {.limit = 1, .style.context = UINT32_MAX};
	int code = parse(cli, argc, argv, &request);

	if (code == 0 && request.help)
		print_help(cli->out);
	else if (code == 0 && request.exact.on)
		code = run_and_annotate(cli, &request);
	else if (code == 0 && !cli->parse_only)
		code = annotate(cli, &request);
	cli__exact_free(&request.exact);
	free((void *)request.name);
	return code;
}
