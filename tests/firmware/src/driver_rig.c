/* SPDX-License-Identifier: MIT */
/* The driver's suite (tests/driver/suite.c) as firmware: real instructions, real interrupts. */
#include "rt.h"
#include "suite.h"

/* Which PMU: by what this is compiled for, and -DRIG_CORE, -DRIG_BACKEND, -DRIG_EL. */
extern const struct apmu_core RIG_CORE;
#ifndef RIG_EL
#define RIG_EL 1 /* where the suite runs */
#endif

struct apmu_dev rig_dev;
static volatile uint32_t interrupts;
static uint32_t opens;

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile uint8_t *)to)[i] = (uint8_t)byte;
	return to;
}

void rig_config(struct apmu_dev_config *config)
{
	config->backend = &RIG_BACKEND;
	config->core = &RIG_CORE;
	config->el = RIG_EL;
	opens++;
}

void rig_work(uint32_t units)
{
	if (units)
		__asm__ volatile("1:\tsubs %0, %0, #1\n\tbne 1b" : "+r"(units) : : "cc");
}

static void on_interrupt(void)
{
#ifdef RT_UART
	uint32_t id = rt_gic_take();
#endif

	interrupts++;
	apmu_dev_interrupt(&rig_dev, NULL);
#ifdef RT_UART
	if (id < 1020)
		rt_gic_end(id);
#endif
}

void rig_interrupts(bool on)
{
	if (on)
		rt_irq_on();
	else
		rt_irq_off();
}

void rig_failed(const char *test, const char *what, unsigned line, uint64_t got, uint64_t want)
{
	rt_put(test);
	rt_put(": ");
	rt_put(what);
	rt_put("\n");
	rt_say("  line", line);
	rt_say("  got", got);
	rt_say("  want", want);
}

int main(void)
{
	unsigned checks, failures;

	rt_irq = on_interrupt;
#ifdef RT_UART
	rt_gic_on();
#endif
	failures = suite_run(&checks);
	rt_say("checks", checks);
	rt_say("samples", suite_samples);
	rt_say("interrupts", interrupts);
	rt_say("undefined", rt_undefined);
	rt_say("opens", opens);
	rt_say("failures", failures);
	return failures != 0;
}
