/* SPDX-License-Identifier: MIT */
#include "branches.h"

#include <stdlib.h>
#include <string.h>

void branches_open(struct branches *b, const struct apmu_uarch_params *p)
{
	*b = (struct branches){.entry = calloc(p->btb ? p->btb : 1u, sizeof(*b->entry))};
	if (!b->entry)
		abort();
}

void branches_close(struct branches *b)
{
	free(b->entry);
	free(b->list);
}

static void put_in(struct branches *b, uint64_t addr)
{
	if (b->listed == b->room) {
		b->room = b->room ? 2 * b->room : 64;
		b->list = realloc(b->list, b->room * sizeof(*b->list));
		if (!b->list)
			abort();
	}
	b->list[b->listed++] = addr;
}

/* The BTB level that predicts a taken branch which the main BTB has. A branch that misses the nano BTB is
 * inserted there. */
static uint8_t level_of(struct branches *b, const struct apmu_uarch_params *p, uint64_t addr)
{
	size_t age = 0, near = p->nano_btb;
	if (!p->nano_btb || !p->rob) /* in order, in_order.c keeps the last taken branch itself */
		return BRANCH_TAKEN;
	while (age < b->listed && b->list[b->listed - 1 - age] != addr)
		age++;
	if (age < b->listed && age < near)
		return BRANCH_NANO;
	bool micro = age < b->listed && age < near + p->micro_btb;
	put_in(b, addr);
	return micro ? BRANCH_MICRO : BRANCH_TAKEN;
}

static void learn(struct branches *b, struct branch_entry *e, const struct apmu_uarch_params *p,
		  uint64_t addr, bool taken)
{
	if (e->addr != addr) {
		if (taken || (p->btb_stores_untaken && p->direction == APMU_DIRECTION_BTB))
			*e = (struct branch_entry){addr, taken ? 2 : 1};
		if (taken)
			put_in(b, addr);
		return;
	}
	if (taken && e->counter < 3)
		e->counter++;
	if (!taken && e->counter > 0)
		e->counter--;
}

static uint8_t direct(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		      bool taken)
{
	struct branch_entry *e = p->btb ? &b->entry[x->addr >> p->btb_shift & (p->btb - 1u)] : NULL;
	bool known = e && e->addr == x->addr;
	bool sure = !(x->flags & APMU_INSN_CONDITIONAL), goes;
	if (p->direction == APMU_DIRECTION_BTB && known)
		goes = e->counter >= 2;
	else
		goes = p->static_predict && (sure || x->target <= x->addr);
	if (p->direction != APMU_DIRECTION_BTB && known && sure)
		goes = true;
	if (e)
		learn(b, e, p, x->addr, taken);
	if (goes != taken)
		return BRANCH_WRONG;
	if (known && p->folding && x->branch == APMU_BRANCH_IMMED)
		return BRANCH_FOLDED;
	if (!taken || !known)
		return taken ? BRANCH_STATIC : BRANCH_NONE;
	return sure && b->behind && p->taken_pairs ? BRANCH_JOINED : level_of(b, p, x->addr);
}

static void push(struct branches *b, const struct apmu_uarch_params *p, uint64_t address)
{
	if (!p->return_stack)
		return;
	if (b->depth == p->return_stack) {
		memmove(b->stack, b->stack + 1, sizeof(b->stack) - sizeof(b->stack[0]));
		b->depth--;
	}
	b->stack[b->depth++] = address;
}

/* A branch without a condition is taken wherever it goes, also to the next instruction. */
static uint8_t see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		   uint64_t next)
{
	if (x->branch == APMU_BRANCH_RETURN) {
		if (!p->return_stack || !b->depth || b->stack[--b->depth] != next)
			return BRANCH_WRONG;
		return BRANCH_RETURNED;
	}
	if (x->branch == APMU_BRANCH_IMMED_LINK)
		push(b, p, x->addr + x->size);
	bool sure = !(x->flags & APMU_INSN_CONDITIONAL);
	return direct(b, p, x, sure || next != x->addr + x->size);
}

uint8_t branches_see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		     uint64_t next)
{
	uint8_t outcome = see(b, p, x, next);
	b->behind = outcome != BRANCH_NONE && outcome != BRANCH_FOLDED && outcome != BRANCH_JOINED &&
		    outcome != BRANCH_WRONG;
	return outcome;
}
