/* SPDX-License-Identifier: MIT */
/*
 * TLB entries under A32: whose they are, and what maintenance by CP15 throws out. ASIDs of CONTEXTIDR (ARM11,
 * Armv7), of TTBR0 and TTBR1 with long descriptors (-DLONG), processes of the FCSE (XScale). Memory is flat;
 * the two MiB from 4 on are not global.
 */
#include "world_a32.h"

#define OWN    MIB(4)
#define GLOBAL MIB(6)

static void two(uintptr_t at)
{
	__asm__ volatile("ldr r12, [%0]\n\tldr r12, [%0, %1]" : : "r"(at), "r"(4096) : "r12", "memory");
}

#if defined LONG
static uint64_t table[4] __attribute__((aligned(32))), blocks[512] __attribute__((aligned(4096)));
#define A1  (1u << 22)
#define EAE (1u << 31)

static void base(unsigned which, uint64_t asid)
{
	uint64_t v = (uintptr_t)table | asid << 48;
	uint32_t low = (uint32_t)v, high = (uint32_t)(v >> 32);

	if (which == 0)
		__asm__ volatile("mcrr p15, 0, %0, %1, c2\n\tisb" : : "r"(low), "r"(high) : "memory");
	else
		__asm__ volatile("mcrr p15, 1, %0, %1, c2\n\tisb" : : "r"(low), "r"(high) : "memory");
}

static void map(void)
{
	for (uint32_t k = 0; k < 4; k++)
		blocks[k] = k << 21 | 0x701u | (k == 2 ? 1u << 11 : 0);
	table[0] = (uintptr_t)blocks | 3;
	MCR(0xFF, 0, c10, c2, 0);
	MCR(EAE, 0, c2, c0, 2);
	base(0, 1);
	base(1, 1);
}

static uint32_t in(uint32_t asid, uintptr_t at)
{
	base(0, asid);
	return over(two, at, DTLB);
}
#else
static uint32_t table[4096] __attribute__((aligned(16384)));

#if defined WORLD_XSCALE2
#define NOT_GLOBAL 0
#else
#define NOT_GLOBAL 0x20000u
#endif

/* Also as process 1 of the FCSE sees it. */
static void map(void)
{
	for (uint32_t k = 0; k < 8; k++)
		table[k] = table[32 + k] = k << 20 | 0xC0E | (k == 4 || k == 5 ? NOT_GLOBAL : 0);
	table[64] = 6u << 20 | 0xC0E;
	MCR((uint32_t)(uintptr_t)table, 0, c2, c0, 0);
	MCR(1, 0, c3, c0, 0);
#if !defined WORLD_XSCALE2
	MCR(0, 0, c2, c0, 2);
#endif
}

static uint32_t in(uint32_t asid, uintptr_t at)
{
#if defined WORLD_XSCALE2
	MCR((asid - 1) << 25, 0, c13, c0, 0);
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop");
#else
	MCR(asid, 0, c13, c0, 1);
#endif
	return over(two, at, DTLB);
}
#endif

static void say(const char *one, const char *other, uintptr_t at)
{
	rt_say(one, in(1, at));
	rt_say(other, in(2, at));
}

int main(void)
{
	uint32_t n = 0;

	map();
	control(M | C | XP, 0);
	MCR(0, 0, c8, c7, 0);
	(void)in(2, MIB(5));
	(void)in(1, MIB(5)); /* the program's own pages */
	say("first-of-1", "first-of-2", OWN);
	say("again-of-1", "again-of-2", OWN);
	for (uint32_t k = 0; k < 50; k++)
		n += in(1, OWN) + in(2, OWN);
	rt_say("ping-pong", n);
#if defined WORLD_XSCALE2
	say("global-of-1", "global-of-2", MIB(64));
	(void)in(1, OWN);
	MCR(MIB(32) + OWN, 0, c8, c6, 1);
	say("by-page-of-1", "by-page-of-2", OWN);
	MCR(OWN, 0, c8, c6, 1);
	say("by-own-of-1", "by-own-of-2", OWN);
	MCR(MIB(64), 0, c8, c6, 1);
	say("by-page-global", "by-page-global-of-2", MIB(64));
	MCR(OWN, 0, c8, c5, 1);
	say("by-code-of-1", "by-code-of-2", OWN);
#else
	say("global-of-1", "global-of-2", GLOBAL);
	MCR(1, 0, c8, c7, 2);
	say("by-asid-of-1", "by-asid-of-2", OWN);
	say("by-asid-global", "by-asid-global-of-2", GLOBAL);
	MCR(OWN | 2, 0, c8, c7, 1);
	say("by-page-of-1", "by-page-of-2", OWN);
	MCR(GLOBAL | 9, 0, c8, c7, 1);
	say("by-page-global", "by-page-global-of-2", GLOBAL);
#if defined WORLD_ARMV7
	MCR(OWN + 4096, 0, c8, c7, 3);
	say("by-any-of-1", "by-any-of-2", OWN);
#endif
#endif
#if defined LONG
	MCR(EAE | A1, 0, c2, c0, 2); /* the ASID is TTBR1's */
	rt_say("other-base", in(2, OWN));
	base(1, 2);
	rt_say("second-base", in(1, OWN));
	MCR(EAE, 0, c2, c0, 2);
#endif
	MCR(0, 0, c8, c7, 0);
	say("by-all-of-1", "by-all-of-2", OWN);
	return 0;
}
