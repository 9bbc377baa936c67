/* SPDX-License-Identifier: MIT */
/**
 * Symbol files of a whole system: the ELF file of a kernel or bare-metal program, System.map, or a copy of
 * /proc/kallsyms. Their code is recorded as mappings, through which `report` finds names.
 */
#ifndef APMU_CLI_COMMON_KERNEL_H
#define APMU_CLI_COMMON_KERNEL_H

#include "cli/cli.h"

/* Checks that the file names code. 0, or an exit code after a complaint. */
int cli__kernel_check(const struct cli__cli *cli, const char *path);

/* The file that QEMU's -kernel option names, if it is an ELF file with symbols; else NULL. */
const char *cli__kernel_of(char *const *argv);

/* Appends the file's mappings to a recording that has begun. 0 or a negative errno value. */
int cli__kernel_maps(int fd, const char *path);

#endif
