/* SPDX-License-Identifier: MIT */
/*
 * Entering an exception at EL1 on AArch64, by hand. DDI0487 D1.3.
 *
 * The emulator does not notice when somebody else changes the exception level in PSTATE: the handler would be
 * translated as EL0. So the CPU is saved at each ERET to EL0, which EL0 cannot change but for what it may
 * write, and an exception from EL0 goes on from there with what EL0 has written put in.
 */
#include "inside.h"

#define SPSR_EL1 (3u << 16 | 4 << 8)
#define ELR_EL1  (3u << 16 | 4 << 8 | 1)
#define SP_EL0   (3u << 16 | 4 << 8 | 1 << 4)
#define SP_EL1   (3u << 16 | 4u << 12 | 4 << 8 | 1 << 4)
#define ESR_EL1  (3u << 16 | 5 << 8 | 2 << 4)
#define FAR_EL1  (3u << 16 | 6 << 8)
#define VBAR_EL1 (3u << 16 | 12 << 8)
#define FPCR     (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4)
#define FPSR     (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4 | 1)

#define STATE_M    0x1Fu
#define STATE_EL1T 0x04u
#define STATE_EL1H 0x05u
#define STATE_DAIF 0x3C0u
#define STATE_KEEP 0xF0000000u /* NZCV */

/* What EL0 can write. */
struct user {
	uint64_t x[31], sp, thread, fpcr, fpsr;
	uint64_t v[32][2];
};

static void user_save(const struct apmu_machine *m, struct user *u)
{
	for (unsigned i = 0; i < 31; i++)
		u->x[i] = apmu__reg(m, i);
	uc_reg_read(m->uc, UC_ARM64_REG_SP, &u->sp);
	uc_reg_read(m->uc, UC_ARM64_REG_TPIDR_EL0, &u->thread);
	u->fpcr = apmu__sys(m, FPCR);
	u->fpsr = apmu__sys(m, FPSR);
	for (int i = 0; i < 32; i++)
		uc_reg_read(m->uc, UC_ARM64_REG_Q0 + i, u->v[i]);
}

static void user_put(struct apmu_machine *m, const struct user *u)
{
	for (unsigned i = 0; i < 31; i++)
		apmu__reg_set(m, i, u->x[i]);
	apmu__sys_set(m, SP_EL0, u->sp);
	uc_reg_write(m->uc, UC_ARM64_REG_TPIDR_EL0, &u->thread);
	apmu__sys_set(m, FPCR, u->fpcr);
	apmu__sys_set(m, FPSR, u->fpsr);
	for (int i = 0; i < 32; i++)
		uc_reg_write(m->uc, UC_ARM64_REG_Q0 + i, u->v[i]);
}

static void leave_el0(struct apmu_machine *m)
{
	struct user user;

	user_save(m, &user);
	uc_context_restore(m->uc, m->el1);
	user_put(m, &user);
}

/* The handler runs on SP_EL1; the emulator's SP is that of the moment. */
static void switch_stack(struct apmu_machine *m)
{
	uint64_t sp = 0;

	uc_reg_read(m->uc, UC_ARM64_REG_SP, &sp);
	apmu__sys_set(m, SP_EL0, sp);
	sp = apmu__sys(m, SP_EL1);
	uc_reg_write(m->uc, UC_ARM64_REG_SP, &sp);
}

static unsigned vector_of(const struct apmu__entry *e, uint32_t old)
{
	unsigned from = (old & 0xC) == 0 ? 0x400 : (old & 1) ? 0x200 : 0;

	return from + (e->what == APMU_EXCEPTION_IRQ ? 0x80 : e->what == APMU_EXCEPTION_FIQ ? 0x100 : 0);
}

static uint64_t return_address(const struct apmu__entry *e)
{
	return e->what == APMU_EXCEPTION_SVC ? e->pc + e->size : e->pc;
}

uint64_t apmu__enter64(struct apmu_machine *m, const struct apmu__entry *e)
{
	uint32_t old = apmu__cpsr(m);
	uint64_t vector = apmu__sys(m, VBAR_EL1) + vector_of(e, old);

	if ((old & 0xC) == 0)
		leave_el0(m);
	if ((apmu__cpsr(m) & 1) == 0)
		switch_stack(m);
	apmu__cpsr_set(m, (old & STATE_KEEP) | STATE_DAIF | STATE_EL1H);
	apmu__sys_set(m, SPSR_EL1, old);
	apmu__sys_set(m, ELR_EL1, return_address(e));
	if (e->what != APMU_EXCEPTION_IRQ && e->what != APMU_EXCEPTION_FIQ)
		apmu__sys_set(m, ESR_EL1, e->syndrome);
	if (e->what == APMU_EXCEPTION_DATA || e->what == APMU_EXCEPTION_PREFETCH)
		apmu__sys_set(m, FAR_EL1, e->address);
	apmu__pc_set(m, vector);
	return vector;
}

/* EL0 is saved for above. An ERET to AArch32 would lead where the emulator cannot be followed. */
void apmu__returns(struct apmu_machine *m, const struct apmu__code *c)
{
	uint32_t to = (uint32_t)apmu__sys(m, SPSR_EL1);

	if (m->mode.el == 0)
		return;
	if (to & 0x10) {
		apmu__end(m, APMU_STOP_ENGINE, c->address,
			  "ERET to AArch32 (SPSR_EL1 0x%08x): this machine's CPU stays in AArch64", to);
		return;
	}
	if ((to & STATE_M) == 0)
		uc_context_save(m->uc, m->el1);
}
