/* SPDX-License-Identifier: MIT */
/* Finds what a program's name stands for: a file below the sysroot or on the host, and the interpreter that
 * runs a script. The command uses this for the program that it starts, the plugin for those that a program
 * executes. */
#ifndef APMU_QEMU_PROGRAM_H
#define APMU_QEMU_PROGRAM_H

#include "isa/elf_probe.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#define APMU_QEMU__SCRIPT_LINE 256u
#define APMU_QEMU__SCRIPTS     5 /* most scripts that run each other, as under Linux */

/* Finds the host's file for a path of the program: below the sysroot (empty: there is none), where absolute
 * links stay below it, or else the path itself. */
void apmu_qemu__host_file(const char *sysroot, const char *path, char out[PATH_MAX]);

/* Reads the first bytes of a file that may be executed, and ends them with a 0; of another file none. Returns
 * their number. */
size_t apmu_qemu__file_head(const char *file, char head[APMU_QEMU__SCRIPT_LINE]);

/* Splits a script's first line, "#! INTERPRETER [ARGUMENT]"; the argument may be empty. NULL: it is no
 * script. */
char *apmu_qemu__interpreter(char *line, char **argument);

/* The root of Debian's cross libraries for such a program. */
const char *apmu_qemu__cross_root(const struct apmu_isa__elf *elf);

/* True if the program is static, or its interpreter is on the host or below the sysroot (empty: none). */
bool apmu_qemu__has_loader(const struct apmu_isa__elf *elf, const char *sysroot);

/* Returns the sysroot if the program has its loader there or needs none, else the root of Debian's cross
 * libraries. */
const char *apmu_qemu__root_for(const struct apmu_isa__elf *elf, const char *sysroot);

#endif
