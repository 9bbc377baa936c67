/* SPDX-License-Identifier: MIT */
/* A hostile driver against the virtio devices: registers in any order, rings and buffers that the input
 * fills, in 64 KiB of memory. What must hold: nothing outside that memory is touched, a drive that is not
 * writable stays as it is, a device that has complained once says no more until it is reset, and every call
 * ends. */
#include "board/board.h"
#include "bytes.h"

#include <string.h>

#define RAM_BASE 0x40000000u
#define RAM_SIZE 0x10000u
#define SECTORS  8u
#define BUS(n)   (0x0A000000u + 0x200u * (n))

static uint8_t ram[RAM_SIZE], drive[SECTORS * 512], writable[SECTORS * 512], typed[40];
static unsigned warnings;

static uint8_t *reach(uint64_t address, size_t n)
{
	return address >= RAM_BASE && address - RAM_BASE <= RAM_SIZE && n <= RAM_SIZE - (address - RAM_BASE)
		       ? ram + (address - RAM_BASE)
		       : NULL;
}

static bool ram_read(void *ctx, uint64_t address, void *to, size_t n)
{
	const uint8_t *at = reach(address, n);

	(void)ctx;
	return at && memcpy(to, at, n);
}

static bool ram_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	uint8_t *at = reach(address, n);

	(void)ctx;
	return at && memcpy(at, from, n);
}

static void warn(void *ctx, const char *line)
{
	(void)ctx;
	MUST(strlen(line) > 20 && strlen(line) < 239 && !strchr(line, '\n'));
	warnings++;
}

static void put(struct apmu_board__board *board, uint32_t at, uint32_t value)
{
	MUST(apmu_board__write(board, at, 4, value));
}

static uint64_t get(struct apmu_board__board *board, uint32_t at)
{
	uint64_t value = 0;

	MUST(apmu_board__read(board, at, 4, &value));
	return value;
}

/* As a driver does it, with rings at pages that the input chooses. */
static void bring_up(struct apmu_board__board *board, uint32_t at, struct bytes *b)
{
	static const uint32_t steps[][2] = {{0x070, 0}, {0x070, 3}, {0x024, 1}, {0x020, 1}, {0x070, 11}};

	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++)
		put(board, at + steps[i][0], steps[i][1]);
	put(board, at + 0x030, byte(b) & 1);
	put(board, at + 0x038, 1u << (byte(b) & 15));
	for (unsigned i = 0; i < 3; i++)
		put(board, at + 0x080 + 0x10 * i, RAM_BASE + (byte(b) & 15) * 0x1000u);
	put(board, at + 0x044, 1);
	put(board, at + 0x070, 15);
}

/* Bytes, or a descriptor that is mostly right, or an index. */
static void fill(struct bytes *b)
{
	uint32_t at = (uint32_t)word(b, 2), n = byte(b) & 31;
	uint64_t address = RAM_BASE + word(b, 2);
	uint32_t size = (uint32_t)word(b, 2);
	uint16_t rest[2] = {(uint16_t)(byte(b) & 7), byte(b)};

	if (at & 1) {
		for (uint32_t i = 0; i < n; i++)
			ram[(at + i) % RAM_SIZE] = byte(b);
		return;
	}
	at = at / 16 * 16 % (RAM_SIZE - 16);
	memcpy(ram + at, &address, 8);
	memcpy(ram + at + 8, &size, 4);
	memcpy(ram + at + 12, rest, 4);
}

static void act(struct apmu_board__board *board, struct bytes *b)
{
	static const uint8_t buses[] = {0, 7, 31, 5};
	uint32_t at = BUS(buses[byte(b) & 3]);
	unsigned before = warnings, q;
	bool stopped;

	switch (byte(b) & 7) {
	case 0: bring_up(board, at, b); break;
	case 1:
	case 2: fill(b); break;
	case 3: put(board, at + (uint32_t)word(b, 2) % 0x200 / 4 * 4, (uint32_t)word(b, 4)); break;
	case 4: get(board, at + (uint32_t)word(b, 2) % 0x200 / 4 * 4); break;
	case 5:
		put(board, at + 0x064, byte(b));
		apmu_board__advance(board,
				    board->s.now + (uint64_t)byte(b) * 1000000); /* a console's input */
		break;
	default:
		stopped = get(board, at + 0x070) & 0x40;
		q = byte(b) & 3;
		put(board, at + 0x050, q);
		MUST(warnings - before <= (stopped ? 0 : 1));
		MUST(warnings == before || get(board, at + 0x070) & 0x40);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct apmu_board__virtio_config devices[] = {
		{APMU_BOARD__VIRTIO_BLOCK, 31, false, drive, sizeof drive},
		{APMU_BOARD__VIRTIO_BLOCK, 0, true, writable, sizeof writable},
		{APMU_BOARD__VIRTIO_CONSOLE, 7, false, typed, sizeof typed},
	};
	struct apmu_board__config config = {
		.virtio = devices, .virtios = 3, .memory = {ram_read, ram_write, NULL}, .warn = warn};
	static struct apmu_board__board board;
	struct bytes b = {data, size};

	warnings = 0;
	memset(ram, 0, sizeof ram);
	memset(drive, 0x5A, sizeof drive);
	apmu_board__init(&board, apmu_board__find("virt"), &config);
	while (b.left)
		act(&board, &b);
	for (unsigned i = 0; i < sizeof drive; i++)
		MUST(drive[i] == 0x5A);
	return 0;
}
