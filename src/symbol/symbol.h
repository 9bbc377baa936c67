/* SPDX-License-Identifier: MIT */
/**
 * Names and source lines for the addresses of one ELF file.
 *
 * What it is: a thin client. The file is read by elfutils (libelf, libdw, libdwfl) in a child process,
 * because any file may be given and libdw trusts what it reads: a file that makes it crash, loop or eat
 * memory costs the child its life and the caller nothing but the answer. After such a death the file is
 * opened once more without its DWARF; if that fails too, every question is answered with "nothing known".
 *
 * What it is not: a disassembler, or a map of a process. Addresses are the file's own (as `nm` prints them);
 * symbol__symbols_address() turns a file offset into one.
 *
 * Found by itself: separate debug files by build-id and by .gnu_debuglink (beside the file, in .debug, in
 * /usr/lib/debug and in the same place of the sysroot), .gnu_debugaltlink, .gnu_debugdata, .dwo files. What
 * is still missing is asked of the servers in the environment's DEBUGINFOD_URLS, if that is set and
 * libdebuginfod is installed: libdwfl loads it itself.
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
	SYMBOL__CODE = 4096,   /* most bytes of code a question may ask for */
};

/* How a piece of code is encoded. */
enum symbol__isa { SYMBOL__ISA_UNKNOWN, SYMBOL__ISA_A64, SYMBOL__ISA_A32, SYMBOL__ISA_T32, SYMBOL__ISA_DATA };

/* Where a loadable segment of the file lies. */
struct symbol__segment {
	uint64_t offset, address, size; /* bytes; size is that in the file */
	bool executable;
};

/* What is known of the file as a whole. */
struct symbol__symbols_about {
	uint16_t machine; /* EM_...; 0: not an ELF file or unreadable */
	bool is64, big_endian;
	bool has_names, has_lines; /* any symbol; any DWARF */
	uint64_t entry;            /* start address of the program */
	uint8_t build_id[SYMBOL__BUILD_ID];
	uint32_t build_id_size; /* 0: none */
	uint32_t segments;
	struct symbol__segment segment[SYMBOL__SEGMENTS];
	uint64_t names; /* how many: the range of symbol__symbols_name() */
};

/* One function at an address: innermost first in a list. */
struct symbol__frame {
	const char *function; /* demangled; NULL: unknown */
	const char *file;     /* source; NULL: unknown */
	uint32_t line;        /* in `file`; 0: unknown. Of an outer frame: the line of the call */
	uint64_t start, size; /* of the function that holds the address in memory; size 0: unknown */
	bool inlined;         /* into the next frame of the list */
};

/* One name of the symbol table. */
struct symbol__symbol {
	const char *name; /* demangled */
	uint64_t start, size;
	bool function; /* else data or untyped */
};

struct symbol__symbols_options {
	const char *sysroot;   /* its usr/lib/debug is searched too; NULL: none */
	const char *debug_dir; /* searched first for separate debug files, itself and below usr/lib/debug;
				  NULL: none */
	bool no_lines;         /* names only: no DWARF is read */
	unsigned seconds; /* longest wait for one answer; 0: 30, and 600 to open where servers are asked */
};

struct symbol__symbols;

/* Opens an ELF file of any machine, or a kernel's symbols as text (System.map, a copy of /proc/kallsyms),
 * which has names alone: no machine, no code, one segment whose offsets are addresses. 0, or -ENOENT and the
 * like from the file system, -ENOEXEC if it is no ELF file that can be read, -ENOMEM. `error` gets a text
 * without a full stop. */
int symbol__symbols_open(const char *path, const struct symbol__symbols_options *options,
			 struct symbol__symbols **out, char *error, size_t size);

/* NULL is allowed. */
void symbol__symbols_close(struct symbol__symbols *symbols);

const struct symbol__symbols_about *symbol__symbols_about(const struct symbol__symbols *symbols);

/* What went wrong since opening ("its debug information could not be read: ..."), or NULL. */
const char *symbol__symbols_trouble(const struct symbol__symbols *symbols);

/* DEBUGINFOD_URLS is set, but the library that would ask these servers is not installed. */
bool symbol__servers_unheard(void);

/* The file's address of a byte of the file; false if no loadable segment holds it. */
bool symbol__symbols_address(const struct symbol__symbols *symbols, uint64_t offset, uint64_t *address);

/* The functions at an address, innermost (inlined) first; the last one is the function of the symbol table. A
 * stripped file's may have a start and a size but no name, from its unwinding tables. Answers 0 where nothing
 * is known: data, an address outside. */
size_t symbol__symbols_frames(struct symbol__symbols *symbols, uint64_t address, struct symbol__frame *out,
			      size_t max);

/* The symbol of this name (as in the file, or demangled with or without its parameters); false if none. */
bool symbol__symbols_find(struct symbol__symbols *symbols, const char *name, struct symbol__symbol *out);

/* The i-th name in order of address; false past the end. For lists and for suggestions. */
bool symbol__symbols_name(struct symbol__symbols *symbols, uint64_t i, struct symbol__symbol *out);

/* How code at an address is encoded: the file's machine, and on 32-bit Arm its mapping symbols ($a, $t, $d),
 * or bit 0 of the function's address. */
enum symbol__isa symbol__symbols_isa(struct symbol__symbols *symbols, uint64_t address);

/* Up to `n` bytes of the file's image at an address, at most SYMBOL__CODE; answers how many there are.
 */
size_t symbol__symbols_code(struct symbol__symbols *symbols, uint64_t address, void *out, size_t n);

/* A name without its C++ (Itanium) or Rust (legacy, v0) mangling, to be freed; NULL if it has none. Not
 * bounded in time: symbol__symbols_... do this in the child. */
char *symbol__demangle(const char *name);

/* The text of a build-id in hexadecimal. `out` has room for 2 * size + 1 characters. */
void symbol__build_id_text(const uint8_t *id, size_t size, char *out);

#endif
