/* SPDX-License-Identifier: MIT */
/*
 * Regions: only a part of the program counts. The machine runs all the time, so that its caches are as they
 * would be; at a boundary the running totals are noted. What the block has counted at entry for instructions
 * beyond the boundary is known, and is counted on the side where they are.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>

enum action { BEGIN = 1, END, SWITCH };

/* True for a jump by a table of A32 or T32, which stays within its function: TBB, TBH, LDR PC with a
 * condition (a switch's range check) or of two registers. */
static bool by_table(const struct apmu_insn *last)
{
	bool indexed = __builtin_popcountll(last->reads & 0xFFFF) == 2;

	if (last->cls != APMU_CLASS_LOAD || last->regs)
		return false;
	return last->branch == APMU_BRANCH_INDIRECT || indexed || (last->flags & APMU_INSN_CONDITIONAL);
}

uint8_t apmu_qemu__flow_of(const struct apmu_insn *last)
{
	if (last->flags & APMU_INSN_KUSER) /* returns to the address in LR, which the caller set itself */
		return APMU_QEMU__FLOW_JUMP;
	switch (last->branch) {
	case APMU_BRANCH_IMMED_LINK:
	case APMU_BRANCH_IMMED_X:
	case APMU_BRANCH_INDIRECT_LINK: return APMU_QEMU__FLOW_CALL;
	case APMU_BRANCH_RETURN: return APMU_QEMU__FLOW_RETURN;
	case APMU_BRANCH_INDIRECT:
	case APMU_BRANCH_LOAD_PC: return by_table(last) ? APMU_QEMU__FLOW_NONE : APMU_QEMU__FLOW_JUMP;
	default: return APMU_QEMU__FLOW_NONE;
	}
}

static const struct apmu_qemu__run_region *region(void)
{
	return &apmu_qemu__plugin.region;
}

/* Returns where an address of the program's file lies in memory. */
static uint64_t loaded(uint64_t address)
{
	return address + apmu_qemu__load_bias();
}

static uint8_t at_address(uint64_t addr)
{
	if (addr == loaded(region()->begin))
		return BEGIN;
	for (uint32_t i = 0; i < region()->functions && i < APMU_QEMU__REGION_FUNCTIONS - 1; i++)
		if (addr == loaded(region()->other[i]))
			return BEGIN;
	return region()->kind == APMU_QEMU__REGION_ADDRESSES && addr == loaded(region()->end) ? END : 0;
}

static uint8_t at_mark(int number)
{
	if (number < 0 || ((uint64_t)number != region()->begin && (uint64_t)number != region()->end))
		return 0;
	if (region()->begin == region()->end)
		return SWITCH;
	return (uint64_t)number == region()->begin ? BEGIN : END;
}

static uint8_t action_at(const struct qemu_plugin_insn *insn, enum apmu_isa__isa isa)
{
	unsigned size = apmu_qemu__insn_size(isa, insn);
	uint8_t bytes[4];

	if (region()->kind != APMU_QEMU__REGION_MARKS)
		return at_address(qemu_plugin_insn_vaddr(insn));
	apmu_qemu__insn_bytes(insn, bytes);
	return size < 2 ? 0 : at_mark(apmu_isa__mark_number(isa, apmu_isa__opcode(isa, bytes, size), size));
}

void apmu_qemu__region_count_until(struct apmu_qemu__slot *slot, const struct apmu_tally *rest)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		slot->counted.n[s] += slot->tally.n[s] - rest->n[s] - slot->entered.n[s];
}

void apmu_qemu__region_count_from(struct apmu_qemu__slot *slot, const struct apmu_tally *rest)
{
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		slot->entered.n[s] = slot->tally.n[s] - rest->n[s];
}

/* Returns the place of the return address of the newest call but `k`. */
static uint64_t *back(struct apmu_qemu__thread *t, uint32_t k)
{
	return &t->back[(t->calls - 1 - k) % APMU_QEMU__BACKS];
}

/* Forgets the calls that have returned, if `addr` is the return address of one of the newest `most`. */
static void come_back(struct apmu_qemu__thread *t, uint64_t addr, uint32_t most)
{
	uint32_t k = 0;

	while (k < most && *back(t, k) != addr)
		k++;
	for (uint32_t i = 0; k < most && i <= k; i++, t->calls--)
		*back(t, 0) = 0;
}

/* Follows calls and returns. A function that is entered by a tail call returns to where its caller would. */
static void follow(struct apmu_qemu__thread *t, uint64_t to)
{
	const struct apmu_qemu__tb *from = t->tb;

	if (from->flow == APMU_QEMU__FLOW_CALL && to != from->end) {
		t->calls++;
		*back(t, 0) = from->end;
	} else if (from->flow == APMU_QEMU__FLOW_RETURN || from->syscall) { /* or from a signal's handler */
		come_back(t, to, APMU_QEMU__BACKS);
	} else if (from->flow == APMU_QEMU__FLOW_JUMP) {
		come_back(t, to, 1);
	}
}

static void leave(struct apmu_qemu__thread *t, const struct apmu_tally *rest)
{
	apmu_qemu__region_count_until(t->slot, rest);
	t->slot->inside = false;
	t->until = 1;
}

static void enter(struct apmu_qemu__thread *t, const struct apmu_tally *rest)
{
	apmu_qemu__region_count_from(t->slot, rest);
	t->slot->inside = true;
	if (region()->kind == APMU_QEMU__REGION_FUNCTION)
		t->until = *back(t, 0);
	atomic_fetch_add(&apmu_qemu__plugin.share->region_entered, 1);
}

void apmu_qemu__region_leave(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *b)
{
	leave(t, &b->rest);
	if (t->sampler)
		apmu_qemu__sampler_pause(t, b->tb, b->index, &b->rest);
}

void apmu_qemu__region_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *b)
{
	enter(t, &b->rest);
	if (t->sampler)
		apmu_qemu__sampler_resume(t, b->tb, b->index, &b->rest);
}

static void cross(unsigned vcpu, void *user)
{
	const struct apmu_qemu__boundary *b = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;
	bool inside = t->slot->inside;

	(void)vcpu;
	if (inside ? b->action == BEGIN : b->action == END)
		return;
	if (inside && b->action == SWITCH)
		b = b->next; /* the boundary before the mark */
	(inside ? apmu_qemu__region_leave : apmu_qemu__region_enter)(t, b);
}

void apmu_qemu__region_step(unsigned vcpu, void *user)
{
	static const struct apmu_tally nothing;
	const struct apmu_qemu__tb *to = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	if (!t)
		return;
	follow(t, to->addr);
	if (t->until != to->addr || !t->slot->inside)
		return;
	leave(t, &nothing);
	if (t->sampler)
		apmu_qemu__sampler_pause(t, t->tb, t->tb->n, &nothing);
}

struct apmu_qemu__boundary *apmu_qemu__region_boundary(struct apmu_qemu__tb *b, uint32_t i)
{
	struct apmu_qemu__boundary *boundary = calloc(1, sizeof(*boundary));

	if (!boundary || !apmu_qemu__reference_machine()) {
		free(boundary);
		return NULL;
	}
	boundary->tb = b;
	boundary->index = i;
	for (uint32_t k = i; k < b->n; k++)
		apmu_uarch_ahead(apmu_qemu__reference_machine(), b->block, k, &boundary->rest);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		boundary->rest.n[s] = 0 - boundary->rest.n[s];
	boundary->next = b->boundary;
	return b->boundary = boundary;
}

static bool add(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, uint32_t i, uint8_t action)
{
	/* a mark's own instruction counts on neither side */
	bool behind = region()->kind == APMU_QEMU__REGION_MARKS && action != END;

	if (action == SWITCH && !apmu_qemu__region_boundary(b, i))
		return false;
	struct apmu_qemu__boundary *boundary = apmu_qemu__region_boundary(b, behind ? i + 1 : i);
	if (!boundary)
		return false;
	boundary->action = action;
	qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, i), cross, QEMU_PLUGIN_CB_NO_REGS,
					       boundary);
	return true;
}

bool apmu_qemu__region_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, enum apmu_isa__isa isa)
{
	if (region()->kind == APMU_QEMU__REGION_REQUESTS)
		return apmu_qemu__requests_block(tb, b);
	for (uint32_t i = 0; i < b->n; i++) {
		uint8_t action = action_at(qemu_plugin_tb_get_insn(tb, i), isa);
		if (action && !add(tb, b, i, action))
			return false;
	}
	return true;
}

void apmu_qemu__region_drop(struct apmu_qemu__tb *b)
{
	while (b->boundary) {
		struct apmu_qemu__boundary *next = b->boundary->next;
		free(b->boundary);
		b->boundary = next;
	}
}
