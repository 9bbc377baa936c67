/* SPDX-License-Identifier: MIT */
/* Translates a block for the out-of-order model: each instruction becomes one struct apmu_uarch__op. */
#include "uarch/window.h"

#include "uarch/timing.h"

#include <string.h>

#define MOST_SLOTS 20u /* dispatch slots of one instruction, at most */
#define SHARE      3u  /* a chunk has at most 1/SHARE of a queue: it waits for room as a whole */

static unsigned lowest(uint64_t set)
{
	return (unsigned)__builtin_ctzll(set);
}

static unsigned take_lowest(uint64_t *set, unsigned none)
{
	if (*set == 0)
		return none;
	unsigned r = (unsigned)__builtin_ctzll(*set);
	*set &= *set - 1;
	return r;
}

/* Registers that an instruction writes; an address register that is written back goes to *base instead. */
static uint64_t results_of(const struct apmu_insn *x, uint64_t *base)
{
	*base = apmu_uarch__uses_memory(x->cls) ? x->writes & ~apmu_uarch__loaded(x) : 0;
	return x->writes & ~*base;
}

/* Puts registers into source[], result[] and base, and as sets into reads and writes if they do not fit. */
static void operands(const struct apmu_insn *x, struct apmu_uarch__op *op)
{
	uint64_t base, writes = results_of(x, &base);
	uint64_t more = x->reads, written = writes;
	for (unsigned k = 0; k < 3; k++)
		op->source[k] = (uint8_t)take_lowest(&more, APMU_UARCH__NOT_READ);
	for (unsigned k = 0; k < 2; k++)
		op->result[k] = (uint8_t)take_lowest(&written, APMU_UARCH__NOT_SEEN);
	op->base = (uint8_t)take_lowest(&base, APMU_UARCH__NOT_SEEN);
	if (more || written)
		op->reads = x->reads, op->writes = writes;
}

static bool has_many(const struct apmu_uarch__op *op)
{
	return op->reads | op->writes;
}

/* Makes the half of a product that is ready earlier the first result. */
static void halves(const struct apmu_uarch_params *p, const struct apmu_insn *x, struct apmu_uarch__op *op)
{
	op->low = p->low_early && x->low;
	if (!op->low || op->result[1] + 1 != x->low)
		return;
	op->result[1] = op->result[0];
	op->result[0] = (uint8_t)(x->low - 1);
}

/* The set of a register, and of none if it is not one: what the flags displace. */
static uint64_t displaced(uint8_t reg)
{
	return reg < APMU_UARCH__FLAGS ? (uint64_t)1 << reg : 0;
}

/* Puts the flags into the first free element of result[]; if none is free, the last result goes to writes. */
static void set_flags(struct apmu_uarch__op *op, uint8_t flags)
{
	unsigned k = op->result[0] != APMU_UARCH__NOT_SEEN && op->result[0] != flags;
	op->writes |= displaced(op->result[k]);
	op->result[k] = flags;
}

/* Puts the flags into the first free element of source[]; if none is free, the last operand goes to reads. */
static void want_flags(struct apmu_uarch__op *op, uint8_t flags)
{
	unsigned k = 0;
	while (k < 2 && op->source[k] != APMU_UARCH__NOT_READ)
		k++;
	op->reads |= displaced(op->source[k]);
	op->source[k] = flags;
}

/* True for an instruction that starts when the condition flags are there. */
static bool awaits_flags(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	return (x->flags & APMU_INSN_READS_FLAGS) || apmu_uarch__passes_flags(p, x);
}

/* The last instruction that sets the flags, if an instruction before the first that sets them awaits them:
 * that one waits for it when the block repeats. Otherwise b->n. */
static uint32_t carries(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			const struct apmu_block *b)
{
	uint32_t last = b->n;
	bool wants = false;
	for (uint32_t i = 0; i < b->n; i++) {
		wants |= last == b->n && awaits_flags(p, &insn[i]) && insn[i].branch == APMU_BRANCH_NONE;
		last = insn[i].flags & APMU_INSN_SETS_FLAGS ? i : last;
	}
	return wants ? last : b->n;
}

/* The first multiplication for the high half among the instructions from `i` on; if there is none, b->n. */
static uint32_t first_high(const struct apmu_insn *insn, const struct apmu_block *b, uint32_t i)
{
	while (i < b->n && insn[i].cls != APMU_CLASS_MUL_HIGH)
		i++;
	return i < b->n ? i : b->n;
}

/* An instruction that awaits the flags waits for the last one before it that set them, in the block or, if
 * the block repeats, in the iteration before. The first multiplication for the high half between the two
 * delays them for an instruction that reads them. */
static void flags(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	uint32_t setter = carries(p, insn, b), high = first_high(insn, b, setter);
	uint8_t flags = setter < b->n ? APMU_UARCH__CARRIED : APMU_UARCH__FLAGS;
	for (uint32_t i = 0; i < b->n; i++) {
		if (awaits_flags(p, &insn[i]) && setter < b->n) {
			set_flags(&b->op[setter], flags);
			want_flags(&b->op[i], flags);
			if (high < b->n && p->mulh_flags && (insn[i].flags & APMU_INSN_READS_FLAGS))
				b->op[high].delays = 1;
		}
		if (insn[i].flags & APMU_INSN_SETS_FLAGS) {
			setter = i;
			high = b->n;
		} else if (high == b->n && insn[i].cls == APMU_CLASS_MUL_HIGH) {
			high = i;
		}
	}
}

static unsigned latency(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	unsigned cycles = apmu_uarch__timing_of(p, x).result;
	if (x->flags & APMU_INSN_MULTIPLE)
		cycles = p->multiple_first;
	if (x->cls == APMU_CLASS_LOAD && (x->flags & APMU_INSN_SUBWORD))
		cycles += p->subword_extra;
	if (x->cls == APMU_CLASS_ALU && (x->flags & APMU_INSN_SHIFT_REG))
		cycles += p->shift_reg;
	return cycles;
}

/* True if the instruction writes its address register back. The `base` of a store-exclusive is its status
 * register. */
static bool writes_back(const struct apmu_insn *x, const struct apmu_uarch__op *op)
{
	return op->base != APMU_UARCH__NOT_SEEN && !(x->flags & APMU_INSN_EXCLUSIVE);
}

/* Sets the pipes that an instruction takes. If it needs more than its group has, it holds each for longer. */
static void take(const struct apmu_uarch_params *p, const struct apmu_uarch__timing *t, unsigned transfers,
		 struct apmu_uarch__op *op)
{
	unsigned all = t->busy * t->pipes * transfers,
		 n = t->pipes < p->pipes[t->unit] ? t->pipes : p->pipes[t->unit];
	unsigned each = all / n, hold = each / APMU_UARCH__PARTS;
	op->hold = (uint16_t)(hold < UINT16_MAX ? hold : UINT16_MAX);
	op->part = each % APMU_UARCH__PARTS & 15;
	op->pipes = each ? n & 15 : 0;
}

static void fill(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_uarch__op *op)
{
	struct apmu_insn x = *insn;
	x.cls = apmu_uarch__class_of(insn);
	struct apmu_uarch__timing t = apmu_uarch__timing_of(p, &x);
	unsigned transfers = apmu_uarch__transfer_cycles(p, &x), unit = t.unit;
	operands(&x, op);
	halves(p, &x, op);
	op->unit = unit & 15;
	transfers = transfers < MOST_SLOTS ? transfers : MOST_SLOTS;
	unsigned slots = t.each ? x.regs * t.each : transfers * t.slots;
	slots += writes_back(&x, op) ? t.base : 0;
	op->slots = slots < MOST_SLOTS ? slots & 31 : MOST_SLOTS;
	if (unit)
		take(p, &t, transfers, op);
	op->late = t.late < 16 ? t.late & 15 : 15;
	if (!x.late_reads)
		op->late = 0;
	op->latency = (uint16_t)latency(p, &x);
	op->load = x.cls == APMU_CLASS_LOAD || x.cls == APMU_CLASS_SWAP;
	op->store = x.cls == APMU_CLASS_STORE || x.cls == APMU_CLASS_SWAP;
	op->flags = p->flag_registers && apmu_uarch__takes_flag_register(p, &x);
	op->vector = p->unit[APMU_CLASS_SIMD] ? t.vector & 15 : 0;
	op->entries = apmu_uarch__on_vectors(p, &t, x.cls) ? op->slots : 1;
	if (op->store && op->base == APMU_UARCH__NOT_SEEN)
		op->base = APMU_UARCH__NO_BASE;
}

/* Sets which of two pipes an integer data-processing instruction goes to. Multiplications go to the main one,
 * as does the first of the instructions that are dispatched together. */
static void pipes(const struct apmu_uarch_params *p, struct apmu_block *b)
{
	bool taken = false;
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu_uarch__step *s = &b->step[i];
		if (i % (p->width ? p->width : 1u) == 0)
			taken = false;
		if (!(s->traits >> APMU_TRAIT_DP & 1))
			continue;
		s->pipe = taken && s->cls == APMU_CLASS_ALU ? 2 : 1;
		taken = true;
	}
}

/* Moves the accumulator to source[2]. */
static void addend_last(struct apmu_uarch__op *op, unsigned reg)
{
	for (unsigned k = 0; k < 2; k++)
		if (op->source[k] == reg) {
			op->source[k] = op->source[2];
			op->source[2] = (uint8_t)reg;
		}
}

/* addend_last() for an instruction with more registers than fit, or several accumulators. `came`: the
 * accumulators that one instruction wrote; `reg` stands for them. */
static void addend_of_many(const struct apmu_insn *x, struct apmu_uarch__op *op, unsigned reg, uint64_t came)
{
	uint64_t base;
	uint8_t flags = APMU_UARCH__NOT_READ;
	for (unsigned k = 0; k < 3; k++)
		if (op->source[k] == APMU_UARCH__FLAGS || op->source[k] == APMU_UARCH__CARRIED)
			flags = op->source[k];
	op->source[0] = flags;
	op->source[1] = APMU_UARCH__NOT_READ;
	op->source[2] = (uint8_t)reg;
	op->reads = x->reads & ~came;
	op->writes = results_of(x, &base);
}

/* A fused instruction is dispatched and executed together with the instruction before it. */
static void fuse(struct apmu_uarch__op *op)
{
	op->unit = 0;
	op->hold = op->part = op->pipes = 0;
	op->fused = 1;
}

/* A B.cond and the compare before it are one micro-operation, which a pipe for branches executes. When the
 * branch is known does not change: a cycle after the compare. */
static void fuse_branch(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	uint32_t i = b->n - 1;
	if (!p->fused_compares || b->n < 2 || insn[i].branch == APMU_BRANCH_NONE ||
	    !(insn[i].flags & APMU_INSN_READS_FLAGS) || insn[i - 1].group != APMU_GROUP_COMPARE)
		return;
	struct apmu_uarch__op *compare = &b->op[i - 1], *branch = &b->op[i];
	compare->unit = branch->unit;
	compare->pipes = branch->pipes;
	compare->hold = branch->hold;
	compare->part = branch->part;
	fuse(branch);
	branch->slots = 0;
	b->step[i].ops = 0;
}

/* An accumulator is needed late only if certain instructions wrote it. Its writer is the last one before x in
 * the block or, if there is none, the last one of the iteration before. */
static void choose_addend(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			  const uint32_t *writer, const struct apmu_insn *x, struct apmu_uarch__op *op)
{
	uint32_t adder = UINT32_MAX;
	unsigned reg = 0;
	uint64_t came = 0;
	for (uint64_t set = x->late_reads; set; set &= set - 1) {
		uint32_t w = writer[lowest(set)];
		bool adds = w != UINT32_MAX && apmu_uarch__timing_takes_late(p, x, &insn[w]);
		if (adds && adder == UINT32_MAX)
			adder = w, reg = lowest(set);
		came |= adds && w == adder ? set & (0 - set) : 0;
	}
	if (adder != UINT32_MAX && apmu_uarch__timing_fuses(x))
		fuse(op);
	if (adder == UINT32_MAX)
		op->late = 0;
	else if (has_many(op) || (x->late_reads & (x->late_reads - 1)))
		addend_of_many(x, op, reg, came);
	else
		addend_last(op, reg);
}

static void choose_addends(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			   struct apmu_block *b)
{
	uint32_t writer[64];
	for (uint32_t r = 0; r < 64; r++)
		writer[r] = UINT32_MAX;
	for (uint32_t i = 0; i < 2 * b->n; i++) { /* first pass: the writers of the iteration before */
		if (i >= b->n && b->op[i - b->n].late)
			choose_addend(p, insn, writer, &insn[i - b->n], &b->op[i - b->n]);
		for (uint64_t set = insn[i % b->n].writes; set; set &= set - 1)
			writer[lowest(set)] = i % b->n;
	}
}

/* Sorts the operands by when the block wrote them, the last one first; unused ones come last. An accumulator
 * stays in source[2]. */
static void sort(struct apmu_uarch__op *op, const uint32_t *written)
{
	for (unsigned k = 1; k < (op->late ? 2 : 3); k++)
		for (unsigned j = k; j > 0 && written[op->source[j]] > written[op->source[j - 1]]; j--) {
			uint8_t later = op->source[j];
			op->source[j] = op->source[j - 1];
			op->source[j - 1] = later;
		}
}

static void order(struct apmu_block *b)
{
	uint32_t written[APMU_UARCH__REGISTERS];
	for (unsigned r = 0; r < APMU_UARCH__REGISTERS; r++)
		written[r] = r != APMU_UARCH__NOT_READ;
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu_uarch__op *op = &b->op[i];
		sort(op, written);
		written[op->result[0]] = written[op->result[1]] = i + 2;
	}
}

/* Marks multiplications whose operand written last is an ALU result, of this block or, if the block repeats,
 * of the iteration before. Results of other blocks are assumed to be ready long before. */
static void factors(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	uint8_t from[APMU_UARCH__REGISTERS];
	memset(from, APMU_CLASS_NOP, sizeof(from));
	for (uint32_t i = 0; p->alu_factor && i < 2 * b->n; i++) {
		const struct apmu_insn *x = &insn[i % b->n];
		struct apmu_uarch__op *op = &b->op[i % b->n];
		unsigned known = from[op->source[0]] == APMU_CLASS_NOP; /* the factor with a known writer */
		if (apmu_uarch__multiplies(x->cls) && !x->late_reads)
			op->factor = from[op->source[known]] == APMU_CLASS_ALU;
		for (uint64_t set = x->writes; set; set &= set - 1)
			from[lowest(set)] = x->cls;
	}
}

static bool is_plain(const struct apmu_uarch_params *p, const struct apmu_uarch__op *op)
{
	bool ordered = p->ordered && op->unit == p->ordered;
	bool one_cycle =
		op->pipes == 0 || (op->pipes == 1 && op->hold == 1 && !op->part &&
				   (!p->within[op->unit] || apmu_uarch__queue_per_pipe(p, op->unit)));
	return !ordered && one_cycle && !op->late && !op->factor && !op->vector && !op->low && !op->delays &&
	       !has_many(op) && op->base == APMU_UARCH__NOT_SEEN;
}

static void chunk(const struct apmu_uarch_params *p, struct apmu_uarch__op *op, uint32_t n,
		  struct apmu_uarch__chunk *c)
{
	uint32_t since = 0;
	c->n = (uint8_t)n;
	for (uint32_t i = 0; i < n; i++, op++) {
		op->plain = is_plain(p, op);
		c->scheduled |= apmu_uarch__schedulers_of(p, op->unit).in ||
				(op->vector && apmu_uarch__schedulers_of(p, p->unit[APMU_CLASS_SIMD]).in);
		c->slots = (uint16_t)(c->slots + op->slots);
		c->loads = (uint8_t)(c->loads + op->load);
		c->stores = (uint8_t)(c->stores + op->store);
		c->flags = (uint8_t)(c->flags + op->flags);
		since += op->slots * APMU_UARCH__TICKS;
	}
	c->ticks = (uint16_t)since;
}

/* The queues that instructions are dispatched to. RENAMED: none, for register renaming completes them. */
enum { NO_QUEUE, INTEGER, MEMORY, VECTOR, RENAMED, QUEUES };

static unsigned queue_of(unsigned cls, const struct apmu_uarch__op *op)
{
	bool renamed = op->latency == 0 && op->unit == 0;

	switch ((enum apmu_class)cls) {
	case APMU_CLASS_LOAD:
	case APMU_CLASS_STORE:
	case APMU_CLASS_SWAP:
	case APMU_CLASS_PRELOAD: return MEMORY;
	case APMU_CLASS_VFP:
	case APMU_CLASS_VFP_MAC:
	case APMU_CLASS_VFP_DIV:
	case APMU_CLASS_VFP_DIV_64:
	case APMU_CLASS_SIMD: return renamed ? RENAMED : VECTOR;
	case APMU_CLASS_NOP:
	case APMU_CLASS_BARRIER:
	case APMU_CLASS_EXCEPTION:
	case APMU_CLASS_UNKNOWN: return NO_QUEUE;
	default: return renamed ? RENAMED : INTEGER;
	}
}

/* Places of its queue that an instruction takes: one per micro-operation. A vector instruction takes one,
 * however many slots (Cortex-A15 as measured). */
static unsigned places(const struct apmu_uarch__op *op, bool vector)
{
	if (op->fused)
		return 0;
	return vector ? 1 : op->slots;
}

/* Micro-operations dispatched to a queue that accepts `most` per cycle: their number, and when the last ones
 * were. */
struct dispatched {
	uint32_t most, n;
	uint32_t at[16]; /* ticks after the block's begin, of micro-operation k in at[k % most] */
};

/* The tick at which a micro-operation that could be dispatched at the tick `at` is dispatched: its queue
 * accepts no more than `most` per cycle. */
static uint32_t leave(struct dispatched *q, uint32_t at, uint32_t cycle)
{
	uint32_t *before = &q->at[q->n % q->most];
	at = q->n >= q->most && *before + cycle > at ? *before + cycle : at;
	*before = at;
	q->n++;
	return at;
}

/* Sets how long dispatch pauses because a queue accepts no more in a cycle; at the block's end, until all
 * queues have accepted their instructions. The queues are taken to be idle at the block's begin. */
static void pauses(const struct apmu_uarch_params *p, struct apmu_block *b)
{
	struct dispatched q[QUEUES] = {[INTEGER] = {.most = p->dispatch.integer},
				       [MEMORY] = {.most = p->dispatch.memory},
				       [VECTOR] = {.most = p->dispatch.vector},
				       [RENAMED] = {.most = p->dispatch.renamed}};
	uint32_t cycle = apmu_uarch__ticks_per_cycle(p), at = 0, begin = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu_uarch__chunk *c = &apmu_uarch__chunks(b)[i / b->chunk];
		struct dispatched *into = &q[queue_of(b->step[i].cls, &b->op[i])];
		for (unsigned k = 0; into->most && k < places(&b->op[i], into == &q[VECTOR]); k++)
			at = leave(into, at, cycle);
		at += b->op[i].slots * APMU_UARCH__TICKS;
		for (unsigned k = INTEGER; i + 1 == b->n && k < QUEUES; k++)
			if (q[k].most && q[k].n * cycle > at * q[k].most)
				at = q[k].n * cycle / q[k].most;
		if (i % b->chunk + 1 != c->n)
			continue;
		c->pause = (uint16_t)(at - begin - c->ticks);
		begin = at;
	}
}

/* The block's fingerprint. A pointer would not do: a later block may have the address of a freed one. */
static uint64_t fingerprint(const struct apmu_block *b)
{
	uint64_t h = (uint64_t)b->n << 2 | (uint64_t)b->synchronizes << 1 | (b->barriers != 0);
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t word[(sizeof(b->op[i]) + 7) / 8] = {0};
		memcpy(word, &b->op[i], sizeof(b->op[i]));
		for (size_t k = 0; k < sizeof(word) / sizeof(word[0]); k++) {
			h = (h ^ word[k]) * 0x9E3779B97F4A7C15u;
			h ^= h >> 32;
		}
		h += i % b->chunk ? 0 : (uint64_t)apmu_uarch__chunks(b)[i / b->chunk].pause << 48;
	}
	return h;
}

uint32_t apmu_uarch__chunk_length(const struct apmu_uarch_params *p)
{
	uint32_t length = APMU_UARCH__CHUNK;
	const uint32_t queue[] = {p->load_queue, p->store_queue, p->flag_registers};
	for (unsigned k = 0; k < sizeof(queue) / sizeof(queue[0]); k++)
		if (queue[k] && queue[k] / SHARE < length)
			length = queue[k] / SHARE;
	return length ? length : 1;
}

void apmu_uarch__ops(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		fill(p, &insn[i], &b->op[i]);
	flags(p, insn, b);
	fuse_branch(p, insn, b);
	choose_addends(p, insn, b);
	order(b);
	factors(p, insn, b);
	for (uint32_t i = 0; i < b->n; i += b->chunk)
		chunk(p, &b->op[i], b->n - i < b->chunk ? b->n - i : b->chunk,
		      &apmu_uarch__chunks(b)[i / b->chunk]);
	pauses(p, b);
	pipes(p, b);
	b->fingerprint = fingerprint(b);
}
