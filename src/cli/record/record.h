/* SPDX-License-Identifier: MIT */
/**
 * `apmu record`: what its files share. record_options.c the command line, record_run.c the run and the file.
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
	struct apmu_qemu__run_event *event; /* the same for the engine, and what --cpi-stack adds */
	struct profile__event *about;       /* and for the file */
	size_t events;                      /* rows.n and those of --cpi-stack */
	char **argv;                        /* the program, NULL-terminated */
	const char *sysroot, *cpu, *qemu, *output, *region;
	char *own_output; /* the name that `output` has for one of several cores, or NULL */
	size_t cores;     /* how many cores the command names */
	unsigned jobs;    /* recordings at a time, of several cores */
	bool defaulted;   /* nobody named a core: the program chose */
	bool chains, data, exact, branches, stack, transfers, follow, quiet, verbose;
	bool system;                /* argv is a command line of qemu-system-...; threads are virtual CPUs */
	const char *kernel;         /* where the system's symbols are; NULL: nowhere */
	uint64_t period, frequency; /* one of them, or neither: exact */
	uint32_t skid;
};

/* 0 to go on, CLI__RECORD_HELP when --help was all, else an exit code after a complaint. Free in any case.
 */
enum { CLI__RECORD_HELP = -1 };
int cli__record_options(struct cli__cli *cli, int argc, char **argv, struct cli__record_options *options);

/* The same for the core of place `which` in a list of several, 0 to options->cores - 1: its file has the
 * core's name in its own. */
int cli__record_options_of(struct cli__cli *cli, int argc, char **argv, size_t which,
			   struct cli__record_options *options);
void cli__record_options_free(struct cli__record_options *options);

/* Fills in wanted, event and about from rows, core and rate. 0, or an exit code after a complaint. */
int cli__record_events(struct cli__cli *cli, struct cli__record_options *options);

/* The options, for a command that hands them on. */
const struct cli__option *cli__record_table(void);

/* The events that --cpi-stack and --transfers add: so many; writes them and answers how many there are. */
size_t cli__record_more_size(const struct cli__record_options *options);
size_t cli__record_more(const struct cli__record_options *options, struct apmu_qemu__run_event *run,
			struct profile__event *about);

/* Runs the program on the core of each of `n` options, and writes their files: of several as many at a time
 * as options[0].jobs says. 0 and how the program ended (of several the first that ended badly), or an exit
 * code after a complaint. */
int cli__record_runs(struct cli__cli *cli, const struct cli__record_options *options, size_t n, int *exits);

/* The same for one. */
int cli__record_run(struct cli__cli *cli, const struct cli__record_options *options, int *exits);

#endif
