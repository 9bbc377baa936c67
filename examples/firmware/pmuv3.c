/* SPDX-License-Identifier: MIT */
/**
 * PMUv3 on board `virt`: chained and 64-bit counters, filters with code at EL0, User access, software
 * increments, the interrupt through the GIC, and freezing on overflow if the core has it (PMUv3p7).
 *
 * tests/firmware/pmuv3.sh says what each line must be and why; tests/peer/firmware.sh runs it under QEMU.
 */
#include "rt.h"

#define PMCR_E       (1u << 0)
#define PMCR_P       (1u << 1)
#define PMCR_C       (1u << 2)
#define PMCR_DP      (1u << 5) /* the cycle counter stops with the event counters */
#define PMCR_LC      (1u << 6) /* the cycle counter overflows from 64 bits */
#define PMCR_LP      (1u << 7) /* event counters overflow from 64 bits (PMUv3p5) */
#define PMCR_FZO     (1u << 9) /* an overflow stops all event counters (PMUv3p7) */
#define CYCLES       (1u << 31)
#define SW_INCR      0x00u
#define L1D_REFILL   0x03u
#define INST_RETIRED 0x08u
#define CHAIN        0x1Eu
#define NOT_EL1      (1u << 31) /* PMEVTYPER.P */
#define NOT_EL0      (1u << 30) /* PMEVTYPER.U */
#define PERIOD       1000u

#define GET(reg)                                                  \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " #reg : "=r"(value_)); \
		value_;                                           \
	})
#define SET(reg, value) __asm__ volatile("msr " #reg ", %0\n\tisb" ::"r"((uint64_t)(value)) : "memory")

static volatile uint64_t overflows, others;
uint64_t seen_by_user;

/* Runs four instructions per iteration, each reading the word `step` further on (with RT_LINE a line that is
 * not in the cache yet), and three more: the disabling write counts, the enabling one does not. */
static void walk(uint64_t control, uint64_t times, uint64_t step)
{
	uint32_t *at = rt_memory;

	__asm__ volatile("msr pmcr_el0, %2\n\t"
			 "isb\n"
			 "1:\tldr w3, [%0]\n\t"
			 "add %0, %0, %4\n\t"
			 "subs %1, %1, #1\n\t"
			 "b.ne 1b\n\t"
			 "isb\n\t"
			 "msr pmcr_el0, %3"
			 : "+r"(at), "+r"(times)
			 : "r"(control | PMCR_E), "r"(control & ~(uint64_t)(PMCR_E | PMCR_C | PMCR_P)),
			   "r"(step)
			 : "x3", "cc", "memory");
}

static void counts(void)
{
	rt_say("version", GET(id_aa64dfr0_el1) >> 8 & 15);
	rt_say("counters", GET(pmcr_el0) >> 11 & 31);
	SET(pmevtyper0_el0, INST_RETIRED);
	SET(pmevtyper1_el0, L1D_REFILL);
	SET(pmcntenset_el0, CYCLES | 3);
	walk(PMCR_C | PMCR_P | PMCR_LC, RT_LINES, RT_LINE);
	rt_say("instructions", GET(pmevcntr0_el0));
	rt_say("data-refills", GET(pmevcntr1_el0));
	rt_say("cycles", GET(pmccntr_el0));
}

/* Counters 0 and 1 as one 64-bit counter; the cycle counter passes 32 bits without a flag. */
static void wide(void)
{
	SET(pmovsclr_el0, CYCLES | 0x3F);
	SET(pmevtyper1_el0, CHAIN);
	SET(pmevcntr0_el0, 0xFFFFFF00);
	SET(pmevcntr1_el0, 5);
	SET(pmccntr_el0, 0xFFFFFF00);
	walk(PMCR_LC, 1000, 0);
	rt_say("chained", (GET(pmevcntr1_el0) << 32 | (uint32_t)GET(pmevcntr0_el0)) - 0x5FFFFFF00);
	rt_say("flags", GET(pmovsclr_el0) & 0x8000003F);
	rt_say("cycles-passed-32-bits", GET(pmccntr_el0) >> 32);
	SET(pmccntr_el0, 0xFFFFFFFFFFFFFF00);
	walk(PMCR_LC, 1000, 0);
	rt_say("cycle-flag", GET(pmovsclr_el0) >> 31 & 1);
	SET(pmovsclr_el0, CYCLES | 0x3F);
}

static void on_overflow(void)
{
	uint32_t id = rt_gic_take();
	uint64_t flags = GET(pmovsclr_el0);

	if (id == RT_PMU_INTID && flags & 1) {
		overflows++;
		SET(pmevcntr0_el0, 0x100000000 - PERIOD);
	} else {
		others++;
	}
	SET(pmovsclr_el0, flags);
	if (id < 1020)
		rt_gic_end(id);
}

static void interrupts(void)
{
	rt_gic_on();
	rt_irq = on_overflow;
	SET(pmcntenclr_el0, 2);
	SET(pmevcntr0_el0, 0x100000000 - PERIOD);
	SET(pmintenset_el1, 1);
	rt_irq_on();
	walk(0, 10 * PERIOD, 0);
	rt_irq_off();
	SET(pmintenclr_el1, 1);
	rt_say("interrupts", overflows);
	rt_say("other-interrupts", others);
}

static void software(void)
{
	SET(pmevtyper2_el0, SW_INCR);
	SET(pmevcntr2_el0, 0xFFFFFFFE);
	SET(pmcntenset_el0, 4);
	SET(pmcr_el0, PMCR_E);
	SET(pmswinc_el0, 4);
	SET(pmswinc_el0, 4);
	SET(pmswinc_el0, 4 | 1); /* counter 0 counts another event */
	SET(pmcr_el0, 0);
	rt_say("software", (uint32_t)GET(pmevcntr2_el0)); /* 64 bits from PMUv3p5 on */
	rt_say("software-flag", GET(pmovsclr_el0) >> 2 & 1);
}

/* Runs at EL0: 307 instructions, including the BLR that calls it and the SVC after it; one of them reads the
 * cycle counter. */
#define USER_INSTRUCTIONS 307u
void user_code(void);
__asm__("user_code:\n\t"
	"mov x1, #100\n"
	"1:\tnop\n\t"
	"subs x1, x1, #1\n\t"
	"b.ne 1b\n\t"
	"mrs x1, pmccntr_el0\n\t"
	"ldr x0, =seen_by_user\n\t"
	"str x1, [x0]\n\t"
	"ret\n\t"
	".ltorg");

static void filters(void)
{
	SET(pmevtyper1_el0, INST_RETIRED | NOT_EL1);
	SET(pmevtyper2_el0, INST_RETIRED | NOT_EL0);
	SET(pmcntenset_el0, 7);
	rt_user(user_code);
	rt_say("el0-trapped", rt_undefined);
	SET(pmuserenr_el0, 1u << 2); /* CR: EL0 may read the cycle counter */
	SET(pmcr_el0, PMCR_P | PMCR_C | PMCR_E);
	rt_user(user_code);
	SET(pmcr_el0, 0);
	SET(pmuserenr_el0, 0);
	rt_say("el0-trapped-cr", rt_undefined);
	rt_say("el0-saw", seen_by_user != 0);
	rt_say("el0-instructions", GET(pmevcntr1_el0));
	rt_say("el0-instructions-wanted", USER_INSTRUCTIONS);
	rt_say("el1-and-el0", GET(pmevcntr1_el0) + GET(pmevcntr2_el0) == GET(pmevcntr0_el0));
}

/* PMUv3p5: a 64-bit counter without a chain. PMUv3p7: an overflow stops all event counters. */
static void later_features(void)
{
	uint64_t version = GET(id_aa64dfr0_el1) >> 8 & 15;

	if (version < 6 || version == 15)
		return;
	SET(pmovsclr_el0, CYCLES | 0x3F);
	SET(pmevcntr0_el0, 0xFFFFFF00);
	walk(PMCR_LP, 1000, 0);
	rt_say("long", GET(pmevcntr0_el0) - 0xFFFFFF00);
	rt_say("long-flag", GET(pmovsclr_el0) & 1);
	if (version < 7)
		return;
	SET(pmcr_el0, PMCR_P | PMCR_C);
	SET(pmevcntr0_el0, 0xFFFFFF00);
	walk(PMCR_FZO | PMCR_DP | PMCR_LC, 1000, 0);
	rt_say("frozen-counter", GET(pmevcntr0_el0) & 0xFFFFFFFF);
	rt_say("frozen-flag", GET(pmovsclr_el0) & 1);
	rt_say("frozen-cycles", GET(pmccntr_el0));
}

int main(void)
{
	counts();
	wide();
	interrupts();
	software();
	filters();
	later_features();
	return 0;
}
