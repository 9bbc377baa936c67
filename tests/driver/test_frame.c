/* SPDX-License-Identifier: MIT */
/* The memory-mapped frame, on the model's: it is found by its ID registers, unlocked, used for counting and
 * locked again. */
#include "bench.h"
#include "test.h"

static struct bench b;
static struct apmu_mmio mmio;
static unsigned wide, narrow;

static int load(void *bus, uint32_t offset, unsigned bits, uint64_t *value)
{
	struct apmu_access at = {APMU_VIEW_MMIO, offset, {.el = 1, .security = APMU_SECURE}};

	CHECK(bits == 32 || bits == 64);
	*(bits == 64 ? &wide : &narrow) += 1;
	return apmu_read_now(bus, at, value) == APMU_DONE ? 0 : APMU_EIO;
}

static int store(void *bus, uint32_t offset, unsigned bits, uint64_t value)
{
	struct apmu_access at = {APMU_VIEW_MMIO, offset, {.el = 1, .security = APMU_SECURE}};

	CHECK(bits == 32 || bits == 64);
	*(bits == 64 ? &wide : &narrow) += 1;
	return apmu_write(bus, at, value) == APMU_DONE ? 0 : APMU_EIO;
}

static const struct apmu_backend *frame_of(const char *core, uint8_t *why)
{
	const struct apmu_backend *found;

	wide = narrow = 0;
	bench_make(&b, apmu_core_find(core));
	mmio = (struct apmu_mmio){.load = load, .store = store, .bus = &b.pmu};
	found = apmu_backend_of_frame(&mmio, why);
	if (found)
		bench_backend(&b, found, &mmio);
	return found;
}

TEST(every_frame_is_found_and_counts)
{
	unsigned frames = 0;

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		int event = bench_event(core, APMU_SIG_INST);
		struct apmu_want want[3] = {{.counter = APMU_ANY_COUNTER},
					    {.counter = APMU_ANY_COUNTER, .flags = APMU_WANT_CYCLES},
					    {.counter = APMU_ANY_COUNTER}};
		const struct apmu_backend *found;
		uint8_t why;

		if (!(core->features >> APMU_FEATURE_EXT & 1) || event < 0)
			continue;
		frames++;
		found = frame_of(core->name, &why);
		CHECK(found);
		CHECK_EQ(mmio.frame == APMU_FRAME_EXT64, core->features >> APMU_FEATURE_EXT64 & 1);
		CHECK_EQ(mmio.frame == APMU_FRAME_V7, core->access_rule == APMU_ACCESS_V7);
		CHECK_EQ(bench_open(&b), 0);
		CHECK(b.dev.has.known);
		CHECK_EQ(b.dev.has.counters & 0x7FFFFFFF,
			 core->counters == 31 ? 0x7FFFFFFF : (1u << core->counters) - 1);
		for (unsigned k = 0; k < 2 && mmio.frame == APMU_FRAME_EXT32; k++)
			CHECK_EQ(b.dev.has.ceid[k], core->constant[APMU_CORE_PMCEID0 + k]);
		want[0].event = want[2].event = (uint16_t)event;
		CHECK_EQ(apmu_dev_use(&b.dev, want, 3, 0, NULL), 0);
		apmu_dev_start(&b.dev);
		for (unsigned k = 0; k < 50; k++)
			bench_work(&b, 0x4000000);
		apmu_dev_stop(&b.dev);
		CHECK_EQ(bench_value(&b, 0), 50 * 10 * 0x4000000ull);
		CHECK_EQ(bench_value(&b, 1), 50 * 20 * 0x4000000ull);
		CHECK_EQ(bench_value(&b, 2), 50 * 10 * 0x4000000ull);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
		CHECK_EQ(b.pmu.s.word[APMU_WORD_SLK], mmio.frame != APMU_FRAME_EXT64); /* locked again */
		CHECK_EQ(wide > 0, mmio.frame == APMU_FRAME_EXT64);
	}
	CHECK(frames > 40);
}

TEST(the_instruction_counter_of_either_frame_counts) /* DDI0487 table I3-2: EXT32 has its bits at +4 */
{
	static const char *const cores[] = {"generic-v9", "generic-v9-aa32"};

	for (size_t i = 0; i < 2; i++) {
		struct apmu_want want = {.counter = APMU_INSTR_COUNTER, .event = 0x08};
		uint8_t why;

		CHECK(frame_of(cores[i], &why));
		CHECK_EQ(bench_open(&b), 0);
		CHECK(b.dev.has.counters >> APMU_INSTR_COUNTER & 1);
		CHECK_EQ(apmu_dev_use(&b.dev, &want, 1, 0, NULL), 0);
		apmu_dev_start(&b.dev);
		bench_work(&b, 100);
		apmu_dev_stop(&b.dev);
		CHECK_EQ(bench_value(&b, 0), 10 * 100);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
		CHECK_EQ(b.pmu.s.cnten, 0);
	}
}

TEST(a_threshold_that_another_user_left_does_not_count_in_either_frame)
{
	static const char *const cores[] = {"generic-v9", "generic-v9-aa32"};
	struct apmu_access type = {
		APMU_VIEW_A64, apmu_sysreg(3, 3, 14, 12, 0), {.el = 3, .security = APMU_ROOT}};
	uint64_t left = 4ull << 61 | 99ull << 32 | 8; /* 99 instructions in a cycle */

	for (size_t i = 0; i < 2; i++) {
		struct apmu_want want = {.counter = 0, .event = 0x08};
		uint8_t why;

		CHECK(frame_of(cores[i], &why));
		CHECK_EQ(apmu_write(&b.pmu, type, left), APMU_DONE);
		CHECK_EQ(bench_open(&b), 0);
		CHECK_EQ(b.pmu.s.type[0], left);
		CHECK_EQ(apmu_dev_use(&b.dev, &want, 1, 0, NULL), 0);
		CHECK_EQ(b.pmu.s.type[0] >> 32, 0);
		apmu_dev_start(&b.dev);
		bench_work(&b, 100);
		apmu_dev_stop(&b.dev);
		CHECK_EQ(bench_value(&b, 0), 10 * 100);
		CHECK_EQ(apmu_dev_close(&b.dev), 0);
	}
}

TEST(the_64_bit_frame_takes_event_numbers_of_16_bits) /* evtCount[15:10] came with v8.1, EXT64 with v9 */
{
	struct apmu_want want = {.counter = APMU_ANY_COUNTER, .event = 0x8002};
	uint8_t why;

	CHECK(frame_of("generic-v9", &why));
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(b.dev.has.event_mask, 0xFFFF);
	CHECK_EQ(apmu_dev_use(&b.dev, &want, 1, 0, NULL), 0);
	CHECK_EQ(b.pmu.s.type[0] & 0xFFFF, 0x8002);
	CHECK_EQ(apmu_dev_close(&b.dev), 0);
}

TEST(a_frame_that_was_unlocked_stays_unlocked)
{
	uint8_t why;

	CHECK(frame_of("cortex-a53", &why));
	CHECK_EQ(store(&b.pmu, 0xFB0, 32, 0xC5ACCE55), 0); /* PMLAR */
	CHECK_EQ(bench_open(&b), 0);
	CHECK_EQ(apmu_dev_close(&b.dev), 0);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_SLK], 0);
}

TEST(a_powered_off_core_is_a_bus_error_and_not_a_crash)
{
	struct apmu_machine_state machine;
	uint8_t why;

	CHECK(frame_of("cortex-a15", &why));
	apmu_machine_get(&b.pmu, &machine);
	machine.powered_off = true;
	apmu_machine_set(&b.pmu, &machine);
	CHECK(!apmu_backend_of_frame(&mmio, &why));
	CHECK_EQ(why, APMU_WHY_BUS);
}

TEST(the_OS_Lock_answers_ID_registers_and_refuses_the_rest)
{
	struct apmu_machine_state machine;
	uint8_t why;

	CHECK(frame_of("cortex-a53", &why));
	apmu_machine_get(&b.pmu, &machine);
	machine.os_lock = true;
	apmu_machine_set(&b.pmu, &machine);
	CHECK(apmu_backend_of_frame(&mmio, &why));
	CHECK_EQ(apmu_dev_open(&b.dev, &b.config, &why), APMU_EIO);
	CHECK_EQ(why, APMU_WHY_BUS);
	CHECK_EQ(b.pmu.s.word[APMU_WORD_SLK], 1); /* the software lock is as it was */
}

static int not_a_pmu(void *bus, uint32_t offset, unsigned bits, uint64_t *value)
{
	(void)bus;
	(void)bits;
	*value = offset == 0xFCC ? 0x13 : 0; /* a trace source */
	return 0;
}

TEST(another_component_is_no_PMU)
{
	struct apmu_mmio other = {.load = not_a_pmu};
	uint8_t why;

	CHECK(!apmu_backend_of_frame(&other, &why));
	CHECK_EQ(why, APMU_WHY_NOT_A_PMU);
}

TEST(without_hooks_the_frame_is_memory)
{
	static uint32_t page[1024];
	struct apmu_mmio memory = {.base = (uintptr_t)page};
	uint64_t value;
	uint8_t why;

	page[0xFCC / 4] = 0x16;
	page[0xFBC / 4] = 0x47702A16;
	page[0xE00 / 4] = 6;
	page[0x008 / 4] = 1234; /* PMEVCNTR1 */
	page[0x0F8 / 4] = 5;
	page[0x0FC / 4] = 1;
	page[0x100 / 4] = 99;
	CHECK(apmu_backend_of_frame(&memory, &why) == &apmu_backend_mmio_ext32);
	CHECK_EQ(apmu_backend_mmio_ext32.read(&memory, APMU_DEV_COUNTER, 1, &value), 0);
	CHECK_EQ(value, 1234);
	CHECK_EQ(apmu_backend_mmio_ext32.read(&memory, APMU_DEV_COUNTER, 31, &value), 0);
	CHECK_EQ(value, 0x100000005u);
	CHECK_EQ(apmu_backend_mmio_ext32.read(&memory, APMU_DEV_CONTROL, 0, &value), 0);
	CHECK_EQ(value, 6u << 11);
	CHECK_EQ(apmu_backend_mmio_ext32.write(&memory, APMU_DEV_COUNTER, 31, 0x200000007u), 0);
	CHECK_EQ(page[0x0F8 / 4], 7);
	CHECK_EQ(page[0x0FC / 4], 2);
	CHECK_EQ(page[0x100 / 4], 99);
}
