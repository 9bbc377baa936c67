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

/* The program of a seed; `high`: one that starts at EL3, or in Secure state. */
static void wander(unsigned long seed, bool high)
{
	uint8_t bytes[LONGEST];
	struct rng r = {seed};
	size_t n = 16 + rng_below(&r, LONGEST - 16);

	for (size_t i = 0; i < n; i++)
		bytes[i] = (uint8_t)rng_next(&r);
	if (high)
		bytes[2] = (uint8_t)(0xC0 | (bytes[2] & 0x1F));
	printf("\rAPMU_SEED=%lu ", seed);
	fflush(stdout);
	LLVMFuzzerTestOneInput(bytes, n);
}

TEST(programs_that_once_ended_the_process)
{
	static const unsigned long seeds[] = {40000917 /* a hardware breakpoint is set */};

	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
		wander(seeds[i], false);
}

TEST(random_programs_end_twice_in_the_same_way)
{
	unsigned long programs = getenv("APMU_TEST_ALL") ? PROGRAMS_ALL : PROGRAMS;
	unsigned long seed = getenv("APMU_SEED") ? strtoul(getenv("APMU_SEED"), NULL, 0) : 1;

	if (getenv("APMU_PROGRAMS"))
		programs = strtoul(getenv("APMU_PROGRAMS"), NULL, 0);
	for (unsigned long last = seed + programs; seed < last; seed++)
		wander(seed, false);
	printf("\n");
}

TEST(random_programs_from_the_highest_level_do_too)
{
	unsigned long programs =
		getenv("APMU_PROGRAMS") ? strtoul(getenv("APMU_PROGRAMS"), NULL, 0) : PROGRAMS;
	unsigned long seed = getenv("APMU_SEED") ? strtoul(getenv("APMU_SEED"), NULL, 0) : 1;

	for (unsigned long last = seed + programs; seed < last; seed++)
		wander(seed, true);
	printf("\n");
}
