/* SPDX-License-Identifier: MIT */
/**
 * `apmu stat`: declarations that its files share. Options -> runs -> counts -> one of three ways to print
 * them.
 *
 * stat_options.c  the command line      stat_run.c    run the program on each core, N times
 * stat_replay.c   marks -> PMUs -> counts             stat_metrics.c  formulas over counts
 * stat_text.c stat_csv.c stat_json.c    printing      output.c  -o
 * stat_band.c     how far modelled cycles may be off
 */
#ifndef APMU_CLI_STAT_STAT_H
#define APMU_CLI_STAT_STAT_H

#include "cli/common/colour.h"
#include "cli/common/events.h"
#include "cli/common/options.h"
#include "cli/stat/stat_band.h"
#include "qemu/run.h"

#include <apmu/uarch.h>

/* One core of the run: its parameters, and each row resolved on it. */
struct cli__stat_core {
	const struct apmu_core *core;
	struct apmu_uarch_params uarch;
	struct cli__wanted *wanted;              /* rows.n of them */
	const struct apmu_metric *const *metric; /* to print, in order */
	size_t metrics;
};

struct cli__stat_options {
	struct cli__stat_core *core;
	size_t cores;
	bool several;   /* more than one core was asked for: JSON and CSV then have the form for several */
	int stopped;    /* the signal that kept the program from running on further cores, or 0 */
	bool defaulted; /* no core was named: the program's architecture chose it */
	struct cli__rows rows;
	char **argv; /* the program, NULL-terminated */
	const char *sysroot, *cpu, *qemu, *output, *region;
	bool coloured;         /* the text output has colours */
	const char *separator; /* -x; NULL: none */
	bool plot;             /* --plot */
	const char *picture;   /* --plot=FILE; NULL: the terminal */
	bool json, alone, per_thread, verbose, hardware;
	unsigned events, metrics; /* how often -e and -M were given */
	const char *kernel;       /* symbol file of the system; NULL: the file that -kernel names */
	bool by_name;             /* what runs is shown by name (top-down --by); set before parsing */
	bool system;              /* argv is a command line of qemu-system-...; threads are virtual CPUs */
	unsigned detail;          /* how often -d was given */
	unsigned sample_time;     /* --sample-time: one of so many instructions; 0: all are timed */
	unsigned repeat;          /* 1 and up */
	unsigned jobs;            /* runs at a time */
	uint64_t interval;        /* -I; 0: none */
	enum apmu_signal interval_signal;
	uint64_t slice; /* cycles that a group stays on the counters, with `hardware` */
};

/* Parses and checks everything that can be checked before a program runs; of *options `by_name` is kept. 0 to
 * go on, CLI__STAT_HELP when help is asked for, else an exit code after a complaint. Free in any case. */
enum { CLI__STAT_HELP = -1, CLI__STAT_NO_MORE = -2 };
int cli__stat_options(struct cli__cli *cli, int argc, char **argv, struct cli__stat_options *options);
void cli__stat_help(FILE *out);                  /* what --help prints */
const struct cli__option *cli__stat_table(void); /* for commands that pass the options on */

/* Refuses options that contradict each other. 0, or an exit code after a complaint. */
int cli__stat_check(const struct cli__cli *cli, const struct cli__stat_options *options);
void cli__stat_options_free(struct cli__stat_options *options);

/* Count of one event. `enabled` and `running` say how long it was wanted and how long it was on a counter, in
 * units of `time` of struct cli__stat_result. */
struct cli__count {
	uint64_t value, enabled, running;
};

struct cli__stat_thread {
	int pid, tid;
	char name[16];            /* that the program gave it; empty: none */
	struct cli__count *count; /* rows.n */
};

/* Counts between two marks of a thread. */
struct cli__slice {
	size_t thread;            /* index */
	uint64_t at;              /* where it ends, in interval_signal */
	struct cli__count *count; /* rows.n */
};

/* One run on one core. */
struct cli__counts {
	struct cli__stat_thread *thread;
	size_t threads;
	struct cli__slice *slice;
	size_t slices;
	struct cli__count *total; /* rows.n: all threads */
};

/* What output calls a thread, and its number: a virtual CPU's own, a thread's from 1. */
static inline const char *cli__stat_thread_word(const struct cli__stat_options *options)
{
	return options->system ? "vCPU" : "thread";
}

static inline size_t cli__stat_thread_number(const struct cli__stat_options *options,
					     const struct cli__counts *counts, size_t thread)
{
	return options->system ? (size_t)counts->thread[thread].tid : thread + 1;
}

/* All runs on one core. */
struct cli__stat_result {
	struct cli__counts counts; /* of the first run */
	struct cli__count *mean;   /* rows.n, of all runs */
	double *spread;            /* rows.n: standard deviation of the mean, as a share of it */
	unsigned runs;             /* of `mean`: fewer than asked for after an interrupt */
	enum apmu_signal time;     /* what enabled and running count: APMU_SIG_CYCLES or APMU_SIG_INST */
	int exit, signal;          /* of the first run that failed, else of the first */
	uint64_t undecoded, undecoded_word;
	uint64_t preloads;     /* as in struct apmu_qemu__run_result */
	uint32_t hidden;       /* as in struct apmu_qemu__run_result */
	bool incomplete;       /* intervals, threads or output are missing, as a message said */
	bool unlawful;         /* the cycles are impossible, as a message said */
	struct cli__band band; /* of the first run's cycles */
	double timed;          /* share of the first run's instructions that were timed; 1: all */
	double time_error;     /* standard error of its cycles by that, as a share of them */
};

/* Runs the program on every core. 0, or an exit code after a complaint. Free in any case. A signal may keep
 * it from running on the last ones, as a message then says: *ran is a copy of the options with those cores
 * alone that it ran on, at least one, for printing; it owns nothing. */
int cli__stat_run(struct cli__cli *cli, const struct cli__stat_options *options,
		  struct cli__stat_options *ran, struct cli__stat_result *results);
void cli__stat_results_free(const struct cli__stat_options *options, struct cli__stat_result *results);

/* Counts one run through PMUs. 0, or APMU_ENOENT when the core's registers lack what counting needs. */
int cli__replay(const struct cli__stat_options *options, const struct cli__stat_core *core,
		enum apmu_signal time, const struct apmu_qemu__run_result *run, struct cli__counts *counts);
void cli__counts_free(struct cli__counts *counts);

/* Checks that no group needs more event counters than the core has. 0, or 2 after a complaint. */
int cli__rotation_check(const struct cli__cli *cli, const struct cli__stat_options *options,
			const struct cli__stat_core *core);

/* True if all events fit the core's own counters at once, so that nothing rotates. */
bool cli__rotation_fits(const struct cli__stat_options *options, const struct cli__stat_core *core);

/* What the event would have counted had it been on a counter all the time. */
double cli__scaled(const struct cli__count *count);
/* True if the event was wanted, but its turn on a counter never came. */
bool cli__uncounted(const struct cli__count *count);

/* Adds the rows that the metrics of -M need, or the default metrics if n is 0. 0, or 2 after a complaint. */
int cli__metrics_rows(const struct cli__cli *cli, struct cli__stat_options *options, const char *const *names,
		      size_t n);
/* Chooses the metrics to print for each core: those for which the rows suffice. Needs `wanted`. */
void cli__metrics_choose(struct cli__stat_options *options, const char *const *names, size_t n);
/* Evaluates a metric; NAN if it divides by zero. 0, or APMU_EINVAL if an event was never on a counter. */
int cli__metric_value(const struct cli__stat_options *options, const struct cli__stat_core *core,
		      const struct apmu_metric *metric, const struct cli__count *counts, double *out);

/* Seconds that the counted cycles take at the core's clock; 0 if the clock is unknown or no cycles were
 * modelled. */
double cli__simulated(const struct cli__stat_core *core, const struct cli__stat_result *result,
		      const struct cli__count *counts);

/* Text beside a row's count, such as "   14.59% of all branches"; the caller frees it. NULL: none. */
char *cli__stat_remark(const struct cli__stat_options *options, const struct cli__stat_core *core,
		       const struct cli__stat_result *result, const struct cli__count *counts, size_t row,
		       enum cli__colour *colour);

/* Explains each row that is a different event on different cores. */
void cli__stat_meanings(const struct cli__stat_options *options, FILE *out);

/* Tells that the program failed or was ended by a signal, once if it ended alike on all cores. */
void cli__stat_ends(const struct cli__stat_options *options, const struct cli__stat_result *results,
		    FILE *out);

/* Print the results. */
void cli__stat_text(const struct cli__stat_options *options, const struct cli__stat_result *results,
		    unsigned width, FILE *out);
void cli__stat_csv(const struct cli__stat_options *options, const struct cli__stat_result *results,
		   FILE *out);
int cli__stat_json(const struct cli__stat_options *options, const struct cli__stat_result *results,
		   FILE *out);

/* Draw the slices of -I as curves, in the terminal or as SVG. */
void cli__plot_text(const struct cli__stat_options *options, const struct cli__stat_result *results,
		    unsigned width, FILE *out);
void cli__plot_svg(const struct cli__stat_options *options, const struct cli__stat_result *results,
		   FILE *out);

/* The program's exit status: that of the first run that did not end with 0. */
int cli__stat_exit(const struct cli__stat_options *options, const struct cli__stat_result *results);
/* The command's exit status: 1 if the results are incomplete or impossible, else the program's, else that of
 * the signal that kept it from running on all cores. */
int cli__stat_status(const struct cli__stat_options *options, const struct cli__stat_result *results);

#endif
