/* SPDX-License-Identifier: MIT */
/*
 * Bounds on the cycles of any run, whatever overlaps in it. The bounds are wide: they catch a clock
 * that runs away or stands still, and no more.
 */
#include "uarch/machine.h"
#include "uarch/timing.h"

#define MOST_REGISTERS 32u /* of one instruction */
#define START          4096u
/* The most cycles of slack that later blocks may use: more than any queue holds of cycles and of lines. */
#define SPARE       (1u << 20)
#define SPARE_LINES 512u

static uint64_t max_of(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Returns a + n * each, or UINT64_MAX if that is more. */
static uint64_t add(uint64_t a, uint64_t n, uint64_t each)
{
	uint64_t sum;
	if (__builtin_mul_overflow(n, each, &sum) || __builtin_add_overflow(a, sum, &sum))
		return UINT64_MAX;
	return sum;
}

/* The longest that an instruction takes to move a list of registers, one access each. */
static uint64_t list_alone(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	uint64_t registers = x->regs ? x->regs : MOST_REGISTERS;

	return p->multiple_first + p->multiple_issue + registers * (2u + p->unaligned_extra);
}

static uint64_t access_alone(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	uint64_t cycles = max_of(p->forward, p->forward_fail) + (uint64_t)2 * (1u + p->unaligned_extra);

	cycles += x->flags & APMU_INSN_MULTIPLE ? list_alone(p, x) : 0;
	return cycles + (x->flags & APMU_INSN_SUBWORD ? p->subword_extra : 0);
}

/* The longest that a branch takes, without the instructions dispatched behind it. */
static uint64_t branch_alone(const struct apmu_uarch_params *p)
{
	uint64_t wrong = max_of(max_of(p->mispredict, p->return_wrong), max_of(p->indirect, p->load_pc));

	return 1 + max_of(wrong, max_of(max_of(p->taken, p->static_taken), p->return_predicted));
}

uint32_t apmu_uarch__alone(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, x);
	unsigned cls = apmu_uarch__class_of(x);
	bool memory = apmu_uarch__uses_memory(cls) || cls == APMU_CLASS_PRELOAD;
	uint64_t busy =
		apmu_uarch__busy_cycles((uint64_t)t.busy * t.pipes * apmu_uarch__transfer_cycles(p, x));
	uint64_t cycles = 1 + max_of(p->issue[cls], t.issue) + t.result + p->factor_extra + p->alu_factor +
			  p->mulh_flags + t.early + busy + t.slots + t.base + (uint64_t)t.each * x->regs;

	cycles += x->flags & APMU_INSN_SHIFT_REG ? 2u * p->shift_reg : 0u; /* added to issue and to latency */
	cycles += x->shift_reads ? max_of(p->shift_extra, p->address_extra) : 0u;
	cycles += apmu_uarch__takes_flag_register(p, x) ? p->flag_cycles : 0u;
	cycles += memory ? access_alone(p, x) : 0u;
	if (x->branch != APMU_BRANCH_NONE || x->flags & APMU_INSN_KUSER)
		cycles += branch_alone(p);
	cycles += x->traits >> APMU_TRAIT_ISB & 1 ? p->mispredict : 0u;
	return (uint32_t)cycles;
}

/* The longest that a line takes to arrive, with its victims at each level. */
static uint64_t line_alone(const struct apmu_uarch_params *p)
{
	uint64_t latency = max_of(max_of(p->memory, p->transfer), max_of(p->l2.latency, p->l3.latency));
	uint64_t slots = (uint64_t)p->line_fill + p->line_write + p->l2.fill + p->l3.fill;
	latency += p->l2_chain;
	return latency + 3 * slots;
}

uint64_t apmu_uarch_fewest_cycles(const struct apmu_uarch_params *p, const struct apmu_tally *t)
{
	uint64_t inst = t->n[APMU_SIG_INST],
		 a_cycle = (uint64_t)p->width * (p->folding || p->fused_compares ? 2 : 1);
	return inst / a_cycle > START ? inst / a_cycle - START : 0;
}

static uint64_t most_cycles(const struct apmu_uarch_params *p, const uint64_t *n)
{
	uint64_t line = line_alone(p), walk = (uint64_t)p->tlb_hit + p->walk + p->walk_reads * line;
	uint64_t lines = n[APMU_SIG_L1D_MISS] + n[APMU_SIG_L1I_MISS] + n[APMU_SIG_PREFETCH_FILL] +
			 n[APMU_SIG_PLD_L1D_FILL] + n[APMU_SIG_PEER_UPGRADE];
	uint64_t walks = n[APMU_SIG_L1D_TLB_REFILL] + n[APMU_SIG_L1I_TLB_REFILL] + n[APMU_SIG_PLD_TLB_REFILL];
	uint64_t most = add(START + line, n[APMU_SIG_CYCLES_ALONE], 1);
	most = add(most, lines, line);
	most = add(most, walks, walk);
	/* a level below may read the line that the store is part of, and evict others for it */
	return add(most, n[APMU_SIG_EXT_ACCESS], p->write_drain + line);
}

uint64_t apmu_uarch_most_cycles(const struct apmu_uarch_params *p, const struct apmu_tally *t)
{
	return most_cycles(p, t->n);
}

void apmu_uarch_check_bounds(struct apmu_uarch *u, struct apmu_uarch_violation *out)
{
	*out = (struct apmu_uarch_violation){0};
	u->violation = out;
	u->next_check = u->units & APMU_UARCH__TIME ? 0 : UINT64_MAX;
}

/* CYCLES, plus dispatched time that it does not contain yet. */
static uint64_t cycles_now(const struct apmu_uarch *u)
{
	const struct apmu_uarch__window *w = u->window;

	return u->n[APMU_SIG_CYCLES] + (w ? (w->now - w->counted) / w->cycle : 0);
}

void apmu_uarch__check_cycles(struct apmu_uarch *u, const struct apmu_block *b)
{
	uint64_t cycles = cycles_now(u), most = most_cycles(&u->p, u->n) - u->forgone;
	uint64_t spare = cycles < most ? most - cycles : 0;
	uint64_t limit = SPARE + SPARE_LINES * line_alone(&u->p);

	if (cycles > most) {
		*u->violation = (struct apmu_uarch_violation){b->addr, cycles, most};
		u->next_check = UINT64_MAX;
		return;
	}
	if (spare > limit)
		u->forgone += spare - limit;
	spare = spare < limit ? spare : limit;
	u->next_check = u->window ? u->window->now + (spare + 1) * u->window->cycle : u->clock + spare + 1;
}
