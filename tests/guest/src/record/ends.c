/* SPDX-License-Identifier: MIT */
/* A program that ends, or goes on, in the way that its first argument says, after some work. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void spin_before(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}

__attribute__((noinline)) void spin_child(void)
{
	for (volatile int i = 0; i < 2000; i++)
		;
}

#ifdef __aarch64__
/* Writes "mov w0, #n; ret" and calls it, many times. */
static int rewrites(void)
{
	unsigned *code =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	for (unsigned n = 0; n < 2000; n++) {
		code[0] = 0x52800000u | n << 5;
		code[1] = 0xd65f03c0u;
		__builtin___clear_cache((char *)code, (char *)(code + 2));
		sum += ((int (*)(void))(void *)code)();
	}
	return sum == 1999 * 1000 ? 0 : 1;
}
#endif

static int forks(void)
{
	int status = 0;

	if (fork() == 0) {
		spin_child();
		_exit(3);
	}
	wait(&status);
	return WEXITSTATUS(status);
}

static int opens(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	void (*spin)(void) = library ? (void (*)(void))dlsym(library, "spin_library") : NULL;

	if (!spin)
		return 9;
	spin();
	return 0;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	spin_before();
	if (strcmp(way, "crash") == 0)
		*(volatile int *)16 = 1;
	if (strcmp(way, "abort") == 0)
		abort();
	if (strcmp(way, "fork") == 0)
		return forks();
	if (strcmp(way, "dlopen") == 0)
		return opens(argv[2]);
	if (strcmp(way, "exec") == 0)
		return execv(argv[2], argv + 2) ? 8 : 0;
#ifdef __aarch64__
	if (strcmp(way, "rewrite") == 0)
		return rewrites();
#endif
	if (strcmp(way, "wait") == 0) {
		puts("waiting");
		fflush(stdout);
		alarm(60); /* whatever becomes of the test */
		for (;;)
			spin_before();
	}
	return 0;
}
