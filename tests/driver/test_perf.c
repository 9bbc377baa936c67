/* SPDX-License-Identifier: MIT */
/* The Linux backend with the kernel's software events, which need no hardware. Skipped where the kernel
 * forbids them. */
#define _DEFAULT_SOURCE
#include <apmu/driver.h>

#include "test.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SOFTWARE    1 /* PERF_TYPE_SOFTWARE */
#define TASK_CLOCK  1 /* PERF_COUNT_SW_TASK_CLOCK: nanoseconds */
#define PAGE_FAULTS 2

static struct apmu_perf perf;
static struct apmu_dev dev;
static struct apmu_dev_slot slots[APMU_PERF_COUNTERS + 1];
static struct apmu_dev_config config;

static bool opened(void)
{
	struct apmu_want want = {.event = TASK_CLOCK, .counter = APMU_ANY_COUNTER};
	int bad;

	memset(&perf, 0, sizeof(perf));
	perf.type = SOFTWARE;
	perf.cpu = -1;
	config = (struct apmu_dev_config){.backend = &apmu_backend_perf,
					  .ctx = &perf,
					  .slots = slots,
					  .slots_n = APMU_PERF_COUNTERS + 1,
					  .el = 1};
	CHECK_EQ(apmu_dev_open(&dev, &config, NULL), 0);
	bad = apmu_dev_use(&dev, &want, 1, 0, NULL);
	if (!bad)
		return true;
	print_message("skipped: perf_event_open: %s\n", apmu_strerror(bad));
	CHECK(bad == APMU_EACCES || bad == APMU_ENODEV || bad == APMU_ENOENT);
	return false;
}

/* Touches `pages` fresh pages: one fault each, and none for a sanitizer's shadow memory. */
__attribute__((no_sanitize("address"))) static void fault(size_t pages)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *at =
		mmap(NULL, pages * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	madvise((void *)at, pages * size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < pages; i++)
		at[i * size] = 1;
	munmap((void *)at, pages * size);
}

TEST(page_faults_are_counted_between_start_and_stop)
{
	struct apmu_want want[2] = {{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER},
				    {.event = TASK_CLOCK, .counter = APMU_ANY_COUNTER}};
	struct apmu_count count[2];

	if (!opened())
		return;
	CHECK_EQ(apmu_dev_use(&dev, want, 2, 0, NULL), 0);
	fault(100);
	CHECK_EQ(apmu_dev_start(&dev), 0);
	fault(1000);
	CHECK_EQ(apmu_dev_stop(&dev), 0);
	fault(100);
	CHECK_EQ(apmu_dev_read(&dev, count, 2), 0);
	CHECK(count[0].value >= 1000 && count[0].value < 1020);
	CHECK(count[1].value > 0);
	CHECK(count[0].enabled > 0 && count[0].running == count[0].enabled);
	CHECK_EQ(count[0].scaled, count[0].value);
	CHECK_EQ(apmu_dev_clear(&dev), 0);
	CHECK_EQ(apmu_dev_start(&dev), 0);
	fault(10);
	CHECK_EQ(apmu_dev_stop(&dev), 0);
	CHECK_EQ(apmu_dev_read(&dev, count, 1), 0);
	CHECK(count[0].value >= 10 && count[0].value < 30);
	CHECK_EQ(apmu_dev_close(&dev), 0);
	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++)
		CHECK_EQ(perf.event[k].fd, 0);
}

TEST(what_the_kernel_does_not_know_is_refused_and_leaves_nothing_open)
{
	struct apmu_want want[2] = {{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER},
				    {.event = 0xFFF, .counter = APMU_ANY_COUNTER}};

	if (!opened())
		return;
	CHECK(apmu_dev_use(&dev, want, 2, 0, NULL) < 0);
	CHECK_EQ(apmu_dev_start(&dev), APMU_EINVAL);
	for (unsigned k = 0; k <= APMU_PERF_COUNTERS; k++)
		CHECK_EQ(perf.event[k].fd, 0);
}

/* Lets the kernel write to `pages` fresh pages. */
static void fault_in_kernel(size_t pages)
{
	size_t size = pages * (size_t)sysconf(_SC_PAGESIZE);
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int zero = open("/dev/zero", O_RDONLY);

	CHECK(at != MAP_FAILED && zero >= 0);
	madvise(at, size, MADV_NOHUGEPAGE);
	CHECK_EQ(read(zero, at, size), size);
	close(zero);
	munmap(at, size);
}

TEST(page_faults_are_told_apart_by_who_makes_them)
{
	struct apmu_want want[2] = {
		{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER, .levels = APMU_AT_KERNEL},
		{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER, .levels = APMU_AT_USER}};
	struct apmu_count count[2];

	if (!opened())
		return;
	if (apmu_dev_use(&dev, want, 2, 0, NULL) == APMU_EACCES)
		return; /* perf_event_paranoid keeps the kernel's for root */
	CHECK_EQ(apmu_dev_start(&dev), 0);
	fault(100);
	fault_in_kernel(300);
	CHECK_EQ(apmu_dev_stop(&dev), 0);
	CHECK_EQ(apmu_dev_read(&dev, count, 2), 0);
	CHECK(count[0].value >= 300 && count[0].value < 350);
	CHECK(count[1].value >= 100 && count[1].value < 150);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}

/* Samples that the callback got. */
static struct {
	unsigned n, periods, throttled, elsewhere, unaligned;
	uint64_t value;
} seen;

static void sample(void *ctx, const struct apmu_sample *s)
{
	const struct apmu_perf_sample *at = s->state;

	(void)ctx;
	seen.n++;
	seen.periods += s->periods;
	seen.throttled += s->throttled;
	seen.elsewhere += at->pid != (uint32_t)getpid() || !at->ip;
	seen.unaligned += s->value % 10 != 0 || s->value <= seen.value;
	seen.value = s->value;
}

/* Starts page faults with a sample every `period`. */
static bool sampled(uint64_t period, uint16_t throttle)
{
	struct apmu_want want = {.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER, .period = period};

	if (!opened())
		return false;
	CHECK_EQ(apmu_dev_close(&dev), 0);
	memset(&seen, 0, sizeof(seen));
	config.interrupt = true;
	config.sample = sample;
	config.throttle = throttle;
	CHECK_EQ(apmu_dev_open(&dev, &config, NULL), 0);
	CHECK_EQ(apmu_dev_use(&dev, &want, 1, 0, NULL), 0);
	CHECK_EQ(apmu_dev_start(&dev), 0);
	return true;
}

static uint64_t total(struct apmu_count *count)
{
	CHECK_EQ(apmu_dev_read(&dev, count, 1), 0);
	return count->value;
}

TEST(each_period_of_page_faults_is_a_sample_by_the_kernels_ring)
{
	struct apmu_count count;
	struct pollfd file;

	if (!sampled(10, 0))
		return;
	file = (struct pollfd){.fd = apmu_perf_file(&dev, 0), .events = POLLIN};
	CHECK_EQ(poll(&file, 1, 0), 0);
	fault(1000);
	CHECK_EQ(apmu_dev_stop(&dev), 0);
	CHECK_EQ(poll(&file, 1, 0), 1);
	CHECK_EQ(apmu_dev_interrupt(&dev, NULL), total(&count) / 10);
	CHECK_EQ(seen.n, count.value / 10);
	CHECK_EQ(seen.periods, seen.n);
	CHECK(seen.n >= 100 && seen.elsewhere == 0 && seen.unaligned == 0);
	CHECK(!count.throttled);
	CHECK_EQ(apmu_dev_interrupt(&dev, NULL), 0);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}

TEST(samples_that_the_ring_has_no_room_for_are_told)
{
	struct apmu_count count;

	if (!sampled(1, 0))
		return;
	fault(3000);
	CHECK(apmu_dev_interrupt(&dev, NULL) > 0);
	fault(1);
	apmu_dev_stop(&dev);
	apmu_dev_interrupt(&dev, NULL);
	CHECK_EQ(seen.n + perf.lost, total(&count));
	CHECK(perf.lost > 0 && count.throttled);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}

TEST(a_throttled_event_counts_on_without_samples_until_the_tick)
{
	struct apmu_count count;

	if (!sampled(10, 5))
		return;
	for (unsigned i = 0; i < 100; i++) {
		fault(10);
		apmu_dev_interrupt(&dev, NULL);
	}
	CHECK_EQ(seen.n, 5);
	CHECK_EQ(seen.throttled, 1);
	CHECK(total(&count) >= 1000 && count.throttled);
	CHECK_EQ(apmu_dev_tick(&dev), 0);
	fault(35);
	apmu_dev_interrupt(&dev, NULL);
	CHECK(seen.n >= 8 && seen.n <= 9);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}

TEST(a_group_is_read_by_one_call)
{
	struct apmu_want want[3] = {{.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER, .group = 1},
				    {.event = TASK_CLOCK, .counter = APMU_ANY_COUNTER, .group = 1},
				    {.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER}};
	struct apmu_count count[3];
	uint32_t calls;

	if (!opened())
		return;
	CHECK_EQ(apmu_dev_use(&dev, want, 3, 0, NULL), 0);
	CHECK_EQ(apmu_dev_start(&dev), 0);
	fault(100);
	CHECK_EQ(apmu_dev_stop(&dev), 0);
	calls = perf.calls;
	CHECK_EQ(apmu_dev_read(&dev, count, 3), 0);
	CHECK_EQ(perf.calls - calls, 2); /* one read for the group, one for the third event */
	CHECK(count[0].value >= 100 && count[1].value > 0 && count[2].value >= 100);
	CHECK_EQ(count[0].enabled, count[1].enabled);
	CHECK_EQ(apmu_dev_clear(&dev), 0);
	CHECK_EQ(apmu_dev_read(&dev, count, 3), 0);
	CHECK_EQ(count[0].value + count[1].value + count[0].enabled, 0);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}

TEST(samples_without_a_handler_and_too_many_events_are_refused)
{
	struct apmu_want want[APMU_PERF_COUNTERS + 1];
	struct apmu_refusal refusal;

	if (!opened())
		return;
	for (unsigned i = 0; i <= APMU_PERF_COUNTERS; i++)
		want[i] = (struct apmu_want){.event = PAGE_FAULTS, .counter = APMU_ANY_COUNTER};
	CHECK_EQ(apmu_dev_use(&dev, want, APMU_PERF_COUNTERS + 1, 0, &refusal), APMU_ENOSPC);
	CHECK_EQ(refusal.want, APMU_PERF_COUNTERS);
	want[0].period = 1000;
	CHECK_EQ(apmu_dev_use(&dev, want, 1, 0, &refusal), APMU_EOPNOTSUPP);
	CHECK_EQ(refusal.why, APMU_WHY_NO_INTERRUPT);
	CHECK_EQ(apmu_dev_close(&dev), 0);
}
