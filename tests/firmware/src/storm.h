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

/* Board `virt` has a GIC in between, `bare` a wire. */
#ifdef RT_UART
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
