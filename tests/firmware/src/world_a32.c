/* SPDX-License-Identifier: MIT */
/*
 * What control registers, page tables and CP15 maintenance do to what is counted: ARM11, XScale with four
 * counters, Armv7 (-DWORLD_ARM11, -DWORLD_XSCALE2, -DWORLD_ARMV7). Memory: 1 MiB sections, flat, of which
 * MiB 1 is Normal non-cacheable, 2 Device, 3 Strongly Ordered, 4 and 5 write-back, 6 the same and shareable,
 * 7 write-through.
 */
#include "world_a32.h"

/* Flat: what follows the last instruction fetch of it must not move the program. */
static uint32_t table[4096] __attribute__((aligned(16384)));

static void map(void)
{
#if defined WORLD_XSCALE2
	static const uint32_t kind[8] = {0xC, 0x4, 0x4, 0x0, 0xC, 0xC, 0xC, 0x8};
#else
	static const uint32_t kind[8] = {0xC, 0x1000, 0x4, 0x0, 0xC, 0xC, 0x1000C, 0x8};
#endif

	for (uint32_t k = 0; k < 8; k++)
		table[k] = k << 20 | 0xC02 | kind[k];
	MCR((uint32_t)(uintptr_t)table, 0, c2, c0, 0);
	MCR(1, 0, c3, c0, 0);
#if !defined WORLD_XSCALE2
	MCR(0, 0, c2, c0, 2);
#endif
}

#if !defined WORLD_XSCALE2
static void stores(uintptr_t at)
{
	__asm__ volatile(ALL("str r12, [%0], #64\n\t") : "+r"(at) : : "memory");
}

#endif

static void pages(uintptr_t at)
{
	__asm__ volatile(".rept 4\n\tldr r12, [%0]\n\tadd %0, %0, #4096\n\t.endr"
			 : "+r"(at)
			 :
			 : "r12", "memory");
}

static void loops(uintptr_t at)
{
	(void)at;
	loop();
}

#if defined WORLD_XSCALE2
/* Data RAM: lines of memory that is never read. */
static void allocate(uintptr_t at)
{
	for (uint32_t k = 0; k < LINES; k++)
		MCR(at + 64 * k, 0, c7, c2, 5);
}
#endif

#if defined WORLD_ARM11 || defined WORLD_XSCALE2
static void thrash(uintptr_t at)
{
	for (uint32_t k = 0; k < 64; k++, at += LINES * 64)
		loads(at);
}
#endif

/* All of level 1's data, by set and way: 4 ways, or fewer; 512 sets of 32 bytes, or fewer and larger. */
#if !defined WORLD_XSCALE2
#define EACH_WAY(op)                                     \
	for (uint32_t way = 0; way < 4; way++)           \
		for (uint32_t set = 0; set < 512; set++) \
	MCR(way << (32 - WAY_BITS) | set << LINE_BITS, 0, c7, op, 2)
#endif

int main(void)
{
	uint32_t all;

	/* Out of reset. */
	rt_say("reset-mispredicted", over(loops, 0, MISPREDICTED));
	rt_say("reset-code-misses", over(code, 0, CODE_MISS));
	rt_say("reset-accesses", all = over(loads, MIB(4), DATA));
	rt_say("reset-misses", over(loads, MIB(4), MISS));
	rt_say("reset-translations", over(pages, MIB(4), DTLB));
#ifdef WORLD_ARM11
	rt_say("reset-uncached", all - over(loads, MIB(4), CACHEABLE));
	rt_say("reset-drained", over(loads, MIB(4), DRAINED));
#endif

	/* Prediction. */
	control(Z, 0);
	rt_say("predicted", over(loops, 0, MISPREDICTED));
	control(0, Z);
	rt_say("unpredicted", over(loops, 0, MISPREDICTED));
	control(Z, 0);

	/* Code. */
	MCR(0, 0, c7, c5, 0);
	control(I, 0);
	rt_say("code-first", over(code, 0, CODE_MISS));
	rt_say("code-again", over(code, 0, CODE_MISS));
	MCR(0, 0, c7, c5, 0);
	rt_say("code-invalidated", over(code, 0, CODE_MISS));
	control(0, I);
	rt_say("code-off", over(code, 0, CODE_MISS));
	control(I, 0);

	/* Data. */
	map();
	control(M | C | XP, 0);
	rt_say("data-first", over(loads, MIB(4), MISS));
	rt_say("data-again", over(loads, MIB(4), MISS));
	rt_say("data-accesses", over(loads, MIB(4), DATA));
	MCR(MIB(4) + 128, 0, c7, c6, 1);
	rt_say("data-one-line", over(loads, MIB(4), MISS));
	control(0, C);
	rt_say("data-off", over(loads, MIB(4), DATA));
	control(C, 0);
	rt_say("data-on", over(loads, MIB(4), MISS));
#if defined WORLD_XSCALE2
	MCR(0, 0, c7, c6, 0);
	rt_say("data-emptied", over(loads, MIB(4), MISS));
#else
	EACH_WAY(c6);
	rt_say("data-emptied", over(loads, MIB(4), MISS));
	stores(MIB(4));
#ifdef WRITES
	start(WRITTEN);
	EACH_WAY(c10);
	rt_say("cleaned", stop());
	start(WRITTEN);
	EACH_WAY(c10);
	rt_say("cleaned-again", stop());
#endif
	rt_say("data-kept", over(loads, MIB(4), MISS));
#endif

#ifdef WORLD_XSCALE2
	/* Lockdown: lines that are filled meanwhile stay, invalidated or not; then lines of code. */
	MCR(0, 0, c7, c6, 0);
	MCR(1, 0, c9, c2, 0);
	rt_say("locked-first", over(loads, MIB(4), MISS));
	MCR(0, 0, c9, c2, 0);
	thrash(MIB(5));
	rt_say("locked-misses", over(loads, MIB(4), MISS));
	MCR(0, 0, c7, c6, 0);
	rt_say("locked-kept", over(loads, MIB(4), MISS));
	MCR(0, 0, c9, c2, 1);
	thrash(MIB(5));
	rt_say("unlocked-misses", over(loads, MIB(4), MISS));

	/* Data RAM: lines allocated without a fetch, locked. */
	MCR(0, 0, c7, c6, 0);
	MCR(1, 0, c9, c2, 0);
	rt_say("allocating-misses", over(allocate, MIB(4), MISS));
	MCR(0, 0, c9, c2, 0);
	rt_say("allocated-misses", over(loads, MIB(4), MISS));
	thrash(MIB(5));
	rt_say("allocated-kept", over(loads, MIB(4), MISS));
	MCR(0, 0, c9, c2, 1);
	MCR(0, 0, c7, c6, 0);
	rt_say("allocated-gone", over(loads, MIB(4), MISS));
	MCR(0, 0, c7, c5, 0);
	for (uint32_t k = 0; k < 64; k++)
		MCR((uintptr_t)code + 32 * k, 0, c9, c1, 0);
	MCR(0, 0, c7, c5, 0);
	rt_say("code-locked", over(code, 0, CODE_MISS));
	MCR(0, 0, c9, c1, 1);
	MCR(0, 0, c7, c5, 0);
	rt_say("code-unlocked", over(code, 0, CODE_MISS));
#endif

	/* Memory. */
	rt_say("normal-misses", over(loads, MIB(1), MISS));
	rt_say("normal-accesses", all = over(loads, MIB(1), DATA));
#ifdef WORLD_ARM11
	rt_say("normal-uncached", all - over(loads, MIB(1), CACHEABLE));
	rt_say("normal-drained", over(loads, MIB(1), DRAINED));
	rt_say("device-uncached", over(loads, MIB(2), DATA) - over(loads, MIB(2), CACHEABLE));
	rt_say("device-drained", over(loads, MIB(2), DRAINED));
	rt_say("ordered-uncached", over(loads, MIB(3), DATA) - over(loads, MIB(3), CACHEABLE));
	rt_say("ordered-drained", over(loads, MIB(3), DRAINED));
#endif

	(void)over(loads, MIB(6), MISS);
	rt_say("shared-again", over(loads, MIB(6), MISS));
	rt_say("shared-accesses", over(loads, MIB(6), DATA));
	(void)over(loads, MIB(7), MISS);
	rt_say("through-again", over(loads, MIB(7), MISS));
	rt_say("through-accesses", over(loads, MIB(7), DATA));
#ifdef SMP
	MCR(SMP, 0, c1, c0, 1);
	(void)over(loads, MIB(6), MISS);
	rt_say("coherent-again", over(loads, MIB(6), MISS));
	rt_say("coherent-accesses", over(loads, MIB(6), DATA));
#endif

	/* Translations. */
	MCR(0, 0, c8, c7, 0);
	rt_say("pages-first", over(pages, MIB(4), DTLB));
	rt_say("pages-again", over(pages, MIB(4), DTLB));
	MCR(MIB(4), 0, c8, c6, 1);
	rt_say("pages-one", over(pages, MIB(4), DTLB));
#ifdef WORLD_ARM11
	MCR(0, 0, c8, c7, 0);
	rt_say("walks-first", over(pages, MIB(4), WALK));
	rt_say("walks-again", over(pages, MIB(4), WALK));

	/* Lockdown: what lies in ways 0 to 2 stays there. */
	MCR(0, 0, c7, c14, 0);
	loads(MIB(4));
	thrash(MIB(5));
	rt_say("unlocked-misses", over(loads, MIB(4), MISS));
	MCR(0, 0, c7, c14, 0);
	loads(MIB(4));
	MCR(7, 0, c9, c0, 0);
	thrash(MIB(5));
	rt_say("locked-misses", over(loads, MIB(4), MISS));
	MCR(0, 0, c9, c0, 0);

	/* ACTLR: RS, DB, SB one by one. */
	MCR(4, 0, c1, c0, 1);
	MCR(0, 0, c7, c5, 6);
	rt_say("static-alone", over(loops, 0, MISPREDICTED));
	MCR(0, 0, c1, c0, 1);
	rt_say("none-of-three", over(loops, 0, MISPREDICTED));
	MCR(7, 0, c1, c0, 1);
#endif
	return 0;
}
