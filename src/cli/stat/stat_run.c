/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/interrupt.h"
#include "cli/common/kernel.h"
#include "cli/common/laws.h"
#include "cli/common/models.h"
#include "cli/common/region.h"
#include "cli/common/runs.h"
#include "cli/common/virtual_pmus.h"
#include "cli/stat/stat.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Adds the signals that the run must produce and returns the one that measures time. Signals that nothing
 * needs are not modelled, so a run of instructions and branches is nearly as fast as plain QEMU. Instructions
 * cost next to nothing and are the clock of runs without cycles. */
static enum apmu_signal signals_of(const struct cli__stat_options *options, const struct cli__stat_core *core,
				   struct apmu_qemu__run_options *run)
{
	uint64_t *wanted = run->wanted;

	apmu_signal_add(wanted, APMU_SIG_INST);
	for (size_t i = 0; i < options->rows.n; i++)
		if (!core->wanted[i].absent)
			cli__wanted_signals(core->core, &core->wanted[i], wanted);
	if (apmu_signal_in(wanted, APMU_SIG_CYCLES))
		run->estimate_stalls = cli__band_signals(wanted);
	if (options->hardware)
		apmu_signal_add(wanted, APMU_SIG_CYCLES);
	if (options->interval != 0)
		apmu_signal_add(wanted, options->interval_signal);
	return apmu_signal_in(wanted, APMU_SIG_CYCLES) ? APMU_SIG_CYCLES : APMU_SIG_INST;
}

static struct apmu_qemu__run_options run_options(const struct cli__stat_options *o,
						 const struct cli__stat_core *core)
{
	struct apmu_qemu__run_options run = {.core = core->core,
					     .uarch = &core->uarch,
					     .qemu = o->qemu,
					     .cpu = o->cpu,
					     .sysroot = o->sysroot,
					     .argv = o->argv,
					     .follow = !o->alone && !o->system,
					     .system = o->system,
					     .interrupted = cli__interrupted,
					     .ended = cli__interrupts_results,
					     .insists = cli__interrupts_insist,
					     .sample_time = o->sample_time,
					     .interval = o->interval,
					     .interval_signal = o->interval_signal};

	if (o->hardware && !cli__rotation_fits(o, core)) {
		run.interval = o->slice;
		run.interval_signal = APMU_SIG_CYCLES;
	}
	return run;
}

static void take_outcome(struct cli__stat_result *result, const struct apmu_qemu__run_result *run, bool first)
{
	if (first || (result->exit == 0 && run->exit != 0)) {
		result->exit = run->exit;
		result->signal = run->signal;
	}
	if (first) {
		result->undecoded = run->undecoded;
		result->undecoded_word = run->undecoded_word;
		result->hidden = run->hidden;
		result->preloads = run->preloads;
	}
}

/* Takes how much of the run was timed, and the error that this brings. */
static void take_samples(struct cli__stat_result *result, const struct apmu_qemu__run_result *run)
{
	double instructions = 0, untimed = 0, cycles = 0, variance = 0;

	for (size_t i = 0; i < run->marks; i++) {
		const struct apmu_qemu__snapshot *mark = &run->mark[i];
		if (!mark->last)
			continue;
		instructions += (double)mark->tally.n[APMU_SIG_INST];
		cycles += (double)mark->tally.n[APMU_SIG_CYCLES];
		untimed += (double)mark->untimed;
		variance += mark->variance;
	}
	bool damaged = !isfinite(variance) || variance < 0; /* the program can write to these */

	result->timed = untimed > 0 && instructions > 0 ? fmax(1 - untimed / instructions, 0) : 1;
	result->time_error = damaged ? 1 : untimed > 0 && cycles > 0 ? sqrt(variance) / cycles : 0;
	result->unlawful |= damaged;
}

static void say_losses(const struct cli__cli *cli, struct cli__stat_result *result,
		       const struct apmu_qemu__run_result *run)
{
	if (run->marks_lost)
		cli__message(
			cli,
			"%" PRIu64
			" intervals could not be written: %s; the next interval contains their counts. Set TMPDIR to a folder with room",
			run->marks_lost, strerror(run->marks_error));
	if (run->threads_lost)
		cli__message(cli, APMU_QEMU__THREADS_LOST, run->threads_lost);
	if (run->native)
		cli__message(cli, APMU_QEMU__NATIVE_TEXT, run->native, run->native_path);
	result->incomplete |= run->marks_lost || run->threads_lost;
}

static int find_region(const struct cli__cli *cli, const struct cli__stat_options *o,
		       struct apmu_qemu__run_options *options)
{
	const char *kernel = o->kernel == NULL && o->system ? cli__kernel_of(o->argv) : o->kernel;

	return cli__region_find(cli, o->region, options, kernel, &options->region);
}

/* Fills in the options of each run, core by core. 0, or an exit code. */
static int prepare(struct cli__cli *cli, const struct cli__stat_options *o, struct cli__stat_result *results,
		   struct apmu_qemu__run_options *options)
{
	for (size_t c = 0; c < o->cores; c++) {
		struct apmu_qemu__run_options *option = &options[c * o->repeat];
		int bad = 0;
		*option = run_options(o, &o->core[c]);
		results[c].time = signals_of(o, &o->core[c], option);
		if (o->region != NULL && (bad = find_region(cli, o, option)) != 0)
			return bad;
		for (unsigned r = 1; r < o->repeat; r++)
			option[r] = option[0];
	}
	return 0;
}

/* Takes run i and replays it into `counts`. `first`: it is the first on its core. CLI__STAT_NO_MORE: a signal
 * came before it began, and there are earlier ones to print. */
static int run_once(struct cli__cli *cli, const struct cli__stat_options *o,
		    const struct cli__stat_core *core, struct cli__stat_result *result,
		    struct cli__runs *runs, size_t i, struct cli__counts *counts, bool first)
{
	struct apmu_qemu__run_result run = {0};
	char error[512] = "";
	int bad = cli__runs_take(runs, i, &run, error, sizeof error);

	if (i > 0 && cli__runs_stopped(bad)) {
		free(run.mark);
		return CLI__STAT_NO_MORE;
	}
	if (bad != 0) {
		free(run.mark);
		return cli__runs_failed(cli, runs, i, bad, error, "nothing is printed");
	}
	cli__region_check(cli, o->region, &run);
	take_outcome(result, &run, first);
	say_losses(cli, result, &run);
	result->incomplete |= cli__runs_unwritten(cli, runs, i);
	result->unlawful |= !cli__lawful(cli, &runs->option[i], &run);
	if (first)
		take_samples(result, &run);
	if (first && !result->unlawful)
		result->band = cli__band_of(core->core, &core->uarch, &run);
	bad = cli__replay(o, core, result->time, &run, counts);
	free(run.mark);
	if (bad == 0)
		return 0;
	cli__message(cli, "%s cannot be counted: its PMU lacks a register that counting needs",
		     core->core->name);
	return CLI__EXIT_FAILURE;
}

/* Sums over several runs. As in perf, the spread is the standard deviation of the mean, as a share of the
 * mean, by Welford's method: equal counts have none. */
struct sums {
	double mean, squares; /* squares: of the distances from the mean */
	double counted, enabled, running;
};

/* Adds the counts of the run with this number, from 1. */
static void add_sums(struct sums *sums, const struct cli__counts *counts, size_t n, unsigned run)
{
	for (size_t i = 0; i < n; i++) {
		double value = cli__scaled(&counts->total[i]), away = value - sums[i].mean;

		sums[i].mean += away / run;
		sums[i].squares += away * (value - sums[i].mean);
		sums[i].counted += (double)counts->total[i].value;
		sums[i].enabled += (double)counts->total[i].enabled;
		sums[i].running += (double)counts->total[i].running;
	}
}

static double spread_of(const struct sums *sums, double runs)
{
	if (runs < 2 || sums->mean == 0)
		return 0;
	return sqrt(sums->squares / (runs - 1) / runs) / sums->mean;
}

static void finish_means(struct cli__stat_result *result, const struct sums *sums, unsigned runs, size_t n)
{
	result->mean = cli__zalloc(n, sizeof *result->mean);
	result->spread = cli__zalloc(n, sizeof *result->spread);
	for (size_t i = 0; i < n; i++) {
		if (runs == 1) {
			result->mean[i] = result->counts.total[i];
			continue;
		}
		result->mean[i].value = (uint64_t)(sums[i].counted / runs + 0.5);
		result->mean[i].enabled = (uint64_t)(sums[i].enabled / runs + 0.5);
		result->mean[i].running = (uint64_t)(sums[i].running / runs + 0.5);
		result->spread[i] = spread_of(&sums[i], runs);
	}
}

/* Takes the runs on a core. 0, CLI__STAT_NO_MORE if there was none, or an exit code after a complaint. */
static int run_core(struct cli__cli *cli, const struct cli__stat_options *o, size_t c,
		    struct cli__stat_result *result, struct cli__runs *all)
{
	struct sums *sums = cli__zalloc(o->rows.n, sizeof *sums);
	unsigned runs = 0;
	int bad = 0;

	while (bad == 0 && runs < o->repeat && (runs == 0 || !cli__interrupted())) {
		struct cli__counts counts;

		counts = (struct cli__counts){0};
		bad = run_once(cli, o, &o->core[c], result, all, c * o->repeat + runs, &counts, runs == 0);
		if (bad == CLI__STAT_NO_MORE)
			break;
		if (bad == 0)
			add_sums(sums, &counts, o->rows.n, runs + 1);
		if (runs++ == 0)
			result->counts = counts;
		else
			cli__counts_free(&counts);
	}
	result->runs = runs;
	if (bad == CLI__STAT_NO_MORE && runs > 0)
		bad = 0; /* these have their mean */
	if (bad == 0)
		finish_means(result, sums, runs, o->rows.n);
	free(sums);
	return bad;
}

static void say(struct cli__cli *cli, const struct cli__stat_options *o, size_t c)
{
	const struct cli__stat_core *core = &o->core[c];
	char *models = cli__models(o->cpu != NULL ? o->cpu : core->core->qemu);

	if (o->verbose)
		cli__message(cli, "%s: %zu PMU%s of %u event counters, parameters '%s', QEMU -cpu %s",
			     core->core->name,
			     o->hardware ? (size_t)1 : cli__session_pmus(core->core, core->wanted, o->rows.n),
			     o->hardware || cli__rotation_fits(o, core) ? "" : "s", core->core->counters,
			     core->core->uarch, models);
	else if (o->cores > 1 && !cli__interrupted() && isatty(fileno(cli->err)))
		cli__message(cli, "%s (%zu of %zu)", core->core->name, c + 1, o->cores);
	free(models);
}

int cli__stat_run(struct cli__cli *cli, const struct cli__stat_options *o, struct cli__stat_options *ran,
		  struct cli__stat_result *results)
{
	size_t total = o->cores * o->repeat;
	struct apmu_qemu__run_options *option = cli__zalloc(total, sizeof *option);
	struct cli__runs runs = {0};
	int bad = prepare(cli, o, results, option);

	*ran = *o;
	ran->cores = 0;
	if (bad == 0)
		bad = cli__runs_begin(cli, &runs, option, total, o->jobs);
	while (ran->cores < o->cores && bad == 0) {
		say(cli, o, ran->cores);
		bad = run_core(cli, o, ran->cores, &results[ran->cores], &runs);
		ran->cores += bad == 0;
	}
	cli__runs_end(&runs);
	if (bad == CLI__STAT_NO_MORE) {
		size_t taken = ran->cores * o->repeat;
		cli__runs_say_not_run(cli, option + taken, total - taken);
		ran->stopped = cli__interrupted();
		bad = 0;
	}
	free(option);
	return bad;
}

void cli__stat_results_free(const struct cli__stat_options *o, struct cli__stat_result *results)
{
	for (size_t c = 0; c < o->cores; c++) {
		cli__counts_free(&results[c].counts);
		free(results[c].mean);
		free(results[c].spread);
	}
}

int cli__stat_status(const struct cli__stat_options *o, const struct cli__stat_result *results)
{
	for (size_t c = 0; c < o->cores; c++)
		if (results[c].incomplete || results[c].unlawful)
			return CLI__EXIT_FAILURE;
	int exit = cli__stat_exit(o, results);
	return exit == 0 && o->stopped ? 128 + o->stopped : exit;
}

int cli__stat_exit(const struct cli__stat_options *o, const struct cli__stat_result *results)
{
	for (size_t c = 0; c < o->cores; c++)
		if (results[c].exit != 0)
			return results[c].exit;
	return 0;
}
