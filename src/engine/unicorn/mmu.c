/* SPDX-License-Identifier: MIT */
/* What is behind a virtual address: the guest's tables, walked with the guest's registers. */
#include "inside.h"

#define SCTLR_EL1 (3u << 16 | 1 << 8)
#define TTBR0_EL1 (3u << 16 | 2 << 8)
#define TTBR1_EL1 (3u << 16 | 2 << 8 | 1)
#define TCR_EL1   (3u << 16 | 2 << 8 | 2)
#define STATE_PAN (1u << 22)

bool apmu__mmu_on(const struct apmu_machine *m)
{
	if (!m->model->mmu)
		return false;
	return (m->model->a64 ? apmu__sys(m, SCTLR_EL1) : apmu__cp(m, 0, 1, 0, 0)) & 1;
}

/* 64 bits where the CPU has LPAE, else 32. libunicorn 2.1 says "done" of a register that is not there. */
static uint64_t table_base(const struct apmu_machine *m, unsigned which)
{
	uc_arm_cp_reg reg = {.cp = 15, .is64 = 1, .crm = 2, .opc1 = which};

	if (m->model->lpae && uc_reg_read(m->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK)
		return reg.val;
	return apmu__cp(m, 0, 2, 0, which);
}

void apmu__walk_regs(const struct apmu_machine *m, struct apmu__walk_a32 *regs)
{
	*regs = (struct apmu__walk_a32){
		.sctlr = (uint32_t)apmu__cp(m, 0, 1, 0, 0),
		.ttbcr = m->model->version >= 6 ? (uint32_t)apmu__cp(m, 0, 2, 0, 2) : 0,
		.dacr = (uint32_t)apmu__cp(m, 0, 3, 0, 0),
		.fcseidr = (uint32_t)apmu__cp(m, 0, 13, 0, 0),
		.ttbr0 = table_base(m, 0),
		.ttbr1 = m->model->version >= 6 ? table_base(m, 1) : 0,
		.tables = m->model->version >= 7   ? APMU__TABLES_V7
			  : m->model->version == 6 ? APMU__TABLES_V6
						   : APMU__TABLES_V5,
	};
}

struct apmu__walked apmu__walk(const struct apmu_machine *m, uint64_t address, enum apmu__walk_kind kind)
{
	struct apmu__memory memory = apmu__physical((struct apmu_machine *)(uintptr_t)m);
	struct apmu__walk_how how = {
		.kind = (uint8_t)kind, .privileged = m->mode.el != 0, .pan = m->state & STATE_PAN};
	struct apmu__walk_a32 regs;

	if (!apmu__mmu_on(m))
		return (struct apmu__walked){.flat = true, .physical = address, .size = 0x1000};
	if (m->model->a64) {
		struct apmu__walk_a64 wide = {apmu__sys(m, SCTLR_EL1), apmu__sys(m, TCR_EL1),
					      apmu__sys(m, TTBR0_EL1), apmu__sys(m, TTBR1_EL1)};

		how.pan = how.pan && how.privileged;
		return apmu__walk_a64(&wide, &memory, address, how);
	}
	how.pan = false;
	apmu__walk_regs(m, &regs);
	return apmu__walk_a32(&regs, &memory, (uint32_t)address, how);
}

bool apmu__physical_of(const struct apmu_machine *m, uint64_t address, uint64_t *physical)
{
	struct apmu__walked walked = apmu__walk(m, address, APMU__WALK_READ);

	if (walked.fault == APMU__FAULT_PERMISSION) /* execute-only, or a debugger's look */
		walked = apmu__walk(m, address, APMU__WALK_FETCH);
	*physical = walked.physical;
	return walked.fault == APMU__FAULT_NONE;
}
