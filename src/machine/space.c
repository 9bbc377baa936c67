/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: tells the event sources' TLBs which space is current, by the guest's table base registers,
 * and which entries the guest's TLB maintenance invalidates. DDI0406C B3.9, B3.10; DDI0487 D8.16, D8.17.
 */
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"

#define TTBR0      (3u << 16 | 2 << 8)
#define TTBR1      (3u << 16 | 2 << 8 | 1)
#define TCR        (3u << 16 | 2 << 8 | 2)
#define VTTBR_EL2  (3u << 16 | 4u << 12 | 2 << 8 | 1 << 4)
#define VTCR_EL2   (3u << 16 | 4u << 12 | 2 << 8 | 1 << 4 | 2)
#define TCR_A1     ((uint64_t)1 << 22) /* of TTBCR too */
#define TCR_AS     ((uint64_t)1 << 36)
#define VTCR_VS    ((uint64_t)1 << 19)
#define TTBCR_EAE  0x80000000u
#define HCR_TTLB   ((uint64_t)1 << 25)
#define HCR_TGE    ((uint64_t)1 << 27)
#define HCR_E2H    ((uint64_t)1 << 34)
#define SCR_NS     ((uint64_t)1 << 0)
#define FCSE_SHIFT 25 /* FCSEIDR's process number; addresses below 32 MiB are the process's own */

enum regime { OF_EL1, OF_EL2 = 4, OF_HOST = 5, OF_EL3 = 6 };

static bool is_host(const struct apmu_machine *m)
{
	return m->model->a64 && m->hcr & HCR_E2H;
}

/* Number of a regime in its Security state. AArch32's Monitor mode has the tables of Secure PL1. */
static uint8_t numbered(const struct apmu_machine *m, enum regime which)
{
	uint8_t world = which == OF_EL3                       ? APMU_SECURE
			: !m->model->a64 && m->mode.el == 3   ? APMU_SECURE
			: m->highest_el >= 2 && m->model->a64 ? apmu_machine__world(m, 1)
							      : m->mode.security;

	return (uint8_t)((unsigned)which << 4 | world);
}

static enum regime regime_now(const struct apmu_machine *m)
{
	unsigned own = apmu_machine__regime(m);

	if (!m->model->a64)
		return m->mode.el == 2 ? OF_EL2 : OF_EL1;
	return own == 4 && is_host(m) ? OF_HOST : (enum regime)own;
}

/* VMID of EL1 and EL0; 0 if EL2 is not enabled for them. */
static uint16_t vmid_now(const struct apmu_machine *m)
{
	bool el2 = (m->model->a64 || m->model->lpae) && m->highest_el >= 2 &&
		   m->core->features >> APMU_FEATURE_EL2 & 1 && m->scr & SCR_NS;
	uint64_t base;

	if (!el2)
		return 0;
	if (!m->model->a64)
		return (uint8_t)(apmu_machine__table_base(m, 6) >> 48);
	base = apmu_machine__sys(m, VTTBR_EL2);
	return (uint16_t)(base >> 48 & (apmu_machine__sys(m, VTCR_EL2) & VTCR_VS ? 0xFFFF : 0xFF));
}

/* Bits that an ASID has: sixteen with TCR_EL1.AS or TCR_EL2.AS, else eight. */
static uint16_t asid_mask(const struct apmu_machine *m, enum regime which)
{
	uint64_t tcr = apmu_machine__sys(m, TCR | (which == OF_HOST ? 4u << 12 : 0));

	return tcr & TCR_AS ? 0xFFFF : 0xFF;
}

static uint16_t asid64(const struct apmu_machine *m, enum regime which)
{
	uint32_t own = which == OF_HOST ? 4u << 12 : 0;
	uint64_t tcr = apmu_machine__sys(m, TCR | own);
	uint64_t base = apmu_machine__sys(m, (tcr & TCR_A1 ? TTBR1 : TTBR0) | own);

	return (uint16_t)(base >> 48 & asid_mask(m, which));
}

/* AArch32's ASID is in CONTEXTIDR; with long descriptors in TTBR0 or TTBR1; before Armv6 it is the FCSE's
 * process. */
static uint16_t asid32(const struct apmu_machine *m)
{
	uint32_t ttbcr;

	if (m->model->version < 6)
		return (uint16_t)(apmu_machine__cp(m, 0, 13, 0, 0) >> FCSE_SHIFT & 0x7F);
	ttbcr = (uint32_t)apmu_machine__cp(m, 0, 2, 0, 2);
	if (m->model->lpae && ttbcr & TTBCR_EAE)
		return (uint8_t)(apmu_machine__table_base(m, ttbcr & TCR_A1 ? 1 : 0) >> 48);
	return (uint8_t)apmu_machine__cp(m, 0, 13, 0, 1);
}

static struct apmu_space space_now(const struct apmu_machine *m)
{
	enum regime which = regime_now(m);
	struct apmu_space space = {.regime = numbered(m, which)};

	if (which == OF_EL1)
		space.vmid = vmid_now(m);
	if (which == OF_EL1 || which == OF_HOST)
		space.asid = m->model->a64 ? asid64(m, which) : asid32(m);
	return space;
}

void apmu_machine__space_look(struct apmu_machine *m)
{
	struct apmu_space space;

	if (m->process || !m->model->mmu || m->space_map == m->map + 1)
		return;
	space = space_now(m);
	apmu_uarch_enter_space(m->uarch, &space);
	m->space_map = m->map + 1;
}

/* True if the page is of the current ASID alone. No TLB takes in a page that the tables do not map. */
static bool is_local(void *user, uint64_t address)
{
	struct apmu_machine *m = user;
	const struct apmu_machine__page *p = apmu_machine__page(m, address);

	if (!m->translates)
		return false;
	if (m->model->version < 6)
		return address >> FCSE_SHIFT == 0;
	if (p->page != address / PAGE_BYTES || p->map != m->map)
		apmu_machine__memory_walked(m, address);
	return p->local;
}

int apmu_machine__spaces_init(struct apmu_machine *m)
{
	return apmu_uarch_spaces(m->uarch, is_local, m);
}

/* TLB maintenance, by opc2 of CRn 8. `from`: the first version of the architecture that has it. Opc1 4 has
 * two kinds of its own. */
struct row {
	uint8_t from;
	bool by_address, by_asid, last;
};
static const struct row row[8] = {
	{5, false, false, false},  {5, true, true, false}, {6, false, true, false},   {7, true, false, false},
	{99, false, false, false}, {8, true, true, true},  {99, false, false, false}, {8, true, false, true},
};
static const struct row hyp[8] = {
	{7, false, false, false},  {7, true, true, false},    {99, false, false, false},
	{99, false, false, false}, {7, false, false, false},  {8, true, true, true},
	{8, false, false, false},  {99, false, false, false},
};
#define ALL_EL1      4 /* opc2 with opc1 4: ALLE1, TLBIALLNSNH */
#define ALL_VMID_EL1 6 /* opc2 with opc1 4: VMALLS12E1 */

struct fields {
	unsigned opc1, crm, opc2;
};

static struct fields fields_of(const struct apmu_machine__code *c)
{
	uint32_t op = c->opcode;

	if (c->isa == APMU_ISA__A64)
		return (struct fields){op >> 16 & 7, op >> 8 & 15, op >> 5 & 7};
	return (struct fields){op >> 21 & 7, op & 15, op >> 5 & 7};
}

/* The row of an instruction; NULL: no TLB maintenance. CRm: 3 inner shareable, 1 outer shareable, 7 this
 * core; AArch32 also 5 instructions, 6 data. Maintenance by intermediate address (opc1 4, CRm 0 and 4)
 * concerns what TLBs know of stage 2 alone: no TLB here holds that. */
static const struct row *row_of(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct fields f = fields_of(c);
	bool a64 = c->isa == APMU_ISA__A64;
	const struct row *found = f.opc1 ? &hyp[f.opc2] : &row[f.opc2];
	unsigned version = a64 ? 8 : m->model->version;

	if (a64 ? (c->opcode >> 12 & 15) != 8 : (c->opcode >> 16 & 15) != 8 || (c->opcode >> 8 & 15) != 15)
		return NULL;
	if (f.opc1 != 0 && f.opc1 != 4 &&
	    !(f.opc1 == 6 && a64 && f.opc2 != ALL_EL1 && f.opc2 != ALL_VMID_EL1))
		return NULL;
	if (f.crm != 7 && f.crm != 3 && (a64 ? f.crm != 1 : f.opc1 || (f.crm != 5 && f.crm != 6)))
		return NULL;
	return version >= found->from && (f.crm != 3 || version >= 7) ? found : NULL;
}

bool apmu_machine__is_unmap(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	return m->model->mmu && (c->isa == APMU_ISA__A64 || !(c->opcode >> 20 & 1)) && row_of(m, c);
}

/* False if the instruction is undefined at this level, or trapped. */
static bool is_allowed(const struct apmu_machine *m, unsigned opc1)
{
	unsigned least = opc1 == 6 ? 3 : opc1 == 4 ? 2 : 1;

	if (m->mode.el == 1 && apmu_machine__el2_on(m) && m->hcr & HCR_TTLB)
		return false;
	return m->mode.el >= least;
}

static enum regime regime_of(const struct apmu_machine *m, struct fields f)
{
	uint64_t both = HCR_TGE | HCR_E2H;

	if (f.opc1 == 6)
		return OF_EL3;
	if (f.opc1 == 0 || f.opc2 == ALL_EL1 || f.opc2 == ALL_VMID_EL1)
		return m->mode.el == 2 && is_host(m) && f.opc1 == 0 && (m->hcr & both) == both ? OF_HOST
											       : OF_EL1;
	return is_host(m) ? OF_HOST : OF_EL2;
}

/* Limits the maintenance to the page of an address. Before Armv6 the address is that behind the FCSE: a
 * global page there is invalidated here, a page of a process's own is left to the caller. */
static void to_address(const struct apmu_machine *m, const struct apmu_machine__code *c, uint64_t value,
		       struct apmu_unmap *what)
{
	bool a64 = c->isa == APMU_ISA__A64;

	what->first = a64 ? (uint64_t)((int64_t)(value << 20) >> 8) : value & 0xFFFFF000u;
	what->last = what->first + (PAGE_BYTES - 1);
	if (m->model->version >= 6)
		return;
	what->space.asid = (uint16_t)(value >> FCSE_SHIFT & 0x7F);
	apmu_uarch_unmap(m->uarch, what);
	what->globals = false;
	what->first &= ((uint64_t)1 << FCSE_SHIFT) - 1;
	what->last = what->first + (PAGE_BYTES - 1);
}

/* Applies the maintenance to the event sources; the emulator executes the instruction. */
void apmu_machine__unmap(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	const struct row *by = row_of(m, c);
	struct fields f = fields_of(c);
	bool a64 = c->isa == APMU_ISA__A64;
	uint64_t value = apmu_machine__reg(m, a64 ? c->opcode & 31 : c->opcode >> 12 & 15);
	enum regime which = regime_of(m, f);
	struct apmu_unmap what = {
		.space = {.regime = numbered(m, which), .asid = (uint16_t)(a64 ? value >> 48 : value & 0xFF)},
		.any_vmid = f.opc1 && f.opc2 == ALL_EL1,
		.any_asid = !by->by_asid || which == OF_EL2 || which == OF_EL3,
		.globals = by->by_address,
		.last_level = by->last,
		.code = a64 || f.crm != 6,
		.data = a64 || f.crm != 5,
		.last = UINT64_MAX,
	};

	if (!is_allowed(m, f.opc1))
		return;
	if (which == OF_EL1)
		what.space.vmid = vmid_now(m);
	if (a64)
		what.space.asid &= asid_mask(m, which);
	if (by->by_address)
		to_address(m, c, value, &what);
	apmu_uarch_unmap(m->uarch, &what);
}
