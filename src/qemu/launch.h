/* SPDX-License-Identifier: MIT */
/* The parts of apmu_qemu__run(): find.c and qemu.c find what it needs, launch.c prepares,
 * process.c starts QEMU, collect.c gathers the marks. */
#ifndef APMU_QEMU_LAUNCH_H
#define APMU_QEMU_LAUNCH_H

#include "qemu/share.h"

#include <limits.h>

/* Where one line for the user goes. */
struct apmu_qemu__error {
	char *text;
	size_t size;
};

/* Writes the line; returns `code`. */
int apmu_qemu__say(const struct apmu_qemu__error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What a run needs, found. */
struct apmu_qemu__found {
	struct apmu_isa__elf elf; /* a system's: its machine alone */
	char program[PATH_MAX];
	char qemu[PATH_MAX];
	char plugin[PATH_MAX];
	char sysroot[PATH_MAX]; /* empty: the program is static */
	const char *cpu;        /* NULL: QEMU's default, or what the command line says */
	char model[128];        /* cpu, if the core's row says it */
	bool system_a64;
	bool reserve; /* a space of addresses for the program */
};
int apmu_qemu__find(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
		    const struct apmu_qemu__error *error);

/* Looks for a file that may be run in the folders of PATH; with a slash in its name it is taken as it is. */
bool apmu_qemu__in_path(const char *name, char out[PATH_MAX]);

/* Joins two parts of a path; false if they do not fit. */
bool apmu_qemu__join(char out[PATH_MAX], const char *folder, size_t n, const char *name);

/* qemu.c: a file of our own: beside the command (where a build has it), else ../lib/apmu from it. */
bool apmu_qemu__ours(const char *name, int access_mode, char out[PATH_MAX]);
int apmu_qemu__find_qemu(const struct apmu_qemu__run_options *options, struct apmu_qemu__found *found,
			 const struct apmu_qemu__error *error);
/* Can found->qemu be run, and does it take plugins? `package`: Debian's, which has it. */
int apmu_qemu__check_qemu(struct apmu_qemu__found *found, const char *package,
			  const struct apmu_qemu__error *error);

/* The first of the models, best first, that this QEMU has, else the last; *n: its length. */
const char *apmu_qemu__model(const char *qemu, const char *models, size_t *n);

/* Does a command line of QEMU have this option, as -option or --option? */
bool apmu_qemu__says_option(char *const *argv, const char *option);

/* process.c: runs QEMU to its end, with the descriptor `memory` open in it. 0, or the errno value with which
 * it could not be started (EINTR: options->interrupted); then the rest means nothing. *ended_by: as in struct
 * apmu_qemu__run_result. */
int apmu_qemu__process(const char **line, int memory, const struct apmu_qemu__run_options *options,
		       const struct apmu_qemu__share *share, int *status, int *ended_by);

/* All marks: the file's, then the slots' that are still taken. Sets mark, marks, undecoded of the result. */
int apmu_qemu__collect(struct apmu_qemu__share *share, int marks, const struct apmu_qemu__run_record *record,
		       struct apmu_qemu__run_result *result, const struct apmu_qemu__error *error);

/* exact_counts.c: exact counts of so many events, as samples, to the file. 0 or a negative errno value. */
int apmu_qemu__collect_cells(struct apmu_qemu__share *share, uint32_t events, int file);

/* edges.c: what ran after what, to the file. 0 or a negative errno value. */
int apmu_qemu__collect_edges(struct apmu_qemu__share *share, bool exact, int file);

#endif
