/* SPDX-License-Identifier: MIT */
/* AArch64: 4 KiB granule, 39 bits of address; EL0 on mapped pages; see storm.h. */
#include "storm_long.h"

#define GET(reg)                                                  \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " #reg : "=r"(value_)); \
		value_;                                           \
	})
#define SET(reg, value) __asm__ volatile("msr " #reg ", %0\n\tisb" ::"r"((uint64_t)(value)) : "memory")

static uint8_t code[4096] __attribute__((aligned(4096))), data[4096] __attribute__((aligned(4096)));
volatile uint32_t storm_interrupts;

__asm__(".global storm_user, storm_user_end\n"
	"storm_user:\n\t"
	"ldr w1, [x0]\n\t"
	"ldr w2, [x0, #4]\n\t"
	"add w2, w2, #1\n\t"
	"str w2, [x0, #4]\n\t"
	"cbz w1, storm_user\n\t"
	"svc #0\n"
	"storm_user_end:\n");

static void map(void)
{
	SET(mair_el1, 0xFF);
	SET(tcr_el1, 25 | 1u << 23 | 1u << 8 | 1u << 10 | 3u << 12); /* 39 bits below, nothing above */
	SET(ttbr0_el1, storm_map_long(code, data));
	__asm__ volatile("tlbi vmalle1\n\tdsb sy\n\tisb");
	SET(sctlr_el1, GET(sctlr_el1) | 1);
}

static void on_overflow(void)
{
	uint32_t id = STORM_TAKE();

	SET(pmovsclr_el0, 1);
	__asm__ volatile("mrs x9, pmevcntr0_el0\n\t"
			 "sub x9, x9, %0\n\t"
			 "msr pmevcntr0_el0, x9" ::"i"(PERIOD)
			 : "x9");
	if (++storm_interrupts == INTERRUPTS)
		*(volatile uint32_t *)data = 1;
	STORM_END(id);
}

int main(void)
{
	for (unsigned i = 0; storm_user + i < storm_user_end; i++)
		code[i] = storm_user[i];
	map();
	rt_say("mmu", GET(sctlr_el1) & 1);
	rt_irq = on_overflow;
	STORM_ON();
	SET(pmevtyper0_el0, 0x08);
	SET(pmevtyper1_el0, 0x08);
	SET(pmevcntr0_el0, 0x100000000 - PERIOD);
	SET(pmcntenset_el0, 3);
	SET(pmintenset_el1, 1);
	rt_irq_on();
	SET(pmcr_el0, 1);
	rt_enter(USER_CODE, USER_DATA);
	SET(pmcr_el0, 0);
	rt_irq_off();
	storm_report(storm_interrupts, (uint32_t)GET(pmevcntr1_el0), (uint32_t)GET(pmevcntr0_el0));
	rt_say("user-turns", ((volatile uint32_t *)data)[1] > 1000);
	return 0;
}
