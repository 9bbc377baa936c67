/* SPDX-License-Identifier: MIT */
/* `apmu top-down`: the group "topdown" of spec/groups as bars, then every other group of the core, which say
 * why. */
#include "cli/common/format_number.h"
#include "cli/common/interrupt.h"
#include "cli/common/output.h"
#include "cli/top-down/topdown.h"

#include <stdlib.h>
#include <string.h>

static const char group[] = "topdown";

static void print_help(FILE *out)
{
	fputs("usage: apmu top-down [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Runs an Arm Linux program and says where the core's time went: lost because no instruction was there\n"
	      "(frontend-bound), because data or a unit were not there (backend-bound), to operations of a wrong path\n"
	      "(bad-speculation), or used (retiring). Cores that count issue slots are shown by slots, with perf's four\n"
	      "names; others by cycles, as far as their events go. The core's other metrics follow, group by group, and\n"
	      "say why. 'apmu list metrics --core X' has the formulas.\n"
	      "\n"
	      "Takes the options of 'apmu stat' but for -e, -M, -I and --per-thread: -c, -L, --set, -i, -o, -j\n"
	      "...; with -j or -x it prints what 'apmu stat -M all' does. And:\n"
	      "\n"
	      "Options:\n"
	      "      --by KEYS           by function, line or another key of 'apmu report --sort': what the\n"
	      "                          cycles of each are lost to, on any core, from the model's own stalls\n"
	      "                          (as 'apmu record --exact --cpi-stack' and 'apmu report --cpi-stack');\n"
	      "                          names of a whole system are those of --kernel-symbols\n"
	      "\n"
	      "For example:\n"
	      "  apmu top-down -c neoverse-n1 -- ./prog args\n"
	      "  apmu top-down -c neoverse-n1 --by function -- ./prog args\n"
	      "  apmu top-down -c cortex-a53,cortex-a76 -- ./prog args\n",
	      out);
}

static bool in_topdown(const struct apmu_metric *metric)
{
	return strcmp(metric->group, group) == 0;
}

static void put_bar(double share, FILE *out)
{
	enum { WIDTH = 40 };
	int full = share >= 1.0 ? WIDTH : share > 0.0 ? (int)(share * WIDTH + 0.5) : 0;

	for (int i = 0; i < WIDTH; i++)
		fputc(i < full ? '#' : '.', out);
}

static void put_metric(const struct cli__stat_options *o, const struct cli__stat_core *core,
		       const struct apmu_metric *metric, const struct cli__count *counts, FILE *out)
{
	char text[CLI__NUMBER] = "-";
	double value = 0.0;

	bool known = cli__metric_value(o, core, metric, counts, &value) == 0;

	if (known)
		cli__format_metric(text, metric, value);
	fprintf(out, "  %-28s %9s", metric->name, text);
	if (in_topdown(metric)) {
		fputs("  ", out);
		put_bar(known ? value : 0.0, out);
		fprintf(out, "  %s", metric->text);
	}
	fputs("\n", out);
}

/* True if metric i is the first of its group, which is not topdown, among those of the core. */
static bool leads(const struct cli__stat_core *core, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(core->metric[k]->group, core->metric[i]->group) == 0)
			return false;
	return !in_topdown(core->metric[i]);
}

/* Prints a group's title and its metrics, wherever they stand in the list. */
static void put_group(const struct cli__stat_options *o, const struct cli__stat_core *core, const char *name,
		      const struct cli__count *counts, FILE *out)
{
	bool titled = false;

	for (size_t i = 0; i < core->metrics; i++) {
		if (strcmp(core->metric[i]->group, name) != 0)
			continue;
		if (!titled)
			fprintf(out, "\n%s\n", core->metric[i]->group_text);
		titled = true;
		put_metric(o, core, core->metric[i], counts, out);
	}
}

/* Prints all metrics of a core, those of topdown first. */
static void put_core(const struct cli__stat_options *o, const struct cli__stat_core *core,
		     const struct cli__count *counts, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < core->metrics; i++)
		any |= in_topdown(core->metric[i]);
	cli__put_plain(o->argv[0], out);
	fprintf(out, " on %s%s\n", core->core->name, o->defaulted ? " (the default core)" : "");
	put_group(o, core, group, counts, out);
	if (!any)
		fprintf(out,
			"\nNo event that apmu counts on %s tells cycles lost at the front from those lost at the back.\nWhat its other events tell:\n",
			core->core->name);
	for (size_t i = 0; i < core->metrics; i++)
		if (leads(core, i))
			put_group(o, core, core->metric[i]->group, counts, out);
	fputs("\n", out);
}

static int print(struct cli__cli *cli, const struct cli__stat_options *o,
		 const struct cli__stat_result *results)
{
	struct cli__output out;
	int bad = cli__output_open(cli, &out, o->output);

	if (bad != 0)
		return bad;
	if (o->json)
		bad = cli__stat_json(o, results, out.stream);
	else if (o->separator)
		cli__stat_csv(o, results, out.stream);
	else
		for (size_t c = 0; c < o->cores; c++)
			put_core(o, &o->core[c], results[c].mean, out.stream);
	if (!o->json && !o->separator)
		cli__stat_ends(o, results, out.stream);
	bool unwritten = ferror(out.stream) != 0; /* cli__output_close() says why */
	return cli__output_close(cli, &out, bad == 0 || unwritten) != 0 || bad != 0 ? CLI__EXIT_FAILURE : 0;
}

static int run_and_print(struct cli__cli *cli, const struct cli__stat_options *o)
{
	struct cli__stat_result *results = cli__zalloc(o->cores, sizeof *results);
	struct cli__stat_options ran;
	cli__interrupts_watch(cli);
	int bad = cli__stat_run(cli, o, &ran, results);

	if (bad == 0)
		bad = print(cli, &ran, results);
	if (bad == 0)
		bad = cli__stat_status(&ran, results);
	cli__interrupts_release();
	cli__stat_results_free(o, results);
	free(results);
	return bad;
}

static int check(const struct cli__cli *cli, const struct cli__stat_options *o)
{
	if (o->interval != 0 || o->per_thread)
		cli__message(cli, "the table is of the whole run: leave out %s",
			     o->interval ? "-I" : "--per-thread");
	else if (o->events > 0 || o->metrics > 1)
		cli__message(cli, "the table has every metric of the core: leave out %s",
			     o->events > 0 ? "-e" : "-M");
	else
		return 0;
	return CLI__EXIT_USAGE;
}

int cli__cmd_topdown(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__stat_options o = {0};

	const char *keys = NULL;
	int words = 0;
	char **word = cli__topdown_words(cli, argc, argv, &words, &keys);
	int bad = !word ? CLI__EXIT_USAGE : keys ? cli__report_keys_check(cli, keys) : 0;

	o.by_name = keys != NULL;
	if (bad == 0)
		bad = cli__stat_options(cli, words, word, &o);
	if (bad == CLI__STAT_HELP)
		print_help(cli->out);
	if (bad == 0)
		bad = check(cli, &o);
	if (bad == 0 && keys)
		bad = cli__topdown_by_check(cli, &o);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_check(cli, o.output);
	if (bad == 0 && !cli->parse_only)
		bad = cli__output_apart(cli, o.output, o.argv[0], "program");
	if (bad == 0 && !cli->parse_only)
		bad = keys ? cli__topdown_by(cli, &o, keys) : run_and_print(cli, &o);
	cli__stat_options_free(&o);
	free((void *)word);
	return bad == CLI__STAT_HELP ? 0 : bad;
}
