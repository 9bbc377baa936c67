/* SPDX-License-Identifier: MIT */
/* Exception syndromes of accesses that were not made. PMUV3SHEET 3.9. */
#include "model/model.h"

#define EC(class) ((uint32_t)(class) << 26)
#define IL        (1u << 25)

/* Op0, Op2, Op1, CRn, Rt, CRm and direction of an MSR or MRS. */
static uint32_t of_sysreg(uint32_t e, unsigned rt, bool write)
{
	return (e >> 16 & 3) << 20 | (e & 7) << 17 | (e >> 12 & 7) << 14 | (e >> 8 & 15) << 10 |
	       (rt & 31u) << 5 | (e >> 4 & 15) << 1 | !write;
}

static uint32_t of_cp(uint32_t e, unsigned rt, bool write, unsigned cond)
{
	return 1u << 24 | (cond & 15u) << 20 | (e & 7) << 17 | (e >> 12 & 7) << 14 | (e >> 8 & 15) << 10 |
	       (rt & 31u) << 5 | (e >> 4 & 15) << 1 | !write;
}

static uint32_t of_cp64(uint32_t e, unsigned rt, unsigned rt2, bool write, unsigned cond)
{
	return 1u << 24 | (cond & 15u) << 20 | (e >> 12 & 15) << 16 | (rt2 & 31u) << 10 | (rt & 31u) << 5 |
	       (e >> 4 & 15) << 1 | !write;
}

/* True for a User access that the EL0 enable denies and HCR.TGE routes to an AArch32 Hyp mode, where it is an
 * Undefined exception (PMUV3SHEET 3.8). */
static bool routed_undefined(const struct apmu *pmu, struct apmu_access at, enum apmu_outcome outcome,
			     bool write)
{
	struct apmu_model__access access;

	return outcome == APMU_TRAP_EL2 && at.from.el == 0 && apmu_model__a32(pmu, 2) &&
	       apmu_model__look_up(pmu, at, write, &access) &&
	       apmu_model__user(pmu, &access) == APMU_TRAP_EL2;
}

uint32_t apmu_syndrome(const struct apmu *pmu, struct apmu_access at, enum apmu_outcome outcome, bool write,
		       unsigned rt, unsigned rt2, unsigned cond)
{
	if (outcome == APMU_DONE || outcome == APMU_UNDEFINED || routed_undefined(pmu, at, outcome, write))
		return IL;
	switch (at.view) {
	case APMU_VIEW_A64: return EC(0x18) | IL | of_sysreg(at.encoding, rt, write);
	case APMU_VIEW_CP: return EC(0x03) | IL | of_cp(at.encoding, rt, write, cond);
	case APMU_VIEW_CP64: return EC(0x04) | IL | of_cp64(at.encoding, rt, rt2, write, cond);
	case APMU_VIEW_MMIO:
	case APMU_VIEW_MMIO64:
	case APMU_VIEWS: break;
	}
	return IL;
}
