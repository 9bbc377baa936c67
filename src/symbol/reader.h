/* SPDX-License-Identifier: MIT */
/**
 * The reading side: elfutils over one file. Runs in the child. The file may be hostile, so every loop here
 * has a bound of its own; those of libdw are not under our control: see symbol.h.
 */
#ifndef APMU_SYMBOL_READER_H
#define APMU_SYMBOL_READER_H

#include "symbol/symbol.h"

#include <elfutils/libdwfl.h>

enum {
	SYMBOL__READER_NAMES = 1 << 24,   /* most symbols read */
	SYMBOL__READER_UNITS = 1 << 20,   /* most ranges of compilation units, and of functions of one unit */
	SYMBOL__READER_STEPS = 1 << 20,   /* most DIEs visited for one question */
	SYMBOL__READER_DEPTH = 128,       /* deepest nesting of scopes */
	SYMBOL__READER_LONGEST = 1 << 16, /* longest name in the file, bytes: C++ templates have long ones */
	SYMBOL__READER_NAME_BYTES = 4096  /* what of a name is in an answer, bytes: the rest is cut off */
};

/* A symbol of the symbol table. */
struct symbol__name {
	const char *name; /* as in the file; lives as long as the reader */
	uint64_t start, size;
	uint64_t reach; /* the largest end of this and all earlier sized symbols */
	uint8_t rank;   /* order among names of one address: the smallest is best */
	bool function, thumb, data;
};

/* Code that the unwinding tables describe as one piece: a function, or a part of one. */
struct symbol__part {
	uint64_t start, end;
	bool thumb; /* known to be T32 */
};

/* A mapping symbol: the instruction set of the code from here on. */
struct symbol__mark {
	uint64_t start;
	enum symbol__isa isa;
};

/* A range of code that a DIE describes. */
struct symbol__span {
	uint64_t low, high, reach;
	Dwarf_Off die;
	struct symbol__unit *unit; /* of a compilation unit's span: the unit */
};

/* A compilation unit, read when it is first asked for. */
struct symbol__unit {
	Dwarf_Off die;                 /* ascending in the reader's units */
	struct symbol__span *function; /* sorted by low */
	size_t functions;
	bool read;
};

/* The table of functions of a Go program (go_table.c). */
struct symbol__go {
	const uint8_t *at; /* NULL: there is none */
	uint64_t size, address;
	unsigned word, field; /* bytes of an address, and of what stands for one in the list of functions */
	unsigned step;        /* bytes of the smallest instruction */
	uint64_t count, text; /* functions; where the code starts */
	uint64_t names, functions, records, programs; /* offsets; programs: of values by address */
	uint64_t units, files;                        /* of each unit's files, and their names */
	bool by_unit;                                 /* files are numbered by unit */
};

struct symbol__reader {
	Dwfl *dwfl;
	Dwfl_Module *module;
	Elf *elf;
	GElf_Addr bias; /* libdwfl's address = the file's + bias */
	Dwarf *dwarf;
	GElf_Addr dwarf_bias;
	struct symbol__symbols_about about;
	struct symbol__name *name;
	size_t names;
	char **plt_text; /* names of PLT stubs, owned */
	size_t plt_texts;
	char **bare; /* names without their version, owned */
	size_t bares;
	struct symbol__part *part; /* sorted, not overlapping */
	size_t parts;
	struct symbol__mark *mark;
	size_t marks;
	struct symbol__span *span; /* ranges of compilation units, sorted by low */
	size_t spans;
	struct symbol__unit *unit;
	size_t units;
	struct symbol__go go;
	bool go_lines;    /* lines are taken from it */
	char *debug_path; /* search path of libdwfl */
	bool text;        /* the file is a list of symbols, not ELF; the reader owns the names */
};

/* Opens a file. 0 or a negative errno value. The reader must not move in memory afterwards. Call
 * symbol__reader_close() in any case. */
int symbol__reader_open(struct symbol__reader *reader, const char *path,
			const struct symbol__symbols_options *options);
void symbol__reader_close(struct symbol__reader *reader);

/* text_map.c: symbol__reader_open() for a text of symbols. 0 or a negative errno value: -ENOEXEC if it is not
 * one. */
int symbol__reader_text(struct symbol__reader *reader, const char *path);

/* names.c: sorts names and marks after the last one was added. */
void symbol__reader_sort(struct symbol__reader *reader);

/* Fills name, names, mark, marks from the symbol tables. */
void symbol__reader_names(struct symbol__reader *reader);

/* Adds names such as "puts@plt", which must be sorted afterwards. */
void symbol__reader_plt(struct symbol__reader *reader);

/* go_table.c: adds the functions of a Go program that no symbol names; they must be sorted afterwards. */
void symbol__reader_go(struct symbol__reader *reader);

/* Gets file and line of an address of Go's code; false: not known. The line may be one that was inlined. */
bool symbol__reader_go_line(const struct symbol__reader *reader, uint64_t address, struct symbol__frame *out);

/* parts.c: fills part, parts from .eh_frame and .ARM.exidx; returns how many parts start at or before an
 * address; returns the part that holds it, or NULL. */
void symbol__reader_parts(struct symbol__reader *reader);
size_t symbol__reader_part_upto(const struct symbol__reader *reader, uint64_t address);
const struct symbol__part *symbol__reader_part_at(const struct symbol__reader *reader, uint64_t address);

/* Finds the function without a name that holds an address: its part, without what has names. False: not
 * known. */
bool symbol__reader_nameless(const struct symbol__reader *reader, uint64_t address, uint64_t *start,
			     uint64_t *end);

/* Returns the best symbol at an address, or NULL; *end is where it ends. */
const struct symbol__name *symbol__reader_name_at(const struct symbol__reader *reader, uint64_t address,
						  uint64_t *end);

/* Returns the symbol with this name, mangled or not, or NULL. */
const struct symbol__name *symbol__reader_find(const struct symbol__reader *reader, const char *name);

/* Returns the end of a symbol: by its size, or the start of the next symbol or part. */
uint64_t symbol__reader_end(const struct symbol__reader *reader, const struct symbol__name *name);

enum symbol__isa symbol__reader_isa(const struct symbol__reader *reader, uint64_t address);

/* Copies bytes of the image at an address and returns how many. */
size_t symbol__reader_code(const struct symbol__reader *reader, uint64_t address, uint8_t *out, size_t n);

/* Fills span, spans, unit from the DWARF. */
void symbol__reader_units(struct symbol__reader *reader);

/* Gives the functions at an address from DWARF, innermost first; their names are raw and live as long as the
 * reader. 0: nothing is known. */
size_t symbol__reader_lines(struct symbol__reader *reader, uint64_t address, struct symbol__frame *out,
			    size_t max);

/* Gives the functions at an address from DWARF and symbol table; names are raw. */
size_t symbol__reader_frames(struct symbol__reader *reader, uint64_t address, struct symbol__frame *out,
			     size_t max);

/* Sorts spans and sets `reach`; returns the span with the greatest `low` that holds an address, or NULL. */
void symbol__spans_sort(struct symbol__span *span, size_t n);
const struct symbol__span *symbol__spans_at(const struct symbol__span *span, size_t n, uint64_t address);

#endif
