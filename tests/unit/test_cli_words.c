/* SPDX-License-Identifier: MIT */
/* Words of the command line: event lists, numbers, register encodings, the nearest name. */
#include "cli/common/events.h"
#include "cli/common/register_encoding.h"
#include "cli/common/suggest.h"
#include "test.h"

#include <stdlib.h>

static struct cli__rows parsed;

/* Parses a list into `parsed`; returns the exit code. */
static int parse(const char *list)
{
	struct cli__cli cli = {.out = stdout, .err = fopen("/dev/null", "w"), .command = "stat"};
	int code;

	cli__rows_free(&parsed);
	code = cli__rows_parse(&cli, &parsed, list);
	fclose(cli.err);
	return code;
}

TEST(events_outside_braces_are_groups_of_one)
{
	CHECK_EQ(parse("cycles,{0x0b,r0c}:u,BR_EXEC:u"), 0);
	CHECK_EQ(parsed.n, 4);
	CHECK_STR(parsed.row[0].label, "cycles");
	CHECK_STR(parsed.row[3].label, "BR_EXEC");
	CHECK_EQ(parsed.row[1].group, parsed.row[2].group);
	CHECK(parsed.row[0].group != parsed.row[1].group && parsed.row[2].group != parsed.row[3].group);
	CHECK_EQ(parsed.groups, 3);
}

TEST(lists_that_cannot_be_meant_are_refused)
{
	static const char *const bad[] = {
		"",
		",",
		"a,",
		",a",
		"{",
		"}",
		"{}",
		"{a",
		"{a,}",
		"{a{b}}",
		"a}",
		"a{b}",
		"{a}b",
		"a:",
		"cpu/a",
		"cpu//",
		"cpu/a=1/",
		"cpu/a,b=1/",
		"armv8_pmuv3/a/k",
		"a:k",
		"a:uk",
		"a:q",
		"{a}:k",
		"a::u",
		"a:u:u",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		CHECK_EQ(parse(bad[i]), CLI__EXIT_USAGE);
}

TEST(a_name_may_be_in_any_case_and_a_number_raw)
{
	const struct apmu_core *core = apmu_core_find("arm1136");
	struct cli__cli cli = {.out = stdout, .err = stderr, .command = "stat"};
	struct cli__wanted *w;

	CHECK_EQ(parse("Br-Exec,branch_misses,0x0B,R0b,Cycles"), 0);
	w = cli__wanted_of(&cli, &parsed, core, &core, 1);
	CHECK(w != NULL);
	CHECK_EQ(w[0].number, 0x05);
	CHECK_EQ(w[1].number, 0x06);
	CHECK(w[2].raw && w[2].number == 0x0B);
	CHECK(w[3].raw && w[3].number == 0x0B);
	CHECK(w[4].cycles);
	free(w);
}

TEST(the_signals_of_an_event_are_all_that_a_run_must_produce)
{
	const struct apmu_core *core = apmu_core_find("arm1136");
	struct cli__cli cli = {.out = stdout, .err = stderr, .command = "stat"};
	uint64_t set[APMU_SIGNAL_WORDS] = {0};
	struct cli__wanted *w;

	CHECK_EQ(parse("instructions,branches"), 0);
	w = cli__wanted_of(&cli, &parsed, core, &core, 1);
	CHECK(w != NULL);
	cli__wanted_signals(core, &w[0], set);
	cli__wanted_signals(core, &w[1], set);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		CHECK_EQ(apmu_signal_in(set, s), s == APMU_SIG_INST || s == APMU_SIG_BR_EXEC);
	free(w);
}

TEST(numbers_are_decimal_or_hexadecimal_and_nothing_else)
{
	uint64_t n = 0;

	CHECK(cli__number("12", 100, &n) && n == 12);
	CHECK(cli__number("0x7F", 0xFF, &n) && n == 0x7F);
	CHECK(cli__number("0xffffffffffffffff", UINT64_MAX, &n) && n == UINT64_MAX);
	CHECK(!cli__number("101", 100, &n));
	CHECK(!cli__number("0x10000000000000000", UINT64_MAX, &n));
	CHECK(!cli__number("", 100, &n) && !cli__number("0x", 100, &n) && !cli__number("-1", 100, &n));
	CHECK(!cli__number("1 ", 100, &n) && !cli__number("1e3", 10000, &n));
}

TEST(an_encoding_reads_as_the_manuals_write_it)
{
	static const char *const good[] = {
		"p15,0,c15,c12,0",        "cp15 0,c15,c12,0", "P15, 0, C15, C12, 0",
		"mrc p15,0,r3,c15,c12,0", "p15,0,c15,c12",
	};
	static const char *const bad[] = {
		"",
		"p15",
		"p15,0",
		"p15,0,c16,c12,0",
		"p15,0,c15,c12,0,0",
		"p15,0,c15x,c12,0",
		"x15,0,c15,c12,0",
		"PMNC",
	};
	struct apmu_encoding at;
	char text[CLI__ENCODING];

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		CHECK(cli__encoding_parse(good[i], &at));
		CHECK_EQ(at.encoding, apmu_cp(15, 0, 15, 12, 0));
		cli__encoding_text(text, &at);
		CHECK_STR(text, "p15,0,c15,c12,0");
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		CHECK(!cli__encoding_parse(bad[i], &at));
}

TEST(the_nearest_name_is_found_and_a_far_one_is_not_offered)
{
	struct cli__nearest near = {.want = "branchmisses"};

	cli__nearest_offer(&near, "branches");
	cli__nearest_offer(&near, "branch-misses");
	cli__nearest_offer(&near, "cache-misses");
	CHECK_STR(cli__nearest(&near), "branch-misses");
	near = (struct cli__nearest){.want = "zzzz"};
	cli__nearest_offer(&near, "cycles");
	CHECK(cli__nearest(&near) == NULL);
}
