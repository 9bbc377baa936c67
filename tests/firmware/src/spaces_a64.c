/* SPDX-License-Identifier: MIT */
/*
 * TLB entries under A64: whose they are (ASID, nG, EL1's two ranges), and what TLBI throws out. Memory: 2 MiB
 * blocks, flat, also in the upper range; blocks 12 and 13 are not global. Linked at 0x40200000.
 */
#include "world_a64.h"

#define TLBI(what, v) __asm__ volatile("tlbi " what ", %0\n\tdsb sy\n\tisb" : : "r"((uint64_t)(v)) : "memory")
#define UPPER         (0xFFFFFF8000000000u)
#define OWN           BLOCK(12) /* pages of each ASID's own */
#define GLOBAL        BLOCK(14)
#define DTLB          0x5u
#define A1            (1ull << 22)
#define AS            (1ull << 36)
#define TCR           (25ull | 25ull << 16 | 2ull << 30 | 2ull << 32)

static void base(const char *which, uint64_t asid)
{
	uint64_t v = (uintptr_t)table | asid << 48;

	if (which[0] == '0')
		MSR("ttbr0_el1", v);
	else
		MSR("ttbr1_el1", v);
}

static void map(void)
{
	uint64_t control;

	for (uint64_t k = 0; k < 16; k++)
		blocks[k] = BLOCK(k) | 0x701 | (k == 12 || k == 13 ? 1u << 11 : 0);
	table[0] = 0x701 | 1 << 2;
	table[1] = (uintptr_t)blocks | 3;
	MSR("mair_el1", 0x04FF);
	MSR("tcr_el1", TCR);
	base("0", 1);
	base("1", 0x77);
	__asm__ volatile("mrs %0, sctlr_el1" : "=r"(control));
	MSR("sctlr_el1", control | 5);
}

static void two(uintptr_t at)
{
	__asm__ volatile(".rept 2\n\tldr x12, [%0]\n\tadd %0, %0, #4096\n\t.endr"
			 : "+r"(at)
			 :
			 : "x12", "memory");
}

static uint32_t in(uint64_t asid, uintptr_t at)
{
	base("0", asid);
	return over(two, at, DTLB);
}

static void say(const char *one, const char *two, uintptr_t at)
{
	rt_say(one, in(1, at));
	rt_say(two, in(2, at));
}

int main(void)
{
	uint32_t n = 0;

	map();
	__asm__ volatile("tlbi vmalle1\n\tdsb sy\n\tisb" : : : "memory");
	(void)in(3, BLOCK(13)); /* the program's own pages */

	say("first-of-1", "first-of-2", OWN);
	say("again-of-1", "again-of-2", OWN);
	for (uint32_t k = 0; k < 50; k++)
		n += in(1, OWN) + in(2, OWN);
	rt_say("ping-pong", n);
	say("global-of-1", "global-of-2", GLOBAL);

	TLBI("aside1", 1ull << 48);
	say("by-asid-of-1", "by-asid-of-2", OWN);
	say("by-asid-global", "by-asid-global-of-2", GLOBAL);
	TLBI("vae1", 2ull << 48 | OWN >> 12);
	say("by-page-of-1", "by-page-of-2", OWN);
	TLBI("vale1", 2ull << 48 | OWN >> 12);
	say("by-last-of-1", "by-last-of-2", OWN);
	TLBI("vaae1", (OWN + 4096) >> 12);
	say("by-any-of-1", "by-any-of-2", OWN);
	TLBI("vaale1", (OWN + 4096) >> 12);
	say("by-any-last-of-1", "by-any-last-of-2", OWN);
	TLBI("vae1", 9ull << 48 | GLOBAL >> 12);
	say("by-page-global", "by-page-global-of-2", GLOBAL);
	TLBI("vae1is", 1ull << 48 | (OWN >> 12));
	say("by-shared-of-1", "by-shared-of-2", OWN);
	__asm__ volatile("tlbi vmalle1\n\tdsb sy\n\tisb" : : : "memory");
	say("by-all-of-1", "by-all-of-2", OWN);

	/* The upper range: the ASID is TTBR0's, or with A1 TTBR1's. */
	rt_say("upper-first", in(1, UPPER | OWN));
	TLBI("vae1", (1ull << 48) | ((UPPER | OWN) >> 12 & 0xFFFFFFFFFFF));
	rt_say("upper-by-page", in(1, UPPER | OWN));
	base("1", 0x78);
	rt_say("upper-same-asid", in(1, UPPER | OWN));
	MSR("tcr_el1", TCR | A1);
	rt_say("upper-other-asid", in(1, UPPER | OWN));
	rt_say("upper-other-base", in(2, UPPER | OWN));
	MSR("tcr_el1", TCR);

	/* 0x102 is 2 where ASIDs have eight bits. */
	(void)in(2, OWN);
	rt_say("eight-bits", in(0x102, OWN));
	MSR("tcr_el1", TCR | AS);
	rt_say("sixteen-bits", in(0x102, OWN));
	(void)in(2, OWN);
	TLBI("aside1", 0x102ull << 48);
	rt_say("sixteen-by-asid-of-2", in(2, OWN));
	rt_say("sixteen-by-asid", in(0x102, OWN));
	return 0;
}
