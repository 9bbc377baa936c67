/* SPDX-License-Identifier: MIT */
/*
 * The fuzzer's programs (tests/fuzz/fuzz_machine.c) from random bytes, without a sanitizer and so a hundred
 * times as many: raw instruction words, any system register, any address, on every core and board. A crash of
 * the emulator ends this test; the last line says which seed it was.
 */
#include "../fuzz/fuzz_machine.h"
#include "../property/life.h"

#include <stdlib.h>

#include "test.h"

enum { PROGRAMS = 800, PROGRAMS_ALL = 100000, LONGEST = 400 };

/* The program of a seed. */
static void wander(unsigned long seed)
{
	uint8_t bytes[LONGEST];
	struct rng r = {seed};
	size_t n = 16 + rng_below(&r, LONGEST - 16);

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)rng_next(&r);
	printf("\rAPMU_SEED=%lu ", seed);
	fflush(stdout);
	LLVMFuzzerTestOneInput(bytes, n);
}

TEST(programs_that_once_ended_the_process)
{
	static const unsigned long seeds[] = {40000917 /* a hardware breakpoint is set */};

	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
		wander(seeds[i]);
}

TEST(random_programs_end_twice_in_the_same_way)
{
	unsigned long programs = getenv("APMU_TEST_ALL") ? PROGRAMS_ALL : PROGRAMS;
	unsigned long seed = getenv("APMU_SEED") ? strtoul(getenv("APMU_SEED"), NULL, 0) : 1;

	if (getenv("APMU_PROGRAMS"))
		programs = strtoul(getenv("APMU_PROGRAMS"), NULL, 0);
	for (unsigned long last = seed + programs; seed < last; seed++)
		wander(seed);
	printf("\n");
}
