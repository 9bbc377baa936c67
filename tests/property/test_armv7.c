/* SPDX-License-Identifier: MIT */
/* Random lives of the Armv7 PMUs: the model against the naive one. APMU_SEED, APMU_STEPS: see life.h. */
#include "family.h"
#include "test.h"

TEST(cortex_a8_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v7, "cortex-a8", "cortex-a8"), 0);
}

TEST(cortex_a9_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v7, "cortex-a9", "cortex-a9"), 0);
}

TEST(cortex_a15_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v7, "cortex-a15", "cortex-a15"), 0);
}

TEST(a_reference_of_the_wrong_core_is_found_out_in_a_few_operations)
{
	printf("the next disagreement is on purpose:\n");
	size_t n = lives_of(&family_v7, "cortex-a7", "cortex-a15");
	CHECK(n > 0);
	CHECK(n <= 6);
}
