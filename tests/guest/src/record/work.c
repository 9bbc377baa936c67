/* SPDX-License-Identifier: MIT */
/* Something of everything: calls, loops, branches that no predictor knows, lines that no cache holds. The
 * same on every run. */
#include <stdio.h>

#ifdef THREADS
#include <pthread.h>
#endif

static unsigned char table[1 << 18];

static unsigned next(unsigned *seed)
{
	return *seed = *seed * 1103515245u + 12345u;
}

__attribute__((noinline)) static unsigned scatter(unsigned seed, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += table[next(&seed) >> 8 & (sizeof(table) - 1)]++;
	return sum;
}

__attribute__((noinline)) static unsigned choose(unsigned seed, unsigned n)
{
	unsigned odd = 0;

	for (unsigned i = 0; i < n; i++)
		if (next(&seed) & 0x10000)
			odd += i;
		else
			odd ^= seed / (i + 1);
	return odd;
}

static void *work(void *result)
{
	unsigned *sum = result;

	for (unsigned i = 0; i < 4; i++)
		*sum += scatter(i + *sum, 600) + choose(i, 400);
	return NULL;
}

int main(void)
{
	unsigned sum = 1, other = 2;

#ifdef THREADS
	pthread_t thread;
	pthread_create(&thread, NULL, work, &other);
	pthread_join(thread, NULL);
#endif
	work(&sum);
	printf("%u %u\n", sum & 0xFFFF, other & 0xFFFF);
	return 0;
}
