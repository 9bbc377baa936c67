/* SPDX-License-Identifier: MIT */
/*
 * Writers and readers of one structure, after the example by which perf c2c is explained: two words that
 * writers add to, and words that readers sum and nobody writes. They lie in one line; with -DPADDED in lines
 * of their own.
 *
 *     false_sharing [ROUNDS]
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef PADDED
#define APART _Alignas(128)
#else
#define APART
#endif

struct shared {
	_Alignas(128) volatile long lock0;
	APART volatile long lock1;
	APART volatile long reader[4];
};
static struct shared buf;
static long rounds = 100000;
static pthread_barrier_t start;

static void *write_lock0(void *unused)
{
	pthread_setname_np(pthread_self(), "writer0");
	pthread_barrier_wait(&start);
	for (long i = 0; i < rounds; i++)
		buf.lock0 += 1;
	return unused;
}

static void *write_lock1(void *unused)
{
	pthread_setname_np(pthread_self(), "writer1");
	pthread_barrier_wait(&start);
	for (long i = 0; i < rounds; i++)
		buf.lock1 += 1;
	return unused;
}

static void *read_words(void *sum)
{
	pthread_setname_np(pthread_self(), "reader");
	pthread_barrier_wait(&start);
	for (long i = 0; i < rounds; i++)
		*(long *)sum += buf.reader[i % 4];
	return sum;
}

int main(int argc, char **argv)
{
	void *(*const run[])(void *) = {write_lock0, write_lock1, read_words};
	static _Alignas(128) long sum[3][16];
	pthread_t thread[3];

	if (argc > 1)
		rounds = atol(argv[1]);
	pthread_barrier_init(&start, NULL, 3);
	for (int k = 0; k < 3; k++)
		pthread_create(&thread[k], NULL, run[k], sum[k]);
	for (int k = 0; k < 3; k++)
		pthread_join(thread[k], NULL);
	printf("%ld %ld %ld\n", buf.lock0, buf.lock1, sum[2][0]);
	return 0;
}
