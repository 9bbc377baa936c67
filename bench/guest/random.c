/* SPDX-License-Identifier: MIT */
/* Random accesses: a walk of dependent loads and scattered stores over 4 MiB, far beyond caches and TLBs. */
#include <stdint.h>
#include <stdio.h>

#define WORDS (1u << 20)
#define STEPS 26000000u

static uint32_t table[WORDS];

int main(void)
{
	uint32_t at = 1, sum = 0;

	for (uint32_t i = 0; i < WORDS; i++)
		table[i] = i * 2654435761u;
	for (uint32_t i = 0; i < STEPS; i++) {
		uint32_t x = at * 1664525u + 1013904223u;
		x ^= x >> 15;
		x *= 2246822519u;
		x ^= x >> 13;
		uint32_t found = table[x % WORDS];
		sum = (sum << 3 | sum >> 29) ^ found;
		if ((i & 7) == 0)
			table[sum % WORDS] = x;
		at = x + (found & 0xFF);
	}
	printf("%08x\n", (unsigned)sum);
	return 0;
}
