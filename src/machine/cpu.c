/* SPDX-License-Identifier: MIT */
/* The guest's registers. */
#include "machine/aarch32_el0.h"
#include "machine/counting.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"
#include "machine/translation.h"

#define STATE_IL (1u << 20)

static int id_of(const struct apmu_machine *m, unsigned n)
{
	if (m->model->a64)
		return n == 30 ? UC_ARM64_REG_X30 : n == 29 ? UC_ARM64_REG_X29 : UC_ARM64_REG_X0 + (int)n;
	return n == 15   ? UC_ARM_REG_PC
	       : n == 14 ? UC_ARM_REG_LR
	       : n == 13 ? UC_ARM_REG_SP
			 : UC_ARM_REG_R0 + (int)n;
}

uint64_t apmu_machine__reg(const struct apmu_machine *m, unsigned n)
{
	uint64_t value = 0;

	if (m->aarch32)
		return apmu_machine__aarch32_reg(m, n);
	if (!m->model->a64 || n < 31)
		uc_reg_read(m->uc, id_of(m, n), &value);
	return m->model->a64 ? value : (uint32_t)value;
}

void apmu_machine__reg_set(struct apmu_machine *m, unsigned n, uint64_t value)
{
	if (m->aarch32)
		apmu_machine__aarch32_reg_set(m, n, (uint32_t)value);
	else if (!m->model->a64 || n < 31)
		uc_reg_write(m->uc, id_of(m, n), &value);
}

uint64_t apmu_machine__pc(const struct apmu_machine *m)
{
	uint64_t pc = 0;

	if (m->aarch32)
		return apmu_machine__aarch32_reg(m, 15);
	uc_reg_read(m->uc, m->model->a64 ? UC_ARM64_REG_PC : UC_ARM_REG_PC, &pc);
	return m->model->a64 ? pc : (uint32_t)pc;
}

/* Writes the PC; the emulator then also leaves the block that it is in. */
void apmu_machine__pc_set(struct apmu_machine *m, uint64_t pc)
{
	m->moved = true;
	m->after |= APMU_MACHINE__AFTER_MOVED;
	m->target = pc;
	if (m->aarch32) {
		apmu_machine__aarch32_pc_set(m, (uint32_t)pc);
		return;
	}
	if (m->model->a64) {
		uc_reg_write(m->uc, UC_ARM64_REG_PC, &pc);
		return;
	}
	uint32_t to = (uint32_t)pc | m->thumb;
	uc_reg_write(m->uc, UC_ARM_REG_PC, &to);
}

uint32_t apmu_machine__cpsr(const struct apmu_machine *m)
{
	uint32_t value = 0;

	if (m->aarch32)
		return apmu_machine__aarch32_cpsr(m);
	uc_reg_read(m->uc, m->model->a64 ? UC_ARM64_REG_PSTATE : UC_ARM_REG_CPSR, &value);
	return value;
}

void apmu_machine__cpsr_set(struct apmu_machine *m, uint32_t cpsr)
{
	if (m->aarch32)
		apmu_machine__aarch32_cpsr_set(m, cpsr);
	else
		uc_reg_write(m->uc, m->model->a64 ? UC_ARM64_REG_PSTATE : UC_ARM_REG_CPSR, &cpsr);
}

/* CP15's bank for the current Security state. Only a program that owns EL3 has two. */
uint32_t apmu_machine__bank(const struct apmu_machine *m)
{
	return m->highest_el == 3 && m->mode.security == APMU_SECURE;
}

static uc_arm_cp_reg cp_of(const struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm,
			   unsigned opc2)
{
	return (uc_arm_cp_reg){
		.cp = 15, .sec = apmu_machine__bank(m), .opc1 = opc1, .crn = crn, .crm = crm, .opc2 = opc2};
}

uint64_t apmu_machine__cp(const struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm,
			  unsigned opc2)
{
	uc_arm_cp_reg reg = cp_of(m, opc1, crn, crm, opc2);

	return uc_reg_read(m->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK ? reg.val : 0;
}

void apmu_machine__cp_set(struct apmu_machine *m, unsigned opc1, unsigned crn, unsigned crm, unsigned opc2,
			  uint64_t value)
{
	uc_arm_cp_reg reg = cp_of(m, opc1, crn, crm, opc2);

	reg.val = value;
	uc_reg_write(m->uc, UC_ARM_REG_CP_REG, &reg);
}

static uc_arm64_cp_reg sys_of(uint32_t e)
{
	return (uc_arm64_cp_reg){
		.op0 = e >> 16, .op1 = e >> 12 & 15, .crn = e >> 8 & 15, .crm = e >> 4 & 15, .op2 = e & 15};
}

uint64_t apmu_machine__sys(const struct apmu_machine *m, uint32_t encoding)
{
	uc_arm64_cp_reg reg = sys_of(encoding);

	return uc_reg_read(m->uc, UC_ARM64_REG_CP_REG, &reg) == UC_ERR_OK ? reg.val : 0;
}

void apmu_machine__sys_set(struct apmu_machine *m, uint32_t encoding, uint64_t value)
{
	uc_arm64_cp_reg reg = sys_of(encoding);

	reg.val = value;
	uc_reg_write(m->uc, UC_ARM64_REG_CP_REG, &reg);
}

static unsigned level_of(const struct apmu_machine *m, uint32_t state)
{
	if (m->model->a64)
		return state >> 2 & 3;
	switch (state & 0x1F) {
	case MODE_USR: return 0;
	case MODE_HYP: return 2;
	case MODE_MON: return 3;
	default: return 1;
	}
}

#define CPACR_EL1 (3u << 16 | 1 << 8 | 2)
#define CPTR_EL2  (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4 | 2)
#define CPTR_EL3  (3u << 16 | 6u << 12 | 1 << 8 | 1 << 4 | 2)
#define CPTR_TFP  ((uint64_t)1 << 10)
#define FPEN_AT   20

void apmu_machine__set_key(struct apmu_machine *m)
{
	m->map = m->maps << 2 | (m->mode.el >= 2 ? m->mode.el : apmu_machine__bank(m));
	m->key = (uint64_t)m->map << 16 | (uint64_t)(m->vector_to != 0) << 15 | (uint64_t)(m->isa + 1) << 8;
}

/* True if FPEN, a field of CPACR_EL1 and of a host's CPTR_EL2, traps: 0b11 traps nothing, 0b01 EL0 alone. */
static bool fpen_traps(uint64_t control, bool el0)
{
	unsigned fpen = control >> FPEN_AT & 3;

	return fpen == 1 ? el0 : fpen != 3;
}

/* Level to which floating point traps; 0: it does not. DDI0487, AArch64.CheckFPEnabled(). The emulator itself
 * never traps. */
static unsigned vector_level(const struct apmu_machine *m)
{
	bool on = apmu_machine__el2_on(m), el0 = m->mode.el == 0;
	bool host = on && apmu_machine__is_host(m), host_el0 = on && apmu_machine__has_host_el0(m);

	if (!m->model->a64)
		return 0;
	if (m->mode.el < 2 && !host_el0 && fpen_traps(apmu_machine__sys(m, CPACR_EL1), el0))
		return 1;
	if (host && fpen_traps(apmu_machine__sys(m, CPTR_EL2), el0 && host_el0))
		return 2;
	if (on && !host && apmu_machine__sys(m, CPTR_EL2) & CPTR_TFP)
		return 2;
	return m->highest_el == 3 && apmu_machine__sys(m, CPTR_EL3) & CPTR_TFP ? 3 : 0;
}

void apmu_machine__vector_look(struct apmu_machine *m)
{
	m->vector_to = (uint8_t)vector_level(m);
	apmu_machine__set_key(m);
}

void apmu_machine__state_is(struct apmu_machine *m, uint32_t state)
{
	unsigned el = level_of(m, state);
	uint8_t world = apmu_machine__world(m, el);

	if (m->counts_masked)
		apmu_machine__count_masked(m);
	m->state = state;
	m->illegal = m->model->a64 && (state & STATE_IL);
	m->thumb = (!m->model->a64 || m->aarch32) && (state & CPSR_T);
	m->isa = m->model->a64 && !m->aarch32 ? APMU_ISA__A64 : m->thumb ? APMU_ISA__T32 : APMU_ISA__A32;
	apmu_machine__set_key(m);
	if (el == m->mode.el && world == m->mode.security) {
		m->virtual_lines = apmu_machine__virtual_lines(m);
		return;
	}
	apmu_machine__sync(m, false);
	m->mode.el = (uint8_t)el;
	m->mode.security = world;
	m->virtual_lines = apmu_machine__virtual_lines(m);
	apmu_machine__vector_look(m);
	apmu_machine__controls_look(m);
	apmu_enter(&m->pmu, m->mode);
	apmu_machine__rewatch(m);
}

void apmu_machine__state_look(struct apmu_machine *m)
{
	apmu_machine__state_is(m, apmu_machine__cpsr(m));
}

/* Arm ARM, ConditionPassed(): conditions come in pairs; the odd one is the negation. */
bool apmu_machine__passes(const struct apmu_machine *m, unsigned cond)
{
	bool pass = true;

	if (cond >= 14)
		return true;
	uint32_t s = apmu_machine__cpsr(m);
	bool n = s >> 31 & 1, z = s >> 30 & 1, c = s >> 29 & 1, v = s >> 28 & 1;
	switch (cond >> 1) {
	case 0: pass = z; break;
	case 1: pass = c; break;
	case 2: pass = n; break;
	case 3: pass = v; break;
	case 4: pass = c && !z; break;
	case 5: pass = n == v; break;
	case 6: pass = n == v && !z; break;
	}
	return pass != (cond & 1);
}
