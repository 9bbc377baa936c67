/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* realpath */
#include "cli/common/options.h"
#include "cli/common/output.h"
#include "cli/common/side_runs.h"
#include "cli/sweep/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPT_JOBS, OPT_OUTPUT, OPT_DRY, OPT_PLOT, OPT_ENGINE, OPT_SBATCH, OPT_HELP };

static const struct cli__option options[] = {
	{'j', "jobs", "N", "runs at a time (default: as many as the machine has\nprocessors)", OPT_JOBS},
	{'o', "output", "FILE", "results, one JSON line per run (default PLAN.jsonl)", OPT_OUTPUT},
	{'n', "dry-run", NULL, "print the command lines and run nothing", OPT_DRY},
	{0, "plot", "FILE", "bars of the first event, as SVG", OPT_PLOT},
	{0, "engine", "local|slurm", "run here, or as a job array of Slurm (sbatch must be there)",
	 OPT_ENGINE},
	{0, "sbatch", "OPTION", "one more option for sbatch, such as --partition=long", OPT_SBATCH},
	{'h', "help", NULL, "this text", OPT_HELP},
	{0, NULL, NULL, NULL, 0}};

struct request {
	const char *plan, *output, *plot;
	bool dry, slurm, help;
};

static void print_help(FILE *out)
{
	fputs("usage: apmu sweep [OPTION]... PLAN\n"
	      "\n"
	      "Runs each program of a plan on each core with each combination of parameters, several at a time. Every run is\n"
	      "an ordinary 'apmu stat', which -n prints. Results are kept as they come: a stopped sweep continues\n"
	      "where it stopped; runs that failed are tried again.\n"
	      "\n"
	      "A plan is lines of words:\n"
	      "  program ./sort 10000        a command line; several lines: several programs\n"
	      "  core cortex-a53 xscale2     cores\n"
	      "  event cycles cache-misses   events; without them stat's usual ones\n"
	      "  set l1d.size 16384 32768    a parameter (--set of stat) and its values\n"
	      "  option -L /srv/arm64        more options of stat, for all\n"
	      "\n",
	      out);
	cli__options_help(options, out);
	fputs("\n"
	      "The exit status is 0 if every run left a result, whatever its own exit status; 2 if the command line or the\n"
	      "plan is wrong; else 1.\n"
	      "\n"
	      "For example:\n"
	      "  apmu sweep -n caches.plan\n"
	      "  apmu sweep -j 8 --plot caches.svg caches.plan\n"
	      "  apmu sweep --engine slurm --sbatch --partition=long caches.plan\n",
	      out);
}

static int take_engine(const struct cli__cli *cli, struct request *request, const char *value)
{
	request->slurm = strcmp(value, "slurm") == 0;
	if (request->slurm || strcmp(value, "local") == 0)
		return 0;
	cli__message(cli, "--engine is local or slurm, not '%s'", value);
	return CLI__EXIT_USAGE;
}

static int take_option(const struct cli__cli *cli, struct request *request, struct cli__sweep *sweep, int id,
		       const char *value)
{
	uint64_t number = 0;

	switch (id) {
	case OPT_JOBS:
		if (!cli__number(value, 1024, &number) || number == 0)
			return cli__option_bad(cli, "-j", value, "a number of runs at a time, 1 to 1024");
		sweep->jobs = (unsigned)number;
		break;
	case OPT_OUTPUT:
		request->output = value;
		return strcmp(value, "-") != 0
			       ? cli__option_file(cli, "-o", value)
			       : cli__option_bad(cli, "-o", value, "a file, from which the sweep goes on");
	case OPT_DRY: request->dry = true; break;
	case OPT_PLOT: request->plot = value; break;
	case OPT_ENGINE: return take_engine(cli, request, value);
	case OPT_SBATCH: cli__words_add(&sweep->sbatch, value); break;
	default: request->help = true;
	}
	return 0;
}

static int parse(const struct cli__cli *cli, int argc, char **argv, struct request *request,
		 struct cli__sweep *sweep)
{
	struct cli__args args = {.cli = cli, .option = options, .argc = argc, .argv = argv, .at = 1};

	while (!request->help) {
		int id = cli__option_next(&args);
		if (id == CLI__OPTION_WORD && args.at >= argc)
			break;
		if (id == CLI__OPTION_WORD && request->plan == NULL) {
			request->plan = argv[args.at++];
			continue;
		}
		if (id == CLI__OPTION_WORD) {
			cli__message(cli, "unexpected argument '%s': a sweep takes one plan", argv[args.at]);
			return CLI__EXIT_USAGE;
		}
		int code = id == CLI__OPTION_BAD ? CLI__EXIT_USAGE
						 : take_option(cli, request, sweep, id, args.value);
		if (code != 0)
			return code;
	}
	if (request->plan && !request->help && !request->slurm && sweep->sbatch.n) {
		cli__message(cli, "--sbatch is for --engine slurm");
		return CLI__EXIT_USAGE;
	}
	if (request->plan || request->help)
		return 0;
	cli__message(cli, "no plan; 'apmu sweep --help' shows one");
	return CLI__EXIT_USAGE;
}

/* Makes the folder RESULTS.runs beside the results. Its path is absolute, because Slurm's tasks may start
 * elsewhere. */
static int make_folder(const struct cli__cli *cli, struct cli__sweep *sweep)
{
	char *folder = cli__format("%s.runs", sweep->results);
	int made = mkdir(folder, 0777);

	if (made != 0 && errno != EEXIST) {
		cli__message(cli, "%s: %s", folder, strerror(errno));
		free(folder);
		return CLI__EXIT_FAILURE;
	}
	sweep->folder = realpath(folder, NULL);
	if (sweep->folder == NULL)
		sweep->folder = cli__copy(folder);
	free(folder);
	return 0;
}

static int plot(struct cli__cli *cli, const struct cli__sweep *sweep, const char *path)
{
	struct cli__output out;

	if (path == NULL)
		return 0;
	int code = cli__output_open(cli, &out, path);
	if (code != 0)
		return code;
	cli__sweep_plot(sweep, out.stream);
	return cli__output_close(cli, &out, true);
}

static int report(struct cli__cli *cli, const struct cli__sweep *sweep, const struct request *request)
{
	size_t failed = 0, never = 0;
	int code = plot(cli, sweep, request->plot);

	cli__sweep_table(sweep, cli->out);
	for (size_t i = 0; i < sweep->runs; i++)
		if (json_object_get(sweep->run[i].result, "counters") == NULL) {
			failed++;
			never += !cli__sweep_possible(sweep, &sweep->run[i]);
		}
	if (never)
		cli__message(
			cli,
			"%zu of %zu runs left no result: their program (32-bit or 64-bit) cannot run on their core",
			never, sweep->runs);
	if (failed > never)
		cli__message(cli, "%zu of %zu runs left no result; run it again to try them again",
			     failed - never, sweep->runs);
	return failed ? CLI__EXIT_FAILURE : code;
}

static int sweep_plan(struct cli__cli *cli, const struct request *request, struct cli__sweep *sweep)
{
	int code = cli__sweep_plan(cli, request->plan, sweep);

	if (code == 0)
		code = cli__sweep_check(cli, request->plan, sweep);
	if (code != 0)
		return code;
	for (size_t i = 0; request->dry && i < sweep->runs; i++)
		fprintf(cli->out, "%s\n", sweep->run[i].command);
	if (request->dry)
		return 0;
	sweep->results =
		request->output ? cli__copy(request->output) : cli__format("%s.jsonl", request->plan);
	code = cli__output_check(cli, sweep->results);
	if (code == 0)
		code = cli__output_check(cli, request->plot);
	if (code == 0)
		code = cli__output_apart(cli, sweep->results, request->plan, "plan");
	if (code == 0)
		code = cli__output_apart(cli, request->plot, request->plan, "plan");
	if (code == 0)
		code = cli__output_apart(cli, request->plot, sweep->results, "list of results");
	if (code == 0)
		code = cli__sweep_resume(cli, sweep);
	if (code == 0)
		code = make_folder(cli, sweep);
	if (code == 0)
		code = request->slurm ? cli__sweep_slurm(cli, sweep) : cli__sweep_local(cli, sweep);
	return code ? code : report(cli, sweep, request);
}

int cli__cmd_sweep(struct cli__cli *cli, int argc, char **argv)
{
	struct request request = {0};
	struct cli__sweep sweep = {.jobs = cli__processors()};
	int code = parse(cli, argc, argv, &request, &sweep);
	if (code == 0 && request.help)
		print_help(cli->out);
	else if (code == 0 && !cli->parse_only)
		code = sweep_plan(cli, &request, &sweep);
	cli__sweep_free(&sweep);
	return code;
}
