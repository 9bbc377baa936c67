/* SPDX-License-Identifier: MIT */
/*
 * Walks whose next address hangs on the load before: walks stride|list STEPS. `stride` is the example of
 * Arm's learning path of Neoverse N1; all is read once before, so that no line that was written to is put out
 * on the way.
 */
#include <stdlib.h>
#include <string.h>

enum { BYTES = 16 << 20, NODES = 65536 };

struct node {
	struct node *next;
	char rest[64 - sizeof(struct node *)];
};

/* The compiler does not know what is in it, nor that nobody looks. */
#define HIDE(p) __asm__ volatile("" : "+r"(p) : : "memory")

__attribute__((noinline)) void stride(const unsigned char *a, long steps)
{
	size_t p = 0;
	for (long i = 0; i < steps; i++) {
		p += (size_t)a[p] * 64;
		p &= BYTES - 1;
	}
	HIDE(p);
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
	memset(a, 7, BYTES);
	for (size_t i = 0; strcmp(argv[1], "list") == 0 && i < NODES; i++)
		nodes[i].next = &nodes[(i + 3) % NODES];
	clean(a, BYTES);
	if (strcmp(argv[1], "list") == 0) {
		warm(nodes);
		list(nodes, atol(argv[2]));
	} else {
		stride(a, atol(argv[2]));
	}
	return 0;
}
