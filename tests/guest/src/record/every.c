/* SPDX-License-Identifier: MIT */
/* For every event something that causes it, a few times: loads and stores of all kinds near and far, aligned
 * and not, code that no cache holds, branches that nobody foresees, calls, returns, exclusives, barriers,
 * preloads, divisions, floating point, vectors, system calls, faults. The same on every run. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SIZE (1u << 19)
static unsigned char far[SIZE] __attribute__((aligned(4096)));
static volatile unsigned sink;
static uint32_t cell;
static void *list[4096];
static sigjmp_buf back;

static unsigned next(unsigned *seed)
{
	return *seed = *seed * 1103515245u + 12345u;
}

/* Each on a page of its own: lines and pages of code that are not there. */
/* clang-format off */
#define PAGED(n) \
	__attribute__((noinline, aligned(4096))) static unsigned page##n(unsigned x) { return x * (2 * n + 3) ^ x >> (n % 7 + 1); }
#define EIGHT(n) PAGED(n##0) PAGED(n##1) PAGED(n##2) PAGED(n##3) PAGED(n##4) PAGED(n##5) PAGED(n##6) PAGED(n##7)
EIGHT(1) EIGHT(2) EIGHT(3) EIGHT(4) EIGHT(5) EIGHT(6)
#define NAMES(n) page##n##0, page##n##1, page##n##2, page##n##3, page##n##4, page##n##5, page##n##6, page##n##7
static unsigned (*const paged[])(unsigned) = {NAMES(1), NAMES(2), NAMES(3), NAMES(4), NAMES(5), NAMES(6)};
/* clang-format on */

__attribute__((noinline)) static unsigned fetches(unsigned x)
{
	for (unsigned i = 0; i < 2 * sizeof(paged) / sizeof(paged[0]); i++)
		x += paged[i * 29 % (sizeof(paged) / sizeof(paged[0]))](x);
	return x;
}

__attribute__((noinline)) static unsigned scatter(unsigned seed, unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n; i++)
		sum += far[next(&seed) >> 8 & (SIZE - 1)]++;
	return sum;
}

__attribute__((noinline)) static void stores(unsigned char with)
{
	memset(far, with, SIZE / 4);
	for (unsigned i = 0; i < SIZE; i += 4096 + 64)
		*(volatile uint32_t *)(far + i) = i;
}

__attribute__((noinline)) static unsigned crooked(void)
{
	unsigned sum = 0, word;

	for (unsigned i = 62; i < 4096; i += 64) {
		memcpy(&word, far + i, sizeof(word));
		sum += word;
		memcpy(far + i + 1, &sum, sizeof(sum));
	}
	return sum;
}

__attribute__((noinline)) static unsigned chase(unsigned n)
{
	void **p = list;

	for (unsigned i = 0; i < 4096; i++)
		list[i] = &list[(i * 1021 + 7) % 4096];
	while (n--)
		p = *p;
	return p != list;
}

__attribute__((noinline)) static unsigned choose(unsigned seed, unsigned n)
{
	unsigned odd = 0;

	for (unsigned i = 0; i < n; i++)
		if (next(&seed) & 0x10000)
			odd += i;
		else
			odd ^= seed / (i + 1);
	return odd;
}

__attribute__((noinline)) static unsigned nested(unsigned n)
{
	return n ? nested(n - 1) * 3 + 1 : 1;
}

__attribute__((noinline)) static double floats(unsigned n)
{
	double a = 1, b = 3;
	float c = 2;

	for (unsigned i = 1; i < n; i++) {
		a = a * 1.5 + b / i;
		b -= a > 1e9 ? a : 0.5;
		c = c / 3 + (float)b;
	}
	return a + c;
}

__attribute__((noinline)) static void vectors(void)
{
	float sum[64];

	for (unsigned i = 0; i < 64; i++)
		sum[i] = (float)far[i] * 0.5f + 1;
	for (unsigned i = 0; i < 64; i++)
		far[i] += (unsigned char)sum[63 - i];
}

__attribute__((noinline)) static void synchronise(void)
{
	for (unsigned i = 0; i < 20; i++) {
		__atomic_fetch_add(&cell, 1, __ATOMIC_SEQ_CST);
		__atomic_store_n(&cell, __atomic_load_n(&cell, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
		__builtin_prefetch(&far[i * 64]);
#if defined(__aarch64__) || defined(__ARM_ARCH_7A__)
		far[i * 4096] = 1;
		__asm__ volatile("dmb ish\n\tisb\n\tdsb sy" ::: "memory");
#endif
	}
}

static void caught(int signal)
{
	siglongjmp(back, signal);
}

__attribute__((noinline)) static void faults(void)
{
	signal(SIGSEGV, caught);
	signal(SIGILL, caught);
	signal(SIGTRAP, caught);
	for (unsigned i = 0; i < 120; i++) {
		if (!sigsetjmp(back, 1))
			sink += *(volatile unsigned *)16;
		if (!sigsetjmp(back, 1))
			__builtin_trap();
		if (!sigsetjmp(back, 1))
			((void (*volatile)(void))16)();
	}
}

int main(void)
{
	unsigned sum = 1;

	for (unsigned i = 0; i < 2; i++) {
		stores((unsigned char)i);
		sum += fetches(i) + scatter(i + sum, 2000) + crooked() + chase(1500) + choose(i, 800) +
		       nested(30);
		sum += (unsigned)floats(200);
		vectors();
		synchronise();
	}
	faults();
	printf("%u\n", sum & 0xFFFF);
	return 0;
}
