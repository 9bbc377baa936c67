/* SPDX-License-Identifier: MIT */
/* Parameters that apmu_uarch_idle() calls idle: changing them changes no count. */
#include "uarch_lab.h"

#include <string.h>

#include "test.h"

enum { TURNS = 300 };

/* A loop with a random branch, a call and a return, and an indirect branch. */
static void run(struct lab *l)
{
	const struct apmu_block *b[] = {
		LAB_BLOCK(l, 0x8000, LDR(1, 0), ADD(2, 1, 1), MUL(3, 2, 1), STR(3, 0), CMP(2, 1),
			  BEQ(0x8000)),
		LAB_BLOCK(l, 0x8018, LDM(R(4) | R(5) | R(6), 3, 0), ADD_LSL(4, 5, 6), BL(0x9000)),
		LAB_BLOCK(l, 0x9000, STM(R(4) | R(5), 2, 0), LDR(7, 4), BX_LR()),
		LAB_BLOCK(l, 0x8024, LDRD(8, 7), STR(8, 0), LDR(9, 0), BX(3)),
	};
	uint64_t chance = 1;

	for (unsigned turn = 0; turn < lab_steps(TURNS); turn++) {
		for (unsigned k = 0; k < 4; k++) {
			chance = chance * 6364136223846793005u + 1442695040888963407u;
			uint64_t addr = 0x100000 + (chance >> 36 & 0xFFFFF8), line = 0x40000 + turn * 8;
			apmu_uarch_enter(l->u, b[k]);
			for (unsigned i = 0; i < 3; i++)
				if (k != 1 || i == 0)
					apmu_uarch_access(l->u, b[k], i, i & 1 ? line : addr, 4, i == 2);
			k -= k == 0 && chance >> 63; /* the first one again */
		}
	}
}

static struct apmu_tally counts(const struct apmu_uarch_params *p)
{
	struct lab l;
	lab_open(&l, p->name);
	l.p = *p;
	lab_start(&l);
	run(&l);
	struct apmu_tally t = l.t;
	lab_close(&l);
	t.n[APMU_SIG_CYCLES_ALONE] =
		0; /* a bound that follows from the parameter itself, not from what the machine does */
	return t;
}

/* Sets the parameter to the k-th other value. False if the row does not accept it. */
static bool another(struct apmu_uarch_params *p, const struct apmu_uarch_param *f, unsigned k)
{
	static const char *const value[] = {"0",     "2",      "8",          "64",      "128",
					    "1",     "random", "lru",        "through", "inclusive",
					    "elder", "none",   "round-robin"};
	return k < sizeof value / sizeof value[0] && strcmp(value[k], f->value) != 0 &&
	       apmu_uarch_set(p, f->key, value[k]) == APMU_OK && !apmu_uarch_check(p);
}

TEST(a_figure_that_is_said_to_have_no_effect_has_none)
{
	unsigned changed = 0;

	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		const struct apmu_uarch_params *row = apmu_uarch_at(c);
		struct apmu_tally own = counts(row);
		struct apmu_uarch_param f;
		char why[200];

		for (size_t i = 0; apmu_uarch_param(row, i, &f); i++) {
			bool tried = !apmu_uarch_idle(row, f.key, why, sizeof why);
			for (unsigned k = 0; !tried && k < 13; k++) {
				struct apmu_uarch_params p = *row;
				if (!another(&p, &f, k))
					continue;
				struct apmu_tally t = counts(&p);
				if (memcmp(&t, &own, sizeof t) != 0)
					printf("%s: %s\n", row->name, why);
				CHECK(memcmp(&t, &own, sizeof t) == 0);
				tried = true;
				changed++;
			}
		}
	}
	CHECK(changed > 500);
}

TEST(the_same_run_tells_figures_that_have_an_effect)
{
	static const struct {
		const char *row, *key, *value;
	} one[] = {{"cortex-a53", "l2.latency", "99"},    {"cortex-a53", "walk_cache", "1"},
		   {"cortex-a53", "pair.alu", "none"},    {"neoverse-n1", "load_queue", "2"},
		   {"neoverse-n1", "misses", "1"},        {"arm1136", "tlb_hit", "99"},
		   {"arm1136", "return_predicted", "40"}, {"cortex-a15", "history", "1"}};
	for (size_t k = 0; k < sizeof one / sizeof one[0]; k++) {
		struct apmu_uarch_params p = *apmu_uarch_find(one[k].row);
		struct apmu_tally own = counts(&p);
		char why[200];

		CHECK(apmu_uarch_idle(&p, one[k].key, why, sizeof why) == NULL);
		CHECK_EQ(apmu_uarch_set(&p, one[k].key, one[k].value), APMU_OK);
		struct apmu_tally t = counts(&p);
		if (memcmp(&t, &own, sizeof t) == 0)
			printf("%s: %s\n", one[k].row, one[k].key);
		CHECK(memcmp(&t, &own, sizeof t) != 0);
	}
}
