/* SPDX-License-Identifier: MIT */
/* The PMU and coprocessor 15 of A32 guests, by -DWORLD_ARM11, -DWORLD_XSCALE2, -DWORLD_ARMV7. */
#ifndef WORLD_A32_H
#define WORLD_A32_H

#include "world.h"

#define MCR(v, op1, crn, crm, op2) \
	__asm__ volatile("mcr p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 : : "r"(v) : "memory")
#define MRC(v, op1, crn, crm, op2) \
	__asm__ volatile("mrc p15, " #op1 ", %0, " #crn ", " #crm ", " #op2 : "=r"(v))
#define MIB(n) ((uintptr_t)(n) << 20)

#if defined WORLD_ARM11
enum {
	MISPREDICTED = 0x6,
	CODE_MISS = 0x0,
	DATA = 0xA,
	CACHEABLE = 0x9,
	MISS = 0xB,
	WRITTEN = 0xC,
	DRAINED = 0x12,
	DTLB = 0x4,
	WALK = 0xF
};
static inline void start(uint32_t event)
{
	__asm__ volatile("mcr p15, 0, %0, c15, c12, 0\n\tnop\n\tnop\n\tnop\n\tnop"
			 :
			 : "r"(event << 20 | 7)
			 : "memory");
}
static inline uint32_t stop(void)
{
	uint32_t n;

	__asm__ volatile("mcr p15, 0, %1, c15, c12, 0\n\tmrc p15, 0, %0, c15, c12, 2"
			 : "=&r"(n)
			 : "r"(0)
			 : "memory");
	return n;
}
#elif defined WORLD_XSCALE2
enum { MISPREDICTED = 0x6, CODE_MISS = 0x0, DATA = 0xA, MISS = 0xB, WRITTEN = 0xC, DTLB = 0x4 };
static inline void start(uint32_t event)
{
	__asm__ volatile("mcr p14, 0, %0, c8, c1, 0\n\tmcr p14, 0, %1, c0, c1, 0"
			 :
			 : "r"(0xFFFFFF00u | event), "r"(7)
			 : "memory");
}
static inline uint32_t stop(void)
{
	uint32_t n;

	__asm__ volatile("mcr p14, 0, %1, c0, c1, 0\n\tmrc p14, 0, %0, c0, c2, 0"
			 : "=&r"(n)
			 : "r"(0)
			 : "memory");
	return n;
}
#else
enum { MISPREDICTED = 0x10, CODE_MISS = 0x1, DATA = 0x4, MISS = 0x3, WRITTEN = 0x15, DTLB = 0x5 };
static inline void start(uint32_t event)
{
	MCR(0, 0, c9, c12, 5);
	MCR(event, 0, c9, c13, 1);
	MCR(3, 0, c9, c12, 0);
	MCR(1, 0, c9, c12, 1);
}
static inline uint32_t stop(void)
{
	uint32_t n;

	__asm__ volatile("mcr p15, 0, %1, c9, c12, 2\n\tmrc p15, 0, %0, c9, c13, 2"
			 : "=&r"(n)
			 : "r"(1)
			 : "memory");
	return n;
}
#endif

enum { M = 1, C = 4, Z = 0x800, I = 0x1000, XP = 0x800000 };

static inline void control(uint32_t set, uint32_t clear)
{
	uint32_t v;

	MRC(v, 0, c1, c0, 0);
	MCR((v | set) & ~clear, 0, c1, c0, 0);
	__asm__ volatile("nop\n\tnop\n\tnop");
}

static inline void loads(uintptr_t at)
{
	__asm__ volatile(ALL("ldr r12, [%0], #64\n\t") : "+r"(at) : : "r12", "memory");
}

/* 64 lines of 32 bytes without a branch. */
static __attribute__((noinline)) void code(uintptr_t at)
{
	(void)at;
	__asm__ volatile(".balign 64\n\t.rept 512\n\tnop\n\t.endr");
}

#endif
