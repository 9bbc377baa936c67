/* SPDX-License-Identifier: MIT */
/**
 * --region SPEC: which part of a program is counted.
 *
 * FUNCTION            from its first instruction until it returns, with what it calls; '*' (any text) and
 *                         '?' (any character) name each such function, as in Callgrind's --toggle-collect
 *     FROM,TO             from one address on, up to another: symbols, or 0x numbers as `nm` prints them
 *     mark:N,mark:M       between marks that the program carries (apmu/mark.h); mark:N is mark:N,mark:N
 *     requests            as Callgrind's client requests in the program say; `stat` counts from the
 *                         program's start unless a request to start comes; "requests,yes" counts from the
 *                         start in any case, "requests,no" does not
 *
 * A whole system takes FROM,TO and marks; FROM and TO are virtual addresses or symbols of its kernel's file.
 */
#ifndef APMU_CLI_COMMON_REGION_H
#define APMU_CLI_COMMON_REGION_H

#include "cli/cli.h"
#include "qemu/run.h"

#define CLI__REGION_HELP                                                               \
	"count a part alone: FUNCTION (until it returns; * and ? as in\nfile names), " \
	"FROM,TO (symbols or 0x addresses), "                                          \
	"mark:N,mark:M\n(marks that the program carries, apmu/mark.h; mark:N alone: "  \
	"begins\nand ends it by turns), requests (Callgrind's client requests\n"       \
	"in the program)"

/* Resolves `spec` for the program or system that `options` would run; `kernel`: the symbol file of a system,
 * or NULL. 0, or an exit code after a complaint. */
int cli__region_find(const struct cli__cli *cli, const char *spec,
		     const struct apmu_qemu__run_options *options, const char *kernel,
		     struct apmu_qemu__run_region *region);

/* Warns if the region was never entered. */
void cli__region_check(const struct cli__cli *cli, const char *spec, const struct apmu_qemu__run_result *run);

#endif
