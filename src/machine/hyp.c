/* SPDX-License-Identifier: MIT */
/*
 * Enters exceptions in Hyp mode: DDI0406C B1.8.4, EnterHypMode(); B1.8.1 for the vectors, B3.13.6 for HSR.
 */
#include "machine/exceptions.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"

#define SCR_IRQ   (1u << 1)
#define SCR_FIQ   (1u << 2)
#define SCR_EA    (1u << 3)
#define HSCTLR_EE (1u << 25)
#define HSCTLR_TE (1u << 30)

#define HSR_BREAKPOINT 0x82000022u /* prefetch abort from another mode, a debug event */
#define HSR_FROM_HYP   (1u << 26)
#define HSR_IL         (1u << 25)
#define HSR_ISV        (1u << 24)
#define EC_UNKNOWN     0x00u
#define EC_VECTOR      0x07u
#define EC_FETCH       0x20u
#define EC_DATA        0x24u
#define COPROC_10      0xAu

/* Vectors of exceptions from Hyp mode itself, and of interrupts; other exceptions from elsewhere go to
 * VECTOR_TRAP. */
#define VECTOR_TRAP 0x14
static const uint8_t vector[APMU_EXCEPTIONS] = {
	[APMU_EXCEPTION_UNDEFINED] = 0x04, [APMU_EXCEPTION_TRAP] = 0x04,
	[APMU_EXCEPTION_SVC] = 0x08,       [APMU_EXCEPTION_HVC] = 0x08,
	[APMU_EXCEPTION_PREFETCH] = 0x0C,  [APMU_EXCEPTION_BREAKPOINT] = 0x0C,
	[APMU_EXCEPTION_DATA] = 0x10,      [APMU_EXCEPTION_IRQ] = 0x18,
	[APMU_EXCEPTION_FIQ] = 0x1C,
};

static bool is_interrupt(const struct apmu_machine__entry *e)
{
	return e->what == APMU_EXCEPTION_IRQ || e->what == APMU_EXCEPTION_FIQ;
}

static uint32_t vector_of(const struct apmu_machine *m, const struct apmu_machine__entry *e, uint32_t old)
{
	uint32_t base = (uint32_t)apmu_machine__cp(m, 4, 12, 0, 0) & ~31u;

	return base + ((old & MODES) == MODE_HYP || is_interrupt(e) ? vector[e->what] : VECTOR_TRAP);
}

static uint32_t new_state(const struct apmu_machine *m, uint32_t old)
{
	uint32_t hsctlr = (uint32_t)apmu_machine__cp(m, 4, 1, 0, 0);
	uint32_t state = old & ~(MODES | CPSR_T | CPSR_E | CPSR_J | CPSR_IT);

	state |= m->scr & SCR_EA ? 0 : CPSR_A;
	state |= m->scr & SCR_FIQ ? 0 : CPSR_F;
	state |= m->scr & SCR_IRQ ? 0 : CPSR_I;
	state |= hsctlr & HSCTLR_EE ? CPSR_E : 0;
	state |= hsctlr & HSCTLR_TE ? CPSR_T : 0;
	return state | MODE_HYP;
}

/* Armv7 leaves IL 0 where no instruction was trapped: unknown, fetch aborts, data aborts without ISV. */
static uint32_t syndrome_of(const struct apmu_machine *m, const struct apmu_machine__entry *e, uint32_t old)
{
	uint32_t hsr = e->syndrome;
	bool seven = m->model->version < 8;

	if (e->what == APMU_EXCEPTION_BREAKPOINT)
		hsr = HSR_BREAKPOINT | ((old & MODES) == MODE_HYP ? HSR_FROM_HYP : 0);
	switch (hsr >> 26) {
	case EC_DATA:
	case EC_DATA + 1: seven = seven && !(hsr & HSR_ISV); /* fall through */
	case EC_UNKNOWN:
	case EC_FETCH:
	case EC_FETCH + 1: return seven ? hsr & ~HSR_IL : hsr;
	case EC_VECTOR: return hsr | COPROC_10;
	default: return hsr;
	}
}

static void say_why(struct apmu_machine *m, const struct apmu_machine__entry *e, uint32_t old)
{
	if (!is_interrupt(e))
		apmu_machine__cp_set(m, 4, 5, 2, 0, syndrome_of(m, e, old));
	if (e->stage2) /* HPFAR: the page's number from bit 4 on */
		apmu_machine__cp_set(m, 4, 6, 0, 4, (uint32_t)(e->intermediate >> 12 << 4));
	if (e->what == APMU_EXCEPTION_DATA)
		apmu_machine__cp_set(m, 4, 6, 0, 0, e->address);
	else if (e->what == APMU_EXCEPTION_PREFETCH)
		apmu_machine__cp_set(m, 4, 6, 0, 2, e->address);
}

/* ELR_hyp is not a coprocessor register, but the emulator has ELR_EL2 in its place, under a number that the
 * library makes of these: 64-bit state, op0 3, op1 4, c4, c0, op2 1. */
#define ELR_HYP ((uc_arm_cp_reg){.cp = 0x1013, .sec = 1, .crn = 3 << 3 | 4, .crm = 4, .opc1 = 0, .opc2 = 1})

static void set_elr(struct apmu_machine *m, uint32_t elr)
{
	uc_arm_cp_reg reg = ELR_HYP;

	reg.val = elr;
	uc_reg_write(m->uc, UC_ARM_REG_CP_REG, &reg);
}

uint32_t apmu_machine__elr_hyp(const struct apmu_machine *m)
{
	uc_arm_cp_reg reg = ELR_HYP;

	return uc_reg_read(m->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK ? (uint32_t)reg.val : 0;
}

uint64_t apmu_machine__enter_hyp(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	bool call = e->what == APMU_EXCEPTION_SVC || e->what == APMU_EXCEPTION_HVC;
	uint32_t old = apmu_machine__cpsr(m), to = vector_of(m, e, old), state = new_state(m, old);

	say_why(m, e, old);
	apmu_machine__switch_mode(m, state);
	uc_reg_write(m->uc, UC_ARM_REG_SPSR, &old);
	set_elr(m, (uint32_t)e->pc + (call ? e->size : 0));
	m->thumb = state & CPSR_T;
	apmu_machine__pc_set(m, to);
	return to;
}

#define SCR_NS    1u
#define SCR_HCE   (1u << 8)
#define STATE_HYP (0x40000000u | CPSR_A | CPSR_I | CPSR_F | MODE_HYP)

/* Starts as QEMU's virt board with virtualization=on: Non-secure, HVC permitted. */
void apmu_machine__start_hyp(struct apmu_machine *m)
{
	m->scr = SCR_NS | SCR_HCE;
	apmu_machine__cp_set(m, 0, 1, 1, 0, m->scr);
	apmu_machine__switch_mode(m, STATE_HYP);
	m->mode.security = APMU_NONSECURE;
}
