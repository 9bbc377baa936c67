/* SPDX-License-Identifier: MIT */
/* Random lives of PMUv3: the model against the naive one. APMU_SEED, APMU_STEPS: see life.h. */
#include "family.h"
#include "test.h"

TEST(cortex_a53_base_pmuv3_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "cortex-a53", "cortex-a53"), 0);
}

TEST(cortex_a32_aarch32_only_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "cortex-a32", "cortex-a32"), 0);
}

TEST(neoverse_n1_p1_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "neoverse-n1", "neoverse-n1"), 0);
}

TEST(neoverse_n2_p5_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "neoverse-n2", "neoverse-n2"), 0);
}

TEST(generic_v9_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "generic-v9", "generic-v9"), 0);
}

TEST(generic_v9_with_aarch32_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_of(&family_v8, "generic-v9-aa32", "generic-v9-aa32"), 0);
}

TEST(a_reference_of_the_wrong_core_is_found_out_in_a_few_operations)
{
	printf("the next disagreement is on purpose:\n");
	size_t n = lives_of(&family_v8, "cortex-a53", "neoverse-n1");
	CHECK(n > 0);
	CHECK(n <= 6);
}
