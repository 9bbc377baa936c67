/* SPDX-License-Identifier: MIT */
/**
 * Registers in the text that other tools print: debuggers, U-Boot, a kernel's files.
 *
 * A line holds names with values ("PMCR_EL0 (/64): 0x41033001", "pmcr=41033001 pmovsr=0"), or words of the
 * memory-mapped frame behind their address ("fee00e04: 41033001 00000000"). Numbers are hexadecimal, with or
 * without 0x. Everything else is passed over.
 */
#ifndef APMU_CLI_DECODE_DECODE_DUMP_H
#define APMU_CLI_DECODE_DECODE_DUMP_H

#include "cli/cli.h"

#include <stddef.h>

struct cli__dump {
	char **word; /* "PMCR_EL0=0x41033001", "0xE04=0x41033001" */
	size_t n;
	bool memory; /* there were words of memory */
};

/* Whether a name or an offset in the frame is a register. */
typedef bool cli__dump_known(const void *ctx, const char *name);

/* Reads a file; "-" is standard input. 0, or an exit code after a complaint: it cannot be read, or has no
 * register. */
int cli__dump_read(const struct cli__cli *cli, const char *path, cli__dump_known *known, const void *ctx,
		   struct cli__dump *out);
void cli__dump_free(struct cli__dump *dump);

#endif
