/* SPDX-License-Identifier: MIT */
/* Enters an exception in AArch32, which the emulator never does itself. DDI0406C B1.8, B1.9; Hyp mode:
 * hyp.c. */
#include "machine/exceptions.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"

#define SCTLR_V    (1u << 13)
#define SCR_NS     1u
#define SCR_FW     (1u << 4)
#define SCR_AW     (1u << 5)
#define SCTLR_SPAN (1u << 23)
#define SCTLR_EE   (1u << 25)
#define SCTLR_TE   (1u << 30)

#define TTBCR_EAE       (1u << 31)
#define IFSR_LPAE_DEBUG 0x222u /* DDI0406C table B3-24 */

/* By enum apmu_exception. `link`: added to the address of the instruction to make the mode's R14, in A32 and
 * in T32; 255: the instruction's size. */
static const struct {
	uint8_t vector, mode, link[2];
	bool masks_a, masks_f;
} kind[APMU_EXCEPTIONS] = {
	[APMU_EXCEPTION_UNDEFINED] = {0x04, MODE_UND, {4, 2}, false, false},
	[APMU_EXCEPTION_SVC] = {0x08, MODE_SVC, {255, 255}, false, false},
	[APMU_EXCEPTION_TRAP] = {0x04, MODE_UND, {4, 2}, false, false},
	[APMU_EXCEPTION_PREFETCH] = {0x0C, MODE_ABT, {4, 4}, true, false},
	[APMU_EXCEPTION_DATA] = {0x10, MODE_ABT, {8, 8}, true, false},
	[APMU_EXCEPTION_BREAKPOINT] = {0x0C, MODE_ABT, {4, 4}, true, false},
	[APMU_EXCEPTION_IRQ] = {0x18, MODE_IRQ, {4, 4}, true, false},
	[APMU_EXCEPTION_FIQ] = {0x1C, MODE_FIQ, {4, 4}, true, true},
	[APMU_EXCEPTION_SMC] = {0x08, MODE_MON, {255, 255}, true, true},
	[APMU_EXCEPTION_SERROR] = {0x10, MODE_ABT, {8, 8}, true, false},
};

static uint32_t vector_base(const struct apmu_machine *m, uint32_t sctlr)
{
	if (sctlr & SCTLR_V)
		return 0xFFFF0000u;
	return m->model->vector_base ? (uint32_t)apmu_machine__cp(m, 0, 12, 0, 0) & ~31u : 0;
}

static bool is_lpae(const struct apmu_machine *m)
{
	return m->model->lpae && apmu_machine__cp(m, 0, 2, 0, 2) & TTBCR_EAE;
}

/* Writes the fault status and address registers: DFSR, DFAR; IFSR, IFAR. A breakpoint is a prefetch abort
 * whose status, a debug event, both formats of tables have. */
static void say_fault(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	if (e->what == APMU_EXCEPTION_DATA) {
		apmu_machine__cp_set(m, 0, 5, 0, 0, e->syndrome);
		apmu_machine__cp_set(m, 0, 6, 0, 0, e->address);
	} else if (e->what == APMU_EXCEPTION_SERROR) {
		apmu_machine__cp_set(m, 0, 5, 0, 0, e->syndrome);
	} else if (e->what == APMU_EXCEPTION_PREFETCH) {
		apmu_machine__cp_set(m, 0, 5, 0, 1, e->syndrome);
		apmu_machine__cp_set(m, 0, 6, 0, 2, e->address);
	} else if (e->what == APMU_EXCEPTION_BREAKPOINT) {
		apmu_machine__cp_set(m, 0, 5, 0, 1, is_lpae(m) ? IFSR_LPAE_DEBUG : e->syndrome);
		apmu_machine__cp_set(m, 0, 6, 0, 2, e->pc);
	}
}

/* Monitor mode clears PAN of Non-secure state; else SCTLR.SPAN may set it. DDI0487 G1.12.2. */
static uint32_t with_pan(const struct apmu_machine *m, uint32_t state, uint32_t sctlr, bool monitor)
{
	bool has = m->model->version >= 8 && apmu_machine__cp(m, 0, 0, 1, 7) >> 16 & 15; /* ID_MMFR3 */

	if (!has)
		return state;
	if (monitor && apmu_machine__cp(m, 0, 1, 1, 0) & SCR_NS)
		return state & ~CPSR_PAN;
	return sctlr & SCTLR_SPAN ? state : state | CPSR_PAN;
}

/* True if CPSR.A or F is not the exception's to set: in Non-secure state without Hyp mode, SCR.AW or FW says
 * if it may change. DDI0406C B1.9.8 to B1.9.12. */
static bool is_secures(const struct apmu_machine *m, uint64_t scr_bit)
{
	return m->highest_el == 3 && !(m->core->features >> APMU_FEATURE_EL2 & 1) &&
	       m->mode.security == APMU_NONSECURE && !(m->scr & scr_bit);
}

/* Monitor mode masks FIQ too. */
static uint32_t new_state(const struct apmu_machine *m, const struct apmu_machine__entry *e, uint32_t old,
			  uint32_t sctlr, bool monitor)
{
	bool six = m->model->version >= 6;
	uint32_t state = old & ~(MODES | CPSR_T | CPSR_J | CPSR_IT);

	state = with_pan(m, state, sctlr, monitor);
	state |= (monitor ? MODE_MON : kind[e->what].mode) | CPSR_I;
	if ((kind[e->what].masks_f && !is_secures(m, SCR_FW)) || monitor)
		state |= CPSR_F;
	if (six && kind[e->what].masks_a && !is_secures(m, SCR_AW))
		state |= CPSR_A;
	if (six)
		state = (state & ~CPSR_E) | (sctlr & SCTLR_EE ? CPSR_E : 0);
	return m->model->thumb2 && (sctlr & SCTLR_TE) ? state | CPSR_T : state;
}

/* True for SMC, and for interrupts that SCR routes to Monitor mode; no other exception of a Monitor mode
 * program goes there. */
static bool to_monitor(const struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	bool may = e->what == APMU_EXCEPTION_SMC || e->what == APMU_EXCEPTION_IRQ ||
		   e->what == APMU_EXCEPTION_FIQ;

	return m->highest_el == 3 && may && apmu_machine__route(m, e) == 3;
}

/* DDI0406C B1.8: an exception taken from Monitor mode leads to Secure state, also one that stays in Monitor
 * mode. */
static void leave_monitor(struct apmu_machine *m, uint32_t old)
{
	if (m->highest_el < 3 || (old & MODES) != MODE_MON)
		return;
	apmu_machine__cp_set(m, 0, 1, 1, 0, apmu_machine__cp(m, 0, 1, 1, 0) & ~(uint64_t)SCR_NS);
	apmu_machine__levels_look(m);
}

/* Writes CPSR. The emulator accepts Monitor mode in Secure state only and Hyp mode from Monitor mode only, so
 * SCR.NS is cleared for a moment. The last write also makes the emulator look up the register bank. */
void apmu_machine__switch_mode(struct apmu_machine *m, uint32_t state)
{
	uint32_t to = state & MODES, plain = state & ~MODES;
	uint64_t scr = apmu_machine__cp(m, 0, 1, 1, 0);

	if ((to == MODE_MON || to == MODE_HYP) && (apmu_machine__cpsr(m) & MODES) != to) {
		apmu_machine__cpsr_set(m, plain | MODE_SVC);
		apmu_machine__cp_set(m, 0, 1, 1, 0, scr & ~(uint64_t)SCR_NS);
		apmu_machine__cpsr_set(m, plain | MODE_MON);
		apmu_machine__cp_set(m, 0, 1, 1, 0, scr);
	}
	apmu_machine__cpsr_set(m, state);
}

uint64_t apmu_machine__enter32(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	bool monitor = to_monitor(m, e);
	uint32_t old = apmu_machine__cpsr(m);

	if (m->highest_el >= 2 && apmu_machine__route(m, e) == 2)
		return apmu_machine__enter_hyp(m, e);
	leave_monitor(m, old);
	if (monitor)
		m->mode.security = APMU_SECURE;
	uint32_t sctlr = (uint32_t)apmu_machine__cp(m, 0, 1, 0, 0);
	uint32_t state = new_state(m, e, old, sctlr, monitor);
	uint32_t base = monitor ? (uint32_t)apmu_machine__cp(m, 0, 12, 0, 1) & ~31u : vector_base(m, sctlr);
	uint32_t vector = base + kind[e->what].vector;
	uint8_t add = kind[e->what].link[(old & CPSR_T) != 0];
	uint32_t link = (uint32_t)e->pc + (add == 255 ? e->size : add);

	say_fault(m, e);
	apmu_machine__switch_mode(m, state);
	uc_reg_write(m->uc, UC_ARM_REG_SPSR, &old);
	apmu_machine__reg_set(m, 14, link);
	m->thumb = state & CPSR_T;
	apmu_machine__pc_set(m, vector);
	return vector;
}
