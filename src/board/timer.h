/* SPDX-License-Identifier: MIT */
/**
 * The generic timer (DDI0487 D12, DDI0406C B8): a system counter that follows the modelled clock, the virtual
 * and the physical timer of EL1, and those of EL2. Line 0: virtual timer (PPI 27), 1: physical timer (PPI
 * 30), 2: EL2's physical timer (PPI 26), 3: EL2's virtual timer (PPI 28).
 *
 * Inaccuracies. The Secure timer of EL3 and the event stream are not modelled. Writing CNTFRQ changes what it
 * reads, not the frequency, as on hardware.
 */
#ifndef APMU_BOARD_TIMER_H
#define APMU_BOARD_TIMER_H

#include "board/bus.h"
#include <apmu/types.h>

enum {
	APMU_BOARD__TIMER_VIRTUAL,
	APMU_BOARD__TIMER_PHYSICAL,
	APMU_BOARD__TIMER_HYP,         /* CNTHP */
	APMU_BOARD__TIMER_HYP_VIRTUAL, /* CNTHV */
	APMU_BOARD__TIMERS
};

struct apmu_board__gtimer {
	uint64_t core_hz, counter_hz; /* set by init; not 0 */
	uint64_t now;                 /* core cycles */
	uint64_t cval[APMU_BOARD__TIMERS];
	uint32_t ctl[APMU_BOARD__TIMERS]; /* ENABLE, IMASK */
	uint32_t cntkctl, cntfrq;
	/* Out of reset 3: EL1 reaches the physical counter and timer, as firmware leaves it. */
	uint32_t cnthctl;
	uint64_t cntvoff;   /* the virtual counter is that much behind the physical one */
	uint8_t highest_el; /* the highest level that there is: it alone writes CNTFRQ; 0: not known */
	bool el1_a64;       /* an access that EL0 may not make traps to an AArch64 EL1, from AArch32 too */
	bool host_el0;      /* EL0 is that of a host at EL2 (HCR_EL2.E2H, TGE), whose registers it has */
};
extern const struct apmu_board__device_ops apmu_board__gtimer_ops; /* no registers in memory */

void apmu_board__gtimer_init(struct apmu_board__gtimer *timer, uint64_t core_hz, uint64_t counter_hz);
uint64_t apmu_board__gtimer_count(const struct apmu_board__gtimer *timer); /* CNTPCT */

/* True if CNTHCTL_EL2 traps this access of EL1 or EL0 to EL2. `host`: HCR_EL2.E2H is 1. */
bool apmu_board__gtimer_traps(const struct apmu_board__gtimer *timer, struct apmu_access at, bool host);

/* A system register: see apmu_board__sysreg_read(). */
enum apmu_board__answer apmu_board__gtimer_sysreg(struct apmu_board__gtimer *timer, struct apmu_access at,
						  bool write, uint64_t *value);

#endif
