/* SPDX-License-Identifier: MIT */
/**
 * `apmu run`: declarations that its files share. Options -> a machine -> its end -> report and counts.
 *
 * run_options.c  the command line      cmd_run.c   makes the machine and runs it
 * run_report.c   why it ended, for people      run_watch.h   what it can show while it runs
 * run_virtio.c   drives and consoles
 * run_stat.c     counts beside         sandbox.c   the child process in which it all happens
 */
#ifndef APMU_CLI_RUN_RUN_H
#define APMU_CLI_RUN_RUN_H

#include "cli/cli.h"
#include "cli/common/events.h"

#include <apmu/machine.h>

#define CLI__RUN_ALSO 8 /* files of --load, at most */

struct cli__run_command {
	struct apmu_machine_config config;
	struct apmu_uarch_params uarch; /* the core's row, with the user's changes */
	char *sets;                     /* these changes as a list of uarch_options.h; NULL: none; owned */
	const char *file;
	char *command_line; /* file and words after it, for semihosting; owned */
	const char *vcd;    /* file of the waveform; NULL: none */
	bool trace_pmu;
	uint64_t max_insns;
	double timeout; /* seconds of modelled time; 0: none */
	bool raw;       /* the file is a raw image for `address` */
	uint64_t address;
	struct apmu_virtio virtio[APMU_VIRTIOS];
	char *virtio_path[APMU_VIRTIOS]; /* their files; owned */
	bool bios;                       /* the file is firmware for the board's flash */
	const char *also[CLI__RUN_ALSO]; /* more files to be loaded: FILE@ADDRESS */
	unsigned also_n;
	bool kernel;             /* the file is a Linux kernel, loaded as such */
	const char *device_tree; /* a file; NULL: none */
	const char *initrd;      /* a file; NULL: none */
	const char *uart;        /* what the UART receives: a file; NULL: nothing */
	bool linux_program;      /* the file is a static Linux program */
	char *const *argv;       /* the Linux program and its arguments, NULL-terminated */
	bool stat;               /* print the counts of `rows` at the end */
	struct cli__rows rows;
	struct cli__wanted *wanted;
};

/* Adds a drive or console on a virtio transport; cli__run_open_virtio() maps its file. 0, or an exit code
 * after a complaint. */
int cli__run_add_virtio(const struct cli__cli *cli, struct cli__run_command *run, bool console,
			const char *value);
int cli__run_open_virtio(const struct cli__cli *cli, struct cli__run_command *run);
void cli__run_close_virtio(struct cli__run_command *run);

/* Parses and checks. 0 to go on, CLI__RUN_HELP when --help was all, else an exit code after a complaint. */
enum { CLI__RUN_HELP = -1 };
int cli__run_take_options(struct cli__cli *cli, int argc, char **argv, struct cli__run_command *run);

/* Says what runs a Linux program, if the file is one, because nothing here answers its system calls. */
void cli__run_say_linux(const struct cli__cli *cli, const struct cli__run_command *run);

/* Says what ended the run, unless the guest ended it with a status, 0 or another. Returns the exit code. */
int cli__run_report(const struct cli__cli *cli, const struct cli__run_command *run,
		    const struct apmu_machine *m, const struct apmu_stop *stop);

/* --stat: cli__run_events() finds the events before the run and returns 0 or an exit code; cli__run_counts()
 * prints their counts after the run. */
int cli__run_events(const struct cli__cli *cli, struct cli__run_command *run);
void cli__run_counts(const struct cli__cli *cli, const struct cli__run_command *run,
		     const struct apmu_machine *m);
void cli__run_free(struct cli__run_command *run);

#endif
