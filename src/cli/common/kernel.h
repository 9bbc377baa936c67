/* SPDX-License-Identifier: MIT */
/**
 * The symbol files of a whole system: a kernel's or a bare-metal program's ELF file, System.map, a copy of
 * /proc/kallsyms. Their code becomes mappings of the recording, by which `report` finds names.
 */
#ifndef APMU_CLI_COMMON_KERNEL_H
#define APMU_CLI_COMMON_KERNEL_H

#include "cli/cli.h"

/* Can this file name the code of a system? 0, or an exit code after a complaint. */
int cli__kernel_check(const struct cli__cli *cli, const char *path);

/* What QEMU's -kernel names, if it is an ELF file with symbols; else NULL. */
const char *cli__kernel_of(char *const *argv);

/* Appends the file's mappings to a recording that has begun. 0 or a negative errno value. */
int cli__kernel_maps(int fd, const char *path);

#endif
