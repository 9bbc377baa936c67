/* SPDX-License-Identifier: MIT */
/* A hostile program against what the host does for it: semihosting, system calls, loading a program or a
 * kernel. Memory is 64 KiB that the input fills; files are those of an empty folder. What must hold: nothing
 * outside the memory is touched, mappings and their list agree, and outside the folder no file appears. */
#define _GNU_SOURCE /* O_DIRECTORY */
#include "board/image.h"
#include "board/semihost.h"
#include "bytes.h"
#include "linux-user/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RAM_BASE 0x400000u
#define RAM_SIZE 0x10000u
#define MOST     ((uint64_t)64 << 20)

static uint8_t ram[RAM_SIZE];
static uint64_t mapped;
static int folder = -1;

static bool reach(uint64_t address, size_t n)
{
	return address >= RAM_BASE && address - RAM_BASE <= RAM_SIZE && n <= RAM_SIZE - (address - RAM_BASE);
}

static bool ram_read(void *ctx, uint64_t address, void *to, size_t n)
{
	(void)ctx;
	if (!reach(address, n))
		return false;
	memcpy(to, ram + (address - RAM_BASE), n);
	return true;
}

static bool ram_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	(void)ctx;
	if (!reach(address, n))
		return false;
	memcpy(ram + (address - RAM_BASE), from, n);
	return true;
}

static const struct apmu_board__memory memory = {ram_read, ram_write, NULL};

static void print(void *ctx, bool error, const void *bytes, size_t n)
{
	volatile uint8_t sum = 0;

	(void)ctx;
	(void)error;
	for (size_t i = 0; i < n; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)bytes)[i]);
}

static size_t type(void *ctx, void *to, size_t n)
{
	(void)ctx;
	memset(to, 'x', n < 3 ? n : 3);
	return n < 3 ? n : 3;
}

/* A number: small, an address in memory, or anything. */
static uint64_t some_word(struct bytes *b)
{
	uint8_t how = byte(b);

	if (how < 0x60)
		return how;
	if (how < 0xC0)
		return RAM_BASE + word(b, 2);
	return word(b, how & 7);
}

static void semihosting(struct bytes *b)
{
	struct apmu_board__semihost host = {
		.folder = folder, .cmdline = "a b", .core_hz = 1 + word(b, 4), .write = print, .read = type};

	while (b->left) {
		struct apmu_board__semihost_call call = {byte(b) & 1, byte(b) & 0x3F, some_word(b),
							 word(b, 8)};
		for (unsigned i = 0; i < 4; i++) {
			uint64_t field = some_word(b);
			memcpy(ram + i * (call.aarch64 ? 8 : 4), &field, call.aarch64 ? 8 : 4);
		}
		if (byte(b) & 1)
			call.argument = RAM_BASE;
		struct apmu_board__semihost_result r = apmu_board__semihost(&host, &memory, &call);
		MUST(r.known == (apmu_board__semihost_name(call.op) != NULL));
	}
	apmu_board__semihost_close(&host);
}

static int map(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	(void)ctx;
	MUST(size && address % APMU_LINUX__PAGE == 0 && size % APMU_LINUX__PAGE == 0 && protection < 8);
	MUST(size <= MOST && address <= UINT64_MAX - size);
	mapped += size;
	return 0;
}

static void protect(void *ctx, uint64_t address, uint64_t size, unsigned protection)
{
	(void)ctx;
	MUST(size && address % APMU_LINUX__PAGE == 0 && size % APMU_LINUX__PAGE == 0 && protection < 8);
}

static void unmap(void *ctx, uint64_t address, uint64_t size)
{
	(void)ctx;
	(void)address;
	MUST(size && size <= mapped);
	mapped -= size;
}

static void set_tls(void *ctx, uint64_t value)
{
	(void)ctx;
	(void)value;
}

static struct apmu_linux__cpu cpu;

static void get_cpu(void *ctx, struct apmu_linux__cpu *to)
{
	(void)ctx;
	*to = cpu;
}

/* Of the state user code may write the flags and T alone. */
static void set_cpu(void *ctx, const struct apmu_linux__cpu *from)
{
	const struct apmu_linux__linux *p = *(struct apmu_linux__linux *const *)ctx;

	MUST(((from->state ^ cpu.state) & ~(p->config.aarch64 ? 0xF0000000u : 0xFE0FFC20u)) == 0);
	MUST(p->config.aarch64 || (from->pc & (from->state & 0x20 ? 1 : 3)) == 0);
	cpu = *from;
}

static uint64_t listed(const struct apmu_linux__linux *p)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < p->regions; i++) {
		sum += p->region[i].size;
		for (unsigned j = 0; j < i; j++)
			MUST(p->region[i].base >= p->region[j].base + p->region[j].size ||
			     p->region[j].base >= p->region[i].base + p->region[i].size);
	}
	return sum;
}

static void calls(struct apmu_linux__linux *p, struct bytes *b)
{
	while (b->left) {
		uint64_t number = byte(b) < 0xF8 ? word(b, 2) % 460 : 0xF0000 + byte(b) % 8, args[6];

		for (unsigned i = 0; i < 6; i++)
			args[i] = some_word(b);
		if (byte(b) & 1)
			args[1] &= ~(uint64_t)0xFFF;
		struct apmu_linux__result r = apmu_linux__call(p, number, args, word(b, 8));
		MUST(r.end <= APMU_LINUX__STUCK && p->mapped == listed(p) && p->mapped <= MOST);
		MUST(apmu_linux__signal(p).end <= APMU_LINUX__KILLED);
		if (!(byte(b) & 7))
			apmu_linux__fault_signal(p, 11, 1, some_word(b));
		if (!(byte(b) & 3))
			cpu.sp = cpu.r[13] = RAM_BASE + word(b, 2);
	}
}

/* The input is the program; or there is none, and calls alone are made. */
static void process(struct bytes *b)
{
	static const char *const argv[] = {"p", "q", NULL};
	static struct apmu_linux__linux p, *process = &p;
	struct apmu_linux__config config = {
		.machine = {memory, map, protect, unmap, set_tls, get_cpu, set_cpu, print, type, &process},
		.aarch64 = byte(b) & 1,
		.argv = argv,
		.uname = "armv7l",
		.platform = "v7l",
		.core_hz = 1 + word(b, 4),
		.memory = MOST,
		.folder = folder,
	};
	struct apmu_linux__begin begin;
	char error[160] = "";
	bool program = byte(b) & 1;

	mapped = 0;
	int code = apmu_linux__start(&p, &config, b->at, program ? b->left : 0, &begin, error, sizeof(error));
	MUST(code == 0 || error[0]);
	MUST(p.mapped == listed(&p));
	if (!program) {
		p.brk_start = p.brk = RAM_BASE + RAM_SIZE;
		calls(&p, b);
	}
	apmu_linux__close(&p);
}

static void kernel(struct bytes *b)
{
	uint64_t base = word(b, 5), size = word(b, 5);
	bool aarch64 = byte(b) & 1;
	struct apmu_board__image image;
	char error[160] = "";
	int code = apmu_board__image_place(b->at, b->left, aarch64, base, size, &image, error, sizeof(error));

	MUST(code == 0 || error[0]);
	if (code != 0)
		return;
	MUST(image.load >= base && image.uses >= b->left && image.load + image.uses <= base + size);
	MUST(image.device_tree >= image.load + image.uses && image.device_tree + (2 << 20) <= base + size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char place[] = "files-of-services"; /* run.sh removes it before each run */
	struct bytes b = {data, size};

	if (folder < 0) {
		MUST(mkdir(place, 0700) == 0 || errno == EEXIST);
		folder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		MUST(folder >= 0);
	}
	switch (byte(&b) % 3) {
	case 0: semihosting(&b); break;
	case 1: process(&b); break;
	default: kernel(&b); break;
	}
	return 0;
}
