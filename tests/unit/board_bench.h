/* SPDX-License-Identifier: MIT */
/* A board for tests, with short names for register accesses. */
#ifndef TESTS_UNIT_BOARD_BENCH_H
#define TESTS_UNIT_BOARD_BENCH_H

#include "../test.h"
#include "board/board.h"

#define IRQ (1u << APMU_BOARD__CPU_IRQ)
#define FIQ (1u << APMU_BOARD__CPU_FIQ)

struct board_bench {
	struct apmu_board__board board;
	char sent[64];
	size_t sent_n;
};

static inline void board_bench_sent(void *ctx, uint8_t byte)
{
	struct board_bench *b = ctx;

	if (b->sent_n < sizeof(b->sent) - 1)
		b->sent[b->sent_n++] = (char)byte;
}

static inline void board_bench(struct board_bench *b, const char *name)
{
	struct apmu_board__config config = {.transmit = board_bench_sent, .ctx = b};

	memset(b, 0, sizeof(*b));
	apmu_board__init(&b->board, apmu_board__find(name), &config);
}

static inline uint64_t get_sized(struct board_bench *b, uint64_t address, unsigned size)
{
	uint64_t value = 0;

	CHECK(apmu_board__read(&b->board, address, size, &value));
	return value;
}

static inline uint64_t get(struct board_bench *b, uint64_t address)
{
	return get_sized(b, address, 4);
}

static inline void put(struct board_bench *b, uint64_t address, uint64_t value)
{
	CHECK(apmu_board__write(&b->board, address, 4, value));
}

/* The identification registers of a PrimeCell, PeriphID0 to PCellID3. */
static inline void identifies(struct board_bench *b, uint64_t device, const uint8_t want[8])
{
	for (unsigned i = 0; i < 8; i++)
		CHECK_EQ(get(b, device + 0xFE0 + 4 * i), want[i]);
}

static inline unsigned lines(const struct board_bench *b)
{
	return apmu_board__lines(&b->board);
}

static inline void pmu(struct board_bench *b, bool up)
{
	apmu_board__pmu(&b->board, 0, up);
}

static inline void type(struct board_bench *b, const char *text)
{
	CHECK_EQ(apmu_board__receive(&b->board, (const uint8_t *)text, strlen(text)), strlen(text));
}

#endif
