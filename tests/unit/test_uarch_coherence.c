/* SPDX-License-Identifier: MIT */
/*
 * Coherence between the L1 caches of threads, against the MESI rules applied by hand: who holds a line, and
 * if one holder has it modified. The lines are so few that none is evicted.
 */
#include "test.h"
#include "uarch_lab.h"

#include "uarch/coherence.h"
#include "uarch/shared_levels.h"

#include <apmu/uarch.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define LINES   40
#define N       60000

/* State of a line by the rules. */
struct line {
	bool held[THREADS];
	int owner; /* thread that has it modified; -1: none */
};

struct expected {
	uint64_t missed, from_peer, modified, upgraded, lost;
};

struct house {
	struct lab lab[THREADS];
	struct apmu_block *block[THREADS];
	struct apmu_shared *shared;
	struct line line[LINES];
	struct expected expected[THREADS];
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void build(struct lab *l, const char *inclusion, const char *rob, const char *run)
{
	lab_open(l, strcmp(rob, "0") ? "generic-ooo" : "generic-inorder");
	lab_set(l, "prefetch.streams", "0");
	lab_set(l, "read_allocate", run);
	lab_set(l, "l2.inclusion", inclusion);
	lab_set(l, "l1d.replace", "lru");
	lab_set(l, "seed", "1");
	lab_set(l, "bus_queue", "1"); /* BCU_FULL: cycles in which one read is in flight */
}

/* `run`: store misses that begin read-allocate mode; "0": it has none. */
static void open_house(struct house *h, const char *inclusion, const char *rob, bool only_misses,
		       const char *run)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];

	memset(wanted, only_misses ? 0 : 0xFF, sizeof(wanted));
	apmu_signal_add(wanted, APMU_SIG_L1D_MISS);
	*h = (struct house){0};
	for (unsigned k = 0; k < THREADS; k++) {
		struct lab *l = &h->lab[k];
		build(l, inclusion, rob, run);
		if (k == 0)
			h->shared = apmu_shared_new(&l->p);
		CHECK(apmu_uarch_coheres(&l->p, wanted));
		if (k == THREADS - 1) { /* the others run already */
			apmu_shared_many(h->shared);
			apmu_shared_cohere(h->shared);
		}
		l->u = apmu_uarch_new_shared(&l->p, &l->t, wanted, h->shared);
		h->block[k] = LAB_BLOCK(l, 0x8000, LDR(0, 1), STR(0, 1));
	}
	for (unsigned i = 0; i < LINES; i++)
		h->line[i].owner = -1;
}

static void close_house(struct house *h)
{
	for (unsigned k = 0; k < THREADS; k++)
		lab_close(&h->lab[k]);
	apmu_shared_free(h->shared);
}

static bool others_have(const struct line *line, unsigned who)
{
	for (unsigned k = 0; k < THREADS; k++)
		if (k != who && line->held[k])
			return true;
	return false;
}

static void take_from_others(struct house *h, struct line *line, unsigned who)
{
	for (unsigned k = 0; k < THREADS; k++) {
		h->expected[k].lost += k != who && line->held[k];
		line->held[k] = k == who;
	}
	line->owner = (int)who;
}

/* Applies MESI. With an exclusive L2, a clean line in another thread's L1 is not in the shared levels, so a
 * miss takes it from there. */
static void rule(struct house *h, unsigned who, unsigned i, bool store, bool exclusive)
{
	struct line *line = &h->line[i];
	struct expected *e = &h->expected[who];
	bool others = others_have(line, who), modified = line->owner >= 0 && line->owner != (int)who;

	if (line->held[who]) {
		e->upgraded += store && others;
	} else {
		e->missed++;
		e->from_peer += modified || (exclusive && others);
		e->modified += modified;
	}
	if (!store && modified)
		line->owner = -1;
	line->held[who] = true;
	if (store)
		take_from_others(h, line, who);
}

static void access_of(struct house *h, unsigned who, unsigned i, bool store)
{
	struct lab *l = &h->lab[who];
	uint64_t address = 0x100000 + (uint64_t)i * 64 + who * 8;

	apmu_uarch_snooped(l->u);
	apmu_uarch_enter(l->u, h->block[who]);
	if (store)
		apmu_uarch_claim(l->u, h->block[who], 1, address, 4);
	apmu_uarch_access(l->u, h->block[who], store, address, 4, store);
}

/* Writes the words of a line, from its first byte on. */
static void write_whole(struct house *h, unsigned who, unsigned i)
{
	struct lab *l = &h->lab[who];

	for (uint64_t address = 0x100000 + (uint64_t)i * 64, end = address + 64; address < end;
	     address += 4) {
		apmu_uarch_enter(l->u, h->block[who]);
		apmu_uarch_claim(l->u, h->block[who], 1, address, 4);
		apmu_uarch_access(l->u, h->block[who], 1, address, 4, true);
	}
}

/* The thread reads as many lines of line 1's set of L2 as evict all that were there. */
static void evict_set(struct house *h, unsigned who)
{
	struct lab *l = &h->lab[who];
	uint64_t set = l->p.l2.size / l->p.l2.ways;

	for (unsigned k = 1; k <= 64; k++) {
		apmu_uarch_enter(l->u, h->block[who]);
		apmu_uarch_access(l->u, h->block[who], 0, 0x100040 + k * set, 4, false);
	}
}

static void agree(struct house *h, bool only_misses)
{
	for (unsigned k = 0; k < THREADS; k++) {
		const struct expected *e = &h->expected[k];
		apmu_uarch_snooped(h->lab[k].u);
		CHECK_EQ(lab_count(&h->lab[k], APMU_SIG_L1D_MISS), e->missed);
		if (only_misses)
			continue;
		CHECK_EQ(lab_count(&h->lab[k], APMU_SIG_PEER_FILL_MODIFIED), e->modified);
		CHECK_EQ(lab_count(&h->lab[k], APMU_SIG_PEER_UPGRADE), e->upgraded);
		CHECK_EQ(lab_count(&h->lab[k], APMU_SIG_L1D_INVAL), e->lost);
		CHECK_EQ(lab_count(&h->lab[k], APMU_SIG_PEER_FILL), e->from_peer);
		CHECK(e->modified > N / 100 && e->upgraded > N / 100 && e->lost > N / 100);
	}
}

static void live(const char *inclusion, const char *rob, bool only_misses)
{
	struct house h;
	uint64_t random = 4711;

	open_house(&h, inclusion, rob, only_misses, "0");
	for (unsigned n = 0; n < N; n++) {
		uint64_t r = next_random(&random) >> 8;
		unsigned who = (unsigned)(r % THREADS), i = (unsigned)(r / 16 % LINES);
		bool store = r / 1024 % 3 == 0;
		rule(&h, who, i, store, strcmp(inclusion, "exclusive") == 0);
		access_of(&h, who, i, store);
	}
	agree(&h, only_misses);
	close_house(&h);
}

TEST(first_levels_keep_to_MESI)
{
	live("inclusive", "0", false);
	live("neither", "0", false);
}

TEST(first_levels_keep_to_MESI_out_of_order)
{
	live("inclusive", "1", false);
}

TEST(first_levels_keep_to_MESI_where_misses_alone_are_counted)
{
	live("inclusive", "0", true);
	live("neither", "0", true); /* nothing needs the levels below */
}

/* One thread writes a line; L1 evicts it, and after 64 other lines of its set L2 does. No other thread has
 * it. */
TEST(a_dirty_line_that_an_inclusive_level_evicts_reaches_memory)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[0];

	access_of(&h, 0, 1, true);
	evict_set(&h, 0);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB), 1);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_WB), 1);
	CHECK_EQ(lab_count(l, APMU_SIG_BUS_REQ_WR), 1);
	close_house(&h);
}

/* Another thread reads a line that this one wrote: the shared level then has it dirty, this one clean. */
TEST(a_modified_line_that_another_thread_reads_is_cleaned_into_the_shared_level)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[0];

	access_of(&h, 0, 1, true);
	access_of(&h, 1, 1, false);
	apmu_uarch_snooped(l->u);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB_CLEAN), 1);
	access_of(&h, 0, 1, true);
	CHECK_EQ(lab_count(l, APMU_SIG_PEER_UPGRADE), 1);
	access_of(&h, 1, 1, false);
	apmu_uarch_snooped(l->u);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB_CLEAN), 2);
	evict_set(&h, 0);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB), 0);
	CHECK_EQ(lab_count(l, APMU_SIG_BUS_REQ_WR), 1);
	close_house(&h);
}

/* The thread that read the line writes it before the other one looks: it was written back nevertheless. One
 * that is taken without being read first was not. */
TEST(a_line_that_is_read_and_then_taken_was_written_back)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[0];

	access_of(&h, 0, 1, true);
	access_of(&h, 1, 1, false);
	access_of(&h, 1, 1, true);
	apmu_uarch_snooped(l->u);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB_CLEAN), 1);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_INVAL), 1);
	access_of(&h, 0, 2, true);
	access_of(&h, 1, 2, true);
	apmu_uarch_snooped(l->u);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB_CLEAN), 1);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_INVAL), 2);
	close_house(&h);
}

/* With an exclusive L2 the line that another thread wrote is in no shared level. It is looked up there, but
 * what another core of the cluster provides was not filled from outside. */
TEST(a_line_from_another_thread_fills_no_shared_level)
{
	struct house h;
	open_house(&h, "exclusive", "0", false, "0");
	struct lab *l = &h.lab[1];

	access_of(&h, 1, 3, false); /* with the page's table walk */
	uint64_t reads = lab_count(l, APMU_SIG_L2_RD), last = lab_count(l, APMU_SIG_LL_RD);
	uint64_t fills = lab_count(l, APMU_SIG_L2_FILL_RD), misses = lab_count(l, APMU_SIG_LL_MISS_RD);
	CHECK(fills > 0 && misses > 0);
	for (unsigned store = 0; store < 2; store++) {
		access_of(&h, 0, store, true);
		access_of(&h, 1, store, store);
		CHECK_EQ(lab_count(l, APMU_SIG_PEER_FILL), store + 1);
	}
	CHECK_EQ(lab_count(l, APMU_SIG_L2_RD), reads + 1);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_WR), 1);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_HIT_WR), 1); /* neither misses, so both hit */
	CHECK_EQ(lab_count(l, APMU_SIG_LL_RD), last + 2);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_FILL_RD), fills);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_FILL_WR), 0);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_FILL_UNIQUE), 0);
	CHECK_EQ(lab_count(l, APMU_SIG_LL_MISS_RD), misses);
	close_house(&h);
}

/* What a thread wrote and read is in the common level when it has ended, and is not read from memory again.
 */
TEST(a_thread_that_ends_leaves_its_lines_to_the_others)
{
	struct house h;
	open_house(&h, "exclusive", "0", false, "0");
	struct lab *l = &h.lab[1];

	access_of(&h, 1, 3, false); /* with the page's table walk */
	access_of(&h, 0, 1, true);
	access_of(&h, 0, 2, false);
	apmu_uarch_free(h.lab[0].u);
	h.lab[0].u = NULL;
	uint64_t reads = lab_count(l, APMU_SIG_L2_RD), fills = lab_count(l, APMU_SIG_L2_FILL_RD);
	access_of(&h, 1, 1, false);
	access_of(&h, 1, 2, false);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_RD), reads + 2);
	CHECK_EQ(lab_count(l, APMU_SIG_L2_FILL_RD), fills);
	CHECK_EQ(lab_count(l, APMU_SIG_PEER_FILL), 0);
	close_house(&h);
}

/* More lines than a thread keeps a list of; those that nobody asked for stay as they are. */
TEST(of_many_modified_lines_those_that_another_thread_reads_are_cleaned)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");

	for (unsigned i = 0; i < LINES; i++)
		access_of(&h, 0, i, true);
	for (unsigned i = 0; i + 2 < LINES; i++)
		access_of(&h, 1, i, false);
	apmu_uarch_snooped(h.lab[0].u);
	CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_L1D_WB_CLEAN), LINES - 2);
	close_house(&h);
}

/* One thread writes a line; another one reads 64 other lines of its set of L2, which evicts it. */
TEST(an_inclusive_level_takes_an_evicted_line_from_other_threads)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[1];

	access_of(&h, 0, 1, true);
	evict_set(&h, 1);
	apmu_uarch_snooped(h.lab[0].u);
	CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_L1D_INVAL), 1);
	CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_L1D_WB), 0);
	CHECK_EQ(lab_count(l, APMU_SIG_BUS_REQ_WR), 1);
	close_house(&h);
}

/* A line that a thread has claimed but not written has nothing to clean. */
TEST(a_claim_alone_leaves_a_line_clean)
{
	struct house h;
	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[0];

	access_of(&h, 0, 1, false);
	apmu_uarch_enter(l->u, h.block[0]);
	apmu_uarch_claim(l->u, h.block[0], 1, 0x100040, 4);
	access_of(&h, 1, 1, false);
	apmu_uarch_snooped(l->u);
	CHECK_EQ(lab_count(l, APMU_SIG_L1D_WB_CLEAN), 0);
	close_house(&h);
}

/* DC ZVA of a line that another thread has: in L1 it becomes modified, past L1 the other loses it. */
TEST(dc_zva_takes_its_line_from_other_threads)
{
	for (unsigned held = 0; held < 2; held++) {
		struct house h;
		open_house(&h, "inclusive", "0", false, "0");
		struct lab *l = &h.lab[0];

		access_of(&h, 1, 1, true);
		if (held)
			access_of(&h, 0, 1, false);
		apmu_uarch_enter(l->u, h.block[0]);
		apmu_uarch_zero(l->u, h.block[0], 1, 0x100040, 64);
		apmu_uarch_snooped(h.lab[1].u);
		CHECK_EQ(lab_count(l, APMU_SIG_PEER_UPGRADE), held);
		CHECK_EQ(lab_count(&h.lab[1], APMU_SIG_L1D_INVAL), 1);
		access_of(&h, 1, 1, false);
		CHECK_EQ(lab_count(&h.lab[1], APMU_SIG_PEER_FILL_MODIFIED), held);
		CHECK_EQ(lab_count(&h.lab[1], APMU_SIG_L1D_MISS), 2);
		close_house(&h);
	}
}

/* With an exclusive L2 a clean line of another thread is in no level that both share. */
TEST(a_clean_line_that_no_shared_level_has_comes_from_the_other_thread)
{
	static const char *const inclusion[] = {"exclusive", "inclusive"};

	for (unsigned k = 0; k < 2; k++) {
		struct house h;
		open_house(&h, inclusion[k], "0", false, "0");
		access_of(&h, 1, 1, false);
		access_of(&h, 0, 1, false);
		CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_PEER_FILL), k == 0);
		CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_PEER_FILL_MODIFIED), 0);
		close_house(&h);
	}
}

/* Two threads, which are coherent from the second one on; `alone` runs before. */
static void open_two(struct house *h, const char *key, const char *value, void alone(struct house *))
{
	uint64_t wanted[APMU_SIGNAL_WORDS];

	*h = (struct house){0};
	memset(wanted, 0xFF, sizeof(wanted));
	for (unsigned k = 0; k < 2; k++) {
		struct lab *l = &h->lab[k];
		build(l, "inclusive", "0", "0");
		lab_set(l, key, value);
		h->shared = k ? h->shared : apmu_shared_new(&l->p);
		l->u = apmu_uarch_new_shared(&l->p, &l->t, wanted, h->shared);
		h->block[k] = LAB_BLOCK(l, 0x8000, LDR(0, 1), STR(0, 1));
		if (k)
			return;
		if (alone)
			alone(h);
		apmu_shared_many(h->shared);
		apmu_shared_cohere(h->shared);
	}
}

static void close_two(struct house *h)
{
	lab_close(&h->lab[0]);
	lab_close(&h->lab[1]);
	apmu_shared_free(h->shared);
}

static void write_and_read(struct house *h)
{
	access_of(h, 0, 1, true);
	access_of(h, 0, 2, false);
}

TEST(lines_written_before_there_was_another_thread_are_modified)
{
	struct house h;
	open_two(&h, "shared", "2", write_and_read);
	access_of(&h, 1, 1, false);
	access_of(&h, 1, 2, false);
	CHECK_EQ(lab_count(&h.lab[1], APMU_SIG_PEER_FILL_MODIFIED), 1);
	close_two(&h);
}

TEST(the_child_of_a_fork_can_free_its_machine_though_another_thread_held_the_lock)
{
	struct house h;
	open_two(&h, "shared", "2", NULL);
	pthread_mutex_lock(&h.shared->lock);
	pid_t child = fork();
	if (child == 0) {
		alarm(10);
		apmu_shared_forked(h.shared);
		apmu_uarch_free(h.lab[0].u);
		_exit(0);
	}
	pthread_mutex_unlock(&h.shared->lock);
	int status = -1;
	CHECK_EQ(waitpid(child, &status, 0), child);
	CHECK_EQ(status, 0);
	close_two(&h);
}

/* L2 is each thread's own. */
TEST(a_line_that_another_thread_writes_leaves_the_own_levels_too)
{
	struct house h;
	open_two(&h, "shared", "3", NULL);
	access_of(&h, 0, 1, false);
	access_of(&h, 1, 1, true);
	uint64_t before = lab_count(&h.lab[0], APMU_SIG_L2_FILL_RD);
	access_of(&h, 0, 1, false);
	CHECK_EQ(lab_count(&h.lab[0], APMU_SIG_L2_FILL_RD) - before, 1);
	close_two(&h);
}

/* Cycles in which a read is in flight, of a thread that loads a new line and stores what it loaded to another
 * line; `asked`: another thread has read that one. */
static uint64_t reading(bool asked)
{
	struct house h;

	open_house(&h, "inclusive", "0", false, "0");
	struct lab *l = &h.lab[0];
	struct apmu_insn insn[64] = {LDR(1, 0), STR(1, 0)};
	for (unsigned k = 2; k < 64; k++) /* longer than a transfer */
		insn[k] = (struct apmu_insn)NOP();
	struct apmu_block *b = lab_block(l, 0x9000, insn, 64);
	access_of(&h, 0, 1, true);
	for (uint64_t n = 0; n < 500; n++) {
		if (asked)
			access_of(&h, 1, 1, false);
		apmu_uarch_snooped(l->u);
		apmu_uarch_enter(l->u, b);
		apmu_uarch_access(l->u, b, 0, 0x200000 + n * 64, 4, false);
		apmu_uarch_claim(l->u, b, 1, 0x100040, 4);
		apmu_uarch_access(l->u, b, 1, 0x100040, 4, true);
	}
	apmu_uarch_break(l->u);
	uint64_t cycles = lab_count(l, APMU_SIG_BCU_FULL);
	close_house(&h);
	return cycles;
}

/* A transfer takes 26 cycles. */
TEST(in_order_a_store_claims_its_line_when_its_data_have_come)
{
	CHECK_EQ(reading(true) - reading(false), 500 * 26);
}

/* Cycles of a thread whose dependent loads read one line, which another thread writes in between (if
 * `written`). */
static uint64_t cycles_of_reader(const char *rob, bool written)
{
	struct house h;

	open_house(&h, "inclusive", rob, false, "0");
	struct apmu_block *chain = LAB_BLOCK(&h.lab[0], 0x9000, LDR(1, 1));
	for (unsigned n = 0; n < 1000; n++) {
		if (written)
			access_of(&h, 1, 1, true);
		apmu_uarch_snooped(h.lab[0].u);
		apmu_uarch_enter(h.lab[0].u, chain);
		apmu_uarch_access(h.lab[0].u, chain, 0, 0x100040, 4, false);
	}
	apmu_uarch_break(h.lab[0].u);
	uint64_t cycles = lab_count(&h.lab[0], APMU_SIG_CYCLES);
	close_house(&h);
	return cycles;
}

/* A transfer takes 26 cycles in the in-order row, 34 in the out-of-order row. */
TEST(a_line_that_another_thread_writes_costs_its_reader_a_transfer_each_time)
{
	uint64_t in_order = cycles_of_reader("0", true) - cycles_of_reader("0", false);
	uint64_t out_of_order = cycles_of_reader("1", true) - cycles_of_reader("1", false);

	CHECK(in_order > 1000 * 24 && in_order < 1000 * 30);
	CHECK(out_of_order > 1000 * 32 && out_of_order < 1000 * 38);
}

/* Both write a line, or one writes and the other reads it: of 100 rounds all but the first see the line come
 * back. */
TEST(a_line_that_comes_back_is_contended)
{
	for (unsigned reads = 0; reads < 2; reads++) {
		struct house h;

		open_house(&h, "inclusive", "0", false, "0");
		for (unsigned n = 0; n < 100; n++)
			for (unsigned k = 0; k < 2; k++) {
				apmu_uarch_snooped(h.lab[k].u);
				access_of(&h, k, 1, k == 0 || !reads);
			}
		for (unsigned k = 0; k < 2; k++)
			CHECK_EQ(apmu_uarch_contended(h.lab[k].u), 99);
		CHECK_EQ(apmu_uarch_contended(h.lab[2].u), 0);
		close_house(&h);
	}
}

/* Nor is a line that another thread takes, and that comes back only after a long time, or that an inclusive
 * level evicts. */
TEST(lines_that_move_one_way_are_not_contended)
{
	struct house h;

	open_house(&h, "inclusive", "0", false, "0");
	for (unsigned i = 0; i < LINES; i++)
		access_of(&h, 0, i, true);
	for (unsigned i = 0; i < LINES; i++)
		access_of(&h, 1, i, i % 2);
	apmu_uarch_snooped(h.lab[0].u);
	for (unsigned n = 0; n < APMU_UARCH__SOON; n++)
		apmu_uarch_enter(h.lab[0].u, h.block[0]);
	for (unsigned i = 0; i < LINES; i++)
		access_of(&h, 0, i, true);
	evict_set(&h, 1);
	apmu_uarch_snooped(h.lab[0].u);
	access_of(&h, 0, 1, true);
	for (unsigned k = 0; k < THREADS; k++)
		CHECK_EQ(apmu_uarch_contended(h.lab[k].u), 0);
	close_house(&h);
}

/* A machine is not coherent until it is told of others, and never if its row has no `transfer`. */
TEST(without_others_nothing_is_asked)
{
	struct lab l;
	uint64_t wanted[APMU_SIGNAL_WORDS];

	memset(wanted, 0xFF, sizeof(wanted));
	lab_open(&l, "generic-inorder");
	lab_set(&l, "transfer", "0");
	CHECK(!apmu_uarch_coheres(&l.p, wanted));
	lab_set(&l, "transfer", "30");
	CHECK(apmu_uarch_coheres(&l.p, wanted));
	memset(wanted, 0, sizeof(wanted));
	apmu_signal_add(wanted, APMU_SIG_INST);
	CHECK(!apmu_uarch_coheres(&l.p, wanted));
	lab_open(&l, "arm1136");
	memset(wanted, 0xFF, sizeof(wanted));
	CHECK(!apmu_uarch_coheres(&l.p, wanted));
}

/* Misses of a thread that reads lines again, after another thread has written all of them one after the other
 * and no longer fills them. */
static uint64_t misses_after_a_run(bool only_misses)
{
	struct house h;
	uint64_t before;

	open_house(&h, "neither", "0", only_misses, "3");
	for (unsigned round = 0; round < 2; round++) {
		before = lab_count(&h.lab[0], APMU_SIG_L1D_MISS);
		for (unsigned i = 0; i < LINES; i++)
			access_of(&h, 0, i, false);
		for (unsigned i = 0; round == 0 && i < LINES; i++)
			write_whole(&h, 1, i);
	}
	uint64_t misses = lab_count(&h.lab[0], APMU_SIG_L1D_MISS) - before;
	close_house(&h);
	return misses;
}

TEST(a_store_past_L1_takes_the_line_from_others_whatever_else_is_counted)
{
	CHECK_EQ(misses_after_a_run(false), LINES);
	CHECK_EQ(misses_after_a_run(true), LINES);
}
