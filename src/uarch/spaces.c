/* SPDX-License-Identifier: MIT */
/* Entering an address space, and invalidating what TLBs hold of one. */
#include "uarch/spaces.h"

#include <stdlib.h>

/* Bit of a tag that marks a hidden entry. No page number has it, as pages are larger than a byte. */
#define HIDDEN ((uint64_t)1 << 63)

/* Bits that hide an entry of the main TLB, which is never dirty: DIRTY alone is neither found nor empty
 * (tagstore_packed.h). */
#define HIDES (APMU_UARCH__WORD_HELD | APMU_UARCH__WORD_DIRTY)

static struct apmu_uarch__owner *new_owners(size_t slots)
{
	return calloc(slots, sizeof(struct apmu_uarch__owner));
}

int apmu_uarch_spaces(struct apmu_uarch *u, apmu_local_fn *local, void *user)
{
	struct apmu_uarch__spaces *s = calloc(1, sizeof(*s));

	if (!s)
		return APMU_ENOMEM;
	u->spaces = s;
	*s = (struct apmu_uarch__spaces){.local = local, .user = user};
	s->itlb = new_owners(apmu_uarch__cache_slots(&u->itlb));
	s->dtlb = new_owners(apmu_uarch__cache_slots(&u->dtlb));
	s->walks = new_owners(apmu_uarch__cache_slots(&u->walks));
	s->tlb = new_owners((size_t)(u->tlb.set_mask + 1) << u->tlb.pitch);
	if (s->itlb && s->dtlb && s->walks && s->tlb)
		return APMU_OK;
	apmu_uarch__spaces_free(u);
	return APMU_ENOMEM;
}

void apmu_uarch__spaces_free(struct apmu_uarch *u)
{
	struct apmu_uarch__spaces *s = u->spaces;

	if (!s)
		return;
	free(s->itlb);
	free(s->dtlb);
	free(s->walks);
	free(s->tlb);
	free(s);
	u->spaces = NULL;
}

static struct apmu_uarch__owner *owners(struct apmu_uarch *u, const struct apmu_uarch__cache *c)
{
	struct apmu_uarch__spaces *s = u->spaces;

	return c == &u->itlb ? s->itlb : c == &u->dtlb ? s->dtlb : s->walks;
}

static struct apmu_uarch__owner owner_now(const struct apmu_uarch__spaces *s, uint64_t addr)
{
	return (struct apmu_uarch__owner){.space = s->now, .global = !s->local(s->user, addr)};
}

void apmu_uarch__own(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line)
{
	owners(u, c)[c->slot] = owner_now(u->spaces, line << c->shift);
}

void apmu_uarch__own_main(struct apmu_uarch *u, uint32_t slot, uint64_t page)
{
	u->spaces->tlb[slot] = owner_now(u->spaces, page << u->tlb.shift);
}

static bool sees(const struct apmu_space *now, const struct apmu_uarch__owner *o)
{
	return o->space.regime == now->regime && o->space.vmid == now->vmid &&
	       (o->global || o->space.asid == now->asid);
}

/* Replaces the tag of the line in `slot`, to hide the line or to show it again. */
static void retag(struct apmu_uarch__cache *c, uint32_t slot, uint64_t tag)
{
	uint64_t old = c->tag[slot];

	apmu_uarch__cache_forget(c, old);
	if (c->wide)
		apmu_uarch__wide_replace(c->wide, slot, old, tag);
	c->tag[slot] = tag;
}

static void show_cache(struct apmu_uarch *u, struct apmu_uarch__cache *c)
{
	const struct apmu_uarch__owner *o = owners(u, c);

	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(c); slot++) {
		uint64_t tag = c->tag[slot];

		if (tag != APMU_UARCH__NO_LINE && sees(&u->spaces->now, &o[slot]) == (tag >> 63))
			retag(c, slot, tag ^ HIDDEN);
	}
}

/* True if a way holds an entry, hidden or not. Words beyond the ways hold none. */
static bool is_held(const struct apmu_uarch__packed *s, size_t slot)
{
	return s->word[slot] != 0 && (slot & (((size_t)1 << s->pitch) - 1)) < s->ways;
}

static bool is_hidden(const struct apmu_uarch__packed *s, size_t slot)
{
	return (s->word[slot] & HIDES) == APMU_UARCH__WORD_DIRTY;
}

static size_t main_slots(const struct apmu_uarch *u)
{
	return u->p.tlb.entries ? (size_t)(u->tlb.set_mask + 1) << u->tlb.pitch : 0;
}

static void show_main(struct apmu_uarch *u)
{
	struct apmu_uarch__packed *s = &u->tlb;

	for (size_t slot = 0; slot < main_slots(u); slot++)
		if (is_held(s, slot) && sees(&u->spaces->now, &u->spaces->tlb[slot]) == is_hidden(s, slot))
			s->word[slot] ^= HIDES;
}

static void empty(struct apmu_uarch__cache *c)
{
	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(c); slot++)
		if (c->tag[slot] != APMU_UARCH__NO_LINE)
			apmu_uarch__cache_drop_slot(c, slot);
}

/* Empties the first levels of cores whose entries there do not record enough to know which to keep. */
static void empty_first(struct apmu_uarch *u, unsigned from)
{
	if (u->p.control.micro_tlb < from)
		return;
	empty(&u->itlb);
	empty(&u->dtlb);
}

#define BY_MAINTENANCE 1u
#define BY_ENTERING    2u

void apmu_uarch_enter_space(struct apmu_uarch *u, const struct apmu_space *space)
{
	struct apmu_space *now = &u->spaces->now;

	if (now->asid == space->asid && now->vmid == space->vmid && now->regime == space->regime)
		return;
	*now = *space;
	empty_first(u, BY_ENTERING);
	show_cache(u, &u->itlb);
	show_cache(u, &u->dtlb);
	show_cache(u, &u->walks);
	show_main(u);
	apmu_uarch__look_anew(u);
}

/* The address without its top byte, which the program may use as a tag. */
static uint64_t plain_address(uint64_t addr)
{
	return (uint64_t)((int64_t)(addr << 8) >> 8);
}

static bool matches(const struct apmu_unmap *what, const struct apmu_uarch__owner *o)
{
	if (o->space.regime != what->space.regime || (!what->any_vmid && o->space.vmid != what->space.vmid))
		return false;
	return what->any_asid || (o->global ? what->globals : o->space.asid == what->space.asid);
}

/* True if any of the 1 << shift bytes of `line` lies in the range. */
static bool covers(const struct apmu_unmap *what, uint64_t line, unsigned shift)
{
	uint64_t first = plain_address(line << shift), last = first + (((uint64_t)1 << shift) - 1);

	return (what->first == 0 && what->last == UINT64_MAX) || (first <= what->last && last >= what->first);
}

static void unmap_cache(struct apmu_uarch *u, struct apmu_uarch__cache *c, const struct apmu_unmap *what)
{
	const struct apmu_uarch__owner *o = owners(u, c);

	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(c); slot++) {
		uint64_t line = c->tag[slot] & ~HIDDEN;

		if (c->tag[slot] != APMU_UARCH__NO_LINE && matches(what, &o[slot]) &&
		    covers(what, line, c->shift))
			apmu_uarch__cache_drop_slot(c, slot);
	}
}

static void unmap_main(struct apmu_uarch *u, const struct apmu_unmap *what)
{
	struct apmu_uarch__packed *s = &u->tlb;

	for (size_t slot = 0; slot < main_slots(u); slot++)
		if (is_held(s, slot) && matches(what, &u->spaces->tlb[slot]) &&
		    covers(what, apmu_uarch__packed_line_in(s, slot), s->shift))
			apmu_uarch__packed_drop(s, (uint32_t)slot);
}

void apmu_uarch_unmap(struct apmu_uarch *u, const struct apmu_unmap *what)
{
	if (what->code)
		unmap_cache(u, &u->itlb, what);
	if (what->data)
		unmap_cache(u, &u->dtlb, what);
	if (!what->last_level)
		unmap_cache(u, &u->walks, what);
	unmap_main(u, what);
	empty_first(u, BY_MAINTENANCE);
	apmu_uarch__look_anew(u);
}
