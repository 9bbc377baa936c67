/* SPDX-License-Identifier: MIT */
#include "cli/common/l2c.h"
#include "cli/common/options.h"
#include "cli/common/region.h"
#include "cli/common/side_runs.h"
#include "cli/common/uarch_options.h"
#include "cli/stat/stat.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	OPT_CORE,
	OPT_EVENT,
	OPT_DETAILED,
	OPT_METRIC,
	OPT_JSON,
	OPT_SEPARATOR,
	OPT_OUTPUT,
	OPT_REPEAT,
	OPT_JOBS,
	OPT_THREADS,
	OPT_INTERVAL,
	OPT_REGION,
	OPT_SYSTEM,
	OPT_USER,
	OPT_KERNEL,
	OPT_PLOT,
	OPT_HARDWARE,
	OPT_SAMPLE_TIME,
	OPT_SYSROOT,
	OPT_FOLLOW,
	OPT_ALONE,
	OPT_SET,
	OPT_UARCH,
	OPT_L1D,
	OPT_L2,
	OPT_L3,
	OPT_L2C,
	OPT_CPU,
	OPT_QEMU,
	OPT_VERBOSE,
	OPT_COLOUR,
	OPT_HELP
};

static const struct cli__option table[] = {
	{'c', "core", "LIST",
	 "cores to run on, in columns; each is a run of its own\n(default: one for the program's architecture,\nsuch as cortex-a53 for AArch64)",
	 OPT_CORE},
	{'e', "event", "LIST",
	 "events: names as in 'apmu list events', perf's names, raw\nnumbers 0x0b or r0b, groups {a,b}; ':u' is accepted",
	 OPT_EVENT},
	{'d', "detailed", NULL,
	 "also accesses and misses of L1 data and the last level, as\nperf has them; -dd: instructions and TLBs too, -ddd: prefetches",
	 OPT_DETAILED},
	{'M', "metrics", "LIST", "metrics or groups of 'apmu list metrics', or 'all'; counts what\nthey need",
	 OPT_METRIC},
	{'j', "json", NULL, "one JSON object (docs/json.md)", OPT_JSON},
	{'x', "field-separator", "SEP", "fields separated by SEP, one line per event, as perf stat -x",
	 OPT_SEPARATOR},
	{'o', "output", "FILE", "results to FILE, written whole or not at all; - is\nstandard output",
	 OPT_OUTPUT},
	{'r', "repeat", "N", "run N times: mean and spread", OPT_REPEAT},
	{'J', "jobs", "N",
	 "runs at a time, with several cores or -r (default: as many as the\nmachine has processors, one where standard input is a terminal):\noutput of parallel runs goes through files",
	 OPT_JOBS},
	{0, "per-thread", NULL, "counts of each thread", OPT_THREADS},
	{'I', "interval", "N[i|c]",
	 "counts of every N instructions (i, the default) or cycles (c)\nof each thread", OPT_INTERVAL},
	{0, "plot", "[=FILE]", "with -I: draw each event, in the terminal or to FILE as SVG", OPT_PLOT},
	{0, "system", NULL,
	 "PROGRAM is qemu-system-aarch64 or qemu-system-arm with its\narguments: count all that runs in it, by virtual CPU",
	 OPT_SYSTEM},
	{0, "all-user", NULL, CLI__ALL_USER_TEXT, OPT_USER},
	{0, "region", "SPEC", CLI__REGION_HELP, OPT_REGION},
	{0, "kernel-symbols", "FILE",
	 "with --system and --region: whose symbols FROM and TO are (default:\nwhat -kernel names, if it is an ELF file)",
	 OPT_KERNEL},
	{0, "as-hardware", "[=N]",
	 "only the counters that the core has: rotate events every N\ncycles (default 1000000), print the share of time counted and\nthe scaled value",
	 OPT_HARDWARE},
	{0, "sample-time", "[=N]",
	 "out of order, model time for samples only, one of N instructions\n(default 20): 1.7 to 3.8 times as fast. Cycles and stalls are\nestimates, and the standard error of the cycles is printed;\nother counts are exact",
	 OPT_SAMPLE_TIME},
	{'L', "sysroot", "DIR", "where a dynamic program's libraries are (default: Debian's\ncross root)",
	 OPT_SYSROOT},
	{'i', "no-inherit", NULL, "do not count child processes", OPT_ALONE},
	{0, "follow", NULL, "count child processes too (the default)", OPT_FOLLOW},
	{0, "uarch", "FILE", "parameters of the core from FILE, written as spec/uarch/*.uarch", OPT_UARCH},
	{0, "l1d", "SIZE[,WAYS[,LINE]]", "the core's L1 data cache", OPT_L1D},
	{0, "l2", "SIZE[,WAYS[,LINE]]", "the core's L2 cache, such as 512K,8,64", OPT_L2},
	{0, "l2c", "l210|l220",
	 "that L2 cache controller behind the core; its events are\nl210/ir-req, l210/ir-hit ...", OPT_L2C},
	{0, "l3", "SIZE[,WAYS[,LINE]]", "the cache below L2", OPT_L3},
	{0, "set", "KEY=VALUE",
	 "change a parameter of the core ('apmu list cores -v' has them),\nsuch as predict=0 or l1d.size=32768",
	 OPT_SET},
	{0, "cpu", "NAME", "QEMU's -cpu (default: the core's)", OPT_CPU},
	{0, "qemu", "FILE", CLI__QEMU_TEXT, OPT_QEMU},
	{0, "color", "[=WHEN]", CLI__COLOUR_HELP, OPT_COLOUR},
	{'v', "verbose", NULL, "say what is run and how many PMUs count", OPT_VERBOSE},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

const struct cli__option *cli__stat_table(void)
{
	return table;
}

/* Option values that are resolved when the cores are known. */
struct said {
	char *cores, *metrics, *sets; /* all of -c and of -M, joined by ','; a list of uarch_options.h */
};

/* Context of set_option(). */
struct taking {
	struct cli__cli *cli;
	struct cli__stat_options *options;
	struct said said;
};

void cli__stat_help(FILE *out)
{
	fputs("usage: apmu stat [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Runs an Arm Linux program and counts its events as the chosen core's PMU would. Without -e and -M\n"
	      "the usual events are counted.\n"
	      "\n"
	      "Only the program itself is counted (user space, perf's ':u'): no kernel runs here, so there is no\n"
	      "kernel time, and a system call is one instruction. All events are counted all the time, by as\n"
	      "many PMUs as that needs, unless --as-hardware is given. The program keeps its standard input and\n"
	      "output; results go to standard error, or to -o. The exit status is the program's; 2 if the command\n"
	      "line is wrong, 1 if the program cannot be run.\n"
	      "\n"
	      "Cycles are modelled. '(modelled, about 6 %)' beside them is the model's mean error against\n"
	      "published measurements that it was not fitted to, weighted by where this program's cycles\n"
	      "went; docs/accuracy.md has the method, -j the parts.\n"
	      "\n"
	      "A program that reads the counters itself (PMCCNTR, CCNT) dies here, as it does without rights on\n"
	      "hardware: 'apmu run --linux' runs it, if it is static and small. Bare-metal programs: 'apmu run'.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "For example:\n"
	      "  apmu stat -c arm1136,xscale2 -- ./prog args\n"
	      "  apmu stat -c arm1176 -e instructions,branch-misses,0x0b -- ./prog args\n"
	      "  apmu stat -c xscale2 -M dcache-efficiency --as-hardware -- ./prog args\n"
	      "  apmu stat -c cortex-a53 --system -- qemu-system-aarch64 -M virt -nographic -kernel Image\n"
	      "  apmu stat -c arm1136 --set predict=0 -j -o prog.json -- ./prog args\n",
	      out);
}

static void join(char **list, const char *more)
{
	char *longer = *list == NULL ? cli__copy(more) : cli__format("%s,%s", *list, more);

	free(*list);
	*list = longer;
}

static int set_interval(const struct cli__cli *cli, struct cli__stat_options *o, const char *value)
{
	char *number = cli__copy(value);
	size_t length = strlen(number);
	bool cycles = length != 0 && number[length - 1] == 'c', ok;

	if (length != 0 && (number[length - 1] == 'c' || number[length - 1] == 'i'))
		number[length - 1] = '\0';
	ok = cli__number(number, INT64_MAX, &o->interval) && o->interval != 0;
	free(number);
	o->interval_signal = cycles ? APMU_SIG_CYCLES : APMU_SIG_INST;
	return ok ? 0
		  : cli__option_bad(cli, "-I", value,
				    "a number of instructions (1000000i) or cycles (1000000c)");
}

static int set_number(const struct cli__cli *cli, int id, const char *value, struct cli__stat_options *o)
{
	uint64_t number = 0;

	switch (id) {
	case OPT_REPEAT:
		if (!cli__number(value, 1000000, &number) || number == 0)
			return cli__option_bad(cli, "-r", value, "a number of runs, 1 to 1000000");
		o->repeat = (unsigned)number;
		return 0;
	case OPT_JOBS:
		if (!cli__number(value, 1024, &number) || number == 0)
			return cli__option_bad(cli, "-J", value, "a number of runs at a time, 1 to 1024");
		o->jobs = (unsigned)number;
		return 0;
	case OPT_HARDWARE:
		o->hardware = true;
		if (value != NULL && (!cli__number(value, INT64_MAX, &o->slice) || o->slice == 0))
			return cli__option_bad(cli, "--as-hardware", value, "a number of cycles");
		return 0;
	case OPT_SAMPLE_TIME:
		o->sample_time = 20;
		if (value == NULL)
			return 0;
		if (!cli__number(value, 1000, &number) || number < 2)
			return cli__option_bad(cli, "--sample-time", value,
					       "N, 2 to 1000 (one of N instructions is timed)");
		o->sample_time = (unsigned)number;
		return 0;
	default: return set_interval(cli, o, value);
	}
}

static int set_option(void *ctx, int id, const char *value)
{
	struct taking *t = ctx;
	struct cli__cli *cli = t->cli;
	struct cli__stat_options *o = t->options;
	struct said *said = &t->said;

	switch (id) {
	case OPT_CORE: join(&said->cores, value); return 0;
	case OPT_DETAILED: o->detail++; return 0;
	case OPT_METRIC: o->metrics++, join(&said->metrics, value); return 0;
	case OPT_UARCH: return cli__sets_add_file(&said->sets, value);
	case OPT_L1D: return cli__sets_add_cache(cli, &said->sets, "l1d", value);
	case OPT_L2: return cli__sets_add_cache(cli, &said->sets, "l2", value);
	case OPT_L2C: return cli__l2c_add(cli, &said->sets, value);
	case OPT_L3: return cli__sets_add_cache(cli, &said->sets, "l3", value);
	case OPT_SET: cli__sets_add(&said->sets, value); return 0;
	case OPT_EVENT: o->events++; return cli__rows_parse(cli, &o->rows, value);
	case OPT_JSON: o->json = true; return 0;
	case OPT_OUTPUT: o->output = value; return cli__option_file(cli, "-o", value);
	case OPT_PLOT:
		o->plot = true;
		o->picture = value;
		return 0;
	case OPT_THREADS: o->per_thread = true; return 0;
	case OPT_SYSTEM: o->system = true; return 0;
	case OPT_USER: o->rows.user = true; return 0;
	case OPT_KERNEL: o->kernel = value; return 0;
	case OPT_REGION: o->region = value; return 0;
	case OPT_SYSROOT: o->sysroot = value; return 0;
	case OPT_ALONE: o->alone = true; return 0;
	case OPT_FOLLOW: o->alone = false; return 0;
	case OPT_CPU: o->cpu = value; return 0;
	case OPT_QEMU: o->qemu = value; return cli__option_file(cli, "--qemu", value);
	case OPT_VERBOSE: o->verbose = true; return 0;
	case OPT_SEPARATOR: o->separator = strcmp(value, "\\t") == 0 ? "\t" : value; return 0;
	case OPT_COLOUR: return cli__colour_option(cli, value);
	case OPT_HELP: return CLI__STAT_HELP;
	default: return set_number(cli, id, value, o);
	}
}

struct adding {
	const struct cli__cli *cli;
	struct cli__stat_options *options;
	const char **name;
	size_t names;
};

static int add_core(void *ctx, const char *word)
{
	struct adding *a = ctx;
	struct cli__stat_options *o = a->options;
	const struct apmu_core *core = cli__core(a->cli, word);
	struct apmu_uarch_params row;

	if (core == NULL)
		return CLI__EXIT_USAGE;
	for (size_t c = 0; c < o->cores; c++)
		if (o->core[c].core == core)
			return 0; /* named twice: one column */
	if (!cli__params_of(a->cli, core, &row))
		return CLI__EXIT_FAILURE;
	o->core = cli__grow(o->core, o->cores, sizeof *o->core);
	o->core[o->cores++] = (struct cli__stat_core){.core = core, .uarch = row};
	return 0;
}

static int add_name(void *ctx, const char *word)
{
	struct adding *a = ctx;

	a->name = cli__grow(a->name, a->names, sizeof *a->name);
	a->name[a->names++] = word;
	return 0;
}

static int choose_cores(struct adding *a, struct said *said)
{
	struct cli__stat_options *o = a->options;
	int bad = 0;

	if (said->cores != NULL)
		bad = cli__list_each(said->cores, add_core, a);
	else
		bad = add_core(a, cli__default(o->argv[0], o->sysroot, o->system)->name);
	o->defaulted = said->cores == NULL;
	o->several = o->cores > 1;
	for (size_t c = 0; c < o->cores && bad == 0 && said->sets != NULL; c++)
		bad = cli__set_all(a->cli, &o->core[c].uarch, said->sets, o->core[c].core);
	for (size_t c = 0; c < o->cores && bad == 0 && o->sample_time != 0; c++)
		if (o->core[c].uarch.rob == 0)
			cli__message(
				a->cli,
				"--sample-time changes nothing on %s, which runs in order: all of its time "
				"is modelled",
				o->core[c].core->name);
	return bad;
}

static int choose_events(struct adding *a, struct said *said)
{
	struct cli__stat_options *o = a->options;
	const struct apmu_core **cores = cli__zalloc(o->cores, sizeof(void *));
	int bad = 0;

	if (said->metrics != NULL)
		cli__list_each(said->metrics, add_name, a);
	if (!o->events && said->metrics == NULL) {
		cli__rows_usual(&o->rows);
		if (o->core[0].uarch.l2.line_buffers != 0)
			cli__rows_l2c(&o->rows);
	}
	cli__rows_detailed(&o->rows, o->detail);
	if (!o->events || said->metrics != NULL)
		bad = cli__metrics_rows(a->cli, o, a->name, a->names);
	for (size_t c = 0; c < o->cores; c++)
		cores[c] = o->core[c].core;
	for (size_t c = 0; c < o->cores && bad == 0; c++) {
		o->core[c].wanted = cli__wanted_of(a->cli, &o->rows, cores[c], cores, o->cores);
		bad = o->core[c].wanted == NULL ? CLI__EXIT_USAGE : 0;
		if (bad == 0 && o->core[c].uarch.l2.line_buffers == 0)
			bad = cli__wanted_refuse_outside(a->cli, o->core[c].wanted, o->rows.n,
							 "needs --l2c l210");
	}
	for (size_t c = 0; c < o->cores && bad == 0 && o->hardware; c++)
		bad = cli__rotation_check(a->cli, o, &o->core[c]);
	if (bad == 0)
		cli__metrics_choose(o, a->name, a->names);
	free(cores);
	return bad;
}

static int finish(struct cli__cli *cli, struct cli__stat_options *o, struct said *said)
{
	struct adding a = {.cli = cli, .options = o};
	int bad = cli__stat_check(cli, o);

	if (bad == 0)
		bad = choose_cores(&a, said);
	if (bad == 0)
		bad = choose_events(&a, said);
	free(a.name);
	return bad;
}

int cli__stat_options(struct cli__cli *cli, int argc, char **argv, struct cli__stat_options *o)
{
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	struct taking t = {.cli = cli, .options = o};

	*o = (struct cli__stat_options){
		.repeat = 1, .jobs = cli__side_jobs(), .slice = 1000000, .by_name = o->by_name};
	int bad = cli__options_each(&args, set_option, &t);
	o->argv = argv + args.at;
	if (bad == 0)
		bad = finish(cli, o, &t.said);
	o->coloured = o->output == NULL && cli__coloured(cli->err);
	free(t.said.cores);
	free(t.said.metrics);
	free(t.said.sets);
	return bad;
}

void cli__stat_options_free(struct cli__stat_options *o)
{
	for (size_t c = 0; c < o->cores; c++) {
		free(o->core[c].wanted);
		free((void *)o->core[c].metric);
	}
	free(o->core);
	cli__rows_free(&o->rows);
}
