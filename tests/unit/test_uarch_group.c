/* SPDX-License-Identifier: MIT */
/* Groups of accesses that are reported by one address count the same as accesses reported one by one. */
#include "test.h"
#include "uarch_lab.h"

#include "uarch/fast.h"

#include <string.h>

#define STEPS  4000
#define BLOCKS 24
#define MOST   10  /* instructions of a block */
#define SPAN   120 /* bytes within which a group's accesses begin; 16 in every other block */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % below);
}

struct group_of_block {
	struct apmu_uarch__group group;
	struct apmu_uarch__group_member member[MOST];
};

static struct apmu_insn program[BLOCKS][MOST];
static struct group_of_block plan[BLOCKS]; /* one group per block */

/* A load or store of one register, a pair or a list. Of every three blocks, one has loads only and one has
 * stores only. */
static struct apmu_insn random_access(unsigned k)
{
	bool load = k % 3 == 0 || (k % 3 == 1 && draw(2));
	struct apmu_insn x = {.cls = load ? APMU_CLASS_LOAD : APMU_CLASS_STORE, .reads = R(draw(14))};

	x.width = (uint8_t)(1u << draw(4));
	if (x.cls == APMU_CLASS_LOAD)
		x.writes = R(draw(14));
	if (draw(3) == 0)
		x.flags = APMU_INSN_DOUBLE;
	else if (draw(6) == 0)
		x.flags = APMU_INSN_MULTIPLE;
	x.regs = 5;
	return x;
}

static unsigned accesses(const struct apmu_insn *x)
{
	return x->flags & APMU_INSN_DOUBLE ? 2 : x->flags & APMU_INSN_MULTIPLE ? x->regs : 1;
}

static void write_block(struct lab *l, unsigned k, uint64_t addr)
{
	struct group_of_block *g = &plan[k];
	unsigned n = 0;

	for (unsigned i = 0; i + 1 < MOST; i++)
		program[k][i] = draw(2) ? random_access(k)
					: (struct apmu_insn){.cls = APMU_CLASS_ALU,
							     .reads = R(draw(14)),
							     .writes = R(draw(14))};
	program[k][0] = random_access(k);
	program[k][MOST - 1] = (struct apmu_insn){.cls = APMU_CLASS_BRANCH,
						  .branch = APMU_BRANCH_IMMED,
						  .flags = APMU_INSN_CONDITIONAL,
						  .target = 0x8000};
	lab_block(l, addr, program[k], MOST);
	for (unsigned i = 0; i < MOST; i++) {
		const struct apmu_insn *x = &program[k][i];
		struct apmu_uarch__group_member *m = &g->member[n];
		if (!x->width)
			continue;
		*m = (struct apmu_uarch__group_member){
			.offset = (int32_t)(draw(k % 2 ? SPAN : 16) & ~(x->width - 1u)),
			.accesses = (uint8_t)accesses(x),
			.unit = x->width,
			.store = x->cls == APMU_CLASS_STORE};
		bool at_once = (x->flags & APMU_INSN_DOUBLE) && x->width >= 4 && draw(2);
		m->accesses = at_once ? 1 : m->accesses;
		apmu_block_access_site(l->block[k], i, (unsigned)x->width << at_once, &m->site);
		n++;
	}
	apmu_uarch__group_make(&g->group, g->member, n, draw(n));
}

/* An address within 8 KiB or within 100,000 bytes; one in eight may be unaligned. */
static uint64_t random_anchor(void)
{
	uint64_t base = 0x100000 + draw(draw(2) ? 8192 : 100000);

	return draw(8) ? base & ~(uint64_t)7 : base;
}

static void tell(struct lab *l, const struct group_of_block *g, uint64_t anchor, bool grouped)
{
	if (grouped)
		apmu_uarch__fast_group(l->u, &g->group, anchor, l->u->unconditional_access.hit);
	for (unsigned i = 0; !grouped && i < g->group.members; i++) {
		const struct apmu_uarch__group_member *m = &g->member[i];
		uint64_t addr = anchor + (uint64_t)(int64_t)m->offset;
		for (unsigned k = 0; k < m->accesses; k++)
			apmu_uarch_access(l->u, m->site.block, m->site.index, addr + k * m->site.size,
					  m->site.size, m->store);
	}
}

static void want(uint64_t wanted[APMU_SIGNAL_WORDS], unsigned which)
{
	static const uint16_t some[] = {
		APMU_SIG_INST,        APMU_SIG_L1I_FILL,   APMU_SIG_L1D_FILL, APMU_SIG_L1D_MISS,
		APMU_SIG_L1D_WB_HALF, APMU_SIG_L1D_ACCESS, APMU_SIG_MEM_RD,   APMU_SIG_L1D_TLB_REFILL,
		APMU_SIG_LD_RETIRED,  APMU_SIG_ST_RETIRED, APMU_SIG_MEM_WR,   APMU_SIG_L1D_ACCESS_CACHEABLE,
		APMU_SIG_BR_MIS_PRED, APMU_SIG_CYCLES};
	static const unsigned first[] = {4, 5, 12, 14};

	for (unsigned k = 0; k < first[which]; k++)
		apmu_signal_add(wanted, some[k]);
}

static struct apmu_tally life(const char *core, unsigned which, const char *key, bool grouped)
{
	uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
	struct apmu_uarch_time_samples samples;
	struct lab l;
	bool on;

	random_state = 1136;
	lab_open(&l, core);
	if (key)
		lab_set(&l, key, "0");
	want(wanted, which);
	l.u = apmu_uarch_new(&l.p, &l.t, wanted);
	assert_non_null(l.u);
	for (unsigned k = 0; k < BLOCKS; k++)
		write_block(&l, k, 0x8000 + k * MOST * 4);
	apmu_uarch_precount(l.u);
	if (which == 3) /* forwards, in groups too; the few blocks are all timed */
		apmu_uarch_sample_time(l.u, 20, &samples);
	on = grouped && apmu_uarch__takes_groups(l.u, false);
	if (!on) { /* a machine that does not count ahead */
		apmu_uarch_free(l.u);
		memset(&l.t, 0, sizeof(l.t));
		l.u = apmu_uarch_new(&l.p, &l.t, wanted);
	}
	for (unsigned step = 0, k = 0; step < lab_steps(STEPS); step++) {
		apmu_uarch_enter(l.u, l.block[k]);
		tell(&l, &plan[k], random_anchor(), on);
		k = draw(4) && k + 1 < BLOCKS ? k + 1 : 0;
	}
	struct apmu_tally t = l.t;
	lab_close(&l);
	return t;
}

static unsigned grouped_lives(const char *core)
{
	struct lab l;

	lab_open(&l, core);
	lab_start_for(&l, APMU_SIG_L1D_FILL);
	apmu_uarch_precount(l.u);
	bool takes = apmu_uarch__takes_groups(l.u, false);
	lab_close(&l);
	return takes;
}

TEST(a_group_counts_what_its_accesses_count)
{
	static const char *const keys[] = {NULL, "dtlb.entries", "l1d.size"};
	unsigned takers = 0;

	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		const char *core = apmu_uarch_at(c)->name;
		takers += grouped_lives(core);
		for (unsigned which = 0; which < 4; which++)
			for (unsigned k = 0; k < 3; k++) {
				uint64_t wanted[APMU_SIGNAL_WORDS] = {0};
				struct apmu_tally all = life(core, which, keys[k], false);
				struct apmu_tally own = life(core, which, keys[k], true);
				want(wanted, which);
				for (unsigned s = 0; s < APMU_SIGNALS; s++) {
					if (!apmu_signal_in(wanted, s))
						continue;
					if (own.n[s] != all.n[s])
						print_error("%s, want %u, %s, signal %u\n", core, which,
							    keys[k] ? keys[k] : "as it is", s);
					CHECK_EQ(own.n[s], all.n[s]);
				}
			}
	}
#ifdef APMU_UARCH_PLAIN
	CHECK_EQ(takers, 0);
#else
	CHECK(takers > apmu_uarch_count() / 2);
#endif
}
