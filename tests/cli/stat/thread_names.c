/* SPDX-License-Identifier: MIT */
/* Threads that name themselves, that another one names, and that have no name. */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_barrier_t named;

static void *work(void *name)
{
	volatile long sum = 0;

	if (name)
		pthread_setname_np(pthread_self(), name);
	pthread_barrier_wait(&named);
	for (long i = 0; i < 10000; i++)
		sum += i;
	return NULL;
}

int main(void)
{
	static char self[] = "itself";
	pthread_t thread[3];

	pthread_barrier_init(&named, NULL, 4);
	pthread_create(&thread[0], NULL, work, self);
	pthread_create(&thread[1], NULL, work, NULL);
	pthread_create(&thread[2], NULL, work, NULL);
	pthread_setname_np(thread[1], "by another");
	pthread_barrier_wait(&named);
	for (int k = 0; k < 3; k++)
		pthread_join(thread[k], NULL);
	return 0;
}
