/* SPDX-License-Identifier: MIT */
/*
 * A kernel's symbols as text: System.map, or a copy of /proc/kallsyms. A line is "ADDRESS TYPE NAME", and for
 * a module's symbol "[module]" after that. Types are nm's; there are no sizes: a symbol ends where the next
 * one begins.
 */
#define _GNU_SOURCE /* getline */
#include "symbol/reader.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20 };

/* Splits a line into three parts; false if it is not such a line. */
static bool cut(char *line, uint64_t *address, char *type, char **name)
{
	char *end;

	if (!isxdigit((unsigned char)line[0]))
		return false;
	errno = 0;
	*address = strtoull(line, &end, 16);
	if (errno || end == line || end[0] != ' ' || !isalpha((unsigned char)end[1]) || end[2] != ' ')
		return false;
	*type = end[1];
	*name = end + 3;
	(*name)[strcspn(*name, "\t \n")] = '\0';
	return **name != '\0' && strlen(*name) < SYMBOL__READER_NAME_BYTES;
}

static bool is_code(char type)
{
	return strchr("tTwW", type) != NULL;
}

/* Keeps a symbol; false without memory. Mapping symbols and symbols without an address are skipped. */
static bool keep(struct symbol__reader *reader, uint64_t address, char type, const char *name)
{
	size_t n = reader->names;

	if (address == 0 || strchr("aAUvV", type) || name[0] == '$' || n == SYMBOL__READER_NAMES)
		return true;
	if ((n & (n - 1)) == 0) {
		struct symbol__name *more = realloc(reader->name, (n ? 2 * n : 1) * sizeof *more);
		if (more == NULL)
			return false;
		reader->name = more;
	}
	char *copy = strdup(name);
	if (copy == NULL)
		return false;
	reader->name[reader->names++] = (struct symbol__name){.name = copy,
							      .start = address,
							      .rank = (uint8_t)(is_code(type) ? 0 : 64),
							      .function = is_code(type),
							      .data = !is_code(type)};
	return true;
}

/* Reads the file. 0 if it consists of such lines, at least one. */
static int read_lines(struct symbol__reader *reader, FILE *from)
{
	char *line = NULL, *name, type;
	size_t room = 0, bytes = 0;
	uint64_t address;
	ssize_t n;
	int code = 0;

	while (code == 0 && (n = getline(&line, &room, from)) > 0) {
		bytes += (size_t)n;
		if (bytes > MOST_BYTES || !cut(line, &address, &type, &name))
			code = -ENOEXEC;
		else if (!keep(reader, address, type, name))
			code = -ENOMEM;
	}
	free(line);
	return code == 0 && bytes == 0 ? -ENOEXEC : code;
}

/* Makes one segment that spans the code: an offset in the "file" is an address. */
static void span(struct symbol__reader *reader)
{
	struct symbol__segment *segment = &reader->about.segment[0];
	uint64_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < reader->names; i++) {
		if (!reader->name[i].function)
			continue;
		low = reader->name[i].start < low ? reader->name[i].start : low;
		high = reader->name[i].start > high ? reader->name[i].start : high;
	}
	if (low > high)
		return;
	for (size_t i = 0; i < reader->names;
	     i++) /* the last function ends where the next symbol begins, if there is one */
		if (reader->name[i].start > high && reader->name[i].start - high < 65536) {
			high = reader->name[i].start - 1;
			break;
		}
	*segment = (struct symbol__segment){
		.offset = low, .address = low, .size = high - low + 1, .executable = true};
	reader->about.segments = 1;
}

int symbol__reader_text(struct symbol__reader *reader, const char *path)
{
	FILE *from = fopen(path, "re");
	int code = from ? read_lines(reader, from) : -errno;

	if (from)
		fclose(from);
	reader->text = true;
	if (code != 0 || reader->names == 0) /* the kernel shows addresses of 0 to all users but root */
		return code;
	symbol__reader_sort(reader);
	span(reader);
	reader->about.names = reader->names;
	reader->about.has_names = true;
	reader->about.is64 = reader->name[reader->names - 1].start > UINT32_MAX;
	return 0;
}
