/* SPDX-License-Identifier: MIT */
/* Sums orders by customer and counts the large ones. It has a cache problem and a branch problem:
 * docs/tutorial.md finds both. Built with -DFASTER it has neither. */
#include <stdint.h>
#include <stdio.h>

enum { CUSTOMERS = 512, DAYS = 512, LARGE = 500 };

static uint32_t amount[CUSTOMERS][DAYS];

static void fill(void)
{
	uint32_t state = 12345;

	for (unsigned customer = 0; customer < CUSTOMERS; customer++)
		for (unsigned day = 0; day < DAYS; day++) {
			state = state * 1664525 + 1013904223;
			amount[customer][day] = (state >> 16) % 1000;
		}
}

/* The matrix lies by customer; walking it by day touches another line with every step. */
__attribute__((noinline)) static uint64_t sum_by_customer(uint64_t total[CUSTOMERS])
{
	uint64_t all = 0;

#ifdef FASTER
	for (unsigned customer = 0; customer < CUSTOMERS; customer++)
		for (unsigned day = 0; day < DAYS; day++)
			total[customer] += amount[customer][day];
#else
	for (unsigned day = 0; day < DAYS; day++)
		for (unsigned customer = 0; customer < CUSTOMERS; customer++)
			total[customer] += amount[customer][day];
#endif
	for (unsigned customer = 0; customer < CUSTOMERS; customer++)
		all += total[customer];
	return all;
}

/* Whether an order is large is as good as random: no predictor can know. */
__attribute__((noinline)) static unsigned count_large(void)
{
	unsigned large = 0;
	const uint32_t *order = &amount[0][0];

	for (unsigned i = 0; i < CUSTOMERS * DAYS; i++) {
#ifdef FASTER
		large += order[i] >= LARGE;
#else
		if (order[i] >= LARGE) {
			large++;
			__asm__ volatile(""); /* keeps it a branch */
		}
#endif
	}
	return large;
}

int main(void)
{
	static uint64_t total[CUSTOMERS];

	fill();
	uint64_t all = sum_by_customer(total);
	unsigned large = count_large();
	printf("%llu in all, %u large orders\n", (unsigned long long)all, large);
	return 0;
}
