/* SPDX-License-Identifier: MIT */
/*
 * What tightly coupled memories do to what is counted (ARM11, Cortex-R), and the regions of a memory
 * protection unit (-DWORLD_PMSA). Memory, as far as a region or the flat table says so: MiB 1 is Normal
 * non-cacheable, 2 Device, 3 Strongly Ordered, 6 shareable; of MiB 7 all but the first eighth is
 * non-cacheable, of MiB 8 the 256 bytes from 256 on. A TCM is put at MiB 5 for data, at MiB 9 for
 * instructions.
 */
#include "world_a32.h"

#define CODE_BYTES 2304u /* of code(), and what leads in and out */

/* code(), elsewhere. */
static void copied(uintptr_t at)
{
	((void (*)(uintptr_t))at)(0);
}

static void copy(uintptr_t to)
{
	uint32_t *d = (uint32_t *)to;
	const uint32_t *s = (const uint32_t *)(uintptr_t)code;

	for (uint32_t k = 0; k < CODE_BYTES / 4; k++)
		d[k] = s[k];
	MCR(0, 0, c7, c10, 4);
}

#ifdef WORLD_PMSA
enum { NORMAL = 0xB, UNCACHED = 0x8, DEVICE = 0x1, ORDERED = 0x0, SHARED = 0xF }; /* TEX, S, C, B */
enum { BYTES_256 = 7, MIB_1 = 19, ALL_4G = 31 };

static void region(uint32_t n, uintptr_t base, uint32_t size, uint32_t type)
{
	MCR(n, 0, c6, c2, 0);
	MCR(base, 0, c6, c1, 0);
	MCR(type | 0x300, 0, c6, c1, 4);
	MCR(size << 1 | 1, 0, c6, c1, 2);
}

static void map(void)
{
	region(0, 0, ALL_4G, NORMAL);
	region(1, MIB(1), MIB_1, UNCACHED);
	region(2, MIB(2), MIB_1, DEVICE);
	region(3, MIB(3), MIB_1, ORDERED);
	region(4, MIB(6), MIB_1, SHARED);
	region(5, MIB(7), MIB_1 | 0x80, UNCACHED); /* without its first eighth */
	region(6, MIB(8) + 256, BYTES_256, UNCACHED);
	MCR(7, 0, c6, c2, 0);
}

static void regions(void)
{
	uint32_t chosen;

	rt_say("reset-accesses", over(loads, MIB(4), DATA));
	MCR(0, 0, c7, c5, 0);
	control(I | C, 0);
	rt_say("default-first", over(loads, MIB(4), MISS));
	rt_say("default-again", over(loads, MIB(4), MISS));
	rt_say("default-1-accesses", over(loads, MIB(1), DATA));
	rt_say("default-6-accesses", over(loads, MIB(6), DATA));
	map();
	control(M, 0);
	MRC(chosen, 0, c6, c2, 0);
	rt_say("region-chosen", chosen);
	rt_say("normal-again", over(loads, MIB(4), MISS));
	rt_say("normal-accesses", over(loads, MIB(4), DATA));
	rt_say("uncached-accesses", over(loads, MIB(1), DATA));
	rt_say("device-accesses", over(loads, MIB(2), DATA));
	rt_say("ordered-accesses", over(loads, MIB(3), DATA));
	rt_say("shared-accesses", over(loads, MIB(6), DATA));
	rt_say("subregion-accesses", over(loads, MIB(7), DATA));
	rt_say("others-accesses", over(loads, MIB(7) + (128 << 10), DATA));
	rt_say("small-accesses", over(loads, MIB(8), DATA));
	copy(MIB(1));
	copy(MIB(4));
	rt_say("code-first", over(copied, MIB(4), CODE_MISS));
	rt_say("code-uncached", over(copied, MIB(1), CODE_MISS));
	MCR(1, 0, c6, c2, 0);
	MCR(MIB_1 << 1, 0, c6, c1, 2); /* off: region 0 has it */
	rt_say("code-cached", over(copied, MIB(1), CODE_MISS));
	rt_say("region-off", over(loads, MIB(1), DATA));
}
#else
static uint32_t table[4096] __attribute__((aligned(16384)));

static void regions(void)
{
	for (uint32_t k = 0; k < 10; k++)
		table[k] = k << 20 | 0xC0E;
	MCR((uint32_t)(uintptr_t)table, 0, c2, c0, 0);
	MCR(1, 0, c3, c0, 0);
	MCR(0, 0, c2, c0, 2);
	MCR(0, 0, c7, c5, 0);
}
#endif

static uint32_t on(uintptr_t at)
{
	return (uint32_t)at | 1;
}

int main(void)
{
	uint32_t v;

#ifdef WORLD_ARM11
	/* The MMU off: data are Strongly Ordered, but for what a TCM has. */
	rt_say("before-cacheable", over(loads, MIB(5), CACHEABLE));
	MCR(on(MIB(5)), 0, c9, c1, 0);
	rt_say("early-cacheable", over(loads, MIB(5), CACHEABLE));
	rt_say("early-drained", over(loads, MIB(5), DRAINED));
	MCR(0, 0, c9, c1, 0);
#endif
	regions();
	control(M | I | C | XP, 0);

	MRC(v, 0, c0, c0, 2);
	rt_say("tcms", v);
	MCR(on(MIB(5)) + 0x1000, 0, c9, c1, 0);
	MRC(v, 0, c9, c1, 0);
	rt_say("region-register", v);
	rt_say("tcm-first", over(loads, MIB(5), MISS));
	rt_say("tcm-accesses", over(loads, MIB(5), DATA));
	rt_say("behind-first", over(loads, MIB(5) + (16 << 10), MISS));
	rt_say("behind-accesses", over(loads, MIB(5) + (16 << 10), DATA));
	MCR(0, 0, c9, c1, 0);
	rt_say("off-first", over(loads, MIB(5), MISS));
	rt_say("off-accesses", over(loads, MIB(5), DATA));

	copy(MIB(9));
	rt_say("code-before", over(copied, MIB(9), CODE_MISS));
	MCR(0, 0, c7, c5, 0);
	MCR(on(MIB(9)), 0, c9, c1, 1);
	rt_say("code-in-tcm", over(copied, MIB(9), CODE_MISS));
	rt_say("code-tcm-loads", over(loads, MIB(9), MISS));
	MCR(0, 0, c9, c1, 1);
	rt_say("code-behind", over(copied, MIB(9), CODE_MISS));
	MCR(0, 0, c7, c5, 0);
	MCR(on(MIB(9)), 0, c9, c1, 0);
	rt_say("code-in-data-tcm", over(copied, MIB(9), CODE_MISS));
	return 0;
}
