/* SPDX-License-Identifier: MIT */
/**
 * The peer check's self-test: one list of operations (selftest.tbl) that a machine carries out and talks
 * about.
 *
 * run.c is compiled into the bare-metal programs for QEMU (guest.c) and into the replay on the model
 * (replay.c); they differ in what stands behind the calls below. Freestanding.
 */
#ifndef PEER_RUN_H
#define PEER_RUN_H

#include <stdbool.h>
#include <stdint.h>

enum peer_reg {
#define REG(name, op0, op1, crn, crm, op2, p1, n, m, p2) PEER_##name,
#include "registers.tbl"
#undef REG
	PEER_REGS
};

/* How an access ended. */
enum peer_end { PEER_DONE, PEER_UNDEFINED, PEER_TRAP_EL1, PEER_TRAP_EL2, PEER_TRAP_EL3, PEER_ELSEWHERE };

/* What a machine must offer. `user`: at EL0, else at EL1. */
enum peer_end peer_read(enum peer_reg reg, bool user, uint64_t *value);
enum peer_end peer_write(enum peer_reg reg, bool user, uint64_t value);
void peer_hyp(uint64_t mdcr); /* EL2 writes MDCR_EL2 */
bool peer_line(void);
void peer_put(const char *text);

/* Does it all; each line is `section.name value`, the last one `end`. */
void peer_run(void);

#endif
