/* SPDX-License-Identifier: MIT */
/* Build attributes of a 32-bit Arm program: what it was compiled for. */
#ifndef APMU_ISA_ATTRIBUTES_H
#define APMU_ISA_ATTRIBUTES_H

#include <libelf.h>
#include <stdint.h>

/* Returns Tag_CPU_arch of the whole file (ADDENDA32 3.3.5.2); 0 if it is absent or unreadable. */
uint8_t apmu_isa__attributes_arch(Elf *elf);

#endif
