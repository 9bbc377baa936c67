/* SPDX-License-Identifier: MIT */
/* The cores with the plain rules, said once more by hand: AN195 2, DDI0301H 3-132 to 3-140, XSCALE 8.2
 * and 8.3. */
#include "harness.h"

#include <apmu/model.h>

#define WORD(name) (1u << APMU_WORD_##name)
#define IRQ        (1u << APMU_LINE_IRQ)
#define FIQ        (1u << APMU_LINE_FIQ)
#define THREE      0x80000003u /* two event counters and the cycle counter */
#define FIVE       0x8000000Fu
#define ARM11                                                                                      \
	{                                                                                          \
		0, 0xF0111, 0xF0112, 0xF0F90, 0xF0F91, 0xF0FC0, 0xF0FC1, 0xF0FC2, 0xF0FC3, 0xF0FC4 \
	}
#define XSC1                                                                              \
	{                                                                                 \
		0, 0xE0000, 0xE0001, 0xE0100, 0xE0101, 0xE0200, 0xE0201, 0xE0300, 0xE0301 \
	}
#define XSC2                                                                                                 \
	{                                                                                                    \
		0, 0xE0010, 0xE0011, 0xE0020, 0xE0021, 0xE0110, 0xE0111, 0xE0120, 0xE0121, 0xE0220, 0xE0221, \
			0xE0320, 0xE0321, 0xE0410, 0xE0411, 0xE0510, 0xE0511, 0xE0810, 0xE0811               \
	}
#define BASIC   (WORD(ENABLE) | WORD(DIVIDE))
#define SECURED (BASIC | WORD(EXPORT) | WORD(USER) | WORD(SUIDEN) | WORD(SUNIDEN))

/* clang-format off */
const struct proof_subject proof_subjects[] = {
	{&apmu_core_xscale1,      THREE, 0,     BASIC,                IRQ,       XSC1},
	{&apmu_core_xscale2,      FIVE,  0,     BASIC,                IRQ,       XSC2},
	{&apmu_core_arm1136jf_s,  THREE, 0,     BASIC | WORD(EXPORT), IRQ,       ARM11},
	{&apmu_core_arm1156t2_s,  THREE, THREE, BASIC | WORD(EXPORT), IRQ | FIQ, ARM11},
	{&apmu_core_arm1176jzf_s, THREE, 0,     SECURED,              IRQ,       ARM11},
};
/* clang-format on */
const unsigned proof_subjects_n = sizeof proof_subjects / sizeof *proof_subjects;
