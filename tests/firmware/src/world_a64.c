/* SPDX-License-Identifier: MIT */
/*
 * What SCTLR_EL1, page tables and A64 maintenance do to what is counted. Memory: 2 MiB blocks, flat, of which
 * block 8 is Normal non-cacheable, 9 write-back inside and non-cacheable outside, 10 Device-nGnRE, 12
 * Device-nGnRnE, 15 write-through, the others write-back. Linked at 0x40200000.
 */
#include "world_a64.h"

#define NORMAL  BLOCK(8)
#define DEVICE  BLOCK(10)
#define ORDERED BLOCK(12)
#define CACHED  BLOCK(14)
#define INSIDE  BLOCK(9)
#define THROUGH BLOCK(15)

/* CPUACTLR_EL1 without and with the data prefetcher: PREFETCH_OFF, PREFETCH_ON, by the core. */

enum {
	MISPREDICTED = 0x10,
	CODE_MISS = 0x1,
	DATA = 0x4,
	MISS = 0x3,
	WRITTEN = 0x15,
	DTLB = 0x5,
	BUS = 0x19,
	CYCLES = 0x11
};

enum { M = 1, C = 4, I = 0x1000 };

static void control(uint64_t set, uint64_t clear)
{
	uint64_t v;

	__asm__ volatile("mrs %0, sctlr_el1" : "=r"(v));
	MSR("sctlr_el1", (v | set) & ~clear);
}

/* MAIR: 0 write-back, 1 non-cacheable, 2 nGnRE, 3 nGnRnE, 4 write-through, 5 write-back inside alone. */
static void map(void)
{
	static const uint8_t kind[16] = {[8] = 1, [9] = 5, [10] = 2, [12] = 3, [15] = 4};

	for (uint64_t k = 0; k < 16; k++)
		blocks[k] = BLOCK(k) | 0x701 | (uint64_t)kind[k] << 2;
	table[0] = 0x701 | 3 << 2;
	table[1] = (uintptr_t)blocks | 3;
	MSR("mair_el1", 0x4FBB000444FF);
	MSR("tcr_el1", 25 | 1ull << 23);
	MSR("ttbr0_el1", (uintptr_t)table);
}

static void loads(uintptr_t at)
{
	__asm__ volatile(ALL("ldr x12, [%0], #64\n\t") : "+r"(at) : : "x12", "memory");
}

static void stores(uintptr_t at)
{
	__asm__ volatile(ALL("str xzr, [%0], #64\n\t") : "+r"(at) : : "memory");
}

static void pages(uintptr_t at)
{
	__asm__ volatile(".rept 4\n\tldr x12, [%0]\n\tadd %0, %0, #4096\n\t.endr"
			 : "+r"(at)
			 :
			 : "x12", "memory");
}

#ifdef TUNED
static void whole_lines(uintptr_t at)
{
	__asm__ volatile(ALL("stp xzr, xzr, [%0], #16\n\tstp xzr, xzr, [%0], #16\n\t"
			     "stp xzr, xzr, [%0], #16\n\tstp xzr, xzr, [%0], #16\n\t")
			 : "+r"(at)
			 :
			 : "memory");
}

/* CPUACTLR_EL1 of Cortex-A53 with another value of one field; the rest as PREFETCH_ON has it. */
static void tune(unsigned low, uint64_t bits, uint64_t value)
{
	MSR("S3_1_C15_C2_0", (PREFETCH_ON & ~(bits << low)) | value << low);
}

/* Two streams of 32 lines, in turn. */
static void weave(uintptr_t at)
{
	uintptr_t other = at + 0x4000;

	__asm__ volatile(".rept 32\n\tldr x12, [%0], #64\n\tldr x12, [%1], #64\n\t.endr"
			 : "+r"(at), "+r"(other)
			 :
			 : "x12", "memory");
}
#endif

static void code(uintptr_t at)
{
	(void)at;
	__asm__ volatile(".balign 64\n\t.rept 512\n\tnop\n\t.endr");
}

static void clean(uintptr_t at)
{
	__asm__ volatile(ALL("dc cvac, %0\n\tadd %0, %0, #64\n\t") : "+r"(at) : : "memory");
}

/* 128 sets of 64 bytes, 4 ways: 32 KiB. */
static void empty(void)
{
	for (uint64_t way = 0; way < 4; way++)
		for (uint64_t set = 0; set < 128; set++)
			__asm__ volatile("dc cisw, %0" : : "r"(way << 30 | set << 6) : "memory");
}

int main(void)
{
	rt_say("reset-code-misses", over(code, 0, CODE_MISS));
	rt_say("reset-accesses", over(loads, CACHED, DATA));
	rt_say("reset-misses", over(loads, CACHED, MISS));
	rt_say("reset-translations", over(pages, CACHED, DTLB));
	rt_say("reset-bus", over(loads, CACHED, BUS) >= LINES);

	__asm__ volatile("ic iallu\n\tisb");
	control(I, 0);
	rt_say("code-first", over(code, 0, CODE_MISS));
	rt_say("code-again", over(code, 0, CODE_MISS));
	__asm__ volatile("ic iallu\n\tisb");
	rt_say("code-invalidated", over(code, 0, CODE_MISS));
	control(0, I);
	rt_say("code-off", over(code, 0, CODE_MISS));
	control(I, 0);

	map();
	control(M | C, 0);
	rt_say("data-first", over(loads, CACHED, MISS));
	rt_say("data-again", over(loads, CACHED, MISS));
	rt_say("data-accesses", over(loads, CACHED, DATA));
	__asm__ volatile("dc ivac, %0" : : "r"(CACHED + 128) : "memory");
	rt_say("data-one-line", over(loads, CACHED, MISS));
	control(0, C);
	rt_say("data-off", over(loads, CACHED, DATA));
	control(C, 0);
	rt_say("data-on", over(loads, CACHED, MISS));
	empty();
	rt_say("data-emptied", over(loads, CACHED, MISS));
	stores(CACHED);
	rt_say("cleaned", over(clean, CACHED, WRITTEN));
	rt_say("cleaned-again", over(clean, CACHED, WRITTEN));
	rt_say("data-kept", over(loads, CACHED, MISS));

	MSR("S3_1_C15_C2_0", PREFETCH_OFF);
	empty();
	rt_say("data-alone", over(loads, CACHED, MISS));
	MSR("S3_1_C15_C2_0", PREFETCH_ON);
	empty();
	rt_say("data-ahead", over(loads, CACHED, MISS));

#ifdef TUNED
	tune(17, 1, 1); /* STRIDE */
	empty();
	rt_say("step-later", over(loads, CACHED, MISS));
	tune(19, 3, 0); /* NPFSTRM */
	empty();
	rt_say("one-stream", over(weave, CACHED, MISS));
	tune(19, 3, 1);
	empty();
	rt_say("two-streams", over(weave, CACHED, MISS));
	tune(13, 7, 1); /* L1PCTL */
	empty();
	rt_say("one-on-its-way", over(loads, CACHED, CYCLES));
	tune(13, 7, 5);
	empty();
	rt_say("five-on-their-way", over(loads, CACHED, CYCLES));
	for (uint64_t k = 0; k < 4; k++) { /* L1RADIS */
		static const char *const name[4] = {"runs-4", "runs-64", "runs-128", "runs-never"};

		MSR("S3_1_C15_C2_0", PREFETCH_OFF | k << 25);
		empty();
		whole_lines(CACHED);
		rt_say(name[k], over(loads, CACHED, MISS));
	}
	MSR("S3_1_C15_C2_0", PREFETCH_OFF);
	empty();
	stores(CACHED);
	rt_say("runs-of-words", over(loads, CACHED, MISS));
	MSR("S3_1_C15_C2_0", PREFETCH_ON);
	(void)over(loads, CACHED, MISS);
#endif

	rt_say("normal-misses", over(loads, NORMAL, MISS));
	rt_say("normal-accesses", over(loads, NORMAL, DATA));
	rt_say("through-accesses", over(loads, THROUGH, DATA));
	rt_say("inside-accesses", over(loads, INSIDE, DATA));
	rt_say("device-accesses", over(loads, DEVICE, DATA));
	rt_say("ordered-accesses", over(loads, ORDERED, DATA));

	__asm__ volatile("tlbi vmalle1\n\tdsb sy\n\tisb" : : : "memory");
	rt_say("pages-first", over(pages, CACHED, DTLB));
	rt_say("pages-again", over(pages, CACHED, DTLB));
	__asm__ volatile("tlbi vae1, %0\n\tdsb sy\n\tisb" : : "r"((uint64_t)CACHED >> 12) : "memory");
	rt_say("pages-one", over(pages, CACHED, DTLB));
	return 0;
}
