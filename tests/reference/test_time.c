/* SPDX-License-Identifier: MIT */
/* Time: the fast model against the reference clocks. APMU_SEED, APMU_STEPS: see check.h. */
#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "test.h"

/* Blocks per row, and those with APMU_TEST_ALL; block runs of a program that is stepped cycle by cycle. */
#ifdef APMU_UARCH_PLAIN /* other tests check that the fast paths count the same */
enum { BLOCKS = 60000, BLOCKS_ALL = 75000 };
#else
enum { BLOCKS = 150000, BLOCKS_ALL = 800000, RUNS = 100 };
#endif

TEST(random_programs_take_the_time_that_the_reference_says)
{
	CHECK_EQ(check_rows(check_steps(getenv("APMU_TEST_ALL") ? BLOCKS_ALL : BLOCKS)), 0);
}

#ifndef APMU_UARCH_PLAIN /* the reference alone, which is the same there */
static void leaves_out_nothing(const struct apmu_uarch_params *row, const struct kind *kind)
{
	struct trial t = {row, kind, check_seed(), RUNS};
	struct apmu_uarch_params p;
	struct program program;
	check_make(&t, &p, &program);
	uint64_t all = slow_cycles(&p, &program), cycles = slow_run(&p, &program).cycles;
	if (cycles != all)
		printf("%s on %s: %" PRIu64 " cycles, %" PRIu64 " one by one\n", kind->name, row->name,
		       cycles, all);
	program_close(&program);
	CHECK_EQ(cycles, all);
}

TEST(cycles_in_which_nothing_moves_may_be_left_out)
{
	for (unsigned k = 0; k < kinds_n; k++)
		for (size_t i = 0; i < apmu_uarch_count(); i++)
			leaves_out_nothing(apmu_uarch_at(i), &kinds[k]);
}
#endif

TEST(every_kind_of_program_has_a_bound)
{
	CHECK_EQ(bounds_n, kinds_n);
	for (unsigned k = 0; k < kinds_n; k++)
		CHECK_STR(bounds[k].kind, kinds[k].name);
}

/* Counts the rows of the table that docs/accuracy.md lacks, and prints them. */
static void rows_of_the_page(const char *page, unsigned *missing)
{
	char row[600];
	for (unsigned k = 0; k < bounds_n; k++) {
		const struct bound *b = &bounds[k];
		snprintf(row, sizeof row, "| %s | %s | -%g to +%g | -%g to +%g | %s |\n", b->kind,
			 kinds[k].waits, b->less[0], b->more[0], b->less[1], b->more[1], b->why);
		if (!strstr(page, row)) {
			printf("%s", row);
			++*missing;
		}
	}
	for (unsigned k = 0; k < deviations_n; k++) {
		const struct deviation *v = &deviations[k];
		snprintf(row, sizeof row, "| %s | %s | -%g to +%g | %s |\n", v->kind,
			 v->row      ? v->row
			 : v->window ? "out of order"
				     : "in order",
			 v->less, v->more, v->what);
		if (!strstr(page, row)) {
			printf("%s", row);
			++*missing;
		}
	}
}

TEST(the_page_on_accuracy_has_the_bounds)
{
	static char page[400000];
	char name[512];
	unsigned missing = 0;
	const char *source = getenv("SRC");
	snprintf(name, sizeof name, "%s/docs/accuracy.md", source ? source : ".");
	FILE *f = fopen(name, "r");
	CHECK(f != NULL);
	size_t n = fread(page, 1, sizeof page - 1, f);
	fclose(f);
	CHECK(n < sizeof page - 1);
	rows_of_the_page(page, &missing);
	CHECK_EQ(missing, 0);
}
