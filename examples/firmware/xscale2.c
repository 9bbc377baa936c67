/* SPDX-License-Identifier: MIT */
/**
 * XScale with four event counters (PXA270, IXP42x, 80331): four events in one run, flags and enables of their
 * own.
 *
 * tests/firmware/xscale.sh says what each line must be and why.
 */
#include "rt.h"

#define PMNC_E  (1u << 0)
#define PMNC_P  (1u << 1)
#define PMNC_C  (1u << 2)
#define PMNC_D  (1u << 3)
#define CYCLES  (1u << 0) /* FLAG and INTEN: the cycle counter, then PMN0 to PMN3 */
#define COUNTER (1u << 1)
#define EVENTS  (0x07u | 0x0Au << 8 | 0x0Bu << 16 | 0xFFu << 24) /* instructions, accesses, misses, parked */
#define START   0xFFFFFF00u

#define READ(crn, crm)                                                                      \
	({                                                                                  \
		uint32_t value_;                                                            \
		__asm__ volatile("mrc p14, 0, %0, c" #crn ", c" #crm ", 0" : "=r"(value_)); \
		value_;                                                                     \
	})
#define WRITE(crn, crm, value) \
	__asm__ volatile("mcr p14, 0, %0, c" #crn ", c" #crm ", 0" ::"r"(value) : "memory")
#define PMNC            0, 1
#define CCNT            1, 1
#define INTEN           4, 1
#define FLAG            5, 1
#define EVTSEL          8, 1
#define PMN0            0, 2
#define PMN1            1, 2
#define PMN2            2, 2
#define PMN3            3, 2
#define GET(reg)        READ_(reg)
#define SET(reg, value) WRITE_(reg, value)
#define READ_(...)      READ(__VA_ARGS__)
#define WRITE_(...)     WRITE(__VA_ARGS__)

static volatile uint32_t high[5], entries;

/* Counts `times` iterations of three instructions, each reading the word `step` further on: with RT_LINE a
 * line that is not in the cache yet. */
static void walk(uint32_t control, uint32_t times, uint32_t step)
{
	uint32_t *at = rt_memory;

	__asm__ volatile("mcr p14, 0, %2, c0, c1, 0\n"
			 "1:\tldr r3, [%0], %4\n\t"
			 "subs %1, %1, #1\n\t"
			 "bne 1b\n\t"
			 "mcr p14, 0, %3, c0, c1, 0"
			 : "+r"(at), "+r"(times)
			 : "r"(control | PMNC_E), "r"(control & PMNC_D), "r"(step)
			 : "r3", "cc", "memory");
}

/* Stops the counters, reads the flags, acknowledges those, extends their counters, and continues. */
static void on_overflow(void)
{
	uint32_t control = GET(PMNC), seen;

	SET(PMNC, control & PMNC_D);
	seen = GET(FLAG);
	SET(FLAG, seen);
	entries++;
	for (unsigned i = 0; i < 5; i++)
		high[i] += seen >> i & 1;
	SET(PMNC, control & (PMNC_D | PMNC_E));
}

static void counts(void)
{
	rt_say("id", GET(PMNC) >> 24);
	SET(EVTSEL, EVENTS); /* with E clear: a write while counting is unpredictable */
	walk(PMNC_C | PMNC_P, RT_LINES, RT_LINE);
	rt_say("instructions", GET(PMN0));
	rt_say("data-accesses", GET(PMN1));
	rt_say("data-misses", GET(PMN2));
	rt_say("parked", GET(PMN3));
	rt_say("cycles", GET(CCNT));
	walk(PMNC_C | PMNC_D, RT_LINES, RT_LINE);
	rt_say("cycles/64", GET(CCNT));
}

static void extended(void)
{
	SET(CCNT, START);
	SET(PMN0, START);
	SET(FLAG, 0x1F);
	SET(INTEN, CYCLES | COUNTER);
	rt_irq = on_overflow;
	rt_irq_on();
	walk(0, 1000, 0);
	rt_irq_off();
	rt_say("instructions-64", ((uint64_t)high[1] << 32 | GET(PMN0)) - START);
	rt_say("cycles-64", ((uint64_t)high[0] << 32 | GET(CCNT)) - START);
	rt_say("interrupts", entries);
}

/* Clearing E leaves the request asserted; clearing the interrupt enable deasserts it, and the flag stays. */
static void request(void)
{
	entries = 0;
	SET(PMN0, 0xFFFFFFFF);
	walk(0, 1, 0);
	SET(INTEN, 0);
	rt_irq_on();
	rt_irq_off();
	rt_say("entered-without-enable", entries);
	rt_say("flag", GET(FLAG));
	SET(INTEN, COUNTER);
	rt_irq_on();
	rt_irq_off();
	rt_say("entered-with-enable", entries);
	rt_say("flag-after", GET(FLAG));
}

static void from_user(void)
{
	(void)GET(PMNC);
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
