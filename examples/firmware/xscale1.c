/* SPDX-License-Identifier: MIT */
/**
 * XScale with two event counters (80200, PXA250, 80321): extension to 64 bits by the overflow handler.
 *
 * tests/firmware/xscale.sh says what each line must be and why.
 */
#include "rt.h"

#define PMNC_E     (1u << 0)
#define PMNC_P     (1u << 1)
#define PMNC_C     (1u << 2)
#define PMNC_D     (1u << 3)
#define PMNC_FLAGS (7u << 8)                       /* C, PMN1, PMN0; their enables are at 6:4 */
#define EVENTS     (0x0Bu << 20 | 0x07u << 12)     /* PMN1: data cache misses, PMN0: instructions */
#define LOST       (1u << 31 | 1u << 11 | 1u << 7) /* reserved: read unpredictable, written 0 */

#define READ(crn)                                                                    \
	({                                                                           \
		uint32_t value_;                                                     \
		__asm__ volatile("mrc p14, 0, %0, c" #crn ", c0, 0" : "=r"(value_)); \
		value_;                                                              \
	})
#define WRITE(crn, value) __asm__ volatile("mcr p14, 0, %0, c" #crn ", c0, 0" ::"r"(value) : "memory")

static volatile uint32_t high[3]; /* bits 63:32 of PMN0, PMN1, CCNT, in the order of the flags */
static volatile uint32_t entries;

/* Counts `times` iterations of three instructions, each reading the word `step` further on: with RT_LINE a
 * line that is not in the cache yet. */
static void walk(uint32_t control, uint32_t times, uint32_t step)
{
	uint32_t *at = rt_memory;

	__asm__ volatile("mcr p14, 0, %2, c0, c0, 0\n"
			 "1:\tldr r3, [%0], %4\n\t"
			 "subs %1, %1, #1\n\t"
			 "bne 1b\n\t"
			 "mcr p14, 0, %3, c0, c0, 0"
			 : "+r"(at), "+r"(times)
			 : "r"(control | PMNC_E), "r"(control & ~(PMNC_E | PMNC_C | PMNC_P)), "r"(step)
			 : "r3", "cc", "memory");
}

/* One write acknowledges exactly the flags that were read, and stops the counters while they are extended. */
static void on_overflow(void)
{
	uint32_t seen = READ(0) & ~LOST;

	entries++;
	WRITE(0, seen & ~PMNC_E);
	for (unsigned i = 0; i < 3; i++)
		high[i] += seen >> (8 + i) & 1;
	WRITE(0, (seen & ~PMNC_FLAGS) | PMNC_E);
}

static void counts(void)
{
	walk(EVENTS | PMNC_C | PMNC_P, RT_LINES, RT_LINE);
	rt_say("instructions", READ(2));
	rt_say("data-misses", READ(3));
	rt_say("cycles", READ(1));
	walk(EVENTS | PMNC_C | PMNC_D, RT_LINES, RT_LINE);
	rt_say("cycles/64", READ(1));
}

/* PMN0 and CCNT start shortly before they wrap and are extended; what they gained is printed. */
static void extended(void)
{
	const uint64_t start = 0xFFFFFF00;

	high[0] = high[1] = high[2] = 0;
	WRITE(1, (uint32_t)start);
	WRITE(2, (uint32_t)start);
	rt_irq = on_overflow;
	rt_irq_on();
	walk(EVENTS | 5u << 4, 1000, 0);
	rt_irq_off();
	rt_say("instructions-64", ((uint64_t)high[0] << 32 | READ(2)) - start);
	rt_say("cycles-64", ((uint64_t)high[2] << 32 | READ(1)) - start);
	rt_say("overflows", high[0] + high[1] + high[2]);
	rt_say("interrupts", entries);
}

/* Unlike on ARM11, clearing the flag deasserts the request whatever E is. */
static void request(void)
{
	entries = 0;
	WRITE(2, 0xFFFFFFFF);
	walk(EVENTS | 1u << 4, 1, 0);
	rt_say("flag", READ(0) >> 8 & 1);
	WRITE(0, EVENTS | PMNC_FLAGS);
	rt_irq_on();
	rt_irq_off();
	rt_say("entered-again-e-clear", entries);
}

static void from_user(void)
{
	(void)READ(0);
}

int main(void)
{
	counts();
	extended();
	request();
	rt_user(from_user);
	rt_say("user-undefined", rt_undefined);
	return 0;
}
