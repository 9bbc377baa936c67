/* SPDX-License-Identifier: MIT */
/**
 * What `apmu run` can show of a machine while it runs: --trace-pmu and --vcd.
 *
 * Both are combined into one observer (apmu/machine.h). Open the watch before the machine is made, because
 * the machine's configuration takes the observer; attach it when the machine is there; close it after the
 * run.
 *
 * cli__run_watch_open(cli, &options, &watch, &config.observer);
 *     apmu_machine_new(&config, &m, ...);
 *     cli__run_watch_attach(watch, apmu_machine_pmu(m));
 *     apmu_machine_run(...);
 *     status = cli__run_watch_close(watch);
 *
 * Threads: one watch belongs to one machine.
 */
#ifndef APMU_CLI_RUN_RUN_WATCH_H
#define APMU_CLI_RUN_RUN_WATCH_H

#include "cli/cli.h"
#include <apmu/machine.h>

struct cli__run_watch_options {
	const struct apmu_core *core;
	const char *program; /* ELF file whose symbols name addresses; NULL or no ELF file: no names */
	bool trace_pmu;      /* a line for each access, to the error stream */
	const char *vcd;     /* file for the waveform; NULL: none */
};

struct cli__run_watch;

/* Sets *watch, NULL if there is nothing to watch, and *observer. 0, or 1 after a complaint. */
int cli__run_watch_open(struct cli__cli *cli, const struct cli__run_watch_options *options,
			struct cli__run_watch **watch, struct apmu_observer *observer);

/* Gives the waveform the machine's PMU. `watch` may be NULL. */
void cli__run_watch_attach(struct cli__run_watch *watch, const struct apmu *pmu);

/* Writes what is left. 0, or 1 after a complaint (a full disk). `watch` may be NULL. */
int cli__run_watch_close(struct cli__run_watch *watch);

/* The two observers. cli__trace_close() and cli__vcd_close() take NULL for "not asked for". */
struct cli__trace;
struct cli__trace *cli__trace_open(struct cli__cli *cli, const struct cli__run_watch_options *options);
void cli__trace_access(struct cli__trace *t, const struct apmu_seen_access *seen);
void cli__trace_exception(struct cli__trace *t, const struct apmu_seen_exception *seen);
void cli__trace_line(struct cli__trace *t, enum apmu_line line, bool up, uint64_t cycle);
void cli__trace_close(struct cli__trace *t);

struct cli__vcd;
struct cli__vcd *cli__vcd_open(struct cli__cli *cli, const struct cli__run_watch_options *options);
void cli__vcd_attach(struct cli__vcd *v, const struct apmu *pmu);
void cli__vcd_step(struct cli__vcd *v, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained);
int cli__vcd_close(struct cli__vcd *v); /* 0, or 1 after a complaint */

#endif
