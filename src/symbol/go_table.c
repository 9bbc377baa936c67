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

/* What versions of the table differ in. Numbers are words of the header behind its first 8 bytes. */
struct layout {
	uint32_t magic;
	bool relative; /* functions are 32-bit offsets from the start of the code, not addresses */
	uint8_t names, functions;
};

static const struct layout layouts[] = {
	{0xFFFFFFFB, false, 0, 0}, /* Go 1.2: names and functions count from the table's start */
	{0xFFFFFFFA, false, 2, 6}, /* Go 1.16 */
	{0xFFFFFFF0, true, 3, 7},  /* Go 1.18 */
	{0xFFFFFFF1, true, 3, 7},  /* Go 1.20 */
};

enum { COUNT = 0, TEXT = 2 }; /* words of every header, and of those with `relative` */

struct table {
	const uint8_t *at;
	uint64_t size, address;
	const struct layout *layout;
	unsigned word, field; /* bytes of an address, and of what stands for one in the list of functions */
	uint64_t count, text, names, functions, records;
};

static uint64_t little(const struct table *table, uint64_t at, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n && at < table->size && table->size - at > i; i++)
		value |= (uint64_t)table->at[at + i] << 8 * i;
	return value;
}

static uint64_t header_word(const struct table *table, unsigned i)
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

/* Reads the header. False: not a table that is known here, or a broken one. */
static bool understand(const struct symbol__reader *reader, struct table *table)
{
	uint64_t magic = little(table, 0, 4);

	for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++)
		if (layouts[i].magic == magic)
			table->layout = &layouts[i];
	table->word = (unsigned)little(table, 7, 1);
	if (table->layout == NULL || table->word != (reader->about.is64 ? 8 : 4))
		return false;
	const struct layout *layout = table->layout;
	table->field = layout->relative ? 4 : table->word;
	table->count = header_word(table, COUNT);
	table->names = layout->names ? header_word(table, layout->names) : 0;
	table->records = layout->functions ? header_word(table, layout->functions) : 0;
	table->functions = layout->functions ? table->records : HEADER + (uint64_t)table->word;
	if (layout->relative) {
		table->text = header_word(table, TEXT);
		if (table->text == 0) /* a position-independent program */
			table->text =
				relocated(reader, table->address + HEADER + (uint64_t)TEXT * table->word);
		if (table->text == 0)
			return false;
	}
	return table->functions < table->size && table->names < table->size &&
	       table->count < (table->size - table->functions) / (2 * (uint64_t)table->field);
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

/* Returns the name of function `i`, or NULL. */
static const char *name_of(const struct table *table, uint64_t i)
{
	uint64_t offset = little(table, table->functions + (2 * i + 1) * table->field, table->field);

	if (offset >= table->size - table->records ||
	    table->size - table->records - offset < table->field + 4)
		return NULL;
	uint64_t name = little(table, table->records + offset + table->field, 4);
	if (name >= table->size - table->names)
		return NULL;
	name += table->names;
	uint64_t left = table->size - name;
	size_t most = left < SYMBOL__READER_LONGEST ? (size_t)left : SYMBOL__READER_LONGEST;
	return memchr(table->at + name, 0, most) && table->at[name] ? (const char *)table->at + name : NULL;
}

/* Adds each function that no symbol names. */
static void add_names(struct symbol__reader *reader, const struct table *table)
{
	size_t room = SYMBOL__READER_NAMES - reader->names, n = reader->names;

	room = table->count < room ? (size_t)table->count : room;
	struct symbol__name *names = realloc(reader->name, (n + room + 1) * sizeof *names);
	if (names == NULL)
		return;
	reader->name = names;
	for (uint64_t i = 0; i < room; i++) {
		uint64_t start =
			table->text + little(table, table->functions + 2 * i * table->field, table->field);
		uint64_t end = table->text +
			       little(table, table->functions + 2 * (i + 1) * table->field, table->field);
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
		struct table table = {.address = header.sh_addr};
		if (data && data->d_buf) {
			table.at = data->d_buf;
			table.size = data->d_size;
		}
		if (understand(reader, &table))
			add_names(reader, &table);
		return; /* a file has one */
	}
}
