/* SPDX-License-Identifier: MIT */
/**
 * The Generic Interrupt Controller for one core, version 2 (IHI0048B) or 3 (IHI0069), one Security state
 * (GICD_CTLR.DS is 1 on version 3), no LPIs; virtual interrupts by list registers on version 3. 288 INTIDs:
 * 0..15 SGIs, 16..31 PPIs, 32..287 SPIs. 32 priorities (bits 7:3). Line 0: IRQ, 1: FIQ, 2 and 3: virtual
 * ones. Inputs are INTIDs 16..287.
 *
 * Windows by bias: 0 distributor, 0x10000 CPU interface (v2), 0x20000 redistributor (v3, 128 KiB). The CPU
 * interface of version 3 is system registers; affinity routing is always on there, GICD_ITARGETSR RAZ/WI.
 * Group 0 is FIQ on version 3, and on version 2 if GICC_CTLR.FIQEn says so.
 *
 * Choices. A single core's GICD_ITARGETSR is RAZ/WI (IHI0048B 4.3.12). An EOI drops the priority that runs,
 * whatever INTID it names (its group must match on version 3). GICR_WAKER.ChildrenAsleep follows
 * ProcessorSleep at once; nothing is delivered while asleep.
 */
#ifndef APMU_BOARD_GIC_H
#define APMU_BOARD_GIC_H

#include "board/bus.h"

#define APMU_BOARD__GIC_INTIDS 288
#define APMU_BOARD__GIC_WORDS  (APMU_BOARD__GIC_INTIDS / 32)

#define APMU_BOARD__GIC_CPU_BIAS    0x10000u
#define APMU_BOARD__GIC_REDIST_BIAS 0x20000u
#define APMU_BOARD__GIC_REDIST_SIZE 0x20000u

#define APMU_BOARD__INTID_PMU         23
#define APMU_BOARD__INTID_MAINTENANCE 25
#define APMU_BOARD__INTID_HYP         26 /* EL2's physical timer */
#define APMU_BOARD__INTID_VIRTUAL     27
#define APMU_BOARD__INTID_HYP_VIRTUAL 28
#define APMU_BOARD__INTID_PHYSICAL    30
#define APMU_BOARD__INTID_SPURIOUS    1023

#define APMU_BOARD__GIC_LISTS 4

/* EL2's control of its guest's interrupts, ICH_* (version 3). */
struct apmu_board__gic_virtual {
	uint64_t list[APMU_BOARD__GIC_LISTS]; /* ICH_LR<n>_EL2 */
	uint32_t hcr, vmcr;
	uint32_t running[2]; /* active priorities of each group: ICH_AP0R0_EL2, ICH_AP1R0_EL2 */
	/* Bit g: at EL1 the registers of Group g are the guest's (HCR_EL2.FMO, IMO). The machine sets this
	 * before an access. */
	uint8_t guest;
};

struct apmu_board__gic {
	uint8_t version; /* 2 or 3, set by init */

	/* one bit per INTID */
	uint32_t group[APMU_BOARD__GIC_WORDS]; /* 1: Group 1 */
	uint32_t enabled[APMU_BOARD__GIC_WORDS];
	uint32_t latched[APMU_BOARD__GIC_WORDS]; /* pending by an edge, a write or an SGI */
	uint32_t active[APMU_BOARD__GIC_WORDS];
	uint32_t input[APMU_BOARD__GIC_WORDS];
	uint32_t edge[APMU_BOARD__GIC_WORDS]; /* 1: edge-triggered */
	uint8_t priority[APMU_BOARD__GIC_INTIDS];
	uint64_t route[APMU_BOARD__GIC_INTIDS]; /* GICD_IROUTER */
	uint32_t ctlr;                          /* GICD_CTLR: EnableGrp0, EnableGrp1 */
	bool asleep;                            /* GICR_WAKER.ProcessorSleep */

	/* the CPU interface */
	uint32_t cpu_ctlr;    /* GICC_CTLR or ICC_CTLR_EL1 */
	uint8_t group_enable; /* bit g: group g, from GICC_CTLR or ICC_IGRPENn */
	uint8_t pmr, bpr[2];  /* bpr[g]: GICC_BPR, GICC_ABPR; ICC_BPRn */
	uint32_t running[2];  /* active priorities of each group: bit priority >> 3 (APR) */

	struct apmu_board__gic_virtual virtual;
};
extern const struct apmu_board__device_ops apmu_board__gic_ops;

void apmu_board__gic_init(struct apmu_board__gic *gic, unsigned version);

/* ICC_* of version 3, in A64, MRC and MRRC form: see apmu_board__sysreg_read(). */
enum apmu_board__answer apmu_board__gic_sysreg(struct apmu_board__gic *gic, struct apmu_access at, bool write,
					       uint64_t *value);

#endif
