/* SPDX-License-Identifier: MIT */
/* A walk over 16 MiB of lines in random order; with an argument, each step branches on a word of its line. */
#include <stdint.h>
#include <stdio.h>

#define LINES (1u << 18)

static struct line {
	uint64_t next, random;
	char pad[48];
} line[LINES];
static uint32_t order[LINES];

static uint64_t random_from(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

__attribute__((noinline)) uint64_t walk(int branches, int steps)
{
	uint64_t at = 0, sum = 0;

	for (int i = 0; i < steps; i++) {
		uint64_t random = line[at].random;

		at = line[at].next;
		if (!branches) {
			sum += random;
		} else if (random >> 63) {
			sum += random;
			__asm__ volatile("nop");
		}
	}
	return sum;
}

int main(int argc, char **argv)
{
	uint64_t state = 88172645463325252u;

	(void)argv;
	for (uint32_t i = 0; i < LINES; i++)
		order[i] = i;
	for (uint32_t i = LINES - 1; i > 0; i--) {
		uint32_t j = (uint32_t)(random_from(&state) % i), was = order[i];

		order[i] = order[j];
		order[j] = was;
	}
	for (uint32_t i = 0; i < LINES; i++)
		line[i] = (struct line){.next = order[i], .random = random_from(&state)};
	printf("%lu\n", (unsigned long)walk(argc > 1, 5000));
	return 0;
}
