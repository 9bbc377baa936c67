/* SPDX-License-Identifier: MIT */
/* Counting on every core: values, 64 bits on 32-bit counters, accesses. */
#include "bench.h"
#include "test.h"

static struct bench b;

/* Loads instructions and cycles; false if the core lacks a plain instruction event. */
static bool ready(const struct apmu_core *core)
{
	int event = bench_event(core, APMU_SIG_INST);
	struct apmu_want want[2] = {{.counter = APMU_ANY_COUNTER},
				    {.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES}};

	bench_make(&b, core);
	CHECK_EQ(bench_open(&b), 0);
	CHECK(b.dev.has.known);
	if (event < 0)
		return false;
	want[0].event = (uint16_t)event;
	CHECK_EQ(apmu_dev_use(&b.dev, want, 2, 0, NULL), 0);
	return true;
}

TEST(every_core_counts_instructions_and_cycles_between_start_and_stop)
{
	unsigned cores = 0;

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);

		if (!ready(core))
			continue;
		cores++;
		bench_work(&b, 7); /* not started: counts nothing */
		CHECK_EQ(apmu_dev_start(&b.dev), 0);
		bench_add(&b, APMU_SIG_CYCLES, core->holdoff);
		bench_work(&b, 5);
		CHECK_EQ(bench_value(&b, 0), 50);
		bench_work(&b, 5);
		CHECK_EQ(apmu_dev_stop(&b.dev), 0);
		bench_work(&b, 9); /* stopped */
		CHECK_EQ(bench_value(&b, 0), 100);
		CHECK_EQ(bench_value(&b, 1), 200);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
	}
	CHECK(cores > 40);
}

TEST(ten_to_the_twelve_events_end_in_the_exact_total_on_every_core)
{
	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		const uint64_t chunk = 1000000000u; /* more than a quarter of a counter's range */

		if (!ready(core))
			continue;
		apmu_dev_start(&b.dev);
		bench_add(&b, APMU_SIG_CYCLES, core->holdoff);
		for (unsigned k = 0; k < 1000; k++) {
			bench_add(&b, APMU_SIG_CYCLES, chunk);
			bench_add(&b, APMU_SIG_INST, chunk);
		}
		CHECK_EQ(bench_value(&b, 0), 1000000000000u);
		CHECK_EQ(bench_value(&b, 1), 1000000000000u);
		apmu_dev_stop(&b.dev);
		CHECK_EQ(bench_value(&b, 0), 1000000000000u);
		if (!(b.dev.has.wide & 1))
			CHECK(b.interrupts >= 232); /* 10^12 / 2^32 */
	}
}
