/* SPDX-License-Identifier: MIT */
#include "base/log2.h"
#include "uarch/machine.h"
#include "uarch/timing.h"

#include <stdlib.h>
#include <string.h>

#define ALIGN _Alignof(struct apmu_block)

#define SHORT 8 /* most bytes of an access of unknown element size that may take the fast path */

bool apmu_uarch__step_is_immediate(const struct apmu_uarch__step *s)
{
	return s->branch == APMU_BRANCH_IMMED || s->branch == APMU_BRANCH_IMMED_LINK;
}

/* What the erratum of XScale's event 0x1 adds for an instruction. Branches add theirs when they are resolved
 * (branch.c). */
unsigned apmu_uarch__step_spurious(const struct apmu_uarch_params *p, const struct apmu_uarch__step *s)
{
	bool hit = s->cls == APMU_CLASS_EXCEPTION || (s->flags & (APMU_INSN_MODE | APMU_INSN_CACHE_OP));
	return hit ? p->stall_extra : 0;
}

static bool vectors(const struct apmu_insn *x)
{
	return (x->reads | x->writes) >> 32 || x->flags & APMU_INSN_VECTOR;
}

/* True if the instruction makes one access whenever it runs. QEMU splits pairs, vectors and lists as it
 * likes, and a conditional instruction may make no access. */
static bool unconditional(const struct apmu_insn *x)
{
	unsigned many = APMU_INSN_CONDITIONAL | APMU_INSN_DOUBLE | APMU_INSN_MULTIPLE | APMU_INSN_EXCLUSIVE;

	return (x->cls == APMU_CLASS_LOAD || x->cls == APMU_CLASS_STORE) && !(x->flags & many) &&
	       !vectors(x) && x->width > 0 && x->width <= 8;
}

/* True for an SVE load or store. A prefetch has no width. */
static bool sve(const struct apmu_uarch__step *s)
{
	return (s->traits >> APMU_TRAIT_SVE & 1) && s->width &&
	       (s->cls == APMU_CLASS_LOAD || s->cls == APMU_CLASS_STORE);
}

/* True for LDR, STR, LDP and STP of vectors of 128 bits. Structures (LD1 to ST4), which say what must be
 * aligned, may access less at once. */
static bool quads(const struct apmu_insn *x, const struct apmu_uarch__step *s)
{
	return s->width == 16 && !x->aligned && vectors(x) && !s->sve &&
	       (s->cls == APMU_CLASS_LOAD || s->cls == APMU_CLASS_STORE);
}

/* The register that a load writes back; a load writes back at most one. */
static uint8_t base_of(const struct apmu_insn *x)
{
	bool load = x->cls == APMU_CLASS_LOAD || x->cls == APMU_CLASS_SWAP;
	uint64_t back = load ? x->writes & ~apmu_uarch__loaded(x) : 0;

	return back ? (uint8_t)__builtin_ctzll(back) : APMU_UARCH__NOT_SEEN;
}

/* Marks loads and stores of vectors of 128 bits if events that depend on their alignment are wanted. */
static void mark_whole(const uint64_t wanted[APMU_SIGNAL_WORDS], struct apmu_block *b)
{
	static const unsigned by_alignment[] = {APMU_SIG_UNALIGNED_LD, APMU_SIG_UNALIGNED_ST,
						APMU_SIG_SPLIT_LD, APMU_SIG_SPLIT_ST};
	bool any = false;
	for (unsigned k = 0; k < sizeof(by_alignment) / sizeof(by_alignment[0]); k++)
		any |= wanted[by_alignment[k] / 64] >> by_alignment[k] % 64 & 1;
	for (uint32_t i = 0; any && i < b->n; i++) {
		struct apmu_uarch__step *s = &b->step[i];
		s->whole = s->width == 16 && !sve(s);
		s->most = s->whole ? 0 : s->most;
	}
}

static void copy(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		struct apmu_uarch__step *s = &b->step[i];
		*s = (struct apmu_uarch__step){.reads = insn[i].reads,
					       .writes = insn[i].writes,
					       .base = base_of(&insn[i]),
					       .offset = (uint32_t)(insn[i].addr - insn[0].addr)};
		s->flags = insn[i].flags;
		s->cls = apmu_uarch__class_of(&insn[i]);
		s->branch = insn[i].branch < APMU_BRANCHES ? insn[i].branch : (uint8_t)APMU_BRANCH_NONE;
		s->width = insn[i].width;
		s->aligned = insn[i].aligned ? insn[i].aligned : insn[i].width;
		s->most = s->width ? s->width : SHORT;
		if ((s->flags & APMU_INSN_DOUBLE) && s->most < 16 && p->access_rule == APMU_ACCESS_PER_LINE)
			s->most = (uint8_t)(2 * s->most); /* both registers at once are one access */
		s->traits = apmu_uarch__traits_of(&insn[i]);
		if (s->traits &
		    ((uint64_t)1 << APMU_TRAIT_STREX)) /* the general path counts whether it stores */
			s->most = 0;
		s->sve = sve(s);
		if (s->sve)
			s->most = 0;
		s->quads = quads(&insn[i], s);
		s->unconditional = s->most && unconditional(&insn[i]);
		s->stores = (uint16_t)b->storing;
		b->storing += s->cls == APMU_CLASS_STORE || s->cls == APMU_CLASS_SWAP;
		s->ops = (uint8_t)apmu_uarch__transfer_cycles(p, &insn[i]);
		b->barriers += s->cls == APMU_CLASS_BARRIER;
		b->halves |= insn[i].halves;
		b->synchronizes |= s->traits >> APMU_TRAIT_ISB & 1;
		b->spurious += apmu_uarch__step_spurious(p, s);
		b->helper |= (s->flags & APMU_INSN_KUSER) != 0;
		b->alone += apmu_uarch__alone(p, &insn[i]);
	}
}

uint32_t apmu_uarch__holder(const struct apmu_block *b, uint64_t addr)
{
	uint32_t i = b->n - 1;

	while (i > 0 && apmu_uarch__address_of(b, i) > addr)
		i--;
	return i;
}

uint32_t apmu_uarch__barrier(const struct apmu_block *b)
{
	uint32_t i = b->n - 1;

	while (i > 0 && b->step[i].cls != APMU_CLASS_BARRIER)
		i--;
	return i;
}

static uint32_t fetches(const struct apmu_uarch_params *p, const struct apmu_block *b)
{
	uint64_t bytes = p->fetch_bytes ? p->fetch_bytes : p->l1i.line;
	uint64_t n = (b->end - 1) / bytes - b->addr / bytes + 1;
	return n == 0 || n > 2 * (uint64_t)b->n ? 1 : (uint32_t)n; /* the addresses are not consecutive */
}

static void place(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b)
{
	const struct apmu_insn *last = &insn[b->n - 1];
	const struct apmu_uarch__step *step = &b->step[b->n - 1];
	unsigned shift = apmu_base__log2(p->l1i.line);
	b->addr = insn[0].addr;
	b->branch = last->addr;
	b->end = last->addr + last->size;
	b->target = step->branch == APMU_BRANCH_NONE ? b->end : last->target;
	b->line = b->addr >> shift;
	b->lines = (uint32_t)(((b->end - 1) >> shift) - b->line) + 1;
	if (b->lines == 0 || b->lines > b->n + 1) /* the addresses are not consecutive */
		b->lines = 1;
	b->last_line = b->line + b->lines - 1;
	b->page = b->line << shift >> apmu_base__log2(p->page);
	b->entry = (uint32_t)(b->branch >> p->btb_shift & ((p->btb ? p->btb : 1) - 1u));
	b->fetches = fetches(p, b);
	b->kind = step->branch;
	b->conditional = (step->flags & APMU_INSN_CONDITIONAL) != 0;
	b->unpredicted = !p->alu_branches && step->cls == APMU_CLASS_ALU && b->kind != APMU_BRANCH_NONE;
	b->loads_pc = step->cls == APMU_CLASS_LOAD && b->kind != APMU_BRANCH_NONE;
	b->resolves = b->kind != APMU_BRANCH_NONE || b->helper;
}

static enum apmu_uarch__ending ending_of(const struct apmu_uarch_params *p, const struct apmu_block *b)
{
	bool held = p->btb_kinds >> b->kind & 1, link = b->kind == APMU_BRANCH_IMMED_LINK;

	if (b->rare)
		return APMU_UARCH__END_RARE;
	if (!b->resolves)
		return APMU_UARCH__END_NONE;
	if (b->learns)
		return APMU_UARCH__END_LEARN;
	if (b->plain)
		return APMU_UARCH__END_BTB;
	if (link && held && b->always)
		return APMU_UARCH__END_CALL;
	if (b->kind == APMU_BRANCH_RETURN && !held && b->always && !b->unpredicted)
		return APMU_UARCH__END_RETURN;
	return APMU_UARCH__END_OTHER;
}

/* `alone`: cycles that the last instruction takes alone, 0 if it is paired. */
static void set_ending(const struct apmu_uarch_params *p, struct apmu_block *b, uint32_t alone)
{
	int folded = -(int)alone; /* DDI0301H 5-6: not BL, BLX */
	bool folds = p->folding && b->kind == APMU_BRANCH_IMMED;
	bool held = b->kind == APMU_BRANCH_IMMED && (p->btb_kinds >> APMU_BRANCH_IMMED & 1);
	bool direction = b->conditional && p->direction != APMU_DIRECTION_BTB;
	b->plain = held && !direction;
	b->learns = held && direction && p->predict;
	b->cost[0] = (int16_t)(folds ? folded : 0);
	b->cost[1] = (int16_t)(folds ? folded : p->taken);
	b->rare = b->barriers || b->spurious || b->synchronizes;
	b->wide = b->lines > 2 || (b->addr ^ (b->last_line << apmu_base__log2(p->l1i.line))) / p->page;
	b->always = b->kind != APMU_BRANCH_NONE && !b->conditional;
	b->extent = (uint8_t)(b->rare || b->wide ? APMU_UARCH__EXTENT_ANY
			      : b->lines == 2    ? APMU_UARCH__EXTENT_PAIR
						 : APMU_UARCH__EXTENT_ONE);
	b->ending = (uint8_t)ending_of(p, b);
}

struct apmu_block *apmu_block_new(const struct apmu_uarch_params *params, const struct apmu_insn *insn,
				  size_t n)
{
	uint64_t all[APMU_SIGNAL_WORDS];

	memset(all, 0xFF, sizeof(all));
	return apmu_block_new_for(params, all, insn, n);
}

/* Returns an empty block of n instructions, with what follows step[] in memory. */
static struct apmu_block *allocate(const struct apmu_uarch_params *p, size_t n, bool timed)
{
	uint32_t chunk = apmu_uarch__chunk_length(p);
	size_t steps = sizeof(struct apmu_block) + n * sizeof(struct apmu_uarch__step);
	size_t ops = n * sizeof(struct apmu_uarch__op) +
		     (n + chunk - 1) / chunk * sizeof(struct apmu_uarch__chunk);
	size_t times = n * sizeof(struct apmu_uarch__schedule) + sizeof(struct apmu_uarch__live);
	size_t all = (steps + (!timed ? 0 : p->rob ? ops : times) + ALIGN - 1) / ALIGN * ALIGN;
	struct apmu_block *b = aligned_alloc(ALIGN, all);

	if (!b)
		return NULL;
	memset(b, 0, all);
	b->n = (uint32_t)n;
	b->chunk = chunk;
	if (timed && p->rob) {
		b->op = (struct apmu_uarch__op *)(void *)&b->step[n];
	} else if (timed) {
		b->schedule = (struct apmu_uarch__schedule *)(void *)&b->step[n];
		b->live = (struct apmu_uarch__live *)(void *)&b->schedule[n];
	}
	return b;
}

/* Describes the instructions and what the block counts. False: out of memory. */
static bool describe(const struct apmu_uarch_params *p, const uint64_t wanted[APMU_SIGNAL_WORDS],
		     const struct apmu_insn *insn, struct apmu_block *b)
{
	copy(p, insn, b);
	mark_whole(wanted, b);
	place(p, insn, b);
	set_ending(p, b, b->schedule ? apmu_uarch__pipeline(p, insn, b) : 0);
	if (b->op)
		apmu_uarch__ops(p, insn, b);
	return apmu_uarch__counts_make(b, p, wanted, insn);
}

struct apmu_block *apmu_block_new_for(const struct apmu_uarch_params *params,
				      const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn,
				      size_t n)
{
	if (n == 0 || n > UINT16_MAX)
		return NULL;
	bool timed = apmu_uarch__units(params, apmu_uarch__asked(wanted)) & APMU_UARCH__TIME;
	struct apmu_block *b = allocate(params, n, timed);
	if (!b)
		return NULL;
	/* out of order only what is derived from the schedule is kept */
	struct apmu_uarch__schedule *passing = b->op ? calloc(n, sizeof(*passing)) : NULL;
	bool scheduled = !b->op || passing;
	if (passing)
		b->schedule = passing;
	bool described = scheduled && describe(params, wanted, insn, b);
	if (passing)
		b->schedule = NULL;
	free(passing);
	if (described)
		return b;
	free(b);
	return NULL;
}

void apmu_block_access_site(const struct apmu_block *b, unsigned i, unsigned size,
			    struct apmu_access_site *site)
{
	*site = (struct apmu_access_site){
		.block = b, .index = i, .size = (uint8_t)size, .low = (uint8_t)(size - 1)};
	site->next_access = apmu_uarch__next_access(b, i + 1);
	site->stores = i < b->n ? b->step[i].stores : 0;
	site->unconditional = i < b->n && b->step[i].unconditional && size == b->step[i].width;
}

bool apmu_block_takes(const struct apmu_block *b, unsigned i, unsigned size)
{
	return i < b->n && size <= b->step[i].most;
}

void apmu_block_free(struct apmu_block *b)
{
	if (b)
		free(b->count);
	free(b);
}

uint32_t apmu_block_cycles(const struct apmu_block *b)
{
	return b->cycles;
}
