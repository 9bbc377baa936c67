/* SPDX-License-Identifier: MIT */
/*
 * Resolves the branch at the end of a block, once its outcome is known: the prediction, its cost in cycles,
 * and the counts.
 */
#include "uarch/machine.h"

static bool is_call(unsigned kind)
{
	return kind == APMU_BRANCH_IMMED_LINK || kind == APMU_BRANCH_IMMED_X ||
	       kind == APMU_BRANCH_INDIRECT_LINK;
}

/* A flush that costs `cycles` may show only part of them in FETCH_STALL (ARM11, AN195 4). */
void apmu_uarch__count_refetch(struct apmu_uarch *u, unsigned cycles)
{
	unsigned stall = u->p.stall_on_mispredict < cycles ? u->p.stall_on_mispredict : cycles;
	u->n[APMU_SIG_FETCH_STALL] += stall;
	u->n[APMU_SIG_STALL_FETCH_OTHER] += stall;
}

/* Flushes the pipeline, which costs `cycles`. Every signal counted here besides BR_MIS_PRED needs the detail
 * `flushes` in spec/signals.sig. */
static void flush(struct apmu_uarch *u, const struct apmu_block *b, bool taken, unsigned cycles)
{
	u->n[APMU_SIG_BR_MIS_PRED]++;
	apmu_uarch__count_refetch(u, cycles);
	u->n[APMU_SIG_BR_COND_MIS_PRED] += b->conditional;
	u->n[APMU_SIG_BR_TAKEN_WRONG] += taken;
	u->n[APMU_SIG_BR_RETURN_WRONG] += b->kind == APMU_BRANCH_RETURN;
	if (b->kind == APMU_BRANCH_IMMED || b->kind == APMU_BRANCH_IMMED_LINK)
		u->n[APMU_SIG_BR_IMMED_MIS_PRED]++;
	else if (b->kind != APMU_BRANCH_IMMED_X)
		u->n[APMU_SIG_BR_INDIRECT_MIS_PRED]++;
}

/* With prediction off every branch is assumed to fall through (AN195 5). */
static bool predict(struct apmu_uarch *u, const struct apmu_block *b, bool outcome, bool *taken)
{
	*taken = false;
	if (!u->p.predict)
		return false;
	if (u->direction.kind != APMU_DIRECTION_BTB) {
		bool there = apmu_uarch__btb_predict(&u->btb, b->branch, outcome, taken);
		*taken = !b->conditional ||
			 apmu_uarch__direction(&u->direction, b->branch, b->target <= b->branch, outcome);
		return there;
	}
	if (apmu_uarch__btb_predict(&u->btb, b->branch, outcome, taken))
		return true;
	*taken = u->p.static_predict && (!b->conditional || b->target <= b->branch);
	return false;
}

/* Cycles of a direct branch, given its prediction. `dynamic`: the BTB holds it. */
static int resolve_direct(struct apmu_uarch *u, const struct apmu_block *b, bool taken, bool predicted,
			  bool dynamic)
{
	if (predicted != taken) {
		flush(u, b, taken, u->p.mispredict);
		u->n[APMU_SIG_FETCH_STALL_EXTRA] += u->p.stall_extra;
		apmu_uarch__fetch_shadow(u, predicted ? b->target : b->end, b->end - 1);
		return u->p.mispredict;
	}
	if (dynamic)
		return taken ? apmu_uarch__taken_cost(u, b) : b->cost[0];
	return taken ? u->p.static_taken : 0;
}

/* A direct branch (B, BL, BLX), of the kinds that the BTB holds. */
static int direct(struct apmu_uarch *u, const struct apmu_block *b, bool taken)
{
	bool predicted;
	bool dynamic = predict(u, b, taken, &predicted);
	return resolve_direct(u, b, taken, predicted, dynamic);
}

int apmu_uarch__branch_learnt(struct apmu_uarch *u, const struct apmu_block *b, bool taken, bool predicted)
{
	bool ignored;
	u->n[APMU_SIG_PC_CHANGE] += taken;
	return resolve_direct(u, b, taken, predicted,
			      apmu_uarch__btb_predict(&u->btb, b->branch, taken, &ignored));
}

/* A taken branch without a prediction: fetch has gone on sequentially. */
static int unpredicted(struct apmu_uarch *u, const struct apmu_block *b)
{
	unsigned cycles = b->loads_pc ? u->p.load_pc : u->p.indirect;
	if (u->p.unpredicted_is_wrong) {
		flush(u, b, true, cycles);
		apmu_uarch__fetch_shadow(u, b->end, b->end - 1);
	}
	if (b->kind != APMU_BRANCH_IMMED_X)
		u->n[APMU_SIG_FETCH_STALL_EXTRA] += u->p.stall_extra;
	return (int)cycles;
}

/* The entry of the target buffer for a branch behind the last targets, which `path` holds. In an interpreter
 * the branch is often near the last target, so their plain difference would be the same for many handlers. */
static struct apmu_uarch__target *target_of(const struct apmu_uarch *u, uint64_t branch)
{
	uint64_t behind = u->path * 0x9E3779B97F4A7C15u >> 40;

	return &u->targets[(branch >> 2 ^ behind) & u->targets_mask];
}

/* A taken indirect branch, on a core with a target buffer. */
static int indirect(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next)
{
	struct apmu_uarch__target *t = target_of(u, b->branch);
	bool there = t->tag == b->branch, right = there && t->target == next;
	*t = (struct apmu_uarch__target){b->branch, next};
	if (u->p.target_history)
		u->path = ((u->path << 5) ^ (next >> 2)) & u->path_mask;
	if (right)
		return u->p.taken;
	u->n[APMU_SIG_BR_INDIRECT_MIS_ADDR] += there;
	return unpredicted(u, b);
}

/* A taken return. Only unconditional ones are predicted; the prediction comes too late to prevent the look-up
 * of the fall-through (AN195 3). A misprediction pushes its address back (AN195 2, event 0x26). */
static int procedure_return(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next)
{
	uint64_t address;
	if (!u->p.predict || !apmu_uarch__return_pop(&u->stack, &address))
		return unpredicted(u, b);
	u->n[APMU_SIG_RETURN]++;
	if (b->conditional)
		return unpredicted(u, b);
	u->n[APMU_SIG_RETURN_PRED]++;
	apmu_uarch__fetch_shadow(u, b->end, b->end - 1);
	if (address == next)
		return u->p.return_predicted;
	u->n[APMU_SIG_RETURN_MIS_PRED]++;
	apmu_uarch__return_push(&u->stack, address);
	flush(u, b, true, u->p.return_wrong);
	apmu_uarch__fetch_shadow(u, address, b->end - 1);
	return u->p.return_wrong;
}

static void call(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (!u->p.predict || u->stack.entries == 0)
		return;
	apmu_uarch__return_push(&u->stack, b->end);
	u->n[APMU_SIG_CALL]++;
}

int apmu_uarch__branch(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next)
{
	uint64_t dropped;
	bool taken = !b->conditional || next != b->end;
	if (b->kind == APMU_BRANCH_NONE) { /* a kernel user helper: its last real instruction is a return */
		apmu_uarch__return_pop(&u->stack, &dropped);
		return 0;
	}
	u->n[APMU_SIG_PC_CHANGE] += taken;
	u->n[APMU_SIG_RETURN_INST] += taken && b->kind == APMU_BRANCH_RETURN;
	if (!(u->units & APMU_UARCH__PREDICT))
		return 0;
	if (taken && is_call(b->kind))
		call(u, b);
	if (u->p.btb_kinds >> b->kind & 1)
		return direct(u, b, taken);
	if (!taken)
		return 0;
	if (b->unpredicted)
		return unpredicted(u, b);
	if (b->kind != APMU_BRANCH_RETURN && u->targets && u->p.predict)
		return indirect(u, b, next);
	return b->kind == APMU_BRANCH_RETURN ? procedure_return(u, b, next) : unpredicted(u, b);
}
