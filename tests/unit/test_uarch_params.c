/* SPDX-License-Identifier: MIT */
/* Rows, keys, ranges and what does not fit together. */
#include "test.h"

#include <apmu/uarch.h>

static struct apmu_uarch_params row(const char *name)
{
	return *apmu_uarch_find(name);
}

TEST(every_row_fits_together_and_every_figure_has_a_source)
{
	CHECK(apmu_uarch_count() >= 5);
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		struct apmu_figure f;
		size_t i = 0;
		assert_null(apmu_uarch_check(apmu_uarch_at(c)));
		CHECK(apmu_uarch_find(apmu_uarch_at(c)->name) == apmu_uarch_at(c));
		for (; apmu_uarch_figure(apmu_uarch_at(c), i, &f); i++)
			CHECK(f.key[0] && f.value[0] && f.source[0] && f.text[0]);
		CHECK(i > 100);
	}
	CHECK(apmu_uarch_at(apmu_uarch_count()) == NULL);
	CHECK(apmu_uarch_find("cortex-a99") == NULL);
}

TEST(setting_each_figure_to_its_own_value_changes_nothing)
{
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		struct apmu_uarch_params p = *apmu_uarch_at(c);
		struct apmu_figure before, after;
		for (size_t i = 0; apmu_uarch_figure(&p, i, &before); i++) {
			CHECK_EQ(apmu_uarch_set(&p, before.key, before.value), APMU_OK);
			CHECK(apmu_uarch_figure(&p, i, &after));
			CHECK_STR(after.value, before.value);
			CHECK_STR(after.source, before.source);
		}
	}
}

static void check_figure(const struct apmu_uarch_params *p, const char *key, const char *value,
			 const char *source)
{
	struct apmu_figure f;
	for (size_t i = 0; apmu_uarch_figure(p, i, &f); i++) {
		if (strcmp(f.key, key) != 0)
			continue;
		CHECK_STR(f.value, value);
		CHECK_STR(f.source, source);
		return;
	}
	fail_msg("no figure %s", key);
}

TEST(a_changed_figure_says_that_the_user_set_it)
{
	struct apmu_uarch_params p = row("arm1176");
	check_figure(&p, "tlb_hit", "8", "7C11");
	check_figure(&p, "l1d.replace", "random", "pseudo-random is the reset state of CP15 RR, unverified");
	CHECK_EQ(apmu_uarch_set(&p, "tlb_hit", "9"), APMU_OK);
	CHECK_EQ(apmu_uarch_set(&p, "l1d.replace", "plru"), APMU_OK);
	check_figure(&p, "tlb_hit", "9", "set by the user");
	check_figure(&p, "l1d.replace", "plru", "set by the user");
	CHECK_EQ(p.l1d.replace, APMU_REPLACE_PLRU);
}

TEST(a_set_of_branch_kinds_reads_back)
{
	struct apmu_uarch_params p = row("xscale1");
	check_figure(&p, "btb_kinds", "immed+immed-link", "IXP45X: B and BL");
	CHECK_EQ(apmu_uarch_set(&p, "btb_kinds", "return+immed"), APMU_OK);
	CHECK_EQ(p.btb_kinds, 1u << APMU_BRANCH_IMMED | 1u << APMU_BRANCH_RETURN);
	CHECK_EQ(apmu_uarch_set(&p, "btb_kinds", "none"), APMU_OK);
	CHECK_EQ(p.btb_kinds, 0);
	CHECK_EQ(apmu_uarch_set(&p, "btb_kinds", "immed+"), APMU_EINVAL);
	CHECK_EQ(apmu_uarch_set(&p, "btb_kinds", "jump"), APMU_EINVAL);
}

TEST(numbers_are_decimal_or_hexadecimal_and_within_range)
{
	struct apmu_uarch_params p = row("arm1136");
	CHECK_EQ(apmu_uarch_set(&p, "l1d.size", "0x2000"), APMU_OK);
	CHECK_EQ(p.l1d.size, 8192);
	CHECK_EQ(apmu_uarch_set(&p, "itcm.base", "0xFFFFFFFFFFFFFFFF"), APMU_OK);
	CHECK(p.itcm.base == UINT64_MAX);
	const char *bad[] = {"", "-1", "0x", "12k", "1048577", "99999999999999999999999", "+3", " 3", "3 "};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ(apmu_uarch_set(&p, "l1d.size", bad[i]), APMU_EINVAL);
	CHECK_EQ(p.l1d.size, 8192);
	CHECK_EQ(apmu_uarch_set(&p, "predict", "2"), APMU_EINVAL);
	CHECK_EQ(apmu_uarch_set(&p, "l1d.sise", "1"), APMU_ENOENT);
	CHECK_EQ(apmu_uarch_set(&p, "", "1"), APMU_ENOENT);
}

static void check_impossible(const char *key, const char *value, const char *begins)
{
	struct apmu_uarch_params p = row("arm1136");
	struct apmu_tally tally = {0};
	uint64_t wanted[APMU_SIGNAL_WORDS] = {1};
	CHECK_EQ(apmu_uarch_set(&p, key, value), APMU_OK);
	const char *why = apmu_uarch_check(&p);
	assert_non_null(why);
	CHECK(strncmp(why, begins, strlen(begins)) == 0);
	CHECK(apmu_uarch_new(&p, &tally, wanted) == NULL);
}

TEST(impossible_machines_are_refused_with_a_reason)
{
	check_impossible("l1d.size", "1000", "l1d");
	check_impossible("l1d.size", "24576", "l1d"); /* 192 sets */
	check_impossible("l1i.line", "48", "l1i");
	check_impossible("mini.line", "64", "mini");
	check_impossible("itlb.ways", "3", "itlb");
	check_impossible("dtlb.replace", "plru", "dtlb"); /* 10 ways */
	check_impossible("tlb.entries", "96", "tlb");
	check_impossible("page", "5000", "page");
	check_impossible("btb", "100", "btb");
	check_impossible("mispredict", "0", "stall_on_mispredict");
	struct apmu_uarch_params p = row("arm1136");
	p.l1d.ways = 0; /* not through apmu_uarch_set() */
	CHECK(apmu_uarch_check(&p) != NULL);
}
