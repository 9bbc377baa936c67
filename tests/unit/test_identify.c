/* SPDX-License-Identifier: MIT */
/* The PMU's fields of the identification registers, against the values of real cores that PMUV3SHEET 9 lists.
 */
#include <apmu/core.h>

#include "test.h"

static uint64_t of(const char *core, enum apmu_id id, uint64_t value)
{
	return apmu_identify(apmu_core_find(core), id, value);
}

/* PMUV3SHEET, notes on the table of cores: A53 0x10305106, A76 0x10305408, N1 0x1_10305408, N2
 * 0x11F2_10305619 (its upper half has other units' fields, MTPMU among them). */
TEST(the_version_of_known_cores)
{
	CHECK_EQ(of("cortex-a53", APMU_ID_AA64DFR0, 0x10305F06), 0x10305106);
	CHECK_EQ(of("cortex-a76", APMU_ID_AA64DFR0, 0x10305F08), 0x10305408);
	CHECK_EQ(of("neoverse-n1", APMU_ID_AA64DFR0, 0x110305008), 0x110305408);
	CHECK_EQ(of("neoverse-n2", APMU_ID_AA64DFR0, 0) & 0xF00, 0x600);
}

/* The same list: ID_DFR0 0x03010066 of v8.0 cores, 0x04010088 of v8.2; ARMV7SHEET 1: 0x02010555 of A7 and
 * A15, 0x400 of A8. */
TEST(perfmon_of_known_cores)
{
	CHECK_EQ(of("cortex-a57", APMU_ID_DFR0, 0x0F010066), 0x03010066);
	CHECK_EQ(of("cortex-a55", APMU_ID_DFR0, 0x0F010088), 0x04010088);
	CHECK_EQ(of("cortex-a15", APMU_ID_DFR0, 0x0F010555), 0x02010555);
	CHECK_EQ(of("cortex-a8", APMU_ID_DFR0, 0x0F000400), 0x400);
}

TEST(every_feature_has_its_field)
{
	CHECK_EQ(of("generic-v9", APMU_ID_AA64DFR0, 0), 0x1001000001010900ull);
	CHECK_EQ(of("generic-v9", APMU_ID_AA64DFR1, 0), 0x0011001000000000ull);
	CHECK_EQ(of("generic-v9-aa32", APMU_ID_DFR0, 0), 0x09000000);
	CHECK_EQ(of("generic-v9-aa32", APMU_ID_DFR1, 0), 0x11);
}

TEST(other_fields_stay)
{
	CHECK_EQ(of("generic-v9", APMU_ID_AA64DFR1, ~0ull), 0xFF11FF1FFFFFFFFFull);
	CHECK_EQ(of("arm1176", APMU_ID_DFR0, 0x00000033), 0x33);
}
