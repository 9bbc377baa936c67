/* SPDX-License-Identifier: MIT */
/* Time: the fast model against the reference clocks. APMU_SEED, APMU_STEPS: see check.h. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#include "test.h"

enum { BLOCKS = 75000 }; /* a row */

TEST(random_programs_take_the_time_that_the_reference_says)
{
	CHECK_EQ(check_rows(check_steps(BLOCKS)), 0);
}

TEST(every_kind_of_program_has_a_bound)
{
	CHECK_EQ(bounds_n, kinds_n);
	for (unsigned k = 0; k < kinds_n; k++)
		CHECK_STR(bounds[k].kind, kinds[k].name);
}
