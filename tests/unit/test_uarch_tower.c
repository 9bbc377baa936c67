/* SPDX-License-Identifier: MIT */
/* L1 data, L2 and L3 against a second, simple simulator (tower.h) on the same random traces: look-ups, fills,
 * write-backs and invalidated lines must agree exactly. */
#include "test.h"
#include "tower.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>
#include <stdlib.h>
#include <string.h>

#define N          30000
#define COUNT(sig) lab_count(l, APMU_SIG_##sig)

struct layer {
	const char *size, *ways, *line, *replace, *inclusion;
};

/* Write policy. */
struct policy {
	bool through; /* L1 writes through */
	bool passes;  /* stores that miss L1 bypass it */
	bool leaves;  /* and bypass L2 if they miss it too */
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Half of the addresses are within a little more than L1 holds, half within a little more than the last level
 * holds. */
static uint64_t next_address(uint64_t *random)
{
	uint64_t r = next_random(random) >> 8, near = r % 2 ? 5 * 1024 : 40 * 1024;

	return 0x100000 + (r >> 1) % near * 4;
}

static unsigned word_at(const char *const *words, const char *word)
{
	unsigned i = 0;
	while (strcmp(words[i], word) != 0)
		i++;
	return i;
}

static void build(struct lab *l, struct tower *t, const struct layer *layer, unsigned layers, struct policy p)
{
	static const char *const name[] = {"l1d", "l2", "l3"};
	static const char *const replace[] = {"lru", "plru", "round-robin", "fifo", "random"};
	static const char *const inclusion[] = {"neither", "inclusive", "exclusive"};
	lab_open(l, "arm1136");
	lab_set(l, "l1i.size", "0");
	lab_set(l, "itlb.entries", "0");
	lab_set(l, "dtlb.entries", "0");
	lab_set(l, "tlb.entries", "0");
	lab_set(l, "l1d.write", p.through ? "through" : "back");
	lab_set(l, "l1d.write_allocate", p.passes ? "0" : "1");
	lab_set(l, "l2.write_allocate", p.leaves ? "0" : "1");
	lab_set(l, "l1d.dirty_per_line", "1");
	lab_set(l, "seed", "4711");
	lab_set(l, "l2.latency", "1");
	lab_set(l, "l3.latency", "1");
	for (unsigned i = 0; i < layers; i++) {
		const struct layer *y = &layer[i];
		const char *const keys[] = {"size", "ways", "line", "replace", "inclusion"};
		const char *const values[] = {y->size, y->ways, y->line, y->replace, y->inclusion};
		for (unsigned k = 0; k < (i ? 5u : 4u); k++) {
			char key[32];
			snprintf(key, sizeof key, "%s.%s", name[i], keys[k]);
			lab_set(l, key, values[k]);
		}
		tower_add(t, (unsigned)atoi(y->size), (unsigned)atoi(y->ways), (unsigned)atoi(y->line),
			  word_at(replace, y->replace), i ? word_at(inclusion, y->inclusion) : 0, 4711);
	}
	t->through = p.through;
	t->passes = p.passes;
	t->level[1].leaves = p.leaves;
	lab_start(l);
}

static void agree(const struct lab *l, const struct tower *t, unsigned layers)
{
	const struct tower_level *l1 = &t->level[0], *l2 = &t->level[1], *l3 = &t->level[2];
	CHECK_EQ(COUNT(L1D_MISS), l1->missed);
	CHECK_EQ(COUNT(L1D_FILL), l1->filled);
	CHECK_EQ(COUNT(L1D_WB), l1->written_back);
	CHECK_EQ(COUNT(L1D_WB_CLEAN), l1->taken_dirty);
	CHECK_EQ(COUNT(L1D_INVAL), l1->taken);
	CHECK_EQ(COUNT(L2_RD) + COUNT(L2_WR), l2->looked);
	CHECK_EQ(COUNT(L2_FILL_RD) + COUNT(L2_FILL_WR), l2->missed); /* or past it into L1 */
	CHECK_EQ(COUNT(L2_WB), l2->written_back);
	if (layers < 3)
		return;
	CHECK_EQ(COUNT(L3_RD) + COUNT(L3_WR), l3->looked);
	CHECK_EQ(COUNT(L3_FILL_RD) + COUNT(L3_FILL_WR), l3->missed);
	CHECK_EQ(COUNT(L3_WB), l3->written_back);
	CHECK_EQ(COUNT(L2_WB_CLEAN), l2->taken_dirty);
	CHECK_EQ(COUNT(L2_INVAL), l2->taken);
}

static void race(const struct layer *layer, unsigned layers, struct policy p, uint64_t random)
{
	struct lab lab, *l = &lab;
	struct tower t = {0};
	build(l, &t, layer, layers, p);
	struct apmu_block *b = LAB_BLOCK(l, 0x8000, LDR(0, 1), STR(0, 1));
	for (unsigned k = 0; k < N; k++) {
		uint64_t address = next_address(&random);
		bool store = next_random(&random) % 3 == 0;
		apmu_uarch_enter(l->u, b);
		apmu_uarch_access(l->u, b, store, address, 4, store);
		tower_access(&t, address, store);
		if (COUNT(L1D_MISS) != t.level[0].missed || COUNT(L2_WB) != t.level[1].written_back)
			break; /* the first difference, not its consequences */
	}
	agree(l, &t, layers);
	CHECK(t.level[1].missed + t.level[1].allocated > N / 50);
	CHECK(t.level[1].written_back > N / 200 || (p.leaves && (p.through || p.passes)));
	tower_close(&t);
	lab_close(l);
}

static const struct policy back = {0};

static void race_all(const char *inclusion)
{
	static const char *const replace[] = {"lru", "plru", "round-robin", "fifo", "random"};
	for (unsigned r = 0; r < 5; r++) {
		struct layer two[] = {{"4096", "4", "32", replace[r], ""},
				      {"16384", "8", "32", replace[r], inclusion}};
		struct layer wide[] = {{"4096", "2", "32", "lru", ""},
				       {"32768", "4", "64", replace[r], inclusion}};
		race(two, 2, back, 1 + r);
		if (strcmp(inclusion, "exclusive") != 0)
			race(wide, 2, back, 100 + r);
	}
}

TEST(an_L2_that_is_neither_inclusive_nor_exclusive_agrees_with_the_tower)
{
	race_all("neither");
}

TEST(an_inclusive_L2_agrees_with_the_tower)
{
	race_all("inclusive");
}

TEST(an_exclusive_L2_agrees_with_the_tower)
{
	race_all("exclusive");
}

TEST(stores_that_L1_passes_on_agree_with_the_tower)
{
	static const char *const replace[] = {"lru", "plru", "round-robin", "fifo", "random"};
	static const char *const inclusion[] = {"neither", "inclusive", "exclusive"};
	for (unsigned i = 0; i < 15; i++)
		for (unsigned k = 1; k < 8; k++) {
			struct policy p = {.through = k & 1, .passes = k & 2, .leaves = k & 4};
			struct layer three[] = {{"4096", "4", "32", replace[i % 5], ""},
						{"8192", "4", "32", replace[i % 5], inclusion[i / 5]},
						{"16384", "8", "32", replace[i % 5], "neither"}};
			race(three, 2 + i % 2, p, 2000 + 8 * i + k);
		}
}

TEST(three_levels_of_any_replacement_agree_with_the_tower)
{
	static const char *const replace[] = {"lru", "plru", "round-robin", "fifo", "random"};
	static const char *const inclusion[] = {"neither", "inclusive", "exclusive"};
	for (unsigned i = 0; i < 45; i++) {
		struct layer three[] = {{"4096", "4", "32", replace[i % 5], ""},
					{"8192", "4", "32", replace[i % 5], inclusion[i / 5 % 3]},
					{"16384", "8", "32", replace[i % 5], inclusion[i / 15]}};
		race(three, 3, back, 3000 + i);
	}
}

TEST(three_levels_agree_with_the_tower)
{
	static const char *const inclusion[] = {"neither", "inclusive", "exclusive"};
	for (unsigned i = 0; i < 9; i++) {
		struct layer three[] = {{"4096", "4", "32", "lru", ""},
					{"8192", "4", "32", "plru", inclusion[i % 3]},
					{"16384", "8", "32", "lru", inclusion[i / 3]}};
		race(three, 3, back, 1000 + i);
	}
}
