/* SPDX-License-Identifier: MIT */
/* 60 threads that live at the same time and do little. */
#include <pthread.h>

#define THREADS 60

static pthread_barrier_t all;

static void *wait_for_all(void *arg)
{
	pthread_barrier_wait(&all);
	return arg;
}

int main(void)
{
	pthread_t thread[THREADS];

	if (pthread_barrier_init(&all, NULL, THREADS))
		return 1;
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, wait_for_all, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
