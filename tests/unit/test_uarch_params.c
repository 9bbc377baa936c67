/* SPDX-License-Identifier: MIT */
/* Rows, keys, ranges, and combinations of parameters that are refused. */
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
		struct apmu_uarch_param f;
		size_t i = 0;
		assert_null(apmu_uarch_check(apmu_uarch_at(c)));
		CHECK(apmu_uarch_find(apmu_uarch_at(c)->name) == apmu_uarch_at(c));
		for (; apmu_uarch_param(apmu_uarch_at(c), i, &f); i++)
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
		struct apmu_uarch_param before, after;
		for (size_t i = 0; apmu_uarch_param(&p, i, &before); i++) {
			CHECK_EQ(apmu_uarch_set(&p, before.key, before.value), APMU_OK);
			CHECK(apmu_uarch_param(&p, i, &after));
			CHECK_STR(after.value, before.value);
			CHECK_STR(after.source, before.source);
		}
	}
}

static void check_figure(const struct apmu_uarch_params *p, const char *key, const char *value,
			 const char *source)
{
	struct apmu_uarch_param f;
	for (size_t i = 0; apmu_uarch_param(p, i, &f); i++) {
		if (strcmp(f.key, key) != 0)
			continue;
		CHECK_STR(f.value, value);
		CHECK_STR(f.source, source);
		return;
	}
	fail_msg("no parameter %s", key);
}

TEST(a_changed_figure_says_that_the_user_set_it)
{
	struct apmu_uarch_params p = row("arm1176");
	check_figure(&p, "tlb_hit", "8", "as arm1136: 7C11");
	check_figure(&p, "l1d.replace", "random",
		     "as arm1136: pseudo-random is the reset state of CP15 RR, unverified");
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
	check_impossible("fetch_bytes", "12", "fetch_bytes");
	check_impossible("fetch_bytes", "64", "fetch_bytes"); /* a line has 32 bytes */
	check_impossible("rob", "64", "folding");
	check_impossible("shared", "1", "shared");
	check_impossible("itlb.ways", "3", "itlb");
	check_impossible("dtlb.replace", "plru", "dtlb"); /* 10 ways */
	check_impossible("tlb.entries", "96", "tlb");
	check_impossible("page", "5000", "page");
	check_impossible("btb", "100", "btb");
	struct apmu_uarch_params p = row("arm1136");
	p.l1d.ways = 0; /* not through apmu_uarch_set() */
	CHECK(apmu_uarch_check(&p) != NULL);
	p = row("xscale1"); /* its mini cache has lines as long as those of L1 */
	p.mini.line = 64;
	CHECK(strncmp(apmu_uarch_check(&p), "mini", 4) == 0);
}

TEST(a_unit_that_is_missing_may_be_of_any_shape)
{
	struct apmu_uarch_params p = row("arm1136");
	p.mini.line = 64;
	assert_null(apmu_uarch_check(&p));
}

static void check_explained(const char *key, const char *value, const char *sentence)
{
	struct apmu_uarch_params p = row("arm1136");
	char text[200];
	CHECK(!apmu_uarch_explain(&p, text, sizeof(text)));
	CHECK_EQ(apmu_uarch_set(&p, key, value), APMU_OK);
	CHECK(apmu_uarch_explain(&p, text, sizeof(text)));
	CHECK_STR(text, sentence);
}

TEST(what_is_impossible_is_explained_with_what_would_do) /* 4 ways of 32 bytes: 128 x a power of two */
{
	check_explained(
		"l1d.size", "1000",
		"l1d: size is not ways x line x a power of two of sets: 1000 in 4 ways of 32 bytes a line; "
		"512 or 1024 would do");
	check_explained(
		"l1d.size", "32",
		"l1d: size is not ways x line x a power of two of sets: 32 in 4 ways of 32 bytes a line; "
		"128 would do");
	check_explained(
		"l1i.line", "48",
		"l1i: size is not ways x line x a power of two of sets: 32768 in 4 ways of 48 bytes a "
		"line, which is not a power of two");
	check_explained(
		"itlb.ways", "3",
		"itlb: entries are not ways x a power of two of sets: 10 in 3 ways; 6 or 12 would do");
	struct apmu_uarch_params p = row("arm1136");
	char text[200];
	p.l1d.ways = 65;
	CHECK(apmu_uarch_explain(&p, text, sizeof(text)));
	CHECK_STR(text, "l1d.ways is 65, which is not a number from 1 to 64");
}

/* Checks that the file is refused at this line with this message. */
static void check_refused(const char *file, unsigned line, const char *sentence)
{
	struct apmu_uarch_params p = row("arm1136"), before = p;
	struct apmu_uarch_fault fault;
	CHECK(apmu_uarch_read(&p, file, &fault) != APMU_OK);
	CHECK_EQ(fault.line, line);
	CHECK_STR(fault.text, sentence);
	CHECK(memcmp(&p, &before, sizeof(p)) == 0);
}

TEST(a_file_is_refused_by_the_line_that_spoils_it)
{
	check_refused("l1i.line = 64\nl2.size = 65536\nl2.ways = 8\nl2.latency = 9\nl2.line = 32\n", 5,
		      "l2: its line is shorter than one of L1: 32 bytes; l1i has 64, l1d 32, l2 32");
	check_refused("memory = 5\n\nbtb = 100\nmisses = 2", 3,
		      "btb: not a power of two: 100; 64 or 128 would do");
	check_refused("page = 5000\nmemory = 5", 1, "page: not a power of two: 5000; 4096 or 8192 would do");
	check_refused("misses = 30\nmemory = 9\nstore_buffer = 5\nmemory", 4,
		      "'memory' is no parameter: key = value \"source\"");
	check_refused("misses = 30\nstore_buffer = 5\nmemory = 9", 2,
		      "misses, store_buffer: more than 32 together");
	check_refused("rob = 64\nmemory = 9", 1,
		      "folding: only in order; with a reorder window (rob) it is 0");
	check_refused("memory = 9\nbtb = 64\nmemory = 9", 3, "memory stands twice: in line 1 too");
	check_refused("memory = 9 10", 1, "'10' behind the value is no source: key = value \"source\"");
	check_refused("memory = 9 \"a\" b", 1,
		      "'\"a\" b' behind the value is no source: key = value \"source\"");
	check_refused("memory = 9 \"a", 1, "'\"a' behind the value is no source: key = value \"source\"");
	check_refused("memory = \"9\"", 1, "memory cannot be '': it is a number from 0 to 65535");
	check_refused("l1d.size = 512Kb", 1, "l1d.size cannot be '512Kb': it is a number from 0 to 1048576");
	check_refused("like xscale1\nlike arm1176", 2,
		      "'like arm1176' is the second 'like': a machine begins as one row");
	check_refused("memory = 9\nuarch mine \"late\"", 2, "'uarch mine \"late\"' is not the first line");
	check_refused("\n# nothing\n", 0, "no parameter in it: key = value \"source\"");
	check_refused("l2.ways = 8\nl2.line = 64\nmemory = 9", 1,
		      "l2.ways has no effect where l2.size is 0: set l2.size too");
}

TEST(a_file_is_read_as_editors_write_it)
{
	struct apmu_uarch_params p = row("arm1136");
	struct apmu_uarch_fault fault;
	CHECK_EQ(apmu_uarch_read(&p,
				 "\xEF\xBB\xBFuarch\tmine \"#1\"\r\nmemory\t=\t7 \"issue #5\" # mine\r\n"
				 "l2.size = 0\r\nl2.ways = 8\r\npage = 0x2000",
				 &fault),
		 APMU_OK);
	CHECK_EQ(p.memory, 7);
	CHECK_EQ(p.page, 8192);
}

/* Setting all parameters that a row prints turns any other row into that row. */
TEST(a_row_that_is_written_down_reads_back)
{
	static char file[65536];
	for (size_t c = 0; c < apmu_uarch_count(); c++) {
		struct apmu_uarch_params p = row("xscale2");
		struct apmu_uarch_fault fault;
		struct apmu_uarch_param f, now;
		size_t used = 0;
		for (size_t i = 0; apmu_uarch_param(apmu_uarch_at(c), i, &f); i++)
			used += (size_t)snprintf(file + used, sizeof(file) - used, "%s = %s \"%s\"\n", f.key,
						 f.value, f.source);
		CHECK_EQ(apmu_uarch_read(&p, file, &fault), APMU_OK);
		for (size_t i = 0; apmu_uarch_param(apmu_uarch_at(c), i, &f) && apmu_uarch_param(&p, i, &now);
		     i++)
			CHECK_STR(now.value, f.value);
	}
}

static bool is_idle(const struct apmu_uarch_params *p, const char *key)
{
	char why[200];
	return apmu_uarch_idle(p, key, why, sizeof(why)) != NULL;
}

TEST(two_schedulers_at_most_feed_a_group)
{
	struct apmu_uarch_params p = row("cortex-a72"); /* groups 8 and 9 within 6 */
	assert_null(apmu_uarch_check(&p));
	CHECK_EQ(apmu_uarch_set(&p, "within.11", "6"), APMU_OK);
	assert_null(apmu_uarch_check(&p));
	CHECK_EQ(apmu_uarch_set(&p, "schedulers.11", "8"), APMU_OK);
	CHECK(strncmp(apmu_uarch_check(&p), "schedulers", 10) == 0);
	CHECK_EQ(apmu_uarch_set(&p, "schedulers.6", "8"), APMU_OK); /* group 6 has one of its own */
	assert_null(apmu_uarch_check(&p));
}

TEST(a_group_of_pipes_matters_where_one_that_is_used_is_within_it_or_holds_it)
{
	struct apmu_uarch_params p = row("generic-ooo");
	CHECK(is_idle(&p, "pipes.11"));
	CHECK_EQ(apmu_uarch_set(&p, "pipes.11", "1"), APMU_OK);
	CHECK_EQ(apmu_uarch_set(&p, "within.11", "1"), APMU_OK);
	CHECK(is_idle(&p, "pipes.11"));
	CHECK(!is_idle(&p, "within.11")); /* its scheduler feeds the pipes of group 1 */
	CHECK_EQ(apmu_uarch_set(&p, "within.11", "0"), APMU_OK);
	CHECK_EQ(apmu_uarch_set(&p, "pipes.11", "8"), APMU_OK);
	CHECK_EQ(apmu_uarch_set(&p, "within.1", "11"), APMU_OK);
	CHECK(!is_idle(&p, "pipes.11"));
	CHECK(!is_idle(&p, "within.1"));
	assert_null(apmu_uarch_check(&p));
}
