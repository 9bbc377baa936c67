/* SPDX-License-Identifier: MIT */
/**
 * Can a file break the symbol reader, or a broken reader its client? The first byte chooses:
 *
 *   2     the rest is a file that is asked about as the command does it: in a child that may die, but in time
 *   odd   the rest is a file whose symbol tables are read here, where the fuzzer sees the code that runs
 *   else  the rest is an answer that the client takes apart
 */
#define _GNU_SOURCE /* memfd_create */
#include "symbol/reader.h"
#include "symbol/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_apart(const uint8_t *data, size_t size)
{
	struct apmu__cut frames = {.at = data, .left = size};
	struct apmu__cut symbols = {.at = data, .left = size};
	struct apmu__frame frame;
	struct apmu__symbol symbol;

	while (apmu__wire_get_frame(&frames, &frame))
		;
	while (apmu__wire_get_symbol(&symbols, &symbol))
		;
}

static void read_here(const char *path)
{
	static struct apmu__reader reader;
	struct apmu__symbols_options options = {.no_lines = true};
	uint8_t code[64];
	uint64_t end;

	if (apmu__reader_open(&reader, path, &options) == 0) {
		for (size_t i = 0; i < reader.names && i < 64; i++) {
			const struct apmu__name *name = &reader.name[i];
			(void)apmu__reader_name_at(&reader, name->start + name->size / 2, &end);
			(void)apmu__reader_isa(&reader, name->start);
			(void)apmu__reader_find(&reader, name->name);
			(void)apmu__reader_code(&reader, name->start, code, sizeof code);
		}
		(void)apmu__reader_name_at(&reader, UINT64_MAX, &end);
	}
	apmu__reader_close(&reader);
}

static void ask_child(const char *path)
{
	struct apmu__symbols_options options = {.seconds = 5};
	struct apmu__frame frame[APMU__SYMBOL_FRAMES];
	struct apmu__symbol symbol;
	struct apmu__symbols *symbols;
	char error[200];

	if (apmu__symbols_open(path, &options, &symbols, error, sizeof error) != 0)
		return;
	for (uint64_t i = 0; i < 16 && apmu__symbols_name(symbols, i, &symbol); i++)
		(void)apmu__symbols_frames(symbols, symbol.start + symbol.size / 2, frame,
					   APMU__SYMBOL_FRAMES);
	apmu__symbols_close(symbols);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];

	if (size < 1 || (data[0] != 2 && data[0] % 2 == 0)) {
		take_apart(data + (size > 0), size - (size > 0));
		return 0;
	}
	int fd = memfd_create("input", 0);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)(size - 1))
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (data[0] == 2)
		ask_child(path);
	else
		read_here(path);
	close(fd);
	return 0;
}
