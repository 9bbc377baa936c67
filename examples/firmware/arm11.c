/* SPDX-License-Identifier: MIT */
/**
 * ARM1136, ARM1156, ARM1176: three counters with one enable, and an interrupt request that falls only while E
 * is set.
 *
 * Build and run: `make` in this folder, `apmu run arm11.elf -c arm1176`. tests/firmware/arm11.sh says what
 * each line must be and why.
 */
#include "rt.h"

#define PMNC_E     (1u << 0)
#define PMNC_P     (1u << 1) /* writing 1: both event counters become 0 */
#define PMNC_C     (1u << 2) /* the cycle counter becomes 0 */
#define PMNC_D     (1u << 3) /* the cycle counter counts every 64th cycle */
#define PMNC_EC0   (1u << 4) /* interrupt on overflow of PMN0 */
#define PMNC_CR0   (1u << 8) /* flag of PMN0; writing 1 clears */
#define PMNC_FLAGS (7u << 8)
#define EVENTS     (0x07u << 20 | 0x0Bu << 12) /* PMN0: instructions, PMN1: data cache misses */
#define PERIOD     1000u

#define READ(op2)                                                                   \
	({                                                                          \
		uint32_t value_;                                                    \
		__asm__ volatile("mrc p15, 0, %0, c15, c12, " #op2 : "=r"(value_)); \
		value_;                                                             \
	})
#define WRITE(op2, value) __asm__ volatile("mcr p15, 0, %0, c15, c12, " #op2 ::"r"(value) : "memory")

static volatile uint32_t overflows, second_entries;
static volatile uint32_t acknowledge_with;

/* Counts `times` iterations of three instructions, each reading the word `step` further on: with RT_LINE a
 * line that is not in the cache yet. The three instructions after the enabling write execute in the three
 * cycles in which nothing is counted yet. */
static void walk(uint32_t control, uint32_t times, uint32_t step)
{
	uint32_t *at = rt_memory;

	__asm__ volatile("mcr p15, 0, %2, c15, c12, 0\n\t"
			 "nop\n\tnop\n\tnop\n"
			 "1:\tldr r3, [%0], %4\n\t"
			 "subs %1, %1, #1\n\t"
			 "bne 1b\n\t"
			 "mcr p15, 0, %3, c15, c12, 0"
			 : "+r"(at), "+r"(times)
			 : "r"(control | PMNC_E), "r"(control & ~(PMNC_E | PMNC_C | PMNC_P)), "r"(step)
			 : "r3", "cc", "memory");
}

static void counts(void)
{
	walk(EVENTS | PMNC_C | PMNC_P, RT_LINES, RT_LINE);
	rt_say("instructions", READ(2));
	rt_say("data-misses", READ(3));
	rt_say("cycles", READ(1));
	walk(EVENTS | PMNC_C | PMNC_P | PMNC_D, RT_LINES, RT_LINE);
	rt_say("cycles/64", READ(1));
}

/* The request is a latch: acknowledging with E clear clears the flag and leaves the request asserted. */
static void on_overflow(void)
{
	uint32_t control = READ(0) & ~PMNC_FLAGS;

	if (!(READ(0) & PMNC_CR0)) {
		second_entries++;
		WRITE(0, control | PMNC_E);
		return;
	}
	overflows++;
	WRITE(2, -PERIOD);
	WRITE(0, (control & ~PMNC_E) | PMNC_CR0 | acknowledge_with);
}

static void interrupts(uint32_t acknowledge, const char *taken, const char *again)
{
	acknowledge_with = acknowledge;
	overflows = second_entries = 0;
	rt_irq = on_overflow;
	WRITE(2, -PERIOD);
	rt_irq_on();
	walk(EVENTS | PMNC_EC0, 10 * PERIOD, 0);
	rt_irq_off();
	WRITE(0, EVENTS | PMNC_FLAGS | PMNC_E);
	WRITE(0, EVENTS);
	rt_say(taken, overflows);
	rt_say(again, second_entries);
}

/* Writing back a value that was read clears flags that were not handled: mask the flag bits. */
static void careless(void)
{
	WRITE(2, 0xFFFFFFFF);
	walk(EVENTS, 1, 0);
	rt_say("flag", READ(0) >> 8 & 1);
	WRITE(0, READ(0) & ~PMNC_FLAGS);
	rt_say("flag-masked", READ(0) >> 8 & 1);
	WRITE(0, READ(0));
	rt_say("flag-careless", READ(0) >> 8 & 1);
}

static void from_user(void)
{
	(void)READ(0);
}

int main(void)
{
	counts();
	interrupts(PMNC_E, "interrupts", "entered-again");
	interrupts(0, "interrupts-e-clear", "entered-again-e-clear");
	careless();
	rt_user(from_user);
	rt_say("user-undefined", rt_undefined);
	return 0;
}
