/* SPDX-License-Identifier: MIT */
/* Caches and TLBs against a second, simple simulator, access by access. */
#include "test.h"
#include "uarch_lab.h"
#include "uarch_sim.h"

#include <apmu/uarch.h>

#include <stdio.h>

#define N 200000

struct shape {
	const char *size, *ways;
	unsigned sets, n_ways;
};

static uint64_t next_random(uint64_t *state)
{
	*state += 0x9E3779B97F4A7C15u;
	uint64_t z = *state;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

/* A trace that hits more than half of the time: mostly within 1.5 times the size of the cache, sometimes
 * anywhere in 64 bits. */
static uint64_t next_address(uint64_t *state, uint64_t cache_bytes)
{
	uint64_t r = next_random(state);
	if (r % 16 == 0)
		return next_random(state) & ~(uint64_t)3;
	return 0x10000 + ((r >> 8) % (cache_bytes * 3 / 8)) * 4;
}

static void compare(const char *replace, unsigned rule, struct shape shape, const char *allocate)
{
	struct lab l;
	struct sim sim;
	uint64_t random = 1234;
	lab_open(&l, "arm1136");
	lab_set(&l, "l1d.replace", replace);
	lab_set(&l, "l1d.size", shape.size);
	lab_set(&l, "l1d.ways", shape.ways);
	lab_set(&l, "l1d.write_allocate", allocate);
	lab_set(&l, "seed", "77");
	lab_start(&l);
	sim_open(&sim, shape.sets, shape.n_ways, rule, allocate[0] == '1', 77);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	for (unsigned k = 0; k < N; k++) {
		uint64_t addr = next_address(&random, 32u * shape.sets * shape.n_ways);
		bool store = next_random(&random) % 3 == 0;
		bool upper = addr & 16;
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, store, addr, 4, store);
		sim_access(&sim, addr >> 5, store, !upper, upper);
		if (lab_count(&l, APMU_SIG_L1D_MISS) != sim.misses)
			break;
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_MISS), sim.misses);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_FILL), sim.fills);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_WB_HALF), sim.halves_out);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_ACCESS), N);
	CHECK(sim.hits > N / 10 && sim.misses > N / 10 && sim.halves_out > N / 100);
	sim_close(&sim);
	lab_close(&l);
}

static void compare_shapes(const char *replace, unsigned rule)
{
	compare(replace, rule, (struct shape){"16384", "4", 128, 4}, "0");
	compare(replace, rule, (struct shape){"16384", "4", 128, 4}, "1");
	compare(replace, rule, (struct shape){"32768", "32", 32, 32}, "0");
	compare(replace, rule, (struct shape){"8192", "1", 256, 1}, "1");
	compare(replace, rule, (struct shape){"2048", "64", 1, 64}, "1");
}

TEST(least_recently_used_agrees_with_the_simple_simulator)
{
	compare_shapes("lru", APMU_REPLACE_LRU);
	compare("lru", APMU_REPLACE_LRU, (struct shape){"12288", "3", 128, 3}, "1");
}

TEST(tree_plru_agrees_with_the_simple_simulator)
{
	compare_shapes("plru", APMU_REPLACE_PLRU);
}

TEST(round_robin_agrees_with_the_simple_simulator)
{
	compare_shapes("round-robin", APMU_REPLACE_ROUND_ROBIN);
	compare("round-robin", APMU_REPLACE_ROUND_ROBIN, (struct shape){"12288", "3", 128, 3}, "1");
}

TEST(fifo_agrees_with_the_simple_simulator)
{
	compare_shapes("fifo", APMU_REPLACE_FIFO);
}

TEST(seeded_random_agrees_with_the_simple_simulator)
{
	compare_shapes("random", APMU_REPLACE_RANDOM);
	compare("random", APMU_REPLACE_RANDOM, (struct shape){"12288", "3", 128, 3}, "1");
}

static void compare_dtlb(const char *replace, unsigned rule)
{
	struct lab l;
	struct sim first, main_tlb;
	uint64_t random = 99;
	lab_open(&l, "arm1136");
	lab_set(&l, "dtlb.replace", replace);
	lab_start(&l);
	sim_open(&first, 1, 10, rule, true, 1);
	sim_open(&main_tlb, 32, 2, APMU_REPLACE_ROUND_ROBIN, true, 1);
	sim_access(&main_tlb, 0x8, false, false, false); /* the code's own page */
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	for (unsigned k = 0; k < N; k++) {
		uint64_t page = 0x100 + next_random(&random) % 13 + (next_random(&random) % 9 ? 0 : 64);
		uint64_t misses = first.misses;
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, page << 12, 4, false);
		sim_access(&first, page, false, false, false);
		if (first.misses != misses)
			sim_access(&main_tlb, page, false, false, false);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1D_TLB_REFILL), first.misses);
	CHECK_EQ(lab_count(&l, APMU_SIG_TLB_WALK), main_tlb.misses);
	CHECK(first.misses > N / 10 && main_tlb.misses > 10);
	sim_close(&first);
	sim_close(&main_tlb);
	lab_close(&l);
}

TEST(the_tlbs_agree_with_the_simple_simulator)
{
	compare_dtlb("round-robin", APMU_REPLACE_ROUND_ROBIN);
	compare_dtlb("lru", APMU_REPLACE_LRU);
	compare_dtlb("random", APMU_REPLACE_RANDOM);
}

/* The fetch side: sixty blocks of one line each, in sixteen pages, in random order. */
static void compare_fetch(const char *replace, unsigned rule)
{
	struct lab l;
	struct sim lines, pages;
	struct apmu_block *b[60];
	uint64_t random = 5;
	lab_open(&l, "arm1136");
	lab_set(&l, "l1i.size", "1024");
	lab_set(&l, "l1i.replace", replace);
	lab_set(&l, "itlb.replace", replace);
	lab_set(&l, "itlb.entries", "8");
	lab_set(&l, "itlb.ways", "8");
	lab_start(&l);
	sim_open(&lines, 8, 4, rule, true, 1);
	sim_open(&pages, 1, 8, rule, true, 1);
	for (unsigned k = 0; k < 60; k++)
		b[k] = LAB_BLOCK(&l, 0x10000 + k % 16 * 4096 + k * 32, SVC());
	for (unsigned n = 0; n < N / 10; n++) {
		unsigned k = (unsigned)(next_random(&random) % (n % 3 ? 20 : 60));
		uint64_t addr = 0x10000 + k % 16 * 4096 + k * 32;
		apmu_uarch_enter(l.u, b[k]);
		sim_access(&lines, addr >> 5, false, false, false);
		sim_access(&pages, addr >> 12, false, false, false);
	}
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_FILL), lines.misses);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_MISS), lines.misses);
	CHECK_EQ(lab_count(&l, APMU_SIG_L1I_TLB_REFILL), pages.misses);
	CHECK(lines.hits > N / 100 && lines.misses > N / 100 && pages.misses > N / 100);
	sim_close(&lines);
	sim_close(&pages);
	lab_close(&l);
}

TEST(the_fetch_side_agrees_with_the_simple_simulator)
{
	compare_fetch("lru", APMU_REPLACE_LRU);
	compare_fetch("plru", APMU_REPLACE_PLRU);
	compare_fetch("round-robin", APMU_REPLACE_ROUND_ROBIN);
	compare_fetch("random", APMU_REPLACE_RANDOM);
}

static uint64_t misses_of_walk(const char *core, uint64_t bytes, uint64_t stride, unsigned rounds)
{
	struct lab l;
	lab_open(&l, core);
	lab_start(&l);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	for (unsigned r = 0; r < rounds; r++) {
		for (uint64_t addr = 0; addr < bytes; addr += stride) {
			apmu_uarch_enter(l.u, b);
			apmu_uarch_access(l.u, b, 0, 0x40000000 + addr, 4, false);
		}
	}
	uint64_t misses = lab_count(&l, APMU_SIG_L1D_MISS);
	lab_close(&l);
	return misses;
}

TEST(a_walk_through_what_fits_misses_once_a_line)
{
	CHECK_EQ(misses_of_walk("arm1176", 16384, 4, 5), 512);
	CHECK_EQ(misses_of_walk("arm1176", 16384, 32, 5), 512);
	CHECK_EQ(misses_of_walk("arm1176", 16384, 64, 5), 256);
	CHECK_EQ(misses_of_walk("xscale1", 32768, 4, 5), 1024);
}

TEST(a_walk_through_one_line_more_than_fits_misses_on_in_its_set) /* round-robin: always the next one needed
								   */
{
	CHECK_EQ(misses_of_walk("xscale1", 32768 + 32, 32, 5), 1024 + 1 + 4 * 33);
	CHECK_EQ(misses_of_walk("xscale1", 2 * 32768, 32, 5), 5 * 2048);
}

static void store_at(struct lab *l, struct apmu_block *b, uint64_t addr)
{
	apmu_uarch_enter(l->u, b);
	apmu_uarch_access(l->u, b, 0, addr, 4, false);
	apmu_uarch_access(l->u, b, 1, addr, 4, true);
}

static uint64_t halves(const char *dirty_bits, uint64_t first, uint64_t second, bool timed)
{
	struct lab l;
	lab_open(&l, "xscale1");
	lab_set(&l, "l1d.dirty_per_line", dirty_bits);
	if (timed)
		lab_start(&l);
	else
		lab_start_for(&l, APMU_SIG_L1D_WB_HALF);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1), STR(0, 1));
	store_at(&l, b, first);
	store_at(&l, b, second);
	for (uint64_t k = 1; k <= 32; k++) { /* 32 more lines of the same set evict it */
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, k * 1024, 4, false);
	}
	uint64_t written = lab_count(&l, APMU_SIG_L1D_WB_HALF);
	lab_close(&l);
	return written;
}

/* Halves written back; checks that a line written while it is still being filled counts the same. */
static uint64_t halves_written_back(const char *dirty_bits, uint64_t first, uint64_t second)
{
	uint64_t written = halves(dirty_bits, first, second, true);
	CHECK_EQ(halves(dirty_bits, first, second, false), written);
	return written;
}

TEST(a_line_dirty_in_one_half_writes_back_one_half_line) /* AN195 table 2, 0xC; XSCALE 8, 0xC */
{
	CHECK_EQ(halves_written_back("2", 0, 12), 1);
	CHECK_EQ(halves_written_back("2", 16, 28), 1);
	CHECK_EQ(halves_written_back("2", 12, 16), 2);
}

TEST(a_cache_with_one_dirty_bit_writes_back_the_whole_line)
{
	CHECK_EQ(halves_written_back("1", 0, 12), 2);
}

/* Misses of reads of the lines a, b, `used`, c and `used` again, all of one set, of which only the last two
 * ways are unlocked. */
static uint64_t misses_beside_locked(const char *replace, unsigned ways, unsigned used)
{
	struct lab l;
	char text[16];
	const unsigned lines[] = {0, 1, used, 2, used};
	lab_open(&l, "arm1136");
	lab_set(&l, "l1d.replace", replace);
	snprintf(text, sizeof(text), "%u", ways * 1024);
	lab_set(&l, "l1d.size", text);
	snprintf(text, sizeof(text), "%u", ways);
	lab_set(&l, "l1d.ways", text);
	lab_start(&l);
	apmu_uarch_lock(l.u, false, ((uint64_t)1 << (ways - 2)) - 1);
	struct apmu_block *b = LAB_BLOCK(&l, 0x8000, LDR(0, 1));
	for (unsigned k = 0; k < 5; k++) {
		apmu_uarch_enter(l.u, b);
		apmu_uarch_access(l.u, b, 0, 0x100000 + lines[k] * 1024u, 4, false);
	}
	uint64_t misses = lab_count(&l, APMU_SIG_L1D_MISS);
	lab_close(&l);
	return misses;
}

TEST(a_line_that_was_just_used_stays_in_unlocked_ways)
{
	static const char *const replace[] = {"lru", "plru"};
	for (unsigned k = 0; k < 2; k++)
		for (unsigned ways = 4; ways <= 32; ways *= 8)
			for (unsigned used = 0; used < 2; used++)
				CHECK_EQ(misses_beside_locked(replace[k], ways, used), 3);
}
