/* SPDX-License-Identifier: MIT */
/* The fields of ID_AA64DFRx_EL1 and ID_DFRx that describe a core's PMU. */
#include <apmu/core.h>

#include "base/bits.h"

/* PMUV3SHEET 0.3, ARMV7SHEET 1: versions as PMUVer and PerfMon number them, the highest feature last. */
static const struct {
	uint8_t feature, version;
} rising[] = {
	{APMU_FEATURE_P1, 4}, {APMU_FEATURE_P4, 5}, {APMU_FEATURE_P5, 6},
	{APMU_FEATURE_P7, 7}, {APMU_FEATURE_P8, 8}, {APMU_FEATURE_P9, 9},
};

/* PMUV3SHEET 2.20 */
static const struct {
	uint8_t id, lo, feature;
} fields[] = {
	{APMU_ID_AA64DFR0, 16, APMU_FEATURE_SS},    {APMU_ID_AA64DFR0, 24, APMU_FEATURE_SEBEP},
	{APMU_ID_AA64DFR0, 48, APMU_FEATURE_MTPMU}, {APMU_ID_AA64DFR0, 60, APMU_FEATURE_HPMN0},
	{APMU_ID_AA64DFR1, 36, APMU_FEATURE_ICNTR}, {APMU_ID_AA64DFR1, 48, APMU_FEATURE_EBEP},
	{APMU_ID_AA64DFR1, 52, APMU_FEATURE_DPFZS}, {APMU_ID_DFR1, 0, APMU_FEATURE_MTPMU},
	{APMU_ID_DFR1, 4, APMU_FEATURE_HPMN0},
};

static bool has(const struct apmu_core *core, unsigned feature)
{
	return apmu_base__is_set(core->features, feature);
}

/* PerfMon. PMUVer is the same except for the base version, which is 1 in PMUVer and 3 in PerfMon. Armv7: 2
 * for PMUv2; PMUv1 of Cortex-A8 reads 0 (ARMV7SHEET 1). */
static unsigned perfmon(const struct apmu_core *core)
{
	unsigned version = core->access_rule == APMU_ACCESS_V8 ? 3 : has(core, APMU_FEATURE_FILTER) ? 2 : 0;

	for (unsigned i = 0; i < sizeof rising / sizeof *rising; i++)
		if (has(core, rising[i].feature))
			version = rising[i].version;
	return version;
}

uint64_t apmu_identify(const struct apmu_core *core, enum apmu_id id, uint64_t value)
{
	unsigned version = perfmon(core);

	if (core->access_rule == APMU_ACCESS_PLAIN)
		return value;
	if (id == APMU_ID_DFR0)
		value = apmu_base__put(value, 27, 24, version);
	if (id == APMU_ID_AA64DFR0)
		value = apmu_base__put(value, 11, 8, version == 3 ? 1 : version);
	for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i].id == id)
			value = apmu_base__put(value, fields[i].lo + 3u, fields[i].lo,
					       has(core, fields[i].feature));
	return value;
}
