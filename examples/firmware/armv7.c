/* SPDX-License-Identifier: MIT */
/**
 * Cortex-A7, A8, A9, A15 on board `virt`: the selected counter, the divider, software increments, the filter,
 * User access, and the interrupt through the GIC.
 *
 * tests/firmware/armv7.sh says what each line must be and why; tests/peer/firmware.sh runs it under QEMU.
 */
#include "rt.h"

#define PMCR_E       (1u << 0)
#define PMCR_P       (1u << 1)
#define PMCR_C       (1u << 2)
#define PMCR_D       (1u << 3)
#define CYCLES       (1u << 31) /* in every set, clear and flag register */
#define SW_INCR      0x00u
#define L1D_REFILL   0x03u
#define INST_RETIRED 0x08u
#define NOT_PL1      (1u << 31) /* PMXEVTYPER.P */
#define NOT_PL0      (1u << 30) /* PMXEVTYPER.U */
#define PERIOD       1000u

#define READ(crm, op2)                                                                   \
	({                                                                               \
		uint32_t value_;                                                         \
		__asm__ volatile("mrc p15, 0, %0, c9, c" #crm ", " #op2 : "=r"(value_)); \
		value_;                                                                  \
	})
#define WRITE(crm, op2, value) \
	__asm__ volatile("mcr p15, 0, %0, c9, c" #crm ", " #op2 "\n\tisb" ::"r"(value) : "memory")
#define PMCR            12, 0
#define PMCNTENSET      12, 1
#define PMCNTENCLR      12, 2
#define PMOVSR          12, 3
#define PMSWINC         12, 4
#define PMSELR          12, 5
#define PMCCNTR         13, 0
#define PMXEVTYPER      13, 1
#define PMXEVCNTR       13, 2
#define PMUSERENR       14, 0
#define PMINTENSET      14, 1
#define PMINTENCLR      14, 2
#define GET(reg)        READ_(reg)
#define SET(reg, value) WRITE_(reg, value)
#define READ_(...)      READ(__VA_ARGS__)
#define WRITE_(...)     WRITE(__VA_ARGS__)

static volatile uint32_t overflows, others;
uint32_t seen_by_user;

static void program(uint32_t n, uint32_t type, uint32_t value)
{
	SET(PMSELR, n);
	SET(PMXEVTYPER, type);
	SET(PMXEVCNTR, value);
}

static uint32_t counter(uint32_t n)
{
	SET(PMSELR, n);
	return GET(PMXEVCNTR);
}

/* Counts `times` iterations of three instructions, each reading the word `step` further on (with RT_LINE a
 * line that is not in the cache yet), and three more outside the loop: the disabling write counts, the
 * enabling one does not. */
static void walk(uint32_t control, uint32_t times, uint32_t step)
{
	uint32_t *at = rt_memory;

	__asm__ volatile("mcr p15, 0, %2, c9, c12, 0\n\t"
			 "isb\n"
			 "1:\tldr r3, [%0], %4\n\t"
			 "subs %1, %1, #1\n\t"
			 "bne 1b\n\t"
			 "isb\n\t"
			 "mcr p15, 0, %3, c9, c12, 0"
			 : "+r"(at), "+r"(times)
			 : "r"(control | PMCR_E), "r"(control & PMCR_D), "r"(step)
			 : "r3", "cc", "memory");
}

static void counts(void)
{
	rt_say("counters", GET(PMCR) >> 11 & 31);
	program(0, INST_RETIRED, 0);
	program(1, L1D_REFILL, 0);
	SET(PMCNTENSET, CYCLES | 3);
	walk(PMCR_C | PMCR_P, RT_LINES, RT_LINE);
	rt_say("instructions", counter(0));
	rt_say("data-refills", counter(1));
	rt_say("cycles", GET(PMCCNTR));
	walk(PMCR_C | PMCR_D, RT_LINES, RT_LINE);
	rt_say("cycles/64", GET(PMCCNTR));
}

static void on_overflow(void)
{
	uint32_t id = rt_gic_take(), flags = GET(PMOVSR);

	if (id == RT_PMU_INTID && flags & 1) {
		overflows++;
		SET(PMSELR, 0);
		SET(PMXEVCNTR, -PERIOD);
	} else {
		others++;
	}
	SET(PMOVSR, flags);
	if (id < 1020)
		rt_gic_end(id);
}

static void interrupts(void)
{
	rt_gic_on();
	rt_irq = on_overflow;
	SET(PMOVSR, CYCLES | 0x3F);
	program(0, INST_RETIRED, -PERIOD);
	SET(PMINTENSET, 1);
	rt_irq_on();
	walk(0, 10 * PERIOD, 0);
	rt_irq_off();
	SET(PMINTENCLR, 1);
	rt_say("interrupts", overflows);
	rt_say("other-interrupts", others);
}

static void software(void)
{
	program(2, SW_INCR, 0xFFFFFFFE);
	SET(PMCNTENSET, 4);
	SET(PMCR, PMCR_E);
	SET(PMSWINC, 4);
	SET(PMSWINC, 4);
	SET(PMSWINC, 4 | 1); /* counter 0 counts another event */
	SET(PMCR, 0);
	rt_say("software", counter(2));
	rt_say("software-flag", GET(PMOVSR) >> 2 & 1);
}

/* Runs in User mode: 309 instructions, including the BLX that calls it and the SVC after it; one of them
 * reads the cycle counter. */
#define USER_INSTRUCTIONS 309u
void user_code(void);
__asm__("user_code:\n\t"
	"mov r1, #100\n"
	"1:\tnop\n\t"
	"subs r1, r1, #1\n\t"
	"bne 1b\n\t"
	"mrc p15, 0, r1, c9, c13, 0\n\t"
	"ldr r0, =seen_by_user\n\t"
	"cmp r1, #0\n\t"
	"movne r1, #1\n\t"
	"str r1, [r0]\n\t"
	"bx lr\n\t"
	".ltorg");

static void filters(void)
{
	program(1, INST_RETIRED | NOT_PL1, 0);
	program(2, INST_RETIRED | NOT_PL0, 0);
	program(3, INST_RETIRED, 0);
	SET(PMCNTENSET, 0xE);
	rt_user(user_code);
	rt_say("user-undefined", rt_undefined);
	SET(PMUSERENR, 1);
	SET(PMCR, PMCR_E | PMCR_C);
	rt_user(user_code);
	SET(PMCR, 0);
	SET(PMUSERENR, 0);
	rt_say("user-undefined-en", rt_undefined);
	rt_say("user-saw", seen_by_user);
	rt_say("user-instructions", counter(1));
	rt_say("user-instructions-wanted", USER_INSTRUCTIONS);
	rt_say("pl1-and-user", counter(1) + counter(2) == counter(3));
}

int main(void)
{
	counts();
	interrupts();
	software();
	filters();
	return 0;
}
