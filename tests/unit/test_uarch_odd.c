/* SPDX-License-Identifier: MIT */
/*
 * Runs the fuzzer's unusual machines (tests/fuzz/fuzz_uarch.c) from random bytes: rows with up to fifteen
 * parameters changed to the ends of their ranges, powers of two, other words. If this test crashes, its last
 * line has the seed; APMU_VERBOSE=1 prints the parameters that the row changes.
 */
#include "../fuzz/fuzz_uarch.h"

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

enum { MACHINES = 600, MACHINES_ALL = 40000, BYTES = 70 };

static void odd(unsigned long seed)
{
	uint64_t state = seed;
	uint8_t bytes[BYTES];

	for (unsigned i = 0; i < BYTES; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		bytes[i] = (uint8_t)(state >> 56);
	}
	bytes[0] |= 1; /* the bytes are parameters, not text */
	printf("\rAPMU_SEED=%lu ", seed);
	fflush(stdout);
	LLVMFuzzerTestOneInput(bytes, sizeof bytes);
}

TEST(whatever_figures_are_accepted_make_a_machine_that_counts)
{
	unsigned long machines = getenv("APMU_TEST_ALL") ? MACHINES_ALL : MACHINES;
	unsigned long seed = getenv("APMU_SEED") ? strtoul(getenv("APMU_SEED"), NULL, 0) : 1;

	if (getenv("APMU_MACHINES"))
		machines = strtoul(getenv("APMU_MACHINES"), NULL, 0);
	for (unsigned long last = seed + machines; seed < last; seed++)
		odd(seed);
	printf("\n");
}
