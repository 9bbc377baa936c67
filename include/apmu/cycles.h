/* SPDX-License-Identifier: MIT */
/**
 * apmu_cycles(): the best cycle source of the target processor. Header only; needs no library and keeps no
 * state. Only differences have a meaning: the source wraps at the width below, which apmu_cycles_between()
 * allows for.
 *
 * Reads the counter only: other code must have started it and, for EL0, allowed EL0 to read it
 * (apmu_dev_user()). Where EL0 is not allowed to, the access is Undefined.
 *
 *   compiled for                    source                    bits  unit
 *   AArch64                         PMCCNTR_EL0               64    core cycles
 *   Armv8 AArch32                   PMCCNTR by MRRC           64    core cycles
 *   Armv7-A, Armv7-R                PMCCNTR                   32    core cycles
 *   Armv6 (ARM11)                   CCNT, CP15                32    core cycles
 *   Armv5TE, -DAPMU_XSCALE=1 or 2   CCNT, CP14                32    core cycles
 *   AArch64, -DAPMU_CYCLES_GENERIC  CNTVCT_EL0                64    timer ticks; always readable on Linux
 *   x86-64                          RDTSC                     64    ticks of the time stamp counter
 * Elsewhere, the M profile included, APMU_CYCLES_BITS is 0 and there is no function.
 */
#ifndef APMU_CYCLES_H
#define APMU_CYCLES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__aarch64__)
#define APMU_CYCLES_BITS 64
static inline uint64_t apmu_cycles(void)
{
	uint64_t now;

#ifdef APMU_CYCLES_GENERIC
	__asm__ volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(now) : : "memory");
#else
	__asm__ volatile("isb\n\tmrs %0, pmccntr_el0" : "=r"(now) : : "memory");
#endif
	return now;
}

#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define APMU_CYCLES_BITS 0 /* no CP15 */

#elif defined(__arm__) && (!defined(__thumb__) || defined(__thumb2__)) && __ARM_ARCH >= 8
#define APMU_CYCLES_BITS 64
static inline uint64_t apmu_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("isb\n\tmrrc p15, 0, %0, %1, c9" : "=r"(low), "=r"(high) : : "memory");
	return low | (uint64_t)high << 32;
}

#elif defined(__arm__) && (!defined(__thumb__) || defined(__thumb2__)) && __ARM_ARCH == 7
#define APMU_CYCLES_BITS 32
static inline uint64_t apmu_cycles(void)
{
	uint32_t now;

	__asm__ volatile("isb\n\tmrc p15, 0, %0, c9, c13, 0" : "=r"(now) : : "memory");
	return now;
}

#elif defined(__arm__) && !defined(__thumb__) && __ARM_ARCH == 6
#define APMU_CYCLES_BITS 32
static inline uint64_t apmu_cycles(void)
{
	uint32_t now;

	__asm__ volatile("mrc p15, 0, %0, c15, c12, 1" : "=r"(now) : : "memory");
	return now;
}

#elif defined(__arm__) && !defined(__thumb__) && __ARM_ARCH == 5 && defined(APMU_XSCALE)
#define APMU_CYCLES_BITS 32
static inline uint64_t apmu_cycles(void)
{
	uint32_t now;

#if APMU_XSCALE == 1
	__asm__ volatile("mrc p14, 0, %0, c1, c0, 0" : "=r"(now) : : "memory");
#else
	__asm__ volatile("mrc p14, 0, %0, c1, c1, 0" : "=r"(now) : : "memory");
#endif
	return now;
}

#elif defined(__x86_64__)
#define APMU_CYCLES_BITS 64
static inline uint64_t apmu_cycles(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
	return low | (uint64_t)high << 32;
}

#else
#define APMU_CYCLES_BITS 0
#endif

#if APMU_CYCLES_BITS
/* Returns `to` - `from`, correct across one wrap. */
static inline uint64_t apmu_cycles_between(uint64_t from, uint64_t to)
{
	return APMU_CYCLES_BITS == 32 ? (uint32_t)(to - from) : to - from;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
