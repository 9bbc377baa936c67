/* SPDX-License-Identifier: MIT */
/* Latency ladders, strides, translation reach, copies. */
#include "kernel.h"

#define HOPS 1024ul

/* A random cycle through `n` cells that lie `step` bytes apart; `skew` moves each by a line more, so that
 * cells of different pages do not share a set. */
static void *cycle(word n, word step, word skew)
{
	word random = 2463534242ul, *order = (word *)(arena + 32 * MIB);
	if (n * step >
	    32 * MIB) /* too large for an order beside it: hops of a fixed odd multiple, as far apart */
		order = 0;
	for (word i = 0; order && i < n; i++)
		order[i] = i;
	for (word i = n - 1; order && i > 0; i--) { /* Sattolo: one cycle */
		word j = (word)(((unsigned long long)next_random(&random) * i) >> 32), t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
#define CELL(i) (*(void **)(arena + (i)*step + (skew ? (i)*64 & (step - 1) : 0)))
	for (word i = 0; i < n; i++) {
		word to = order ? order[i] : (i + 514229) & (n - 1);
		CELL(i) = &CELL(to);
	}
	return arena;
}

static word hop(void *at, word n, word rounds)
{
	for (word i = 0; i < n; i++)
		at = *(void *volatile *)at; /* everything has been touched once */
	for (word i = 0; i < rounds; i++)
		for (word k = 0; k < HOPS / 64; k++)
			__asm__ volatile(X64(PICK("ldr %0, [%0]\n", "ldr %0, [%0]\n"))
					 : "+r"(at)
					 :
					 : "memory");
	return HOPS;
}

static word chase(word size, word rounds)
{
	word n = size / 64;
	return hop(cycle(n, 64, 0), n, rounds);
}

/* Reads of random bytes, each after the one before, as tinymembench makes them: three steps of a linear
 * congruential generator give an address, and what is read (0) enters the generator. */
static word reads(word size, word rounds)
{
	unsigned state = 0, at;
	for (word i = 0; i < size; i += 64)
		(void)*(volatile unsigned char *)&arena[i]; /* everything has been touched once */
#define STEP() (state = state * 1103515245u + 12345)
	for (word i = 0; i < rounds * HOPS; i++) {
		at = STEP() >> 16 & 0xFF;
		at |= STEP() >> 8 & 0xFF00;
		at |= STEP() & 0x7FFF0000;
		state |= *(volatile unsigned char *)&arena[at & (size - 1)];
	}
	return HOPS;
}

/* One line a page: the translation is what misses. */
static word pages(word size, word rounds)
{
	return hop(cycle(size, 4096, 1), size, rounds);
}

/* Four reads that wait for nothing, each into a register of its own, and their sum. */
static word four(const unsigned char *p, word step)
{
	word a, b, c, d;
	__asm__ volatile(PICK("ldr %0, [%4]\n ldr %1, [%5]\n ldr %2, [%6]\n ldr %3, [%7]\n",
			      "ldr %w0, [%4]\n ldr %w1, [%5]\n ldr %w2, [%6]\n ldr %w3, [%7]\n")
			 : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
			 : "r"(p), "r"(p + step), "r"(p + 2 * step), "r"(p + 3 * step)
			 : "memory");
	return a + b + c + d;
}

/* Reads of a word each `size` bytes through 8 MiB. */
static word stride(word size, word rounds)
{
	word sum = 0;
	for (word i = 0; i < rounds; i++)
		for (const unsigned char *p = arena; p < arena + 8 * MIB; p += 4 * size)
			sum += four(p, size);
	word reads = 0;
	for (word at = 0; at < 8 * MIB; at += 4 * size)
		reads += 4;
	return reads + (sum & 0);
}

/* Arm's example of a stride (LPN1): each byte says how many lines further the next one is. */
static word steps(word size, word rounds)
{
	word at = 0, far;
	for (word i = 0; i < size; i++)
		*(volatile unsigned char *)&arena[i] = 7;
	for (word i = 0; i < rounds * HOPS; i++) {
		__asm__ volatile(
			PICK("ldrb %1, [%2, %0]\n", "ldrb %w1, [%2, %0]\n") "add %0, %0, %1, lsl #6\n"
			: "+r"(at), "=&r"(far)
			: "r"(arena));
		at &= size - 1;
	}
	return HOPS;
}

/* Rows of the product of two matrices of 1000 x 1000 doubles, not optimized, as a board ran it (SSS): size 0
 * has the textbook's order of loops, 1 the order in which the inner loop runs along rows. An operation is a
 * step of the inner loop. */
#define SIDE 1000
typedef double matrix[SIDE][SIDE];
static __attribute__((optimize("O0"))) word product(word size, word rounds)
{
	matrix *a = (matrix *)arena, *b = a + 1, *c = b + 1;
	word i, j, k;
	for (i = 0; i < rounds; i++)
		for (j = 0; j < SIDE; j++) {
			double sum = 0;
			for (k = 0; k < SIDE && size == 0; k++)
				sum = sum + (*a)[i][k] * (*b)[k][j];
			for (k = 0; k < SIDE && size; k++)
				(*c)[i][k] = (*c)[i][k] + (*a)[i][j] * (*b)[j][k];
			if (size == 0)
				(*c)[i][j] = sum;
		}
	return (word)SIDE * SIDE;
}

static word copy(word size, word rounds)
{
	for (word i = 0; i < rounds; i++) {
		unsigned char *to = arena + 32 * MIB, *from = arena;
		word left = size;
#ifdef __aarch64__
		__asm__ volatile(
			"1: ldp x4, x5, [%1], #16\n ldp x6, x7, [%1], #16\n"
			"stp x4, x5, [%0], #16\n stp x6, x7, [%0], #16\n subs %2, %2, #32\n b.ne 1b\n"
			: "+r"(to), "+r"(from), "+r"(left)
			:
			: "x4", "x5", "x6", "x7", "cc", "memory");
#else
		__asm__ volatile("1: ldmia %1!, {r4-r6,r8}\n stmia %0!, {r4-r6,r8}\n ldmia %1!, {r4-r6,r8}\n"
				 "stmia %0!, {r4-r6,r8}\n subs %2, %2, #32\n bne 1b\n"
				 : "+r"(to), "+r"(from), "+r"(left)
				 :
				 : "r4", "r5", "r6", "r8", "cc", "memory");
#endif
	}
	return size;
}

static word set(word size, word rounds)
{
	for (word i = 0; i < rounds; i++) {
		unsigned char *to = arena;
		word left = size;
#ifdef __aarch64__
		__asm__ volatile(
			"1: stp xzr, xzr, [%0], #16\n stp xzr, xzr, [%0], #16\n subs %1, %1, #32\n b.ne 1b\n"
			: "+r"(to), "+r"(left)
			:
			: "cc", "memory");
#else
		__asm__ volatile(
			"mov r4, #0\n mov r5, #0\n mov r6, #0\n mov r8, #0\n"
			"1: stmia %0!, {r4-r6,r8}\n stmia %0!, {r4-r6,r8}\n subs %1, %1, #32\n bne 1b\n"
			: "+r"(to), "+r"(left)
			:
			: "r4", "r5", "r6", "r8", "cc", "memory");
#endif
	}
	return size;
}

/* Word stores that follow one another within `size` bytes. */
static word stores(word size, word rounds)
{
	for (word i = 0; i < rounds; i++)
		for (volatile unsigned *p = (volatile unsigned *)arena;
		     p < (volatile unsigned *)(arena + size); p += 8) {
			p[0] = 0, p[1] = 0, p[2] = 0, p[3] = 0;
			p[4] = 0, p[5] = 0, p[6] = 0, p[7] = 0;
		}
	return size / 4;
}

#ifdef __aarch64__
/* Looks through `size` bytes in elements of 8 or 64 bits, as tinymembench's scans do when GCC has compiled
 * them with -O2: until an element differs from what all of them are, or no bytes are left. */
#define SCAN(bits, load, reg, compare, goes_on)                                                     \
	static word scan_##bits(word size, word rounds)                                             \
	{                                                                                           \
		for (; rounds; rounds--) {                                                          \
			const unsigned char *at = arena, *begin = arena;                            \
			unsigned left = (unsigned)size - bits / 8;                                  \
			__asm__ volatile("b 2f\n"                                                   \
					 "1: add %0, %0, #" #bits " / 8\n sub w4, %w1, %w0\n"       \
					 "cmn w4, %w2\n b.mi 3f\n"                                  \
					 "2: " load " " reg "4, [%0]\n cmp " reg "4, " compare "\n" \
					 "b." goes_on " 1b\n 3:\n"                                  \
					 : "+r"(at)                                                 \
					 : "r"(begin), "r"(left), "r"(0ul)                          \
					 : "x4", "cc", "memory");                                   \
			if (at != arena + size)                                                     \
				return 0;                                                           \
		}                                                                                   \
		return size;                                                                        \
	}
SCAN(8, "ldrb", "w", "#90", "ne")
SCAN(64, "ldr", "x", "%3", "eq")
#endif

const struct kernel_row memory_kernels[] = {{"chase", chase},
					    {"reads", reads},
					    {"pages", pages},
					    {"stride", stride},
					    {"steps", steps},
					    {"copy", copy},
					    {"product", product},
					    {"set", set},
					    {"stores", stores},
#ifdef __aarch64__
					    {"scan-8", scan_8},
					    {"scan-64", scan_64},
#endif
					    {0, 0}};
