/* SPDX-License-Identifier: MIT */
/* A list walk whose every load waits for the one before, and loads that do not depend on one another; all of
 * them miss. The same on every run. */
#include <stdint.h>
#include <stdio.h>

#define WORDS (4u << 20)
#define NODES (1u << 16)

static uint32_t word[WORDS];
static void *node[NODES * 16];

__attribute__((noinline)) static void *chase(void **at, unsigned n)
{
	while (n--)
		at = *at;
	return at;
}

__attribute__((noinline)) static uint32_t scatter(uint32_t h, unsigned n)
{
	uint32_t sum = 0;

	while (n--) {
		h = h * 1664525u + 1013904223u;
		sum += word[h >> 10];
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned at = 0;

	(void)argv;
	for (unsigned i = 0; i < NODES; i++) { /* one cycle through all, in an order that no stride has */
		unsigned next = (at * 5 + 12345) & (NODES - 1);
		node[at * 16] = &node[next * 16];
		at = next;
	}
	word[argc] = 7;
	void *end = chase(node, 60000);
	return printf("%u %d\n", scatter((uint32_t)argc, 60000), end != NULL) < 0;
}
