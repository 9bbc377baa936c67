/* SPDX-License-Identifier: MIT */
/**
 * What the two guests with an MMU share: pages that are not where their addresses say, code in User mode on
 * them, and so many interrupts that a lost one shows.
 *
 * Two counters count instructions. One runs freely. The other overflows every PERIOD; the handler takes
 * PERIOD off it, and the three instructions that do so are lost to it each time:
 *
 *     free == interrupts * (PERIOD + LOST) + (what it is past the last overflow)
 *
 * A lost interrupt leaves the remainder beyond PERIOD, a lost count breaks the sum.
 */
#ifndef STORM_H
#define STORM_H

#include "rt.h"

#define PERIOD     100u
#define LOST       3u
#define INTERRUPTS 100000u
#define SLACK      60u /* instructions from a wrap to the handler's read, and the way in and out */

/* Where User mode sees its page of code, its page of data; nothing of the kind lies at these addresses. */
#define USER_CODE 0xC0001000u
#define USER_DATA 0xC0205000u

extern volatile uint32_t storm_interrupts;

/* Position independent; r0 or x0: the data page. Ends by SVC when its first word is not 0; counts turns in
 * the second. */
extern const uint8_t storm_user[], storm_user_end[];

/* Board `virt` has a GICv2 in between, `virt-gicv3` the registers below, `bare` a wire. */
#if defined STORM_GICV3
static inline volatile uint32_t *storm_at(uintptr_t address)
{
	return (volatile uint32_t *)address;
}

static inline void storm_on(void)
{
	*storm_at(0x08000000) = 2;                               /* GICD_CTLR.EnableGrp1 */
	*storm_at(0x080A0014) = 0;                               /* GICR_WAKER */
	*storm_at(0x080B0080) = 1u << RT_PMU_INTID;              /* GICR_IGROUPR0 */
	*storm_at(0x080B0100) = 1u << RT_PMU_INTID;              /* GICR_ISENABLER0 */
	__asm__ volatile("msr S3_0_C4_C6_0, %0" ::"r"(0xF0ull)); /* ICC_PMR_EL1 */
	__asm__ volatile("msr S3_0_C12_C12_7, %0" ::"r"(1ull));  /* ICC_IGRPEN1_EL1 */
}

static inline uint32_t storm_take(void)
{
	uint64_t id;

	__asm__ volatile("mrs %0, S3_0_C12_C12_0" : "=r"(id)); /* ICC_IAR1_EL1 */
	return (uint32_t)id;
}

#define STORM_ON()    storm_on()
#define STORM_TAKE()  storm_take()
#define STORM_END(id) __asm__ volatile("msr S3_0_C12_C12_1, %0" ::"r"((uint64_t)(id))) /* ICC_EOIR1_EL1 */
#elif defined RT_UART
#define STORM_ON()    rt_gic_on()
#define STORM_TAKE()  rt_gic_take()
#define STORM_END(id) rt_gic_end(id)
#else
#define STORM_ON()    ((void)0)
#define STORM_TAKE()  0
#define STORM_END(id) ((void)(id))
#endif

static inline void storm_report(uint32_t n, uint32_t free, uint32_t sampled)
{
	uint32_t past = sampled + PERIOD;

	rt_say("interrupts", n);
	rt_say("sum-agrees", free == n * (PERIOD + LOST) + past);
	rt_say("past-the-last", past);
	rt_say("none-lost", past < PERIOD + SLACK);
}

#endif
