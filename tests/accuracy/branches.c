/* SPDX-License-Identifier: MIT */
/* Branch patterns. */
#include "kernel.h"

#define TURNS 4096ul

/* One conditional branch that goes by a byte of a table, TURNS times a round. */
static word by_table(const unsigned char *table, word length, word rounds)
{
	word x = 0;
	for (word i = 0; i < rounds; i++) {
		const unsigned char *p = table, *end = table + length;
		for (word k = 0; k < TURNS; k++) {
			word bit = *p++;
			p = p == end ? table : p; /* a conditional move */
#ifdef __aarch64__
			__asm__ volatile("cbz %1, 1f\n add %0, %0, #1\n 1:" : "+r"(x) : "r"(bit));
#else
			__asm__ volatile("cmp %1, #0\n beq 1f\n add %0, %0, #1\n 1:"
					 : "+r"(x)
					 : "r"(bit)
					 : "cc");
#endif
		}
	}
	return TURNS + (x & 0);
}

/* Not zero once in `size`: 1 always, 2 every other time. 0: never. */
static word period(word size, word rounds)
{
	for (word i = 0, at = 0; i < 1024 * (size ? size : 1); i++, at = at + 1 < size ? at + 1 : 0)
		arena[i] = size && at == 0;
	return by_table(arena, 1024 * (size ? size : 1), rounds);
}

/* Random, over `size` bytes of table. */
static word random(word size, word rounds)
{
	word state = 88172645ul;
	for (word i = 0; i < size; i++)
		arena[i] = next_random(&state) >> 7 & 1;
	return by_table(arena, size, rounds);
}

/* Taken branches to the next instruction but one. */
static word always(word size, word rounds)
{
	(void)size;
	for (word i = 0; i < rounds * 16; i++)
		__asm__ volatile(X64("b 1f\n nop\n 1:\n"));
	return 1024;
}

static word target(word x)
{
	__asm__ volatile("" : "+r"(x));
	return x;
}
#define TARGET(n)                                          \
	static __attribute__((noinline)) word t##n(word x) \
	{                                                  \
		return target(x) + n;                      \
	}
TARGET(0)
TARGET(1)
TARGET(2)
TARGET(3)
TARGET(4)
TARGET(5)
TARGET(6)
TARGET(7)

/* A call through a pointer to `size` targets in turn, at most 8. */
static word indirect(word size, word rounds)
{
	static word (*const to[])(word) = {t0, t1, t2, t3, t4, t5, t6, t7};
	word x = 0;
	for (word i = 0; i < rounds; i++)
		for (word k = 0, n = 0; k < 1024; k++, n = n + 1 < size ? n + 1 : 0) {
			word (*f)(word) = to[n];
			__asm__ volatile("" : "+r"(f));
			x = f(x);
		}
	return 1024 + (x & 0);
}

static __attribute__((noinline)) word down(word depth)
{
	word below = depth ? down(depth - 1) : 0;
	__asm__ volatile("" : "+r"(below));
	return below + 1;
}

/* Calls nested `size` deep. A round is `size` calls, 64 times. */
static word depth(word size, word rounds)
{
	word x = 0;
	for (word i = 0; i < rounds * 64; i++)
		x += down(size - 1);
	return size * 64 + (x & 0);
}

const struct kernel_row branch_kernels[] = {{"period", period},     {"random", random}, {"always", always},
					    {"indirect", indirect}, {"depth", depth},   {0, 0}};
