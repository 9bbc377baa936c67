/* SPDX-License-Identifier: MIT */
/* Random guests against the naive references: every core that a machine runs, A32, T32 and A64, 2 to 31
 * counters. */
#include "../property/ref_arm11.h"
#include "../property/ref_xscale.h"
#include "torture.h"

#include <stdlib.h>

#include "test.h"

enum { OPERATIONS = 300, LIVES = 12, LIVES_ALL = 500 };

static const struct torture_case cases[] = {
	{"arm1136jf-s", &family_arm11, REF_ARM1136, GUEST_A32},
	{"arm1156t2-s", &family_arm11, REF_ARM1156, GUEST_A32},
	{"arm1156t2-s", &family_arm11, REF_ARM1156, GUEST_T32},
	{"arm1176jzf-s", &family_arm11, REF_ARM1176, GUEST_A32},
	{"xscale1", &family_xscale, REF_XSC1, GUEST_A32},
	{"xscale2", &family_xscale, REF_XSC2, GUEST_A32},
	{"cortex-a7", &family_v7, 0, GUEST_T32},
	{"cortex-a8", &family_v7, 0, GUEST_A32},
	{"cortex-a9", &family_v7, 0, GUEST_T32},
	{"cortex-a15", &family_v7, 0, GUEST_A32},
	{"cortex-a15", &family_v7, 0, GUEST_T32},
	{"cortex-a53", &family_v8, 0, GUEST_A64},
	{"neoverse-n1", &family_v8, 0, GUEST_A64},
	{"generic-v9", &family_v8, 0, GUEST_A64},
};

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

TEST(random_guests_see_what_the_naive_reference_says)
{
	unsigned long lives = from_environment("APMU_LIVES", getenv("APMU_TEST_ALL") ? LIVES_ALL : LIVES);
	unsigned long first = from_environment("APMU_SEED", 1);
	char why[TORTURE_WHY] = "";
	unsigned bad = 0;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct torture_case *c = &cases[i];
		struct torture_totals all = {0};
		static const char *const isa[GUEST_ISAS] = {"A32", "T32", "A64"};
		for (unsigned long seed = first; seed < first + lives; seed++)
			if (!torture_run(c, seed, OPERATIONS, &all, why)) {
				fprintf(stderr, "%s, %s, APMU_SEED=%lu: %s\n", c->core, isa[c->isa], seed,
					why);
				bad++;
			}
		printf("%-12s %s: %lu instructions, %lu reads, %lu writes, %lu refused, %lu interrupts\n",
		       c->core, isa[c->isa], all.insns, all.reads, all.writes, all.refused, all.interrupts);
		bad += !(all.reads && all.writes && all.refused && all.interrupts);
	}
	CHECK_EQ(bad, 0);
}
