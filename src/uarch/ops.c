/* SPDX-License-Identifier: MIT */
/* A block for the out-of-order model: at translation, each instruction becomes one struct apmu__op. */
#include "window.h"

#include <string.h>

#define MOST_SLOTS 20u /* of one instruction */

static bool uses_memory(const struct apmu_insn *x)
{
	return x->cls == APMU_CLASS_LOAD || x->cls == APMU_CLASS_STORE || x->cls == APMU_CLASS_SWAP;
}

static unsigned take_lowest(uint64_t *set, unsigned none)
{
	if (*set == 0)
		return none;
	unsigned r = (unsigned)__builtin_ctzll(*set);
	*set &= *set - 1;
	return r;
}

/* Registers in fixed places; `many` when they do not fit. */
static void operands(const struct apmu_insn *x, struct apmu__op *op)
{
	uint64_t loads = apmu__loaded(x), reads = apmu__operands_of(x->reads, x);
	uint64_t writes = apmu__operands_of(x->writes, x);
	uint64_t base = uses_memory(x) ? writes & ~loads : 0, results = writes & ~base;
	op->reads = reads;
	op->writes = results;
	for (unsigned k = 0; k < 3; k++)
		op->source[k] = (uint8_t)take_lowest(&reads, APMU__NOT_READ);
	for (unsigned k = 0; k < 2; k++)
		op->result[k] = (uint8_t)take_lowest(&results, APMU__NOT_SEEN);
	op->base = (uint8_t)take_lowest(&base, APMU__NOT_SEEN);
	op->many = reads || results;
}

/* Compares write the flags alone; a conditional instruction waits for the last compare before it, or for the
 * last ALU instruction where there is none. */
static void flags(const struct apmu_insn *insn, struct apmu_block *b)
{
	uint32_t setter = b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct apmu_insn *x = &insn[i];
		bool reads_flags = (x->flags & APMU_INSN_CONDITIONAL) && !(x->branch && x->reads);
		if (reads_flags && setter < b->n) {
			b->op[setter].result[1] = APMU__FLAGS;
			b->op[i].source[2] = APMU__FLAGS;
		}
		bool compares = x->cls == APMU_CLASS_ALU && x->writes == 0;
		bool computes = x->cls == APMU_CLASS_ALU && b->op[i].result[1] == APMU__NOT_SEEN;
		if (compares || (computes && (setter == b->n || insn[setter].writes != 0)))
			setter = i;
	}
}

static uint16_t ticks(const struct apmu_uarch_params *p, unsigned cycles)
{
	unsigned all = cycles * apmu__ticks_per_cycle(p);
	return (uint16_t)(all < UINT16_MAX ? all : UINT16_MAX);
}

static unsigned latency(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	unsigned cycles = p->result[x->cls];
	if (x->flags & APMU_INSN_MULTIPLE)
		cycles = p->multiple_first;
	if (x->cls == APMU_CLASS_LOAD && (x->flags & APMU_INSN_SUBWORD))
		cycles += p->subword_extra;
	if (x->cls == APMU_CLASS_ALU && (x->flags & APMU_INSN_SHIFT_REG))
		cycles += p->shift_reg;
	return cycles;
}

static void fill(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu__op *op)
{
	struct apmu_insn x = *insn;
	x.cls = x.cls < APMU_CLASSES ? x.cls : (uint8_t)APMU_CLASS_UNKNOWN;
	unsigned transfers = apmu__transfer_cycles(p, &x), unit = p->unit[x.cls];
	operands(&x, op);
	op->unit = (uint8_t)unit;
	transfers = transfers < MOST_SLOTS ? transfers : MOST_SLOTS;
	op->ticks = (uint8_t)(transfers * APMU__TICKS);
	op->hold = (uint16_t)(unit ? ticks(p, p->issue[x.cls] * transfers) / p->pipes[unit] : 0);
	op->latency = ticks(p, latency(p, &x));
	op->load = x.cls == APMU_CLASS_LOAD || x.cls == APMU_CLASS_SWAP;
	op->store = x.cls == APMU_CLASS_STORE || x.cls == APMU_CLASS_SWAP;
}

/* Which of two pipes takes an instruction of integers. Multiplications, and the first of those dispatched
 * together, go to the main one. */
static void pipes(const struct apmu_uarch_params *p, struct apmu_block *b)
{
	bool taken = false;
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu__step *s = &b->step[i];
		if (i % (p->width ? p->width : 1u) == 0)
			taken = false;
		if (!(s->traits >> APMU_TRAIT_DP & 1))
			continue;
		s->pipe = taken && s->cls == APMU_CLASS_ALU ? 2 : 1;
		taken = true;
	}
}

/* 64 bits tell blocks apart: an address would not, for a later block may lie where a freed one lay. */
static uint64_t print(const struct apmu_block *b)
{
	uint64_t h = (uint64_t)b->n << 1 | (b->barriers != 0);
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t word[(sizeof(b->op[i]) + 7) / 8] = {0};
		memcpy(word, &b->op[i], sizeof(b->op[i]));
		for (size_t k = 0; k < sizeof(word) / sizeof(word[0]); k++) {
			h = (h ^ word[k]) * 0x9E3779B97F4A7C15u;
			h ^= h >> 32;
		}
	}
	return h;
}

void apmu__ops(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		fill(p, &insn[i], &b->op[i]);
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu__op *first = &b->op[i - i % APMU__CHUNK];
		bool plain = !b->op[i].many && !b->op[i].store && b->op[i].base == APMU__NOT_SEEN;
		first->chunk_plain = plain && (first == &b->op[i] || first->chunk_plain);
		first->chunk_slots = (uint16_t)(first->chunk_slots + b->op[i].ticks / APMU__TICKS);
		first->chunk_loads = (uint8_t)(first->chunk_loads + b->op[i].load);
		first->chunk_stores = (uint8_t)(first->chunk_stores + b->op[i].store);
	}
	flags(insn, b);
	pipes(p, b);
	b->print = print(b);
}
