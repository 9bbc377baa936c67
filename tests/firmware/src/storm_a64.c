/* SPDX-License-Identifier: MIT */
/* AArch64: 4 KiB granule, 39 bits of address; EL0 on mapped pages; see storm.h. */
#include "storm.h"

#define GET(reg)                                                  \
	({                                                        \
		uint64_t value_;                                  \
		__asm__ volatile("mrs %0, " #reg : "=r"(value_)); \
		value_;                                           \
	})
#define SET(reg, value) __asm__ volatile("msr " #reg ", %0\n\tisb" ::"r"((uint64_t)(value)) : "memory")

#define VALID     3ull /* a table, or a page at the last level */
#define BLOCK     1ull
#define ACCESSED  (1ull << 10)
#define INNER     (3ull << 8)
#define EL0_TOO   (1ull << 6)
#define READ_ONLY (1ull << 7)
#define NO_EL1_X  (1ull << 53)
#define NO_EL0_X  (1ull << 54)
#define WORDS     512

typedef uint64_t table[WORDS] __attribute__((aligned(4096)));
static table level1, level2, level3_code, level3_data;
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
	level1[0] = BLOCK | ACCESSED | INNER; /* 0 to 1 GiB, EL1 only: where this program is */
	level1[1] = 0x40000000 | BLOCK | ACCESSED | INNER;
	level1[USER_CODE >> 30] = (uintptr_t)level2 | VALID;
	level2[USER_CODE >> 21 & 511] = (uintptr_t)level3_code | VALID;
	level2[USER_DATA >> 21 & 511] = (uintptr_t)level3_data | VALID;
	level3_code[USER_CODE >> 12 & 511] =
		(uintptr_t)code | VALID | ACCESSED | INNER | EL0_TOO | READ_ONLY | NO_EL1_X;
	level3_data[USER_DATA >> 12 & 511] =
		(uintptr_t)data | VALID | ACCESSED | INNER | EL0_TOO | NO_EL1_X | NO_EL0_X;
	SET(mair_el1, 0xFF);
	SET(tcr_el1, 25 | 1u << 23 | 1u << 8 | 1u << 10 | 3u << 12); /* 39 bits below, nothing above */
	SET(ttbr0_el1, level1);
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
