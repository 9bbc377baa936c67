/* SPDX-License-Identifier: MIT */
/*
 * DC ZVA. QEMU makes no access for it, and not every QEMU shows registers. In a block that contains one, or
 * comes shortly before one in the code, the thread's registers are followed as it runs: an access gives its
 * base's value, moves and sums give others (isa/follow.h). memset's loop has no access of its own, so what is
 * known at the end of such a block holds in the next, if no other block ran between them. A QEMU
 * that shows registers is asked if an address stays unknown; with another, that DC ZVA is counted and changes
 * no cache.
 */
#include "qemu/plugin_record.h"

#include "isa/follow.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 32u /* instructions between a block and a DC ZVA for which its registers are followed */
#define PAGE  4096u
#define XZR   31u

/* What an instruction does to the registers. */
struct effect {
	struct apmu_isa__addressed move;
	uint32_t writes;
	bool conditional;
};

/* User data of an instruction's callback. */
struct place {
	const struct apmu_qemu__zeroer *z;
	uint32_t index;
	uint8_t reg; /* of a DC ZVA: register of its address */
};

struct apmu_qemu__zeroer {
	const struct apmu_qemu__tb *tb;
	uint32_t n;
	struct place *place; /* [n] */
	struct effect effect[];
};

static void set(struct apmu_qemu__registers *r, unsigned reg, uint64_t value)
{
	if (reg >= APMU_ISA__FOLLOWED)
		return;
	r->value[reg] = value;
	r->known |= 1u << reg;
}

static bool knows(const struct apmu_qemu__registers *r, unsigned reg)
{
	return reg == APMU_ISA__NO_BASE || (reg < APMU_ISA__FOLLOWED && r->known >> reg & 1);
}

static uint64_t value_of(const struct apmu_qemu__registers *r, unsigned reg)
{
	return reg == APMU_ISA__NO_BASE ? 0 : r->value[reg];
}

/* The instruction runs. */
static void step(struct apmu_qemu__registers *r, const struct effect *e)
{
	const struct apmu_isa__addressed *m = &e->move;
	bool sum = m->what == APMU_ISA__MOVE_SUM, aligns = m->what == APMU_ISA__MOVE_ALIGN;
	bool back = m->what == APMU_ISA__MOVE_ACCESS && !m->keeps;
	bool gets =
		(sum || aligns || back) && !e->conditional && (e->writes >> m->to & 1) && knows(r, m->base);
	uint64_t value = gets ? value_of(r, m->base) : 0;

	r->known &= ~e->writes;
	if (gets)
		set(r, m->to,
		    aligns ? value & (uint64_t)m->offset : value + (uint64_t)(sum ? m->offset : m->back));
}

/* Follows the current block up to its instruction `end`. */
static void follow(struct apmu_qemu__registers *r, uint32_t end)
{
	for (; r->next < end; r->next++)
		step(r, &r->zeroer->effect[r->next]);
}

/* Comes before the block's own callback, so that the thread's block is still the one before. */
static void enter(unsigned vcpu, void *user)
{
	const struct apmu_qemu__zeroer *z = user;

	(void)vcpu;
	apmu_qemu__thread_begin();
	struct apmu_qemu__registers *r = &apmu_qemu__self->registers;
	if (r->zeroer && r->zeroer->tb == apmu_qemu__self->tb)
		follow(r, r->zeroer->n);
	else
		r->known = 0;
	r->zeroer = z;
	r->next = 0;
}

/* The first access of an instruction, at its lowest address. */
static void learn(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct place *p = user;
	struct apmu_qemu__registers *r = &apmu_qemu__self->registers;
	const struct apmu_isa__addressed *m = &p->z->effect[p->index].move;

	(void)vcpu, (void)info;
	if (r->zeroer != p->z || r->next > p->index)
		return;
	follow(r, p->index);
	set(r, m->base, vaddr - (uint64_t)m->offset);
	follow(r, p->index + 1);
}

/* Finds the address of a DC ZVA that is about to run. False: unknown. */
static bool find(const struct place *p, uint64_t *addr)
{
	struct apmu_qemu__registers *r = &apmu_qemu__self->registers;

	if (r->zeroer == p->z)
		follow(r, p->index);
	if (r->zeroer == p->z && knows(r, p->reg)) {
		*addr = r->value[p->reg];
		return true;
	}
	return p->reg != XZR && apmu_qemu__shows_registers() && apmu_qemu__general_register(p->reg, addr);
}

static void zero(unsigned vcpu, void *user)
{
	const struct place *p = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;
	unsigned bytes = apmu_qemu__plugin.share->zero_bytes;
	uint64_t addr;

	(void)vcpu;
	if (!find(p, &addr))
		return;
	if (t->sampler)
		apmu_qemu__sampler_zero(t, p->z->tb, p->index, addr, bytes);
	else
		apmu_uarch_zero(t->u, p->z->tb->block, p->index, addr, bytes);
}

static uint32_t word_of(const struct qemu_plugin_insn *q)
{
	uint8_t bytes[4];

	apmu_qemu__insn_bytes(q, bytes);
	return apmu_isa__opcode(APMU_ISA__A64, bytes, 4);
}

/* True if the code behind the block has a DC ZVA soon, in the page of the block's last instruction. */
static bool leads_to_one(const struct qemu_plugin_tb *tb, uint32_t n)
{
	const struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);
	const uint8_t *at = qemu_plugin_insn_haddr(last);
	uint64_t left = at ? (PAGE - qemu_plugin_insn_vaddr(last) % PAGE) / 4 - 1 : 0;

	for (uint64_t k = 1; k <= left && k <= AHEAD; k++)
		if (apmu_isa__is_zva(apmu_isa__opcode(APMU_ISA__A64, at + 4 * k, 4)))
			return true;
	return false;
}

static bool has_one(const struct apmu_insn *insn, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (insn[i].traits >> APMU_TRAIT_ZVA & 1)
			return true;
	return false;
}

/* A system call writes X0, or as the return of a signal any register. */
static uint32_t writes_of(const struct apmu_insn *insn)
{
	return insn->cls == APMU_CLASS_EXCEPTION ? UINT32_MAX : apmu_isa__followed_writes(insn);
}

static void listen(const struct qemu_plugin_tb *tb, struct apmu_qemu__zeroer *z, const struct apmu_insn *insn)
{
	for (uint32_t i = 0; i < z->n; i++) {
		struct qemu_plugin_insn *q = qemu_plugin_tb_get_insn(tb, i);
		uint32_t word = word_of(q);
		struct effect *e = &z->effect[i];
		bool conditional = insn[i].flags & (APMU_INSN_CONDITIONAL | APMU_INSN_EXCLUSIVE);

		*e = (struct effect){apmu_isa__addressed(APMU_ISA__A64, insn[i].addr, word, 4),
				     writes_of(&insn[i]), conditional};
		z->place[i] = (struct place){z, i, (uint8_t)(word & 31)};
		if (insn[i].traits >> APMU_TRAIT_ZVA & 1)
			qemu_plugin_register_vcpu_insn_exec_cb(
				q, zero,
				apmu_qemu__shows_registers() ? QEMU_PLUGIN_CB_R_REGS : QEMU_PLUGIN_CB_NO_REGS,
				&z->place[i]);
		else if (e->move.what == APMU_ISA__MOVE_ACCESS && e->move.base != APMU_ISA__NO_BASE &&
			 !conditional && (insn[i].cls == APMU_CLASS_LOAD || insn[i].cls == APMU_CLASS_STORE))
			qemu_plugin_register_vcpu_mem_cb(q, learn, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
							 &z->place[i]);
	}
}

bool apmu_qemu__zero_watch(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	if (!apmu_qemu__plugin.share->zero_bytes || !(has_one(insn, b->n) || leads_to_one(tb, b->n)))
		return true;
	struct apmu_qemu__zeroer *z = calloc(1, sizeof(*z) + b->n * sizeof(z->effect[0]));
	struct place *place = calloc(b->n, sizeof(*place));

	if (!z || !place) {
		free(z);
		free(place);
		return false;
	}
	*z = (struct apmu_qemu__zeroer){.tb = b, .n = b->n, .place = place};
	b->zeroer = z;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, enter, QEMU_PLUGIN_CB_NO_REGS, z);
	listen(tb, z, insn);
	return true;
}

void apmu_qemu__zero_drop(struct apmu_qemu__tb *b)
{
	if (b->zeroer)
		free(b->zeroer->place);
	free(b->zeroer);
}
