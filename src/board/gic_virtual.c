/* SPDX-License-Identifier: MIT */
/* Virtual interrupts of version 3: list registers and EL2's control of them (ICH_*, IHI0069 12.4), and the
 * CPU interface that a guest has instead of the physical one (ICV_*, 12.3). */
#include "board/gic_internal.h"

#define STATE_AT    62
#define PENDING     1u
#define ACTIVE      2u
#define HW          61
#define GROUP       60
#define PRIORITY_AT 48
#define PINTID_AT   32
#define WANTS_EOI   41 /* if HW is 0 */
#define LR_WRITTEN  0xF0FF1FFF0000FFFFu

#define HCR_EN       0x1u
#define HCR_UIE      0x2u
#define HCR_LRENPIE  0x4u
#define HCR_NPIE     0x8u
#define HCR_EIE(g)   (0x10u << 2 * (g))
#define HCR_DIE(g)   (0x20u << 2 * (g))
#define HCR_TC       0x400u
#define HCR_TALL(g)  (0x800u << (g))
#define HCR_TDIR     0x4000u
#define HCR_COUNT_AT 27
#define HCR_WRITTEN  0xF8005CFFu

#define MISR_EOI   0x1u
#define MISR_U     0x2u
#define MISR_LRENP 0x4u
#define MISR_NP    0x8u
#define MISR_E(g)  (0x10u << 2 * (g))
#define MISR_D(g)  (0x20u << 2 * (g))

#define VMCR_CBPR    0x10u
#define VMCR_EOIM    0x200u
#define VMCR_BPR1_AT 18
#define VMCR_BPR0_AT 21
#define VMCR_PMR_AT  24
#define VMCR_WRITTEN 0xFFFC021Bu /* VFIQEn is fixed */
#define VMCR_FIQEN   0x8u

/* ICH_VTR_EL2: as many list registers as most hosts of KVM have; 5 bits of priority, 16 of INTID; TDIR is
 * there, direct injection is not. */
#define VTR (4u << 29 | 4u << 26 | 1u << 21 | 1u << 20 | 1u << 19 | (APMU_BOARD__GIC_LISTS - 1))

#define ICV_CTLR_FIXED (4u << 8 | 1u << 15)
#define INTID_MASK     0xFFFFFFu
#define SPECIAL        1020u /* to 1023: no interrupts */
#define LPI            8192u
#define NONE           APMU_BOARD__GIC_LISTS

static unsigned state_of(uint64_t list)
{
	return (unsigned)(list >> STATE_AT);
}

static unsigned priority_of(uint64_t list)
{
	return (unsigned)(list >> PRIORITY_AT & APMU_BOARD__GIC_PRIORITY_MASK);
}

static unsigned group_of(uint64_t list)
{
	return (unsigned)(list >> GROUP & 1);
}

static bool has_ended(uint64_t list)
{
	return state_of(list) == 0 && !apmu_base__is_set(list, HW) && apmu_base__is_set(list, WANTS_EOI);
}

static uint32_t ended(const struct apmu_board__gic_virtual *v)
{
	uint32_t which = 0;

	for (unsigned i = 0; i < APMU_BOARD__GIC_LISTS; i++)
		which |= (uint32_t)has_ended(v->list[i]) << i;
	return which;
}

static uint32_t empty(const struct apmu_board__gic_virtual *v)
{
	uint32_t which = 0;

	for (unsigned i = 0; i < APMU_BOARD__GIC_LISTS; i++)
		which |= (uint32_t)(state_of(v->list[i]) == 0 && !has_ended(v->list[i])) << i;
	return which;
}

/* ICH_MISR_EL2: the causes of the maintenance interrupt. */
static uint32_t reasons(const struct apmu_board__gic_virtual *v)
{
	unsigned used = 0, pending = 0;
	uint32_t why = ended(v) ? MISR_EOI : 0;

	for (unsigned i = 0; i < APMU_BOARD__GIC_LISTS; i++) {
		used += state_of(v->list[i]) != 0;
		pending += state_of(v->list[i]) == PENDING;
	}
	why |= v->hcr & HCR_UIE && used <= 1 ? MISR_U : 0;
	why |= v->hcr & HCR_LRENPIE && v->hcr >> HCR_COUNT_AT ? MISR_LRENP : 0;
	why |= v->hcr & HCR_NPIE && !pending ? MISR_NP : 0;
	for (unsigned g = 0; g < 2; g++) {
		why |= v->hcr & HCR_EIE(g) && v->vmcr >> g & 1 ? MISR_E(g) : 0;
		why |= v->hcr & HCR_DIE(g) && !(v->vmcr >> g & 1) ? MISR_D(g) : 0;
	}
	return why;
}

bool apmu_board__gic_maintains(const struct apmu_board__gic *gic)
{
	return gic->virtual.hcr & HCR_EN && reasons(&gic->virtual);
}

/* The pending list register of the highest priority whose group is enabled, or NONE. */
static unsigned best(const struct apmu_board__gic_virtual *v)
{
	unsigned found = NONE, priority = APMU_BOARD__GIC_IDLE_PRIORITY;

	if (!(v->hcr & HCR_EN))
		return NONE;
	for (unsigned i = 0; i < APMU_BOARD__GIC_LISTS; i++) {
		uint64_t list = v->list[i];

		if (state_of(list) == PENDING && v->vmcr >> group_of(list) & 1 &&
		    priority_of(list) < priority) {
			found = i;
			priority = priority_of(list);
		}
	}
	return found;
}

static unsigned point(const struct apmu_board__gic_virtual *v, unsigned group)
{
	unsigned zero = v->vmcr >> VMCR_BPR0_AT & 7, one = v->vmcr >> VMCR_BPR1_AT & 7;

	if (group == 0)
		return zero;
	return v->vmcr & VMCR_CBPR ? (zero < 7 ? zero + 1 : 7) : one;
}

static uint32_t group_mask(const struct apmu_board__gic_virtual *v, unsigned group)
{
	unsigned bits = group == 0 ? point(v, 0) : v->vmcr & VMCR_CBPR ? point(v, 0) : point(v, 1) - 1u;

	return ~(uint32_t)apmu_base__ones(bits + 1) & 0xFF;
}

static unsigned running(const struct apmu_board__gic_virtual *v)
{
	uint32_t active = v->running[0] | v->running[1];

	return active ? apmu_base__lowest(active) << 3 : APMU_BOARD__GIC_IDLE_PRIORITY;
}

static bool preempts(const struct apmu_board__gic_virtual *v, unsigned i)
{
	if (i == NONE || priority_of(v->list[i]) >= v->vmcr >> VMCR_PMR_AT)
		return false;
	uint32_t mask = group_mask(v, group_of(v->list[i]));

	return running(v) == APMU_BOARD__GIC_IDLE_PRIORITY ||
	       (priority_of(v->list[i]) & mask) < (running(v) & mask);
}

uint32_t apmu_board__gic_virtual_lines(const struct apmu_board__gic *gic)
{
	const struct apmu_board__gic_virtual *v = &gic->virtual;
	unsigned i = best(v);

	return preempts(v, i) ? group_of(v->list[i]) ? 1 : 2 : 0;
}

static unsigned shown(const struct apmu_board__gic_virtual *v, unsigned i, unsigned group)
{
	return i != NONE && group_of(v->list[i]) == group ? (unsigned)(v->list[i] & INTID_MASK)
							  : APMU_BOARD__INTID_SPURIOUS;
}

static unsigned acknowledge(struct apmu_board__gic_virtual *v, unsigned group)
{
	unsigned i = best(v), intid = preempts(v, i) ? shown(v, i, group) : APMU_BOARD__INTID_SPURIOUS;

	if (intid == APMU_BOARD__INTID_SPURIOUS)
		return intid;
	v->running[group] |= (uint32_t)apmu_base__bit((priority_of(v->list[i]) & group_mask(v, group)) >> 3);
	v->list[i] = apmu_base__put(v->list[i], STATE_AT + 1, STATE_AT, ACTIVE);
	return intid;
}

/* Deactivates a virtual interrupt, and the physical interrupt that it stands for. EOIcount counts those that
 * no list register holds, without LPIs, which are never active. IHI0069, ICH_HCR_EL2. */
static void deactivate(struct apmu_board__gic *gic, uint64_t intid)
{
	struct apmu_board__gic_virtual *v = &gic->virtual;

	for (unsigned i = 0; i < APMU_BOARD__GIC_LISTS; i++) {
		uint64_t *list = &v->list[i];

		if (!(state_of(*list) & ACTIVE) || (*list & INTID_MASK) != intid)
			continue;
		*list &= ~apmu_base__bit(STATE_AT + 1);
		if (apmu_base__is_set(*list, HW))
			apmu_board__gic_deactivate(gic, (unsigned)(*list >> PINTID_AT & 0x1FFF));
		return;
	}
	if (intid < SPECIAL || (intid > APMU_BOARD__INTID_SPURIOUS && intid < LPI))
		v->hcr += 1u << HCR_COUNT_AT; /* EOIcount, which wraps at 32 */
}

/* Drops the running priority only if it is of this group; an EOI that clears no active priority is not
 * counted. */
static void end(struct apmu_board__gic *gic, unsigned group, uint64_t value)
{
	struct apmu_board__gic_virtual *v = &gic->virtual;
	uint64_t intid = value & INTID_MASK;
	unsigned now = running(v);

	if (intid >= SPECIAL && intid <= APMU_BOARD__INTID_SPURIOUS)
		return;
	if (now == APMU_BOARD__GIC_IDLE_PRIORITY || !apmu_base__is_set(v->running[group], now >> 3))
		return;
	v->running[group] &= v->running[group] - 1;
	if (!(v->vmcr & VMCR_EOIM))
		deactivate(gic, intid);
}

static uint64_t read_guest(struct apmu_board__gic_virtual *v, enum apmu_board__icc what, unsigned group)
{
	switch (what) {
	case APMU_BOARD__ICC_PMR: return v->vmcr >> VMCR_PMR_AT;
	case APMU_BOARD__ICC_IAR: return acknowledge(v, group);
	case APMU_BOARD__ICC_HPPIR: return shown(v, best(v), group);
	case APMU_BOARD__ICC_BPR: return point(v, group);
	case APMU_BOARD__ICC_APR: return v->running[group];
	case APMU_BOARD__ICC_RPR: return running(v);
	case APMU_BOARD__ICC_CTLR:
		return (v->vmcr & VMCR_CBPR ? APMU_BOARD__GIC_CTLR_CBPR_V3 : 0) |
		       (v->vmcr & VMCR_EOIM ? APMU_BOARD__GIC_CTLR_EOIMODE3 : 0) | ICV_CTLR_FIXED;
	case APMU_BOARD__ICC_IGRPEN: return v->vmcr >> group & 1;
	default: return 0;
	}
}

static void set_points(struct apmu_board__gic_virtual *v, unsigned zero, unsigned one)
{
	zero = zero < APMU_BOARD__GIC_BPR_LEAST ? APMU_BOARD__GIC_BPR_LEAST : zero;
	one = one < APMU_BOARD__GIC_BPR_LEAST + 1 ? APMU_BOARD__GIC_BPR_LEAST + 1 : one;
	v->vmcr = (uint32_t)apmu_base__put(v->vmcr, VMCR_BPR0_AT + 2, VMCR_BPR1_AT, zero << 3 | one);
}

static void set_vmcr(struct apmu_board__gic_virtual *v, uint32_t value)
{
	v->vmcr = (value & VMCR_WRITTEN &
		   ~((APMU_BOARD__GIC_IDLE_PRIORITY ^ APMU_BOARD__GIC_PRIORITY_MASK) << VMCR_PMR_AT)) |
		  VMCR_FIQEN;
	set_points(v, value >> VMCR_BPR0_AT & 7, value >> VMCR_BPR1_AT & 7);
}

void apmu_board__gic_virtual_reset(struct apmu_board__gic *gic)
{
	gic->virtual = (struct apmu_board__gic_virtual){0};
	set_vmcr(&gic->virtual, 0);
}

static void write_point(struct apmu_board__gic_virtual *v, unsigned group, uint64_t value)
{
	unsigned zero = v->vmcr >> VMCR_BPR0_AT & 7, one = v->vmcr >> VMCR_BPR1_AT & 7;

	if (group == 0)
		set_points(v, value & 7, one);
	else if (!(v->vmcr & VMCR_CBPR))
		set_points(v, zero, value & 7);
}

static void write_guest(struct apmu_board__gic *gic, enum apmu_board__icc what, unsigned group,
			uint64_t value)
{
	struct apmu_board__gic_virtual *v = &gic->virtual;

	switch (what) {
	case APMU_BOARD__ICC_PMR:
		v->vmcr = (uint32_t)apmu_base__put(v->vmcr, 31, VMCR_PMR_AT,
						   value & APMU_BOARD__GIC_PRIORITY_MASK);
		break;
	case APMU_BOARD__ICC_EOIR: end(gic, group, value); break;
	case APMU_BOARD__ICC_BPR: write_point(v, group, value); break;
	case APMU_BOARD__ICC_APR: v->running[group] = (uint32_t)value; break;
	case APMU_BOARD__ICC_DIR:
		if (v->vmcr & VMCR_EOIM)
			deactivate(gic, value & INTID_MASK);
		break;
	case APMU_BOARD__ICC_CTLR:
		v->vmcr &= ~(VMCR_CBPR | VMCR_EOIM);
		v->vmcr |= (value & APMU_BOARD__GIC_CTLR_CBPR_V3 ? VMCR_CBPR : 0) |
			   (value & APMU_BOARD__GIC_CTLR_EOIMODE3 ? VMCR_EOIM : 0);
		break;
	case APMU_BOARD__ICC_IGRPEN: v->vmcr = (uint32_t)apmu_base__with(v->vmcr, group, value & 1); break;
	default: break;
	}
}

/* True if a guest's access traps: by ICH_HCR_EL2, or because it is for an SGI, which is not virtual. */
static bool is_trapped(const struct apmu_board__gic_virtual *v, enum apmu_board__icc what, unsigned group)
{
	switch (what) {
	case APMU_BOARD__ICC_SGI:
	case APMU_BOARD__ICC_SGI_OTHER: return true;
	case APMU_BOARD__ICC_DIR: return v->hcr & (HCR_TC | HCR_TDIR);
	case APMU_BOARD__ICC_PMR:
	case APMU_BOARD__ICC_RPR:
	case APMU_BOARD__ICC_CTLR: return v->hcr & HCR_TC;
	case APMU_BOARD__ICC_SRE: return false;
	default: return v->hcr & HCR_TALL(group);
	}
}

enum apmu_board__answer apmu_board__gic_guest(struct apmu_board__gic *gic, enum apmu_board__icc what,
					      unsigned group, bool write, uint64_t *value)
{
	if (is_trapped(&gic->virtual, what, group))
		return APMU_BOARD__ANSWER_TRAP_EL2;
	if (write)
		write_guest(gic, what, group, *value);
	else
		*value = read_guest(&gic->virtual, what, group);
	return APMU_BOARD__ANSWER_DONE;
}

/* EL2's own registers, CRn 12 and opc1 4, by CRm and op2. */
enum ich { AP0R, AP1R, HCR = 11 << 3, VTR_AT, MISR, EISR, ELRSR = 11 << 3 | 5, VMCR = 11 << 3 | 7 };
#define CRM_AP0R 8u
#define CRM_AP1R 9u
#define CRM_LR   12u
#define CRM_LRC  14u /* AArch32: the upper words */

static uint32_t *priorities(struct apmu_board__gic_virtual *v, unsigned crm, unsigned op2)
{
	return op2 == 0 && (crm == CRM_AP0R || crm == CRM_AP1R) ? &v->running[crm - CRM_AP0R] : NULL;
}

static bool is_list(unsigned crm, bool aarch32, unsigned n)
{
	return crm >= CRM_LR && (aarch32 || crm < CRM_LRC) && n < APMU_BOARD__GIC_LISTS;
}

static uint64_t read_hyp(struct apmu_board__gic_virtual *v, unsigned crm, unsigned op2)
{
	switch (crm << 3 | op2) {
	case HCR: return v->hcr;
	case VTR_AT: return VTR;
	case MISR: return reasons(v);
	case EISR: return ended(v);
	case ELRSR: return empty(v);
	case VMCR: return v->vmcr;
	default: return 0;
	}
}

static void write_list(uint64_t *list, bool aarch32, unsigned crm, uint64_t value)
{
	if (aarch32 && crm >= CRM_LRC)
		value = value << 32 | (uint32_t)*list;
	else if (aarch32)
		value = (*list & ~apmu_base__ones(32)) | (uint32_t)value;
	*list = value & LR_WRITTEN &
		~((uint64_t)(APMU_BOARD__GIC_IDLE_PRIORITY ^ APMU_BOARD__GIC_PRIORITY_MASK) << PRIORITY_AT);
}

/* EL2's own registers, and ICC_SRE_EL3. Those that are not there (AP<n>R beyond 0, list registers beyond the
 * last) are undefined. */
enum apmu_board__answer apmu_board__gic_hyp(struct apmu_board__gic *gic, struct apmu_access at, bool write,
					    uint64_t *value)
{
	struct apmu_board__gic_virtual *v = &gic->virtual;
	unsigned crm = at.encoding >> 4 & 15, op2 = at.encoding & 15, key = crm << 3 | op2;
	unsigned n = (crm & 1) << 3 | op2;
	bool aarch32 = at.view == APMU_VIEW_CP,
	     fixed = key == VTR_AT || key == MISR || key == EISR || key == ELRSR;
	uint32_t *active = priorities(v, crm, op2);

	bool of_el3 = (at.encoding >> 12 & 15) == 6; /* ICC_SRE_EL3 has no neighbours */

	if (of_el3 || (crm == 9 && op2 == 5)) { /* ICC_SRE_ELn: always on, and lower levels may read theirs */
		*value = write ? *value : 0xF;
		return APMU_BOARD__ANSWER_DONE;
	}
	if (active && write)
		*active = (uint32_t)*value;
	else if (active)
		*value = *active;
	else if (is_list(crm, aarch32, n) && write)
		write_list(&v->list[n], aarch32, crm, *value);
	else if (is_list(crm, aarch32, n))
		*value = aarch32 ? (uint32_t)(v->list[n] >> (crm >= CRM_LRC ? 32 : 0)) : v->list[n];
	else if (crm != 11 || (!fixed && key != HCR && key != VMCR) || (fixed && write))
		return APMU_BOARD__ANSWER_UNDEFINED;
	else if (!write)
		*value = read_hyp(v, crm, op2);
	else if (key == HCR)
		v->hcr = (uint32_t)*value & HCR_WRITTEN;
	else
		set_vmcr(v, (uint32_t)*value);
	return APMU_BOARD__ANSWER_DONE;
}
