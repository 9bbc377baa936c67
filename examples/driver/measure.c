/* SPDX-License-Identifier: MIT */
/**
 * Cycles, instructions and data cache misses of a function, on bare metal: one source for every family.
 * Events are given by number, so that only the driver is linked; the Makefile gives the numbers and the
 * backend.
 */
#include <apmu/driver.h>

#include "rt.h"

#define WANTS 3

static struct apmu_dev dev;
static struct apmu_dev_slot slots[WANTS];
static const struct apmu_dev_config config = {
	.backend = &BACKEND, .slots = slots, .slots_n = WANTS, .el = 1, .interrupt = true};

static const struct apmu_want wants[WANTS] = {
	{.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES},
	{.counter = APMU_ANY_COUNTER, .event = EVENT_INSTRUCTIONS},
	{.counter = APMU_ANY_COUNTER, .event = EVENT_MISSES},
};

/* The PMU's interrupt: on `virt` through the GIC, elsewhere directly to the core. */
static void on_interrupt(void)
{
#ifdef RT_UART
	uint32_t id = rt_gic_take();
#endif

	apmu_dev_interrupt(&dev, NULL);
#ifdef RT_UART
	if (id < 1020)
		rt_gic_end(id);
#endif
}

/* The function that is measured: reads a word of each of 512 lines that are not in the cache. */
static void function(void)
{
	for (unsigned i = 0; i < RT_LINES; i++)
		*(volatile uint32_t *)&rt_memory[i * RT_LINE / 4];
}

static int fail(const char *text)
{
	rt_put(text);
	rt_put("\n");
	return 1;
}

int main(void)
{
	struct apmu_count count[WANTS];
	struct apmu_refusal refusal;
	uint8_t why;

	rt_irq = on_interrupt;
#ifdef RT_UART
	rt_gic_on();
#endif
	rt_irq_on();
	if (apmu_dev_open(&dev, &config, &why))
		return fail(apmu_why_text(why));
	if (apmu_dev_use(&dev, wants, WANTS, 0, &refusal))
		return fail(apmu_why_text(refusal.why));
	apmu_dev_start(&dev);
	function();
	apmu_dev_stop(&dev);
	if (apmu_dev_read(&dev, count, WANTS))
		return fail("the PMU cannot be read");
	rt_say("cycles", count[0].value);
	rt_say("instructions", count[1].value);
	rt_say("misses", count[2].value);
	apmu_dev_close(&dev);
	return 0;
}
