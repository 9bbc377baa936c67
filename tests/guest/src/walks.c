/* SPDX-License-Identifier: MIT */
/*
 * Walks whose next address hangs on the load before: walks stride|list STEPS. `stride` is the example of
 * Arm's learning path of Neoverse N1; all is read once before, so that no line that was written to is put out
 * on the way.
 */
#include <stdlib.h>
#include <string.h>

enum { BYTES = 16 << 20, NODES = 65536, LINES = 7 };

struct node {
	struct node *next;
	char rest[64 - sizeof(struct node *)];
};

/* The compiler does not know what is in it, nor that nobody looks. */
#define HIDE(p) __asm__ volatile("" : "+r"(p) : : "memory")

static inline __attribute__((always_inline)) size_t jump(const unsigned char *a, size_t p, long steps)
{
	for (long i = 0; i < steps; i++) {
		p += (size_t)a[p] * 64;
		p &= BYTES - 1;
	}
	HIDE(p);
	return p;
}

__attribute__((noinline)) void stride(const unsigned char *a, size_t p, long steps)
{
	jump(a, p, steps);
}

/* Once through all: until the caches have of the page tables what they will have. The next round reads other
 * lines. */
static __attribute__((noinline)) size_t warm_stride(const unsigned char *a)
{
	return jump(a, 0, BYTES / 64 / LINES + 1);
}

static inline __attribute__((always_inline)) void follow(const struct node *p, long steps)
{
	for (long i = 0; i < steps; i++)
		p = p->next;
	HIDE(p);
}

__attribute__((noinline)) void list(const struct node *p, long steps)
{
	follow(p, steps);
}

/* Until the caches have of the list what they will have. */
static __attribute__((noinline)) void warm(const struct node *p)
{
	follow(p, 2 * NODES);
}

/* Reads what was written, so that none of it has to be put out. */
static void clean(const unsigned char *a, size_t bytes)
{
	size_t sum = 0;
	for (size_t i = 0; i < bytes; i += 64)
		sum += a[i];
	HIDE(sum);
}

int main(int argc, char **argv)
{
	unsigned char *a = aligned_alloc(4096, BYTES);
	struct node *nodes = (struct node *)a;
	if (argc != 3)
		return 2;
	memset(a, LINES, BYTES);
	for (size_t i = 0; strcmp(argv[1], "list") == 0 && i < NODES; i++)
		nodes[i].next = &nodes[(i + 3) % NODES];
	clean(a, BYTES);
	if (strcmp(argv[1], "list") == 0) {
		warm(nodes);
		list(nodes, atol(argv[2]));
	} else {
		stride(a, warm_stride(a), atol(argv[2]));
	}
	return 0;
}
