/* SPDX-License-Identifier: MIT */
/**
 * Two tasks and a switch hook, as in an RTOS: each task has its own counts, wherever it is switched out, and
 * a region of code counts only the task that runs it.
 */
#include <apmu/region.h>

#include "rt.h"

static struct apmu_dev dev;
static struct apmu_dev_slot slots[2];
static const struct apmu_dev_config config = {.backend = &BACKEND, .slots = slots, .slots_n = 2, .el = 1};
static const struct apmu_want wants[2] = {
	{.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES},
	{.counter = APMU_ANY_COUNTER, .event = EVENT_INSTRUCTIONS},
};

/* A task is a function that does one slice of its work each time it gets the core. */
struct task {
	struct apmu_task counts; /* the member that the RTOS's task block needs */
	void (*slice)(void);
};

static struct apmu_region filter = {.name = "filter"};

static void spin(uint32_t turns)
{
	__asm__ volatile("1:\tsubs %0, %0, #1\n\tbne 1b" : "+r"(turns) : : "cc");
}

/* 2000 instructions and the driver's own, half of them in a region that spans the switch to the other
 * task. */
static void worker(void)
{
	static unsigned slices;

	if (slices++ % 2 == 0) {
		spin(500);
		apmu_region_begin(&dev, &filter);
		spin(500);
	} else {
		spin(500);
		apmu_region_end(&dev, &filter);
		spin(500);
	}
}

static void background(void)
{
	spin(10000);
}

static struct task tasks[] = {{.slice = worker}, {.slice = background}};

/* The scheduler's switch hook: one call. */
static void switch_to(struct task *next)
{
	apmu_task_switch(&dev, &next->counts);
}

int main(void)
{
	if (apmu_dev_open(&dev, &config, NULL) || apmu_dev_use(&dev, wants, 2, 0, NULL) ||
	    apmu_dev_start(&dev))
		return 1;
	for (unsigned turn = 0; turn < 20; turn++) {
		switch_to(&tasks[turn % 2]);
		tasks[turn % 2].slice();
	}
	apmu_task_switch(&dev, NULL);
	apmu_dev_stop(&dev);
	rt_say("worker", tasks[0].counts.total[1]);
	rt_say("background", tasks[1].counts.total[1]);
	rt_say("filter", filter.total[1]);
	rt_say("filter-calls", filter.calls);
	apmu_dev_close(&dev);
	return 0;
}
