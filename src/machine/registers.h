/* SPDX-License-Identifier: MIT */
/* The program's registers: cpu.c. */
#ifndef APMU_MACHINE_REGISTERS_H
#define APMU_MACHINE_REGISTERS_H

#include "machine/machine_internal.h"

/* cpu.c. set_key(): m->key, which must be unchanged for a decoded instruction to hold: instruction set,
 * translation, traps of CPACR_EL1. */
void apmu_machine__set_key(struct apmu_machine *m);
uint64_t apmu_machine__reg(const struct apmu_machine *m, unsigned n); /* 31: zero on AArch64 */
void apmu_machine__reg_set(struct apmu_machine *m, unsigned n, uint64_t value);
uint64_t apmu_machine__pc(const struct apmu_machine *m);
void apmu_machine__pc_set(struct apmu_machine *m, uint64_t pc); /* keeps the instruction set */
uint32_t apmu_machine__cpsr(const struct apmu_machine *m);
void apmu_machine__cpsr_set(struct apmu_machine *m, uint32_t cpsr);
uint32_t apmu_machine__bank(const struct apmu_machine *m); /* of CP15 registers; 1: Secure */
uint64_t apmu_machine__cp(const struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm,
			  unsigned opc2);
void apmu_machine__cp_set(struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm, unsigned opc2,
			  uint64_t value);
uint64_t apmu_machine__sys(const struct apmu_machine *m, uint32_t encoding);
void apmu_machine__sys_set(struct apmu_machine *m, uint32_t encoding, uint64_t value);
void apmu_machine__state_look(struct apmu_machine *m);               /* CPSR or PSTATE has changed */
void apmu_machine__state_is(struct apmu_machine *m, uint32_t state); /* CPSR or PSTATE is now `state` */
void apmu_machine__vector_look(struct apmu_machine *m);              /* CPACR_EL1 or the level has changed */
bool apmu_machine__passes(const struct apmu_machine *m, unsigned cond);

#endif
