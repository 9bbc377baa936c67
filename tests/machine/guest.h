/* SPDX-License-Identifier: MIT */
/**
 * Guest programs made by a test, instruction by instruction, in A32, T32 or A64.
 *
 * What it is: a buffer of code with the vectors in front, and the few instructions that a test of the PMU
 * needs. What it is not: an assembler; registers beyond those below are never touched.
 *
 *     r0 / x0     the value that an access moves          r2 / x2   the second one (MRRC, MCRR)
 *     r1 / x1     where the next result is stored         r9-r12 / x9-x12   the handlers' and mode changes'
 *
 * Undefined instructions, and on A64 what traps to EL1, are skipped and counted at GUEST_REFUSED. SVC goes
 * back to privileged mode. The IRQ handler is what guest_irq() was followed by.
 */
#ifndef APMU_TEST_GUEST_H
#define APMU_TEST_GUEST_H

#include <apmu/types.h>

#define GUEST_REFUSED  0x700u   /* word: how many accesses were refused */
#define GUEST_SYNDROME 0x708u   /* A64: ESR_EL1 of the last of them */
#define GUEST_CODE     0x1000u  /* where the program starts */
#define GUEST_RESULTS  0x80000u /* what the reads gave, eight bytes each */
#define GUEST_SIZE     0x40000u /* bytes of vectors and code, at most */
#define GUEST_POISON   0x5A5A5A5Au
#define GUEST_LEVEL    0x710u      /* with levels: the one that refused it */
#define GUEST_SCR      0x500u      /* SCR_EL3 at least: RW, HCE */
#define GUEST_SCR32    0x100u      /* SCR at least: HCE */
#define GUEST_HCR      0x80000000u /* HCR_EL2 at least: RW */

enum guest_isa { GUEST_A32, GUEST_T32, GUEST_A64, GUEST_ISAS };

struct guest {
	enum guest_isa isa;
	uint32_t here; /* address of the next instruction; loaded at 0 */
	bool full;
	uint8_t byte[GUEST_SIZE];
};

/* Vectors and handlers; the program starts at GUEST_CODE, privileged, interrupts masked. */
void guest_start(struct guest *g, enum guest_isa isa);

/* The instructions that a board would run before: x1 or r1, the vectors' address. */
void guest_prologue(struct guest *g);

/* Both, for an A64 guest that starts at EL3: what EL1, EL2 and EL3 refuse is skipped and counted. */
void guest_start_levels(struct guest *g);

/* From a level and world to another; SCR_EL3 is `scr` then, but for the world. x9 to x15 are lost. */
void guest_go(struct guest *g, struct apmu_mode from, struct apmu_mode to, uint64_t scr);

/* The same in A32, from Secure Supervisor mode on; EL3 is Monitor mode, EL2 Hyp mode if the core has it.
 * Loses r9 to r12. */
void guest_start_levels32(struct guest *g, bool has_hyp);
void guest_go32(struct guest *g, struct apmu_mode from, struct apmu_mode to, uint64_t scr);

void guest_word(struct guest *g, uint32_t bits); /* an A32 or A64 instruction */

/* What follows is the IRQ handler, until guest_irq_end(); A32 for a T32 guest, so set `isa` again then. It
 * may use r0 and r2; r9 and x12 are where they are kept meanwhile. */
void guest_irq(struct guest *g);
void guest_irq_end(struct guest *g);

void guest_load(struct guest *g, unsigned reg, uint64_t value);
void guest_store_result(struct guest *g, unsigned reg);

/* The instruction for an access with `rt`, `rt2`; false if this instruction set has none. */
bool guest_access(struct guest *g, struct apmu_access at, bool write, unsigned rt, unsigned rt2);

void guest_to_user(struct guest *g);
void guest_to_privileged(struct guest *g); /* from User mode, by SVC */
void guest_interrupts(struct guest *g, bool on);
void guest_nop(struct guest *g);
void guest_set_bit0(struct guest *g);                /* of r0, x0 */
void guest_data_access(struct guest *g, bool store); /* a word at r1's place, which stays */
void guest_loop(struct guest *g, unsigned times);    /* three instructions a turn */
void guest_stop_here(struct guest *g);               /* a branch to itself */
void guest_exit(struct guest *g);                    /* semihosting SYS_EXIT, status 0; privileged */

#endif
