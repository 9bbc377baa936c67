/* SPDX-License-Identifier: MIT */
/*
 * Starts of functions that no symbol table names: a stripped file still says how to unwind the stack of each
 * function. AArch64: .eh_frame, whose entries have a start and a length (LSB 5.0, 10.6; its pointers are
 * encoded as the entry's CIE says). 32-bit Arm: .ARM.exidx, which has sorted starts only (EHABI32 5); a
 * linker that finds neighbours with equal unwinding, or with none, leaves one entry for all of them.
 */
#include "symbol/reader.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SECTIONS = 64, EXIDX_ENTRY = 8, EXIDX_CANTUNWIND = 1 };

/* Sections of code: no function extends past the end of its section. */
struct sections {
	struct {
		uint64_t start, end;
	} of[MOST_SECTIONS];
	size_t n;
};

/* An entry's bytes, and their address in memory. */
struct bytes {
	const uint8_t *at, *end;
	uint64_t address;
};

static uint64_t little(const uint8_t *at, unsigned n)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++)
		value |= (uint64_t)at[i] << 8 * i;
	return value;
}

/* Returns the bytes of an encoded pointer; 0: a kind that no compiler uses for code. */
static unsigned width(uint8_t encoding, bool is64)
{
	switch (encoding & 0x07) {
	case DW_EH_PE_absptr: return is64 ? 8 : 4;
	case DW_EH_PE_udata2: return 2;
	case DW_EH_PE_udata4: return 4;
	case DW_EH_PE_udata8: return 8;
	default: return 0;
	}
}

/* Reads a pointer that is absolute or relative to its own address. */
static bool take_pointer(struct bytes *from, uint8_t encoding, bool is64, uint64_t *out)
{
	unsigned n = width(encoding, is64);

	if (n == 0 || (size_t)(from->end - from->at) < n || (encoding & 0x70 & ~DW_EH_PE_pcrel) ||
	    encoding & DW_EH_PE_indirect)
		return false;
	uint64_t value = little(from->at, n);
	if (encoding & DW_EH_PE_signed && n < 8 && value >> (8 * n - 1))
		value |= ~(uint64_t)0 << 8 * n;
	if (encoding & DW_EH_PE_pcrel)
		value += from->address;
	from->at += n;
	from->address += n;
	*out = is64 ? value : (uint32_t)value;
	return true;
}

/* Gets the encoding of the starts of a CIE's entries: the byte for 'R' of its augmentation. */
static bool pointer_encoding(const Dwarf_CIE *cie, bool is64, uint8_t *out)
{
	const uint8_t *at = cie->augmentation_data;
	const uint8_t *end = at ? at + cie->augmentation_data_size : NULL;

	*out = DW_EH_PE_absptr;
	if (cie->augmentation == NULL || cie->augmentation[0] != 'z')
		return cie->augmentation == NULL || cie->augmentation[0] == '\0';
	for (const char *letter = cie->augmentation + 1; *letter && at && at < end; letter++) {
		if (*letter == 'R') {
			*out = *at;
			return true;
		}
		if (*letter == 'P') /* the encoding, then a pointer */
			at += 1 + width(*at, is64);
		else if (*letter == 'L')
			at++;
		else if (*letter != 'S' && *letter != 'B')
			return false;
	}
	return true;
}

/* Adds a part; the array doubles when full. */
static void add(struct symbol__reader *reader, uint64_t start, uint64_t end, bool thumb)
{
	size_t n = reader->parts;

	if (start > end || n == SYMBOL__READER_NAMES)
		return;
	if ((n & (n - 1)) == 0) {
		struct symbol__part *more = realloc(reader->part, (n ? 2 * n : 1) * sizeof *more);
		if (more == NULL)
			return;
		reader->part = more;
	}
	reader->part[reader->parts++] = (struct symbol__part){start, end, thumb};
}

static void read_frames(struct symbol__reader *reader, const GElf_Ehdr *file, Elf_Data *data,
			uint64_t address)
{
	const uint8_t *base = data->d_buf;
	bool is64 = reader->about.is64, known = false;
	Dwarf_Off of = (Dwarf_Off)-1, next;
	Dwarf_CFI_Entry entry, cie;
	uint8_t encoding = 0;

	for (Dwarf_Off at = 0; dwarf_next_cfi(file->e_ident, data, true, at, &next, &entry) == 0; at = next) {
		Dwarf_Off unused;
		uint64_t start, size;
		if (dwarf_cfi_cie_p(&entry))
			continue;
		if (entry.fde.CIE_pointer != of) {
			of = entry.fde.CIE_pointer;
			known = dwarf_next_cfi(file->e_ident, data, true, of, &unused, &cie) == 0 &&
				dwarf_cfi_cie_p(&cie) && pointer_encoding(&cie.cie, is64, &encoding);
		}
		struct bytes from = {entry.fde.start, entry.fde.end,
				     address + (uint64_t)(entry.fde.start - base)};
		if (known && take_pointer(&from, encoding, is64, &start) &&
		    take_pointer(&from, encoding & 0x0F, is64, &size) && size <= UINT64_MAX - start)
			add(reader, start, start + size, false);
	}
}

/* A word's low 31 bits are a signed offset from its own address; bit 0 of the sum says T32 where the linker
 * knew that. Code marked as not unwindable may be any number of functions: it ends the entry before it and is
 * not used itself (end == start, see tidy()). */
static void read_index(struct symbol__reader *reader, Elf_Data *data, uint64_t address)
{
	for (size_t i = 0; i + EXIDX_ENTRY <= data->d_size; i += EXIDX_ENTRY) {
		const uint8_t *entry = (const uint8_t *)data->d_buf + i;
		uint32_t word = (uint32_t)little(entry, 4);
		uint32_t sum = (uint32_t)(address + i) + (word & 0x7FFFFFFF) + (word << 1 & 0x80000000);
		uint32_t start = sum & ~1u;
		add(reader, start, little(entry + 4, 4) == EXIDX_CANTUNWIND ? start : UINT32_MAX, sum & 1);
	}
}

static void note_section(struct sections *sections, const GElf_Shdr *header)
{
	if (!(header->sh_flags & SHF_EXECINSTR) || sections->n == MOST_SECTIONS ||
	    header->sh_size > UINT64_MAX - header->sh_addr)
		return;
	sections->of[sections->n].start = header->sh_addr;
	sections->of[sections->n++].end = header->sh_addr + header->sh_size;
}

static void each_section(struct symbol__reader *reader, const GElf_Ehdr *file, struct sections *sections)
{
	size_t strings = 0;

	if (elf_getshdrstrndx(reader->elf, &strings) != 0)
		return;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(reader->elf, section)) != NULL;) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC))
			continue;
		const char *name = elf_strptr(reader->elf, strings, header.sh_name);
		bool frames = name && strcmp(name, ".eh_frame") == 0 && header.sh_type != SHT_NOBITS;
		bool index = header.sh_type == SHT_ARM_EXIDX && file->e_machine == EM_ARM;
		Elf_Data *data = frames || index ? elf_rawdata(section, NULL) : NULL;
		note_section(sections, &header);
		if (data && data->d_buf && frames)
			read_frames(reader, file, data, header.sh_addr);
		else if (data && data->d_buf)
			read_index(reader, data, header.sh_addr);
	}
}

static int by_start(const void *a, const void *b)
{
	const struct symbol__part *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* Of the parts that start at one address keeps the shortest that is not empty; cuts each part at the start of
 * the next and at the end of its section. */
static void tidy(struct symbol__reader *reader, const struct sections *sections)
{
	size_t kept = 0;

	qsort(reader->part, reader->parts, sizeof *reader->part, by_start);
	for (size_t i = 0; i < reader->parts; i++) {
		struct symbol__part part = reader->part[i];
		size_t at = 0;
		while (at < sections->n &&
		       (part.start < sections->of[at].start || part.start >= sections->of[at].end))
			at++;
		if (kept && reader->part[kept - 1].end == part.start &&
		    reader->part[kept - 1].start == part.start)
			kept--; /* the empty one */
		if (at == sections->n || (kept && reader->part[kept - 1].start == part.start))
			continue;
		if (kept && reader->part[kept - 1].end > part.start)
			reader->part[kept - 1].end = part.start;
		part.end = part.end < sections->of[at].end ? part.end : sections->of[at].end;
		reader->part[kept++] = part; /* an empty part holds no address, but ends the one before */
	}
	reader->parts = kept;
}

void symbol__reader_parts(struct symbol__reader *reader)
{
	struct sections sections = {.n = 0};
	GElf_Ehdr file;

	if (reader->about.big_endian || !gelf_getehdr(reader->elf, &file) || file.e_type == ET_REL)
		return;
	each_section(reader, &file, &sections);
	if (reader->parts)
		tidy(reader, &sections);
}

size_t symbol__reader_part_upto(const struct symbol__reader *reader, uint64_t address)
{
	size_t low = 0, high = reader->parts;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (reader->part[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct symbol__part *symbol__reader_part_at(const struct symbol__reader *reader, uint64_t address)
{
	size_t n = symbol__reader_part_upto(reader, address);

	return n && address < reader->part[n - 1].end ? &reader->part[n - 1] : NULL;
}
