/* SPDX-License-Identifier: MIT */
/*
 * Exception levels above EL1, if they are the guest's: the Security state of a level, where exceptions go,
 * what the PMU must know of EL2's and EL3's controls. DDI0487 D1.3; DDI0406C B1.8 for AArch32, whose EL3 is
 * Monitor mode, and Secure state.
 */
#include "machine/counting.h"
#include "machine/exceptions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"

#define HCR_EL2  (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4)
#define HSTR_EL2 (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4 | 3)
#define SCR_EL3  (3u << 16 | 6u << 12 | 1 << 8 | 1 << 4)

#define SCR_NS  ((uint64_t)1 << 0)
#define SCR_IRQ ((uint64_t)1 << 1)
#define SCR_FIQ ((uint64_t)1 << 2)
#define SCR_FW  ((uint64_t)1 << 4)
#define SCR_SMD ((uint64_t)1 << 7)
#define SCR_HCE ((uint64_t)1 << 8)
#define SCR_NSE ((uint64_t)1 << 62)
#define SCR_UNKNOWN \
	((uint64_t)1 << 27 | (uint64_t)1 << 59 | SCR_NSE) /* FGTEN, FGTEN2, NSE: the emulator drops them */
#define HCR_VM      ((uint64_t)1 << 0)
#define HCR_DC      ((uint64_t)1 << 12)
#define HCR_E2H     ((uint64_t)1 << 34)
#define HCR_FMO     ((uint64_t)1 << 3)
#define HCR_IMO     ((uint64_t)1 << 4)
#define HCR_AMO     ((uint64_t)1 << 5)
#define HCR_VF      ((uint64_t)1 << 6)
#define HCR_VI      ((uint64_t)1 << 7)
#define HCR_VSE     ((uint64_t)1 << 8)
#define HCR_TID3    ((uint64_t)1 << 18)
#define HCR_TSC     ((uint64_t)1 << 19)
#define HCR_TGE     ((uint64_t)1 << 27)
#define STATE_I     (1u << 7)
#define STATE_F     (1u << 6)
#define OPCODE_SCR  0xD51E1100u /* msr scr_el3, x0; with bit 21 set: mrs */
#define OPCODE_READ (1u << 21)
#define OPCODE_RT   0x1Fu

static bool has(const struct apmu_machine *m, enum apmu_feature feature)
{
	return m->core->features >> feature & 1;
}

/* True if stage 2 translates at a level. HCR.DC implies VM. */
bool apmu_machine__stage2(const struct apmu_machine *m, unsigned el)
{
	return m->highest_el >= 2 && el < 2 && m->scr & SCR_NS && m->hcr & (HCR_VM | HCR_DC) &&
	       (m->hcr & (HCR_TGE | HCR_E2H)) != (HCR_TGE | HCR_E2H);
}

uint8_t apmu_machine__world(const struct apmu_machine *m, unsigned el)
{
	if (m->highest_el < 2)
		return m->mode.security;
	if (el == 3)
		return has(m, APMU_FEATURE_RME) ? APMU_ROOT : APMU_SECURE;
	if (has(m, APMU_FEATURE_RME) && m->scr & SCR_NSE)
		return APMU_REALM;
	return m->scr & SCR_NS ? APMU_NONSECURE : APMU_SECURE;
}

/* True if EL2 is enabled here: not in Secure state, since the emulator has no Secure EL2. */
bool apmu_machine__el2_on(const struct apmu_machine *m)
{
	return (m->model->a64 || m->model->lpae) && m->highest_el >= 2 && m->mode.el < 3 &&
	       has(m, APMU_FEATURE_EL2) && m->scr & SCR_NS;
}

bool apmu_machine__hides_identity(const struct apmu_machine *m)
{
	return m->mode.el == 1 && apmu_machine__el2_on(m) && m->hcr & HCR_TID3;
}

/* Level that takes a synchronous exception: the current one; EL0's go to EL1, or to EL2 by HCR.TGE. */
static unsigned route_synchronous(const struct apmu_machine *m)
{
	if (m->mode.el)
		return m->mode.el;
	return apmu_machine__el2_on(m) && m->hcr & HCR_TGE ? 2 : 1;
}

static unsigned route_interrupt(const struct apmu_machine *m, bool fiq)
{
	if (m->highest_el == 3 && m->scr & (fiq ? SCR_FIQ : SCR_IRQ))
		return 3;
	if (m->mode.el == 2 && !m->model->a64) /* Hyp mode takes what is not routed elsewhere */
		return 2;
	return apmu_machine__el2_on(m) && m->hcr & (HCR_TGE | (fiq ? HCR_FMO : HCR_IMO)) ? 2 : 1;
}

/* Virtual interrupts by HCR.VI, VF and VSE (VA), for EL1 and EL0, if the hypervisor has taken the physical
 * interrupt of that kind. */
unsigned apmu_machine__virtual_lines(const struct apmu_machine *m)
{
	unsigned lines = 0;

	if (m->mode.el > 1 || !apmu_machine__el2_on(m) || m->hcr & HCR_TGE)
		return 0;
	if ((m->hcr & (HCR_VI | HCR_IMO)) == (HCR_VI | HCR_IMO))
		lines |= 1u << APMU_BOARD__CPU_IRQ;
	if ((m->hcr & (HCR_VF | HCR_FMO)) == (HCR_VF | HCR_FMO))
		lines |= 1u << APMU_BOARD__CPU_FIQ;
	if ((m->hcr & (HCR_VSE | HCR_AMO)) == (HCR_VSE | HCR_AMO))
		lines |= APMU_MACHINE__VIRTUAL_SERROR;
	return lines;
}

/* Virtual interrupts by the GIC's list registers. */
unsigned apmu_machine__listed_lines(const struct apmu_machine *m)
{
	unsigned lines = apmu_board__lines(&m->board), listed = 0;

	if (lines < 1u << APMU_BOARD__CPU_VIRTUAL_IRQ || m->mode.el > 1 || !apmu_machine__el2_on(m) ||
	    m->hcr & HCR_TGE)
		return 0;
	if (lines >> APMU_BOARD__CPU_VIRTUAL_IRQ & 1 && m->hcr & HCR_IMO)
		listed |= 1u << APMU_BOARD__CPU_IRQ;
	if (lines >> APMU_BOARD__CPU_VIRTUAL_FIQ & 1 && m->hcr & HCR_FMO)
		listed |= 1u << APMU_BOARD__CPU_FIQ;
	return listed;
}

/* The groups (bit 0: Group 0, bit 1: Group 1) whose CPU interface is a guest's at EL1. */
uint8_t apmu_machine__guest_groups(const struct apmu_machine *m)
{
	if (m->mode.el != 1 || !apmu_machine__el2_on(m))
		return 0;
	return (m->hcr & HCR_FMO ? 1 : 0) | (m->hcr & HCR_IMO ? 2 : 0);
}

unsigned apmu_machine__route(const struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	unsigned el = e->el;

	if (m->highest_el < 2)
		return 1;
	if (e->is_virtual)
		return 1;
	if (e->what == APMU_EXCEPTION_IRQ || e->what == APMU_EXCEPTION_FIQ)
		return route_interrupt(m, e->what == APMU_EXCEPTION_FIQ);
	if (el > m->mode.el && el > 1)
		return el;
	return route_synchronous(m);
}

/* True if CPSR's mask does not apply: in Non-secure state, to an interrupt that a control of Hyp mode, or
 * SCR.FIQ with SCR.FW clear, sends to a higher level. DDI0406C B1.9.10 to B1.9.12, with the Virtualization
 * Extensions. */
static bool overrides_mask(const struct apmu_machine *m, bool fiq)
{
	if (!apmu_machine__el2_on(m))
		return false;
	if (m->mode.el < 2 && m->hcr & (HCR_TGE | (fiq ? HCR_FMO : HCR_IMO)))
		return true;
	return m->highest_el == 3 && fiq && (m->scr & (SCR_FIQ | SCR_FW)) == SCR_FIQ;
}

/* Level whose interrupts PSTATE's masks hold off: EL0 has those of EL1, or of EL2 under a host. DDI0487
 * D1.3.6.
 */
static unsigned masked_level(const struct apmu_machine *m)
{
	if (m->mode.el)
		return m->mode.el;
	return apmu_machine__el2_on(m) && apmu_machine__has_host_el0(m) ? 2 : 1;
}

/* True if the interrupt may be taken now. PSTATE's masks hold at the level that would take it; an interrupt
 * to a higher level is never held off, one to a lower level is never taken. */
bool apmu_machine__interruptible(const struct apmu_machine *m, bool fiq)
{
	unsigned to = m->highest_el < 2 ? 1 : route_interrupt(m, fiq), at = masked_level(m);

	if (to != at && m->model->a64)
		return to > at;
	if (!m->model->a64 && overrides_mask(m, fiq))
		return true;
	return !(m->state & (fiq ? STATE_F : STATE_I));
}

/* Where an HVC or SMC goes. DDI0487 C6, HVC and SMC; DDI0406C B9.3. HVC needs EL2: Non-secure state, or
 * AArch64's EL3 itself. AArch32's SCR.SCD holds in Non-secure state only, with the Virtualization
 * Extensions. */
enum apmu_machine__level_call apmu_machine__call_to(const struct apmu_machine *m, bool secure)
{
	unsigned own = secure ? 3 : 2;

	if (m->mode.el == 0)
		return APMU_MACHINE__CALL_UNDEFINED;
	if (secure && m->mode.el == 1 && apmu_machine__el2_on(m) && m->hcr & HCR_TSC)
		return APMU_MACHINE__CALL_TRAP;
	if (m->highest_el < own)
		return m->board.row->psci ? APMU_MACHINE__CALL_FIRMWARE : APMU_MACHINE__CALL_UNDEFINED;
	if (secure)
		return m->scr & SCR_SMD && (m->model->a64 || apmu_machine__el2_on(m))
			       ? APMU_MACHINE__CALL_UNDEFINED
			       : APMU_MACHINE__CALL_GUEST;
	if ((!m->model->a64 && !apmu_machine__el2_on(m)) || !(m->scr & SCR_HCE) ||
	    (m->mode.el == 1 && !apmu_machine__el2_on(m)))
		return APMU_MACHINE__CALL_UNDEFINED;
	return APMU_MACHINE__CALL_GUEST;
}

/* SCR_EL3 as the guest knows it: m->scr_more keeps the bits that the emulator drops. */
static uint64_t scr_of(struct apmu_machine *m)
{
	const struct apmu_machine__code *c = m->current;

	if (m->highest_el < 3)
		return m->scr;
	if (c && (c->opcode & ~(OPCODE_READ | OPCODE_RT)) == OPCODE_SCR) {
		unsigned rt = c->opcode & OPCODE_RT;

		if (c->opcode & OPCODE_READ)
			apmu_machine__reg_set(m, rt, apmu_machine__reg(m, rt) | m->scr_more);
		else
			m->scr_more = apmu_machine__reg(m, rt) & SCR_UNKNOWN;
	}
	return apmu_machine__sys(m, SCR_EL3) | m->scr_more;
}

/* HCR and, from Armv8 on, HCR2. */
static uint64_t hyp_control(const struct apmu_machine *m)
{
	if (!m->model->lpae)
		return 0;
	return apmu_machine__cp(m, 4, 1, 1, 0) |
	       (m->model->version >= 8 ? apmu_machine__cp(m, 4, 1, 1, 4) << 32 : 0);
}

/* A register of EL2 or EL3 may have been written: passes its value to the PMU. */
void apmu_machine__levels_look(struct apmu_machine *m)
{
	struct apmu_machine_state state;
	uint64_t hcr, scr, hstr;

	if (m->highest_el < 2)
		return;
	hcr = m->model->a64 ? apmu_machine__sys(m, HCR_EL2) : hyp_control(m);
	hstr = m->model->a64    ? apmu_machine__sys(m, HSTR_EL2)
	       : m->model->lpae ? apmu_machine__cp(m, 4, 1, 1, 3)
				: 0;
	scr = m->model->a64 ? scr_of(m) : apmu_machine__cp(m, 0, 1, 1, 0);
	apmu_machine_get(&m->pmu, &state);
	if (hcr == state.hcr_el2 && scr == state.scr_el3 && hstr == state.hstr_el2)
		return;
	apmu_machine__sync(m, false);
	m->hcr = state.hcr_el2 = hcr;
	m->scr = state.scr_el3 = scr;
	state.hstr_el2 = hstr;
	m->board.s.gtimer.host_el0 = scr & SCR_NS && apmu_machine__has_host_el0(m);
	apmu_machine_set(&m->pmu, &state);
	apmu_machine__rewatch(m);
	apmu_machine__state_is(m, m->state); /* SCR.NS may have changed the Security state */
}
