/* SPDX-License-Identifier: MIT */
/* Sorting and printing: what benchmark suites of a library do most. */
#include <stdio.h>
#include <stdlib.h>

#define N 20000

static unsigned value[N];

static int order(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	unsigned seed = 1;

	for (int turn = 0; turn < 8; turn++) {
		for (int i = 0; i < N; i++)
			value[i] = seed = seed * 1664525 + 1013904223;
		qsort(value, N, sizeof(value[0]), order);
		for (int i = 0; i < N; i += 4)
			printf("%u %x\n", value[i], value[i] >> 8);
	}
	return 0;
}
