/* SPDX-License-Identifier: MIT */
/** Modes and bits of AArch32's CPSR and SPSRs. DDI0406C B1.3.3. */
#ifndef APMU_MACHINE_PSR_H
#define APMU_MACHINE_PSR_H

#include <stdint.h>

#define MODE_USR 0x10u
#define MODE_FIQ 0x11u
#define MODE_IRQ 0x12u
#define MODE_SVC 0x13u
#define MODE_MON 0x16u
#define MODE_ABT 0x17u
#define MODE_HYP 0x1Au
#define MODE_UND 0x1Bu
#define MODES    0x1Fu
#define CPSR_T   (1u << 5)
#define CPSR_F   (1u << 6)
#define CPSR_I   (1u << 7)
#define CPSR_A   (1u << 8)
#define CPSR_E   (1u << 9)
#define CPSR_PAN (1u << 22)
#define CPSR_J   (1u << 24)
#define CPSR_IT  0x0600FC00u

/* ITSTATE, of CPSR's two fields. */
static inline unsigned apmu_machine__it_of(uint32_t cpsr)
{
	return (cpsr >> 25 & 3) | (cpsr >> 8 & 0xFC);
}

#endif
