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
	struct symbol__cut frames = {.at = data, .left = size};
	struct symbol__cut symbols = {.at = data, .left = size};
	struct symbol__frame frame;
	struct symbol__symbol symbol;

	while (symbol__wire_get_frame(&frames, &frame))
		;
	while (symbol__wire_get_symbol(&symbols, &symbol))
		;
}

static void read_here(const char *path)
{
	static struct symbol__reader reader;
	struct symbol__symbols_options options = {.no_lines = true};
	struct symbol__frame frame;
	uint8_t code[64];
	uint64_t end;

	if (symbol__reader_open(&reader, path, &options) == 0) {
		for (size_t i = 0; i < reader.names && i < 64; i++) {
			const struct symbol__name *name = &reader.name[i];
			(void)symbol__reader_name_at(&reader, name->start + name->size / 2, &end);
			(void)symbol__reader_go_line(&reader, name->start + name->size / 2, &frame);
			(void)symbol__reader_isa(&reader, name->start);
			(void)symbol__reader_find(&reader, name->name);
			(void)symbol__reader_code(&reader, name->start, code, sizeof code);
		}
		(void)symbol__reader_name_at(&reader, UINT64_MAX, &end);
	}
	symbol__reader_close(&reader);
}

static void ask_child(const char *path)
{
	struct symbol__symbols_options options = {.seconds = 5};
	struct symbol__frame frame[SYMBOL__FRAMES];
	struct symbol__symbol symbol;
	struct symbol__symbols *symbols;
	char error[200];

	if (symbol__symbols_open(path, &options, &symbols, error, sizeof error) != 0)
		return;
	for (uint64_t i = 0; i < 16 && symbol__symbols_name(symbols, i, &symbol); i++)
		(void)symbol__symbols_frames(symbols, symbol.start + symbol.size / 2, frame, SYMBOL__FRAMES);
	symbol__symbols_close(symbols);
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
