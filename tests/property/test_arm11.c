/* SPDX-License-Identifier: MIT */
/* Random lives of the ARM11 PMUs: the model against the naive one. APMU_SEED, APMU_STEPS: see life.h. */
#include "family.h"
#include "life.h"
#include "ref_arm11.h"
#include "test.h"

TEST(arm1136jf_s_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_break(subject_of("arm1136jf-s")), 0);
}

TEST(arm1156t2_s_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_break(subject_of("arm1156t2-s")), 0);
}

TEST(arm1176jzf_s_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_break(subject_of("arm1176jzf-s")), 0);
}

TEST(a_reference_of_the_wrong_core_is_found_out_in_a_few_operations)
{
	struct subject wrong = {"arm1136jf-s", &family_arm11, REF_ARM1156};

	printf("the next disagreement is on purpose:\n");
	size_t n = lives_break(&wrong);
	CHECK(n > 0);
	CHECK(n <= 6);
}
