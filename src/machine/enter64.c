/* SPDX-License-Identifier: MIT */
/*
 * Enters an exception in AArch64. DDI0487 D1.3.
 *
 * The emulator does not notice an exception level that is changed in PSTATE from outside: it would translate
 * the handler as EL0's code. So the CPU is saved at each ERET to EL0. EL0 changes only some of that state
 * (struct user), so an exception from EL0 restores the saved CPU, puts in what EL0 has written, and goes on
 * from there. From there, and from EL1 up, el_switch.c reaches other levels.
 */
#include "machine/aarch32_el0.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"

/* Registers of EL1; op1 4 makes them EL2's, op1 6 EL3's. */
#define SPSR  (3u << 16 | 4 << 8)
#define ELR   (3u << 16 | 4 << 8 | 1)
#define ESR   (3u << 16 | 5 << 8 | 2 << 4)
#define FAR   (3u << 16 | 6 << 8)
#define HPFAR (3u << 16 | 4u << 12 | 6 << 8 | 4)
#define VBAR  (3u << 16 | 12 << 8)
#define SCTLR (3u << 16 | 1 << 8)
#define MMFR1 (3u << 16 | 7 << 4 | 1) /* ID_AA64MMFR1_EL1 */

#define SP_EL0 (3u << 16 | 4 << 8 | 1 << 4)
#define FPCR   (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4)
#define FPSR   (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4 | 1)

#define AARCH32_REGISTERS 15u /* general registers of AArch32's User mode, without the PC */

#define STATE_M       0x1Fu
#define STATE_AARCH32 0x10u
#define STATE_SP      0x01u
#define STATE_DAIF    0x3C0u
#define STATE_KEEP    0xF0000000u /* NZCV */
#define SCTLR_SPAN    (1u << 23)

/* What EL0 can write. */
struct user {
	uint64_t x[31], sp, thread, fpcr, fpsr;
	uint64_t v[32][2];
};

static void user_save(const struct apmu_machine *m, struct user *u)
{
	for (unsigned i = 0; i < (m->aarch32 ? AARCH32_REGISTERS : 31); i++)
		u->x[i] = apmu_machine__reg(m, i);
	uc_reg_read(m->uc, UC_ARM64_REG_SP, &u->sp);
	uc_reg_read(m->uc, UC_ARM64_REG_TPIDR_EL0, &u->thread);
	u->fpcr = apmu_machine__sys(m, FPCR);
	u->fpsr = apmu_machine__sys(m, FPSR);
	for (int i = 0; i < 32; i++)
		uc_reg_read(m->uc, UC_ARM64_REG_Q0 + i, u->v[i]);
}

/* Puts in what EL0 has written. AArch32 has only R0 to R14, which are X0 to X14. DDI0487 D1.6.4. */
static void user_put(struct apmu_machine *m, const struct user *u, bool aarch32)
{
	for (unsigned i = 0; i < (aarch32 ? AARCH32_REGISTERS : 31); i++)
		apmu_machine__reg_set(m, i, u->x[i]);
	if (!aarch32)
		apmu_machine__sys_set(m, SP_EL0, u->sp);
	uc_reg_write(m->uc, UC_ARM64_REG_TPIDR_EL0, &u->thread);
	apmu_machine__sys_set(m, FPCR, u->fpcr);
	apmu_machine__sys_set(m, FPSR, u->fpsr);
	for (int i = 0; i < 32; i++)
		uc_reg_write(m->uc, UC_ARM64_REG_Q0 + i, u->v[i]);
}

/* Restores the CPU of the level that entered EL0, with its ERET still to come. */
static void leave_el0(struct apmu_machine *m)
{
	bool aarch32 = m->aarch32;
	struct user user;

	user_save(m, &user);
	uc_context_restore(m->uc, m->el1);
	m->aarch32 = false;
	user_put(m, &user, aarch32);
	if (!aarch32 && !(apmu_machine__cpsr(m) & STATE_SP))
		uc_reg_write(m->uc, UC_ARM64_REG_SP, &user.sp);
}

static uint32_t at_level(uint32_t reg, unsigned el)
{
	return reg | (el == 3 ? 6u : el == 2 ? 4u : 0) << 12;
}

/* Switches the emulator's SP from SP_EL0 to SP_ELx, which the handler runs on. */
static void switch_stack(struct apmu_machine *m, unsigned el)
{
	uint32_t own = 3u << 16 | (el == 2 ? 6u : 4u) << 12 | 4 << 8 | 1 << 4;
	uint64_t sp = 0;

	uc_reg_read(m->uc, UC_ARM64_REG_SP, &sp);
	apmu_machine__sys_set(m, SP_EL0, sp);
	sp = apmu_machine__sys(m, own);
	uc_reg_write(m->uc, UC_ARM64_REG_SP, &sp);
}

/* DDI0487, AArch64.TakeException(): the vector of lower levels says which state the level directly below is
 * in, which is AArch64 but for EL0, and EL0 is directly below EL1 or its host. */
static unsigned vector_of(const struct apmu_machine *m, const struct apmu_machine__entry *e, uint32_t old,
			  unsigned to)
{
	bool below = to == 1 || (to == 2 && apmu_machine__has_host_el0(m));
	unsigned lower = old & STATE_AARCH32 && below ? 0x600 : 0x400;
	unsigned from = (old >> 2 & 3) < to ? lower : old & STATE_SP ? 0x200 : 0;

	switch (e->what) {
	case APMU_EXCEPTION_IRQ: return from + 0x80;
	case APMU_EXCEPTION_FIQ: return from + 0x100;
	case APMU_EXCEPTION_SERROR: return from + 0x180;
	default: return from;
	}
}

/* A call returns to the instruction after it. */
static uint64_t return_address(const struct apmu_machine__entry *e)
{
	bool call = e->what == APMU_EXCEPTION_SVC || e->what == APMU_EXCEPTION_HVC ||
		    e->what == APMU_EXCEPTION_SMC;

	return call ? e->pc + e->size : e->pc;
}

static void say_why(struct apmu_machine *m, const struct apmu_machine__entry *e, unsigned el)
{
	apmu_machine__sys_set(m, at_level(ELR, el), return_address(e));
	if (e->what != APMU_EXCEPTION_IRQ && e->what != APMU_EXCEPTION_FIQ)
		apmu_machine__sys_set(m, at_level(ESR, el), e->syndrome);
	if (e->what == APMU_EXCEPTION_DATA || e->what == APMU_EXCEPTION_PREFETCH)
		apmu_machine__sys_set(m, at_level(FAR, el), e->address);
	if (e->stage2)
		apmu_machine__sys_set(m, HPFAR, e->intermediate >> 12 << 4);
}

#define MDSCR     (2u << 16 | 2 << 4 | 2) /* MDSCR_EL1 */
#define MDSCR_KDE 0x2001u                 /* KDE and SS */
#define STATE_D   0x200u

/* True if EL1 steps its own instructions. DDI0487 D2.12.3. */
static bool steps_itself(const struct apmu_machine *m, uint32_t state)
{
	return (state >> 2 & 3) == 1 && !(state & STATE_D) &&
	       (apmu_machine__sys(m, MDSCR) & MDSCR_KDE) == MDSCR_KDE;
}

/* True if the exception can be entered without el_switch.c: at the same level, if EL3's stack pointer need
 * not change (it has no name by which it could be reached from outside), and if EL1 does not step itself (the
 * emulator sees only at an ERET that PSTATE.D ends the stepping). */
static bool stays(const struct apmu_machine *m, unsigned from, unsigned to)
{
	return from == to && !steps_itself(m, apmu_machine__cpsr(m)) &&
	       (to < 3 || apmu_machine__cpsr(m) & STATE_SP);
}

/* PSTATE.PAN of the handler: what it was, or set by SCTLR.SPAN at a level that has an EL0. DDI0487 D1.3.4. */
static uint32_t pan(const struct apmu_machine *m, uint32_t old, unsigned to)
{
	bool host = to == 2 && apmu_machine__has_host_el0(m);

	if (old & CPSR_PAN || !(to == 1 || host))
		return old & CPSR_PAN;
	if (apmu_machine__sys(m, at_level(SCTLR, to)) & SCTLR_SPAN)
		return 0;
	return apmu_machine__sys(m, MMFR1) >> 20 & 15 ? CPSR_PAN : 0;
}

uint64_t apmu_machine__enter64(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	uint32_t old = apmu_machine__cpsr(m);
	unsigned to = apmu_machine__route(m, e), from = old >> 2 & 3;
	struct apmu_machine__landing landing = {
		.pc = apmu_machine__sys(m, at_level(VBAR, to)) + vector_of(m, e, old, to),
		.state = (old & STATE_KEEP) | pan(m, old, to) | STATE_DAIF | to << 2 | STATE_SP,
		.spsr = old};

	if (from == 0) {
		leave_el0(m);
		from = m->lowered;
	}
	say_why(m, e, to);
	if (!stays(m, from, to)) {
		if (!apmu_machine__switch_el(m, from, to, &landing))
			apmu_machine__end(m, APMU_STOP_ENGINE, e->pc,
					  "an exception to EL%u from an address that is not RAM", to);
		apmu_machine__state_is(m, landing.state);
		return landing.pc;
	}
	if (!(apmu_machine__cpsr(m) & STATE_SP))
		switch_stack(m, to);
	apmu_machine__cpsr_set(m, landing.state);
	apmu_machine__sys_set(m, at_level(SPSR, to), old);
	apmu_machine__pc_set(m, landing.pc);
	return landing.pc;
}

#define HCR_RW   (1u << 31)
#define SCR_NS   1u
#define SCR_RW   (1u << 10)
#define STATE_IL (1u << 20)

/* DDI0487 C6.2.118, D1.3.4: an illegal return keeps the level and says so in PSTATE.IL. */
static void return_illegally(struct apmu_machine *m, uint32_t to)
{
	uint32_t keep = STATE_KEEP | STATE_DAIF;

	apmu_machine__cpsr_set(m, (apmu_machine__cpsr(m) & ~keep) | (to & keep) | STATE_IL);
	apmu_machine__pc_set(m, apmu_machine__sys(m, at_level(ELR, m->mode.el)));
}

static bool el1_is_a64(const struct apmu_machine *m)
{
	bool el3 = m->highest_el == 3, el2 = m->highest_el >= 2 && m->scr & SCR_NS;

	return (!el3 || m->scr & SCR_RW) && (!el2 || m->hcr & HCR_RW);
}

/* Handles an ERET to AArch32. Under an AArch64 EL1 there can be User mode only, on cores that have AArch32.
 * An AArch32 EL1, to which EL2 or EL3 might return, is not modelled. */
static void return_narrow(struct apmu_machine *m, const struct apmu_machine__code *c, uint32_t to)
{
	bool user = (to & STATE_M) == STATE_AARCH32;

	if (m->mode.el > 1 && !el1_is_a64(m) && m->core->features >> APMU_FEATURE_AA32EL1 & 1)
		apmu_machine__end(m, APMU_STOP_ENGINE, c->address,
				  "ERET to an AArch32 EL1 (SPSR_EL%u 0x%08x): this machine's EL1 is AArch64",
				  m->mode.el, to);
	else if (!user || !(m->core->features >> APMU_FEATURE_AA32 & 1))
		return_illegally(m, to);
	else if (!apmu_machine__aarch32_known(m))
		apmu_machine__end(
			m, APMU_STOP_ENGINE, c->address,
			"ERET to AArch32 (SPSR_EL%u 0x%08x): this libunicorn does not show its registers",
			m->mode.el, to);
	else {
		uc_context_save(m->uc, m->el1);
		m->lowered = m->mode.el;
		m->aarch32 = true;
		m->it_state = to & CPSR_T ? (uint8_t)apmu_machine__it_of(to) : 0;
		m->it_return = (uint32_t)apmu_machine__sys(m, at_level(ELR, m->mode.el)) & ~1u;
	}
}

/* Handles an ERET that is about to run: saves the CPU if it leads to EL0, for leave_el0(). */
void apmu_machine__returns(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	uint32_t to = (uint32_t)apmu_machine__sys(m, at_level(SPSR, m->mode.el));

	if (m->mode.el == 0)
		return;
	if (to & STATE_AARCH32)
		return_narrow(m, c, to);
	else if ((to & STATE_M) == 0) {
		uc_context_save(m->uc, m->el1);
		m->lowered = m->mode.el;
	}
}
