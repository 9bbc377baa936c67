/* SPDX-License-Identifier: MIT */
/* Start, arguments, the answer; no C library. */
#include "kernel.h"

unsigned char arena[64 * MIB + 4096] __attribute__((aligned(4096)));

word next_random(word *state)
{
	unsigned x = (unsigned)*state;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*state = x;
	return x;
}

static long call(long number, long a, long b, long c)
{
#ifdef __aarch64__
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b,
			 x2 __asm__("x2") = c;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#else
	register long r7 __asm__("r7") = number, r0 __asm__("r0") = a, r1 __asm__("r1") = b,
			 r2 __asm__("r2") = c;
	__asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
	return r0;
#endif
}

static int same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static word number(const char *text)
{
	word n = 0;
	for (; *text >= '0' && *text <= '9'; text++)
		n = n * 10 + (word)(*text - '0');
	return n;
}

static void print(word n)
{
	char digits[24];
	unsigned at = sizeof digits;
	digits[--at] = '\n';
	do
		digits[--at] = (char)('0' + n % 10);
	while (n /= 10);
	call(PICK(4, 64), 1, (long)&digits[at], (long)(sizeof digits - at));
}

static const struct kernel_row *find(const char *name)
{
	const struct kernel_row *const tables[] = {memory_kernels, branch_kernels, chain_kernels,
						   program_kernels, code_kernels};
	for (unsigned t = 0; t < 5; t++)
		for (const struct kernel_row *k = tables[t]; k->name; k++)
			if (same(k->name, name))
				return k;
	return 0;
}

__attribute__((used)) void start(const word *stack)
{
	const char *const *argv = (const char *const *)(stack + 1);
	const struct kernel_row *k = stack[0] == 4 ? find(argv[1]) : 0;
	if (k)
		print(k->run(number(argv[2]), number(argv[3])));
	call(PICK(1, 93), k ? 0 : 2, 0, 0);
}

#ifdef __aarch64__
__asm__(".globl _start\n_start: mov x0, sp\n bl start\n");
#else
__asm__(".globl _start\n_start: mov r0, sp\n bl start\n");
#endif
