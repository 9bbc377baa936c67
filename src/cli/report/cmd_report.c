/* SPDX-License-Identifier: MIT */
#include "cli/common/options.h"
#include "cli/common/suggest.h"
#include "cli/export/html.h"
#include "cli/report/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_INPUT,
	OPT_EVENT,
	OPT_SORT,
	OPT_NO_CHILDREN,
	OPT_GRAPH,
	OPT_INVERTED,
	OPT_STACK,
	OPT_CALLS,
	OPT_FUNCTION,
	OPT_OBJECT,
	OPT_FILE,
	OPT_THREAD,
	OPT_LIMIT,
	OPT_MOST,
	OPT_ROOT,
	OPT_DEBUG,
	OPT_NO_INLINE,
	OPT_HTML,
	OPT_COLOUR,
	OPT_HELP
};

static const struct cli__option table[] = {
	{'i', "input", "FILE", "the recording (default " CLI__DATA_FILE "; -: standard input)", OPT_INPUT},
	{'e', "event", "EVENT",
	 "this event alone (default: all, one after the other, but for\nthose of record --cpi-stack)",
	 OPT_EVENT},
	{'s', "sort", "KEYS",
	 "the keys of a row: function, object, file, line,\naddress, thread, level (of data, with 'record -d'); default\nfunction,object; perf's words are taken too: sym, dso,\nsrcfile, srcline, comm, tid, mem",
	 OPT_SORT},
	{'g', "call-graph", "[=ORDER]",
	 "the tree of calls, from the outermost function down; callee: as\n-G; none: no tree; perf's other words change nothing",
	 OPT_GRAPH},
	{'G', "inverted", NULL, "the tree of calls, from each sampled function up to its callers",
	 OPT_INVERTED},
	{0, "cpi-stack", NULL,
	 "what the cycles of each row are lost to: branches, caches,\nmemory ... (of 'record --cpi-stack')",
	 OPT_STACK},
	{0, "calls", NULL,
	 "who called whom how often, each call counted (of 'record -b');\nwith --function: its callers and callees",
	 OPT_CALLS},
	{0, "no-children", NULL, "each function by itself, not with what it called", OPT_NO_CHILDREN},
	{0, "function", "PATTERN", "only samples in functions that match, such as 'mem*,fread'",
	 OPT_FUNCTION},
	{0, "object", "PATTERN", "only samples in programs or libraries that match", OPT_OBJECT},
	{0, "file", "PATTERN", "only samples in source files that match", OPT_FILE},
	{0, "thread", "N", "only samples of thread N, counted from 1 (of a system: virtual CPU)", OPT_THREAD},
	{0, "percent-limit", "P", "leave out rows below P percent", OPT_LIMIT},
	{'n', "lines", "N", "the first N rows alone", OPT_MOST},
	{'L', "sysroot", "DIR", "where the programs' libraries and debug files lie", OPT_ROOT},
	{0, "debug-dir", "DIR", "separate debug files are looked for here first", OPT_DEBUG},
	{0, "no-inline", NULL, "count inlined functions with the one they were inlined into", OPT_NO_INLINE},
	{0, "html", "FILE",
	 "write all of it as one page with a flame graph, curves, source: the same\nas 'apmu export html -o FILE'",
	 OPT_HTML},
	{0, "color", "[=WHEN]", CLI__COLOUR_HELP, OPT_COLOUR},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

static void print_help(FILE *out)
{
	fputs("usage: apmu report [OPTION]... [FILE]\n"
	      "\n"
	      "Shows where the samples of 'apmu record' lie. 'self' is the share of the event's count in the row itself,\n"
	      "'children' (with 'record -g') that and what it called. Percentages are of all samples of the event, also\n"
	      "with a filter.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu report\n"
	      "  apmu record --core cortex-a53 -g -- ./prog && apmu report -g\n"
	      "  apmu report --sort line --function walk -n 10\n"
	      "  apmu record --core cortex-a53 --cpi-stack -- ./prog && apmu report --cpi-stack\n"
	      "  apmu record --core cortex-a53 -b -- ./prog && apmu report --calls --function walk\n"
	      "  apmu report --sort thread,function --percent-limit 1\n"
	      "  apmu report --html page.html\n"
	      "  apmu record --core cortex-a53 -e cache-misses -d -- ./prog && apmu report --sort level,function\n",
	      out);
}

/* perf's names of the keys. */
static const struct {
	const char *name;
	enum cli__report_key key;
} other_name[] = {{"symbol", CLI__KEY_FUNCTION}, {"sym", CLI__KEY_FUNCTION}, {"dso", CLI__KEY_OBJECT},
		  {"srcfile", CLI__KEY_FILE},    {"srcline", CLI__KEY_LINE}, {"tid", CLI__KEY_THREAD},
		  {"mem", CLI__KEY_LEVEL},       {"comm", CLI__KEY_THREAD}};

/* The key of this name; CLI__KEYS if there is none. */
static unsigned find_key(const char *word)
{
	for (unsigned k = 0; k < CLI__KEYS; k++)
		if (strcmp(cli__report_key_name[k], word) == 0)
			return k;
	for (size_t i = 0; i < sizeof other_name / sizeof other_name[0]; i++)
		if (strcmp(other_name[i].name, word) == 0)
			return other_name[i].key;
	return CLI__KEYS;
}

/* The option that names the keys, for messages. */
static const char *keys_option(const struct cli__cli *cli)
{
	return cli->command != NULL && strcmp(cli->command, "top-down") == 0 ? "--by" : "--sort";
}

static int add_key(const struct cli__cli *cli, struct cli__report_options *o, const char *word)
{
	struct cli__nearest near = {.want = word};
	unsigned key = find_key(word);

	if (strncmp(word, "overhead", strlen("overhead")) == 0 || strcmp(word, "period") == 0 ||
	    strcmp(word, "sample") == 0)
		return 0; /* columns that are always there */
	if (key != CLI__KEYS) {
		for (size_t i = 0; i < o->keys; i++)
			if (o->key[i] == key)
				return 0;
		o->key[o->keys++] = (uint8_t)key;
		return 0;
	}
	for (unsigned k = 0; k < CLI__KEYS; k++)
		cli__nearest_offer(&near, cli__report_key_name[k]);
	if (cli__nearest(&near))
		cli__message(cli, "%s: no key '%s'; did you mean '%s'?", keys_option(cli), word,
			     cli__nearest(&near));
	else
		cli__message(
			cli,
			"%s: no key '%s'; there are function, object, file, line, address, thread and level",
			keys_option(cli), word);
	return CLI__EXIT_USAGE;
}

static int add_keys(const struct cli__cli *cli, struct cli__report_options *o, const char *list)
{
	char *words = cli__copy(list);
	int bad = 0;

	o->keys = 0;
	for (char *word = words, *end; bad == 0 && word != NULL; word = end) {
		end = strchr(word, ',');
		if (end != NULL)
			*end++ = '\0';
		bad = add_key(cli, o, word);
	}
	free(words);
	if (bad == 0 && o->keys == 0) {
		cli__message(cli, "%s '%s' names no key; use for example function,object", keys_option(cli),
			     list);
		bad = CLI__EXIT_USAGE;
	}
	return bad;
}

static int set_rows(const struct cli__cli *cli, const char *value, uint64_t *out)
{
	if (cli__number(value, INT32_MAX, out) && *out)
		return 0;
	cli__message(cli, "-n '%s' is not a number of rows, 1 or more%s", value,
		     value[0] == '-' ? "; perf's -n is not needed: samples have a column" : "");
	return CLI__EXIT_USAGE;
}

/* perf's words for its call graphs that change nothing here: there is one tree, with shares of all samples.
 */
static const char *const graph_words[] = {"caller",  "graph",   "flat",   "fractal", "folded", "function",
					  "address", "srcline", "branch", "percent", "period", "count"};

/* True if `word` is of perf's call graphs, such as "caller" or "graph,0.5,callee". */
static bool is_graph_word(const char *word)
{
	size_t length = strcspn(word, ",");
	char first[16];

	snprintf(first, sizeof first, "%.*s", length < sizeof first ? (int)length : 0, word);
	if (strcmp(first, "none") == 0 || strcmp(first, "callee") == 0)
		return true;
	for (size_t i = 0; i < sizeof graph_words / sizeof graph_words[0]; i++)
		if (strcmp(first, graph_words[i]) == 0)
			return true;
	return false;
}

struct graph {
	const struct cli__cli *cli;
	struct cli__report_options *o;
};

static int graph_word(void *context, const char *word)
{
	const struct graph *to = context;
	struct cli__report_options *o = to->o;

	if (word[0] >= '0' && word[0] <= '9') { /* the least share, then the number of rows of a tree */
		int bad = o->limited ? 0 : cli__option_percent(to->cli, "-g", word, 100, &o->limit);
		o->limited = true;
		return bad;
	}
	if (!is_graph_word(word))
		return cli__option_bad(to->cli, "-g", word, "an order of perf's: caller, callee or none");
	o->graph = o->graph && strcmp(word, "none") != 0;
	o->callees_first = o->callees_first || strcmp(word, "callee") == 0;
	return 0;
}

static int set_graph(const struct cli__cli *cli, const char *words, struct cli__report_options *o)
{
	struct graph to = {cli, o};
	char *list = cli__copy(words ? words : "caller");

	o->graph = true;
	int bad = cli__list_each(list, graph_word, &to);
	free(list);
	return bad;
}

/* Finds the words of "-g caller" and "-gcaller", as perf has them. */
static const char *graph_value(struct cli__args *args)
{
	const char *inside = args->cluster;

	if (args->value)
		return args->value;
	if (inside && is_graph_word(inside)) {
		args->cluster = NULL;
		return inside;
	}
	return !inside && args->at < args->argc && is_graph_word(args->argv[args->at])
		       ? args->argv[args->at++]
		       : NULL;
}

enum { HELP = -1 };

static int set_option(struct cli__cli *cli, int id, const char *value, struct cli__report_options *o)
{
	switch (id) {
	case OPT_INPUT: o->load.input = value; return 0;
	case OPT_EVENT: o->load.event = value; return 0;
	case OPT_SORT: o->sorted = true; return add_keys(cli, o, value);
	case OPT_NO_CHILDREN: o->no_children = true; return 0;
	case OPT_FUNCTION: o->function = value; return cli__option_name(cli, "--function", value);
	case OPT_OBJECT: o->object = value; return cli__option_name(cli, "--object", value);
	case OPT_FILE: o->file = value; return cli__option_name(cli, "--file", value);
	case OPT_THREAD:
		o->by_thread = true;
		return cli__option_number(cli, "--thread", value, INT32_MAX, &o->thread);
	case OPT_GRAPH: return set_graph(cli, value, o);
	case OPT_INVERTED: o->graph = o->callees_first = true; return 0;
	case OPT_CALLS: o->calls = true; return 0;
	case OPT_STACK: o->stack = true; return 0;
	case OPT_LIMIT:
		o->limited = true;
		return cli__option_percent(cli, "--percent-limit", value, 100, &o->limit);
	case OPT_MOST: return set_rows(cli, value, &o->most);
	case OPT_ROOT: o->load.sysroot = value; return 0;
	case OPT_DEBUG: o->load.debug_dir = value; return 0;
	case OPT_NO_INLINE: o->load.no_inlines = true; return 0;
	case OPT_COLOUR: return cli__colour_option(cli, value);
	case OPT_HTML: o->html = value; return 0;
	default: print_help(cli->out); return HELP;
	}
}

/* Resolves source lines only if a key, a filter or inlined functions need them, because that takes time. */
static void choose_lines(struct cli__report_options *o)
{
	o->load.no_lines = o->load.no_inlines && !o->file;
	for (size_t k = 0; k < o->keys; k++)
		if (o->key[k] == CLI__KEY_FILE || o->key[k] == CLI__KEY_LINE)
			o->load.no_lines = false;
}

/* Refuses options that sort or filter together with --html, because the page does both itself. */
static int check_html(const struct cli__cli *cli, const struct cli__report_options *o)
{
	if (!o->html || !(o->sorted || o->no_children || o->function || o->object || o->file ||
			  o->by_thread || o->limit > 0 || o->most))
		return 0;
	cli__message(cli, "--html writes all of the recording: leave out what sorts and filters");
	return CLI__EXIT_USAGE;
}

/* Refuses options that do not go with --calls, --cpi-stack, -g and -G. The tree of -g and -G is of functions,
 * and whole. */
static int check_graph(const struct cli__cli *cli, const struct cli__report_options *o)
{
	if (o->calls && (o->graph || o->stack || o->load.event || o->html || o->sorted || o->object ||
			 o->file || o->by_thread)) {
		cli__message(cli, "--calls is a table of its own: it takes --function and -n alone");
		return CLI__EXIT_USAGE;
	}
	if (o->stack && (o->graph || o->load.event || o->html)) {
		cli__message(cli, "--cpi-stack is a table of its own: leave out -g, -G, -e and --html");
		return CLI__EXIT_USAGE;
	}
	if (!o->graph ||
	    !(o->sorted || o->no_children || o->function || o->object || o->file || o->by_thread))
		return 0;
	cli__message(
		cli,
		"-g and -G show the tree of all calls: leave out what sorts and filters, but for -e, -n and --percent-limit");
	return CLI__EXIT_USAGE;
}

static int parse(struct cli__cli *cli, int argc, char **argv, struct cli__report_options *o)
{
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	int id, bad = 0;

	*o = (struct cli__report_options){.key = {CLI__KEY_FUNCTION, CLI__KEY_OBJECT}, .keys = 2};
	while (bad == 0 && ((id = cli__option_next(&args)) != CLI__OPTION_WORD || args.at < argc)) {
		if (id == CLI__OPTION_WORD && o->load.input != NULL)
			break;
		if (id == CLI__OPTION_WORD)
			o->load.input = argv[args.at++];
		else
			bad = id == CLI__OPTION_BAD
				      ? CLI__EXIT_USAGE
				      : set_option(cli, id, id == OPT_GRAPH ? graph_value(&args) : args.value,
						   o);
	}
	if (bad == 0 && args.at < argc) {
		cli__message(cli, "unexpected argument '%s': a report takes one recording", argv[args.at]);
		bad = CLI__EXIT_USAGE;
	}
	if (bad == 0)
		bad = check_html(cli, o);
	if (bad == 0)
		bad = check_graph(cli, o);
	choose_lines(o);
	o->coloured = cli__coloured(cli->out);
	return bad;
}

static int print_event(struct cli__cli *cli, const struct cli__report_options *o,
		       struct cli__open_profile *loaded, uint32_t event, FILE *out)
{
	struct cli__report report;
	int bad = cli__report_sum(o, loaded, event, &report);

	if (bad == 0) {
		cli__report_shorten(o, &report);
		cli__report_text(o, loaded, event, &report, out);
	} else {
		cli__message(cli, "%s: %s", loaded->path, strerror(-bad));
	}
	cli__report_free(&report);
	return bad ? CLI__EXIT_FAILURE : 0;
}

/* True if the event is one to show. */
static bool chosen(const struct cli__report_options *o, const struct cli__open_profile *loaded,
		   uint32_t event)
{
	return o->load.event ? event == loaded->event : !loaded->profile->event[event].aside;
}

/* Refuses the key `level` for a recording that has no levels. */
static int check_levels(const struct cli__cli *cli, const struct cli__report_options *o,
			const struct cli__open_profile *loaded)
{
	for (size_t k = 0; k < o->keys; k++)
		if (o->key[k] == CLI__KEY_LEVEL && !loaded->profile->data) {
			cli__message(cli,
				     "%s was recorded without data addresses: 'apmu record -d' takes them",
				     loaded->path);
			return CLI__EXIT_FAILURE;
		}
	return 0;
}

/* Refuses a thread that the recording does not have. */
static int check_thread(const struct cli__cli *cli, const struct cli__report_options *o,
			const struct cli__open_profile *loaded)
{
	const struct profile__profile *profile = loaded->profile;

	for (size_t t = 0; o->by_thread && t < profile->threads; t++)
		if (profile__thread_number(profile, t) == o->thread)
			return 0;
	if (!o->by_thread)
		return 0;
	if (o->thread == 0 && !profile->system)
		cli__message(cli, "--thread 0: threads are counted from 1");
	else
		cli__message(cli, "--thread %" PRIu64 ": %s has %zu %s%s", o->thread, loaded->path,
			     profile->threads, profile->system ? "virtual CPU" : "thread",
			     profile->threads == 1 ? "" : "s");
	return CLI__EXIT_USAGE;
}

static int print(struct cli__cli *cli, const struct cli__report_options *o, struct cli__open_profile *loaded,
		 FILE *out)
{
	const struct profile__resolver_options names = {.sysroot = o->load.sysroot,
							.debug_dir = o->load.debug_dir,
							.no_lines = o->load.no_lines,
							.no_inlines = o->load.no_inlines || o->calls};
	int bad = check_levels(cli, o, loaded);

	if (bad == 0)
		bad = check_thread(cli, o, loaded);
	if (bad != 0)
		return bad;
	loaded->resolver = profile__resolver_open(loaded->profile, &names);
	if (loaded->resolver == NULL) {
		cli__message(cli, "%s: not enough memory for its names", loaded->path);
		return CLI__EXIT_FAILURE;
	}
	if (o->stack)
		bad = cli__report_parts(cli, o, loaded, out);
	if (o->calls)
		bad = cli__report_calls(cli, o, loaded, out);
	for (uint32_t e = 0; bad == 0 && !o->stack && !o->calls && e < loaded->profile->events; e++) {
		if (!chosen(o, loaded, e))
			continue;
		if (e && !o->load.event)
			fputc('\n', out);
		bad = print_event(cli, o, loaded, e, out);
	}
	bool functions = o->calls;
	for (size_t k = 0; k < o->keys; k++)
		functions |= o->key[k] == CLI__KEY_FUNCTION;
	fflush(out);
	cli__say_notes(cli, loaded->resolver, functions);
	return bad;
}

static int print_graphs(struct cli__cli *cli, const struct cli__report_options *o,
			const struct cli__open_profile *loaded)
{
	if (!loaded->profile->chains) {
		cli__message(cli, "%s was recorded without call chains: 'apmu record -g' takes them",
			     loaded->path);
		return CLI__EXIT_FAILURE;
	}
	for (uint32_t e = 0; e < loaded->profile->events; e++) {
		if (!chosen(o, loaded, e))
			continue;
		if (e && !o->load.event)
			fputc('\n', cli->out);
		cli__report_graph(o, loaded, e, cli->out);
	}
	return 0;
}

int cli__report_keys_check(const struct cli__cli *cli, const char *keys)
{
	struct cli__report_options options = {0};

	return add_keys(cli, &options, keys);
}

int cli__report_parts_of(struct cli__cli *cli, const char *path, const char *sysroot, const char *keys,
			 bool coloured, FILE *out)
{
	struct cli__report_options options = {
		.load = {.input = path, .sysroot = sysroot}, .stack = true, .coloured = coloured};
	struct cli__open_profile loaded = {0};
	int bad = add_keys(cli, &options, keys);

	choose_lines(&options);
	if (bad == 0)
		bad = cli__load_profile(cli, &options.load, &loaded);
	if (bad == 0)
		bad = print(cli, &options, &loaded, out);
	cli__unload(&loaded);
	return bad;
}

int cli__cmd_report(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__report_options options;
	struct cli__open_profile loaded = {0};
	int bad = parse(cli, argc, argv, &options);

	if (bad != 0 || cli->parse_only)
		return bad == HELP ? 0 : bad;
	if (options.html != NULL) {
		options.load.no_lines = false;
		return cli__report_html(cli, &options.load, options.html);
	}
	if (options.graph) {
		bad = cli__load(cli, &options.load, &loaded);
		if (bad == 0)
			bad = print_graphs(cli, &options, &loaded);
	} else {
		bad = cli__load_profile(cli, &options.load, &loaded);
		if (bad == 0)
			bad = print(cli, &options, &loaded, cli->out);
	}
	cli__unload(&loaded);
	return bad;
}
