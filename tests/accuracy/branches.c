/* SPDX-License-Identifier: MIT */
/* Branch patterns. */
#include "kernel.h"

#define TURNS 4096ul
#define MOST  32ul /* rounds: so many different bits there are, and set-up makes them all */

/* One conditional branch that goes by the bits of a table, TURNS times a round, none used twice. */
static word by_bits(word rounds)
{
	const unsigned *table = (const unsigned *)arena;
	word x = 0;
	for (word k = 0; k < TURNS * (rounds < MOST ? rounds : MOST); k++) {
		word bit = table[k / 32] >> (k % 32) & 1;
#ifdef __aarch64__
		__asm__ volatile("cbz %1, 1f\n add %0, %0, #1\n 1:" : "+r"(x) : "r"(bit));
#else
		__asm__ volatile("cmp %1, #0\n beq 1f\n add %0, %0, #1\n 1:" : "+r"(x) : "r"(bit) : "cc");
#endif
	}
	return TURNS + (x & 0);
}

static void set_bit(word k, word bit)
{
	((unsigned *)arena)[k / 32] |= (unsigned)bit << k % 32;
}

/* Not zero once in `size`: 1 always, 2 every other time. 0: never. */
static word period(word size, word rounds)
{
	for (word i = 0, at = 0; i < TURNS * MOST; i++, at = at + 1 < size ? at + 1 : 0)
		set_bit(i, size && at == 0);
	return by_bits(rounds);
}

static word random(word size, word rounds)
{
	word state = 88172645ul + size;
	for (word i = 0; i < TURNS * MOST; i++)
		set_bit(i, next_random(&state) >> 7 & 1);
	return by_bits(rounds);
}

/* 32 conditional branches on the bits of a word that has long been there: each is executed as soon as it is
 * issued, so that what a wrong one costs is the refill alone. */
#define TOSS(k)                                                           \
	PICK("tst %1, #1 << " #k "\n beq 1f\n", "tbz %w1, #" #k ", 1f\n") \
	" add %0, %0, #1\n 1:\n"
#define TOSS4(a, b, c, d)             TOSS(a) TOSS(b) TOSS(c) TOSS(d)
#define TOSS8(a, b, c, d, e, f, g, h) TOSS4(a, b, c, d) TOSS4(e, f, g, h)

static word by_words(word rounds)
{
	const volatile unsigned *table = (const unsigned *)arena;
	unsigned next = 0;
	word x = 0;
	for (word k = 0; k < TURNS / 32 * MOST; k++) /* read before: what misses hides what is measured */
		next += table[k];
	next = table[0];
	for (word k = 1; k <= TURNS / 32 * (rounds < MOST ? rounds : MOST); k++) {
		unsigned bits = next;
		next = table[k];
		__asm__ volatile(TOSS8(0, 1, 2, 3, 4, 5, 6, 7) TOSS8(8, 9, 10, 11, 12, 13, 14, 15)
					 TOSS8(16, 17, 18, 19, 20, 21, 22, 23)
						 TOSS8(24, 25, 26, 27, 28, 29, 30, 31)
				 : "+r"(x)
				 : "r"(bits)
				 : "cc");
	}
	return TURNS + (x & 0);
}

/* `size` 0: none goes, 1: all go, 2: they go at random. */
static word toss(word size, word rounds)
{
	word state = 88172645ul;
	for (word i = 0; i < TURNS * MOST / 32; i++) {
		word bits = 0;
		for (word k = 0; size == 2 && k < 32; k++)
			bits = bits << 1 | (next_random(&state) >> 7 & 1);
		((unsigned *)arena)[i] = size == 0 ? 0xFFFFFFFFu : (unsigned)bits;
	}
	return by_words(rounds);
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

const struct kernel_row branch_kernels[] = {
	{"period", period},     {"random", random}, {"toss", toss}, {"always", always},
	{"indirect", indirect}, {"depth", depth},   {0, 0}};
