/* SPDX-License-Identifier: MIT */
/*
 * Groups of accesses (uarch/access_group.h): loads and stores of a block with no other access between them,
 * whose addresses differ by known constants (isa/follow.h), share one callback: that of the anchor, the
 * member for which QEMU calls least often. A group cannot tell which of its members faulted, so there are no
 * groups once the program handles faults, nor where other callbacks need the order of accesses.
 *
 * Into how many accesses QEMU splits pairs and vectors depends on its version and is seen when the first such
 * access is made; until then they are reported one by one.
 */
#include "qemu/plugin.h"

#include "isa/follow.h"
#include "uarch/access_group.h"

#include <stdatomic.h>
#include <stdlib.h>

#define SPAN   128u /* bytes that a group may span */
#define WIDEST 16u  /* bytes of an access that can be in a group */

enum splits { UNKNOWN, APART, AT_ONCE };
static _Atomic int pairs, quads; /* enum splits, of pairs and of 16 bytes */

void apmu_qemu__group_learn(const struct apmu_qemu__watch *w, unsigned size)
{
	if (w->pair)
		atomic_store(&pairs, size > w->width ? AT_ONCE : APART);
	else if (w->width == 16)
		atomic_store(&quads, size == 16 ? AT_ONCE : APART);
}

/* Describes an instruction's accesses: how many, and the bytes of each. False: QEMU's way of splitting them
 * is not known, or they do not fit a group. */
static bool split(const struct apmu_qemu__watch *w, const struct apmu_insn *insn,
		  struct apmu_uarch__group_member *m)
{
	unsigned size = insn->width, count = insn->flags & APMU_INSN_MULTIPLE ? insn->regs : 1;

	if (insn->flags & APMU_INSN_DOUBLE)
		count = 2;
	int quad = size == 16 ? atomic_load(&quads) : AT_ONCE, pair = w->pair ? atomic_load(&pairs) : APART;
	if (quad == APART)
		size = 8, count *= 2;
	if (pair == AT_ONCE)
		size *= 2, count = 1;
	if (quad == UNKNOWN || pair == UNKNOWN || size > WIDEST || count == 0 || count > 32)
		return false;
	*m = (struct apmu_uarch__group_member){.accesses = (uint8_t)count, .store = w->store};
	m->unit = (uint8_t)(insn->width < size ? insn->width : size);
	apmu_block_access_site(w->site.block, w->index, size, &m->site);
	return true;
}

/* A watched instruction of the block, as far as its address is known. */
struct known {
	struct apmu_isa__value at;
	struct apmu_uarch__group_member member; /* without its offset */
	bool can;                               /* it can be in a group */
};

/* True if the instruction can be in a group. LD1 to ST4 (DDI0487 C4.1) and A32's vectors are split by rules
 * of their own. */
static bool can_group(const struct apmu_insn *insn, uint32_t word)
{
	const uint16_t never = APMU_INSN_CONDITIONAL | APMU_INSN_EXCLUSIVE | APMU_INSN_KUSER;
	bool vector = insn->flags & APMU_INSN_VECTOR, sve = insn->traits >> APMU_TRAIT_SVE & 1;
	bool structure = (word & 0xBE000000) == 0x0C000000;

	return (insn->cls == APMU_CLASS_LOAD || insn->cls == APMU_CLASS_STORE) && !(insn->flags & never) &&
	       insn->width && !sve && !(vector && (structure || !apmu_qemu__plugin.a64));
}

static void look(struct apmu_isa__values *values, const struct qemu_plugin_insn *q,
		 const struct apmu_insn *insn, enum apmu_isa__isa isa, const struct apmu_qemu__watch *w,
		 struct known *out)
{
	uint8_t bytes[4];

	apmu_qemu__insn_bytes(q, bytes);
	uint32_t word = apmu_isa__opcode(isa, bytes, insn->size);
	struct apmu_isa__addressed m = apmu_isa__addressed(isa, insn->addr, word, insn->size);
	if (w) {
		out->can = m.what == APMU_ISA__MOVE_ACCESS && can_group(insn, word) &&
			   split(w, insn, &out->member);
		out->at = apmu_isa__follow_value(values, m.base, m.offset);
	}
	apmu_isa__follow_step(values, &m, insn);
}

static int64_t end_of(const struct known *k)
{
	return k->at.offset + (int64_t)k->member.accesses * k->member.site.size;
}

/* True if `k` can join the group that begins with `first`. Either all members are aligned or none is. */
static bool joins(const struct known *first, const struct known *k)
{
	int64_t low = k->at.offset, high = end_of(k);

	if (!first->can || !k->can || first->at.name != k->at.name)
		return false;
	for (const struct known *other = first; other < k; other++) {
		unsigned smaller = other->member.unit < k->member.unit ? other->member.unit : k->member.unit;
		if ((uint64_t)(other->at.offset - k->at.offset) % smaller != 0)
			return false;
		low = other->at.offset < low ? other->at.offset : low;
		high = end_of(other) > high ? end_of(other) : high;
	}
	return (uint64_t)(high - low) <= SPAN;
}

/* Makes the group of watch[first] and those behind it. A single instruction with a single access makes no
 * group. */
static bool close_group(struct apmu_qemu__tb *b, const struct known *known, uint32_t first, uint32_t members)
{
	uint32_t anchor = 0;

	known += first;
	if (!known[0].can || (members == 1 && known[0].member.accesses == 1))
		return true;
	struct apmu_qemu__group *g = calloc(1, sizeof(*g) + members * sizeof(g->member[0]));
	if (!g)
		return false;
	for (uint32_t i = 0; i < members; i++) {
		g->member[i] = known[i].member;
		g->member[i].offset = (int32_t)(known[i].at.offset - known[0].at.offset);
		anchor = known[i].member.accesses < known[anchor].member.accesses ? i : anchor;
	}
	apmu_uarch__group_make(&g->group, g->member, members, anchor);
	g->reached = known[anchor].member.site.index + 1;
	g->next = b->groups;
	b->groups = g;
	if (!apmu_uarch__takes_groups(apmu_qemu__self->u, g->group.unconditional))
		return true;
	for (uint32_t i = 0; i < members; i++)
		b->watch[first + i].grouped = true;
	b->watch[first + anchor].group = g;
	return true;
}

static bool group_all(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, const struct apmu_insn *insn,
		      enum apmu_isa__isa isa, struct known *known)
{
	struct apmu_isa__values values;
	uint32_t first = 0, next = 0;
	bool done = true;

	apmu_isa__follow_start(&values);
	for (uint32_t i = 0; i < b->n && next < b->watches; i++) {
		bool watched = b->watch[next].index == i;
		look(&values, qemu_plugin_tb_get_insn(tb, i), &insn[i], isa, watched ? &b->watch[next] : NULL,
		     &known[next]);
		bool goes_on = watched && next > first && joins(&known[first], &known[next]);
		if (next > first && (insn[i].cls == APMU_CLASS_PRELOAD || (watched && !goes_on))) {
			done &= close_group(b, known, first, next - first);
			first = next;
		}
		next += watched;
	}
	return done && (next == first || close_group(b, known, first, next - first));
}

/* True if no access of the block must be reported at the moment when it is made, as it must near a boundary
 * of a region. */
static bool wanted(const struct apmu_qemu__tb *b)
{
	const struct apmu_qemu__plugin *p = &apmu_qemu__plugin;

	return p->needs_accesses && p->precounts && !p->watch_faults && !p->tagged && apmu_qemu__self &&
	       b->watches && !b->boundary && !apmu_qemu__coheres() &&
	       apmu_uarch__takes_groups(apmu_qemu__self->u, true);
}

bool apmu_qemu__group_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			    const struct apmu_insn *insn, enum apmu_isa__isa isa)
{
	if (!wanted(b))
		return true;
	struct known *known = calloc(b->watches, sizeof(*known));
	bool done = known && group_all(tb, b, insn, isa, known);
	free(known);
	return done;
}

void apmu_qemu__group_drop(struct apmu_qemu__tb *b)
{
	while (b->groups) {
		struct apmu_qemu__group *g = b->groups;
		b->groups = g->next;
		free(g);
	}
}
