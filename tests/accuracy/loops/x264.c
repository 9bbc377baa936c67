/* SPDX-License-Identifier: MIT */
/*
 * Calls one of x264's sums of absolute differences of a block to three others, as its checkasm does: at 64
 * places, which lie in one line of the cache or in two.
 *
 *   x264-a64 WIDTHxHEIGHT ROUNDS: four calls at each place in each round
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 64, STRIDE = 64 };

typedef void sad_x3(uint8_t *block, uint8_t *a, uint8_t *b, uint8_t *c, intptr_t stride, int sums[4]);
#define SIZES   SIZE(4x4) SIZE(4x8) SIZE(8x4) SIZE(8x8) SIZE(8x16) SIZE(16x8) SIZE(16x16)
#define SIZE(s) sad_x3 x264_8_pixel_sad_x3_##s##_neon;
SIZES
#undef SIZE
#define SIZE(s) {#s, x264_8_pixel_sad_x3_##s##_neon},
static const struct {
	const char *size;
	sad_x3 *run;
} functions[] = {SIZES};

static uint8_t block[16 * 16] __attribute__((aligned(64))), other[32 * STRIDE] __attribute__((aligned(64)));

static void rounds(sad_x3 *run, unsigned long n)
{
	int sums[4];
	for (unsigned long k = 0; k < n * PLACES; k++) {
		uint8_t *at = other + k % PLACES;
		run(block, at, at + 6, at + 1, STRIDE, sums);
		run(block, at, at + 6, at + 1, STRIDE, sums);
		run(block, at, at + 6, at + 1, STRIDE, sums);
		run(block, at, at + 6, at + 1, STRIDE, sums);
	}
}

int main(int argc, char **argv)
{
	for (size_t k = 0; argc == 3 && k < sizeof(functions) / sizeof(functions[0]); k++)
		if (!strcmp(functions[k].size, argv[1])) {
			rounds(functions[k].run, strtoul(argv[2], NULL, 10));
			return 0;
		}
	fprintf(stderr, "usage: %s WIDTHxHEIGHT ROUNDS\n", argv[0]);
	return 2;
}
