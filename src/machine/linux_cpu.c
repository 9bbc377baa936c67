/* SPDX-License-Identifier: MIT */
/* Reads and writes a Linux program's registers for its signal handlers. The exception level never changes. */
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"

#define FPCR (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4)
#define FPSR (3u << 16 | 3u << 12 | 4 << 8 | 4 << 4 | 1)

#define VFP_SINCE 6 /* first version of the architecture whose models have VFP */

/* The n-th register from `first` on: the library takes register numbers as plain integers. */
static int nth(int first, unsigned n)
{
	return first + (int)n;
}

static void get64(const struct apmu_machine *m, struct apmu_linux__cpu *cpu)
{
	uc_reg_read(m->uc, UC_ARM64_REG_SP, &cpu->sp);
	cpu->fpcr = (uint32_t)apmu_machine__sys(m, FPCR);
	cpu->fpsr = (uint32_t)apmu_machine__sys(m, FPSR);
	for (unsigned i = 0; i < 32; i++)
		uc_reg_read(m->uc, nth(UC_ARM64_REG_Q0, i), cpu->vector[i]);
}

static void set64(struct apmu_machine *m, const struct apmu_linux__cpu *cpu)
{
	uc_reg_write(m->uc, UC_ARM64_REG_SP, &cpu->sp);
	apmu_machine__sys_set(m, FPCR, cpu->fpcr);
	apmu_machine__sys_set(m, FPSR, cpu->fpsr);
	for (unsigned i = 0; i < 32; i++)
		uc_reg_write(m->uc, nth(UC_ARM64_REG_Q0, i), cpu->vector[i]);
}

static void get32(const struct apmu_machine *m, struct apmu_linux__cpu *cpu)
{
	if (m->model->version < VFP_SINCE)
		return;
	uc_reg_read(m->uc, UC_ARM_REG_FPSCR, &cpu->fpsr);
	for (unsigned i = 0; i < 32; i++)
		uc_reg_read(m->uc, nth(UC_ARM_REG_D0, i), &cpu->vector[i][0]);
}

static void set32(struct apmu_machine *m, const struct apmu_linux__cpu *cpu)
{
	if (m->model->version < VFP_SINCE)
		return;
	uc_reg_write(m->uc, UC_ARM_REG_FPSCR, &cpu->fpsr);
	for (unsigned i = 0; i < 32; i++)
		uc_reg_write(m->uc, nth(UC_ARM_REG_D0, i), &cpu->vector[i][0]);
}

void apmu_machine__linux_get_cpu(void *ctx, struct apmu_linux__cpu *cpu)
{
	const struct apmu_machine *m = ctx;

	for (unsigned i = 0; i < (m->model->a64 ? 31 : 15); i++)
		cpu->r[i] = apmu_machine__reg(m, i);
	cpu->pc = m->target;
	cpu->state = apmu_machine__cpsr(m);
	if (m->model->a64)
		get64(m, cpu);
	else
		get32(m, cpu);
}

/* The program leaves an IT block for a handler, or goes on in one. */
static void move_it(struct apmu_machine *m, const struct apmu_linux__cpu *cpu)
{
	m->it_state = (uint8_t)apmu_machine__it_of(cpu->state);
	m->it_return = cpu->pc;
	m->it_left = 0;
	m->it_behind = 0;
	m->in_it = false;
	m->after |= APMU_MACHINE__AFTER_STATE;
}

void apmu_machine__linux_set_cpu(void *ctx, const struct apmu_linux__cpu *cpu)
{
	struct apmu_machine *m = ctx;

	for (unsigned i = 0; i < (m->model->a64 ? 31 : 15); i++)
		apmu_machine__reg_set(m, i, cpu->r[i]);
	if (m->model->a64)
		set64(m, cpu);
	else
		set32(m, cpu);
	apmu_machine__cpsr_set(m, cpu->state);
	apmu_machine__state_look(m);
	if (!m->model->a64)
		move_it(m, cpu);
	apmu_machine__pc_set(m, cpu->pc);
}
