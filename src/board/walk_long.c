/* SPDX-License-Identifier: MIT */
/* Long descriptors: LPAE, AArch64 and stage 2 are one walk with different beginnings and rights. */
#include "board/walk_internal.h"

#define DESCRIPTOR_VALID 1u
#define DESCRIPTOR_TABLE 2u /* at the last level: page */
#define AP_EL0           0x40u
#define AP_READ_ONLY     0x80u
#define ACCESS_FLAG      0x400u
#define NG_AT            11
#define PXN_AT           53
#define XN_AT            54
#define TABLE_PXN_AT     59
#define TABLE_XN_AT      60
#define TABLE_AP_EL0_AT  61
#define TABLE_AP_RO_AT   62
#define LAST_LEVEL       3u
#define S2AP_READ        0x40u
#define S2AP_WRITE       0x80u

#define TTBCR_EPD(upper) ((upper) ? 0x800000u : 0x80u)

/* A walk, set up: where it begins and how wide its steps are. */
struct walk {
	const struct apmu_board__memory *physical;
	struct apmu_board__walk_how how;
	uint64_t address, table, mair;
	unsigned input;   /* bits of address that the tables translate */
	unsigned page;    /* log2 of the granule: 12, 14, 16 */
	unsigned output;  /* bits of physical address; an address beyond: address size fault */
	unsigned level;   /* the first level of the walk */
	unsigned largest; /* the first level that may hold a block */
	bool aarch64, wxn, uwxn, stage2;
	bool no_el0, read_only, xn, pxn; /* what tables on the way have forbidden */
};

static struct apmu_board__walked fault(enum apmu_board__fault why, unsigned level)
{
	return apmu_board__walk_fault(why, level, 0);
}

/* Lowest bit of the address that a level's index holds. */
static unsigned low_bit(const struct walk *w, unsigned level)
{
	return w->page + (LAST_LEVEL - level) * (w->page - 3);
}

/* The first level of a walk with as few levels as the input needs. */
static unsigned start_level(unsigned input, unsigned page)
{
	unsigned stride = page - 3, levels = (input - page + stride - 1) / stride;

	return LAST_LEVEL + 1 - (levels ? levels : 1);
}

static struct apmu_board__may rights(const struct walk *w, uint64_t descriptor, bool privileged)
{
	bool reach = privileged || (descriptor & AP_EL0 && !w->no_el0);

	return (struct apmu_board__may){reach, reach && !(descriptor & AP_READ_ONLY) && !w->read_only};
}

/* True if the access may execute. AArch32: what cannot be read is not executed (DDI0406C B3.7.2). AArch64:
 * EL0 may have execute-only pages; what EL0 may write, EL1 does not execute (DDI0487 D8.4). */
static bool executes(const struct walk *w, uint64_t descriptor)
{
	struct apmu_board__may may = rights(w, descriptor, w->how.privileged);
	bool el0_writes = rights(w, descriptor, false).write;
	bool xn = w->xn || apmu_base__is_set(descriptor, XN_AT),
	     pxn = w->pxn || apmu_base__is_set(descriptor, PXN_AT);

	if (w->wxn && may.write)
		return false;
	if (w->how.single)
		return !xn;
	if (w->aarch64)
		return w->how.privileged ? !pxn && !el0_writes : !xn;
	if (!may.read || xn)
		return false;
	return !w->how.privileged || !(pxn || (w->uwxn && el0_writes));
}

/* S2AP and XN; AArch32 executes nothing that it may not read. DDI0487 D8.4. */
static bool stage2_allows(const struct walk *w, uint64_t descriptor)
{
	bool read = descriptor & S2AP_READ;

	if (w->how.kind == APMU_BOARD__WALK_FETCH)
		return !apmu_base__is_set(descriptor, XN_AT) && (read || w->aarch64);
	return w->how.kind == APMU_BOARD__WALK_WRITE ? (descriptor & S2AP_WRITE) != 0 : read;
}

static bool allows(const struct walk *w, uint64_t descriptor)
{
	struct apmu_board__may may = rights(w, descriptor, w->how.privileged);

	if (w->stage2)
		return stage2_allows(w, descriptor);
	if (w->how.kind == APMU_BOARD__WALK_FETCH)
		return executes(w, descriptor);
	if (w->how.pan && w->how.privileged && rights(w, descriptor, false).read)
		return false;
	return w->how.kind == APMU_BOARD__WALK_WRITE ? may.write : may.read;
}

/* Memory type by MemAttr of stage 2. DDI0487 D8.6.5. */
static uint8_t memory_of_stage2(uint64_t descriptor)
{
	unsigned attributes = (unsigned)apmu_base__get(descriptor, 5, 2);

	if (attributes == 0)
		return APMU_MEMORY_ORDERED;
	if (attributes < 4)
		return APMU_MEMORY_DEVICE;
	return (attributes & 3) < 2 ? APMU_MEMORY_UNCACHED : APMU_MEMORY_CACHED;
}

static struct apmu_board__walked leaf(const struct walk *w, uint64_t descriptor, unsigned level)
{
	uint64_t size = apmu_base__bit(low_bit(w, level));
	uint64_t base = apmu_base__get(descriptor, 47, w->page) << w->page;

	if (base >> w->output != 0)
		return fault(APMU_BOARD__FAULT_ADDRESS_SIZE, level);
	if (!(descriptor & ACCESS_FLAG))
		return fault(APMU_BOARD__FAULT_ACCESS_FLAG, level);
	if (!allows(w, descriptor))
		return fault(APMU_BOARD__FAULT_PERMISSION, level);
	struct apmu_board__walked walked = apmu_board__walk_leaf(level, 0, base, w->address, size);
	if (w->stage2) {
		walked.memory = memory_of_stage2(descriptor);
		return walked;
	}
	unsigned attributes = (unsigned)(w->mair >> 8 * apmu_base__get(descriptor, 4, 2) & 0xFF);

	walked.memory = apmu_board__mair_memory(attributes);
	walked.through = apmu_board__mair_through(attributes);
	walked.local = !w->how.single && apmu_base__is_set(descriptor, NG_AT);
	return walked;
}

static void forbid(struct walk *w, uint64_t descriptor)
{
	if (w->stage2)
		return;
	w->no_el0 |= apmu_base__is_set(descriptor, TABLE_AP_EL0_AT);
	w->read_only |= apmu_base__is_set(descriptor, TABLE_AP_RO_AT);
	w->xn |= apmu_base__is_set(descriptor, TABLE_XN_AT);
	w->pxn |= apmu_base__is_set(descriptor, TABLE_PXN_AT);
}

static struct apmu_board__walked walk(struct walk *w)
{
	unsigned top = w->input - 1;

	if (w->table >> w->output != 0)
		return fault(APMU_BOARD__FAULT_ADDRESS_SIZE, 0);
	for (unsigned level = w->level; level <= LAST_LEVEL; level++) {
		unsigned low = low_bit(w, level);
		uint64_t descriptor,
			at = w->table + apmu_base__get(w->address, top, low) * sizeof(descriptor);

		if (!w->physical->read(w->physical->ctx, at, &descriptor, sizeof(descriptor)))
			return fault(APMU_BOARD__FAULT_WALK, level);
		bool more = descriptor & DESCRIPTOR_TABLE;
		if (!(descriptor & DESCRIPTOR_VALID) ||
		    (!more && (level < w->largest || level == LAST_LEVEL)))
			return fault(APMU_BOARD__FAULT_TRANSLATION, level);
		if (!more || level == LAST_LEVEL)
			return leaf(w, descriptor, level);
		forbid(w, descriptor);
		w->table = apmu_base__get(descriptor, 47, w->page) << w->page;
		if (w->table >> w->output != 0)
			return fault(APMU_BOARD__FAULT_ADDRESS_SIZE, level);
		top = low - 1;
	}
	return fault(APMU_BOARD__FAULT_TRANSLATION, LAST_LEVEL);
}

/* Finds the first table, or the first of up to sixteen adjacent ones of stage 2: its address is aligned to
 * the size of all their entries (at least 64 bytes in AArch64). */
static void begin(struct walk *w, uint64_t ttbr)
{
	unsigned size = w->input - low_bit(w, w->level) + 3, least = w->aarch64 ? 6 : 3;

	size = size < least ? least : size;
	w->table = apmu_base__get(ttbr, 47, size) << size;
}

/* LPAE: TTBCR.T0SZ and T1SZ divide the 4 GiB; an address in neither part faults (DDI0406C B3.6.4). */
struct apmu_board__walked apmu_board__walk_lpae(const struct apmu_board__walk_a32 *regs,
						const struct apmu_board__memory *physical, uint32_t address,
						struct apmu_board__walk_how how)
{
	unsigned t0 = regs->ttbcr & 7, t1 = regs->ttbcr >> 16 & 7;
	bool low = t0 == 0 || address >> (32 - t0) == 0;
	bool high = t1 ? address >> (32 - t1) == apmu_base__ones(t1) : t0 && !low;
	struct walk w = {
		.physical = physical,
		.how = how,
		.address = address,
		.input = 32 - (high ? t1 : t0),
		.page = 12,
		.output = 40,
		.mair = regs->prrr | (uint64_t)regs->nmrr << 32,
		.largest = 1,
		.wxn = regs->sctlr & APMU_BOARD__SCTLR_WXN,
		.uwxn = regs->sctlr & APMU_BOARD__SCTLR_UWXN,
	};

	if ((!low && !high) || regs->ttbcr & TTBCR_EPD(high))
		return fault(APMU_BOARD__FAULT_TRANSLATION, 1);
	w.level = start_level(w.input, w.page);
	begin(&w, apmu_base__get(high ? regs->ttbr1 : regs->ttbr0, 39, 0));
	return walk(&w);
}

/* log2 of the granule by TG0 or by TG1, which are coded differently; reserved values are taken as 4 KiB. */
static unsigned granule(uint64_t tcr, bool upper)
{
	static const uint8_t tg0[] = {12, 16, 14, 12}, tg1[] = {12, 14, 12, 16};

	return upper ? tg1[apmu_base__get(tcr, 31, 30)] : tg0[apmu_base__get(tcr, 15, 14)];
}

/* Bits of input address by TxSZ; a value out of range is taken as the nearest one in range. */
static unsigned input_bits(uint64_t tcr, bool upper)
{
	unsigned size = (unsigned)(upper ? apmu_base__get(tcr, 21, 16) : apmu_base__get(tcr, 5, 0));

	size = size < 16 ? 16 : size > 39 ? 39 : size;
	return 64 - size;
}

static const uint8_t ips[] = {32, 36, 40, 42, 44, 48, 48, 48};

struct apmu_board__walked apmu_board__walk_a64(const struct apmu_board__walk_a64 *regs,
					       const struct apmu_board__memory *physical, uint64_t address,
					       struct apmu_board__walk_how how)
{
	bool upper = apmu_base__is_set(address, 55);
	bool ignore_top = apmu_base__is_set(regs->tcr, upper ? 38 : 37),
	     off = apmu_base__is_set(regs->tcr, upper ? 23 : 7);
	struct walk w = {
		.physical = physical,
		.how = how,
		.address = address,
		.input = input_bits(regs->tcr, upper),
		.page = granule(regs->tcr, upper),
		.output = ips[apmu_base__get(regs->tcr, 34, 32)],
		.mair = regs->mair,
		.aarch64 = true,
		.wxn = regs->sctlr & APMU_BOARD__SCTLR_WXN,
	};
	unsigned top = ignore_top ? 55 : 63;

	if (!(regs->sctlr & APMU_BOARD__SCTLR_M))
		return apmu_board__walk_flat(ignore_top ? apmu_base__get(address, 55, 0) : address);
	if (off || apmu_base__get(address, top, w.input) != (upper ? apmu_base__ones(top - w.input + 1) : 0))
		return fault(APMU_BOARD__FAULT_TRANSLATION, 0);
	w.largest = w.page == 12 ? 1 : 2;
	w.level = start_level(w.input, w.page);
	begin(&w, upper ? regs->ttbr1 : regs->ttbr0);
	return walk(&w);
}

/* Sets the first level by VTCR_EL2.SL0 and the granule; false if SL0 is invalid. Its value 2 needs a physical
 * address size of the core. DDI0487 D8.2.9, AArch64.S2InvalidSL() and S2InconsistentSL(): the first level has
 * at most sixteen tables, and at least one bit of index. */
static bool stage2_begins(struct walk *w, unsigned sl0, unsigned physical_bits)
{
	unsigned stride = w->page - 3, least = w->page == 14 ? 42 : 44;

	if (sl0 > (w->aarch64 ? 2 : 1) || (sl0 == 2 && physical_bits < least))
		return false;
	w->level = (w->page == 12 ? 2 : 3) - sl0;
	unsigned low = low_bit(w, w->level);
	return w->input > low && w->input <= low + stride + 4;
}

/* Bits of input address of stage 2. VTCR of AArch32 has a signed T0SZ. DDI0406C B4.1.174. */
static unsigned stage2_input(const struct apmu_board__walk_stage2 *regs)
{
	unsigned t0sz = (unsigned)(regs->vtcr & 15);

	if (!regs->aarch32)
		return input_bits(regs->vtcr, false);
	return t0sz & 8 ? 48 - t0sz : 32 - t0sz;
}

struct apmu_board__walked apmu_board__walk_stage2(const struct apmu_board__walk_stage2 *regs,
						  const struct apmu_board__memory *physical, uint64_t address,
						  struct apmu_board__walk_how how)
{
	struct walk w = {
		.physical = physical,
		.how = how,
		.address = address,
		.input = stage2_input(regs),
		.page = regs->aarch32 ? 12 : granule(regs->vtcr, false),
		.output = regs->aarch32 ? 40 : ips[apmu_base__get(regs->vtcr, 18, 16)],
		.aarch64 = !regs->aarch32,
		.stage2 = true,
	};
	struct apmu_board__walked walked = fault(APMU_BOARD__FAULT_TRANSLATION, 0);

	w.largest = w.page == 12 ? 1 : 2;
	if (stage2_begins(&w, (unsigned)apmu_base__get(regs->vtcr, 7, 6), regs->physical_bits) &&
	    address >> w.input == 0) {
		begin(&w, regs->vttbr);
		walked = walk(&w);
	}
	if (walked.fault) {
		walked.stage2 = true;
		walked.physical = address;
	}
	return walked;
}
