/* SPDX-License-Identifier: MIT */
/* The PMU of A64 guests, and their tables: 2 MiB blocks, flat. */
#ifndef WORLD_A64_H
#define WORLD_A64_H

#include "world.h"

#define MSR(reg, v) __asm__ volatile("msr " reg ", %0\n\tisb" : : "r"((uint64_t)(v)) : "memory")
#define BLOCK(n)    ((uintptr_t)0x40000000 + ((uintptr_t)(n) << 21))

static inline void start(uint32_t event)
{
	MSR("pmevtyper0_el0", event);
	MSR("pmcr_el0", 3);
	MSR("pmcntenset_el0", 1);
}

static inline uint32_t stop(void)
{
	uint64_t n;

	__asm__ volatile("msr pmcntenclr_el0, %1\n\tisb\n\tmrs %0, pmevcntr0_el0"
			 : "=&r"(n)
			 : "r"(1ull)
			 : "memory");
	return (uint32_t)n;
}

static uint64_t table[512] __attribute__((aligned(4096))), blocks[512] __attribute__((aligned(4096)));

#endif
