/* SPDX-License-Identifier: MIT */
/* Two threads add to one word. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static long common __attribute__((aligned(256)));
static long turns;

static void *work(void *unused)
{
	for (long i = 0; i < turns; i++)
		__atomic_fetch_add(&common, 1, __ATOMIC_RELAXED);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread[2];

	turns = argc > 1 ? atol(argv[1]) : 1;
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("%ld\n", common);
	return 0;
}
