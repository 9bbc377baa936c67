/* SPDX-License-Identifier: MIT */
/*
 * Two libraries at one address, one after the other: with LIBRARY, a library whose only function runs six
 * instructions per round; without, a program that maps one, calls its function at the offset given as the
 * first argument, then maps the other over it and calls that. With a second argument a thread does the first
 * half.
 */
#ifdef LIBRARY
int LIBRARY(int n)
{
	volatile int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}
#else
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

static uintptr_t offset;

static void run(const char *library, int rounds)
{
	char *at = mmap((void *)0x70000000, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
			open(library, O_RDONLY), 0);

	if (at == MAP_FAILED)
		exit(9);
	((int (*)(int))(uintptr_t)(at + offset))(rounds);
}

static void *first(void *unused)
{
	(void)unused;
	run("./libfirst.so", 1000);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	offset = strtoul(argv[1], NULL, 16);
	if (argc == 2)
		first(NULL);
	else if (pthread_create(&thread, NULL, first, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 9;
	run("./libsecond.so", 2000);
	return 0;
}
#endif
