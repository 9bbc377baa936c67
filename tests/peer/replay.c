/* SPDX-License-Identifier: MIT */
/* peer-replay CORE: the self-test on the model of a core, in the machine that QEMU's `virt` board is after
 * boot_*.S: Non-secure EL1, EL2 and EL3 below it all on AArch64 (Armv7: on AArch32), nothing trapped. No
 * event source runs: the self-test counts software increments alone. */
#include <apmu/model.h>

#include <stdio.h>
#include <stdlib.h>

#include "run.h"

#define SCR_NS        1u
#define SCR_RW        (1u << 10)
#define HCR_RW        (1ull << 31)
#define EVERY_AARCH32 0xF

static struct apmu pmu;
static struct apmu_tally tally;
static bool a32;

static const struct {
	uint32_t a64, cp;
} encoding[PEER_REGS] = {
#define REG(name, op0, op1, crn, crm, op2, p1, n, m, p2)                                        \
	[PEER_##name] = {(uint32_t)(op0) << 16 | (op1) << 12 | (crn) << 8 | (crm) << 4 | (op2), \
			 15u << 16 | (p1) << 12 | (n) << 8 | (m) << 4 | (p2)},
#include "registers.tbl"
#undef REG
};

static struct apmu_access access_of(enum peer_reg reg, bool user)
{
	return (struct apmu_access){
		.view = a32 ? APMU_VIEW_CP : APMU_VIEW_A64,
		.encoding = a32 ? encoding[reg].cp : encoding[reg].a64,
		.from = {.el = user ? 0 : 1, .security = APMU_NONSECURE},
	};
}

static enum peer_end end_of(enum apmu_outcome outcome)
{
	switch (outcome) {
	case APMU_DONE: return PEER_DONE;
	case APMU_UNDEFINED: return PEER_UNDEFINED;
	case APMU_TRAP_EL1: return PEER_TRAP_EL1;
	case APMU_TRAP_EL2: return PEER_TRAP_EL2;
	case APMU_TRAP_EL3: return PEER_TRAP_EL3;
	}
	return PEER_ELSEWHERE;
}

enum peer_end peer_read(enum peer_reg reg, bool user, uint64_t *value)
{
	struct apmu_access at = access_of(reg, user);
	enum apmu_outcome outcome;

	apmu_enter(&pmu, at.from);
	outcome = apmu_read_now(&pmu, at, value);
	apmu_enter(&pmu, access_of(reg, false).from);
	return end_of(outcome);
}

enum peer_end peer_write(enum peer_reg reg, bool user, uint64_t value)
{
	struct apmu_access at = access_of(reg, user);
	enum apmu_outcome outcome;

	apmu_enter(&pmu, at.from);
	outcome = apmu_write(&pmu, at, a32 ? (uint32_t)value : value);
	apmu_enter(&pmu, access_of(reg, false).from);
	return end_of(outcome);
}

void peer_hyp(uint64_t mdcr)
{
	struct apmu_access at = {
		.view = a32 ? APMU_VIEW_CP : APMU_VIEW_A64,
		.encoding = a32 ? apmu_cp(15, 4, 1, 1, 1) : apmu_sysreg(3, 4, 1, 1, 1),
		.from = {.el = 2, .security = APMU_NONSECURE},
	};

	if (apmu_write(&pmu, at, mdcr) != APMU_DONE)
		peer_put("hyp.refused\n");
}

bool peer_line(void)
{
	return apmu_line_up(&pmu, APMU_LINE_IRQ);
}

void peer_put(const char *text)
{
	fputs(text, stdout);
}

int main(int argc, char **argv)
{
	const struct apmu_core *core = argc == 2 ? apmu_core_find(argv[1]) : NULL;
	struct apmu_machine_state machine;

	if (!core) {
		fputs("usage: peer-replay CORE\n", stderr);
		return 2;
	}
	a32 = core->access_rule == APMU_ACCESS_V7;
	apmu_init(&pmu, core, &tally, (struct apmu_lines){0});
	apmu_machine_get(&pmu, &machine);
	machine.scr_el3 = a32 ? SCR_NS : SCR_NS | SCR_RW;
	machine.hcr_el2 = a32 ? 0 : HCR_RW;
	machine.aarch32 = a32 ? EVERY_AARCH32 : 0;
	apmu_machine_set(&pmu, &machine);
	apmu_enter(&pmu, (struct apmu_mode){.el = 1, .security = APMU_NONSECURE});
	peer_run();
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
