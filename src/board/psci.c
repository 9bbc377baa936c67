/* SPDX-License-Identifier: MIT */
/* PSCI for one core: rows of functions. */
#include "board/psci.h"

#include <stddef.h>

#define NOT_SUPPORTED (-1)
#define INVALID       (-2)
#define ALREADY_ON    (-4)
#define VERSION_1_1   0x10001

#define CALL_64      0x40000000u
#define AFFINITY     0xFF00FFFFFFull
#define NO_MIGRATION 2 /* no Trusted OS that would have to move */

#define SMCCC_VERSION 0x80000000u
#define SMCCC_FEATURE 0x80000001u
#define PSCI_FEATURES 0x8400000Au

enum what { CONSTANT, SUSPEND, CPU_OFF, CPU_ON, AFFINITY_INFO, OFF, RESET, FEATURES };

struct row {
	uint32_t id; /* the 32-bit identifier */
	uint8_t what;
	bool both; /* also with CALL_64 */
	int32_t value;
};

static const struct row rows[] = {
	{0x84000000u, CONSTANT, false, VERSION_1_1},   /* PSCI_VERSION */
	{0x84000001u, SUSPEND, true, 0},               /* CPU_SUSPEND */
	{0x84000002u, CPU_OFF, false, 0},              /* CPU_OFF */
	{0x84000003u, CPU_ON, true, 0},                /* CPU_ON */
	{0x84000004u, AFFINITY_INFO, true, 0},         /* AFFINITY_INFO */
	{0x84000006u, CONSTANT, false, NO_MIGRATION},  /* MIGRATE_INFO_TYPE */
	{0x84000008u, OFF, false, 0},                  /* SYSTEM_OFF */
	{0x84000009u, RESET, false, 0},                /* SYSTEM_RESET */
	{PSCI_FEATURES, FEATURES, false, 0},           /* PSCI_FEATURES */
	{SMCCC_VERSION, CONSTANT, false, VERSION_1_1}, /* SMCCC_VERSION */
	{SMCCC_FEATURE, FEATURES, false, 0},           /* SMCCC_ARCH_FEATURES */
};

static const struct row *find(uint32_t id, bool aarch64)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].id == id || (aarch64 && rows[i].both && (rows[i].id | CALL_64) == id))
			return &rows[i];
	return NULL;
}

/* The only core is 0.0.0.0, and it is on, since it makes the call. */
static int32_t affinity_info(uint64_t target, uint64_t level)
{
	return (target & AFFINITY) == 0 && level <= 3 ? 0 : INVALID;
}

static int32_t answer(const struct row *row, uint64_t first, uint64_t second, bool aarch64)
{
	switch ((enum what)row->what) {
	case CONSTANT: return row->value;
	case CPU_ON: return (first & AFFINITY) == 0 ? ALREADY_ON : INVALID;
	case AFFINITY_INFO: return affinity_info(first, second);
	case FEATURES: return find((uint32_t)first, aarch64) ? 0 : NOT_SUPPORTED;
	default: return 0;
	}
}

static enum apmu_board__psci_action action(const struct row *row)
{
	switch ((enum what)row->what) {
	case SUSPEND: return APMU_BOARD__PSCI_WAIT;
	case CPU_OFF: return APMU_BOARD__PSCI_CPU_OFF;
	case OFF: return APMU_BOARD__PSCI_OFF;
	case RESET: return APMU_BOARD__PSCI_RESET;
	default: return APMU_BOARD__PSCI_RETURN;
	}
}

struct apmu_board__psci apmu_board__psci(const uint64_t x[4], bool aarch64)
{
	uint32_t id = (uint32_t)x[0];
	bool wide = id & CALL_64;
	uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
	const struct row *row = find(id, aarch64);
	int64_t result = row ? answer(row, x[1] & mask, x[2] & mask, aarch64) : NOT_SUPPORTED;

	return (struct apmu_board__psci){
		.action = row ? action(row) : APMU_BOARD__PSCI_RETURN,
		.result = (uint64_t)result & (aarch64 && wide ? UINT64_MAX : UINT32_MAX),
		.known = row != NULL,
	};
}
