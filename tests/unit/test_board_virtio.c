/* SPDX-License-Identifier: MIT */
/* Virtio devices on memory-mapped transports, against Virtual I/O Device 1.2: registers (4.2.2), split
 * virtqueues (2.7), block device (5.2), console (5.3). Memory is 64 KiB at 0x40000000. */
#include "board_bench.h"

#define RAM      0x40000000u
#define RAM_SIZE 0x10000u
#define BUS(n)   (0x0A000000u + 0x200u * (n))
#define DRIVE    BUS(31)
#define CONSOLE  BUS(3)
#define SECTORS  4u
#define FIRST_ID 48u /* INTID of transport 0 */

/* Where the driver of these tests puts its queue of 8 descriptors. */
#define SIZE      8u
#define DESC      (RAM + 0x1000)
#define AVAIL     (RAM + 0x2000)
#define USED      (RAM + 0x3000)
#define HEADER    (RAM + 0x4000)
#define DATA      (RAM + 0x5000)
#define STATUS_AT (RAM + 0x6000)

enum { NEXT = 1, WRITE = 2 };

static uint8_t ram[RAM_SIZE], drive[SECTORS * 512], typed[] = "typed";
static char warned[400];
static unsigned warnings;

static bool ram_read(void *ctx, uint64_t address, void *to, size_t n)
{
	(void)ctx;
	if (address < RAM || address - RAM > RAM_SIZE || n > RAM_SIZE - (address - RAM))
		return false;
	memcpy(to, ram + (address - RAM), n);
	return true;
}

static bool ram_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	(void)ctx;
	if (address < RAM || address - RAM > RAM_SIZE || n > RAM_SIZE - (address - RAM))
		return false;
	memcpy(ram + (address - RAM), from, n);
	return true;
}

static void warn(void *ctx, const char *line)
{
	(void)ctx;
	warnings++;
	snprintf(warned, sizeof warned, "%s", line);
}

static void plugged(struct board_bench *b, const char *board, bool writable)
{
	const struct apmu_board__virtio_config devices[] = {
		{APMU_BOARD__VIRTIO_BLOCK, 31, writable, drive, sizeof drive},
		{APMU_BOARD__VIRTIO_CONSOLE, 3, false, typed, sizeof typed - 1},
	};
	struct apmu_board__config config = {.transmit = board_bench_sent,
					    .ctx = b,
					    .virtio = devices,
					    .virtios = 2,
					    .memory = {ram_read, ram_write, NULL},
					    .warn = warn};

	memset(b, 0, sizeof(*b));
	memset(ram, 0, sizeof ram);
	for (unsigned i = 0; i < sizeof drive; i++)
		drive[i] = (uint8_t)(i / 512 * 16 + i % 7);
	warnings = 0;
	apmu_board__init(&b->board, apmu_board__find(board), &config);
}

static void poke(uint64_t address, unsigned n, uint64_t value)
{
	for (unsigned i = 0; i < n; i++)
		ram[address - RAM + i] = (uint8_t)(value >> 8 * i);
}

static uint64_t peek(uint64_t address, unsigned n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | ram[address - RAM + n];
	return value;
}

/* 3.1.1: reset, acknowledge, driver, features, features_ok, queues, driver_ok. */
static void bring_up(struct board_bench *b, uint32_t at, unsigned queue)
{
	put(b, at + 0x070, 0);
	put(b, at + 0x070, 1);
	put(b, at + 0x070, 3);
	put(b, at + 0x024, 1);
	put(b, at + 0x020, 1); /* VERSION_1 */
	put(b, at + 0x070, 11);
	CHECK_EQ(get(b, at + 0x070), 11);
	put(b, at + 0x030, queue);
	put(b, at + 0x038, SIZE);
	put(b, at + 0x080, DESC);
	put(b, at + 0x090, AVAIL);
	put(b, at + 0x0A0, USED);
	put(b, at + 0x044, 1);
	put(b, at + 0x070, 15);
}

static void descriptor(unsigned i, uint64_t address, uint32_t size, unsigned flags, unsigned next)
{
	poke(DESC + 16 * i, 8, address);
	poke(DESC + 16 * i + 8, 4, size);
	poke(DESC + 16 * i + 12, 2, flags);
	poke(DESC + 16 * i + 14, 2, next);
}

static void offer(struct board_bench *b, uint32_t at, unsigned queue, unsigned head)
{
	unsigned index = (unsigned)peek(AVAIL + 2, 2);

	poke(AVAIL + 4 + 2 * (index % SIZE), 2, head);
	poke(AVAIL + 2, 2, index + 1);
	put(b, at + 0x050, queue);
}

/* A request in three buffers: header, data, status. */
static void request(struct board_bench *b, uint32_t type, uint64_t sector, uint32_t size, unsigned data_flags)
{
	poke(HEADER, 4, type);
	poke(HEADER + 8, 8, sector);
	poke(STATUS_AT, 1, 0xEE);
	descriptor(0, HEADER, 16, NEXT, 1);
	descriptor(1, DATA, size, NEXT | data_flags, 2);
	descriptor(2, STATUS_AT, 1, WRITE, 0);
	offer(b, DRIVE, 0, 0);
}

TEST(a_transport_without_a_device_reads_id_0)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	CHECK_EQ(get(&b, BUS(0)), 0x74726976);
	CHECK_EQ(get(&b, BUS(0) + 4), 2);
	CHECK_EQ(get(&b, BUS(0) + 8), 0);
	CHECK_EQ(get(&b, DRIVE + 8), 2);
	CHECK_EQ(get(&b, CONSOLE + 8), 3);
	put(&b, BUS(0) + 0x070, 15);
	CHECK_EQ(get(&b, BUS(0) + 0x070), 0);
}

TEST(features_without_version_1_or_not_offered_are_refused)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	CHECK_EQ(get(&b, DRIVE + 0x010), 1u << 5 | 1u << 2); /* read-only, seg_max */
	put(&b, DRIVE + 0x014, 1);
	CHECK_EQ(get(&b, DRIVE + 0x010), 1);
	put(&b, DRIVE + 0x070, 11);
	CHECK_EQ(get(&b, DRIVE + 0x070), 3);
	put(&b, DRIVE + 0x024, 1);
	put(&b, DRIVE + 0x020, 3); /* access platform is not offered */
	put(&b, DRIVE + 0x070, 11);
	CHECK_EQ(get(&b, DRIVE + 0x070), 3);
	put(&b, DRIVE + 0x020, 1);
	put(&b, DRIVE + 0x070, 11);
	CHECK_EQ(get(&b, DRIVE + 0x070), 11);
}

TEST(the_configuration_has_the_capacity_in_any_size)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	CHECK_EQ(get(&b, DRIVE + 0x100), SECTORS);
	CHECK_EQ(get_sized(&b, DRIVE + 0x100, 1), SECTORS);
	CHECK_EQ(get_sized(&b, DRIVE + 0x100, 8), SECTORS);
	CHECK_EQ(get(&b, DRIVE + 0x10C), 254);
	CHECK_EQ(get(&b, CONSOLE + 0x100), 0);
}

TEST(a_read_brings_the_sector_its_length_and_an_interrupt)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	put(&b, 0x08000000, 1); /* the distributor and the CPU interface, SPI 16 + 31 */
	put(&b, 0x08010000, 1);
	put(&b, 0x08010004, 0xFF);
	put(&b, 0x08000100 + 4 * ((FIRST_ID + 31) / 32), 1u << (FIRST_ID + 31) % 32);
	bring_up(&b, DRIVE, 0);
	CHECK_EQ(lines(&b), 0);
	request(&b, 0, 2, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
	CHECK(memcmp(ram + (DATA - RAM), drive + 1024, 512) == 0);
	CHECK_EQ(peek(DATA + 512, 8), 0);
	CHECK_EQ(peek(USED + 2, 2), 1);
	CHECK_EQ(peek(USED + 4, 4), 0);
	CHECK_EQ(peek(USED + 8, 4), 513);
	CHECK_EQ(get(&b, DRIVE + 0x060), 1);
	CHECK_EQ(lines(&b), IRQ);
	CHECK_EQ(get(&b, 0x0801000C), FIRST_ID + 31);
	put(&b, DRIVE + 0x064, 1);
	CHECK_EQ(get(&b, DRIVE + 0x060), 0);
	CHECK_EQ(lines(&b), 0);
}

TEST(buffers_may_be_cut_anywhere)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	poke(HEADER, 4, 0);
	poke(HEADER + 8, 8, 1);
	descriptor(0, HEADER, 5, NEXT, 4);
	descriptor(4, HEADER + 5, 11, NEXT, 5);
	descriptor(5, DATA, 100, NEXT | WRITE, 6);
	descriptor(6, DATA + 100, 413, WRITE, 0); /* the last of its bytes is the status */
	poke(DATA + 512, 1, 0xEE);
	offer(&b, DRIVE, 0, 0);
	CHECK(memcmp(ram + (DATA - RAM), drive + 512, 512) == 0);
	CHECK_EQ(peek(DATA + 512, 1), 0);
	CHECK_EQ(peek(USED + 8, 4), 513);
	CHECK_EQ(warnings, 0);
}

TEST(a_drive_is_written_only_if_it_is_writable)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	memset(ram + (DATA - RAM), 0xAB, 512);
	request(&b, 1, 1, 512, 0);
	CHECK_EQ(peek(STATUS_AT, 1), 1);
	CHECK(drive[512] != 0xAB);
	plugged(&b, "virt", true);
	CHECK_EQ(get(&b, DRIVE + 0x010), 1u << 9 | 1u << 2); /* flush, seg_max */
	bring_up(&b, DRIVE, 0);
	memset(ram + (DATA - RAM), 0xAB, 512);
	request(&b, 1, 1, 512, 0);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
	CHECK(drive[511] != 0xAB && drive[512] == 0xAB && drive[1023] == 0xAB && drive[1024] != 0xAB);
	CHECK_EQ(peek(USED + 8, 4), 1);
}

TEST(what_lies_beyond_the_drive_or_is_no_request_fails)
{
	struct board_bench b;

	plugged(&b, "virt", true);
	bring_up(&b, DRIVE, 0);
	request(&b, 0, SECTORS, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 1);
	request(&b, 0, SECTORS - 1, 1024, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 1);
	request(&b, 0, UINT64_MAX, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 1);
	request(&b, 0, 0, 500, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 1);
	request(&b, 77, 0, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 2);
	request(&b, 4, 0, 512, 0);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
	request(&b, 8, 0, 20, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
	CHECK(strcmp((char *)ram + (DATA - RAM), "apmu drive") == 0);
	CHECK_EQ(warnings, 0);
}

/* Checks that a wrong ring stops the device: one message, no more work until a reset. */
static void stops(struct board_bench *b, const char *because)
{
	CHECK_EQ(warnings, 1);
	CHECK(strstr(warned, because) != NULL);
	CHECK(strstr(warned, "virtio block device at 0xa003e00, queue 0: ") != NULL);
	CHECK_EQ(get(b, DRIVE + 0x070), 15 | 0x40);
	CHECK_EQ(get(b, DRIVE + 0x060) & 2, 2);
	put(b, DRIVE + 0x050, 0);
	CHECK_EQ(warnings, 1);
	put(b, DRIVE + 0x070, 0);
	CHECK_EQ(get(b, DRIVE + 0x070), 0);
	bring_up(b, DRIVE, 0);
	poke(AVAIL + 2, 2, 0);
	request(b, 0, 0, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
}

TEST(wrong_rings_stop_the_device_with_one_line)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	offer(&b, DRIVE, 0, 8);
	stops(&b, "descriptor 8 of 8 is named");
	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	descriptor(1, HEADER, 16, NEXT, 1);
	offer(&b, DRIVE, 0, 1);
	stops(&b, "the chain from descriptor 1 has no end");
	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	descriptor(1, HEADER, 16, WRITE | NEXT, 2);
	descriptor(2, HEADER, 16, 0, 0);
	offer(&b, DRIVE, 0, 1);
	stops(&b, "descriptor 2 is to be read and follows one to be written");
	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	descriptor(1, HEADER, 16, 4, 2);
	offer(&b, DRIVE, 0, 1);
	stops(&b, "descriptor 1 has flags 0x4");
	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	poke(AVAIL + 2, 2, 9);
	put(&b, DRIVE + 0x050, 0);
	stops(&b, "the available index is 9 after 0, in a queue of 8");
	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	descriptor(0, 0x1000, 16, NEXT, 1);
	descriptor(1, STATUS_AT, 1, WRITE, 0);
	offer(&b, DRIVE, 0, 0);
	stops(&b, "a buffer at 0x1000 is not in RAM");
}

TEST(rings_that_are_not_in_ram_stop_the_device)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	put(&b, DRIVE + 0x044, 0);
	put(&b, DRIVE + 0x094, 1);
	put(&b, DRIVE + 0x044, 1);
	put(&b, DRIVE + 0x050, 0);
	stops(&b, "the available ring at 0x140002000 is not in RAM");
}

TEST(a_queue_that_is_ready_keeps_its_place_and_odd_sizes_make_none_ready)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	put(&b, DRIVE + 0x080, 0);
	request(&b, 0, 0, 512, WRITE);
	CHECK_EQ(peek(STATUS_AT, 1), 0);
	put(&b, DRIVE + 0x044, 0);
	put(&b, DRIVE + 0x038, 7);
	put(&b, DRIVE + 0x044, 1);
	CHECK_EQ(get(&b, DRIVE + 0x044), 0);
	put(&b, DRIVE + 0x030, 1);
	CHECK_EQ(get(&b, DRIVE + 0x034), 0);
}

TEST(no_interrupt_where_the_driver_wants_none)
{
	struct board_bench b;

	plugged(&b, "virt", false);
	bring_up(&b, DRIVE, 0);
	poke(AVAIL, 2, 1);
	request(&b, 0, 0, 512, WRITE);
	CHECK_EQ(peek(USED + 2, 2), 1);
	CHECK_EQ(get(&b, DRIVE + 0x060), 0);
}

TEST(a_console_prints_what_is_sent_and_gives_what_is_typed)
{
	struct board_bench b;

	plugged(&b, "virt-gicv3", false);
	bring_up(&b, CONSOLE, 1);
	memcpy(ram + (DATA - RAM), "hello", 5);
	descriptor(0, DATA, 2, NEXT, 1);
	descriptor(1, DATA + 2, 3, 0, 0);
	offer(&b, CONSOLE, 1, 0);
	CHECK(strcmp(b.sent, "hello") == 0);
	CHECK_EQ(peek(USED + 8, 4), 0);
	bring_up(&b, CONSOLE, 0);
	poke(AVAIL + 2, 2, 0);
	poke(USED + 2, 2, 0);
	descriptor(0, DATA + 16, 3, WRITE, 0);
	offer(&b, CONSOLE, 0, 0); /* no input yet; 0.1 s at 1 GHz */
	CHECK_EQ(peek(USED + 2, 2), 0);
	CHECK_EQ(apmu_board__deadline(&b.board), 100000000);
	apmu_board__advance(&b.board, 99999999);
	CHECK_EQ(peek(USED + 2, 2), 0);
	apmu_board__advance(&b.board, 100000000);
	CHECK_EQ(peek(USED + 8, 4), 3);
	CHECK_EQ(apmu_board__deadline(&b.board), APMU_BOARD__NEVER);
	offer(&b, CONSOLE, 0, 0);
	CHECK_EQ(peek(USED + 16, 4), 2);
	CHECK(memcmp(ram + (DATA - RAM) + 16, "edp", 3) == 0);
	offer(&b, CONSOLE, 0, 0); /* waits for input that never comes */
	CHECK_EQ(peek(USED + 2, 2), 2);
	CHECK_EQ(warnings, 0);
}
