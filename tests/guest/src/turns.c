/* SPDX-License-Identifier: MIT */
/* turns N [LINES]: two threads pass a word back and forth, N times each way. Before each turn of its own one
 * writes LINES cache lines, and the other reads them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static _Alignas(64) struct {
	atomic_int turn;
	char rest[60];
} word;
static _Alignas(64) volatile char table[64][64];
static int rounds, lines;

static void visit(int me)
{
	for (int i = 0; i < lines; i++)
		if (me)
			(void)table[i][0];
		else
			table[i][0] = 1;
}

static void *take(void *arg)
{
	int me = (int)(intptr_t)arg;

	for (int i = 0; i < rounds; i++) {
		while (atomic_load_explicit(&word.turn, memory_order_acquire) != me)
			;
		visit(me);
		atomic_store_explicit(&word.turn, !me, memory_order_release);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	rounds = argc > 1 ? atoi(argv[1]) : 1000;
	lines = argc > 2 ? atoi(argv[2]) : 0;
	if (lines > 64)
		return 1;
	if (pthread_create(&other, NULL, take, (void *)1) != 0)
		return 1;
	take((void *)0);
	pthread_join(other, NULL);
	printf("%d\n", atomic_load(&word.turn));
	return 0;
}
