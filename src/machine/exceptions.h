/* SPDX-License-Identifier: MIT */
/* Exceptions, from the emulator's report to the handler: interrupt.c, enter32.c, enter64.c, fault.c, abort.c.
 */
#ifndef APMU_MACHINE_EXCEPTIONS_H
#define APMU_MACHINE_EXCEPTIONS_H

#include "machine/machine_internal.h"

/* interrupt.c, enter32.c, enter64.c, fault.c */
bool apmu_machine__interrupt(struct apmu_machine *m, uint64_t next);
/* An exception to enter. `syndrome`: ESR_EL1, or the AArch32 fault status; `address`: FAR. */
struct apmu_machine__entry {
	enum apmu_exception what;
	uint64_t pc;   /* of the instruction, for SVC too; interrupts: of the next one */
	unsigned size; /* of the instruction */
	uint32_t syndrome;
	uint64_t address;
	const char *why; /* for the report if there is no handler */
	uint8_t el;      /* the level that takes it; 0: by the routing rules of level.c */
	bool is_virtual; /* a virtual interrupt or SError of EL1, by HCR_EL2 */
	bool stage2;     /* an abort of stage 2; `intermediate` goes to HPFAR_EL2 or HPFAR */
	uint64_t intermediate;
};
void apmu_machine__take_exception(struct apmu_machine *m, const struct apmu_machine__entry *e);
uint64_t apmu_machine__enter32(struct apmu_machine *m, const struct apmu_machine__entry *e);
uint64_t apmu_machine__enter64(struct apmu_machine *m, const struct apmu_machine__entry *e);
void apmu_machine__switch_mode(struct apmu_machine *m, uint32_t state); /* writes CPSR, with any mode */
void apmu_machine__undefined(struct apmu_machine *m, uint64_t pc, unsigned size, uint32_t syndrome,
			     const char *why);
/* _returns(): an ERET is about to run. _refused(): the emulator refused `c`. */
void apmu_machine__returns(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__refused(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__raised(struct apmu_machine *m, uint32_t number); /* the emulator's exception number */
void apmu_machine__missing(struct apmu_machine *m, const struct apmu_machine__bad_access *fault);
void apmu_machine__unmapped(struct apmu_machine *m); /* the emulator stopped at missing() */

/* abort.c. Address of the data abort that the emulator has just raised; false: it is not known. */
bool apmu_machine__abort_address(struct apmu_machine *m, uint64_t *address, bool *write);
/* Syndrome of the instruction that the emulator refused, and the level that traps it; 0: it is undefined. */
uint32_t apmu_machine__trap_syndrome(struct apmu_machine *m, unsigned *el);
/* True if the emulator raised a software step exception. */
bool apmu_machine__stepped(struct apmu_machine *m, uint32_t *syndrome);

#endif
