/* SPDX-License-Identifier: MIT */
/* The parts of apmu_qemu__run(): find.c and qemu.c find what the run needs, launch.c prepares the run,
 * process.c starts QEMU, collect.c gathers the marks. */
#ifndef APMU_QEMU_LAUNCH_H
#define APMU_QEMU_LAUNCH_H

#include "qemu/program.h"
#include "qemu/share.h"

#include <limits.h>

/* Buffer for one line of text for the user. */
struct apmu_qemu__error {
	char *text;
	size_t size;
};

/* Writes the line and returns `code`. */
int apmu_qemu__say(const struct apmu_qemu__error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A script that the program, its interpreter, is to run. An interpreter may be a script too, for the next. */
struct apmu_qemu__script {
	char path[PATH_MAX]; /* the script's, for the interpreter; of no script the program's */
	unsigned n;          /* interpreters; 0: no script */
	struct {
		char line[APMU_QEMU__SCRIPT_LINE];
		char *interpreter, *argument; /* in line[] */
	} by[APMU_QEMU__SCRIPTS];
};

/* What a run needs, as found. */
struct apmu_qemu__found {
	struct apmu_isa__elf elf; /* of a whole system only `machine` is set */
	char program[PATH_MAX];
	struct apmu_qemu__script script;
	char qemu[PATH_MAX];
	char plugin[PATH_MAX];
	char sysroot[PATH_MAX]; /* empty: the program is static */
	const char *cpu;        /* value of -cpu; NULL: QEMU's default, or what the command line says */
	char model[128];        /* memory for `cpu`, if it is taken from the core's row */
	bool system_a64;
	bool reserve; /* reserve an address space for the program (-R) */
};
int apmu_qemu__find(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		    const struct apmu_qemu__error *error);

/* Looks for an executable file in the folders of PATH; a name with a slash is taken as it is. */
bool apmu_qemu__in_path(const char *name, char out[PATH_MAX]);

/* Joins two parts of a path; false if they do not fit. */
bool apmu_qemu__join(char out[PATH_MAX], const char *folder, size_t n, const char *name);

/* qemu.c: finds a file of apmu's own: in the folder where a build has it, else in ../lib/apmu, both from the
 * command's. A QEMU beside the command is not ours: /usr/bin has Debian's. */
bool apmu_qemu__own_file(const char *built, const char *name, int access_mode, char out[PATH_MAX]);
int apmu_qemu__find_qemu(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
			 const struct apmu_qemu__error *error);
/* Checks that found->qemu can be run and takes plugins. `package`: the Debian package that has it. */
int apmu_qemu__check_qemu(struct apmu_qemu__found *found, const char *package,
			  const struct apmu_qemu__error *error);

/* Returns the first of the space-separated models, which are in order of preference, that this QEMU has, else
 * the last; *n: length of its name. */
const char *apmu_qemu__model(const char *qemu, const char *models, size_t *n);

/* Bytes that DC ZVA clears on the model that a value of -cpu names; 0: NULL, no model. */
unsigned apmu_qemu__zero_bytes(const char *cpu);

/* True if a command line of QEMU has this option, as -option or --option. */
bool apmu_qemu__has_option(char *const *argv, const char *option);

/* process.c: runs QEMU to its end, with the descriptor `memory` open in it. Returns 0, or the errno value
 * with which QEMU could not be started (EINTR: options->interrupted); then the outputs mean nothing.
 * *ended_by: as in struct apmu_qemu__run_result. */
int apmu_qemu__process(const char **line, int memory, const struct apmu_qemu__run_options *options,
		       const struct apmu_qemu__share *share, int *status, int *ended_by);

/* Gathers all marks: those in the file, then one for each slot that is still taken. Fills in the result
 * except `exit`, `signal` and `ended_by`. */
int apmu_qemu__collect(struct apmu_qemu__share *share, int marks, const struct apmu_qemu__run_record *record,
		       struct apmu_qemu__run_result *result, const struct apmu_qemu__error *error);

/* exact_counts.c: writes the exact counts of `events` events to the file, as samples. Returns 0 or a negative
 * errno value. */
int apmu_qemu__collect_cells(struct apmu_qemu__share *share, uint32_t events, int file);

/* edges.c: writes the edges, which block ran after which, to the file. Returns 0 or a negative errno value.
 */
int apmu_qemu__collect_edges(struct apmu_qemu__share *share, bool exact, int file);

#endif
