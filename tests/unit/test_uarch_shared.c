/* SPDX-License-Identifier: MIT */
/* Levels that two threads share: two machines, whose accesses are interleaved in a fixed random order,
 * against two towers of the second simulator (tower.h) with one common level. */
#include "test.h"
#include "tower.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>
#include <string.h>

#define N 40000

/* Sizes of L1 data, L2, L3; "0": none. */
struct shape {
	const char *l2, *l3, *inclusion, *shared;
	unsigned l2_size, l3_size, rule;
	unsigned replace; /* of the common level */
};

static const char *const replacement[] = {"lru", "plru", "round-robin", "fifo", "random"};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void build(struct lab *l, const struct shape *s)
{
	const char *const keys[][2] = {
		{"l1i.size", "0"},           {"itlb.entries", "0"},  {"dtlb.entries", "0"},
		{"tlb.entries", "0"},        {"l1d.size", "4096"},   {"l1d.ways", "4"},
		{"l1d.line", "32"},          {"l1d.replace", "lru"}, {"l1d.write_allocate", "1"},
		{"l1d.dirty_per_line", "1"}, {"l2.size", s->l2},     {"l2.ways", "4"},
		{"l2.line", "32"},           {"l2.replace", "lru"},  {"l2.latency", "1"},
		{"l3.size", s->l3},          {"l3.ways", "8"},       {"l3.line", "32"},
		{"l3.replace", "lru"},       {"l3.latency", "1"},    {"shared", s->shared}};
	lab_open(l, "arm1136");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		lab_set(l, keys[i][0], keys[i][1]);
	lab_set(l, strcmp(s->l3, "0") ? "l3.inclusion" : "l2.inclusion", s->inclusion);
	lab_set(l, strcmp(s->l3, "0") ? "l3.replace" : "l2.replace", replacement[s->replace]);
	lab_set(l, "seed", "1");
}

static void raise_tower(struct tower *t, const struct shape *s, bool stands)
{
	tower_add(t, 4096, 4, 32, APMU_REPLACE_LRU, 0, 1);
	if (s->l3_size)
		tower_add(t, s->l2_size, 4, 32, APMU_REPLACE_LRU, APMU_NEITHER, 1);
	if (stands)
		tower_add(t, s->l3_size ? s->l3_size : s->l2_size, s->l3_size ? 8 : 4, 32, s->replace,
			  s->rule, 1);
}

/* Two threads and the towers that model them. */
struct pair {
	struct lab lab[2];
	struct tower tower[2];
	struct apmu_block *block[2];
	struct apmu_shared *shared;
	struct tower_level *common;
	unsigned last; /* index of the common level */
};

static void meet(struct pair *p, const struct shape *s)
{
	uint64_t wanted[APMU_SIGNAL_WORDS];
	memset(wanted, 0xFF, sizeof(wanted));
	*p = (struct pair){.last = s->l3_size ? 2 : 1};
	build(&p->lab[0], s);
	build(&p->lab[1], s);
	CHECK(apmu_uarch_shares(&p->lab[0].p));
	p->shared = apmu_shared_new(&p->lab[0].p);
	for (unsigned k = 0; k < 2; k++) {
		struct lab *l = &p->lab[k];
		l->u = apmu_uarch_new_shared(&l->p, &l->t, wanted, p->shared);
		p->block[k] = LAB_BLOCK(l, 0x8000, LDR(0, 1), STR(0, 1));
		raise_tower(&p->tower[k], s, k == 0);
	}
	p->common = &p->tower[0].level[p->last];
	p->tower[1].level[p->last - 1].below = p->common;
}

static void access_of(struct pair *p, unsigned who, uint64_t address, bool store)
{
	struct tower *t = p->tower;
	apmu_uarch_enter(p->lab[who].u, p->block[who]);
	apmu_uarch_access(p->lab[who].u, p->block[who], store, address, 4, store);
	t[who].now = t[0].now > t[1].now ? t[0].now : t[1].now;
	p->common->above =
		&t[who].level[p->last - 1]; /* a victim also evicts the lines of the thread that causes it */
	tower_access(&t[who], address, store);
}

static uint64_t both(const struct pair *p, unsigned of_l2, unsigned of_l3)
{
	unsigned signal = p->last == 1 ? of_l2 : of_l3;
	return lab_count(&p->lab[0], signal) + lab_count(&p->lab[1], signal);
}

static void agree(const struct pair *p)
{
	uint64_t looked = both(p, APMU_SIG_L2_RD, APMU_SIG_L3_RD) + both(p, APMU_SIG_L2_WR, APMU_SIG_L3_WR);
	uint64_t missed = both(p, APMU_SIG_L2_FILL_RD, APMU_SIG_L3_FILL_RD) +
			  both(p, APMU_SIG_L2_FILL_WR, APMU_SIG_L3_FILL_WR);
	for (unsigned k = 0; k < 2; k++) {
		CHECK_EQ(lab_count(&p->lab[k], APMU_SIG_L1D_MISS), p->tower[k].level[0].missed);
		CHECK_EQ(lab_count(&p->lab[k], APMU_SIG_L1D_WB), p->tower[k].level[0].written_back);
	}
	CHECK_EQ(looked, p->common->looked);
	CHECK_EQ(missed, p->common->missed);
	CHECK_EQ(both(p, APMU_SIG_L2_WB, APMU_SIG_L3_WB), p->common->written_back);
	CHECK(missed > N / 20 && p->common->written_back > N / 100);
}

/* Both threads access memory; half of it is common to both. */
static void race(const struct shape *s, bool many)
{
	struct pair p;
	uint64_t random = 77;
	meet(&p, s);
	if (many)
		apmu_shared_many(p.shared);
	for (unsigned n = 0; n < N; n++) {
		uint64_t r = next_random(&random) >> 8;
		unsigned who = r % 2;
		uint64_t base = r >> 4 & 1 ? 0x100000 : 0x200000 + who * 0x100000;
		access_of(&p, who, base + (r >> 8) % 2048 * 16, r / 2 % 3 == 0);
	}
	agree(&p);
	for (unsigned k = 0; k < 2; k++) {
		tower_close(&p.tower[k]);
		lab_close(&p.lab[k]);
	}
	apmu_shared_free(p.shared);
}

TEST(an_L2_of_two_threads_agrees_with_two_towers_on_one_level)
{
	const struct shape s = {"32768", "0", "neither", "2", 32768, 0, APMU_NEITHER, APMU_REPLACE_LRU};
	race(&s, false);
	race(&s, true);
}

TEST(common_levels_of_any_replacement_and_inclusion_agree_with_two_towers_on_one_level)
{
	static const char *const inclusion[] = {"neither", "inclusive", "exclusive"};
	for (unsigned i = 0; i < 15; i++) {
		struct shape l2 = {"32768", "0", inclusion[i % 3], "2", 32768, 0, i % 3, i / 3};
		struct shape l3 = {"8192", "32768", inclusion[i % 3], "3", 8192, 32768, i % 3, i / 3};
		race(&l2, true);
		race(&l3, true);
	}
}

TEST(an_exclusive_L2_of_two_threads_agrees_with_two_towers_on_one_level)
{
	const struct shape s = {"32768", "0", "exclusive", "2", 32768, 0, APMU_EXCLUSIVE, APMU_REPLACE_LRU};
	race(&s, true);
}

TEST(an_L3_under_private_L2s_agrees_with_two_towers_on_one_level)
{
	const struct shape s = {"8192", "32768", "neither", "3", 8192, 32768, APMU_NEITHER, APMU_REPLACE_LRU};
	race(&s, true);
}

/* The row shares from L3 on, and it has no L3. */
TEST(what_is_not_shared_is_each_threads_own)
{
	const struct shape s = {"32768", "0", "neither", "3", 32768, 0, APMU_NEITHER, APMU_REPLACE_LRU};
	struct lab l;
	build(&l, &s);
	CHECK(!apmu_uarch_shares(&l.p));
	lab_set(&l, "shared", "0");
	CHECK(!apmu_uarch_shares(&l.p));
}
