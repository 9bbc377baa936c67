/* SPDX-License-Identifier: MIT */
/**
 * A small emulator around Unicorn, with an ARM1176 PMU in it.
 *
 * Unicorn executes, this file counts: one instruction is one cycle. The guest (the words below; the comments
 * beside them are its source) lets a counter overflow every 100 instructions and takes the interrupt.
 * docs/embedding.md explains the place of each call; `apmu run` is a complete emulator of this kind.
 */
#include <apmu/model.h>
#include <unicorn/unicorn.h>

#include <stdio.h>

#define END 0x40

/* clang-format off */
static uint32_t ram[1024] = {
	0xEA000005,                                     /* 00      b start */
	[6] = 0xEA000009,                               /* 18      b handler (IRQ vector) */
	0xE3E00063, 0xEE0F0F5C,                         /* 1c start: r0 = -100 -> PMN0 */
	0xE59F102C, 0xEE0F1F1C,                         /* 24      r1 = 0x00700011 -> PMNC: INSTR_EXEC, EC0, E */
	0xE321F013,                                     /* 2c      msr cpsr_c, #0x13: interrupts on */
	0xE2844001, 0xE3540FFA, 0x1AFFFFFC,             /* 30 loop: r4++, 1000 times */
	0xEE1F5F5C, 0xEAFFFFFE,                         /* 3c      r5 = PMN0; 40: b . */
	0xE2866001, 0xEE0F0F5C, 0xE3817C01, 0xEE0F7F1C, /* 44 handler: r6++, PMN0 = -100, PMNC = r1 | its flag */
	0xE25EF004, 0x00700011,                         /* 54      subs pc, lr, #4 */
};
/* clang-format on */

struct host {
	uc_engine *uc;
	struct apmu_tally tally; /* totals of the events so far */
	struct apmu pmu;         /* counts from the tally */
};

static uint32_t get(struct host *h, int reg)
{
	uint32_t value = 0;

	uc_reg_read(h->uc, reg, &value);
	return value;
}

static void put(struct host *h, int reg, uint32_t value)
{
	uc_reg_write(h->uc, reg, &value);
}

/* Takes an IRQ before the instruction at `pc`: changing the mode selects the banked LR and SPSR. */
static void take_irq(struct host *h, uint32_t pc)
{
	uint32_t cpsr = get(h, UC_ARM_REG_CPSR);

	put(h, UC_ARM_REG_CPSR, (cpsr & ~0x1Fu) | 0x192);
	put(h, UC_ARM_REG_SPSR, cpsr);
	put(h, UC_ARM_REG_LR, pc + 4);
	put(h, UC_ARM_REG_PC, 0x18);
	apmu_enter(&h->pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
}

/* Executes MRC/MCR p15, 0, Rt, c15, c12, n (always executed) on the model instead of Unicorn. True if the
 * instruction is one. */
static bool pmu_access(struct host *h, uint32_t pc, uint32_t word)
{
	unsigned rt = word >> 12 & 15, op2 = word >> 5 & 7;
	struct apmu_access at = {
		APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, op2), {.el = 1, .security = APMU_SECURE}};
	enum apmu_outcome outcome;
	uint64_t value = 0;

	if ((word & 0xFFEF0F1F) != 0xEE0F0F1C)
		return false;
	if (word & 1u << 20) {
		outcome = apmu_read_now(&h->pmu, at, &value);
		put(h, UC_ARM_REG_R0 + (int)rt, (uint32_t)value);
	} else {
		outcome = apmu_write(&h->pmu, at, get(h, UC_ARM_REG_R0 + (int)rt));
	}
	if (outcome != APMU_DONE)
		uc_emu_stop(h->uc); /* an emulator takes the Undefined Instruction exception here */
	put(h, UC_ARM_REG_PC, pc + 4);
	return true;
}

/* Called before each instruction: takes the interrupt of an overflow that the previous instruction caused,
 * then counts this one. */
static void on_instruction(uc_engine *uc, uint64_t address, uint32_t size, void *ctx)
{
	struct host *h = ctx;

	(void)uc, (void)size;
	if (apmu_line_up(&h->pmu, APMU_LINE_IRQ) && !(get(h, UC_ARM_REG_CPSR) & 0x80)) {
		take_irq(h, (uint32_t)address);
		return;
	}
	h->tally.n[APMU_SIG_INST]++;
	h->tally.n[APMU_SIG_CYCLES]++;
	if (!pmu_access(h, (uint32_t)address, ram[address / 4 % 1024]))
		apmu_advance(&h->pmu); /* or less often: see apmu_until_overflow() */
}

int main(void)
{
	static struct host h;
	uc_hook hook;

	if (uc_open(UC_ARCH_ARM, UC_MODE_ARM, &h.uc) || uc_ctl_set_cpu_model(h.uc, UC_CPU_ARM_1176) ||
	    uc_mem_map_ptr(h.uc, 0, sizeof ram, UC_PROT_ALL, ram) ||
	    uc_hook_add(h.uc, &hook, UC_HOOK_CODE, (void *)on_instruction, &h, (uint64_t)1, (uint64_t)0))
		return 1;
	apmu_init(&h.pmu, apmu_core_find("arm1176"), &h.tally, (struct apmu_lines){0});
	apmu_enter(&h.pmu, (struct apmu_mode){.el = 1, .security = APMU_SECURE});
	uc_err error = uc_emu_start(h.uc, 0, END, 0, 0);
	printf("%s: loop ran %u times, %u interrupts, PMN0 = 0x%08X\n", uc_strerror(error),
	       (unsigned)get(&h, UC_ARM_REG_R4), (unsigned)get(&h, UC_ARM_REG_R6),
	       (unsigned)get(&h, UC_ARM_REG_R5));
	uc_close(h.uc);
	return error != UC_ERR_OK;
}
