/* SPDX-License-Identifier: MIT */
/* Making a machine, putting a program into it, and running it piece by piece, as a host does. */
#include "test.h"

#include <apmu/machine.h>

#define AT 0x8000u

static char error[200];

/* A Cortex-A7 on board `bare`; with T32 code, `movs r0, #5; movs r0, #6; b .`, if `address` is not 0. */
static struct apmu_machine *machine(uint64_t address)
{
	static const uint16_t code[] = {0x2005, 0x2006, 0xE7FE};
	struct apmu_machine_config config = {.core = apmu_core_find("cortex-a7"), .cpi = 1};
	struct apmu_machine *m;

	CHECK_EQ(apmu_machine_new(&config, &m, error, sizeof error), 0);
	if (address)
		CHECK_EQ(apmu_machine_load(m, code, sizeof code, address, true, error, sizeof error), 0);
	return m;
}

TEST(a_machine_without_a_core_is_refused)
{
	struct apmu_machine_config config = {.core = apmu_core_find("cortex-a70")};
	struct apmu_machine *m;

	CHECK_EQ(apmu_machine_new(&config, &m, error, sizeof error), APMU_EINVAL);
	CHECK_STR(error, "no core");
	CHECK(m == NULL);
}

TEST(bit_0_of_an_entry_says_T32_and_moves_no_code)
{
	struct apmu_machine *m = machine(AT | 1);
	struct apmu_stop stop;
	uint16_t first = 0;

	CHECK(apmu_machine_peek(m, AT, &first, sizeof first, true));
	CHECK_EQ(first, 0x2005);
	CHECK_EQ(apmu_machine_run(m, 3, &stop), 0);
	CHECK_EQ(stop.reason, APMU_STOP_LIMIT);
	CHECK_EQ(stop.pc, AT + 4);
	apmu_machine_free(m);
}

TEST(data_may_be_loaded_at_an_odd_address)
{
	struct apmu_machine *m = machine(AT);
	uint8_t byte = 0x5A, read = 0;

	CHECK_EQ(apmu_machine_load(m, &byte, 1, AT | 0x101, false, error, sizeof error), 0);
	CHECK(apmu_machine_peek(m, AT | 0x101, &read, 1, true));
	CHECK_EQ(read, byte);
	CHECK_EQ(apmu_machine_load(m, &byte, 1, 0xFFFFFFFF, false, error, sizeof error), APMU_EINVAL);
	CHECK_STR(error, "0xffffffff..0x100000000 is not in the RAM of board 'bare'");
	CHECK_EQ(apmu_machine_load_firmware(m, &byte, 1, error, sizeof error), APMU_EINVAL);
	CHECK_STR(error, "the machine was made without flash");
	apmu_machine_free(m);
}

TEST(a_run_needs_a_program)
{
	struct apmu_machine *m = machine(0);
	struct apmu_stop stop = {.insns = 77};

	CHECK_EQ(apmu_machine_run(m, 1, &stop), APMU_EINVAL);
	CHECK_EQ(stop.insns, 77);
	apmu_machine_free(m);
}

TEST(a_limit_of_time_holds_until_it_is_moved)
{
	struct apmu_machine *m = machine(AT | 1);
	struct apmu_stop stop;

	apmu_machine_until(m, 10);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ(apmu_machine_run(m, 0, &stop), 0);
		CHECK_EQ(stop.reason, APMU_STOP_TIME);
		CHECK_EQ(stop.insns, 10);
	}
	apmu_machine_until(m, 0);
	CHECK_EQ(apmu_machine_run(m, 5, &stop), 0);
	CHECK_EQ(stop.reason, APMU_STOP_LIMIT);
	CHECK_EQ(stop.insns, 15);
	apmu_machine_free(m);
}
