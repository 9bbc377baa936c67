/* SPDX-License-Identifier: MIT */
/* Random lives of the XScale PMUs: the model against the naive one. APMU_SEED, APMU_STEPS: see life.h. */
#include "life.h"
#include "test.h"

TEST(xscale_with_two_counters_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_break(subject_of("xscale1")), 0);
}

TEST(xscale_with_four_counters_agrees_with_the_naive_model)
{
	CHECK_EQ(lives_break(subject_of("xscale2")), 0);
}
