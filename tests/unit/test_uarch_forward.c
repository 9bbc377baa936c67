/* SPDX-License-Identifier: MIT */
/* Store-to-load forwarding and stores that wait in the store buffer; the expected times are worked out by
 * hand.
 */
#include "test.h"
#include "uarch/fast.h"
#include "uarch/machine.h"
#include "uarch_lab.h"

#define HOT   0x1000u /* a line that has been touched */
#define TURNS 1000

static uint64_t cycles(const struct lab *l)
{
	return lab_count(l, APMU_SIG_CYCLES);
}

/* An out-of-order core whose width does not matter. A load takes 4 cycles from L1, 6 by forwarding, 15 if
 * forwarding fails. */
static void open_wide(struct lab *l)
{
	static const char *const params[][2] = {
		{"width", "8"},         {"rob", "256"},   {"load_queue", "0"},  {"store_queue", "0"},
		{"pipes.3", "8"},       {"pipes.4", "8"}, {"result.load", "4"}, {"subword_extra", "0"},
		{"forward_fail", "15"}, {"forward", "6"}};
	lab_open(l, "generic-ooo");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

/* An access of a block's instruction `step`. */
struct at {
	unsigned step;
	uint64_t addr;
	unsigned size;
	bool store;
};

static void run(struct lab *l, struct apmu_block *b, const struct at *at, size_t n)
{
	apmu_uarch_enter(l->u, b);
	for (size_t k = 0; k < n; k++)
		apmu_uarch_access(l->u, b, at[k].step, at[k].addr, at[k].size, at[k].store);
}

/* Cycles per iteration of a loop, rounded to the nearest. */
static unsigned a_turn(struct lab *l, struct apmu_block *b, const struct at *at, size_t n)
{
	for (unsigned k = 0; k < TURNS; k++)
		run(l, b, at, n);
	uint64_t before = cycles(l);
	for (unsigned k = 0; k < TURNS; k++)
		run(l, b, at, n);
	return (unsigned)((cycles(l) - before + TURNS / 2) / TURNS);
}

/* Cycles per iteration of: a store, of group `group`, of the value that the load of the iteration before
 * loaded, `others` other stores, a load. The parameter `key`, if there is one, is set to `value`. */
static unsigned chain_of(unsigned group, unsigned others, struct at store, struct at load, const char *key,
			 const char *value)
{
	struct lab l;
	struct apmu_insn insn[24] = {STR(1, 0)};
	insn[0].group = (uint16_t)group;
	struct at at[24] = {store};
	for (unsigned k = 1; k <= others; k++) {
		insn[k] = (struct apmu_insn)STR(2, 0);
		at[k] = (struct at){k, HOT + 0x200 + 8 * k, 4, true};
	}
	insn[others + 1] = (struct apmu_insn)LDR(1, 0);
	insn[others + 1].width = (uint8_t)load.size;
	insn[0].width = (uint8_t)store.size;
	at[others + 1] = load;
	at[others + 1].step = others + 1;
	open_wide(&l);
	if (key)
		lab_set(&l, key, value);
	lab_start(&l);
	unsigned got = a_turn(&l, lab_block(&l, 0x8000, insn, others + 2), at, others + 2);
	lab_close(&l);
	return got;
}

static unsigned chain(unsigned others, struct at store, struct at load, const char *forward)
{
	return chain_of(APMU_CLASS_STORE, others, store, load, forward ? "forward" : NULL, forward);
}

#define STORE(a, n) ((struct at){0, (a), (n), true})
#define LOAD(a, n)  ((struct at){0, (a), (n), false})

TEST(a_load_waits_for_the_store_whose_data_it_takes)
{
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT, 4), NULL), 6);
	CHECK_EQ(chain(1, STORE(HOT, 4), LOAD(HOT, 4), NULL), 6);
	CHECK_EQ(chain(9, STORE(HOT, 4), LOAD(HOT, 4), NULL), 6);
	CHECK_EQ(chain(14, STORE(HOT, 4), LOAD(HOT, 4), NULL), 6);
	CHECK_EQ(chain(15, STORE(HOT, 4), LOAD(HOT, 4), NULL),
		 2); /* 17 accesses, 8 per cycle: the store is too far away for the model */
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT + 4, 4), NULL),
		 0); /* another word: 2 accesses, 8 per cycle */
}

TEST(a_load_begins_with_the_store_or_in_its_middle)
{
	CHECK_EQ(chain(0, STORE(HOT, 8), LOAD(HOT, 8), NULL), 6);
	CHECK_EQ(chain(0, STORE(HOT, 8), LOAD(HOT, 4), NULL), 6);
	CHECK_EQ(chain(0, STORE(HOT, 8), LOAD(HOT + 4, 4), NULL), 6);
	CHECK_EQ(chain(0, STORE(HOT, 8), LOAD(HOT + 2, 2), NULL), 15);
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT + 2, 2), NULL), 6);
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT + 1, 1), NULL), 15);
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT, 8), NULL), 15);     /* half of it is elsewhere */
	CHECK_EQ(chain(0, STORE(HOT + 4, 4), LOAD(HOT, 8), NULL), 15); /* the other half */
	CHECK_EQ(chain(0, STORE(HOT + 2, 1), LOAD(HOT, 4), NULL), 15); /* inside it */
}

TEST(on_some_cores_a_vector_takes_a_half_from_a_store_and_the_other_from_the_cache)
{
	const struct {
		struct at store, load;
		unsigned with, without; /* forward_half */
	} expected[] = {{STORE(HOT, 8), LOAD(HOT, 16), 6, 15},      {STORE(HOT + 8, 8), LOAD(HOT, 16), 6, 15},
			{STORE(HOT + 4, 8), LOAD(HOT, 16), 15, 15}, /* neither half */
			{STORE(HOT, 4), LOAD(HOT, 16), 15, 15},     /* a quarter */
			{STORE(HOT, 4), LOAD(HOT, 8), 15, 15},      /* no vector */
			{STORE(HOT, 16), LOAD(HOT, 16), 6, 6}};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		struct at store = expected[i].store, load = expected[i].load;
		CHECK_EQ(chain_of(APMU_CLASS_STORE, 0, store, load, "forward_half", "1"), expected[i].with);
		CHECK_EQ(chain_of(APMU_CLASS_STORE, 0, store, load, "forward_half", "0"),
			 expected[i].without);
	}
}

/* The result of a group of stores: cycles until the store queue has the data; of a general register, one. */
TEST(what_a_store_takes_to_arrange_its_data_delays_the_load)
{
	const unsigned group = APMU_GROUP_ST2_LANE;
	CHECK_EQ(chain_of(group, 0, STORE(HOT, 8), LOAD(HOT, 8), "group.st2-lane", "result:0"), 6);
	CHECK_EQ(chain_of(group, 0, STORE(HOT, 8), LOAD(HOT, 8), "group.st2-lane", "result:1"), 6);
	CHECK_EQ(chain_of(group, 0, STORE(HOT, 8), LOAD(HOT, 8), "group.st2-lane", "result:4"), 9);
	CHECK_EQ(chain_of(group, 0, STORE(HOT, 4), LOAD(HOT, 8), "group.st2-lane", "result:4"), 18);
	CHECK_EQ(chain_of(group, 14, STORE(HOT, 8), LOAD(HOT, 8), "group.st2-lane", "result:4"), 9);
	CHECK_EQ(chain_of(group, 0, STORE(HOT, 8), LOAD(HOT + 64, 8), "group.st2-lane", "result:4"), 0);
}

/* Two pairs of a store and a load that overlaps it, all independent. A load that fails waits for the store,
 * which waits for the load before it to retire. */
TEST(loads_that_fail_wait_for_one_another_if_they_wait_until_the_store_retires)
{
	static const unsigned expected[2][2] = {{1, 30},
						{1, 1}}; /* [loads the same address][forward_retired] */
	for (unsigned k = 0; k < 4; k++) {
		struct lab l;
		unsigned same = k / 2, load = HOT + !same;
		const struct at at[] = {
			{0, HOT, 4, true}, {1, load, 1, false}, {2, HOT, 4, true}, {3, load, 1, false}};
		open_wide(&l);
		lab_set(&l, "forward_retired", k % 2 ? "1" : "0");
		lab_start(&l);
		struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 0), LDR(2, 0), STR(1, 0), LDR(2, 0));
		CHECK_EQ(a_turn(&l, b, at, 4), expected[same][k % 2]);
		lab_close(&l);
	}
}

/* Cycles per iteration of: a store of the pair that the load of the iteration before loaded, a load of it.
 * Each access is reported `times` times. */
static unsigned pairs_chain(uint64_t store, uint64_t load, unsigned width, unsigned times)
{
	struct lab l;
	struct apmu_insn insn[] = {STR(1, 0), LDR(1, 0)};
	struct at at[8];
	for (unsigned k = 0; k < 4 * times; k++) {
		unsigned second = k / times % 2;
		at[k] = k < 2 * times ? (struct at){0, store + width * second, width, true}
				      : (struct at){1, load + width * second, width, false};
	}
	for (unsigned k = 0; k < 2; k++) {
		insn[k].flags |= APMU_INSN_DOUBLE;
		insn[k].width = (uint8_t)width;
	}
	open_wide(&l);
	lab_start(&l);
	unsigned got = a_turn(&l, lab_block(&l, 0x8000, insn, 2), at, 4 * times);
	lab_close(&l);
	return got;
}

TEST(each_register_of_a_pair_takes_its_data_from_the_same_register_of_a_stored_pair)
{
	for (unsigned at = 0; at < 16; at++) {
		for (unsigned width = 4; width <= 16; width *= 2) {
			CHECK_EQ(pairs_chain(HOT + at, HOT + at, width, 1), 6);
			CHECK_EQ(pairs_chain(HOT + at, HOT + at, width, 2), 6);
		}
		CHECK_EQ(pairs_chain(HOT + at, HOT + at + 1, 8, 1), 15);
	}
}

/* A vector of SVE has up to 256 bytes (DDI0487 B1.2.2). */
TEST(a_load_finds_its_bytes_anywhere_in_a_long_store)
{
	for (unsigned size = 64; size <= 256; size *= 2) {
		CHECK_EQ(chain(0, STORE(HOT, size), LOAD(HOT, 4), NULL), 6);
		CHECK_EQ(chain(0, STORE(HOT, size), LOAD(HOT + size / 2, 4), NULL), 6);
		CHECK_EQ(chain(0, STORE(HOT, size), LOAD(HOT + size - 4, 4), NULL), 15);
		CHECK_EQ(chain(0, STORE(HOT, size), LOAD(HOT + size, 4), NULL),
			 chain(0, STORE(HOT, 4), LOAD(HOT + 64, 4), NULL));
	}
}

/* Cycles per iteration of: a store of a pair of words, the first of them loaded in the iteration before; a
 * load. QEMU 10 reports such a pair as one access of eight bytes. Only cycles are wanted, so that fast paths
 * apply. */
static unsigned pair_chain(struct at load, bool plainly)
{
	struct lab l;
	struct apmu_insn insn[] = {STR(1, 0), LDR(1, 0)};
	struct apmu_access_site site[2];
	uint64_t before = 0;
	insn[0].flags = APMU_INSN_DOUBLE;
	insn[1].width = (uint8_t)load.size;
	open_wide(&l);
	lab_start_for(&l, APMU_SIG_CYCLES);
	struct apmu_block *b = lab_block(&l, 0x8000, insn, 2);
	apmu_block_access_site(b, 0, 8, &site[0]);
	apmu_block_access_site(b, 1, load.size, &site[1]);
	for (unsigned k = 0; k < 2 * TURNS; k++) {
		before = k == TURNS ? cycles(&l) : before;
		apmu_uarch_enter(l.u, b);
		if (plainly) {
			apmu_uarch_access(l.u, b, 0, HOT, 8, true);
			apmu_uarch_access(l.u, b, 1, load.addr, load.size, false);
		} else {
			apmu_uarch__fast_some_forward(l.u, &site[0], HOT, 8, true);
			apmu_uarch__fast_some_forward(l.u, &site[1], load.addr, load.size, false);
		}
	}
	unsigned got = (unsigned)((cycles(&l) - before + TURNS / 2) / TURNS);
	lab_close(&l);
	return got;
}

TEST(each_word_of_a_pair_told_at_once_forwards_by_itself)
{
	for (unsigned plainly = 0; plainly < 2; plainly++) {
		CHECK_EQ(pair_chain(LOAD(HOT, 4), plainly), 6);
		CHECK_EQ(pair_chain(LOAD(HOT + 4, 4), plainly), 6);
		CHECK_EQ(pair_chain(LOAD(HOT + 2, 2), plainly), 6); /* the middle of the first word */
		CHECK_EQ(pair_chain(LOAD(HOT + 6, 2), plainly), 6);
		CHECK_EQ(pair_chain(LOAD(HOT + 1, 1), plainly), 15);
	}
}

/* The length of a block does not matter. */
TEST(each_pair_of_a_long_block_waits)
{
	enum { PAIRS = 100 };
	struct lab l;
	struct apmu_insn insn[2 * PAIRS];
	struct at at[2 * PAIRS];
	for (unsigned k = 0; k < PAIRS; k++) {
		insn[2 * k] = (struct apmu_insn)STR(1, 0);
		insn[2 * k + 1] = (struct apmu_insn)LDR(1, 0);
		at[2 * k] = (struct at){2 * k, HOT, 4, true};
		at[2 * k + 1] = (struct at){2 * k + 1, HOT, 4, false};
	}
	open_wide(&l);
	lab_start(&l);
	CHECK_EQ(a_turn(&l, lab_block(&l, 0x8000, insn, 2 * PAIRS), at, 2 * PAIRS), 6 * PAIRS);
	lab_close(&l);
}

TEST(without_a_forwarding_latency_no_store_forwards)
{
	CHECK_EQ(chain(0, STORE(HOT, 4), LOAD(HOT, 4), "0"), 0); /* 2 accesses, 8 per cycle */
	struct lab l;
	open_wide(&l);
	lab_start_for(&l, APMU_SIG_L1D_MISS); /* no time is counted, so no table */
	CHECK(!l.u->recent);
	lab_close(&l);
	open_wide(&l);
	lab_start(&l);
	CHECK(l.u->recent);
	lab_close(&l);
}

TEST(two_stores_make_a_load_of_eight_bytes_a_half_each)
{
	struct lab l;
	open_wide(&l);
	lab_start(&l);
	struct apmu_insn insn[] = {STR(1, 0), STR(1, 0), LDR(1, 0)};
	const struct at at[] = {{0, HOT, 4, true}, {1, HOT + 4, 4, true}, {2, HOT, 8, false}};
	insn[2].width = 8;
	CHECK_EQ(a_turn(&l, lab_block(&l, 0x8000, insn, 3), at, 3), 6);
	lab_close(&l);
}

TEST(a_half_that_is_not_all_of_a_store_is_not_forwarded)
{
	static const struct {
		struct at at[3];
		unsigned turn;
	} rows[] = {
		/* the second half is the end of the older store */
		{{{0, HOT, 8, true}, {1, HOT, 4, true}, {2, HOT, 8, false}}, 15},
		/* a quarter from one store, the rest from the other */
		{{{0, HOT + 2, 2, true}, {1, HOT + 4, 8, true}, {2, HOT + 2, 8, false}}, 15},
		/* less than eight bytes */
		{{{0, HOT + 2, 2, true}, {1, HOT + 4, 2, true}, {2, HOT + 2, 4, false}}, 15},
	};
	for (unsigned k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
		struct lab l;
		struct apmu_insn insn[] = {STR(1, 0), STR(1, 0), LDR(1, 0)};
		for (unsigned i = 0; i < 3; i++)
			insn[i].width = (uint8_t)rows[k].at[i].size;
		open_wide(&l);
		lab_start(&l);
		CHECK_EQ(a_turn(&l, lab_block(&l, 0x8000, insn, 3), rows[k].at, 3), rows[k].turn);
		lab_close(&l);
	}
}

/* The first register's word was stored first, and its data do not depend on the load of the turn before. */
TEST(a_pair_waits_for_the_youngest_store_of_either_word)
{
	struct lab l;
	open_wide(&l);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(5, 0), STR(1, 0), LDRD(1, 0));
	const struct at at[] = {
		{0, HOT, 4, true}, {1, HOT + 4, 4, true}, {2, HOT, 4, false}, {2, HOT + 4, 4, false}};
	CHECK_EQ(a_turn(&l, b, at, 4), 6);
	lab_close(&l);
}

TEST(an_old_store_keeps_nobody_waiting)
{
	struct lab l;
	open_wide(&l);
	lab_start(&l);
	struct apmu_block *store = LAB_BLOCK(&l, 0x8000, STR(2, 0), NOP());
	struct apmu_block *load = LAB_BLOCK(&l, 0x9000, LDR(1, 1));
	const struct at put = {0, HOT, 4, true}, get = {0, HOT, 4, false};
	run(&l, store, &put, 1);
	for (unsigned k = 0; k < 1000; k++) /* dependent loads: 4 cycles each, the store is long done */
		run(&l, load, &get, 1);
	uint64_t before = cycles(&l);
	for (unsigned k = 0; k < 1000; k++)
		run(&l, load, &get, 1);
	CHECK_EQ((cycles(&l) - before + 500) / 1000, 4);
	lab_close(&l);
}

/* An in-order core that issues one instruction per cycle. A load takes 3 cycles, 5 by forwarding, 9 if
 * forwarding fails. */
static void open_narrow(struct lab *l)
{
	static const char *const params[][2] = {
		{"width", "1"},        {"forward_fail", "9"},     {"forward", "5"},
		{"result.load", "3"},  {"address_extra", "0"},    {"itlb.entries", "0"},
		{"dtlb.entries", "0"}, {"l1i.size", "0"},         {"memory", "100"},
		{"line_fill", "1"},    {"prefetch.streams", "0"}, {"read_allocate", "0"},
		{"l2.size", "0"},      {"misses", "1"},           {"shared", "0"}};
	lab_open(l, "generic-inorder");
	for (size_t i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		lab_set(l, params[i][0], params[i][1]);
}

static uint64_t once(struct lab *l, struct apmu_block *b, const struct at *at, size_t n)
{
	uint64_t before = cycles(l);
	run(l, b, at, n);
	apmu_uarch_break(l->u);
	return cycles(l) - before;
}

TEST(in_order_the_user_of_the_load_waits)
{
	struct lab l;
	open_narrow(&l);
	lab_start(&l);
	struct apmu_block *warm = LAB_BLOCK(&l, 0x7000, LDR(1, 0), ADD(2, 1, 1));
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 0), LDR(2, 0), ADD(3, 2, 2));
	const struct at cold = {0, HOT, 4, false};
	const struct at same[] = {{0, HOT, 4, true}, {1, HOT, 4, false}};
	const struct at odd[] = {{0, HOT, 4, true}, {1, HOT + 1, 1, false}};
	const struct at other[] = {{0, HOT, 4, true}, {1, HOT + 8, 4, false}};
	once(&l, warm, &cold, 1);
	CHECK_EQ(once(&l, b, other, 2), 5); /* issue cycles: store 0, load 1, the load's user 4 */
	CHECK_EQ(once(&l, b, same, 2), 6);  /* the load's user issues 5 cycles after the store */
	CHECK_EQ(once(&l, b, odd, 2), 10);
	lab_close(&l);
}

/* forward_fail = 0 means: as forwarded (spec/uarch/keys.txt). */
TEST(in_order_a_load_that_cannot_be_forwarded_waits_as_long_as_others_unless_the_row_says_more)
{
	struct lab l;
	open_narrow(&l);
	lab_set(&l, "forward_fail", "0");
	lab_start(&l);
	struct apmu_block *warm = LAB_BLOCK(&l, 0x7000, LDR(1, 0), ADD(2, 1, 1));
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 0), LDR(2, 0), ADD(3, 2, 2));
	const struct at cold = {0, HOT, 4, false};
	const struct at odd[] = {{0, HOT, 4, true}, {1, HOT + 1, 1, false}};
	once(&l, warm, &cold, 1);
	CHECK_EQ(once(&l, b, odd, 2), 6); /* the load's user issues 5 cycles after the store */
	lab_close(&l);
}

static uint64_t four_stores(const char *buffer)
{
	struct lab l;
	open_narrow(&l);
	lab_set(&l, "store_buffer", buffer);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 0), STR(1, 0), STR(1, 0), STR(1, 0));
	struct at at[4];
	for (unsigned k = 0; k < 4; k++)
		at[k] = (struct at){k, HOT + 0x100 * k, 4, true};
	uint64_t got = once(&l, b, at, 4);
	lab_close(&l);
	return got;
}

/* One MSHR; a miss takes 100 cycles. */
TEST(stores_wait_in_their_buffer_and_the_core_goes_on)
{
	CHECK_EQ(four_stores("3"), 4);
	CHECK_EQ(four_stores("2"), 4 + 97);  /* the last issues when the first line is there: at 100, not 3 */
	CHECK_EQ(four_stores("1"), 4 + 197); /* the third at 100, the last when the second's is: 200 */
	CHECK_EQ(four_stores("0"), 4 + 297); /* each when that of the one before is there */
}

TEST(a_load_that_misses_waits_for_the_stores_before_it)
{
	struct lab l;
	open_narrow(&l);
	lab_set(&l, "store_buffer", "4");
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, STR(1, 0), STR(1, 0), LDR(2, 0), ADD(3, 2, 2));
	const struct at at[] = {{0, HOT, 4, true}, {1, HOT + 0x100, 4, true}, {2, HOT + 0x200, 4, false}};
	uint64_t got = once(&l, b, at, 3);
	CHECK_EQ(got, 200 + 100 + 3 + 1); /* two lines for the stores, its own, the load's time, its user */
	lab_close(&l);
}
