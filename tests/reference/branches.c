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
}

static void learn(struct branch_entry *e, const struct apmu_uarch_params *p, uint64_t addr, bool taken)
{
	if (e->addr != addr) {
		if (taken || p->btb_stores_untaken)
			*e = (struct branch_entry){addr, taken ? 2 : 1};
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
		learn(e, p, x->addr, taken);
	if (goes != taken)
		return BRANCH_WRONG;
	if (known && p->folding && x->branch == APMU_BRANCH_IMMED)
		return BRANCH_FOLDED;
	return !taken ? BRANCH_NONE : known ? BRANCH_TAKEN : BRANCH_STATIC;
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

uint8_t branches_see(struct branches *b, const struct apmu_uarch_params *p, const struct apmu_insn *x,
		     uint64_t next)
{
	if (x->branch == APMU_BRANCH_RETURN) {
		if (!p->return_stack || !b->depth || b->stack[--b->depth] != next)
			return BRANCH_WRONG;
		return BRANCH_RETURNED;
	}
	if (x->branch == APMU_BRANCH_IMMED_LINK)
		push(b, p, x->addr + x->size);
	return direct(b, p, x, next != x->addr + x->size);
}
