/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* asprintf, strnlen */
/*
 * Names for the stubs of the procedure linkage table, "puts@plt", which no symbol table has. A stub is
 * recognised by its instructions, which load the address to jump to from a word of the global offset table,
 * and the word by the relocation that fills it. So the length of stubs and the mix of their kinds do not
 * matter.
 */
#include "symbol/reader.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	MOST_SLOTS = 1 << 18, /* words of the global offset table */
	MOST_BYTES = 1 << 24  /* bytes of code searched */
};

/* A word of the global offset table. */
struct slot {
	uint64_t at;
	const char *name; /* the function whose address it will hold; valid while the ELF file is open */
};

struct slots {
	struct slot *slot;
	size_t n;
};

static bool fills_a_slot(unsigned machine, unsigned type)
{
	if (machine == EM_AARCH64)
		return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT ||
		       type == R_AARCH64_IRELATIVE;
	return type == R_ARM_JUMP_SLOT || type == R_ARM_GLOB_DAT || type == R_ARM_IRELATIVE;
}

static bool is_indirect(unsigned machine, unsigned type)
{
	return type == (machine == EM_AARCH64 ? R_AARCH64_IRELATIVE : R_ARM_IRELATIVE);
}

/* Returns the name of an IFUNC resolver, which a program without a loader calls at its start: its symbol has
 * the name of the function. */
static const char *ifunc_resolver(const struct symbol__reader *reader, const GElf_Rela *rela, bool in_place)
{
	uint64_t at = (uint64_t)rela->r_addend, end;
	uint8_t word[4];

	if (in_place && symbol__reader_code(reader, rela->r_offset, word, 4) == 4)
		at = word[0] | (uint32_t)word[1] << 8 | (uint32_t)word[2] << 16 | (uint32_t)word[3] << 24;
	if (reader->about.machine == EM_ARM)
		at &= ~(uint64_t)1;
	const struct symbol__name *name = symbol__reader_name_at(reader, at, &end);
	return name ? name->name : NULL;
}

static const char *symbol_of(struct symbol__reader *reader, Elf_Data *symbols, GElf_Word strings, size_t i)
{
	GElf_Sym symbol;

	if (symbols == NULL || i == 0 || i > INT32_MAX || !gelf_getsym(symbols, (int)i, &symbol))
		return NULL;
	return elf_strptr(reader->elf, strings, symbol.st_name);
}

static void take_relocation(struct slots *slots, const GElf_Rela *rela, const char *name)
{
	if (name == NULL || name[0] == '\0' || slots->n == MOST_SLOTS ||
	    strnlen(name, SYMBOL__READER_LONGEST) >= SYMBOL__READER_LONGEST)
		return;
	slots->slot[slots->n++] = (struct slot){rela->r_offset, name};
}

static void read_relocations(struct symbol__reader *reader, Elf_Scn *section, const GElf_Shdr *header,
			     struct slots *slots)
{
	GElf_Shdr table = {0};
	Elf_Data *data = elf_getdata(section, NULL), *symbols = NULL;
	Elf_Scn *linked = header->sh_link ? elf_getscn(reader->elf, header->sh_link) : NULL;
	bool in_place = header->sh_type == SHT_REL;
	unsigned machine = reader->about.machine;

	if (linked && gelf_getshdr(linked, &table) &&
	    (table.sh_type == SHT_DYNSYM || table.sh_type == SHT_SYMTAB))
		symbols = elf_getdata(linked, NULL);
	for (int i = 0; data && i < MOST_SLOTS; i++) {
		GElf_Rela rela = {0};
		GElf_Rel rel;
		if (in_place ? !gelf_getrel(data, i, &rel) : !gelf_getrela(data, i, &rela))
			return;
		if (in_place)
			rela = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
		unsigned type = (unsigned)GELF_R_TYPE(rela.r_info);
		if (is_indirect(machine, type))
			take_relocation(slots, &rela, ifunc_resolver(reader, &rela, in_place));
		else if (fills_a_slot(machine, type))
			take_relocation(slots, &rela,
					symbol_of(reader, symbols, table.sh_link, GELF_R_SYM(rela.r_info)));
	}
}

static int by_place(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static const struct slot *slot_at(const struct slots *slots, uint64_t at)
{
	const struct slot want = {.at = at};

	return slots->n ? bsearch(&want, slots->slot, slots->n, sizeof want, by_place) : NULL;
}

/* Returns the new name; NULL without memory. */
static struct symbol__name *add_name(struct symbol__reader *reader, const struct slot *slot, uint64_t start,
				     uint64_t end)
{
	char *plain = symbol__demangle(slot->name), *text = NULL;
	int n = asprintf(&text, "%s@plt", plain ? plain : slot->name);

	free(plain);
	if (n < 0)
		return NULL;
	reader->plt_text[reader->plt_texts++] = text;
	reader->name[reader->names++] = (struct symbol__name){
		.name = text, .start = start, .size = end - start, .rank = 1, .function = true};
	return &reader->name[reader->names - 1];
}

static uint32_t word_at(const uint8_t *code)
{
	return code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/* Matches ADRP x16, page; LDR x17, [x16, #n]. Returns the bytes of the stub, 0 if it is none; *at is the
 * address that it loads from. */
static uint64_t stub_a64(const uint8_t *code, uint64_t left, uint64_t pc, uint64_t *at)
{
	if (left < 8)
		return 0;
	uint32_t adrp = word_at(code), ldr = word_at(code + 4);
	if ((adrp & 0x9F00001F) != 0x90000010 || (ldr & 0xFFC003FF) != 0xF9400211)
		return 0;
	uint64_t pages = (uint64_t)(adrp >> 5 & 0x7FFFF) << 2 | (adrp >> 29 & 3);
	if (pages & 1u << 20)
		pages |= ~(uint64_t)0 << 21;
	*at = (pc & ~(uint64_t)0xFFF) + (pages << 12) + (uint64_t)(ldr >> 10 & 0xFFF) * 8;
	return 8;
}

/* Matches ADD ip, pc, #a; ADD ip, ip, #b (once or twice); LDR pc, [ip, #n]!: the constants are 8 bits,
 * rotated. */
static uint64_t stub_a32(const uint8_t *code, uint64_t left, uint64_t pc, uint64_t *at)
{
	uint32_t sum = (uint32_t)pc + 8;

	for (uint64_t i = 0; i + 4 <= left && i < 16; i += 4) {
		uint32_t word = word_at(code + i), turn = word >> 7 & 0x1E, byte = word & 0xFF;
		if ((word & 0xFFFFF000) == (i ? 0xE28CC000 : 0xE28FC000)) {
			sum += turn ? byte >> turn | byte << (32 - turn) : byte;
			continue;
		}
		*at = sum + (word & 0xFFF);
		return i && (word & 0xFFFFF000) == 0xE5BCF000 ? i + 4 : 0;
	}
	return 0;
}

/* Returns the bytes of a stub behind those of stub_a64(): ADD x16; AUTIA1716 if pointers are signed; BR x17.
 */
static uint64_t tail_a64(const uint8_t *code, uint64_t left)
{
	return left >= 8 && word_at(code + 4) == 0xD503219F ? 12 : 8;
}

/* Returns the bytes before a stub that belong to it: BTI c; or BX pc with a NOP or a branch to it, the entry
 * from T32. */
static uint64_t lead(const struct symbol__reader *reader, const uint8_t *code, uint64_t i)
{
	if (i < 4)
		return 0;
	uint32_t before = word_at(code + i - 4);
	if (reader->about.machine == EM_AARCH64)
		return before == 0xD503245F ? 4 : 0;
	return before == 0x46C04778 || before == 0xE7FD4778 ? 4 : 0;
}

/* Adds a name per stub. A stub extends to the next one, but not past its longest form. */
static void read_stubs(struct symbol__reader *reader, const uint8_t *code, uint64_t size, uint64_t address,
		       const struct slots *slots)
{
	bool a64 = reader->about.machine == EM_AARCH64;
	struct symbol__name *last = NULL;

	for (uint64_t i = 0; i + 8 <= size;) {
		uint64_t at = 0, n = (a64 ? stub_a64 : stub_a32)(code + i, size - i, address + i, &at);
		const struct slot *slot = n ? slot_at(slots, at) : NULL;
		if (slot == NULL || reader->plt_texts >= slots->n) {
			i += 4;
			continue;
		}
		uint64_t start = address + i - lead(reader, code, i);
		uint64_t tail = a64 ? tail_a64(code + i + n, size - i - n) : 0;
		uint64_t end = i + n + tail < size ? address + i + n + tail : address + size;
		if (last && last->start + last->size > start)
			last->size = start - last->start;
		last = add_name(reader, slot, start, end);
		i += n;
	}
}

static bool is_plt(const char *name)
{
	return name && (strncmp(name, ".plt", 4) == 0 || strcmp(name, ".iplt") == 0);
}

/* Handles each section of one kind: the relocations or, with `code`, the stubs. */
static void each_section(struct symbol__reader *reader, bool code, struct slots *slots)
{
	size_t strings = 0;

	if (elf_getshdrstrndx(reader->elf, &strings) != 0)
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			continue;
		if (!code && (header.sh_type == SHT_REL || header.sh_type == SHT_RELA) &&
		    header.sh_flags & SHF_ALLOC)
			read_relocations(reader, section, &header, slots);
		if (!code || header.sh_type != SHT_PROGBITS ||
		    !is_plt(elf_strptr(reader->elf, strings, header.sh_name)))
			continue;
		Elf_Data *data = elf_rawdata(section, NULL);
		if (data && data->d_buf && data->d_size <= MOST_BYTES)
			read_stubs(reader, data->d_buf, data->d_size, header.sh_addr, slots);
	}
}

void symbol__reader_plt(struct symbol__reader *reader)
{
	unsigned machine = reader->about.machine;
	struct slots slots = {0};

	if ((machine != EM_AARCH64 && machine != EM_ARM) || reader->about.big_endian)
		return;
	slots.slot = calloc(MOST_SLOTS, sizeof *slots.slot);
	if (slots.slot == NULL)
		return;
	each_section(reader, false, &slots);
	qsort(slots.slot, slots.n, sizeof *slots.slot, by_place);
	struct symbol__name *name = realloc(reader->name, (reader->names + slots.n + 1) * sizeof *name);
	reader->name = name ? name : reader->name;
	reader->plt_text = calloc(slots.n + 1, sizeof *reader->plt_text);
	if (name && reader->plt_text)
		each_section(reader, true, &slots);
	free(slots.slot);
}
