/* SPDX-License-Identifier: MIT */
/* Fixture for the semihosting tests: memory, a console, a folder, and helpers for requests. A file that
 * includes it must first define _GNU_SOURCE (mkdtemp, O_DIRECTORY). */
#ifndef TESTS_UNIT_SEMIHOST_DESK_H
#define TESTS_UNIT_SEMIHOST_DESK_H

#include "../test.h"
#include "board/semihost.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define RAM_BASE 0x10000u
#define RAM_SIZE 0x4000u
#define BLOCK    RAM_BASE
#define TEXT     (RAM_BASE + 0x100)
#define TEXT2    (RAM_BASE + 0x200)
#define BUFFER   (RAM_BASE + 0x1000)
#define FAILED   UINT64_MAX

enum {
	OPEN = 1,
	CLOSE,
	WRITEC,
	WRITE0,
	WRITE,
	READ,
	READC,
	ISERROR,
	ISTTY,
	SEEK,
	FLEN = 12,
	TMPNAM,
	REMOVE,
	RENAME,
	CLOCK,
	TIME,
	SYSTEM,
	ERRNO,
	CMDLINE = 0x15,
	HEAPINFO,
	EXIT = 0x18,
	EXIT_EXTENDED = 0x20,
	ELAPSED = 0x30,
	TICKFREQ
};
enum { R = 0, RPLUS = 2, W = 4, WPLUS = 6, A = 8 };

struct desk {
	struct apmu_board__semihost host;
	struct apmu_board__memory memory;
	bool aarch64;
	uint64_t now;
	uint8_t ram[RAM_SIZE];
	char out[256], err[64];
	const char *in;
	char folder[32];
};

static inline bool reach(uint64_t address, size_t n)
{
	return address >= RAM_BASE && address - RAM_BASE <= RAM_SIZE && n <= RAM_SIZE - (address - RAM_BASE);
}

static inline bool ram_read(void *ctx, uint64_t address, void *to, size_t n)
{
	struct desk *d = ctx;

	if (!reach(address, n))
		return false;
	memcpy(to, d->ram + (address - RAM_BASE), n);
	return true;
}

static inline bool ram_write(void *ctx, uint64_t address, const void *from, size_t n)
{
	struct desk *d = ctx;

	if (!reach(address, n))
		return false;
	memcpy(d->ram + (address - RAM_BASE), from, n);
	return true;
}

static inline void console(void *ctx, bool error, const void *bytes, size_t n)
{
	struct desk *d = ctx;
	char *to = error ? d->err : d->out;

	strncat(to, bytes, n);
}

static inline size_t keyboard(void *ctx, void *to, size_t n)
{
	struct desk *d = ctx;
	size_t left = strlen(d->in);

	n = n < left ? n : left;
	memcpy(to, d->in, n);
	d->in += n;
	return n;
}

static inline void sit(struct desk *d, bool aarch64)
{
	memset(d, 0, sizeof(*d));
	strcpy(d->folder, "/tmp/apmu-semihost.XXXXXX");
	CHECK(mkdtemp(d->folder) != NULL);
	d->aarch64 = aarch64;
	d->memory = (struct apmu_board__memory){ram_read, ram_write, d};
	d->in = "";
	d->host = (struct apmu_board__semihost){
		.folder = open(d->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.cmdline = "prog one two",
		.core_hz = 1000000000,
		.epoch = 946684800,
		.heap_base = 0x20000,
		.heap_limit = 0x30000,
		.stack_base = 0x40000,
		.stack_limit = 0x38000,
		.write = console,
		.read = keyboard,
		.ctx = d,
	};
}

static inline void stand(struct desk *d)
{
	char command[64];

	apmu_board__semihost_close(&d->host);
	close(d->host.folder);
	snprintf(command, sizeof(command), "rm -rf %s", d->folder);
	CHECK_EQ(system(command), 0);
}

static inline struct apmu_board__semihost_result ask(struct desk *d, uint32_t op, uint64_t argument)
{
	struct apmu_board__semihost_call call = {d->aarch64, op, argument, d->now};

	return apmu_board__semihost(&d->host, &d->memory, &call);
}

static inline uint64_t field(const struct desk *d, uint64_t block, unsigned i)
{
	unsigned width = d->aarch64 ? 8 : 4;
	uint64_t value = 0;

	memcpy(&value, d->ram + (block - RAM_BASE) + i * width, width);
	return value;
}

/* Requests an operation whose parameter block has up to four fields. */
static inline uint64_t with(struct desk *d, uint32_t op, uint64_t a, uint64_t b, uint64_t c, uint64_t e)
{
	const uint64_t fields[] = {a, b, c, e};
	unsigned width = d->aarch64 ? 8 : 4;

	for (unsigned i = 0; i < 4; i++)
		memcpy(d->ram + i * width, &fields[i], width);
	return ask(d, op, BLOCK).value;
}

static inline uint64_t say(struct desk *d, uint64_t at, const char *text)
{
	memcpy(d->ram + (at - RAM_BASE), text, strlen(text) + 1);
	return strlen(text);
}

static inline uint64_t opens(struct desk *d, const char *name, uint64_t mode)
{
	return with(d, OPEN, TEXT, mode, say(d, TEXT, name), 0);
}

static inline uint64_t refusal(struct desk *d, const char *name, uint64_t mode)
{
	CHECK_EQ(opens(d, name, mode), FAILED);
	return ask(d, ERRNO, 0).value;
}

#endif
