/* SPDX-License-Identifier: MIT */
/**
 * Power State Coordination Interface 1.1 (DEN0022) and the two general calls of SMCCC 1.1 (DEN0028), for a
 * machine of one core: a function over registers. The machine decides if the conduit is HVC or SMC.
 */
#ifndef APMU_BOARD_PSCI_H
#define APMU_BOARD_PSCI_H

#include <stdbool.h>
#include <stdint.h>

enum apmu_board__psci_action {
	APMU_BOARD__PSCI_RETURN, /* write the result, go on */
	/* CPU_SUSPEND: write the result, then wait as for WFI. Power-down states are taken as standby states,
	 * which DEN0022 5.4.4 allows. */
	APMU_BOARD__PSCI_WAIT,
	APMU_BOARD__PSCI_CPU_OFF, /* the only core is off: nothing will happen any more */
	APMU_BOARD__PSCI_OFF,
	APMU_BOARD__PSCI_RESET,
};

struct apmu_board__psci {
	enum apmu_board__psci_action action;
	uint64_t result; /* for x0 or r0; of a 32-bit call in the low half, the upper half 0 */
	bool known;      /* false: no such function; the result is NOT_SUPPORTED, as SMCCC wants it */
};

/* x: r0..r3 or x0..x3. aarch64: 64-bit function identifiers exist for an AArch64 caller alone. */
struct apmu_board__psci apmu_board__psci(const uint64_t x[4], bool aarch64);

#endif
