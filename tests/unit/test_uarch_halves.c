/* SPDX-License-Identifier: MIT */
/* Vectors of 128 bits, at addresses of any alignment, count and cost the same whether an engine reports each
 * in one access, as QEMU 10 does, or in two halves, as QEMU 7.2 does. */
#include "test.h"
#include "uarch/fast.h"
#include "uarch_lab.h"

#include <string.h>

#define BLOCKS 24
#define MOST   8 /* instructions of a block */
#define STEPS  4000

static uint64_t random_state;

static unsigned draw(unsigned below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % below);
}

/* A load or store of a vector register, of a pair of them, or of a general register; or an addition of
 * vectors. */
static struct apmu_insn random_insn(void)
{
	unsigned first = draw(6);
	struct apmu_insn x = {.reads = R(draw(4)), .width = 16};

	x.cls = draw(2) ? APMU_CLASS_LOAD : APMU_CLASS_STORE;
	uint64_t data = R(32 + first);
	if (draw(3) == 0)
		data |= R(33 + first), x.flags = APMU_INSN_DOUBLE;
	else if (draw(3) == 0)
		data = R(4 + first), x.width = (uint8_t)(1u << draw(4));
	if (draw(4) == 0)
		return (struct apmu_insn){
			.cls = APMU_CLASS_SIMD, .reads = data | R(32 + draw(6)), .writes = R(32 + draw(6))};
	*(x.cls == APMU_CLASS_LOAD ? &x.writes : &x.reads) |= data;
	return x;
}

static struct apmu_insn program[BLOCKS][MOST];

static void place(struct lab *l)
{
	for (unsigned k = 0; k < BLOCKS; k++) {
		for (unsigned i = 0; i + 1 < MOST; i++)
			program[k][i] = random_insn();
		program[k][MOST - 1] = (struct apmu_insn)BEQ(0x8000);
		lab_block(l, 0x8000 + 4 * MOST * k, program[k], MOST);
	}
}

/* Mostly in a few bytes, so that loads find what was stored; sometimes far away. One in two is a multiple
 * of 8. */
static uint64_t random_address(void)
{
	uint64_t at = 0x100000 + draw(draw(8) ? 96 : 400000);

	return draw(2) ? at & ~(uint64_t)7 : at;
}

enum how { WHOLE, WHOLE_FAST, HALVES, HALVES_FAST };

static void tell(struct lab *l, unsigned k, unsigned i, uint64_t addr, unsigned size, enum how how)
{
	bool store = program[k][i].cls == APMU_CLASS_STORE;
	bool fast = how == WHOLE_FAST || how == HALVES_FAST;
	struct apmu_access_site site;

	if (!fast || !l->u->recent || !apmu_block_takes(l->block[k], i, size)) {
		apmu_uarch_access(l->u, l->block[k], i, addr, size, store);
		return;
	}
	apmu_block_access_site(l->block[k], i, size, &site);
	apmu_uarch__fast_some_forward(l->u, &site, addr, size, store);
}

static void run(struct lab *l, unsigned k, enum how how)
{
	for (unsigned i = 0; i + 1 < MOST; i++) {
		const struct apmu_insn *x = &program[k][i];
		if (x->cls != APMU_CLASS_LOAD && x->cls != APMU_CLASS_STORE)
			continue;
		unsigned all = x->flags & APMU_INSN_DOUBLE ? 2u * x->width : x->width;
		unsigned size = how < HALVES || x->width < 8 ? x->width : 8;
		uint64_t addr = random_address();
		for (unsigned at = 0; at < all; at += size)
			tell(l, k, i, addr + at, size, how);
	}
}

/* WANT_FAST: all signals but those of vectors and of alignment, which no fast path counts. */
enum wants { WANT_ALL, WANT_FAST };

static void want(uint64_t wanted[APMU_SIGNAL_WORDS], enum wants wants)
{
	static const unsigned slow[] = {APMU_SIG_UNALIGNED_LD, APMU_SIG_UNALIGNED_ST, APMU_SIG_SPLIT_LD,
					APMU_SIG_SPLIT_ST,     APMU_SIG_VEC_ACCESS,   APMU_SIG_VEC_MISS,
					APMU_SIG_VEC_L2,       APMU_SIG_VEC_L2_MISS};

	memset(wanted, 0, APMU_SIGNAL_WORDS * sizeof(wanted[0]));
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		apmu_signal_add(wanted, s);
	for (unsigned k = 0; k < sizeof(slow) / sizeof(slow[0]) && wants == WANT_FAST; k++)
		wanted[slow[k] / 64] &= ~((uint64_t)1 << slow[k] % 64);
}

static struct apmu_tally life(const char *core, enum wants wants, enum how how)
{
	struct lab l;

	random_state = 4711;
	lab_open(&l, core);
	want(l.wanted, wants);
	l.u = apmu_uarch_new(&l.p, &l.t, l.wanted);
	assert_non_null(l.u);
	place(&l);
	for (unsigned step = 0, k = 0; step < lab_steps(STEPS); step++) {
		apmu_uarch_enter(l.u, l.block[k]);
		run(&l, k, how);
		k = draw(4) ? (k + 1) % BLOCKS : 0;
	}
	struct apmu_tally t = l.t;
	lab_close(&l);
	return t;
}

static void same(const char *core, enum wants wants, const struct apmu_tally *whole,
		 const struct apmu_tally *halves)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];

	want(wanted, wants);
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		if (!apmu_signal_in(wanted, s))
			continue;
		if (whole->n[s] != halves->n[s])
			print_error("%s, signal %u\n", core, s);
		CHECK_EQ(halves->n[s], whole->n[s]);
	}
}

/* Accesses of cores with vectors of 128 bits are per line (struct apmu_uarch_params.access_rule). */
TEST(a_vector_in_halves_counts_as_one_access)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		const struct apmu_uarch_params *p = apmu_uarch_at(c);
		if (p->access_rule != APMU_ACCESS_PER_LINE)
			continue;
		struct apmu_tally whole = life(p->name, WANT_ALL, WHOLE);
		for (enum wants wants = WANT_ALL; wants <= WANT_FAST; wants++)
			for (enum how how = WHOLE; how <= HALVES_FAST; how++) {
				struct apmu_tally other = life(p->name, wants, how);
				same(p->name, wants, &whole, &other);
			}
	}
}
