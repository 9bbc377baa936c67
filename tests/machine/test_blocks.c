/* SPDX-License-Identifier: MIT */
/*
 * Loops of integer instructions, which the machine counts by blocks, against the same called for each
 * instruction: random bodies with a counter read, a fault, an access or a branch among them, code that is
 * written over, counters that overflow all the time, runs cut at random. What the guest saw, and when, is the
 * same.
 */
#include "../property/life.h"
#include "guest.h"
#include <apmu/core.h>
#include <apmu/machine.h>

#include <stdlib.h>
#include <string.h>

#include "test.h"

enum {
	LIVES = 40,
	LIVES_ALL = 3000,
	LOOPS = 24,
	MOST = 1000000,
	SLICE = 5000,
	MEMORY = 0x40000,
	PASSES = 3,
	TRANSLATIONS = 2048
};

static const struct {
	const char *core;
	enum guest_isa isa;
} cases[] = {{"cortex-a53", GUEST_A64}, {"cortex-a15", GUEST_A32}, {"cortex-a8", GUEST_A32}};

struct looper {
	struct guest g;
	struct rng r;
	uint32_t body; /* an instruction of a loop that has been written */
};

/* PMUv2 and PMUv3 have these registers at the same c9, CRm, op2. */
static struct apmu_access reg(enum guest_isa isa, uint32_t crm, uint32_t op2)
{
	uint32_t low = 9u << 8 | crm << 4 | op2;
	bool el1 = crm == 14;

	if (isa == GUEST_A64)
		return (struct apmu_access){.view = APMU_VIEW_A64,
					    .encoding = 3u << 16 | (el1 ? 0u : 3u) << 12 | low};
	return (struct apmu_access){.view = APMU_VIEW_CP, .encoding = 15u << 16 | low};
}

static void put(struct guest *g, uint32_t crm, uint32_t op2, uint64_t value)
{
	guest_load(g, 0, value);
	guest_access(g, reg(g->isa, crm, op2), true, 0, 2);
}

static void get(struct guest *g, uint32_t crm, uint32_t op2)
{
	guest_access(g, reg(g->isa, crm, op2), false, 0, 2);
}

/* Every so many cycles, and every so many instructions, an interrupt. */
static void arm(struct looper *l, uint64_t cycles, uint64_t insns)
{
	put(&l->g, 13, 0, -cycles);
	put(&l->g, 12, 5, 0);
	put(&l->g, 13, 2, -insns);
}

static void begin(struct looper *l, enum guest_isa isa)
{
	static const uint32_t periods[] = {60, 700, 30000, 0x40000000};
	uint64_t cycles = 45 + rng_below(&l->r, periods[rng_below(&l->r, 4)]),
		 insns = 45 + rng_below(&l->r, periods[rng_below(&l->r, 4)]);

	guest_start(&l->g, isa);
	guest_irq(&l->g);
	get(&l->g, 12, 3);
	guest_access(&l->g, reg(isa, 12, 3), true, 0, 2);
	arm(l, cycles, insns);
	guest_irq_end(&l->g);
	guest_prologue(&l->g);
	for (unsigned i = 3; i <= 6; i++)
		guest_load(&l->g, i, rng_next(&l->r) & 0xFFFF);
	put(&l->g, 12, 5, 0);
	put(&l->g, 13, 1, 8); /* instructions */
	arm(l, cycles, insns);
	put(&l->g, 12, 1, 0x80000001);
	put(&l->g, 14, 1, 0x80000001);
	put(&l->g, 12, 0, 1);
	guest_interrupts(&l->g, true);
}

/* Of r3 to r6; A32's under a condition. */
static uint32_t alu(struct looper *l)
{
	uint32_t rd = 3 + rng_below(&l->r, 4), rn = 3 + rng_below(&l->r, 4), rm = 3 + rng_below(&l->r, 4);
	static const uint32_t a64[] = {0x8B000000, 0xCB000000, 0xCA000000,
				       0x8A000000, 0x9B007C00, 0x0B000000};
	static const uint32_t a32[] = {0x00800000, 0x00400000, 0x00200000, 0x00000000, 0x01800000};
	uint32_t cond = rng_one_in(&l->r, 3) ? rng_below(&l->r, 14) : 14;

	if (l->g.isa == GUEST_A64)
		return a64[rng_below(&l->r, 6)] | rm << 16 | rn << 5 | rd;
	return cond << 28 | a32[rng_below(&l->r, 5)] | rn << 16 | rd << 12 | rm;
}

static uint32_t branch_back(const struct guest *g, uint32_t to)
{
	uint32_t words = (to - g->here) / 4;

	return g->isa == GUEST_A64 ? 0x54000001 | (words & 0x7FFFF) << 5
				   : 0x1A000000 | ((words - 2) & 0xFFFFFF);
}

static void count_down(struct guest *g, unsigned n, uint32_t to)
{
	guest_word(g, (g->isa == GUEST_A64 ? 0xF1000400 | n << 5 : 0xE2500001 | n << 16 | n << 12) |
			      (g->isa == GUEST_A64 ? n : 0));
	guest_word(g, branch_back(g, to));
}

/* Something else in the middle of a loop. */
static void other(struct looper *l)
{
	bool wide = l->g.isa == GUEST_A64;

	if (rng_one_in(&l->r, 60)) { /* to anywhere: what is nowhere ends the run */
		guest_word(&l->g, wide ? 0xB94000C3 : 0xE5963000);
		return;
	}
	switch (rng_below(&l->r, 6)) {
	case 0:
		get(&l->g, 13, 0);
		guest_store_result(&l->g, 0);
		break;
	case 1:
		get(&l->g, 13, 2);
		guest_store_result(&l->g, 0);
		break;
	case 2: guest_data_access(&l->g, rng_one_in(&l->r, 2)); break;
	case 3: guest_word(&l->g, wide ? 0 : 0xE7F000F0); break; /* undefined */
	case 4:
		guest_word(&l->g, wide ? 0x54000040 : 0x0A000000);
		guest_nop(&l->g);
		break;                                              /* over it, if equal */
	default: guest_word(&l->g, wide ? 0x14000001 : 0xEAFFFFFF); /* to the next one */
	}
}

static void loop(struct looper *l)
{
	unsigned n = rng_below(&l->r, 24), at = rng_one_in(&l->r, 2) ? 99 : rng_below(&l->r, n + 1);
	uint32_t top;

	guest_load(&l->g, 7, 1 + rng_below(&l->r, rng_one_in(&l->r, 6) ? 1500 : 60));
	top = l->g.here;
	for (unsigned i = 0; i < n; i++) {
		if (i == at)
			other(l);
		guest_word(&l->g, alu(l));
	}
	if (n)
		l->body = l->g.here - 4;
	count_down(&l->g, 7, top);
}

/* Writes another instruction into a loop: as plain, or a read of the cycle counter. */
static void write_over(struct looper *l)
{
	bool wide = l->g.isa == GUEST_A64;
	uint32_t read = wide ? 0xD53B9D00 : 0xEE190F1D;

	if (!l->body)
		return;
	guest_load(&l->g, 5, l->body);
	guest_load(&l->g, 4, rng_one_in(&l->r, 2) ? read : alu(l));
	guest_word(&l->g, wide ? 0xB90000A4 : 0xE5854000); /* store r4 at r5 */
	guest_store_result(&l->g, 0);
}

static void program(struct looper *l, enum guest_isa isa)
{
	uint32_t top;

	begin(l, isa);
	guest_load(&l->g, 8, PASSES);
	top = l->g.here;
	for (unsigned i = 0; i < LOOPS; i++) {
		loop(l);
		if (rng_one_in(&l->r, 4))
			write_over(l);
		if (rng_one_in(&l->r, 4))
			guest_interrupts(&l->g, rng_below(&l->r, 4));
	}
	count_down(&l->g, 8, top);
	guest_interrupts(&l->g, false);
	guest_exit(&l->g);
}

struct side {
	struct apmu_machine *m;
	uint64_t hash;
	unsigned long exceptions, reads;
};

static void stir(struct side *s, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const uint64_t what[] = {a, b, c, d};

	for (unsigned i = 0; i < 4; i++)
		s->hash = (s->hash ^ what[i]) * 0x100000001B3u;
}

static void on_access(void *ctx, const struct apmu_seen_access *seen)
{
	struct side *s = ctx;

	s->reads += !seen->write;
	stir(s, seen->insns, seen->pc, seen->value, seen->cycle);
}

static void on_exception(void *ctx, const struct apmu_seen_exception *seen)
{
	struct side *s = ctx;

	s->exceptions++;
	stir(s, seen->insns, seen->from, seen->vector, seen->cycle);
}

static void open(struct side *s, const char *core, const struct guest *g, bool by_insn)
{
	struct apmu_machine_config config = {
		.core = apmu_core_find(core),
		.cpi = 1,
		.by_insn = by_insn,
		.translations = by_insn ? TRANSLATIONS : 0,
		.aarch32 = g->isa != GUEST_A64,
		.observer = {.access = on_access, .exception = on_exception, .ctx = s},
	};
	char error[120] = "";

	*s = (struct side){.m = NULL};
	CHECK(!apmu_machine_new(&config, &s->m, error, sizeof error));
	CHECK(!apmu_machine_load(s->m, g->byte, GUEST_CODE, 0, false, error, sizeof error));
	CHECK(!apmu_machine_load(s->m, g->byte + GUEST_CODE, g->here - GUEST_CODE, GUEST_CODE, true, error,
				 sizeof error));
}

static bool same_memory(struct side s[2])
{
	static uint8_t bytes[2][MEMORY];

	for (unsigned i = 0; i < 2; i++)
		if (!apmu_machine_peek(s[i].m, GUEST_RESULTS, bytes[i], MEMORY, true))
			return false;
	return memcmp(bytes[0], bytes[1], MEMORY) == 0;
}

static bool same_registers(struct side s[2])
{
	const char *name;
	uint64_t value[2];

	for (unsigned i = 0; apmu_machine_register(s[0].m, i, &name, &value[0]); i++)
		if (!apmu_machine_register(s[1].m, i, &name, &value[1]) || value[0] != value[1])
			return false;
	return true;
}

/* Slice by slice; how far they agree. */
static bool agree(struct side s[2], struct rng *r, struct apmu_stop stop[2])
{
	do {
		uint64_t slice = 1 + rng_below(r, rng_one_in(r, 3) ? 40 : SLICE);

		for (unsigned i = 0; i < 2; i++)
			if (apmu_machine_run(s[i].m, slice, &stop[i]))
				return false;
		if (stop[0].reason != stop[1].reason || stop[0].pc != stop[1].pc ||
		    stop[0].insns != stop[1].insns || stop[0].cycles != stop[1].cycles ||
		    s[0].hash != s[1].hash || !same_registers(s))
			return false;
	} while (stop[0].reason == APMU_STOP_LIMIT && stop[0].insns < MOST);
	return true;
}

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

TEST(loops_counted_by_blocks_are_those_counted_by_instructions)
{
	static struct looper l;
	unsigned long lives = number("APMU_LIVES", getenv("APMU_TEST_ALL") ? LIVES_ALL : LIVES);
	unsigned long first = number("APMU_SEED", 1), bad = 0;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned long insns = 0, exceptions = 0, reads = 0;

		for (unsigned long seed = first; seed < first + lives; seed++) {
			struct apmu_stop stop[2] = {{0}};
			struct side s[2];

			l = (struct looper){.r = {seed}};
			program(&l, cases[i].isa);
			CHECK(!l.g.full);
			open(&s[0], cases[i].core, &l.g, false);
			open(&s[1], cases[i].core, &l.g, true);
			if (!agree(s, &l.r, stop) || !same_memory(s)) {
				fprintf(stderr,
					"%s, APMU_SEED=%lu: %s after %llu at 0x%llx; by instructions %s after "
					"%llu at 0x%llx\n",
					cases[i].core, seed, stop[0].what, (unsigned long long)stop[0].insns,
					(unsigned long long)stop[0].pc, stop[1].what,
					(unsigned long long)stop[1].insns, (unsigned long long)stop[1].pc);
				bad++;
			}
			insns += stop[0].insns;
			exceptions += s[0].exceptions;
			reads += s[0].reads;
			apmu_machine_free(s[0].m);
			apmu_machine_free(s[1].m);
		}
		printf("%-12s %lu instructions, %lu exceptions, %lu reads\n", cases[i].core, insns,
		       exceptions, reads);
		bad += !(insns && exceptions && reads);
	}
	CHECK_EQ(bad, 0);
}
