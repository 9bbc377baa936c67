/* SPDX-License-Identifier: MIT */
/* The names that a host at EL2 (HCR_EL2.E2H) has for the timers' registers. */
#include "machine/machine_internal.h"

/* Names of timer registers that reach other registers for a host: EL0's names reach EL2's own timers; names
 * that end in 02 and 12 reach EL0's and EL1's registers. DDI0487 D12.2.6. `from`, `to`: op1 and CRm, of the
 * registers with CRn 14, any op2. */
#define NAME(op1, crm) ((op1) << 12 | (crm) << 4)
static const struct {
	uint32_t from, to;
	bool el3; /* also at EL3 */
} host_names[] = {
	{NAME(3u, 2u), NAME(4u, 2u), false}, /* CNTP_..._EL0: CNTHP */
	{NAME(3u, 3u), NAME(4u, 3u), false}, /* CNTV_..._EL0: CNTHV */
	{NAME(0u, 1u), NAME(4u, 1u), false}, /* CNTKCTL_EL1: CNTHCTL */
	{NAME(5u, 2u), NAME(3u, 2u), true},  /* CNTP_..._EL02 */
	{NAME(5u, 3u), NAME(3u, 3u), true},  /* CNTV_..._EL02 */
	{NAME(5u, 1u), NAME(0u, 1u), true},  /* CNTKCTL_EL12 */
};
#define CNTPCT  (3u << 16 | 3 << 12 | 14 << 8 | 1)
#define CNTVCT  (3u << 16 | 3 << 12 | 14 << 8 | 2)
#define HCR_TGE ((uint64_t)1 << 27)
#define HCR_E2H ((uint64_t)1 << 34)

bool apmu_machine__is_host(const struct apmu_machine *m)
{
	return m->highest_el >= 2 && m->hcr & HCR_E2H && m->core->features >> APMU_FEATURE_VHE & 1;
}

bool apmu_machine__has_host_el0(const struct apmu_machine *m)
{
	return apmu_machine__is_host(m) && m->hcr & HCR_TGE;
}

bool apmu_machine__timer_name(const struct apmu_machine *m, uint32_t *encoding)
{
	uint32_t name = *encoding & NAME(7u, 15u), rest = *encoding & ~NAME(7u, 15u);
	bool host = apmu_machine__is_host(m), vhe = m->core->features >> APMU_FEATURE_VHE & 1;

	if ((*encoding & 0xF0F00) != (3u << 16 | 14 << 8))
		return true;
	if (host && m->mode.el == 2 && *encoding == CNTVCT)
		*encoding = CNTPCT; /* CNTVOFF does not apply to the host */
	if (name == NAME(4u, 3u))
		return vhe;
	for (size_t i = 0; i < sizeof host_names / sizeof *host_names; i++)
		if (name == host_names[i].from && host &&
		    (m->mode.el == 2 || (m->mode.el == 3 && host_names[i].el3))) {
			*encoding = rest | host_names[i].to;
			return true;
		}
	return name >> 12 != 5;
}
