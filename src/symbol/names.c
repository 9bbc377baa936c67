/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strnlen */
/* Symbol tables: finding the name of an address and the address of a name. */
#include "symbol/reader.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

/* Mapping symbols: $a, $t, $d, $x, each also as "$a.anything" (AAELF32 5.5.5, AAELF64 5.5.5). */
static enum symbol__isa mapping(const char *name)
{
	if (name[0] != '$' || name[1] == '\0' || (name[2] != '\0' && name[2] != '.'))
		return SYMBOL__ISA_UNKNOWN;
	switch (name[1]) {
	case 'a': return SYMBOL__ISA_A32;
	case 't': return SYMBOL__ISA_T32;
	case 'x': return SYMBOL__ISA_A64;
	case 'd': return SYMBOL__ISA_DATA;
	default: return SYMBOL__ISA_UNKNOWN;
	}
}

/* A name that is there for programs linked against an older version: "cfree" of glibc, which is "free". */
enum { OLD = 8 };

/* The smallest rank is best: a function before a label, a name with a size before one without, a global name
 * before a local one, a current one before an old one. */
static uint8_t rank(const GElf_Sym *symbol, const char *name)
{
	static const uint8_t of_binding[] = {[STB_LOCAL] = 2, [STB_GLOBAL] = 0, [STB_WEAK] = 1};
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	unsigned binding = GELF_ST_BIND(symbol->st_info);
	unsigned at = type == STT_FUNC || type == STT_GNU_IFUNC ? 0 : 128;

	at += symbol->st_size ? 0 : 64;
	at += 2u * OLD * (binding < sizeof of_binding ? of_binding[binding] : 3u);
	for (unsigned i = 0; i < OLD - 1 && name[i] == '_'; i++)
		at++;
	return (uint8_t)at;
}

/* Mapping symbols have no type; a function may well begin with '$', as Swift's do. */
static bool wanted(const GElf_Sym *symbol, GElf_Word section, const char *name)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);

	if (section == SHN_UNDEF || section == SHN_ABS || section == SHN_COMMON || name[0] == '\0')
		return false;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE && type != STT_OBJECT)
		return false;
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	return (name[0] != '$' || function) && strncmp(name, ".L", 2) != 0;
}

static void take(struct symbol__reader *reader, const GElf_Sym *symbol, GElf_Word section, const char *name,
		 uint64_t start)
{
	bool arm = reader->about.machine == EM_ARM;
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
	enum symbol__isa isa = mapping(name);

	if (isa != SYMBOL__ISA_UNKNOWN && section != SHN_UNDEF)
		reader->mark[reader->marks++] = (struct symbol__mark){start, isa};
	if (!wanted(symbol, section, name))
		return;
	bool thumb = arm && function && (start & 1);
	start -= thumb;
	uint64_t size = symbol->st_size <= UINT64_MAX - start ? symbol->st_size : 0;
	reader->name[reader->names++] = (struct symbol__name){.name = name,
							      .start = start,
							      .size = size,
							      .rank = rank(symbol, name),
							      .function = function,
							      .thumb = thumb,
							      .data = type == STT_OBJECT};
}

static int by_start(const void *a, const void *b)
{
	const struct symbol__name *x = a;
	const struct symbol__name *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->rank != y->rank ? (int)x->rank - (int)y->rank : strcmp(x->name, y->name);
}

static int by_mark(const void *a, const void *b)
{
	const struct symbol__mark *x = a;
	const struct symbol__mark *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

void symbol__reader_sort(struct symbol__reader *reader)
{
	uint64_t reach = 0;

	if (reader->names)
		qsort(reader->name, reader->names, sizeof *reader->name, by_start);
	if (reader->marks)
		qsort(reader->mark, reader->marks, sizeof *reader->mark, by_mark);
	for (size_t i = 0; i < reader->names; i++) {
		uint64_t end = reader->name[i].start + reader->name[i].size;
		reach = end > reach ? end : reach;
		reader->name[i].reach = reach;
	}
}

/* Returns a name without its version, "@@GLIBC_2.34" or "@GLIBC_2.17", which only tables of debug files have;
 * NULL without memory. */
static const char *without_version(struct symbol__reader *reader, const char *name)
{
	size_t n = strcspn(name, "@");

	if (n == 0 || name[n] == '\0' ||
	    name[0] == '?') /* a '?' begins names that Microsoft's rules mangle */
		return name;
	if ((reader->bares & (reader->bares - 1)) == 0) {
		size_t room = reader->bares ? 2 * reader->bares : 1;
		char **bare = realloc(reader->bare, room * sizeof *bare);
		if (bare == NULL)
			return NULL;
		reader->bare = bare;
	}
	char *bare = strndup(name, n);
	if (bare)
		reader->bare[reader->bares++] = bare;
	return bare;
}

static void read_tables(struct symbol__reader *reader, int n)
{
	size_t room = (size_t)n < SYMBOL__READER_NAMES ? (size_t)n : SYMBOL__READER_NAMES;
	reader->name = calloc(room, sizeof *reader->name);
	reader->mark = calloc(room, sizeof *reader->mark);
	if (reader->name == NULL || reader->mark == NULL)
		return;
	for (size_t i = 0; i < room; i++) {
		GElf_Sym symbol;
		GElf_Addr value = 0;
		GElf_Word section = SHN_UNDEF;
		Elf *elf = NULL;
		Dwarf_Addr bias = 0;
		const char *name = dwfl_module_getsym_info(reader->module, (int)i, &symbol, &value, &section,
							   &elf, &bias);
		if (name && strnlen(name, SYMBOL__READER_LONGEST) < SYMBOL__READER_LONGEST)
			name = without_version(reader, name);
		else
			name = NULL;
		if (name)
			take(reader, &symbol, section, name, value - reader->bias);
	}
	symbol__reader_sort(reader);
}

/* Returns how many names start at or before an address. */
static size_t upto(const struct symbol__reader *reader, uint64_t address)
{
	size_t low = 0;
	size_t high = reader->names;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->name[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool take_old(struct symbol__reader *reader, uint64_t start, const char *name)
{
	bool any = false;

	for (size_t i = upto(reader, start); i > 0 && reader->name[i - 1].start == start; i--)
		if (strcmp(reader->name[i - 1].name, name) == 0) {
			reader->name[i - 1].rank |= OLD;
			any = true;
		}
	return any;
}

/* Marks the names whose version is not the default. `versions` has one for each symbol of the table
 * `symbols`. Returns whether there are any. */
static bool read_versions(struct symbol__reader *reader, Elf_Data *versions, Elf_Data *symbols,
			  GElf_Word strings)
{
	bool any = false;

	for (int i = 0; i < SYMBOL__READER_NAMES; i++) {
		GElf_Versym version;
		GElf_Sym symbol;
		if (!gelf_getversym(versions, i, &version) || !gelf_getsym(symbols, i, &symbol))
			break;
		const char *name = elf_strptr(reader->elf, strings, symbol.st_name);
		uint64_t start =
			reader->about.machine == EM_ARM ? symbol.st_value & ~(uint64_t)1 : symbol.st_value;
		if (name && version & 0x8000 && symbol.st_shndx != SHN_UNDEF)
			any |= take_old(reader, start, name);
	}
	return any;
}

/* Marks the names that only older programs are linked against; true if the names must be sorted again. */
static bool mark_old(struct symbol__reader *reader)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header, table;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_GNU_versym)
			continue;
		Elf_Scn *linked = elf_getscn(reader->elf, header.sh_link);
		Elf_Data *versions = elf_getdata(section, NULL),
			 *symbols = linked ? elf_getdata(linked, NULL) : NULL;
		if (versions && symbols && gelf_getshdr(linked, &table) && table.sh_type == SHT_DYNSYM)
			return read_versions(reader, versions, symbols, table.sh_link);
		break; /* a file has one */
	}
	return false;
}

void symbol__reader_names(struct symbol__reader *reader)
{
	int n = dwfl_module_getsymtab(reader->module);

	if (n > 0)
		read_tables(reader, n);
	if (mark_old(reader))
		symbol__reader_sort(reader);
	size_t before = reader->names;
	symbol__reader_plt(reader); /* needs names by address, so they are sorted already */
	if (reader->names != before)
		symbol__reader_sort(reader);
	before = reader->names;
	symbol__reader_go(reader);
	if (reader->names != before)
		symbol__reader_sort(reader);
}

/* Returns the end of the segment that holds an address; the address itself if none does. */
static uint64_t segment_end(const struct symbol__reader *reader, uint64_t address)
{
	for (uint32_t i = 0; i < reader->about.segments; i++) {
		const struct symbol__segment *segment = &reader->about.segment[i];
		if (address >= segment->address && address - segment->address < segment->size)
			return segment->address + segment->size;
	}
	return address;
}

uint64_t symbol__reader_end(const struct symbol__reader *reader, const struct symbol__name *name)
{
	if (name->size)
		return name->start + name->size;
	uint64_t end = segment_end(reader, name->start);
	size_t next = upto(reader, name->start);
	if (next < reader->names && reader->name[next].start < end)
		end = reader->name[next].start;
	size_t part = symbol__reader_part_upto(reader, name->start);
	if (part < reader->parts && reader->part[part].start < end)
		end = reader->part[part].start;
	return end;
}

bool symbol__reader_nameless(const struct symbol__reader *reader, uint64_t address, uint64_t *start,
			     uint64_t *end)
{
	const struct symbol__part *part = symbol__reader_part_at(reader, address);
	size_t n = upto(reader, address);

	if (part == NULL || (n && reader->name[n - 1].reach > address))
		return false;
	*start = n && reader->name[n - 1].reach > part->start ? reader->name[n - 1].reach : part->start;
	*end = n < reader->names && reader->name[n].start < part->end ? reader->name[n].start : part->end;
	return true;
}

/* Returns the best name at a start address, which by the sorting is the first. */
static const struct symbol__name *best_of(const struct symbol__reader *reader, size_t i)
{
	while (i > 0 && reader->name[i - 1].start == reader->name[i].start)
		i--;
	return &reader->name[i];
}

const struct symbol__name *symbol__reader_name_at(const struct symbol__reader *reader, uint64_t address,
						  uint64_t *end)
{
	size_t n = upto(reader, address);
	size_t stop = n > 4096 ? n - 4096 : 0; /* symbols that overlap this deeply are an attack */

	/* A symbol with a size that holds the address has priority over labels inside it. Of those that start
	 * together, which come in order of rank, the first that is long enough is taken. */
	const struct symbol__name *held = NULL;
	for (size_t i = n; i > stop && reader->name[i - 1].reach > address; i--) {
		const struct symbol__name *name = &reader->name[i - 1];
		if (held && held->start != name->start)
			break;
		if (name->size && address - name->start < name->size)
			held = name;
	}
	if (held) {
		*end = held->start + held->size;
		return held;
	}
	if (n == 0)
		return NULL;
	const struct symbol__name *name = best_of(reader, n - 1);
	*end = symbol__reader_end(reader, name);
	return name->size == 0 && address < *end ? name : NULL;
}

/* True if a mangled name demangles to `want`, with or without its parameters. */
static bool means(const char *mangled, const char *want)
{
	char *full = symbol__demangle(mangled);
	bool same = full && strcmp(full, want) == 0;
	size_t n = strlen(want);

	if (full && !same)
		same = strncmp(full, want, n) == 0 && full[n] == '(';
	free(full);
	return same;
}

const struct symbol__name *symbol__reader_find(const struct symbol__reader *reader, const char *name)
{
	const struct symbol__name *found = NULL;

	for (size_t i = 0; i < reader->names; i++)
		if (strcmp(reader->name[i].name, name) == 0 &&
		    (found == NULL || reader->name[i].rank < found->rank))
			found = &reader->name[i];
	for (size_t i = 0; found == NULL && i < reader->names; i++)
		if (means(reader->name[i].name, name))
			found = &reader->name[i];
	return found;
}

enum symbol__isa symbol__reader_isa(const struct symbol__reader *reader, uint64_t address)
{
	size_t low = 0;
	size_t high = reader->marks;
	uint64_t end = 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->mark[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		return reader->mark[low - 1].isa;
	if (reader->about.machine == EM_AARCH64)
		return SYMBOL__ISA_A64;
	const struct symbol__name *name = symbol__reader_name_at(reader, address, &end);
	const struct symbol__part *part = name ? NULL : symbol__reader_part_at(reader, address);
	if (part && part->thumb)
		return SYMBOL__ISA_T32;
	if (reader->about.machine != EM_ARM || name == NULL || !name->function)
		return SYMBOL__ISA_UNKNOWN;
	return name->thumb ? SYMBOL__ISA_T32 : SYMBOL__ISA_A32;
}
