/* SPDX-License-Identifier: MIT */
/* The flash's second bank against Intel's command set (JEP137B 0x0001), two chips side by side; the PL031
 * against DDI0224. */
#include "board_bench.h"

#define FLASH 0x04000000u
#define BLOCK 0x40000u
#define RTC   0x09010000u
#define READY 0x00800080u

static uint8_t bytes[APMU_BOARD__NOR_FLASH_SIZE];

static void with_flash(struct board_bench *b)
{
	struct apmu_board__config config = {.transmit = board_bench_sent, .ctx = b, .nor_flash = bytes};

	memset(b, 0, sizeof(*b));
	memset(bytes, 0xFF, sizeof bytes);
	apmu_board__init(&b->board, apmu_board__find("virt"), &config);
}

TEST(a_word_is_programmed_by_clearing_bits)
{
	struct board_bench b;

	with_flash(&b);
	CHECK_EQ(get(&b, FLASH + 8), 0xFFFFFFFF);
	put(&b, FLASH, 0x00400040);
	put(&b, FLASH + 8, 0x12345678);
	CHECK_EQ(get(&b, FLASH + 8), READY);
	put(&b, FLASH, 0x00400040);
	put(&b, FLASH + 8, 0xFFFF0000);
	put(&b, FLASH, 0x00FF00FF);
	CHECK_EQ(get(&b, FLASH + 8), 0x12340000);
	CHECK_EQ(get(&b, FLASH + 4), 0xFFFFFFFF);
	CHECK_EQ(get_sized(&b, FLASH + 10, 2), 0x1234);
}

TEST(an_erase_sets_the_bits_of_its_block_alone)
{
	struct board_bench b;

	with_flash(&b);
	memset(bytes, 0, sizeof bytes);
	put(&b, FLASH + BLOCK + 16, 0x00200020);
	put(&b, FLASH + BLOCK + 16, 0x00D000D0);
	CHECK_EQ(get(&b, FLASH), READY);
	put(&b, FLASH, 0x00FF00FF);
	CHECK_EQ(get(&b, FLASH + BLOCK - 4), 0);
	CHECK_EQ(get(&b, FLASH + BLOCK), 0xFFFFFFFF);
	CHECK_EQ(get(&b, FLASH + 2 * BLOCK - 4), 0xFFFFFFFF);
	CHECK_EQ(get(&b, FLASH + 2 * BLOCK), 0);
}

TEST(an_erase_that_is_not_confirmed_does_nothing_and_says_so)
{
	struct board_bench b;

	with_flash(&b);
	memset(bytes, 0, sizeof bytes);
	put(&b, FLASH, 0x00200020);
	put(&b, FLASH, 0x00FF00FF);
	CHECK_EQ(get(&b, FLASH), 0x00B000B0);
	put(&b, FLASH, 0x00500050);
	CHECK_EQ(get(&b, FLASH), 0);
}

TEST(a_buffer_takes_its_words_and_one_confirmation)
{
	struct board_bench b;

	with_flash(&b);
	put(&b, FLASH, 0x00E800E8);
	CHECK_EQ(get(&b, FLASH), READY);
	put(&b, FLASH, 0x00010001); /* two words */
	put(&b, FLASH + 32, 0x11111111);
	put(&b, FLASH + 36, 0x22222222);
	put(&b, FLASH, 0x00D000D0);
	CHECK_EQ(get(&b, FLASH), READY);
	put(&b, FLASH, 0x00FF00FF);
	CHECK_EQ(get(&b, FLASH + 32), 0x11111111);
	CHECK_EQ(get(&b, FLASH + 36), 0x22222222);
	CHECK_EQ(get(&b, FLASH + 40), 0xFFFFFFFF);
}

TEST(an_access_over_the_end_of_the_flash_reads_zero_and_writes_nothing)
{
	struct board_bench b;

	with_flash(&b);
	CHECK_EQ(get_sized(&b, FLASH + APMU_BOARD__NOR_FLASH_SIZE - 2, 4), 0);
	put(&b, FLASH, 0x00400040);
	CHECK(apmu_board__write(&b.board, FLASH + APMU_BOARD__NOR_FLASH_SIZE - 2, 8, 0));
	CHECK_EQ(bytes[sizeof bytes - 1], 0xFF);
}

TEST(the_clock_counts_seconds_from_what_was_loaded)
{
	static const uint8_t id[] = {0x31, 0x10, 0x04, 0x00, 0x0D, 0xF0, 0x05, 0xB1}; /* DDI0224C 3.3.9 */
	struct board_bench b;

	with_flash(&b);
	CHECK_EQ(get(&b, RTC), 0);
	apmu_board__advance(&b.board, 2500000000u);
	CHECK_EQ(get(&b, RTC), 2);
	put(&b, RTC + 8, 1000);
	apmu_board__advance(&b.board, 4000000000u);
	CHECK_EQ(get(&b, RTC), 1002);
	CHECK_EQ(get(&b, RTC + 8), 1000);
	identifies(&b, RTC, id);
}
