/* SPDX-License-Identifier: MIT */
/* Short descriptors: Armv5 with XScale's extensions, Armv6, Armv7. */
#include "board/walk_internal.h"

#define TTBCR_PD0 0x10u
#define TTBCR_PD1 0x20u

#define SECTION_S_AT  16
#define PAGE_S_AT     10
#define SECTION_NG_AT 17
#define PAGE_NG_AT    11
#define PRRR_NS0_AT   18
#define PRRR_NS1_AT   19

#define KIB(n)       ((uint64_t)(n) << 10)
#define SECTION      KIB(1024)
#define SUPERSECTION KIB(16384)
#define LARGE        KIB(64)
#define SMALL        KIB(4)
#define TINY         KIB(1)

#define IS_SUPERSECTION 0x40000u
#define SECTION_XN      0x10u
#define SECTION_PXN     0x1u
#define TABLE_PXN       0x4u
#define LARGE_XN        0x8000u
#define SMALL_XN        0x1u

enum first { FIRST_FAULT, FIRST_COARSE, FIRST_SECTION, FIRST_FINE_OR_PXN };
enum second { SECOND_FAULT, SECOND_LARGE, SECOND_SMALL, SECOND_SMALL_OTHER };

struct walk {
	const struct apmu_board__walk_a32 *regs;
	const struct apmu_board__memory *physical;
	uint32_t address;
	struct apmu_board__walk_how how;
	unsigned domain;
	bool pxn; /* by the table's descriptor */
};

static struct apmu_board__walked fault(const struct walk *w, enum apmu_board__fault why, unsigned level)
{
	return apmu_board__walk_fault(why, level, w->domain);
}

/* True for tables with Armv5's subpages: also those of Armv6 with SCTLR.XP clear. */
static bool is_old(const struct apmu_board__walk_a32 *regs)
{
	return regs->tables == APMU_BOARD__TABLES_V5 ||
	       (regs->tables == APMU_BOARD__TABLES_V6 && !(regs->sctlr & APMU_BOARD__SCTLR_XP));
}

static bool read_word(const struct walk *w, uint64_t at, uint32_t *word)
{
	return w->physical->read(w->physical->ctx, at, word, sizeof(*word));
}

/* Finds the address of the first-level descriptor; false: TTBCR forbids the walk (PD0, PD1). */
static bool first_at(const struct walk *w, uint32_t *at)
{
	const struct apmu_board__walk_a32 *regs = w->regs;
	unsigned n = regs->tables == APMU_BOARD__TABLES_V5 ? 0 : regs->ttbcr & 7;
	bool upper = n && apmu_base__get(w->address, 31, 32 - n) != 0;
	uint32_t base = (uint32_t)(upper ? regs->ttbr1 : regs->ttbr0);

	if (regs->tables != APMU_BOARD__TABLES_V5 && regs->ttbcr & (upper ? TTBCR_PD1 : TTBCR_PD0))
		return false;
	if (upper)
		n = 0;
	*at = (base & ~(uint32_t)apmu_base__ones(14 - n)) | (uint32_t)apmu_base__get(w->address, 31 - n, 20)
								    << 2;
	return true;
}

/* Rights by AP without AP[2]; for 00, SCTLR.S and R decide (DDI0100I table B4-1). */
static struct apmu_board__may old_rights(const struct walk *w, unsigned ap)
{
	bool privileged = w->how.privileged;
	bool system = w->regs->sctlr & APMU_BOARD__SCTLR_S && privileged,
	     rom = w->regs->sctlr & APMU_BOARD__SCTLR_R;

	switch (ap) {
	case 0: return (struct apmu_board__may){system || rom, false};
	case 1: return (struct apmu_board__may){privileged, privileged};
	case 2: return (struct apmu_board__may){true, privileged};
	default: return (struct apmu_board__may){true, true};
	}
}

/* Rights by AP[2:0] (DDI0406C table B3-8), or by AP[2:1] with SCTLR.AFE (B3-9), when AP[0] is the access
 * flag. */
static struct apmu_board__may new_rights(const struct walk *w, unsigned ap, bool privileged)
{
	if (w->regs->sctlr & APMU_BOARD__SCTLR_AFE)
		ap |= 1;
	switch (ap) {
	case 1: return (struct apmu_board__may){privileged, privileged};
	case 2: return (struct apmu_board__may){true, privileged};
	case 3: return (struct apmu_board__may){true, true};
	case 5: return (struct apmu_board__may){privileged, false};
	case 6:
	case 7: return (struct apmu_board__may){true, false};
	default: return (struct apmu_board__may){false, false};
	}
}

/* A fetch needs the right to read, and no XN. */
static bool allows(const struct walk *w, struct apmu_board__may may, bool xn)
{
	switch ((enum apmu_board__walk_kind)w->how.kind) {
	case APMU_BOARD__WALK_READ: return may.read;
	case APMU_BOARD__WALK_WRITE: return may.write;
	case APMU_BOARD__WALK_FETCH: return may.read && !xn;
	}
	return false;
}

/* XScale's X is bit 0 of TEX: 0b001 with C chooses the mini data cache (XSCALE 3.2.2). */
static uint8_t memory_v5(unsigned tex, unsigned cb)
{
	if (tex & 1)
		return cb == 2 ? APMU_MEMORY_MINI : cb == 3 ? APMU_MEMORY_CACHED : APMU_MEMORY_UNCACHED;
	return cb >= 2 ? APMU_MEMORY_CACHED : cb ? APMU_MEMORY_UNCACHED : APMU_MEMORY_ORDERED;
}

static uint8_t memory_tex(unsigned tex, unsigned cb)
{
	if (tex & 4)
		return cb ? APMU_MEMORY_CACHED : APMU_MEMORY_UNCACHED;
	switch (tex << 2 | cb) {
	case 0: return APMU_MEMORY_ORDERED;
	case 1:
	case 8: return APMU_MEMORY_DEVICE;
	case 4: return APMU_MEMORY_UNCACHED;
	default: return APMU_MEMORY_CACHED;
	}
}

/* With TEX 0b1xx, C and B are the inner policy, of which 0b10 is Write-Through; so is 0b10 with TEX 0. */
void apmu_board__walk_type(struct apmu_board__walked *walked, unsigned tex, unsigned cb, bool s)
{
	walked->memory = memory_tex(tex, cb);
	walked->shareable = s;
	walked->through = cb == 2 && (tex == 0 || tex & 4);
}

/* With SCTLR.TRE: PRRR says the type and whether S, 0 or 1, is shareable, NMRR the inner policy (DDI0406C
 * B3.8.3). */
static void remapped(const struct apmu_board__walk_a32 *regs, struct apmu_board__walked *leaf, unsigned n,
		     bool s)
{
	unsigned policy = regs->nmrr >> 2 * n & 3;

	switch (regs->prrr >> 2 * n & 3) {
	case 0: leaf->memory = APMU_MEMORY_ORDERED; break;
	case 1: leaf->memory = APMU_MEMORY_DEVICE; break;
	default: leaf->memory = policy ? APMU_MEMORY_CACHED : APMU_MEMORY_UNCACHED; break;
	}
	leaf->shareable = regs->prrr >> (s ? PRRR_NS1_AT : PRRR_NS0_AT) & 1;
	leaf->through = policy == 2;
}

/* Adds memory type and attributes to a leaf. TEX is from bit `tex` on; C and B are bits 3 and 2. */
static struct apmu_board__walked typed(const struct walk *w, uint32_t word, unsigned tex,
				       struct apmu_board__walked leaf)
{
	unsigned high = word >> tex & 7, cb = word >> 2 & 3;
	bool s = !is_old(w->regs) && word >> (leaf.level == 1 ? SECTION_S_AT : PAGE_S_AT) & 1;

	leaf.local = !is_old(w->regs) && word >> (leaf.level == 1 ? SECTION_NG_AT : PAGE_NG_AT) & 1;
	if (w->regs->tables == APMU_BOARD__TABLES_V5)
		leaf.memory = memory_v5(high, cb);
	else if (w->regs->sctlr & APMU_BOARD__SCTLR_TRE)
		remapped(w->regs, &leaf, (high & 1) << 2 | cb, s);
	else
		apmu_board__walk_type(&leaf, high, cb, s);
	return leaf;
}

enum right { NO_ACCESS, CLIENT, RESERVED, MANAGER };

static enum right domain_right(const struct walk *w)
{
	return (enum right)(w->regs->dacr >> 2 * w->domain & 3);
}

static struct apmu_board__walked end_old(const struct walk *w, unsigned level, unsigned ap,
					 struct apmu_board__walked leaf)
{
	enum right right = domain_right(w);

	if (right == NO_ACCESS || right == RESERVED)
		return fault(w, APMU_BOARD__FAULT_DOMAIN, level);
	if (right == CLIENT && !allows(w, old_rights(w, ap), false))
		return fault(w, APMU_BOARD__FAULT_PERMISSION, level);
	return leaf;
}

/* True if SCTLR.WXN or UWXN makes the page XN (cores with the Virtualization Extensions; others keep the bits
 * 0). */
static bool write_implies_xn(const struct walk *w, unsigned ap)
{
	uint32_t sctlr = w->regs->tables == APMU_BOARD__TABLES_V7_LPAE ? w->regs->sctlr : 0;

	return (sctlr & APMU_BOARD__SCTLR_WXN && new_rights(w, ap, w->how.privileged).write) ||
	       (sctlr & APMU_BOARD__SCTLR_UWXN && w->how.privileged && new_rights(w, ap, false).write);
}

/* The manual's order: access flag, domain, permission (DDI0406C B3.12.3). */
static struct apmu_board__walked end_new(const struct walk *w, unsigned level, unsigned ap, bool xn,
					 struct apmu_board__walked leaf)
{
	enum right right = domain_right(w);
	struct apmu_board__may may = new_rights(w, ap, w->how.privileged);

	if (w->regs->tables == APMU_BOARD__TABLES_V6 && ap == 0)
		may = old_rights(w, ap); /* S and R are still there */
	if (w->regs->sctlr & APMU_BOARD__SCTLR_AFE && !(ap & 1))
		return fault(w, APMU_BOARD__FAULT_ACCESS_FLAG, level);
	if (right == NO_ACCESS || right == RESERVED)
		return fault(w, APMU_BOARD__FAULT_DOMAIN, level);
	if (right == CLIENT && !allows(w, may, xn || write_implies_xn(w, ap)))
		return fault(w, APMU_BOARD__FAULT_PERMISSION, level);
	return leaf;
}

/* AP[2:0], of which AP[2] stands apart from AP[1:0]. */
static unsigned joined(uint32_t word, unsigned ap2, unsigned ap)
{
	return (unsigned)(apmu_base__get(word, ap2, ap2) << 2 | apmu_base__get(word, ap + 1, ap));
}

/* PA[35:32] and PA[39:36] of a supersection are in bits 23:20 and 8:5, and it has no domain but 0. */
static uint64_t super_base(uint32_t word)
{
	return (word & 0xFF000000u) | apmu_base__get(word, 23, 20) << 32 | apmu_base__get(word, 8, 5) << 36;
}

static struct apmu_board__walked section(struct walk *w, uint32_t word)
{
	uint64_t base = word & 0xFFF00000u, size = SECTION;

	if (word & IS_SUPERSECTION) {
		base = super_base(word);
		size = SUPERSECTION;
		w->domain = 0;
	}
	struct apmu_board__walked leaf =
		typed(w, word, 12, apmu_board__walk_leaf(1, w->domain, base, w->address, size));
	if (is_old(w->regs))
		return end_old(w, 1, word >> 10 & 3, leaf);
	return end_new(w, 1, joined(word, 15, 10),
		       word & SECTION_XN || (word & SECTION_PXN && w->how.privileged), leaf);
}

/* Large and small pages of four subpages, each with its AP; the extended small page has one AP. */
static struct apmu_board__walked old_page(const struct walk *w, uint32_t word)
{
	unsigned quarter;

	switch ((enum second)(word & 3)) {
	case SECOND_LARGE:
		quarter = w->address >> 14 & 3;
		return end_old(w, 2, word >> (4 + 2 * quarter) & 3,
			       typed(w, word, 12,
				     apmu_board__walk_leaf(2, w->domain, (word & 0xFFFF0000u) | quarter << 14,
							   w->address, LARGE / 4)));
	case SECOND_SMALL:
		quarter = w->address >> 10 & 3;
		return end_old(w, 2, word >> (4 + 2 * quarter) & 3,
			       typed(w, word & ~0xFC0u, 6,
				     apmu_board__walk_leaf(2, w->domain, (word & 0xFFFFF000u) | quarter << 10,
							   w->address, SMALL / 4)));
	case SECOND_SMALL_OTHER:
		return end_old(
			w, 2, word >> 4 & 3,
			typed(w, word, 6, apmu_board__walk_leaf(2, w->domain, word, w->address, SMALL)));
	default: return fault(w, APMU_BOARD__FAULT_TRANSLATION, 2);
	}
}

static struct apmu_board__walked new_page(const struct walk *w, uint32_t word)
{
	unsigned ap = joined(word, 9, 4);
	bool pxn = w->pxn && w->how.privileged;

	switch ((enum second)(word & 3)) {
	case SECOND_LARGE:
		return end_new(
			w, 2, ap, pxn || word & LARGE_XN,
			typed(w, word, 12, apmu_board__walk_leaf(2, w->domain, word, w->address, LARGE)));
	case SECOND_SMALL:
	case SECOND_SMALL_OTHER:
		return end_new(
			w, 2, ap, pxn || word & SMALL_XN,
			typed(w, word, 6, apmu_board__walk_leaf(2, w->domain, word, w->address, SMALL)));
	default: return fault(w, APMU_BOARD__FAULT_TRANSLATION, 2);
	}
}

static struct apmu_board__walked coarse(const struct walk *w, uint32_t word)
{
	uint32_t at = (word & 0xFFFFFC00u) | (w->address >> 12 & 0xFF) << 2, second;

	if (!read_word(w, at, &second))
		return fault(w, APMU_BOARD__FAULT_WALK, 2);
	return is_old(w->regs) ? old_page(w, second) : new_page(w, second);
}

/* A fine table has an entry for each 1 KiB; its fourth kind is the tiny page. */
static struct apmu_board__walked fine(const struct walk *w, uint32_t word)
{
	uint32_t at = (word & 0xFFFFF000u) | (w->address >> 10 & 0x3FF) << 2, second;

	if (!read_word(w, at, &second))
		return fault(w, APMU_BOARD__FAULT_WALK, 2);
	if ((second & 3) != SECOND_SMALL_OTHER)
		return old_page(w, second);
	return end_old(
		w, 2, second >> 4 & 3,
		typed(w, second & ~0xFC0u, 6, apmu_board__walk_leaf(2, w->domain, second, w->address, TINY)));
}

struct apmu_board__walked apmu_board__walk_short(const struct apmu_board__walk_a32 *regs,
						 const struct apmu_board__memory *physical, uint32_t address,
						 struct apmu_board__walk_how how)
{
	struct walk w = {.regs = regs, .physical = physical, .address = address, .how = how};
	uint32_t at, word;

	if (!first_at(&w, &at))
		return fault(&w, APMU_BOARD__FAULT_TRANSLATION, 1);
	if (!read_word(&w, at, &word))
		return fault(&w, APMU_BOARD__FAULT_WALK, 1);
	w.domain = word >> 5 & 0xF;
	switch ((enum first)(word & 3)) {
	case FIRST_FAULT: break;
	case FIRST_COARSE:
		w.pxn = regs->tables == APMU_BOARD__TABLES_V7_LPAE && word & TABLE_PXN;
		return coarse(&w, word);
	case FIRST_SECTION: return section(&w, word);
	case FIRST_FINE_OR_PXN:
		if (regs->tables == APMU_BOARD__TABLES_V5)
			return fine(&w, word);
		if (regs->tables == APMU_BOARD__TABLES_V7_LPAE)
			return section(&w, word);
		break;
	}
	w.domain = 0;
	return fault(&w, APMU_BOARD__FAULT_TRANSLATION, 1);
}
