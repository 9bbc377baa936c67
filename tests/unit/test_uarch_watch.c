/* SPDX-License-Identifier: MIT */
/* Watching sums of signals: where an occurrence is noticed, and which instruction it is attributed to. */
#include "test.h"

#include "uarch_lab.h"

/* Records each increase of one signal: where it was noticed, and the address it is attributed to. */
struct notes {
	struct apmu_watch watch; /* first member: note() casts it to struct notes */
	struct apmu_gauge gauge;
	uint64_t last, gained[5];
	uint64_t addr[5];         /* address of the last increase, by enum apmu_where */
	uint64_t most, most_addr; /* the largest increase, and its address */
	int64_t behind;           /* watch.behind at the largest increase */
	bool sometimes;           /* only some blocks are entered watched */
};

static void note(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr)
{
	struct notes *n = (struct notes *)watch;
	uint64_t now = apmu_gauge_value(&watch->gauge[gauge]);

	if (now != n->last)
		n->addr[where] = addr;
	n->gained[where] += now - n->last;
	if (now - n->last > n->most) {
		n->most = now - n->last;
		n->most_addr = addr;
		n->behind = watch->behind;
	}
	n->last = now;
}

static struct notes notes(struct lab *l, unsigned signal)
{
	struct notes n = {.gauge = {.n = {&l->t.n[signal]}, .terms = 1, .due = 0}};

	n.watch = (struct apmu_watch){.gauges = 1, .reached = note};
	return n;
}

static void enter(struct lab *l, struct notes *n, const struct apmu_block *b)
{
	n->watch.gauge = &n->gauge;
	apmu_uarch_enter_watched(l->u, b, &n->watch);
}

static struct apmu_tally part(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i)
{
	struct apmu_tally t = {{0}};

	apmu_uarch_ahead(u, b, i, &t);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		t.n[s] = 0 - t.n[s];
	return t;
}

TEST(each_instruction_has_its_share_of_what_its_block_counts_ahead)
{
	struct lab l;
	struct apmu_tally own, sum = {{0}}, before;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b =
		LAB_BLOCK(&l, 0x8000, MUL(1, 2, 3), ADD(4, 1, 1), NOP(), DSB(), LDR(5, 6), ADD(5, 5, 5),
			  STM(R(0) | R(1) | R(2), 3, 7), ADD(1, 1, 1), BL(0x9000));
	apmu_uarch_enter(l.u, b); /* code lines and pages hit from now on */
	apmu_uarch_break(l.u);
	before = l.t;
	apmu_uarch_enter(l.u, b);
	for (unsigned i = 0; i < 9; i++) {
		own = part(l.u, b, i);
		CHECK_EQ(own.n[APMU_SIG_INST], 1);
		for (unsigned s = 0; s < APMU_SIGNALS; s++)
			sum.n[s] += own.n[s];
	}
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (s != APMU_SIG_L1I_MISS && s != APMU_SIG_L1I_ACCESS && /* fetching, not ahead */
		    s != APMU_SIG_CYCLES_ALONE)                           /* the block's bound */
			CHECK_EQ(l.t.n[s] - before.n[s], sum.n[s]);
	own = part(l.u, b, 8);
	CHECK_EQ(own.n[APMU_SIG_BR_IMMED], 1);
	own = part(l.u, b, 1); /* waits for the product */
	CHECK_EQ(own.n[APMU_SIG_CYCLES], 1 + own.n[APMU_SIG_DATA_STALL]);
	CHECK(own.n[APMU_SIG_DATA_STALL] > 0);
	lab_close(&l);
}

TEST(a_misprediction_is_attributed_to_its_branch)
{
	for (unsigned timed = 0; timed < 2; timed++) {
		struct lab l;

		lab_open(&l, "arm1136");
		if (timed)
			lab_start(&l);
		else
			lab_start_for(&l, APMU_SIG_BR_MIS_PRED);
		struct notes n = notes(&l, APMU_SIG_BR_MIS_PRED);
		struct apmu_block *up =
			LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x7000)); /* backward: predicted taken */
		struct apmu_block *on = LAB_BLOCK(&l, 0x8008, NOP(), B(0x8000));
		enter(&l, &n, up);
		enter(&l, &n, on);
		CHECK_EQ(n.gained[APMU_WATCH_BRANCH], 1);
		CHECK_EQ(n.addr[APMU_WATCH_BRANCH], 0x8004);
		CHECK_EQ(n.gained[APMU_WATCH_FETCH] + n.gained[APMU_WATCH_BLOCK], 0);
		lab_close(&l);
	}
}

TEST(a_code_miss_is_attributed_to_the_first_instruction_in_the_line)
{
	struct lab l;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct notes n = notes(&l, APMU_SIG_L1I_FILL);
	enter(&l, &n, LAB_BLOCK(&l, 0x8018, NOP(), NOP(), NOP(), B(0x8018)));
	CHECK_EQ(n.gained[APMU_WATCH_FETCH], 2);
	CHECK_EQ(n.addr[APMU_WATCH_FETCH], 0x8020);
	CHECK_EQ(n.last, 2);
	lab_close(&l);
}

/* Runs eight blocks in an order that makes branches, caches and TLBs miss now and then. */
static void wander(struct lab *l, struct notes *n)
{
	struct apmu_block *b[8];

	for (unsigned i = 0; i < 8; i++)
		b[i] = LAB_BLOCK(l, 0x8000 + i * 0x1010, LDR(1, 2), ADD(3, 1, 1), STR(3, 4),
				 BEQ(0x8000 + (i * 5 % 8) * 0x1010));
	for (unsigned k = 0, i = 0; k < 4000; k++, i = (i * 5 + k / 7) % 8) {
		if (n && (!n->sometimes || k / 50 % 3 == 0))
			enter(l, n, b[i]);
		else
			apmu_uarch_enter(l->u, b[i]);
		apmu_uarch_access(l->u, b[i], 0, k * 52 % 65536, 4, false);
		apmu_uarch_access(l->u, b[i], 2, k * 20 % 65536, 4, true);
	}
}

/* In order: the load is two blocks before the one that uses its value. */
TEST(a_stall_is_attributed_to_the_instruction_that_cannot_issue)
{
	struct lab l;

	lab_open(&l, "cortex-a53");
	lab_start(&l);
	struct apmu_block *load = LAB_BLOCK(&l, 0x8000, LDR(1, 2), NOP(), B(0x8100));
	struct apmu_block *between = LAB_BLOCK(&l, 0x8100, ADD(3, 4, 5), B(0x8200));
	struct apmu_block *use = LAB_BLOCK(&l, 0x8200, NOP(), NOP(), NOP(), ADD(6, 1, 1), NOP(), B(0x8000));
	struct apmu_block *const all[] = {load, between, use};
	for (unsigned k = 0; k < 3; k++) /* code lines and pages hit from now on */
		apmu_uarch_enter(l.u, all[k]);
	struct notes n = notes(&l, APMU_SIG_CYCLES);
	n.last = l.t.n[APMU_SIG_CYCLES];
	enter(&l, &n, load);
	apmu_uarch_access(l.u, load, 0, 0x100000, 4, false); /* a table walk, which stops issue */
	apmu_watch_look(&n.watch, APMU_WATCH_ACCESS, 0x8000);
	n.most = 0;
	apmu_uarch_access(l.u, load, 0, 0x100040, 4, false);
	enter(&l, &n, between);
	enter(&l, &n, use);
	enter(&l, &n, load);
	CHECK_EQ(n.most_addr, 0x820c);
	CHECK(n.most > l.p.memory / 2);
	CHECK_EQ(n.behind, 2);
	lab_close(&l);
}

/* In order: the stall is found when a later access of the same block is reported. */
TEST(a_stall_found_at_an_access_is_attributed_to_the_reader_before_it)
{
	struct lab l;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(1, 2), ADD(3, 1, 1), NOP(), LDR(4, 5), B(0x8000));
	apmu_uarch_enter(l.u, b);
	apmu_uarch_access(l.u, b, 0, 0x100000, 4, false); /* the page hits from now on */
	apmu_uarch_access(l.u, b, 3, 0x100000, 4, false);
	struct notes n = notes(&l, APMU_SIG_CYCLES);
	n.last = l.t.n[APMU_SIG_CYCLES];
	enter(&l, &n, b);
	n.most = 0;
	apmu_uarch_watch(l.u, &n.watch);
	apmu_uarch_access(l.u, b, 0, 0x100040, 4, false);
	apmu_uarch_access(l.u, b, 3, 0x100000, 4, false);
	CHECK_EQ(n.most_addr, 0x8004);
	CHECK(n.most > l.p.memory / 2);
	CHECK_EQ(n.behind, 3);
	CHECK_EQ(n.watch.regs, R(1));
	lab_close(&l);
}

/* Out of order: the window is full behind a load that misses, many blocks later. Returns the address that the
 * largest increase is attributed to. */
static uint64_t oldest(const char *core, unsigned signal)
{
	struct lab l;

	lab_open(&l, core);
	lab_start(&l);
	CHECK_EQ(apmu_uarch_watch_time(l.u), 0);
	struct apmu_block *load = LAB_BLOCK(&l, 0x8000, NOP(), LDR(1, 2), NOP(), B(0x8100));
	struct apmu_block *more =
		LAB_BLOCK(&l, 0x8100, ADD(3, 4, 5), ADD(4, 5, 5), ADD(3, 5, 5), BEQ(0x8100));
	for (unsigned k = 0; k < 2000; k++) /* pages hit and the branch is predicted from now on */
		apmu_uarch_enter(l.u, k ? more : load);
	struct notes n = notes(&l, signal);
	n.last = l.t.n[signal];
	enter(&l, &n, load);
	apmu_uarch_access(l.u, load, 1, 0x100000, 4, false);
	for (unsigned k = 0; k < 400; k++)
		enter(&l, &n, more);
	CHECK_EQ(n.last, l.t.n[signal]);
	CHECK(n.most > l.p.memory / 4);
	uint64_t whose = n.most_addr;
	lab_close(&l);
	return whose;
}

TEST(out_of_order_cycles_are_attributed_to_the_oldest_unfinished_instruction)
{
	CHECK_EQ(oldest("neoverse-n1", APMU_SIG_CYCLES), 0x8004);
	CHECK_EQ(oldest("neoverse-n1", APMU_SIG_DATA_STALL), 0x8004);
	CHECK_EQ(oldest("cortex-a72", APMU_SIG_CYCLES), 0x8004);
	CHECK_EQ(oldest("cortex-a15", APMU_SIG_CYCLES), 0x8004);
}

/* Out of order: a block whose second instruction is a load that misses, and whose last is a branch to the
 * block that is mispredicted then. Returns the address that the largest increase is attributed to. */
static uint64_t largest_of(struct apmu_insn *insn, size_t n, unsigned signal)
{
	struct lab l;

	lab_open(&l, "neoverse-n1");
	lab_start(&l);
	CHECK_EQ(apmu_uarch_watch_time(l.u), 0);
	insn[1] = (struct apmu_insn)LDR(1, 2);
	insn[n - 1] = (struct apmu_insn)BEQ(0x8000);
	struct apmu_block *b = lab_block(&l, 0x8000, insn, n);
	struct apmu_block *on = LAB_BLOCK(&l, 0x8000 + 4 * n, ADD(3, 4, 5), B(0x8000));
	apmu_uarch_enter(l.u, on);
	for (unsigned k = 0; k < 500; k++) /* predicted taken from now on */
		apmu_uarch_enter(l.u, b);
	struct notes found = notes(&l, signal);
	found.last = l.t.n[signal];
	enter(&l, &found, b);
	apmu_uarch_access(l.u, b, 1, 0x100000, 4, false);
	enter(&l, &found, on);
	for (unsigned k = 0; k < 200; k++)
		enter(&l, &found, k % 2 ? on : b);
	CHECK(found.most > l.p.memory / 4);
	CHECK_EQ(found.behind, n - 2);
	uint64_t whose = found.most_addr;
	lab_close(&l);
	return whose;
}

/* Instructions between the load and the branch take time too. */
TEST(out_of_order_a_stall_is_attributed_to_the_load_that_fills_the_window_whatever_follows)
{
	static const unsigned window[] = {APMU_SIG_CYCLES, APMU_SIG_DATA_STALL, APMU_SIG_STALL_BACK_MEM,
					  APMU_SIG_STALL_BACK_BOUND, APMU_SIG_SLOT_BACK};
	struct apmu_insn insn[400] = {NOP()};

	for (unsigned k = 0; k < sizeof(window) / sizeof(window[0]); k++) {
		for (unsigned i = 2; i < 400; i++)
			insn[i] = (struct apmu_insn)NOP();
		CHECK_EQ(largest_of(insn, 400, window[k]), 0x8004);
	}
	for (unsigned i = 2; i < 400; i++)
		insn[i] = (struct apmu_insn)LDR(3, 4);
	CHECK_EQ(largest_of(insn, 400, APMU_SIG_LSU_FULL_STALL), 0x8004);
}

TEST(out_of_order_a_barriers_stall_is_attributed_to_the_load_that_it_waits_for)
{
	struct apmu_insn insn[4] = {NOP(), NOP(), DSB()};

	CHECK_EQ(largest_of(insn, 4, APMU_SIG_STALL_BARRIER), 0x8004);
}

/* The branch waits for the load, and the window is full of instructions of the wrong path. */
TEST(out_of_order_a_stall_on_the_wrong_path_is_attributed_to_the_load_that_the_branch_waits_for)
{
	struct apmu_insn insn[4] = {NOP(), NOP(), CMP(1, 1)};

	CHECK_EQ(largest_of(insn, 4, APMU_SIG_DATA_STALL), 0x8004);
	CHECK_EQ(largest_of(insn, 4, APMU_SIG_SLOT_BACK), 0x8004);
}

/* What was in the window when watching began is attributed to no instruction. */
TEST(out_of_order_a_load_before_the_watch_is_not_blamed_on_another_instruction)
{
	struct lab l;

	lab_open(&l, "neoverse-n1");
	lab_start(&l);
	CHECK_EQ(apmu_uarch_watch_time(l.u), 0);
	struct apmu_block *load = LAB_BLOCK(&l, 0x8000, NOP(), LDR(1, 2), NOP(), B(0x8100));
	struct apmu_block *more =
		LAB_BLOCK(&l, 0x8100, ADD(3, 4, 5), ADD(4, 5, 5), ADD(3, 5, 5), BEQ(0x8100));
	for (unsigned k = 0; k < 2000; k++) /* pages hit and the branch is predicted from now on */
		apmu_uarch_enter(l.u, k ? more : load);
	apmu_uarch_enter(l.u, load);
	apmu_uarch_access(l.u, load, 1, 0x100000, 4, false);
	apmu_uarch_enter(l.u, more);
	struct notes n = notes(&l, APMU_SIG_CYCLES);
	n.last = l.t.n[APMU_SIG_CYCLES];
	for (unsigned k = 0; k < 400; k++)
		enter(&l, &n, more);
	CHECK(n.most > l.p.memory / 4);
	CHECK_EQ(n.most_addr, 0);
	lab_close(&l);
}

/* Out of order with an empty window: cycles after a misprediction are attributed to the branch, cycles of a
 * fetch to the first instruction fetched. */
TEST(out_of_order_a_misprediction_penalty_is_the_branchs_and_a_fetch_its_first_instructions)
{
	struct lab l;

	lab_open(&l, "neoverse-n1");
	lab_start(&l);
	CHECK_EQ(apmu_uarch_watch_time(l.u), 0);
	struct apmu_block *up = LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x8000));
	struct apmu_block *on = LAB_BLOCK(&l, 0x8008, NOP(), NOP(), B(0x8000));
	apmu_uarch_enter(l.u, up);
	apmu_uarch_enter(l.u, on); /* code lines hit from now on */
	for (unsigned k = 0; k < 500; k++)
		apmu_uarch_enter(l.u, up);
	struct notes n = notes(&l, APMU_SIG_CYCLES);
	n.last = l.t.n[APMU_SIG_CYCLES];
	enter(&l, &n, up);
	n.most = 0;
	enter(&l, &n, on);
	CHECK_EQ(n.most_addr, 0x8004);
	CHECK(n.most >= l.p.mispredict / 2u);
	n.most = 0;
	enter(&l, &n, LAB_BLOCK(&l, 0x80000, NOP(), B(0x8000)));
	CHECK_EQ(n.most_addr, 0x80000);
	lab_close(&l);
}

/* Checks that a machine that is watched, always or in some blocks, counts as one that is not. */
static void watched_as_unwatched(const char *core, unsigned signal, bool always)
{
	struct lab plain, watched;

	lab_open(&plain, core);
	lab_open(&watched, core);
	lab_start(&plain);
	lab_start(&watched);
	CHECK_EQ(apmu_uarch_watch_time(watched.u), 0);
	struct notes n = notes(&watched, signal);
	wander(&plain, NULL);
	n.sometimes = !always;
	wander(&watched, &n);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		CHECK_EQ(watched.t.n[s], plain.t.n[s]);
	lab_close(&plain);
	lab_close(&watched);
}

TEST(a_watched_machine_counts_as_an_unwatched_one)
{
	struct lab plain, watched;

	lab_open(&plain, "arm1136");
	lab_open(&watched, "arm1136");
	lab_start(&plain);
	lab_start(&watched);
	struct notes n = notes(&watched, APMU_SIG_CYCLES);
	wander(&plain, NULL);
	wander(&watched, &n);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		CHECK_EQ(watched.t.n[s], plain.t.n[s]);
	CHECK(n.gained[APMU_WATCH_BRANCH] > 0);
	CHECK(n.gained[APMU_WATCH_FETCH] > 0);
	lab_close(&plain);
	lab_close(&watched);
}

TEST(counts_do_not_depend_on_who_watches_or_when)
{
	static const char *const core[] = {"arm1136",     "xscale2",     "cortex-a7",
					   "cortex-a53",  "cortex-a55",  "cortex-a72",
					   "neoverse-n1", "neoverse-v1", "cortex-a15"};

	for (unsigned c = 0; c < sizeof(core) / sizeof(core[0]); c++)
		for (unsigned always = 0; always < 2; always++)
			watched_as_unwatched(core[c], APMU_SIG_CYCLES, always);
}
