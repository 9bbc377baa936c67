/* SPDX-License-Identifier: MIT */
/* Watching sums of signals: where an occurrence is noticed, and whose it is. */
#include "test.h"

#include "uarch_lab.h"

/* Notes each gain of one signal: where, and at which address. */
struct notes {
	struct apmu_watch watch; /* first: reached() is given it */
	struct apmu_gauge gauge;
	uint64_t last, gained[4];
	uint64_t addr[4]; /* of the last gain at each place */
};

static void note(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr)
{
	struct notes *n = (struct notes *)watch;
	uint64_t now = apmu_gauge_value(&watch->gauge[gauge]);

	if (now != n->last)
		n->addr[where] = addr;
	n->gained[where] += now - n->last;
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

TEST(each_instruction_has_its_part_of_what_is_counted_ahead)
{
	struct lab l;
	struct apmu_tally own, sum = {{0}}, before;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct apmu_block *b =
		LAB_BLOCK(&l, 0x8000, MUL(1, 2, 3), ADD(4, 1, 1), NOP(), DSB(), LDR(5, 6), ADD(5, 5, 5),
			  STM(R(0) | R(1) | R(2), 3, 7), ADD(1, 1, 1), BL(0x9000));
	apmu_uarch_enter(l.u, b); /* lines and pages are there from now on */
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
		if (s != APMU_SIG_L1I_MISS && s != APMU_SIG_L1I_ACCESS) /* fetching, not ahead */
			CHECK_EQ(l.t.n[s] - before.n[s], sum.n[s]);
	own = part(l.u, b, 8);
	CHECK_EQ(own.n[APMU_SIG_BR_IMMED], 1);
	own = part(l.u, b, 1); /* waits for the product */
	CHECK_EQ(own.n[APMU_SIG_CYCLES], 1 + own.n[APMU_SIG_DATA_STALL]);
	CHECK(own.n[APMU_SIG_DATA_STALL] > 0);
	lab_close(&l);
}

TEST(a_wrong_prediction_is_the_branch_s)
{
	struct lab l;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct notes n = notes(&l, APMU_SIG_BR_MIS_PRED);
	struct apmu_block *up = LAB_BLOCK(&l, 0x8000, NOP(), BEQ(0x7000)); /* backward: predicted taken */
	struct apmu_block *on = LAB_BLOCK(&l, 0x8008, NOP(), B(0x8000));
	enter(&l, &n, up);
	enter(&l, &n, on);
	CHECK_EQ(n.gained[APMU_AT_BRANCH], 1);
	CHECK_EQ(n.addr[APMU_AT_BRANCH], 0x8004);
	CHECK_EQ(n.gained[APMU_AT_FETCH] + n.gained[APMU_AT_BLOCK], 0);
	lab_close(&l);
}

TEST(a_line_s_miss_is_the_first_instruction_s_in_it)
{
	struct lab l;

	lab_open(&l, "arm1136");
	lab_start(&l);
	struct notes n = notes(&l, APMU_SIG_L1I_FILL);
	enter(&l, &n, LAB_BLOCK(&l, 0x8018, NOP(), NOP(), NOP(), B(0x8018)));
	CHECK_EQ(n.gained[APMU_AT_FETCH], 2);
	CHECK_EQ(n.addr[APMU_AT_FETCH], 0x8020);
	CHECK_EQ(n.last, 2);
	lab_close(&l);
}

/* A walk through eight blocks of which every second takes a branch; lines and ways suffer. */
static void wander(struct lab *l, struct notes *n)
{
	struct apmu_block *b[8];

	for (unsigned i = 0; i < 8; i++)
		b[i] = LAB_BLOCK(l, 0x8000 + i * 0x1010, LDR(1, 2), ADD(3, 1, 1), STR(3, 4),
				 BEQ(0x8000 + (i * 5 % 8) * 0x1010));
	for (unsigned k = 0, i = 0; k < 4000; k++, i = (i * 5 + k / 7) % 8) {
		if (n)
			enter(l, n, b[i]);
		else
			apmu_uarch_enter(l->u, b[i]);
		apmu_uarch_access(l->u, b[i], 0, k * 52 % 65536, 4, false);
		apmu_uarch_access(l->u, b[i], 2, k * 20 % 65536, 4, true);
	}
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
	CHECK(n.gained[APMU_AT_BRANCH] > 0);
	CHECK(n.gained[APMU_AT_FETCH] > 0);
	lab_close(&plain);
	lab_close(&watched);
}
