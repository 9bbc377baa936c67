/* SPDX-License-Identifier: MIT */
/* wakes WAIT WAKE TURNS: two threads wait for each other in turn, by the futex calls of these numbers.
 * wakes: starts programs while a second thread runs; prints the fastest start in milliseconds. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT, WAKE };
static _Atomic int word;
static int wait_call, wake_call, turns;
static atomic_bool stop;

/* The thread whose numbers are n, n + 2 ... sets the word to them, and waits for those between. */
static void play(int n)
{
	for (int i = 0; i < turns; i++, n += 2) {
		word = n;
		syscall(wake_call, &word, WAKE, 1, NULL, NULL, 0);
		while (word == n)
			syscall(wait_call, &word, WAIT, n, NULL, NULL, 0);
	}
}

static void *other(void *arg)
{
	while (word != 1)
		syscall(wait_call, &word, WAIT, 0, NULL, NULL, 0);
	play(2);
	return arg;
}

static void *run(void *arg)
{
	while (!stop)
		;
	return arg;
}

static long start(void)
{
	char *nothing[] = {"/nonexistent", NULL};
	struct timespec before, after;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &before);
	if (posix_spawn(&pid, nothing[0], NULL, NULL, nothing, environ) == 0)
		waitpid(pid, NULL, 0);
	clock_gettime(CLOCK_MONOTONIC, &after);
	return (after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;
}

int main(int argc, char **argv)
{
	long fastest = 1000000;
	pthread_t thread;

	if (argc == 4) {
		wait_call = atoi(argv[1]), wake_call = atoi(argv[2]), turns = atoi(argv[3]);
		pthread_create(&thread, NULL, other, NULL);
		play(1);
		word = 0; /* the other's last turn */
		syscall(wake_call, &word, WAKE, 1, NULL, NULL, 0);
		return pthread_join(thread, NULL);
	}
	pthread_create(&thread, NULL, run, NULL);
	for (int i = 0; i < 20; i++) {
		long took = start();
		fastest = took < fastest ? took : fastest;
	}
	stop = 1;
	pthread_join(thread, NULL);
	printf("%ld\n", fastest);
	return 0;
}
