/* SPDX-License-Identifier: MIT */
#include "cli/annotate.h"
#include "cli/options.h"
#include "cli/suggest.h"

#include <stdlib.h>
#include <string.h>

enum {
	OPT_INPUT,
	OPT_EVENT,
	OPT_ROOT,
	OPT_DEBUG,
	OPT_LIMIT,
	OPT_CONTEXT,
	OPT_SOURCE,
	OPT_NO_SOURCE,
	OPT_HELP
};

static const struct apmu__option options[] = {
	{'i', "input", "FILE", "the profile; without it " APMU__DATA_FILE, OPT_INPUT},
	{'e', "event", "EVENT", "sort and give shares by this event; without it the first recorded",
	 OPT_EVENT},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "debug-dir", "DIR", "separate debug files are looked for here first", OPT_DEBUG},
	{0, "percent-limit", "N", "without names: only functions with at least N percent; else 1", OPT_LIMIT},
	{0, "context", "N", "only instructions with counts and N on each side; else whole functions",
	 OPT_CONTEXT},
	{'l', "lines", NULL, "source lines with their counts, no instructions", OPT_SOURCE},
	{0, "no-source", NULL, "instructions, no source lines", OPT_NO_SOURCE},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	struct apmu__load_options load;
	struct apmu__annotate_style style;
	uint64_t limit; /* percent */
	char **name;    /* functions to show; none: the hottest */
	size_t names;
	bool help;
};

static void print_help(FILE *out)
{
	fputs("usage: apmu annotate [OPTION]... [FUNCTION]...\n"
	      "\n"
	      "Shows a recorded profile instruction by instruction, below the source lines that they come "
	      "from: a column\n"
	      "for each event, with its occurrences, and the share of the function's in the first. Without a "
	      "FUNCTION the\n"
	      "hottest are shown. A profile of 'apmu record --exact' has the exact count of each "
	      "instruction.\n"
	      "\n",
	      out);
	apmu__options_help(options, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu record --core cortex-a53 -e cache-misses,branch-misses -- ./prog && apmu annotate\n"
	      "  apmu annotate -e branch-misses --context 3 'parse(char const*)'\n",
	      out);
}

static int take_option(const struct apmu__cli *cli, struct request *request, int id, const char *value)
{
	uint64_t number;
	int code = 0;

	switch (id) {
	case OPT_INPUT: request->load.input = value; break;
	case OPT_EVENT: request->load.event = value; break;
	case OPT_ROOT: request->load.sysroot = value; break;
	case OPT_DEBUG: request->load.debug_dir = value; break;
	case OPT_SOURCE: request->style.no_code = true; break;
	case OPT_NO_SOURCE: request->style.no_source = true; break;
	case OPT_LIMIT: return apmu__option_number(cli, "--percent-limit", value, 100, &request->limit);
	case OPT_CONTEXT:
		code = apmu__option_number(cli, "--context", value, UINT32_MAX - 1, &number);
		request->style.context = code == 0 ? (uint32_t)number : 0;
		break;
	default: request->help = true;
	}
	return code;
}

static int parse(const struct apmu__cli *cli, int argc, char **argv, struct request *request)
{
	struct apmu__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};

	while (!request->help) {
		int id = apmu__option_next(&args);
		if (id == APMU__OPTION_WORD && args.at >= argc)
			break;
		if (id == APMU__OPTION_WORD) {
			request->name = apmu__grow(request->name, request->names, sizeof *request->name);
			request->name[request->names++] = argv[args.at++];
			continue;
		}
		int code =
			id == APMU__OPTION_BAD ? APMU__EXIT_USAGE : take_option(cli, request, id, args.value);
		if (code != 0)
			return code;
	}
	return 0;
}

/* "ns::f(int)" is also "ns::f", "f.constprop.0" is "f". */
static bool is_named(const struct apmu__body *body, const char *name)
{
	size_t n = strlen(name);

	return strncmp(body->name, name, n) == 0 &&
	       (body->name[n] == '\0' || body->name[n] == '(' || body->name[n] == '.');
}

static int no_function(const struct apmu__cli *cli, const struct apmu__bodies *bodies, const char *name)
{
	struct apmu__nearest near = {.want = name};

	for (size_t i = 0; i < bodies->n; i++)
		apmu__nearest_offer(&near, bodies->body[i].name);
	if (apmu__nearest(&near))
		apmu__complain(cli, "nothing was counted in '%s'; did you mean '%s'?", name,
			       apmu__nearest(&near));
	else
		apmu__complain(cli, "nothing was counted in '%s'; 'apmu report' lists the functions", name);
	return APMU__EXIT_FAILURE;
}

static int show_named(struct apmu__cli *cli, const struct request *request, const struct apmu__loaded *loaded,
		      const struct apmu__bodies *bodies, struct apmu__sources *sources)
{
	for (size_t i = 0; i < request->names; i++) {
		bool found = false;
		for (size_t j = 0; j < bodies->n; j++) {
			if (!is_named(&bodies->body[j], request->name[i]))
				continue;
			apmu__annotate(loaded, &bodies->body[j], &request->style, sources, cli->out);
			found = true;
		}
		if (!found)
			return no_function(cli, bodies, request->name[i]);
	}
	return 0;
}

static void show_hottest(struct apmu__cli *cli, const struct request *request,
			 const struct apmu__loaded *loaded, const struct apmu__bodies *bodies,
			 struct apmu__sources *sources)
{
	double least = (double)loaded->summary.weight[loaded->event] * (double)request->limit / 100.0;
	size_t shown = 0;

	while (shown < bodies->n && (double)bodies->body[shown].weight[loaded->event] >= least)
		apmu__annotate(loaded, &bodies->body[shown++], &request->style, sources, cli->out);
	if (shown < bodies->n)
		fprintf(cli->out, "%zu more functions have less than %u percent each (--percent-limit)\n",
			bodies->n - shown, (unsigned)request->limit);
}

static int annotate(struct apmu__cli *cli, const struct request *request)
{
	struct apmu__loaded loaded = {0};
	struct apmu__bodies bodies = {0};
	struct apmu__sources sources = {0};
	int code = apmu__load(cli, &request->load, &loaded);

	if (code == 0) {
		apmu__bodies_make(&bodies, &loaded);
		if (request->names)
			code = show_named(cli, request, &loaded, &bodies, &sources);
		else
			show_hottest(cli, request, &loaded, &bodies, &sources);
	}
	apmu__bodies_free(&bodies);
	apmu__sources_free(&sources);
	apmu__unload(&loaded);
	return code;
}

int apmu__cmd_annotate(struct apmu__cli *cli, int argc, char **argv)
{
	struct request request = {.limit = 1, .style.context = UINT32_MAX};
	int code = parse(cli, argc, argv, &request);

	if (code == 0 && request.help)
		print_help(cli->out);
	else if (code == 0 && !cli->parse_only)
		code = annotate(cli, &request);
	free((void *)request.name);
	return code;
}
