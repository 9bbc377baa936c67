/* SPDX-License-Identifier: MIT */
/* PSCI against DEN0022, SMCCC against DEN0028, for one core. */
#include "../test.h"
#include "board/psci.h"

#define NOT_SUPPORTED 0xFFFFFFFFu
#define INVALID       0xFFFFFFFEu
#define ALREADY_ON    0xFFFFFFFCu

static struct apmu_board__psci hvc(uint64_t id, uint64_t a, uint64_t b)
{
	const uint64_t x[4] = {id, a, b, 0};

	return apmu_board__psci(x, true);
}

TEST(it_is_version_1_1)
{
	CHECK_EQ(hvc(0x84000000, 0, 0).result, 0x10001);
	CHECK_EQ(hvc(0x80000000, 0, 0).result, 0x10001);
}

TEST(features_lists_what_is_there)
{
	CHECK_EQ(hvc(0x8400000A, 0x84000008, 0).result, 0);
	CHECK_EQ(hvc(0x8400000A, 0xC4000003, 0).result, 0);
	CHECK_EQ(hvc(0x8400000A, 0x84000005, 0).result, NOT_SUPPORTED); /* MIGRATE */
	CHECK_EQ(hvc(0x8400000A, 0xC4000008, 0).result, NOT_SUPPORTED); /* SYSTEM_OFF has one form */
	CHECK_EQ(hvc(0x8400000A, 0x80000000, 0).result, 0);
}

TEST(the_only_core_is_on_already_and_others_are_not_there)
{
	CHECK_EQ(hvc(0x84000003, 0, 0).result, ALREADY_ON);
	CHECK_EQ(hvc(0xC4000003, 1, 0).result, (uint64_t)-2);
	CHECK_EQ(hvc(0xC4000003, (uint64_t)1 << 32, 0).result, (uint64_t)-2);
	CHECK_EQ(hvc(0x84000003, (uint64_t)1 << 32, 0).result, ALREADY_ON); /* 32-bit arguments */
	CHECK_EQ(hvc(0x84000004, 0, 0).result, 0);
	CHECK_EQ(hvc(0x84000004, 0x100, 0).result, INVALID);
	CHECK_EQ(hvc(0x84000004, 0, 4).result, INVALID);
}

TEST(power_calls_say_what_the_machine_shall_do)
{
	CHECK_EQ(hvc(0x84000008, 0, 0).action, APMU_BOARD__PSCI_OFF);
	CHECK_EQ(hvc(0x84000009, 0, 0).action, APMU_BOARD__PSCI_RESET);
	CHECK_EQ(hvc(0x84000002, 0, 0).action, APMU_BOARD__PSCI_CPU_OFF);
	CHECK_EQ(hvc(0x84000001, 0, 0).action, APMU_BOARD__PSCI_WAIT);
	CHECK_EQ(hvc(0x84000006, 0, 0).result, 2);
}

TEST(what_is_unknown_is_not_supported)
{
	struct apmu_board__psci answer = hvc(0x8400FFFF, 0, 0);

	CHECK(!answer.known);
	CHECK_EQ(answer.action, APMU_BOARD__PSCI_RETURN);
	CHECK_EQ(answer.result, NOT_SUPPORTED);
	CHECK_EQ(hvc(0xC600FFFF, 0, 0).result, UINT64_MAX);
}

TEST(an_aarch32_caller_has_no_64_bit_calls)
{
	const uint64_t x[4] = {0xC4000003, 0, 0, 0};

	CHECK(!apmu_board__psci(x, false).known);
	CHECK_EQ(apmu_board__psci(x, false).result, NOT_SUPPORTED);
}
