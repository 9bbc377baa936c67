/* SPDX-License-Identifier: MIT */
/* Marks round a loop of 2001 instructions, three times; and all 64 marks in a row. */
#include <apmu/mark.h>

#ifdef __aarch64__
#define LOOP __asm__ volatile("mov w9, #1000\n1: subs w9, w9, #1\n bne 1b" : : : "x9", "cc")
#else
#define LOOP __asm__ volatile("mov r3, #1000\n1: subs r3, r3, #1\n bne 1b" : : : "r3", "cc")
#endif

__attribute__((noinline)) void marked(void)
{
	APMU_MARK(1);
	LOOP;
	APMU_MARK(2);
}

/* Each mark alone begins and ends a region of one instruction. */
#define ONE(n)        \
	APMU_MARK(n); \
	__asm__ volatile("nop")
#define EIGHT(n)      \
	ONE(n);       \
	ONE((n) + 1); \
	ONE((n) + 2); \
	ONE((n) + 3); \
	ONE((n) + 4); \
	ONE((n) + 5); \
	ONE((n) + 6); \
	ONE((n) + 7)

__attribute__((noinline)) void row(void)
{
	EIGHT(0);
	EIGHT(8);
	EIGHT(16);
	EIGHT(24);
	EIGHT(32);
	EIGHT(40);
	EIGHT(48);
	EIGHT(56);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		row();
		return 0;
	}
	for (int i = 0; i < 3; i++)
		marked();
	return 0;
}
