/* SPDX-License-Identifier: MIT */
/* Reads a count of the calling thread without a system call: the page that the kernel maps for an event says
 * which counter holds it now, and a sequence lock tells if that changed during the read
 * (linux/perf_event.h). */
#define _DEFAULT_SOURCE
#include "driver/a64.h"
#include "driver/backend_perf.h"

#if defined(__linux__)

#include <linux/perf_event.h>

/* The members that the loop reads, in the order of the page. */
struct view {
	uint32_t index;
	uint16_t width, shift;
	uint32_t mult;
	uint64_t offset, enabled, running, time_offset, time_cycles, time_mask;
	bool user_time, short_time;
};

#if defined(__x86_64__)

static uint64_t counter_read(uint32_t n)
{
	return __builtin_ia32_rdpmc((int)n);
}

static uint64_t clock_now(void)
{
	return __builtin_ia32_rdtsc();
}

#define CAN_READ true

#elif defined(__aarch64__)

/* The kernel numbers event counters as the architecture does, and calls the cycle counter 31. */
static uint64_t counter_read(uint32_t n)
{
	return apmu_driver__a64_counter(n);
}

static uint64_t clock_now(void)
{
	return A64_READ(cntvct_el0);
}

#define CAN_READ true

#else

static uint64_t counter_read(uint32_t n)
{
	return n;
}

static uint64_t clock_now(void)
{
	return 0;
}

#define CAN_READ false

#endif

/* Nanoseconds since the kernel last wrote enabled and running. */
static uint64_t elapsed(const struct view *view)
{
	uint64_t cycles = clock_now(), quotient, rest;

	if (view->short_time)
		cycles = view->time_cycles + ((cycles - view->time_cycles) & view->time_mask);
	quotient = cycles >> view->shift;
	rest = cycles & (((uint64_t)1 << view->shift) - 1);
	return view->time_offset + quotient * view->mult + (rest * view->mult >> view->shift);
}

static void look(const volatile struct perf_event_mmap_page *page, struct view *view)
{
	*view = (struct view){.index = page->index,
			      .width = page->pmc_width,
			      .shift = page->time_shift,
			      .mult = page->time_mult,
			      .offset = (uint64_t)page->offset,
			      .enabled = page->time_enabled,
			      .running = page->time_running,
			      .time_offset = page->time_offset,
			      .time_cycles = page->time_cycles,
			      .time_mask = page->time_mask,
			      .user_time = page->cap_user_time,
			      .short_time = page->cap_user_time_short};
}

bool apmu_driver__perf_here(const void *at, struct apmu_driver__reading *out)
{
	const struct perf_event_mmap_page *page = at;
	uint64_t count, since;
	struct view view;
	uint32_t lock;

	if (!CAN_READ || !page || !page->cap_user_rdpmc)
		return false;
	do {
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		look(page, &view);
		if (!view.index || !view.width || view.width > 64)
			return false;
		count = counter_read(view.index - 1) << (64 - view.width);
		since = view.user_time ? elapsed(&view) : 0;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != lock);
	/* The counter is a signed distance from `offset`. */
	out->value = view.offset + (uint64_t)((int64_t)count >> (64 - view.width));
	out->enabled = view.enabled + since;
	out->running = view.running + since;
	return true;
}

#endif
