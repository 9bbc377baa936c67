/* SPDX-License-Identifier: MIT */
/**
 * Names and source lines for the addresses of one ELF file.
 *
 * What it is: a thin client. The file is read by elfutils (libelf, libdw, libdwfl) in a child process,
 * because any file may be given and libdw trusts what it reads: a file that makes libdw crash, loop or use up
 * memory ends the child, and the caller only gets no answer. After that the file is opened once more without
 * its DWARF; if that fails too, every question is answered with "nothing known".
 *
 * What it is not: a disassembler, or a map of a process. Addresses are the file's own (as `nm` prints them);
 * symbol__symbols_address() turns a file offset into one.
 *
 * Found automatically: separate debug files by build-id and by .gnu_debuglink (beside the file, in .debug, in
 * /usr/lib/debug and in the same place of the sysroot), .gnu_debugaltlink, .gnu_debugdata, .dwo files. If the
 * environment has DEBUGINFOD_URLS and libdebuginfod is installed, which libdwfl loads itself, those servers
 * are asked for what is still missing.
 *
 * threading: one thread at a time for each object; the child is forked, so open before starting threads.
 * memory:    the caller's structs point into strings that live until symbol__symbols_close().
 * errors:    negative errno values; no message is printed.
 */
#ifndef APMU_SYMBOL_SYMBOL_H
#define APMU_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SYMBOL__BUILD_ID = 64, /* longest build-id kept, bytes */
	SYMBOL__SEGMENTS = 16, /* loadable segments kept */
	SYMBOL__FRAMES = 64,   /* deepest chain of inlined functions kept */
	SYMBOL__CODE = 4096,   /* most bytes of code per question */
};

/* Instruction sets. */
enum symbol__isa { SYMBOL__ISA_UNKNOWN, SYMBOL__ISA_A64, SYMBOL__ISA_A32, SYMBOL__ISA_T32, SYMBOL__ISA_DATA };

/* A loadable segment of the file. */
struct symbol__segment {
	uint64_t offset, address, size; /* bytes; size is that in the file */
	bool executable;
};

/* Properties of the whole file. */
struct symbol__symbols_about {
	uint16_t machine; /* EM_...; 0: not an ELF file or unreadable */
	bool is64, big_endian;
	bool has_names, has_lines; /* it has symbols; it has DWARF */
	bool packed_lines;         /* it has DWARF, packed in a way that this libelf does not know */
	uint64_t entry;            /* start address of the program */
	uint8_t build_id[SYMBOL__BUILD_ID];
	uint32_t build_id_size; /* 0: none */
	uint32_t segments;
	struct symbol__segment segment[SYMBOL__SEGMENTS];
	uint64_t names; /* number of names, for symbol__symbols_name() */
};

/* A function at an address; lists of frames have the innermost first. */
struct symbol__frame {
	const char *function; /* demangled; NULL: unknown */
	const char *file;     /* source file; NULL: unknown */
	uint32_t line;        /* in `file`; 0: unknown. For an outer frame: the line of the call */
	uint64_t start, size; /* of the function in memory that holds the address; size 0: unknown */
	bool inlined;         /* inlined into the next frame of the list */
};

/* A symbol of the symbol table. */
struct symbol__symbol {
	const char *name; /* demangled */
	uint64_t start, size;
	bool function; /* false: data or untyped */
};

struct symbol__symbols_options {
	const char *sysroot; /* also search its usr/lib/debug; NULL: none */
	/* Searched first for separate debug files, and its usr/lib/debug; NULL: none. */
	const char *debug_dir;
	bool no_lines;    /* names only: no DWARF is read */
	bool no_servers;  /* those of DEBUGINFOD_URLS are not asked */
	unsigned seconds; /* longest wait for one answer; 0: 30, and 600 for opening if servers are asked */
};

struct symbol__symbols;

/* Opens an ELF file of any machine, or a kernel's symbols as text (System.map, a copy of /proc/kallsyms),
 * which has only names: no machine, no code, one segment whose offsets are addresses. 0, or -ENOENT and
 * similar from the file system, -ENOEXEC if it is not a readable ELF file, -ENOMEM. `error` gets a text
 * without a full stop. */
int symbol__symbols_open(const char *path, const struct symbol__symbols_options *options,
			 struct symbol__symbols **out, char *error, size_t size);

/* Closes the file; NULL is allowed. */
void symbol__symbols_close(struct symbol__symbols *symbols);

const struct symbol__symbols_about *symbol__symbols_about(const struct symbol__symbols *symbols);

/* Returns what failed since opening ("its debug information could not be read: ..."), or NULL. */
const char *symbol__symbols_trouble(const struct symbol__symbols *symbols);

/* True if DEBUGINFOD_URLS names servers. */
bool symbol__servers(void);

/* True if DEBUGINFOD_URLS is set but the library that would ask these servers is not installed. */
bool symbol__servers_unheard(void);

/* Gets the file's address of a byte of the file; false if no loadable segment holds it. */
bool symbol__symbols_address(const struct symbol__symbols *symbols, uint64_t offset, uint64_t *address);

/* Gives the functions at an address, innermost (inlined) first; the last one is the function of the symbol
 * table. In a stripped file it may have a start and a size but no name, from the unwinding tables. Returns 0
 * if nothing is known: data, an address outside. */
size_t symbol__symbols_frames(struct symbol__symbols *symbols, uint64_t address, struct symbol__frame *out,
			      size_t max);

/* Finds the symbol with this name (as in the file, or demangled with or without its parameters); false if
 * there is none. */
bool symbol__symbols_find(struct symbol__symbols *symbols, const char *name, struct symbol__symbol *out);

/* Gets the i-th name in order of address; false past the end. For lists and suggestions. */
bool symbol__symbols_name(struct symbol__symbols *symbols, uint64_t i, struct symbol__symbol *out);

/* Returns the instruction set at an address: from the file's machine, and on 32-bit Arm from its mapping
 * symbols ($a, $t, $d), or bit 0 of the function's address. */
enum symbol__isa symbol__symbols_isa(struct symbol__symbols *symbols, uint64_t address);

/* Copies up to `n` bytes of the file's image at an address, at most SYMBOL__CODE; returns how many. */
size_t symbol__symbols_code(struct symbol__symbols *symbols, uint64_t address, void *out, size_t n);

/* Returns a name without its C++ (Itanium) or Rust (legacy, v0) mangling, to be freed; NULL if it is not
 * mangled. Not bounded in time: symbol__symbols_... do this in the child. */
char *symbol__demangle(const char *name);

/* Writes a build-id in hexadecimal. `out` has room for 2 * size + 1 characters. */
void symbol__build_id_text(const uint8_t *id, size_t size, char *out);

#endif
