/* SPDX-License-Identifier: MIT */
/* Translates virtual addresses by a walk of the guest's tables with the guest's registers. */
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"
#include "machine/views.h"

/* Registers of EL1; op1 4 makes them EL2's, op1 6 EL3's. */
#define SCTLR     (3u << 16 | 1 << 8)
#define TTBR0     (3u << 16 | 2 << 8)
#define TTBR1     (3u << 16 | 2 << 8 | 1)
#define TCR       (3u << 16 | 2 << 8 | 2)
#define MAIR      (3u << 16 | 10 << 8 | 2 << 4)
#define TCR_EPD1  ((uint64_t)1 << 23)
#define TTBCR_EAE 0x80000000u
#define HTCR_T0SZ 7u
#define HCR_VM    ((uint64_t)1 << 0)
#define HCR_PTW   ((uint64_t)1 << 2)
#define HCR_DC    ((uint64_t)1 << 12)
#define HCR_TGE   ((uint64_t)1 << 27)
#define HCR_CD    ((uint64_t)1 << 32)
#define HCR_ID    ((uint64_t)1 << 33)
#define HCR_E2H   ((uint64_t)1 << 34)
#define HCR_EL2   (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4)
#define VTTBR_EL2 (3u << 16 | 4u << 12 | 2 << 8 | 1 << 4)
#define VTCR_EL2  (3u << 16 | 4u << 12 | 2 << 8 | 1 << 4 | 2)
#define MMFR0     (3u << 16 | 7 << 4) /* ID_AA64MMFR0_EL1 */
#define STATE_PAN (1u << 22)

/* EL0 and EL1 use EL1's tables, other levels their own. A host at EL2 translates for its EL0. */
unsigned apmu_machine__regime(const struct apmu_machine *m)
{
	uint64_t host = HCR_TGE | HCR_E2H;

	if (m->mode.el == 3)
		return 6;
	return m->mode.el == 2 || (m->mode.el == 0 && (m->hcr & host) == host) ? 4 : 0;
}

static uint32_t regime(const struct apmu_machine *m)
{
	return apmu_machine__regime(m) << 12;
}

/* Turns TCR_EL2 or TCR_EL3, which have one range and their fields elsewhere, into what TCR_EL1 would hold. */
static uint64_t one_range(uint64_t tcr)
{
	return (tcr & 0xFFFF) | (tcr >> 16 & 7) << 32 | (tcr >> 20 & 1) << 37 | TCR_EPD1;
}

static bool stage2(const struct apmu_machine *m)
{
	return apmu_machine__stage2(m, m->mode.el);
}

/* True if stage 1 translates. HCR_EL2.DC switches it off for EL1 and EL0, TGE for EL0 without a host. */
static bool stage1(const struct apmu_machine *m)
{
	bool no_el1 =
		m->model->a64 && apmu_machine__regime(m) == 0 && apmu_machine__el2_on(m) && m->hcr & HCR_TGE;

	return (apmu_machine__control(m) & 1) && !(stage2(m) && m->hcr & HCR_DC) && !no_el1;
}

/* 64 bits if the CPU has LPAE, else 32. The model decides, since libunicorn 2.1 reports success for a
 * register that is not there. */
#define TTBR_HYP    4u
#define TTBR_STAGE2 6u
uint64_t apmu_machine__table_base(const struct apmu_machine *m, unsigned which)
{
	uc_arm_cp_reg reg = {.cp = 15, .is64 = 1, .sec = apmu_machine__bank(m), .crm = 2, .opc1 = which};

	if (m->model->lpae && uc_reg_read(m->uc, UC_ARM_REG_CP_REG, &reg) == UC_ERR_OK)
		return reg.val;
	return apmu_machine__cp(m, 0, 2, 0, which);
}

static struct apmu_board__walk_stage2 stage2_regs(const struct apmu_machine *m)
{
	static const uint8_t range[] = {32, 36, 40, 42, 44, 48, 52, 56};
	struct apmu_board__walk_stage2 regs = {
		.protects_walk = m->hcr & HCR_PTW,
		.default_cacheable = m->hcr & HCR_DC,
		.uncached_data = m->hcr & HCR_CD,
		.uncached_code = m->hcr & HCR_ID,
	};

	regs.aarch32 = !m->model->a64;
	regs.vttbr =
		regs.aarch32 ? apmu_machine__table_base(m, TTBR_STAGE2) : apmu_machine__sys(m, VTTBR_EL2);
	regs.vtcr = regs.aarch32 ? apmu_machine__cp(m, 4, 2, 1, 2) : apmu_machine__sys(m, VTCR_EL2);
	regs.physical_bits = regs.aarch32 ? 40 : range[apmu_machine__sys(m, MMFR0) & 7];
	return regs;
}

static struct apmu_board__walked walk64(const struct apmu_machine *m, const struct apmu_board__memory *memory,
					uint64_t address, struct apmu_board__walk_how how)
{
	uint32_t own = regime(m);
	struct apmu_board__walk_a64 regs = {
		stage1(m) ? apmu_machine__sys(m, SCTLR | own) : 0, apmu_machine__sys(m, TCR | own),
		apmu_machine__sys(m, TTBR0 | own), 0, apmu_machine__sys(m, MAIR | own)};

	how.single = own && !(own == 4u << 12 && m->hcr & HCR_E2H);
	if (how.single)
		regs.tcr = one_range(regs.tcr);
	else
		regs.ttbr1 = apmu_machine__sys(m, TTBR1 | own);
	how.pan = how.pan && how.privileged && !how.single;
	if (stage2(m)) {
		struct apmu_board__walk_stage2 two = stage2_regs(m);

		return apmu_board__walk_both((struct apmu_board__walk_stage1){.a64 = &regs}, &two, memory,
					     address, how);
	}
	return apmu_board__walk_a64(&regs, memory, address, how);
}

/* AArch32: SCTLR; HSCTLR in Hyp mode. HCR.TGE switches translation off below Hyp mode. */
static uint32_t control32(const struct apmu_machine *m)
{
	if (m->mode.el == 2)
		return (uint32_t)apmu_machine__cp(m, 4, 1, 0, 0);
	return (uint32_t)apmu_machine__cp(m, 0, 1, 0, 0) &
	       ~(apmu_machine__el2_on(m) && m->hcr & HCR_TGE ? 1u : 0);
}

uint64_t apmu_machine__control(const struct apmu_machine *m)
{
	return m->model->a64 ? apmu_machine__sys(m, SCTLR | regime(m)) : control32(m);
}

/* Sets SCTLR of the emulator alone, for a moment between two instructions. */
void apmu_machine__control_set(struct apmu_machine *m, uint64_t control)
{
	if (m->model->a64)
		apmu_machine__sys_set(m, SCTLR | regime(m), control);
	else
		apmu_machine__cp_set(m, m->mode.el == 2 ? 4 : 0, 1, 0, 0, control);
}

/* Sets HCR_EL2 or HCR of the emulator. */
void apmu_machine__hcr_set(struct apmu_machine *m, uint64_t hcr)
{
	if (m->model->a64)
		apmu_machine__sys_set(m, HCR_EL2, hcr);
	else
		apmu_machine__cp_set(m, 4, 1, 1, 0, (uint32_t)hcr);
}

/* Switches off both stages. SCTLR is written last, here and when they are switched on again, because that
 * empties the emulator's TLB. */
void apmu_machine__flatten(struct apmu_machine *m, struct apmu_machine__untranslated *was)
{
	*was = (struct apmu_machine__untranslated){.el = m->mode.el,
						   .stage1 = apmu_machine__control(m) & 1,
						   .stage2 = stage2(m),
						   .control = apmu_machine__control(m)};
	if (was->stage2)
		apmu_machine__hcr_set(m, m->hcr & ~(HCR_VM | HCR_DC));
	if (was->stage1 || was->stage2)
		apmu_machine__control_set(m, was->control & ~(uint64_t)1);
}

void apmu_machine__translate_again(struct apmu_machine *m, const struct apmu_machine__untranslated *was)
{
	uint8_t el = m->mode.el;

	if (was->stage2)
		apmu_machine__hcr_set(m, m->hcr);
	m->mode.el = was->el;
	if (was->stage1 || was->stage2)
		apmu_machine__control_set(m, was->control);
	m->mode.el = el;
}

bool apmu_machine__mmu_on(const struct apmu_machine *m)
{
	return m->model->mmu && (stage1(m) || stage2(m));
}

/* Registers of Hyp mode: HTTBR and HTCR, long descriptors, one range. */
static void hyp_regs(const struct apmu_machine *m, struct apmu_board__walk_a32 *regs)
{
	*regs = (struct apmu_board__walk_a32){
		.sctlr = control32(m),
		.ttbcr = TTBCR_EAE | ((uint32_t)apmu_machine__cp(m, 4, 2, 0, 2) & HTCR_T0SZ),
		.ttbr0 = apmu_machine__table_base(m, TTBR_HYP),
		.prrr = (uint32_t)apmu_machine__cp(m, 4, 10, 2, 0),
		.nmrr = (uint32_t)apmu_machine__cp(m, 4, 10, 2, 1),
		.tables = APMU_BOARD__TABLES_V7_LPAE,
	};
}

void apmu_machine__walk_regs(const struct apmu_machine *m, struct apmu_board__walk_a32 *regs)
{
	if (m->mode.el == 2) {
		hyp_regs(m, regs);
		return;
	}
	*regs = (struct apmu_board__walk_a32){
		.sctlr = control32(m),
		.ttbcr = m->model->version >= 6 ? (uint32_t)apmu_machine__cp(m, 0, 2, 0, 2) : 0,
		.dacr = (uint32_t)apmu_machine__cp(m, 0, 3, 0, 0),
		.fcseidr = (uint32_t)apmu_machine__cp(m, 0, 13, 0, 0),
		.ttbr0 = apmu_machine__table_base(m, 0),
		.ttbr1 = m->model->version >= 6 ? apmu_machine__table_base(m, 1) : 0,
		.prrr = m->model->version >= 7 ? (uint32_t)apmu_machine__cp(m, 0, 10, 2, 0) : 0,
		.nmrr = m->model->version >= 7 ? (uint32_t)apmu_machine__cp(m, 0, 10, 2, 1) : 0,
		.tables = m->model->lpae           ? APMU_BOARD__TABLES_V7_LPAE
			  : m->model->version >= 7 ? APMU_BOARD__TABLES_V7
			  : m->model->version == 6 ? APMU_BOARD__TABLES_V6
						   : APMU_BOARD__TABLES_V5,
	};
}

struct apmu_board__walked apmu_machine__walk_with(const struct apmu_machine *m, uint64_t address,
						  enum apmu_board__walk_kind kind, bool privileged)
{
	struct apmu_board__memory memory = apmu_machine__physical((struct apmu_machine *)(uintptr_t)m);
	struct apmu_board__walk_how how = {
		.kind = (uint8_t)kind, .privileged = privileged, .pan = m->state & STATE_PAN};
	struct apmu_board__walk_a32 regs;

	if (!apmu_machine__mmu_on(m))
		return (struct apmu_board__walked){.flat = true, .physical = address, .size = 0x1000};
	if (m->model->a64)
		return walk64(m, &memory, address, how);
	how.pan = false;
	how.single = m->mode.el == 2;
	apmu_machine__walk_regs(m, &regs);
	if (stage2(m)) {
		struct apmu_board__walk_stage2 two = stage2_regs(m);

		if (!stage1(m))
			regs.sctlr &= ~1u;
		return apmu_board__walk_both((struct apmu_board__walk_stage1){.a32 = &regs}, &two, &memory,
					     address, how);
	}
	return apmu_board__walk_a32(&regs, &memory, (uint32_t)address, how);
}

struct apmu_board__walked apmu_machine__walk(const struct apmu_machine *m, uint64_t address,
					     enum apmu_board__walk_kind kind)
{
	return apmu_machine__walk_with(m, address, kind, m->mode.el != 0);
}

struct apmu_board__walked apmu_machine__walk_any(const struct apmu_machine *m, uint64_t address)
{
	struct apmu_board__walked walked = apmu_machine__walk(m, address, APMU_BOARD__WALK_READ);

	if (walked.fault == APMU_BOARD__FAULT_PERMISSION) /* execute-only, or a debugger's look */
		walked = apmu_machine__walk(m, address, APMU_BOARD__WALK_FETCH);
	return walked;
}

bool apmu_machine__physical_of(const struct apmu_machine *m, uint64_t address, uint64_t *physical)
{
	struct apmu_board__walked walked = apmu_machine__walk_any(m, address);

	*physical = walked.physical;
	return walked.fault == APMU_BOARD__FAULT_NONE;
}
