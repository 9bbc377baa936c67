/* SPDX-License-Identifier: MIT */
#include "cli/common/json.h"
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/register_encoding.h"
#include "cli/common/suggest.h"
#include "cli/common/table.h"
#include "cli/list/list.h"

#include <apmu/metric.h>
#include <apmu/uarch.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_CORE, OPT_JSON, OPT_VERBOSE, OPT_HELP };

static const struct cli__option options[] = {
	{'c', "core", "NAME", "the core whose events, registers or metrics to list", OPT_CORE},
	{'j', "json", NULL, "a JSON array (docs/json.md)", OPT_JSON},
	{'v', "verbose", NULL,
	 "more: the parameters of a core's caches, predictors and pipeline,\neach with its source; the fields of registers",
	 OPT_VERBOSE},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

static const struct listing {
	const char *name, *key; /* key: the JSON member that names an entry */
	bool needs_core;
	void (*print)(const struct cli__list *list);
	json_t *(*json)(const struct cli__list *list);
	const char *text;
} listings[] = {
	{"cores", "core", false, cli__list_cores, cli__list_cores_json,
	 "the cores, their counters and other names"},
	{"events", "name", true, cli__list_events, cli__list_events_json,
	 "a core's events, and how far each can be trusted"},
	{"registers", "register", true, cli__list_registers, cli__list_registers_json,
	 "a core's registers, how to reach them, who may"},
	{"metrics", "metric", false, cli__list_metrics, cli__list_metrics_json, "formulas over events"},
};
enum { LISTINGS = sizeof listings / sizeof listings[0] };

static void print_help(FILE *out)
{
	fputs("usage: apmu list cores|events|registers|metrics [WORD]... [OPTION]...\n\n", out);
	for (size_t i = 0; i < LISTINGS; i++)
		fprintf(out, "  %-10s %s%s\n", listings[i].name, listings[i].text,
			listings[i].needs_core ? " (needs --core)" : "");
	fputs("\nWith WORDs only what has one in its names: apmu list events --core cortex-a53 l1d 'br_*'\n"
	      "A core's whole name means that core alone: apmu list cores cortex-a5\n",
	      out);
	fputs("\nHow far an event can be trusted:\n"
	      "  exact      architectural: the same on every run and on hardware\n"
	      "  modelled   by models of caches, predictors and pipeline: as good as the core's parameters\n"
	      "  injected   nothing that a program can cause; a host of the library adds it, as `apmu run` does\n"
	      "  not produced   counts nothing here: no model makes it, or no program can cause it\n"
	      "\nUser mode (EL0) may use a register 'if EN': while that bit of PMUSERENR is 1; EN/ER: one of them.\n"
	      "'-': a register of the memory-mapped frame alone.\n\n",
	      out);
	cli__options_help(options, out);
	fputs("\nFor example:\n"
	      "  apmu list cores -v\n"
	      "  apmu list cores cortex-a53 -v\n"
	      "  apmu list events --core arm1136 cache\n"
	      "  apmu list registers --core cortex-a15 -v pmcr\n"
	      "  apmu list metrics --core cortex-a53\n",
	      out);
}

static const struct listing *find(const struct cli__cli *cli, const char *name)
{
	struct cli__nearest near = {.want = name};

	for (size_t i = 0; i < LISTINGS; i++) {
		if (strcmp(name, listings[i].name) == 0)
			return &listings[i];
		cli__nearest_offer(&near, listings[i].name);
	}
	if (cli__nearest(&near) != NULL)
		cli__message(cli, "no list of '%s'; did you mean '%s'?", name, cli__nearest(&near));
	else
		cli__message(
			cli,
			"no list of '%s'; there are cores, events, registers, metrics; events that match: 'apmu list events --core NAME %s'",
			name, name);
	return NULL;
}

/* Copies in lower case, with '-' for '_', so that perf's cpu-cycles finds CPU_CYCLES. */
static char *folded(const char *text)
{
	char *copy = cli__copy(text);

	for (char *at = copy; *at != '\0'; at++)
		*at = *at == '_' ? '-' : cli__list_lower(*at);
	return copy;
}

bool cli__list_wants(const struct cli__list *list, const char *name)
{
	bool wanted = list->words == 0;
	char *low = folded(name != NULL ? name : "");

	for (unsigned i = 0; i < list->words && name != NULL && !wanted; i++) {
		char *word = folded(list->word[i]);

		wanted =
			strpbrk(word, "*?[") != NULL ? fnmatch(word, low, 0) == 0 : strstr(low, word) != NULL;
		free(word);
	}
	free(low);
	return wanted;
}

/* Complains about a word that matches nothing, with the nearest name. */
static int complain_of_word(const struct cli__list *list, const struct listing *listing, const char *word)
{
	struct cli__list whole = *list;
	struct cli__nearest near = {.want = word};
	json_t *all, *one;
	const char *best;
	size_t i;

	whole.words = 0;
	all = listing->json(&whole);
	json_array_foreach(all, i, one)
	{
		const char *name = json_string_value(json_object_get(one, listing->key));
		if (name != NULL)
			cli__nearest_offer(&near, name);
	}
	best = cli__nearest(&near);
	cli__message(list->cli, "nothing in the list of %s matches '%s'%s%s%s", listing->name, word,
		     best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
	json_decref(all);
	return CLI__EXIT_FAILURE;
}

/* Checks that every word matches something: a mistyped one must not look like an empty list. */
static int check_words(const struct cli__list *list, const struct listing *listing)
{
	for (unsigned i = 0; i < list->words; i++) {
		struct cli__list one = *list;
		json_t *found;
		size_t n;

		one.word = &list->word[i];
		one.words = 1;
		found = listing->json(&one);
		n = json_array_size(found);
		json_decref(found);
		if (n != 0)
			continue;
		return complain_of_word(list, listing, list->word[i]);
	}
	return 0;
}

static int print(const struct cli__list *list, const char *what, bool json)
{
	const struct listing *listing;

	if (what == NULL) {
		cli__message(list->cli, "nothing to list: say cores, events, registers or metrics");
		return CLI__EXIT_USAGE;
	}
	listing = find(list->cli, what);
	if (listing == NULL)
		return CLI__EXIT_USAGE;
	if (listing->needs_core && list->core == NULL) {
		cli__message(list->cli, "'apmu list %s' needs --core NAME; 'apmu list cores' has the names",
			     what);
		return CLI__EXIT_USAGE;
	}
	if (check_words(list, listing) != 0)
		return CLI__EXIT_FAILURE;
	if (json)
		return cli__json_print(listing->json(list), list->cli->out);
	listing->print(list);
	return 0;
}

/* What the command line said. */
struct said {
	struct cli__list list;
	const char *what;
	bool json;
};

static int take_option(struct said *said, int id, const char *value)
{
	switch (id) {
	case OPT_CORE:
		said->list.core = cli__core(said->list.cli, value);
		return said->list.core != NULL ? 0 : CLI__EXIT_USAGE;
	case OPT_JSON: said->json = true; return 0;
	case OPT_VERBOSE: said->list.verbose = true; return 0;
	default: return CLI__EXIT_USAGE;
	}
}

/* Takes a word: the first says what to list; the others, which filter it, are moved to the front of argv. */
static void take_word(struct said *said, char **argv, char *word)
{
	if (said->what == NULL) {
		said->what = word;
		said->list.word = argv;
		return;
	}
	argv[said->list.words++] = word;
}

int cli__cmd_list(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};
	struct said said = {.list = {.cli = cli, .width = cli__width(cli->out)}};
	int bad = 0;

	while (bad == 0) {
		int id = cli__option_next(&args);

		if (id == OPT_HELP) {
			print_help(cli->out);
			return 0;
		}
		if (id != CLI__OPTION_WORD)
			bad = take_option(&said, id, args.value);
		else if (args.at < argc)
			take_word(&said, argv, argv[args.at++]);
		else
			return print(&said.list, said.what, said.json);
	}
	return bad;
}
