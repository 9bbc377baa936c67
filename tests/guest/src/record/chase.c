/* SPDX-License-Identifier: MIT */
/*
 * Three rings of dependent loads, a cache line apart in a shuffled order: one that L1 holds, one that L2
 * holds and L1 does not, one that only memory holds. Each goes on for 40,000 loads.
 */
#include <stddef.h>
#include <stdint.h>

#define LINE 64u
static _Alignas(4096) char ground[24u << 20];

/* Each line points at the next of a cycle through all of them (Sattolo's shuffle). */
static void **ring(char *at, size_t bytes)
{
	size_t n = bytes / LINE;
	uint32_t seed = 1;

	for (size_t i = 0; i < n; i++)
		*(void **)(at + i * LINE) = at + i * LINE;
	for (size_t i = n - 1; i > 0; i--) {
		seed = seed * 1664525u + 1013904223u;
		size_t k = (size_t)(((uint64_t)seed * i) >> 32);
		void *was = *(void **)(at + i * LINE);
		*(void **)(at + i * LINE) = *(void **)(at + k * LINE);
		*(void **)(at + k * LINE) = was;
	}
	return (void **)at;
}

#define CHASE(name)                                                    \
	__attribute__((noinline)) static void **name(void **p, long n) \
	{                                                              \
		while (n--)                                            \
			p = *p;                                        \
		return p;                                              \
	}
CHASE(warm)
CHASE(small)
CHASE(middle)
CHASE(large)

int main(void)
{
	void **p = warm(ring(ground, 4096), 64), **q, **r;

	p = small(p, 40000);
	q = warm(ring(ground + 4096, 128 << 10), 2 * (128 << 10) / LINE);
	q = middle(q, 40000);
	r = ring(ground + (4u << 20), 16u << 20);
	r = large(r, 40000);
	return p == NULL || q == NULL || r == NULL;
}
