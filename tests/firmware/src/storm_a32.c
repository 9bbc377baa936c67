/* SPDX-License-Identifier: MIT */
/**
 * AArch32: short descriptors, 1 MiB sections for the program, 4 KiB pages for User mode; with STORM_LPAE the
 * long ones of storm_long.h. See storm.h.
 *
 * STORM_ARM11, STORM_XSCALE1 or STORM_ARMV7 says whose PMU; XScale has the older page format.
 */
#include "storm_long.h"

#define SECTION    2u
#define COARSE     1u
#define PAGE       2u
#define CACHED     (3u << 2)
#define PRIVILEGED (1u << 10) /* of a section: User mode may not */
#ifdef STORM_XSCALE1
#define USER_RW 0xFF0u /* four times two bits, one a quarter of the page */
#define USER_RO 0xAA0u
#define FORMAT  0u
#else
#define USER_RW (3u << 4)
#define USER_RO (2u << 4)
#define FORMAT  (1u << 23) /* SCTLR.XP: Armv6 pages; already 1 on Armv7 */
#endif

static uint8_t code[4096] __attribute__((aligned(4096))), data[4096] __attribute__((aligned(4096)));
volatile uint32_t storm_interrupts;

__asm__(".global storm_user, storm_user_end\n"
	"storm_user:\n\t"
	"ldr r1, [r0]\n\t"
	"ldr r2, [r0, #4]\n\t"
	"add r2, r2, #1\n\t"
	"str r2, [r0, #4]\n\t"
	"cmp r1, #0\n\t"
	"beq storm_user\n\t"
	"svc #0\n"
	"storm_user_end:\n");

#ifdef STORM_LPAE
static void tables(void)
{
	__asm__ volatile("mcr p15, 0, %0, c10, c2, 0" ::"r"(0xFF)); /* MAIR0: attribute 0 is cached */
	__asm__ volatile(
		"mcr p15, 0, %0, c2, c0, 2" ::"r"(1u << 31 | 1u << 8 | 1u << 10 | 3u << 12));  /* TTBCR.EAE */
	__asm__ volatile("mcrr p15, 0, %0, %1, c2" ::"r"(storm_map_long(code, data)), "r"(0)); /* TTBR0 */
}
#else
static void tables(void)
{
	static uint32_t level1[4096] __attribute__((aligned(16384)));
	static uint32_t level2_code[256] __attribute__((aligned(1024))),
		level2_data[256] __attribute__((aligned(1024)));

	for (uint32_t i = 0; i < 0x800; i++)
		level1[i] = i << 20 | PRIVILEGED | CACHED | SECTION;
	level1[USER_CODE >> 20] = (uintptr_t)level2_code | COARSE;
	level1[USER_DATA >> 20] = (uintptr_t)level2_data | COARSE;
	level2_code[USER_CODE >> 12 & 255] = (uintptr_t)code | USER_RO | CACHED | PAGE;
	level2_data[USER_DATA >> 12 & 255] = (uintptr_t)data | USER_RW | CACHED | PAGE;
	__asm__ volatile("mcr p15, 0, %0, c3, c0, 0" ::"r"(1));      /* domain 0: checked */
	__asm__ volatile("mcr p15, 0, %0, c2, c0, 0" ::"r"(level1)); /* TTBR0 */
}
#endif

static void map(void)
{
	uint32_t sctlr;

	tables();
	__asm__ volatile("mcr p15, 0, %0, c8, c7, 0" ::"r"(0)); /* TLBIALL */
	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	__asm__ volatile("mcr p15, 0, %0, c1, c0, 0\n\tnop\n\tnop" ::"r"(sctlr | FORMAT | 1) : "memory");
	__asm__ volatile("mrc p15, 0, %0, c1, c0, 0" : "=r"(sctlr));
	rt_say("mmu", sctlr & 1);
}

#if defined STORM_ARM11 || defined STORM_XSCALE1
#ifdef STORM_ARM11
#define PMNC       "p15, 0, %0, c15, c12, 0"
#define FREE       "p15, 0, %0, c15, c12, 3"
#define SAMPLED    "p15, 0, %0, c15, c12, 2"
#define SAMPLED_R3 "p15, 0, r3, c15, c12, 2"
#else
#define PMNC       "p14, 0, %0, c0, c0, 0"
#define FREE       "p14, 0, %0, c3, c0, 0"
#define SAMPLED    "p14, 0, %0, c2, c0, 0"
#define SAMPLED_R3 "p14, 0, r3, c2, c0, 0"
#endif
#define CONTROL (0x07u << 20 | 0x07u << 12 | 1u << 4) /* both count instructions, PMN0 interrupts */

static void start(void)
{
	__asm__ volatile("mcr " SAMPLED ::"r"(-PERIOD));
	__asm__ volatile("mcr " PMNC ::"r"(CONTROL | 1) : "memory");
}

static void acknowledge(void)
{
	__asm__ volatile("mcr " PMNC ::"r"(CONTROL | 1u << 8 | 1) : "memory");
}

static void stop(void)
{
	__asm__ volatile("mcr " PMNC ::"r"(CONTROL) : "memory");
}
#else
#define FREE_SELECTED 1
#define SAMPLED_R3    "p15, 0, r3, c9, c13, 2"
#define WRITE(crm, op2, value) \
	__asm__ volatile("mcr p15, 0, %0, c9, c" #crm ", " #op2 ::"r"(value) : "memory")

static void start(void)
{
	for (unsigned n = 2; n-- > 0;) { /* 0 stays selected */
		WRITE(12, 5, n);
		WRITE(13, 1, 0x08);
		WRITE(13, 2, n ? 0 : -PERIOD);
	}
	WRITE(12, 1, 3);
	WRITE(14, 1, 1);
	WRITE(12, 0, 1);
}

static void acknowledge(void)
{
	WRITE(12, 3, 1);
}

static void stop(void)
{
	WRITE(12, 0, 0);
}
#endif

static uint32_t sampled(void)
{
	uint32_t value;

#ifdef FREE_SELECTED
	WRITE(12, 5, 0);
	__asm__ volatile("mrc p15, 0, %0, c9, c13, 2" : "=r"(value));
#else
	__asm__ volatile("mrc " SAMPLED : "=r"(value));
#endif
	return value;
}

static uint32_t running(void)
{
	uint32_t value;

#ifdef FREE_SELECTED
	WRITE(12, 5, 1);
	__asm__ volatile("mrc p15, 0, %0, c9, c13, 2" : "=r"(value));
#else
	__asm__ volatile("mrc " FREE : "=r"(value));
#endif
	return value;
}

static void on_overflow(void)
{
	uint32_t id = STORM_TAKE();

	acknowledge();
	__asm__ volatile("mrc " SAMPLED_R3 "\n\t"
			 "sub r3, r3, %0\n\t"
			 "mcr " SAMPLED_R3 ::"i"(PERIOD)
			 : "r3");
	if (++storm_interrupts == INTERRUPTS)
		*(volatile uint32_t *)data = 1;
	STORM_END(id);
}

int main(void)
{
	for (unsigned i = 0; storm_user + i < storm_user_end; i++)
		code[i] = storm_user[i];
	map();
	rt_irq = on_overflow;
	STORM_ON();
	rt_irq_on();
	start();
	rt_enter(USER_CODE, USER_DATA);
	stop();
	rt_irq_off();
	storm_report(storm_interrupts, running(), sampled());
	rt_say("user-turns", ((volatile uint32_t *)data)[1] > 1000);
	return 0;
}
