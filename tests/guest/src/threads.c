/* SPDX-License-Identifier: MIT */
/* Four threads, one after the other and then all at once, each with the same work: 100,000 instructions at
 * least. */
#include <pthread.h>

#define THREADS 4

static void *work(void *arg)
{
	unsigned n = 50000;

	__asm__ volatile("1: subs %0, %0, #1\n\tbne 1b" : "+r"(n) : : "cc");
	return arg;
}

int main(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, NULL) || pthread_join(thread[i], NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, work, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
