/* SPDX-License-Identifier: MIT */
/**
 * Registers of AArch32 at EL0 of a machine whose CPU is AArch64.
 *
 * apmu_machine__aarch32_known(): true if this libunicorn can be used for AArch32 at EL0. The other functions
 * require m->aarch32. Register 15 is the PC; of CPSR the IT bits and T can be written. Each call takes about
 * a quarter of a microsecond.
 */
#ifndef APMU_MACHINE_AARCH32_EL0_H
#define APMU_MACHINE_AARCH32_EL0_H

#include <stdbool.h>
#include <stdint.h>

struct apmu_machine;

bool apmu_machine__aarch32_known(struct apmu_machine *m);
uint32_t apmu_machine__aarch32_reg(const struct apmu_machine *m, unsigned n);
void apmu_machine__aarch32_reg_set(struct apmu_machine *m, unsigned n, uint32_t value);
/* Makes the emulator leave its block. */
void apmu_machine__aarch32_pc_set(struct apmu_machine *m, uint32_t pc);
uint32_t apmu_machine__aarch32_cpsr(const struct apmu_machine *m);
void apmu_machine__aarch32_cpsr_set(struct apmu_machine *m, uint32_t cpsr);

#endif
