/* SPDX-License-Identifier: MIT */
#include "base/names.h"
#include "cli/bench/bench.h"
#include "cli/common/options.h"
#include "cli/common/uarch_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	OPT_CORE,
	OPT_EVENT,
	OPT_BASELINE,
	OPT_SAVE,
	OPT_LIMIT,
	OPT_JSON,
	OPT_GITHUB,
	OPT_FIXED,
	OPT_START,
	OPT_NAME,
	OPT_OUTPUT,
	OPT_SYSROOT,
	OPT_SET,
	OPT_UARCH,
	OPT_CPU,
	OPT_QEMU,
	OPT_QUIET,
	OPT_HELP
};

static const struct cli__option table[] = {
	{'c', "core", "LIST",
	 "cores, one after the other, each with all of standard input\n(default: one for the program's architecture)",
	 OPT_CORE},
	{'e', "event", "LIST",
	 "events, as for 'apmu stat' (default: instructions, cycles,\ncache-misses, branch-misses)",
	 OPT_EVENT},
	{0, "baseline", "FILE", "compare with what --save kept in FILE", OPT_BASELINE},
	{0, "save", "FILE", "keep the rows in FILE (JSON); those of other programs that\nare there stay",
	 OPT_SAVE},
	{0, "limit", "EVENT=N%",
	 "with --baseline: exit 3 if EVENT (default: any) of a\nbenchmark grew by more than N percent; may be given again",
	 OPT_LIMIT},
	{'j', "json", NULL, "print JSON (schema apmu-bench/1)", OPT_JSON},
	{0, "github", NULL, "print a table for GitHub: with $GITHUB_STEP_SUMMARY, into\nthat file",
	 OPT_GITHUB},
	{0, "fixed", NULL,
	 "the time and the random numbers that the program asks for are\nthe same in each run; what cannot be fixed is named",
	 OPT_FIXED},
	{0, "instr-atstart", "yes|no",
	 "count from the program's start (default: until a request to\nstart, or one to toggle before all others, comes: then from\nthere)",
	 OPT_START},
	{0, "name", "NAME", "the benchmark's name if the program gives none (default:\nthe program's)",
	 OPT_NAME},
	{'o', "output", "FILE", "print to FILE (default: standard error)", OPT_OUTPUT},
	{'L', "sysroot", "DIR", "where a dynamic program's libraries are (default: Debian's\ncross root)",
	 OPT_SYSROOT},
	{0, "uarch", "FILE", "parameters of the core from FILE, written as spec/uarch/*.uarch", OPT_UARCH},
	{0, "set", "KEY=VALUE", "change a parameter of the core ('apmu list cores -v' has them)", OPT_SET},
	{0, "cpu", "NAME", "QEMU's -cpu (default: the core's)", OPT_CPU},
	{0, "qemu", "FILE", CLI__QEMU_TEXT, OPT_QEMU},
	{'q', "quiet", NULL,
	 "print no table: the files and the exit status are enough\n(the JSON of -j is printed)", OPT_QUIET},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

static void print_help(FILE *out)
{
	fputs("usage: apmu bench [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	      "\n"
	      "Runs a benchmark and counts what it marks, a row for each part: a program that has Callgrind's\n"
	      "client requests (valgrind/callgrind.h: start, stop, toggle, zero, dump) is counted as they say, each\n"
	      "dump is a row. A program without them is one row, together with what it forks and executes. Counts\n"
	      "repeat to the last digit if the program itself does: --fixed helps it.\n"
	      "\n",
	      out);
	cli__options_help(table, out);
	fputs("\n"
	      "The exit status is the program's; if that is 0, 3 if a limit was passed (which is said in any case); 2 if\n"
	      "the command line is wrong, 1 if the program cannot be run or a file not read or written.\n"
	      "\n"
	      "For example:\n"
	      "  apmu bench --core cortex-a53 --save base.json -- ./prog\n"
	      "  apmu bench --core cortex-a53 --baseline base.json --limit 1% -- ./prog\n"
	      "  CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='apmu bench --save bench.json --' cargo bench --target aarch64-unknown-linux-gnu\n",
	      out);
}

struct taking {
	struct cli__cli *cli;
	struct cli__bench_options *options;
	const char *cores;
	char *sets;
};

static int take_limit(const struct cli__cli *cli, struct cli__bench_options *o, const char *value)
{
	const char *equals = strrchr(value, '=');
	struct cli__bench_limit limit = {0};
	int bad = cli__option_percent(cli, "--limit", equals ? equals + 1 : value, (double)INFINITY,
				      &limit.percent);

	if (bad != 0)
		return bad;
	if (equals != NULL) {
		limit.event = cli__copy(value);
		limit.event[equals - value] = '\0';
	}
	o->limit = cli__grow(o->limit, o->limits, sizeof *o->limit);
	o->limit[o->limits++] = limit;
	return 0;
}

static int take_start(const struct cli__cli *cli, struct cli__bench_options *o, const char *value)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return cli__option_bad(cli, "--instr-atstart", value, "yes or no");
	o->from_start = value[0] == 'y';
	return 0;
}

static int set_format(const struct cli__cli *cli, struct cli__bench_options *o, enum cli__bench_format format)
{
	if (o->format != CLI__BENCH_TEXT && o->format != format) {
		cli__message(cli, "-j and --github exclude each other");
		return CLI__EXIT_USAGE;
	}
	o->format = format;
	return 0;
}

static int set_option(void *ctx, int id, const char *value)
{
	struct taking *t = ctx;
	struct cli__cli *cli = t->cli;
	struct cli__bench_options *o = t->options;

	switch (id) {
	case OPT_CORE: t->cores = value; return 0;
	case OPT_EVENT: return cli__rows_parse(cli, &o->rows, value);
	case OPT_BASELINE: o->baseline = value; return cli__option_file(cli, "--baseline", value);
	case OPT_SAVE: o->save = value; return cli__option_file(cli, "--save", value);
	case OPT_LIMIT: return take_limit(cli, o, value);
	case OPT_JSON: return set_format(cli, o, CLI__BENCH_JSON);
	case OPT_GITHUB: return set_format(cli, o, CLI__BENCH_GITHUB);
	case OPT_FIXED: o->fixed = true; return 0;
	case OPT_START: return take_start(cli, o, value);
	case OPT_NAME: o->name = value; return cli__option_name(cli, "--name", value);
	case OPT_OUTPUT: o->output = value; return cli__option_file(cli, "-o", value);
	case OPT_SYSROOT: o->sysroot = value; return 0;
	case OPT_UARCH: return cli__sets_add_file(&t->sets, value);
	case OPT_SET: cli__sets_add(&t->sets, value); return 0;
	case OPT_CPU: o->cpu = value; return 0;
	case OPT_QEMU: o->qemu = value; return cli__option_file(cli, "--qemu", value);
	case OPT_QUIET: o->quiet = true; return 0;
	default: print_help(cli->out); return CLI__BENCH_HELP;
	}
}

static int add_core(struct cli__bench_options *o, const struct apmu_core *core)
{
	if (core == NULL)
		return CLI__EXIT_USAGE;
	o->core = cli__grow(o->core, o->cores, sizeof *o->core);
	o->core[o->cores++] = core;
	return 0;
}

static int choose_cores(struct cli__cli *cli, const char *list, struct cli__bench_options *o)
{
	int bad = 0;

	if (list == NULL)
		return add_core(o, cli__default(o->argv[0], o->sysroot, false));
	char *copy = cli__copy(list);
	for (char *at = copy, *next; bad == 0 && at; at = next) {
		if ((next = strchr(at, ',')) != NULL)
			*next++ = '\0';
		bad = add_core(o, cli__core(cli, at));
	}
	free(copy);
	return bad;
}

static int describe_cores(struct cli__cli *cli, struct cli__bench_options *o, const char *sets)
{
	int bad = 0;

	o->uarch = cli__zalloc(o->cores, sizeof *o->uarch);
	o->wanted = cli__zalloc(o->cores, sizeof(*o->wanted));
	for (size_t c = 0; bad == 0 && c < o->cores; c++) {
		if (!cli__params_of(cli, o->core[c], &o->uarch[c]))
			return CLI__EXIT_FAILURE;
		if (sets)
			bad = cli__set_all(cli, &o->uarch[c], sets, o->core[c]);
		if (bad == 0)
			o->wanted[c] = cli__wanted_of(cli, &o->rows, o->core[c], o->core, o->cores);
		if (bad == 0 && o->wanted[c] == NULL)
			bad = CLI__EXIT_USAGE;
		if (bad == 0)
			bad = cli__wanted_refuse_outside(cli, o->wanted[c], o->rows.n,
							 "is counted by 'apmu stat' alone");
	}
	return bad;
}

static int check(const struct cli__cli *cli, const struct cli__bench_options *o)
{
	const char *why = NULL;

	if (o->argv[0] == NULL)
		why = "no program to run; 'apmu bench --help' shows how";
	else if (o->limits && o->baseline == NULL)
		why = "--limit needs --baseline FILE, from which the change is measured";
	if (why == NULL)
		return 0;
	cli__message(cli, "%s", why);
	return CLI__EXIT_USAGE;
}

static int check_limits(const struct cli__cli *cli, const struct cli__bench_options *o)
{
	for (size_t i = 0; i < o->limits; i++) {
		bool there = o->limit[i].event == NULL;
		for (size_t k = 0; k < o->rows.n && !there; k++)
			there = apmu_base__same_name(o->rows.row[k].label, o->limit[i].event);
		if (there)
			continue;
		cli__message(cli, "--limit %s: that event is not counted; -e counts it", o->limit[i].event);
		return CLI__EXIT_USAGE;
	}
	return 0;
}

int cli__bench_options(struct cli__cli *cli, int argc, char **argv, struct cli__bench_options *o)
{
	static const char *const usual[] = {"instructions", "cycles", "cache-misses", "branch-misses"};
	struct cli__args args = {.cli = cli, .option = table, .argc = argc, .argv = argv, .at = 1};
	struct taking t = {.cli = cli, .options = o};

	*o = (struct cli__bench_options){.from_start = 2};
	int bad = cli__options_each(&args, set_option, &t);
	o->argv = argv + args.at;
	if (bad == 0)
		bad = check(cli, o);
	for (size_t i = 0; o->rows.n == 0 || (i && i < 4); i++)
		cli__rows_add(&o->rows, usual[i], true);
	if (bad == 0)
		bad = check_limits(cli, o);
	if (bad == 0)
		bad = choose_cores(cli, t.cores, o);
	if (bad == 0)
		bad = describe_cores(cli, o, t.sets);
	free(t.sets);
	return bad;
}

void cli__bench_options_free(struct cli__bench_options *o)
{
	for (size_t c = 0; o->wanted && c < o->cores; c++)
		free(o->wanted[c]);
	for (size_t i = 0; i < o->limits; i++)
		free(o->limit[i].event);
	free(o->wanted);
	free(o->uarch);
	free(o->core);
	free(o->limit);
	cli__rows_free(&o->rows);
}
