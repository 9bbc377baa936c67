/* SPDX-License-Identifier: MIT */
/**
 * A hypervisor on Cortex-A7, A15, A17, board `virt`: the guest gets two counters, the others count the guest
 * for the host; a trapped access is emulated; the host's counter interrupts the guest even while the guest
 * masks interrupts.
 *
 * tests/firmware/hyp.sh says what each line must be and why; tests/peer/firmware.sh runs it under QEMU.
 */
#include "rt.h"

#define PMCR_E       (1u << 0)
#define PMCR_P       (1u << 1)
#define HPME         (1u << 7) /* HDCR: the host's counters run */
#define TPM          (1u << 6) /* PMU accesses trap */
#define SHARE        2u        /* HDCR.HPMN: number of the guest's counters */
#define IMO          (1u << 4) /* HCR: interrupts go to the host */
#define INST_RETIRED 0x08u
#define HYP_ALONE    0xC8000000u /* PMXEVTYPER: P, U, NSH */
#define PERIOD       1000u
#define TURNS        1000u
#define CLASS_CP15   0x03u
#define CLASS_HVC    0x12u
#define EMULATED     4711u

#define READ(op1, crn, crm, op2)                                                    \
	({                                                                          \
		uint32_t value_;                                                    \
		__asm__ volatile("mrc p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 \
				 : "=r"(value_)::"memory");                         \
		value_;                                                             \
	})
#define WRITE(op1, crn, crm, op2, value)                                                           \
	__asm__ volatile("mcr p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 "\n\tisb" ::"r"(value) \
			 : "memor"                                                                 \
			   "y")
#define HCR             4, c1, c1, 0
#define HDCR            4, c1, c1, 1
#define HSR             4, c5, c2, 0
#define PMCR            0, c9, c12, 0
#define PMCNTENSET      0, c9, c12, 1
#define PMOVSR          0, c9, c12, 3
#define PMSELR          0, c9, c12, 5
#define PMCCNTR         0, c9, c13, 0
#define PMXEVTYPER      0, c9, c13, 1
#define PMXEVCNTR       0, c9, c13, 2
#define PMINTENSET      0, c9, c14, 1
#define GET(reg)        READ_(reg)
#define SET(reg, value) WRITE_(reg, value)
#define READ_(...)      READ(__VA_ARGS__)
#define WRITE_(...)     WRITE(__VA_ARGS__)

void hyp_run(void (*guest)(void));

static volatile uint32_t traps, last_trap, interrupts;
static struct {
	uint32_t counters, enabled, instructions, read;
} volatile guest;

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

/* Runs three instructions per iteration, and three more: the ISB after the enabling write, the second ISB and
 * the disabling write. */
static void turns(void)
{
	uint32_t times = TURNS;

	__asm__ volatile("mcr p15, 0, %1, c9, c12, 0\n\t"
			 "isb\n"
			 "1:\tnop\n\t"
			 "subs %0, %0, #1\n\t"
			 "bne 1b\n\t"
			 "isb\n\t"
			 "mcr p15, 0, %2, c9, c12, 0"
			 : "+r"(times)
			 : "r"(PMCR_E | PMCR_P), "r"(0)
			 : "cc", "memory");
}

/* The guests. They know nothing of the host, except that HVC ends them. */
#define END() __asm__ volatile("hvc #0" ::: "memory")

static void counting_guest(void)
{
	guest.counters = GET(PMCR) >> 11 & 31;
	program(0, INST_RETIRED, 0);
	SET(PMCNTENSET, 0xF);
	guest.enabled = GET(PMCNTENSET);
	turns();
	guest.instructions = counter(0);
	END();
}

static void reading_guest(void)
{
	guest.read = GET(PMCCNTR);
	END();
}

static void busy_guest(void)
{
	for (unsigned i = 0; i < 10; i++)
		turns();
	END();
}

/* Called from the vector; `r` are the guest's registers. A coprocessor read gets the host's value; HVC ends
 * the guest. */
uint32_t hyp_trap(uint32_t *r)
{
	uint32_t hsr = GET(HSR), back;

	if (hsr >> 26 == CLASS_HVC)
		return 0;
	traps++;
	last_trap = hsr;
	if (hsr >> 26 == CLASS_CP15 && hsr & 1)
		r[hsr >> 5 & 15] = EMULATED;
	__asm__ volatile("mrs %0, ELR_hyp" : "=r"(back));
	__asm__ volatile("msr ELR_hyp, %0" ::"r"(back + 4));
	return 1;
}

static void on_overflow(void)
{
	uint32_t id = rt_gic_take(), flags = GET(PMOVSR);

	if (id == RT_PMU_INTID && flags & 1u << SHARE) {
		interrupts++;
		SET(PMSELR, SHARE);
		SET(PMXEVCNTR, -PERIOD);
	}
	SET(PMOVSR, flags);
	if (id < 1020)
		rt_gic_end(id);
}

int main(void)
{
	rt_say("counters", GET(PMCR) >> 11 & 31);
	SET(HDCR, HPME | SHARE);
	program(SHARE, INST_RETIRED, 0);                 /* the guest's PL1 only */
	program(SHARE + 1, INST_RETIRED | HYP_ALONE, 0); /* the host */
	SET(PMCNTENSET, 3u << SHARE);
	hyp_run(counting_guest);
	SET(HDCR, SHARE);
	rt_say("guest-counters", guest.counters);
	rt_say("guest-enabled", guest.enabled);
	rt_say("guest-instructions", guest.instructions);
	rt_say("guest-for-the-host",
	       counter(SHARE) > guest.instructions && counter(SHARE) < guest.instructions + 100);
	rt_say("host-counted", counter(SHARE + 1) > 0 && counter(SHARE + 1) < 100);

	SET(HDCR, TPM | SHARE);
	hyp_run(reading_guest);
	SET(HDCR, SHARE);
	rt_say("traps", traps);
	rt_say("trapped-class", last_trap >> 26);
	rt_say("trapped-register", (last_trap >> 10 & 15) * 100 + (last_trap >> 1 & 15));
	rt_say("guest-read", guest.read);

	rt_gic_on();
	rt_irq = on_overflow;
	SET(HCR, IMO);
	program(SHARE, INST_RETIRED, -PERIOD);
	SET(PMOVSR, 1u << SHARE);
	SET(PMINTENSET, 1u << SHARE);
	SET(HDCR, HPME | SHARE);
	hyp_run(busy_guest);
	SET(HDCR, SHARE);
	rt_say("interrupts", interrupts);
	return 0;
}
