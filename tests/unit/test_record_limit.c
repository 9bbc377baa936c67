/* SPDX-License-Identifier: MIT */
/* When the plugin frees the records of a program's blocks, and when it keeps more of them instead. */
#include "test.h"

#include "qemu/record_limit.h"

#include <stdlib.h>

#define RECORD 1000u /* bytes */

struct program {
	struct apmu_qemu__record_limit limit;
	size_t bytes;
	unsigned freed;
};

static struct program *new_program(void)
{
	struct program *p = calloc(1, sizeof *p);

	assert_non_null(p);
	return p;
}

/* Makes a block; frees all records where the limit says so. */
static void make(struct program *p, uint64_t addr)
{
	apmu_qemu__limit_made(&p->limit, addr);
	p->bytes += RECORD;
	if (!apmu_qemu__limit_passed(&p->limit, p->bytes))
		return;
	apmu_qemu__limit_freed(&p->limit);
	p->bytes = 0;
	p->freed++;
}

/* Runs through `blocks` blocks of code, of which each is made if it has no record. */
static void pass(struct program *p, uint64_t code, size_t blocks)
{
	unsigned *made_in = calloc(blocks, sizeof *made_in);

	assert_non_null(made_in);
	for (unsigned round = 0; round < 20; round++)
		for (size_t i = 0; i < blocks; i++)
			if (made_in[i] != p->freed + 1) {
				made_in[i] = p->freed + 1;
				make(p, code + 16 * i);
			}
	free(made_in);
}

TEST(a_program_below_the_limit_keeps_its_records)
{
	struct program *p = new_program();

	pass(p, 0x400000, 40000);
	CHECK_EQ(p->freed, 0);
	free(p);
}

TEST(a_program_of_more_code_than_the_limit_gets_a_higher_one)
{
	struct program *p = new_program();

	pass(p, 0x400000, 200000);
	CHECK(p->freed >= 1 && p->freed <= 8);
	CHECK(p->limit.limit >= (size_t)200000 * RECORD);
	CHECK(p->limit.limit <= (size_t)2 * 200000 * RECORD);
	free(p);
}

TEST(code_that_runs_once_is_freed)
{
	struct program *p = new_program();

	for (size_t i = 0; i < 1000000; i++)
		make(p, 0x400000 + 16 * i);
	CHECK_EQ(p->limit.limit, APMU_QEMU__LIMIT_FIRST);
	CHECK_EQ(p->freed, 1000000 / (APMU_QEMU__LIMIT_FIRST / RECORD + 1));
	free(p);
}

TEST(code_that_is_written_again_and_again_is_freed)
{
	struct program *p = new_program();

	for (size_t i = 0; i < 1000000; i++)
		make(p, 0x400000 + 16 * (i % 5000));
	CHECK_EQ(p->limit.limit, APMU_QEMU__LIMIT_FIRST);
	CHECK_EQ(p->freed, 1000000 / (APMU_QEMU__LIMIT_FIRST / RECORD + 1));
	free(p);
}

TEST(the_limit_has_an_end)
{
	struct program *p = new_program();

	pass(p, 0x400000, 900000);
	CHECK(p->limit.limit <= APMU_QEMU__LIMIT_MOST);
	CHECK(p->freed > 3);
	free(p);
}
