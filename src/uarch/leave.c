/* SPDX-License-Identifier: MIT */
/* A block is left before its end, or for a place where its branch does not lead. */
#include "uarch/machine.h"
#include "uarch/pass.h"

#include <string.h>

const struct apmu_block apmu_uarch__nowhere;

/* Straight on if nobody says otherwise: an unconditional branch has gone where it says. */
static void resolve_now(struct apmu_uarch *u, const struct apmu_block *b)
{
	bool known = b->kind != APMU_BRANCH_NONE && !b->conditional;
	if (!known || !(u->parts & APMU_UARCH__TAKEN))
		return;
	if (b->target == 0) {
		u->n[APMU_SIG_PC_CHANGE]++;
		u->n[APMU_SIG_RETURN_INST] += b->kind == APMU_BRANCH_RETURN;
		if (u->more & APMU_UARCH__MORE_WAYS)
			apmu_uarch__count_way(u->n, b, true);
		return;
	}
	if (u->more & APMU_UARCH__MORE_WAYS)
		apmu_uarch__count_way(u->n, b, true);
	int cost = apmu_uarch__branch(u, b, b->target);
	if (u->parts & APMU_UARCH__TIME)
		apmu_uarch__wait(u, (uint64_t)cost);
}

static void forget(struct apmu_uarch *u)
{
	u->block = &apmu_uarch__nowhere;
	u->iline = APMU_UARCH__NO_LINE;
	u->last = (struct apmu_uarch__last){.line = APMU_UARCH__NO_LINE, .key = APMU_UARCH__NO_KEY};
	apmu_uarch__wait_no_more(&u->memory);
	memset(u->memory.held, 0, sizeof(u->memory.held));
}

/* Out of order, with a watch: what the block has yet to do, whose time is told piece by piece. */
static void break_watched(struct apmu_uarch *u)
{
	const struct apmu_block *b = u->block;
	apmu_uarch__retire_begin(u);
	apmu_uarch__window_run(u, b, b->n);
	resolve_now(u, b);
	apmu_watch_look(u->watch, APMU_AT_BRANCH, b->branch);
	apmu_uarch__retire_tell(u, b->branch);
	apmu_uarch__retire_end(u);
	forget(u);
}

void apmu_uarch_break(struct apmu_uarch *u)
{
	if (u->watch && u->window && u->window->retire && u->block->n) {
		break_watched(u);
		return;
	}
	if (u->window)
		apmu_uarch__window_run(u, u->block, u->block->n);
	else if (u->memory.pendings)
		apmu_uarch__settle_waits(u, u->block, APMU_UARCH__NO_NEED - 1);
	uint64_t end = u->clock;
	resolve_now(u, u->block);
	if (u->window)
		apmu_uarch__window_tell(u);
	else if (u->ops && (u->parts & APMU_UARCH__TIME))
		apmu_uarch__count_slots(u, (int64_t)(u->clock - end), u->n[APMU_SIG_OP_SPEC]);
	forget(u);
}

void apmu_uarch__take_back(const struct apmu_uarch *u, uint64_t *n, const struct apmu_uarch__step *s)
{
	bool immediate = apmu_uarch__step_is_immediate(s);
	bool branch = s->branch != APMU_BRANCH_NONE;
	bool barrier = s->cls == APMU_CLASS_BARRIER;
	n[APMU_SIG_INST]--;
	n[APMU_SIG_BR_EXEC] -= branch;
	n[APMU_SIG_BR_IMMED] -= immediate;
	n[APMU_SIG_BR_OTHER] -= branch && !immediate;
	n[APMU_SIG_WBUF_DRAIN] -= barrier;
	n[APMU_SIG_BCU_DRAIN] -= barrier;
	n[APMU_SIG_LD_RETIRED] -= s->sve_load;
	n[APMU_SIG_ST_RETIRED] -= s->sve_store;
	n[APMU_SIG_FETCH_STALL_EXTRA] -= apmu_uarch__step_spurious(&u->p, s);
	n[APMU_SIG_OP_RETIRED] -= u->ops ? s->ops : 0;
	n[APMU_SIG_OP_SPEC] -= u->ops ? s->ops : 0;
	if (u->traits) {
		apmu_uarch__traits_take_back(n, s->traits);
		apmu_uarch__operations_take_back(n, s);
	}
}

static void uncount_stalls(struct apmu_uarch *u, const struct apmu_block *b, const struct apmu_uarch__step *s)
{
	uint32_t all = b->stalls - s->stalls, agu = b->agu - s->agu, simd = b->simd - s->simd;
	u->n[APMU_SIG_DATA_STALL] -= all;
	u->n[APMU_SIG_STALL_DEP_AGU] -= agu;
	u->n[APMU_SIG_STALL_DEP_SIMD] -= simd;
	u->n[APMU_SIG_STALL_DEP_OTHER] -= all - agu - simd;
}

void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed)
{
	const struct apmu_block *b = u->block;
	if (executed >= b->n) {
		apmu_uarch_break(u);
		return;
	}
	const struct apmu_uarch__step *s = &b->step[executed];
	if (u->window) {
		apmu_uarch__window_run(u, b, executed);
		apmu_uarch__window_tell(u);
	} else if (u->parts & APMU_UARCH__TIME) {
		apmu_uarch__settle_ahead(u, b, apmu_uarch__quiet(b, executed)); /* as sure ones have */
		apmu_uarch__wait(u, (uint64_t)s->issue - b->cycles);
		uncount_stalls(u, b, s);
	}
	for (unsigned i = executed; i < b->n; i++) {
		apmu_uarch__take_back(u, u->n, &b->step[i]);
		if (u->ahead)
			apmu_uarch__sure_take_back(u, &b->step[i]);
	}
	forget(u);
}
