/* SPDX-License-Identifier: MIT */
/* The Linux backend with the kernel's software events, which need no hardware. Skipped where the kernel
 * forbids them. */
#define _DEFAULT_SOURCE
#include <apmu/driver.h>

#include "test.h"

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

/* Touches `pages` pages that nobody has touched: a fault each. */
static void fault(size_t pages)
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
		CHECK_EQ(perf.fd[k], 0);
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
		CHECK_EQ(perf.fd[k], 0);
}

TEST(samples_and_too_many_events_are_refused)
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
