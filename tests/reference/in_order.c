/* SPDX-License-Identifier: MIT */
/* An in-order core: in each cycle it issues the next instructions, as many as can issue together. */
#include "clocks.h"
#include "paths.h"

#include <stddef.h>

#define REGISTERS 64
#define NOT_YET   UINT64_MAX

/* When a register can be read: `after` cycles after cycle `from` or after the arrival of its last line,
 * whichever is later. */
struct value {
	uint64_t from;
	unsigned after;
	size_t line[2];
	bool early;      /* an ALU instruction that issues in cycle `from` can read it */
	unsigned sooner; /* cycles by which an address waits less for it than for an ALU result */
};

struct core {
	const struct apmu_uarch_params *p;
	struct story *s;
	struct paths m;
	struct value reg[REGISTERS];
	size_t next;                    /* the event that issues next */
	uint64_t free;                  /* cycle from which anything can issue */
	const struct apmu_insn *rest;   /* access or multiplication whose last cycle is `free`; NULL: none */
	uint64_t lsu_free;              /* cycle from which a load or store can issue, after a multiple */
	uint64_t unit_free[APMU_UNITS]; /* cycle from which a pipe group is free of a wide load or division */
	size_t waiting[32];             /* store buffer: fills of stores that wait for an MSHR */
	unsigned waits;
	bool translated; /* the next access has waited for its translation */
	size_t queued;   /* rows with a fetch queue: the event that is fetched next */
	uint64_t again;  /* rows with a fetch queue: the branch in the branch target instruction cache */
	uint64_t fetch;  /* cycle from which fetch goes on; NOT_YET: once a mispredicted branch has issued */
};

/* Instructions that issue in the same cycle. */
struct group {
	unsigned n;
	const struct apmu_insn *insn[16];
};

static bool is_access(const struct apmu_insn *x)
{
	return program_accesses(x) || x->cls == APMU_CLASS_PRELOAD;
}

/* True for a division whose time depends on its operands: it holds its pipe and does not hold issue. */
static bool divides(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_DIV && p->divide.bits;
}

/* Cycles that the data transfer of a load takes; 1 for other instructions. */
static unsigned moves(const struct apmu_uarch_params *p, const struct event *e)
{
	return e->insn->cls == APMU_CLASS_LOAD && p->load_bytes
		       ? (e->bytes + p->load_bytes - 1u) / p->load_bytes
		       : 1;
}

/* Cycles that the instruction holds issue. */
static unsigned issue_cycles(const struct core *c, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	if (divides(c->p, x))
		return 1;
	unsigned n = c->p->issue[x->cls] + (x->flags & APMU_INSN_SHIFT_REG ? c->p->shift_reg : 0u);
	if (x->flags & APMU_INSN_MULTIPLE) {
		n = c->p->multiple_issue;
		if (c->p->multiple_blocks)
			n += (x->regs + c->p->multiple_per_cycle - 1u) / c->p->multiple_per_cycle;
	} else if (program_accesses(x) && e->address / 4 != (e->address + e->bytes - 1) / 4 &&
		   e->address % x->width &&
		   !(c->p->unaligned_double && e->address / 8 == (e->address + e->bytes - 1) / 8)) {
		n += c->p->unaligned_extra;
	}
	if (c->p->access_blocks && moves(c->p, e) > n)
		n = moves(c->p, e);
	return n ? n : 1;
}

/* Cycles by which an address waits less for the register than for an ALU result. */
static unsigned reaches_sooner(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned reg)
{
	unsigned cycles = 0;
	if (program_accesses(x) && clock_writes_back(x, reg))
		cycles = p->address_base;
	else if (program_accesses(x) && !(x->flags & APMU_INSN_SUBWORD))
		cycles = p->address_load;
	return cycles > p->address_extra ? p->address_extra : cycles;
}

/* Cycles by which the instruction needs the register before its own issue. */
static int needed_early(const struct core *c, const struct apmu_insn *x, unsigned reg)
{
	bool address = is_access(x) && x->shift_reads & clock_bit(reg);
	return clock_early(c->p, x, reg) - (address ? (int)c->reg[reg].sooner : 0);
}

static bool value_ready(struct core *c, const struct value *v, int early)
{
	uint64_t from = v->from;
	for (unsigned k = 0; k < 2; k++) {
		if (v->line[k] == NO_FILL)
			continue;
		const struct fill *f = &c->s->fill[v->line[k]];
		if (!f->begun)
			return false;
		if (f->comes > from)
			from = f->comes;
	}
	int64_t after = (int64_t)v->after + early;
	return paths_since(&c->m, from + (uint64_t)(after > 0 ? after : 0));
}

/* True if a line of the value had not arrived when the load issued. */
static bool late(const struct core *c, const struct value *v)
{
	for (unsigned k = 0; k < 2; k++) {
		const struct fill *f = v->line[k] == NO_FILL ? NULL : &c->s->fill[v->line[k]];
		if (f && (!f->begun || f->comes > v->from))
			return true;
	}
	return false;
}

/* True if the instruction can take the register's value from an ALU instruction that issues in this cycle. */
static bool takes_early(const struct core *c, const struct apmu_insn *x, unsigned r)
{
	const struct value *v = &c->reg[r];
	return x->cls == APMU_CLASS_ALU && x->reads & ~x->shift_reads & clock_bit(r) && v->early &&
	       v->from == c->m.now;
}

/* True if an ALU instruction is done a cycle before others: its operands were ready a cycle early. */
static bool done_early(struct core *c, const struct apmu_insn *x)
{
	if (!c->p->alu_early || x->cls != APMU_CLASS_ALU || x->shift_reads || x->flags & APMU_INSN_SHIFT_REG)
		return false;
	for (unsigned r = 0; r < REGISTERS; r++)
		if (x->reads & clock_bit(r) && !value_ready(c, &c->reg[r], 1))
			return false;
	return true;
}

static bool operands_ready(struct core *c, const struct apmu_insn *x)
{
	for (unsigned r = 0; r < REGISTERS; r++) {
		if (takes_early(c, x, r))
			continue;
		if (x->reads & clock_bit(r) && !value_ready(c, &c->reg[r], needed_early(c, x, r)))
			return false;
		if (x->writes & clock_bit(r) && late(c, &c->reg[r]) && !value_ready(c, &c->reg[r], 0))
			return false; /* no result overtakes a late load to the same register */
	}
	return true;
}

/* True for additions of a constant, moves and extensions; not for shifts, rotations, REV, CLZ and bit fields.
 */
static bool is_plain(const struct apmu_insn *x)
{
	if (x->group == APMU_GROUP_BIT_REVERSE || x->group == APMU_GROUP_BFI)
		return false;
	return !(x->reads & (x->reads - 1)) && (x->group == APMU_GROUP_EXTEND || !x->shift_reads);
}

/* True if the pairing rules let the instruction issue together with those before it in this cycle. */
static bool may_join(const struct core *c, const struct group *g, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	const struct apmu_uarch_params *p = c->p;
	unsigned unit = p->unit[x->cls], same = 1;
	if (g->n == 0)
		return true;
	if (g->n == p->width || issue_cycles(c, e) > 1)
		return false;
	if (p->pair[x->cls] != APMU_PAIR_BOTH && p->pair[x->cls] != APMU_PAIR_YOUNGER)
		return false;
	if (p->pair_immediate && x->cls == APMU_CLASS_ALU && !is_plain(x))
		return false;
	for (unsigned k = 0; k < g->n; k++) {
		uint8_t rule = p->pair[g->insn[k]->cls];
		if (rule != APMU_PAIR_BOTH && rule != APMU_PAIR_ELDER)
			return false;
		for (uint64_t both = g->insn[k]->writes & x->writes; both;)
			if (!takes_early(c, x, clock_take(&both)))
				return false;
		same += unit && p->unit[g->insn[k]->cls] == unit;
	}
	return !unit || same <= p->pipes[unit];
}

static bool pipes_free(struct core *c, const struct apmu_insn *x)
{
	unsigned unit = c->p->unit[x->cls];
	if (is_access(x) && !paths_since(&c->m, c->lsu_free))
		return false;
	return !unit || paths_since(&c->m, c->unit_free[unit]);
}

/* Gives free MSHRs to the store misses in the store buffer, oldest first. A load that misses waits behind
 * them (take_line()). */
static void move_stores(struct core *c)
{
	while (c->waits && paths_room(&c->m)) {
		paths_ask(&c->m, c->waiting[0]);
		for (unsigned k = 1; k < c->waits; k++)
			c->waiting[k - 1] = c->waiting[k];
		c->waits--;
	}
}

/* Requests a line. False if nobody has requested it yet and there is neither an MSHR nor, for a store, a
 * store buffer entry. */
static bool take_line(struct core *c, size_t fill, bool store)
{
	if (paths_asked(&c->m, fill)) {
		paths_want(&c->m, fill);
		return true;
	}
	if (!c->waits && paths_room(&c->m)) {
		paths_ask(&c->m, fill);
		return true;
	}
	if (!store || c->waits == c->p->store_buffer)
		return false;
	c->s->fill[fill].asked = true;
	paths_moved(&c->m);
	c->waiting[c->waits++] = fill;
	return true;
}

/* Sends the access to the caches. False if it has to wait. */
static bool access_memory(struct core *c, const struct event *e)
{
	if (e->translation && !c->translated) { /* a miss of the TLB stops issue */
		c->free = c->m.now + e->translation;
		c->translated = true;
		paths_moved(&c->m);
		return false;
	}
	for (unsigned k = 0; k < 2; k++)
		if (!take_line(c, e->fill[k], program_stores(e->insn)))
			return false;
	if (e->outside && !paths_store(&c->m, e))
		return false;
	paths_ask_prefetches(&c->m, e);
	c->translated = false;
	return true;
}

static void hold_pipes(struct core *c, const struct event *e)
{
	const struct apmu_insn *x = e->insn;
	const struct apmu_uarch_params *p = c->p;
	if (divides(p, x) && p->unit[x->cls])
		c->unit_free[p->unit[x->cls]] = c->m.now + clock_divide(p, x, p->issue[x->cls]);
	if (!is_access(x))
		return;
	if (x->flags & APMU_INSN_MULTIPLE && (!p->multiple_blocks || p->multiple_slot))
		c->lsu_free = c->m.now + (x->regs + p->multiple_per_cycle - 1u) / p->multiple_per_cycle;
	if (x->cls == APMU_CLASS_LOAD && p->load_bytes && p->unit[x->cls])
		c->unit_free[p->unit[x->cls]] = c->m.now + moves(p, e);
}

static void write_registers(struct core *c, const struct event *e)
{
	bool loads = program_accesses(e->insn) && !program_stores(e->insn), early = done_early(c, e->insn);
	for (unsigned r = 0; r < REGISTERS; r++) {
		if (!(e->insn->writes & clock_bit(r)))
			continue;
		bool late = loads && !clock_writes_back(e->insn, r);
		c->reg[r] = (struct value){c->m.now,
					   clock_result(c->p, e->insn, r),
					   {late ? e->fill[0] : NO_FILL, late ? e->fill[1] : NO_FILL},
					   early,
					   reaches_sooner(c->p, e->insn, r)};
	}
}

/* True if the code lines of a block's first instruction have arrived; they are requested one at a time. */
static bool code_here(struct core *c, const struct event *e)
{
	for (unsigned k = 0; k < e->codes; k++) {
		paths_fetch(&c->m, e->code[k]);
		if (!paths_here(&c->m, e->code[k]))
			return false;
	}
	return true;
}

/* Cycles for which fetch pauses behind a correctly predicted branch. The branch target instruction cache
 * holds the last branch that cost any. */
static unsigned pause_behind(struct core *c, const struct event *e)
{
	bool again = c->p->nano_btb && (e->outcome == BRANCH_TAKEN || e->outcome == BRANCH_STATIC) &&
		     c->again == e->insn->addr;
	c->again = e->insn->addr;
	return again ? c->p->nano_taken : clock_branch(c->p, e);
}

/* Fetches up to `width` instructions into the queue, in program order, while there is room. Behind a
 * correctly predicted branch fetch pauses for the branch's cost; behind a mispredicted one, until the branch
 * has issued. */
static void fetch_ahead(struct core *c)
{
	for (unsigned n = 0; n < c->p->width && paths_since(&c->m, c->fetch); n++) {
		if (c->queued == c->s->events || c->queued - c->next == c->p->fetch_queue)
			return;
		const struct event *e = &c->s->event[c->queued++];
		paths_moved(&c->m);
		if (e->outcome == BRANCH_WRONG)
			c->fetch = NOT_YET;
		else if (e->insn->branch && clock_branch(c->p, e))
			c->fetch = c->m.now + 1 + pause_behind(c, e);
	}
}

/* The cycle from which others can issue behind an instruction of several cycles that ends at `end`: its last
 * cycle, for an access or a multiplication that leaves a slot of it, else `end`. */
static uint64_t after_several(struct core *c, const struct event *e, uint64_t end)
{
	uint8_t rule = c->p->pair[e->insn->cls];
	bool elder = rule == APMU_PAIR_BOTH || rule == APMU_PAIR_ELDER;
	bool accesses = program_accesses(e->insn) &&
			(e->insn->flags & APMU_INSN_MULTIPLE ? c->p->multiple_slot : c->p->access_slot);
	if (!elder || e->insn->branch || !(accesses || (c->p->multiply_slot && clock_multiplies(e->insn))))
		return end;
	c->rest = e->insn;
	return end - 1;
}

/* Starts the group of a cycle. An instruction in its last cycle (`rest`) takes all slots of it but one. */
static struct group begin_group(struct core *c)
{
	struct group g = {0};
	if (c->rest)
		paths_moved(&c->m); /* the slots are free in the next cycle */
	while (c->rest && g.n + 1 < c->p->width)
		g.insn[g.n++] = c->rest;
	c->rest = NULL;
	return g;
}

/* The cycle from which what follows a branch can issue. With a fetch queue, fetch waits instead. */
static uint64_t after_branch(struct core *c, const struct event *e, uint64_t end)
{
	uint64_t follows = end + clock_branch(c->p, e);
	if (c->p->fetch_queue == 0)
		return follows;
	if (e->outcome == BRANCH_WRONG)
		c->fetch = follows;
	return end;
}

static bool issue_one(struct core *c, struct group *g)
{
	const struct event *e = &c->s->event[c->next];
	if (c->p->fetch_queue && c->next == c->queued)
		return false;
	if (e->outcome == BRANCH_FOLDED) {
		paths_moved(&c->m);
		c->next++;
		return true;
	}
	if (!may_join(c, g, e)) /* not looked at in this cycle, so its line is not requested yet */
		return false;
	if (!code_here(c, e)) {
		c->queued = c->next; /* fetch waits for the line */
		c->fetch = c->m.now + 1;
		if (c->p->fetch_queue)
			paths_moved(&c->m);
		return false;
	}
	if (!operands_ready(c, e->insn) || !pipes_free(c, e->insn))
		return false;
	if (program_accesses(e->insn) && !access_memory(c, e))
		return false;
	paths_moved(&c->m);
	g->insn[g->n++] = e->insn;
	hold_pipes(c, e);
	write_registers(c, e);
	c->next++;
	unsigned cycles = issue_cycles(c, e);
	if (cycles > 1)
		c->free = after_several(c, e, c->m.now + cycles);
	if (e->insn->branch)
		c->free = after_branch(c, e, c->m.now + cycles);
	return cycles == 1 && !e->insn->branch;
}

uint64_t clock_in_order(const struct apmu_uarch_params *p, struct story *s)
{
	struct core c = {.p = p, .s = s};
	for (unsigned r = 0; r < REGISTERS; r++)
		c.reg[r].line[0] = c.reg[r].line[1] = NO_FILL;
	paths_open(&c.m, p, s);
	while (c.next < s->events) {
		paths_begin(&c.m);
		move_stores(&c);
		if (p->fetch_queue)
			fetch_ahead(&c);
		if (paths_since(&c.m, c.free)) {
			struct group g = begin_group(&c);
			while (c.next < s->events && issue_one(&c, &g))
				;
		}
		paths_end(&c.m);
	}
	paths_close(&c.m);
	return c.m.now > c.free ? c.m.now : c.free;
}
