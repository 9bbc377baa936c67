/* SPDX-License-Identifier: MIT */
/**
 * Shared by the two coprocessor backends: masking and restoring IRQ and FIQ, either of which may be the
 * PMU's.
 */
#ifndef APMU_DRIVER_A32_H
#define APMU_DRIVER_A32_H

#include <stdint.h>

/* The M profile has neither CP15 nor CPSR. */
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define APMU_DRIVER__M_PROFILE 1
#else
#define APMU_DRIVER__M_PROFILE 0
#endif

#if defined(__arm__) && (!defined(__thumb__) || defined(__thumb2__)) && !APMU_DRIVER__M_PROFILE

static inline unsigned apmu_driver__a32_lock(void *ctx)
{
	uint32_t was;

	(void)ctx;
	__asm__ volatile("mrs %0, cpsr" : "=r"(was));
	__asm__ volatile("msr cpsr_c, %0" : : "r"(was | 0xC0) : "memory");
	return was;
}

static inline void apmu_driver__a32_unlock(void *ctx, unsigned was)
{
	(void)ctx;
	__asm__ volatile("msr cpsr_c, %0" : : "r"(was) : "memory");
}

#endif
#endif
