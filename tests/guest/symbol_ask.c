/* SPDX-License-Identifier: MIT */
/* Prints answers of src/symbol about a file: symbol_ask [--root DIR] [--debug DIR] FILE QUESTION...
 *
 *   about                one line of facts about the file
 *   frames               addresses from standard input: "ADDRESS FUNCTION FILE:LINE" per frame, innermost
 * first bounds               addresses from standard input: "ADDRESS START SIZE" of the function; "ADDRESS
 * none" find NAME            "NAME START SIZE" or "none" isa ADDRESS          a64 a32 t32 data unknown code
 * ADDRESS N       bytes in hexadecimal names                every name, as find prints it
 */
#include "symbol/symbol.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void about(struct symbol__symbols *symbols)
{
	const struct symbol__symbols_about *about = symbol__symbols_about(symbols);
	char id[2 * SYMBOL__BUILD_ID + 1];

	symbol__build_id_text(about->build_id, about->build_id_size, id);
	printf("machine %u bits %d names %d lines %d segments %" PRIu32 " build-id %s\n", about->machine,
	       about->is64 ? 64 : 32, about->has_names, about->has_lines, about->segments, id);
	if (symbol__symbols_trouble(symbols))
		printf("trouble %s\n", symbol__symbols_trouble(symbols));
}

static void frames(struct symbol__symbols *symbols)
{
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		struct symbol__frame frame[SYMBOL__FRAMES];
		size_t n = symbol__symbols_frames(symbols, address, frame, SYMBOL__FRAMES);
		if (n == 0)
			printf("%" PRIx64 " ?? ??:0\n", address);
		for (size_t i = 0; i < n; i++)
			printf("%" PRIx64 " %s %s:%" PRIu32 "\n", address,
			       frame[i].function ? frame[i].function : "??",
			       frame[i].file ? frame[i].file : "??", frame[i].line);
	}
}

static void bounds(struct symbol__symbols *symbols)
{
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		struct symbol__frame frame[SYMBOL__FRAMES];
		size_t n = symbol__symbols_frames(symbols, address, frame, SYMBOL__FRAMES);
		if (n && frame[n - 1].size)
			printf("%" PRIx64 " %" PRIx64 " %" PRIx64 "\n", address, frame[n - 1].start,
			       frame[n - 1].size);
		else
			printf("%" PRIx64 " none\n", address);
	}
}

static void symbol(const struct symbol__symbol *symbol)
{
	printf("%s %" PRIx64 " %" PRIx64 "\n", symbol->name, symbol->start, symbol->size);
}

static void question(struct symbol__symbols *symbols, int argc, char **argv)
{
	static const char *const isa[] = {"unknown", "a64", "a32", "t32", "data"};
	struct symbol__symbol found;
	uint64_t value = argc > 1 ? strtoull(argv[1], NULL, 16) : 0;
	unsigned char code[SYMBOL__CODE];

	if (strcmp(argv[0], "about") == 0)
		about(symbols);
	else if (strcmp(argv[0], "frames") == 0)
		frames(symbols);
	else if (strcmp(argv[0], "bounds") == 0)
		bounds(symbols);
	else if (strcmp(argv[0], "find") == 0 && symbol__symbols_find(symbols, argv[1], &found))
		symbol(&found);
	else if (strcmp(argv[0], "find") == 0)
		puts("none");
	else if (strcmp(argv[0], "isa") == 0)
		puts(isa[symbol__symbols_isa(symbols, value)]);
	else if (strcmp(argv[0], "names") == 0)
		for (uint64_t i = 0; symbol__symbols_name(symbols, i, &found); i++)
			symbol(&found);
	else if (strcmp(argv[0], "code") == 0) {
		size_t n = symbol__symbols_code(symbols, value, code, strtoul(argv[2], NULL, 0));
		for (size_t i = 0; i < n; i++)
			printf("%02x", code[i]);
		puts("");
	}
}

int main(int argc, char **argv)
{
	struct symbol__symbols_options options = {.seconds = 10};
	struct symbol__symbols *symbols;
	char error[256];
	int at = 1;

	for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2)
		*(strcmp(argv[at], "--root") == 0 ? &options.sysroot : &options.debug_dir) = argv[at + 1];
	if (at + 1 >= argc || symbol__symbols_open(argv[at], &options, &symbols, error, sizeof error) != 0) {
		puts(at + 1 >= argc ? "usage: symbol_ask FILE QUESTION" : error);
		return 1;
	}
	question(symbols, argc - at - 1, argv + at + 1);
	symbol__symbols_close(symbols);
	return 0;
}
