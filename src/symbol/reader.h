/* SPDX-License-Identifier: MIT */
/**
 * The side that reads: elfutils over one file. Runs in the child; what it is given may be hostile, so every
 * loop has a bound of its own, but libdw's are not ours: see symbol.h.
 */
#ifndef APMU_SYMBOL_READER_H
#define APMU_SYMBOL_READER_H

#include "symbol/symbol.h"

#include <elfutils/libdwfl.h>

enum {
	APMU__READER_NAMES = 1 << 24,  /* most symbols taken */
	APMU__READER_UNITS = 1 << 20,  /* most ranges of compilation units, and of functions in one */
	APMU__READER_STEPS = 1 << 20,  /* most DIEs looked at for one question */
	APMU__READER_DEPTH = 128,      /* deepest nesting of scopes */
	APMU__READER_NAME_BYTES = 4096 /* longest name answered */
};

/* A symbol, raw. */
struct apmu__name {
	const char *name; /* as in the file; lives as long as the reader */
	uint64_t start, size;
	uint64_t reach; /* the largest end of this and all earlier sized symbols */
	uint8_t rank;   /* order among names of one address: small is better */
	bool function, thumb, data;
};

/* Code that the unwinding tables describe as one: a function, or a piece of one. */
struct apmu__symbol_part {
	uint64_t start, end;
	bool thumb; /* known to be T32 */
};

/* A mapping symbol: from here on code is so encoded. */
struct apmu__symbol_mark {
	uint64_t start;
	enum apmu__symbol_isa isa;
};

/* A piece of code that a DIE describes. */
struct apmu__symbol_span {
	uint64_t low, high, reach;
	Dwarf_Off die;
	struct apmu__unit *unit; /* of a compilation unit's span: what was read of it */
};

/* A compilation unit that has been asked for. */
struct apmu__unit {
	struct apmu__symbol_span *function; /* sorted by low */
	size_t functions;
	bool read;
};

struct apmu__reader {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias; /* libdwfl's address = the file's + bias */
	Dwarf *dwarf;
	GElf_Addr dwarf_bias;
	struct apmu__symbols_about about;
	struct apmu__name *name;
	size_t names;
	char **plt_text; /* owned names of stubs */
	size_t plt_texts;
	struct apmu__symbol_part *part; /* sorted, none overlaps another */
	size_t parts;
	struct apmu__symbol_mark *mark;
	size_t marks;
	struct apmu__symbol_span *span; /* units by address, sorted by low */
	size_t spans;
	struct apmu__unit *unit;
	size_t units;
	char *debug_path; /* search path of libdwfl */
	bool text;        /* no ELF file but a list of symbols: it owns the names */
};

/* 0 or a negative errno. The reader may not move in memory afterwards. Close in any case. */
int apmu__reader_open(struct apmu__reader *reader, const char *path,
		      const struct apmu__symbols_options *options);
void apmu__reader_close(struct apmu__reader *reader);

/* text_map.c: the same from a text of symbols. 0 or a negative errno: -ENOEXEC if it is none. */
int apmu__reader_text(struct apmu__reader *reader, const char *path);

/* names.c: sorts names and marks, after the last was added. */
void apmu__reader_sort(struct apmu__reader *reader);

/* Fills name, names, mark, marks from the symbol tables. */
void apmu__reader_names(struct apmu__reader *reader);

/* Adds "puts@plt" and the like to the names; to be sorted again. */
void apmu__reader_plt(struct apmu__reader *reader);

/* parts.c: fills part, parts from .eh_frame and .ARM.exidx; how many start at or before an address; the one
 * that holds it, or NULL. */
void apmu__reader_parts(struct apmu__reader *reader);
size_t apmu__reader_part_upto(const struct apmu__reader *reader, uint64_t address);
const struct apmu__symbol_part *apmu__reader_part_at(const struct apmu__reader *reader, uint64_t address);

/* The function that holds an address without a name: its part, less what has names. False: not known. */
bool apmu__reader_nameless(const struct apmu__reader *reader, uint64_t address, uint64_t *start,
			   uint64_t *end);

/* The best symbol at an address, or NULL; *end is where it ends. */
const struct apmu__name *apmu__reader_name_at(const struct apmu__reader *reader, uint64_t address,
					      uint64_t *end);

/* The symbol with this name, mangled or not, or NULL. */
const struct apmu__name *apmu__reader_find(const struct apmu__reader *reader, const char *name);

/* Where a symbol ends: its size, or the next one's start, or that of the next part. */
uint64_t apmu__reader_end(const struct apmu__reader *reader, const struct apmu__name *name);

enum apmu__symbol_isa apmu__reader_isa(const struct apmu__reader *reader, uint64_t address);

/* Bytes of the image at an address. */
size_t apmu__reader_code(const struct apmu__reader *reader, uint64_t address, uint8_t *out, size_t n);

/* Fills span, spans, unit from the DWARF. */
void apmu__reader_units(struct apmu__reader *reader);

/* What DWARF knows, innermost first: names are raw and live as long as the reader. 0: nothing. */
size_t apmu__reader_lines(struct apmu__reader *reader, uint64_t address, struct apmu__frame *out, size_t max);

/* Both together; names are raw. */
size_t apmu__reader_frames(struct apmu__reader *reader, uint64_t address, struct apmu__frame *out,
			   size_t max);

/* Sorts spans and sets `reach`. The span with the greatest low that holds an address, or NULL. */
void apmu__spans_sort(struct apmu__symbol_span *span, size_t n);
const struct apmu__symbol_span *apmu__spans_at(const struct apmu__symbol_span *span, size_t n,
					       uint64_t address);

#endif
