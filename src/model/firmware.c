/* SPDX-License-Identifier: MIT */
/* The state outside the PMU that firmware sets before a program starts. */
#include "model/model.h"

#define SCR_NS     0x1u
#define SCR_A64    (0x501u | 1ull << 27 | 1ull << 59) /* RW, HCE, NS; FGTEN, FGTEN2: DDI0487 D24.2.118 */
#define MDCR_OPENS (1ull << 7 | 1ull << 44)           /* EnPM2, EnPMSS: DDI0487 D24.3.18 */

void apmu_firmware(struct apmu *pmu, unsigned el, bool aarch32)
{
	struct apmu_machine_state state;

	apmu_machine_get(pmu, &state);
	if (pmu->core->access_rule == APMU_ACCESS_V7) {
		state.scr_el3 = SCR_NS;
	} else if (pmu->core->access_rule == APMU_ACCESS_V8 && aarch32) {
		state.aarch32 = 0xF;
	} else if (pmu->core->access_rule == APMU_ACCESS_V8) {
		state.scr_el3 = SCR_A64;
		state.mdcr_el3 |= MDCR_OPENS;
		if (el < 2)
			state.hdfgrtr2_el2 = state.hdfgwtr2_el2 = ~(uint64_t)0;
	}
	apmu_machine_set(pmu, &state);
	apmu_enter(pmu, (struct apmu_mode){.el = (uint8_t)el, .security = APMU_NONSECURE});
}
