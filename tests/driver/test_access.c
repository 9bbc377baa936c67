/* SPDX-License-Identifier: MIT */
/* Checks how many register accesses each call makes. `bench_driver` prints the same numbers. */
#include "bench.h"
#include "test.h"

static struct bench b;

/* Starts two events and the third want, if any. */
static void run(const char *core, bool aarch32, const char *third)
{
	bench_make(&b, apmu_core_find(core));
	b.port.aarch32 = aarch32;
	bench_backend(&b, apmu_backend_of_model(&b.port), &b.port);
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(bench_use(&b, 0, "0x03", "0x04", third, NULL), 0);
	CHECK_EQ(apmu_dev_start(&b.dev), 0);
	bench_accesses(&b);
}

static unsigned reading(size_t n)
{
	struct apmu_count count[3];

	bench_accesses(&b);
	CHECK_EQ(apmu_dev_read(&b.dev, count, n), 0);
	return bench_accesses(&b);
}

TEST(start_and_stop_are_one_write_each)
{
	static const char *const cores[] = {"arm1136",    "xscale1",    "xscale2",    "cortex-a8",
					    "cortex-a15", "cortex-a53", "neoverse-n2"};

	for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		run(cores[i], false, "cycles");
		CHECK_EQ(apmu_dev_stop(&b.dev), 0);
		CHECK_EQ(bench_accesses(&b), 1);
		CHECK_EQ(apmu_dev_start(&b.dev), 0);
		CHECK_EQ(bench_accesses(&b), 1);
	}
}

TEST(two_counters_of_an_ARM11_are_three_reads)
{
	run("arm1136", false, NULL);
	CHECK_EQ(reading(2), 3);
	run("arm1176", false, "cycles");
	CHECK_EQ(reading(3), 4);
}

TEST(a_counter_of_AArch64_is_one_read_and_the_flags_one_more)
{
	run("cortex-a53", false, "cycles");
	CHECK_EQ(reading(2), 3);
	CHECK_EQ(reading(3), 4);
	run("neoverse-n2", false, "cycles"); /* long counters: no flags */
	CHECK_EQ(reading(3), 3);
}

TEST(XScale_reads_counters_and_flags)
{
	run("xscale2", false, NULL);
	CHECK_EQ(reading(2), 3);
	run("xscale1", false, NULL); /* its flags can be lost: a wrap is found by the value */
	CHECK_EQ(reading(2), 2);
}

TEST(a_wrap_that_waits_costs_one_more_look)
{
	run("arm1136", false, NULL);
	b.masked = true;
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_add(&b, APMU_SIG_L1I_TLB_REFILL, 0xFFFFFFFF);
	CHECK_EQ(reading(2), 3);
	bench_add(&b, APMU_SIG_L1I_TLB_REFILL, 1);
	CHECK_EQ(bench_value(&b, 0), 0x100000000u);
	CHECK_EQ(reading(2), 4);
}

TEST(the_handler_of_a_plain_wrap_reads_the_flags_acknowledges_and_looks)
{
	run("arm1136", false, NULL);
	bench_add(&b, APMU_SIG_CYCLES, 3);
	bench_accesses(&b);
	bench_add(&b, APMU_SIG_L1I_TLB_REFILL, 0x100000000u);
	CHECK_EQ(b.interrupts, 1);
	CHECK_EQ(b.served, 1);
	CHECK_EQ(b.reads, 2);
	CHECK_EQ(b.writes, 1);
}
