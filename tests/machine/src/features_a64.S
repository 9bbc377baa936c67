/* SPDX-License-Identifier: MIT */
/* ID_AA64PFR0_EL1 and ID_PFR1_EL1 say whether the GIC has system registers (HAS) and which levels there are (LEVELS), and no core has SVE. */
#include "check64.inc"
	.global _start
_start:
	adr x0, vectors
	msr vbar_el1, x0
	mrs x0, id_aa64pfr0_el1
	ubfx x1, x0, #24, #4
	check 1, x1, HAS
	ubfx x1, x0, #32, #4
	check 2, x1, 0
	mrs x0, id_pfr1_el1
	ubfx x1, x0, #28, #4
	check 3, x1, HAS
	mrs x0, id_aa64isar1_el1   /* APA, API: firmware has opened EL1's keys */
	tst x0, #0xFF0
	b.eq 1f
	mov x0, #5
	msr s3_0_c2_c1_0, x0       /* APIAKeyLo_EL1 */
	mrs x1, s3_0_c2_c1_0
	check 4, x1, 5
1:	mrs x0, id_aa64pfr0_el1    /* EL0 to EL3: 0 absent, 1 AArch64 only, 2 AArch32 too */
	and x1, x0, #0xFFFF
	check 6, x1, LEVELS
	mov x19, #0
	b fail

	vector_table bad
bad:	mov x19, #99
	the_end
