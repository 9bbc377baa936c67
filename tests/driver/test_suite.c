/* SPDX-License-Identifier: MIT */
/* The suite that firmware runs too, on the model of every core. */
#include "suite.h"

#include "bench.h"
#include "test.h"

static struct bench b;
struct apmu_dev rig_dev;
static bool on;

/* Delivers interrupts of the bench to the suite's device. */
static void deliver(void)
{
	static bool inside;

	for (unsigned i = 0; on && b.line && !b.masked && !inside && i < 100; i++) {
		inside = true;
		apmu_dev_interrupt(&rig_dev, NULL);
		inside = false;
	}
}

/* Makes every access take some instructions, and more cycles than ARM11's hold-off. */
static void tick(void *ctx)
{
	(void)ctx;
	b.tally.n[APMU_SIG_INST] += 7;
	b.tally.n[APMU_SIG_CYCLES] += 7;
	apmu_advance(&b.pmu);
	deliver();
}

void rig_config(struct apmu_dev_config *config)
{
	config->backend = &b.spy;
	config->ctx = &b;
	config->core = b.pmu.core;
	config->el = 1;
}

void rig_work(uint32_t units)
{
	for (uint32_t i = 0; i < units; i++) {
		b.tally.n[APMU_SIG_CYCLES] += 3;
		b.tally.n[APMU_SIG_INST] += RIG_UNIT;
		apmu_advance(&b.pmu);
		deliver();
	}
}

void rig_interrupts(bool now)
{
	on = now;
	deliver();
}

void rig_failed(const char *test, const char *what, unsigned line, uint64_t got, uint64_t want)
{
	print_error("%s: %s: line %u: %s: %llu, not %llu\n", b.pmu.core->name, test, line, what,
		    (unsigned long long)got, (unsigned long long)want);
}

TEST(the_suite_passes_on_the_model_of_every_core)
{
	unsigned cores = 0;

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		unsigned checks = 0, failures;

		if (bench_event(core, APMU_SIG_INST) < 0)
			continue;
		bench_make(&b, core);
		b.in_handler = true; /* switches the bench's own delivery off */
		b.between = tick;
		failures = suite_run(&checks);
		CHECK_EQ(failures, 0);
		CHECK(checks > 1000);
		CHECK(suite_samples >= 20 && suite_samples < 40);
		cores++;
	}
	CHECK(cores > 40);
}
