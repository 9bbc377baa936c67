/* SPDX-License-Identifier: MIT */
/*
 * Errors that grow with time. In a walk of dependent loads with a constant stride, which the prefetcher
 * follows, a step costs the same after 4,000 steps as after 64,000, no more than without the prefetcher, and
 * no more than a miss of its own and the lines moved meanwhile. Loads do not wait long for lines that earlier
 * stores evicted.
 */
#include "test.h"
#include "uarch_lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 4000, MANY = 60000, LINES = 1 << 20, STORED = 1 << 17, READ = 500 };

struct walk {
	unsigned stride; /* in lines */
	bool twice; /* each step first reads another word of the line, then the one with the next address */
};

/* A machine and its walk. */
struct walker {
	struct lab lab;
	struct apmu_block *block;
	struct walk walk;
	uint64_t line;
};

static void open_walker(struct walker *w, const char *core, struct walk walk, bool prefetches)
{
	static const struct apmu_insn step[] = {LDR(3, 1), LDR(1, 1), ADD(2, 2, 1), BEQ(0x8000)};
	*w = (struct walker){.walk = walk};
	lab_open(&w->lab, core);
	if (!prefetches)
		lab_set(&w->lab, "prefetch.streams", "0");
	lab_start_for(&w->lab, APMU_SIG_CYCLES);
	w->block = lab_block(&w->lab, 0x8000, walk.twice ? step : step + 1, walk.twice ? 4 : 3);
}

/* Cycles of `steps` steps. */
static uint64_t go(struct walker *w, unsigned steps)
{
	uint64_t before = lab_count(&w->lab, APMU_SIG_CYCLES);
	for (unsigned k = 0; k < steps; k++) {
		uint64_t addr = 0x10000000 + w->line * w->lab.p.l1d.line;
		apmu_uarch_enter(w->lab.u, w->block);
		if (w->walk.twice)
			apmu_uarch_access(w->lab.u, w->block, 0, addr + 8, 4, false);
		apmu_uarch_access(w->lab.u, w->block, w->walk.twice ? 1u : 0u, addr, 4, false);
		w->line = (w->line + w->walk.stride) % LINES;
	}
	return lab_count(&w->lab, APMU_SIG_CYCLES) - before;
}

static void check_walk(const char *core, struct walk walk)
{
	struct walker with, without;
	unsigned steps = getenv("APMU_TEST_ALL") ? MANY : FEW; /* of the one whose cost is only a bound */
	open_walker(&with, core, walk, true);
	open_walker(&without, core, walk, false);
	go(&with, FEW);
	go(&without, FEW);
	double few = (double)go(&with, FEW) / FEW, many = (double)go(&with, MANY) / MANY;
	double alone = (double)go(&without, steps) / steps;
	const struct apmu_uarch_params *p = &with.lab.p;
	double most = p->memory + p->l2.latency + p->l3.latency + p->walk + p->walk_reads * p->memory +
		      16 * p->line_fill + 60;
	if (many > 1.05 * few || few > 1.05 * many || many > 1.1 * alone || many > most)
		fail_msg("%s, stride %u%s: %.1f cycles a step, after a while %.1f, without prefetcher %.1f",
			 core, walk.stride, walk.twice ? ", two loads" : "", few, many, alone);
	lab_close(&with.lab);
	lab_close(&without.lab);
}

/* On each row every other walk, on the next row the others; all with APMU_TEST_ALL. */
TEST(a_step_costs_no_more_the_longer_the_walk_is)
{
	bool every = getenv("APMU_TEST_ALL") != NULL;

	for (size_t i = 0; i < apmu_uarch_count(); i++) {
		const struct apmu_uarch_params *p = apmu_uarch_at(i);
		if (p->prefetch.streams == 0)
			continue;
		for (unsigned stride = 1; stride <= 8; stride++)
			for (unsigned twice = 0; twice < 2; twice++)
				if (every || (i + stride + twice) % 2 == 0)
					check_walk(p->name, (struct walk){stride, twice != 0});
	}
}

/* A prefetched line cannot be used before it arrives, neither by its first access nor by a later one. The
 * second walk may be the faster one where both come near what the bus allows. */
TEST(a_second_word_of_a_line_waits_as_the_first_does)
{
	for (size_t i = 0; i < apmu_uarch_count(); i++) {
		const struct apmu_uarch_params *p = apmu_uarch_at(i);
		struct walker one, two;
		if (p->prefetch.streams == 0)
			continue;
		open_walker(&one, p->name, (struct walk){2, false}, true);
		open_walker(&two, p->name, (struct walk){2, true}, true);
		double first = (double)go(&one, MANY), second = (double)go(&two, MANY);
		if (second < 0.98 * first && second < (double)p->line_fill * MANY)
			fail_msg("%s: %.1f cycles a step where the address is read first, %.1f where it is "
				 "not",
				 p->name, first / MANY, second / MANY);
		lab_close(&one.lab);
		lab_close(&two.lab);
	}
}

/* Prefetches beyond `prefetch.flights` are dropped: the accesses miss instead. */
TEST(prefetches_in_flight_are_limited)
{
	static const char *const flights[] = {"1", "4", "16"};
	double before = 1e9;
	for (unsigned k = 0; k < 3; k++) {
		struct walker w;
		w = (struct walker){.walk = {1, false}};
		lab_open(&w.lab, "neoverse-n1");
		lab_set(&w.lab, "prefetch.flights", flights[k]);
		lab_set(&w.lab, "prefetch.crosses", "0");
		lab_start_for(&w.lab, APMU_SIG_CYCLES);
		static const struct apmu_insn step[] = {LDR(1, 1), BEQ(0x8000)};
		w.block = lab_block(&w.lab, 0x8000, step, 2);
		go(&w, FEW);
		double now = (double)go(&w, MANY) / MANY;
		if (now > 0.8 * before)
			fail_msg("%s lines on their way: %.1f cycles a step, %.1f with fewer", flights[k],
				 now, before);
		before = now;
		lab_close(&w.lab);
	}
}

/* Cycles of `lines` runs of a block, each of which accesses the next line. */
static uint64_t touch(struct lab *l, struct apmu_block *b, uint64_t addr, unsigned lines, bool store)
{
	uint64_t before = lab_count(l, APMU_SIG_CYCLES);
	for (unsigned k = 0; k < lines; k++, addr += 64) {
		apmu_uarch_enter(l->u, b);
		apmu_uarch_access(l->u, b, 0, addr, 4, store);
	}
	return lab_count(l, APMU_SIG_CYCLES) - before;
}

/* Stores that bypass L1 evict lines from one level into the next. */
TEST(loads_behind_many_stores_wait_for_no_more_than_the_write_buffer)
{
	for (size_t i = 0; i < apmu_uarch_count(); i++) {
		const char *row = apmu_uarch_at(i)->name;
		struct lab l;
		lab_open(&l, row);
		lab_start_for(&l, APMU_SIG_CYCLES);
		struct apmu_block *stores = LAB_BLOCK(&l, 0x8000, STR(2, 1), ADD(1, 1, 1), BEQ(0x8000));
		struct apmu_block *loads = LAB_BLOCK(&l, 0x9000, LDR(2, 1), ADD(1, 1, 1), BEQ(0x9000));
		touch(&l, stores, 0x10000000, STORED, true);
		uint64_t first = touch(&l, loads, 0x10000000, READ, false);
		uint64_t next = touch(&l, loads, 0x10000000 + READ * 64, READ, false);
		if (first > 2 * next + 4096)
			fail_msg("%s: %d loads behind stores take %" PRIu64 " cycles, as many more %" PRIu64,
				 row, READ, first, next);
		lab_close(&l);
	}
}
