/* SPDX-License-Identifier: MIT */
/*
 * Names of Go's functions. Go's runtime reads them from .gopclntab when it prints a stack, so they are in
 * files without a symbol table too (Go's debug/gosym/pclntab.go and runtime/symtab.go).
 */
#include "symbol/reader.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8, MOST_RELOCATIONS = 1 << 22 };

/* What versions of the table differ in. Numbers are words of the header behind its first 8 bytes; 0: the
 * offset is from the table's start. */
struct layout {
	uint32_t magic;
	bool relative; /* functions are 32-bit offsets from the start of the code, not addresses */
	uint8_t names, units, files, programs, functions;
};

static const struct layout layouts[] = {
	{0xFFFFFFFB, false, 0, 0, 0, 0, 0}, /* Go 1.2 */
	{0xFFFFFFFA, false, 2, 3, 4, 5, 6}, /* Go 1.16 */
	{0xFFFFFFF0, true, 3, 4, 5, 6, 7},  /* Go 1.18 */
	{0xFFFFFFF1, true, 3, 4, 5, 6, 7},  /* Go 1.20 */
};

enum { COUNT = 0, TEXT = 2 }; /* words of every header, and of those with `relative` */

/* Fields of a function's record, behind its start. */
enum { NAME = 0, FILES = 16, LINES = 20, UNIT = 28 };

static uint64_t little(const struct symbol__go *table, uint64_t at, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n && at < table->size && table->size - at > i; i++)
		value |= (uint64_t)table->at[at + i] << 8 * i;
	return value;
}

static uint64_t header_word(const struct symbol__go *table, unsigned i)
{
	return little(table, HEADER + (uint64_t)i * table->word, table->word);
}

/* Returns what a loader writes to an address: the addend of the relative relocation there; 0 if there is
 * none.
 */
static uint64_t relocated(const struct symbol__reader *reader, uint64_t address)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA)
			continue;
		Elf_Data *data = elf_getdata(section, NULL);
		GElf_Rela rela;
		for (int i = 0; i < MOST_RELOCATIONS && data && gelf_getrela(data, i, &rela); i++)
			if (rela.r_offset == address)
				return (uint64_t)rela.r_addend;
	}
	return 0;
}

static uint64_t place(const struct symbol__go *table, unsigned word)
{
	return word ? header_word(table, word) : 0;
}

/* Reads the header. False: not a table that is known here, or a broken one. */
static bool understand(const struct symbol__reader *reader, struct symbol__go *table)
{
	uint64_t magic = little(table, 0, 4);
	const struct layout *layout = NULL;

	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (layouts[i].magic == magic)
			layout = &layouts[i];
	table->step = (unsigned)little(table, 6, 1);
	table->word = (unsigned)little(table, 7, 1);
	if (layout == NULL || table->word != (reader->about.is64 ? 8 : 4))
		return false;
	table->field = layout->relative ? 4 : table->word;
	table->count = header_word(table, COUNT);
	table->names = place(table, layout->names);
	table->records = place(table, layout->functions);
	table->functions = layout->functions ? table->records : HEADER + (uint64_t)table->word;
	table->programs = place(table, layout->programs);
	table->units = place(table, layout->units);
	table->by_unit = layout->units != 0;
	if (layout->relative) {
		table->text = header_word(table, TEXT);
		if (table->text == 0) /* a position-independent program */
			table->text =
				relocated(reader, table->address + HEADER + (uint64_t)TEXT * table->word);
		if (table->text == 0)
			return false;
	}
	if (table->functions >= table->size ||
	    table->count >= (table->size - table->functions) / (2 * (uint64_t)table->field))
		return false;
	uint64_t end = table->functions + (2 * table->count + 1) * table->field;
	table->files = layout->files ? header_word(table, layout->files) : little(table, end, 4);
	return true;
}

static bool is_code(const struct symbol__reader *reader, uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < reader->about.segments; i++) {
		const struct symbol__segment *segment = &reader->about.segment[i];
		if (segment->executable && start >= segment->address &&
		    end - segment->address <= segment->size)
			return true;
	}
	return false;
}

/* Returns where function `i` starts; of the number of functions, where the code ends. */
static uint64_t start_of(const struct symbol__go *table, uint64_t i)
{
	return table->text + little(table, table->functions + 2 * i * table->field, table->field);
}

/* Returns the text at an offset from `base`, or NULL. */
static const char *text_at(const struct symbol__go *table, uint64_t base, uint64_t offset)
{
	if (base >= table->size || offset >= table->size - base)
		return NULL;
	const uint8_t *text = table->at + base + offset;
	uint64_t left = table->size - base - offset;
	size_t most = left < SYMBOL__READER_LONGEST ? (size_t)left : SYMBOL__READER_LONGEST;
	return text[0] && memchr(text, 0, most) ? (const char *)text : NULL;
}

/* Returns a field of function `i`'s record; one that lies outside the table is 0. */
static uint32_t field_of(const struct symbol__go *table, uint64_t i, unsigned field)
{
	uint64_t offset = little(table, table->functions + (2 * i + 1) * table->field, table->field);

	return offset >= table->size
		       ? 0
		       : (uint32_t)little(table, table->records + offset + table->field + field, 4);
}

static const char *name_of(const struct symbol__go *table, uint64_t i)
{
	return text_at(table, table->names, field_of(table, i, NAME));
}

/* Reads a number of 7 bits per byte. */
static uint32_t take_varint(const struct symbol__go *table, uint64_t *at)
{
	uint32_t value = 0;

	for (unsigned shift = 0; shift < 35; shift += 7) {
		uint32_t byte = (uint32_t)little(table, (*at)++, 1);
		value |= shift < 32 ? (byte & 0x7F) << shift : 0;
		if (byte < 0x80)
			break;
	}
	return value;
}

/* Returns the value that a program of steps gives an address `ahead` bytes behind its function's start;
 * negative: none. Each step is the change of the value, in zigzag form, and the bytes that have it. */
static int64_t value_at(const struct symbol__go *table, uint64_t program, uint64_t ahead)
{
	uint64_t at = table->programs + program, passed = 0;
	int64_t value = -1;

	if (program == 0 || program >= table->size || table->programs >= table->size)
		return -1;
	for (unsigned n = 0; at < table->size; n++) {
		uint32_t change = take_varint(table, &at);
		if (change == 0 && n != 0)
			return -1;
		value += change & 1 ? -(int64_t)(change >> 1) - 1 : (int64_t)(change >> 1);
		passed += (uint64_t)take_varint(table, &at) * table->step;
		if (ahead < passed)
			return value;
	}
	return -1;
}

/* Returns the name of a file by its number in a unit, or in the table. */
static const char *file_of(const struct symbol__go *table, uint64_t unit, int64_t number)
{
	if (number < 0 || number > INT32_MAX)
		return NULL;
	uint64_t list = table->by_unit ? table->units + 4 * unit : table->files;
	uint64_t name = list < table->size ? little(table, list + 4 * (uint64_t)number, 4) : UINT32_MAX;
	return name == UINT32_MAX ? NULL : text_at(table, table->by_unit ? table->files : 0, name);
}

bool symbol__reader_go_line(const struct symbol__reader *reader, uint64_t address, struct symbol__frame *out)
{
	const struct symbol__go *table = &reader->go;
	uint64_t low = 0, high = table->count;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (start_of(table, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || address >= start_of(table, low))
		return false;
	uint64_t i = low - 1, ahead = address - start_of(table, i);
	int64_t line = value_at(table, field_of(table, i, LINES), ahead);
	const char *file =
		file_of(table, field_of(table, i, UNIT), value_at(table, field_of(table, i, FILES), ahead));
	if (file == NULL || line <= 0 || line > INT32_MAX)
		return false;
	out->file = file;
	out->line = (uint32_t)line;
	return true;
}

/* Adds each function that no symbol names. */
static void add_names(struct symbol__reader *reader, const struct symbol__go *table)
{
	size_t room = SYMBOL__READER_NAMES - reader->names, n = reader->names;

	room = table->count < room ? (size_t)table->count : room;
	struct symbol__name *names = realloc(reader->name, (n + room + 1) * sizeof *names);
	if (names == NULL)
		return;
	reader->name = names;
	for (uint64_t i = 0; i < room; i++) {
		uint64_t start = start_of(table, i);
		uint64_t end = start_of(table, i + 1);
		uint64_t held;
		const char *name = start < end && is_code(reader, start, end) ? name_of(table, i) : NULL;
		if (name && symbol__reader_name_at(reader, start, &held) == NULL)
			names[n++] = (struct symbol__name){
				.name = name, .start = start, .size = end - start, .function = true};
	}
	reader->names = n; /* from here on symbol__reader_name_at() sees them, once sorted */
}

static bool is_table(const char *name)
{
	static const char wanted[] = ".gopclntab"; /* also .data.rel.ro.gopclntab */
	size_t n = name ? strlen(name) : 0, want = sizeof wanted - 1;

	return n >= want && strcmp(name + n - want, wanted) == 0;
}

void symbol__reader_go(struct symbol__reader *reader)
{
	size_t strings = 0;

	if (reader->about.big_endian || elf_getshdrstrndx(reader->elf, &strings) != 0)
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
		    !is_table(elf_strptr(reader->elf, strings, header.sh_name)))
			continue;
		Elf_Data *data = elf_rawdata(section, NULL);
		struct symbol__go table = {.address = header.sh_addr};
		if (data && data->d_buf) {
			table.at = data->d_buf;
			table.size = data->d_size;
		}
		if (understand(reader, &table)) {
			add_names(reader, &table);
			reader->go = table;
		}
		return; /* a file has one */
	}
}
