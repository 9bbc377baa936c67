/* SPDX-License-Identifier: MIT */
/*
 * Two libraries at one address, one after the other: with LIBRARY, a library whose only function runs six
 * instructions per round; without, a program that maps one, calls its function at the offset given as the
 * first argument, then maps the other over it and calls that. With a second argument, "thread", a thread does
 * the first half; with "later" both are mapped as data, which mprotect makes executable; with "over" or
 * "unmapped" a loop of the program's own, of two instructions per round, follows at the same address: mapped
 * over the second library, or after that was unmapped.
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
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static uintptr_t offset;
static bool later;

static void run(const char *library, int rounds)
{
	char *at = mmap((void *)0x70000000, 65536, PROT_READ | (later ? 0 : PROT_EXEC),
			MAP_PRIVATE | MAP_FIXED, open(library, O_RDONLY), 0);

	if (at == MAP_FAILED || (later && mprotect(at, 65536, PROT_READ | PROT_EXEC) != 0))
		exit(9);
	((int (*)(int))(uintptr_t)(at + offset))(rounds);
}

static void *run_first(void *unused)
{
	(void)unused;
	run("./libfirst.so", 1000);
	return NULL;
}

static void run_own(bool over, int rounds)
{
	static const uint32_t loop[] = {0x71000400, 0x54ffffe1, 0xd65f03c0}; /* subs w0, w0, #1; b.ne; ret */
	char *at = (char *)0x70000000;

	if (!over)
		munmap(at, 65536);
	mmap(at, 65536, PROT_READ | PROT_WRITE | (over ? PROT_EXEC : 0),
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	memcpy(at + offset, loop, sizeof loop);
	__builtin___clear_cache(at, at + 65536);
	if (!over)
		mprotect(at, 65536, PROT_READ | PROT_EXEC);
	((int (*)(int))(uintptr_t)(at + offset))(rounds);
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "";
	pthread_t thread;

	offset = strtoul(argv[1], NULL, 16);
	later = strcmp(how, "later") == 0;
	if (strcmp(how, "thread") != 0)
		run_first(NULL);
	else if (pthread_create(&thread, NULL, run_first, NULL) != 0 || pthread_join(thread, NULL) != 0)
		return 9;
	run("./libsecond.so", 2000);
	if (strcmp(how, "over") == 0 || strcmp(how, "unmapped") == 0)
		run_own(how[0] == 'o', 4000);
	return 0;
}
#endif
