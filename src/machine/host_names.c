/* SPDX-License-Identifier: MIT */
/* The names that a host at EL2 (HCR_EL2.E2H) has for registers: those of the timers, which are the board's,
 * and those that only the emulator holds. */
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"

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

/* Registers of EL1 and those of EL2 that a host reaches by EL1's names. EL1's own then have op1 5 (names that
 * end in 12). DDI0487 D8.4. */
#define SYS(op1, crn, crm, op2) (3u << 16 | (op1) << 12 | (crn) << 8 | (crm) << 4 | (op2))
#define OP1                     (7u << 12)
#define OP1_EL12                (5u << 12)
#define SCTLR_EL2               SYS(4u, 1, 0, 0)
#define TCR_EL2                 SYS(4u, 2, 0, 2)
#define CPTR_EL2                SYS(4u, 1, 1, 2)
#define SPSR_EL2                SYS(4u, 4, 0, 0)
/* clang-format off */
#define SAME(crn, crm, op2) {SYS(0, crn, crm, op2), SYS(4u, crn, crm, op2)}
static const struct {
	uint32_t el1, el2;
} host_registers[] = {
	SAME(1, 0, 0),                               /* SCTLR */
	{SYS(0, 1, 0, 2), CPTR_EL2},                 /* CPACR */
	SAME(2, 0, 0), SAME(2, 0, 1), SAME(2, 0, 2), /* TTBR0, TTBR1, TCR */
	SAME(4, 0, 0), SAME(4, 0, 1),                /* SPSR, ELR */
	SAME(5, 1, 0), SAME(5, 1, 1),                /* AFSR0, AFSR1 */
	SAME(5, 2, 0), SAME(6, 0, 0),                /* ESR, FAR */
	SAME(10, 2, 0), SAME(10, 3, 0),              /* MAIR, AMAIR */
	SAME(12, 0, 0),                              /* VBAR */
	SAME(13, 0, 1),                              /* CONTEXTIDR */
};
/* clang-format on */

static int row_of(uint32_t encoding)
{
	uint32_t op1 = encoding & OP1, el1 = encoding & ~OP1;

	for (size_t i = 0; i < sizeof host_registers / sizeof *host_registers; i++)
		if (host_registers[i].el1 == el1 && (op1 == 0 || op1 == OP1_EL12))
			return (int)i;
	return -1;
}

bool apmu_machine__is_host_name(const struct apmu_machine *m, uint32_t encoding)
{
	return m->highest_el >= 2 && m->core->features >> APMU_FEATURE_VHE & 1 && row_of(encoding) >= 0;
}

/* The register that the name reaches here; 0: it is undefined. */
static uint32_t reached(const struct apmu_machine *m, uint32_t encoding)
{
	int row = row_of(encoding);

	if ((encoding & OP1) == OP1_EL12)
		return m->mode.el >= 2 && apmu_machine__is_host(m) ? host_registers[row].el1 : 0;
	return m->mode.el == 2 && apmu_machine__is_host(m) ? host_registers[row].el2 : encoding;
}

bool apmu_machine__host_register(struct apmu_machine *m, const struct apmu_machine__code *c,
				 uint32_t encoding, bool write, uint64_t *value, enum apmu_outcome *outcome)
{
	uint32_t to = reached(m, encoding);

	if (to == encoding) {
		if (apmu_machine__controls_sve(m, encoding))
			apmu_machine__tame_sve(m, c);
		return false;
	}
	if (to == 0)
		*outcome = APMU_UNDEFINED;
	else if (write)
		apmu_machine__sys_set(m, to, apmu_machine__tamed(m, to, *value));
	else
		*value = apmu_machine__sys(m, to);
	return true;
}

/* The emulator derives part of its state from these registers, but only when an instruction of the guest
 * writes them or changes the level. So an ERET leads from EL2 to EL2. */
void apmu_machine__host_wrote(struct apmu_machine *m, const struct apmu_machine__code *c, uint32_t encoding)
{
	uint32_t to = reached(m, encoding);
	struct apmu_machine__landing landing = {.pc = c->address + c->size,
						.state = apmu_machine__cpsr(m),
						.spsr = (uint32_t)apmu_machine__sys(m, SPSR_EL2)};

	if (to != encoding && (to == SCTLR_EL2 || to == TCR_EL2 || to == CPTR_EL2) &&
	    apmu_machine__switch_el(m, 2, 2, &landing))
		m->after |= APMU_MACHINE__AFTER_MOVED | APMU_MACHINE__AFTER_EL | APMU_MACHINE__AFTER_STATE;
}
