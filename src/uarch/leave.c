/* SPDX-License-Identifier: MIT */
/* Leaving a block before its end, or for a place to which its branch does not lead. */
#include "uarch/machine.h"
#include "uarch/pass.h"

#include <string.h>

const struct apmu_block apmu_uarch__nowhere;

/* Resolves the block's branch without a next block: an unconditional branch went to its target, any other
 * block fell through. */
static void resolve_now(struct apmu_uarch *u, const struct apmu_block *b)
{
	bool known = b->kind != APMU_BRANCH_NONE && !b->conditional;
	if (!known || !(u->units & APMU_UARCH__TAKEN))
		return;
	if (u->entry_counts & APMU_UARCH__ENTRY_BRANCH_KINDS)
		apmu_uarch__count_branch_kind(u->n, b, true);
	if (b->target == 0) {
		u->n[APMU_SIG_PC_CHANGE]++;
		u->n[APMU_SIG_RETURN_INST] += b->kind == APMU_BRANCH_RETURN;
		return;
	}
	u->btb.open = false;
	int cost = apmu_uarch__branch(u, b, b->target);
	if (u->units & APMU_UARCH__TIME)
		apmu_uarch__wait_for_code(u, (uint64_t)cost);
}

static void forget(struct apmu_uarch *u)
{
	u->block = &apmu_uarch__nowhere;
	u->fetched = u->clock;
	u->iline = APMU_UARCH__NO_LINE;
	u->last = (struct apmu_uarch__last){.line = APMU_UARCH__NO_LINE, .key = APMU_UARCH__NO_KEY};
	apmu_uarch__wait_no_more(&u->memory);
	memset(u->memory.held, 0, sizeof(u->memory.held));
}

/* True if time is attributed to single instructions. */
static bool attributes(const struct apmu_uarch *u)
{
	return u->watch && u->window && u->window->retire && u->block->n;
}

/* Out of order, watched: runs the first `n` of the block's instructions. */
static void run_watched(struct apmu_uarch *u, const struct apmu_block *b, uint32_t n)
{
	apmu_uarch__retire_begin(u);
	apmu_uarch__window_run(u, b, n);
	if (n == b->n)
		resolve_now(u, b);
	apmu_watch_look(u->watch, APMU_WATCH_BRANCH, b->branch);
	apmu_uarch__retire_count(u, n < b->n ? apmu_uarch__address_of(b, n) : b->branch);
}

void apmu_uarch_break(struct apmu_uarch *u)
{
	if (attributes(u)) {
		run_watched(u, u->block, u->block->n);
		apmu_uarch__retire_end(u);
		forget(u);
		return;
	}
	if (u->window)
		apmu_uarch__window_run(u, u->block, u->block->n);
	else if (u->memory.pendings)
		apmu_uarch__settle_waits(u, u->block, APMU_UARCH__NO_USE - 1);
	resolve_now(u, u->block);
	if (u->window)
		apmu_uarch__count_time(u);
	forget(u);
}

void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed)
{
	const struct apmu_block *b = u->block;
	if (executed >= b->n) {
		apmu_uarch_break(u);
		return;
	}
	if (attributes(u)) {
		run_watched(u, b, executed);
	} else if (u->window) {
		apmu_uarch__window_run(u, b, executed);
		apmu_uarch__count_time(u);
	} else if (u->units & APMU_UARCH__TIME) {
		apmu_uarch__settle_ahead(
			u, b, apmu_uarch__next_access(b, executed)); /* as unconditional accesses do */
		u->clock -= b->cycles - b->schedule[executed].issue;
		u->n[APMU_SIG_CYCLES] -= b->cycles - b->schedule[executed].issue;
		apmu_uarch__counts_waited(u->n, b, executed); /* that instruction issued */
	}
	apmu_uarch__uncount(u, u->n, b, executed, b->n);
	if (attributes(u)) /* after INST is corrected */
		apmu_uarch__retire_end(u);
	forget(u);
}
