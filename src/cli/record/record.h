/* SPDX-License-Identifier: MIT */
/**
 * `apmu record`: declarations that its files share. record_options.c: the command line. record_run.c: the run
 * and the file. record_stack.c: the events of --cpi-stack and --transfers.
 */
#ifndef APMU_CLI_RECORD_RECORD_H
#define APMU_CLI_RECORD_RECORD_H

#include "cli/common/events.h"
#include "cli/common/options.h"
#include "profile/profile.h"
#include "qemu/run.h"

#include <apmu/uarch.h>

#define CLI__RECORD_FILE "apmu.data"

struct cli__record_options {
	const struct apmu_core *core;
	struct apmu_uarch_params uarch;
	struct cli__rows rows;
	struct cli__wanted *wanted;         /* rows.n */
	struct apmu_qemu__run_event *event; /* rows.n and the added ones, for the engine */
	struct profile__event *about;       /* the same for the file */
	size_t events;                      /* rows.n and those of --cpi-stack and --transfers */
	char **argv;                        /* the program, NULL-terminated */
	const char *sysroot, *cpu, *qemu, *output, *region;
	const char *temporary; /* folder of the output if that is a nameless file, else NULL */
	char *own_output;      /* owned name that `output` has if several cores are named, else NULL */
	size_t cores;          /* how many cores the command names */
	unsigned jobs;         /* recordings at a time, of several cores */
	bool defaulted;        /* no core was named: the program's architecture chose it */
	bool chains, data, exact, branches, stack, transfers, alone, quiet, verbose;
	bool system;                /* argv is a command line of qemu-system-...; threads are virtual CPUs */
	const char *kernel;         /* symbol file of the system; NULL: the file that -kernel names */
	uint64_t period, frequency; /* one of them is 0; both: exact counts */
	uint32_t skid;
};

/* Parses the command line of a recording on one core. 0 to go on, CLI__RECORD_HELP if --help was all, else an
 * exit code after a complaint. Free in any case. */
enum { CLI__RECORD_HELP = -1 };
int cli__record_options(struct cli__cli *cli, int argc, char **argv, struct cli__record_options *options);

/* Like cli__record_options(), for core `which`, from 0, of the list; with several cores the file's name
 * contains the core's. */
int cli__record_options_of(struct cli__cli *cli, int argc, char **argv, size_t which,
			   struct cli__record_options *options);
void cli__record_options_free(struct cli__record_options *options);

/* Fills in wanted, event and about from rows, core and rate. 0, or an exit code after a complaint. */
int cli__record_events(struct cli__cli *cli, struct cli__record_options *options);

/* The table of options, for commands that pass them on. */
const struct cli__option *cli__record_table(void);

/* The events that --cpi-stack and --transfers add: the first function returns their number; the second writes
 * them and returns their number. */
size_t cli__record_more_size(const struct cli__record_options *options);
size_t cli__record_more(const struct cli__record_options *options, struct apmu_qemu__run_event *run,
			struct profile__event *about);

/* Runs the program on the core of each of `n` options, options[0].jobs at a time, and writes their files. 0,
 * with the program's exit status in *exits (of several the first that is not 0), or an exit code after a
 * complaint. */
int cli__record_runs(struct cli__cli *cli, const struct cli__record_options *options, size_t n, int *exits);

/* cli__record_runs() for one core. */
int cli__record_run(struct cli__cli *cli, const struct cli__record_options *options, int *exits);

#endif
