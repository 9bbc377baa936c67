/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* open_memstream */
#include "cli/common/columns.h"

#include "cli/common/table.h"
#include "test.h"

#include <stdlib.h>

TEST(text_takes_columns_not_bytes)
{
	CHECK_EQ(cli__columns(""), 0);
	CHECK_EQ(cli__columns("plain"), 5);
	CHECK_EQ(cli__columns("gr\xC3\xB6\xC3\x9F"
			      "e"),
		 5);                                           /* two letters of two bytes */
	CHECK_EQ(cli__columns("\xE6\x97\xA5\xE6\x9C\xAC"), 4); /* two ideographs */
	CHECK_EQ(cli__columns("o\xCC\x88"), 1);                /* o and combining dots */
	CHECK_EQ(cli__columns("\xF0\x9F\x98\x80!"), 3);        /* an emoji */
	CHECK_EQ(cli__columns("\xED\x95\x9C\xEF\xBC\xA1\xE2\x82\xAC"),
		 5); /* Hangul, a full-width A, the euro */
}

TEST(a_byte_that_is_no_letter_takes_one)
{
	CHECK_EQ(cli__columns("\xC3"), 1);
	CHECK_EQ(cli__columns("\xC3"
			      "a\xFF\x80"),
		 4);
	CHECK_EQ(cli__columns("\xE6\x97"), 2);
}

TEST(text_is_cut_between_letters)
{
	CHECK_EQ(cli__columns_reach("\xC3\xB6"
				    "ab",
				    2),
		 3);
	CHECK_EQ(cli__columns_reach("a\xE6\x97\xA5", 2), 1);
	CHECK_EQ(cli__columns_reach("o\xCC\x88x", 1), 3);
	CHECK_EQ(cli__columns_reach("ab", 5), 2);
}

TEST(columns_of_a_table_stand_below_each_other)
{
	static const char *const head[] = {"name", "n", "of"};
	struct cli__table table = {.head = head, .right = "LRL", .columns = 3};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	cli__table_add(&table, "\xC3\xB6\xE6\x97\xA5\xE6\x9C\xAC");
	cli__table_add(&table, "1");
	cli__table_add(&table, "x");
	cli__table_add(&table, "ab");
	cli__table_add(&table, "\xC2\xB5");
	cli__table_add(&table, "y");
	cli__table_print(&table, 0, out);
	fclose(out);
	CHECK_STR(text, "name   n  of\n\xC3\xB6\xE6\x97\xA5\xE6\x9C\xAC  1  x\n"
			"ab     \xC2\xB5  y\n");
	free(text);
}

TEST(one_very_long_name_does_not_widen_the_column_of_all)
{
	static const char *const head[] = {"function", "object"};
	char name[201], wanted[512], *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	struct cli__table table = {.head = head, .right = "LL", .columns = 2};

	memset(name, 'f', 200);
	name[200] = '\0';
	cli__table_add(&table, "%s", name);
	cli__table_add(&table, "a.so");
	cli__table_add(&table, "main");
	cli__table_add(&table, "a");
	cli__table_print(&table, 0, out);
	fclose(out);
	snprintf(wanted, sizeof wanted, "%-64s  object\n%s  a.so\n%-64s  a\n", "function", name, "main");
	CHECK_STR(text, wanted);
	free(text);
}
