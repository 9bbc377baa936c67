/* SPDX-License-Identifier: MIT */
/* What the guests of worlds and address spaces share: work of known size, counted. */
#ifndef WORLD_H
#define WORLD_H

#include "rt.h"

/* Of the family, by these: an event in counter 0, from here; what it has counted up to here. */
static inline void start(uint32_t event);
static inline uint32_t stop(void);

/* 99 taken branches and one that is not. */
static inline void loop(void)
{
	uint32_t n = 100;

	__asm__ volatile("1:\tsubs %0, %0, #1\n\tbne 1b" : "+r"(n) : : "cc");
}

/* 64 loads or stores, one every 64 bytes; no branch, so that no predictor has a part in it. */
#define LINES 64
#define ALL(x)                                                                                              \
	x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x \
		x x x x x x x x x x x x x x

static inline uint32_t over(void (*work)(uintptr_t), uintptr_t at, uint32_t event)
{
	start(event);
	work(at);
	return stop();
}

#endif
