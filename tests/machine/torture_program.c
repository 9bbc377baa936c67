/* SPDX-License-Identifier: MIT */
/* The random program: accesses as the family's lives draw them, and something to count between them. */
#include "torture.h"
#include <apmu/core.h>

#include <string.h>

static const enum apmu_view view_of[GUEST_ISAS] = {APMU_VIEW_CP, APMU_VIEW_CP, APMU_VIEW_A64};

#define PMECR 0x309E5u /* may turn interrupts into exceptions that no machine delivers */

/* Lives also try what lies beside a register; in a CPU that may be another register of the system. */
static bool listed(const struct family *f, uint32_t encoding)
{
	for (size_t i = 0; i < f->encodings; i++)
		if (f->encoding[i] == encoding)
			return true;
	return f->draw != NULL;
}

static bool suits(const struct op *op, const struct torture_case *c)
{
	return op->kind == OP_WRITE && op->at.view == view_of[c->isa] && op->at.encoding != PMECR &&
	       listed(c->family, op->at.encoding);
}

/* A write that this guest can make: the family draws it, level and world are the guest's. */
static struct op draw_write(const struct torture_case *c, struct rng *r)
{
	struct subject subject = {c->core, c->family, c->kind};
	struct op op;

	do
		op_draw(&op, r, &subject);
	while (!suits(&op, c));
	return op;
}

static void access(struct guest *g, const struct op *op, bool write, bool user)
{
	guest_load(g, 0, write ? op->value : GUEST_POISON);
	if (user)
		guest_to_user(g);
	guest_access(g, op->at, write, 0, 2);
	if (user)
		guest_to_privileged(g);
}

static void operation(struct guest *g, const struct torture_case *c, struct rng *r)
{
	struct op op = draw_write(c, r);
	bool user = rng_one_in(r, 8);

	switch (rng_below(r, 12)) {
	case 0:
	case 1:
	case 2:
	case 3:
	case 4: access(g, &op, true, user); break;
	case 5:
	case 6: access(g, &op, false, user); break;
	case 7: guest_loop(g, 1 + rng_below(r, 40)); break;
	case 8: guest_data_access(g, rng_one_in(r, 2)); break;
	case 9:
	case 10: guest_interrupts(g, !rng_one_in(r, 4)); break;
	default: guest_nop(g);
	}
}

/* Flags as read are written back: whatever the family, that clears them. On ARM11 with E set, or the request
 * stays. */
static void handler(struct guest *g, const struct torture_case *c)
{
	const struct apmu_core *core = apmu_core_find(c->core);
	static const char *const flags[] = {"PMOVSCLR_EL0", "PMOVSR", "FLAG", "PMNC"};
	const struct apmu_reg *reg = NULL;
	struct apmu_access at = {.view = view_of[c->isa]};

	for (unsigned i = 0; !reg && i < 4; i++)
		reg = apmu_reg_find(core, flags[i]);
	for (unsigned i = 0; i < reg->encodings; i++)
		if (reg->at[i].view == at.view)
			at.encoding = reg->at[i].encoding;
	guest_irq(g);
	guest_access(g, at, false, 0, 2);
	if (core->line_rule == APMU_LINE_LATCHED)
		guest_set_bit0(g);
	guest_access(g, at, true, 0, 2);
	guest_irq_end(g);
	g->isa = c->isa;
}

/* Where the cycle counter has a register of its own, and so have the enables: a life begins with an overflow
 * of it, taken as an interrupt, since random writes seldom make one. */
static void begin(struct guest *g, const struct torture_case *c)
{
	static const struct {
		const char *name[2];
		uint64_t value;
	} first[] = {{{"PMCNTENSET", "PMCNTENSET_EL0"}, 1u << 31},
		     {{"PMINTENSET", "PMINTENSET_EL1"}, 1u << 31},
		     {{"PMCCNTR", "PMCCNTR_EL0"}, (uint64_t)-40},
		     {{"PMCR", "PMCR_EL0"}, 1}};
	const struct apmu_core *core = apmu_core_find(c->core);
	struct apmu_access at = {.view = view_of[c->isa]};

	for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
		const struct apmu_reg *reg = apmu_reg_find(core, first[k].name[0]);

		reg = reg ? reg : apmu_reg_find(core, first[k].name[1]);
		if (!reg)
			return;
		for (unsigned i = 0; i < reg->encodings; i++)
			if (reg->at[i].view == at.view)
				at.encoding = reg->at[i].encoding;
		guest_load(g, 0, first[k].value);
		guest_access(g, at, true, 0, 2);
	}
	guest_interrupts(g, true);
	guest_loop(g, 20);
}

bool torture_program(const struct torture_case *c, uint64_t seed, unsigned operations, struct guest *g)
{
	struct rng r = {seed};

	guest_start(g, c->isa);
	handler(g, c);
	guest_prologue(g);
	begin(g, c);
	while (operations-- > 0)
		operation(g, c, &r);
	guest_interrupts(g, false);
	guest_exit(g);
	return !g->full;
}
