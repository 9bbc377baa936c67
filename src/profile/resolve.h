/* SPDX-License-Identifier: MIT */
/**
 * Names for a profile's addresses: each mapped file is opened once, each address asked for once.
 *
 * A file that is not the one that ran (its build-id differs) gives no names: wrong names are worse than none.
 * profile__resolver_note() says so, for a person.
 *
 * threading: one thread at a time; opens child processes, see symbol/symbol.h.
 */
#ifndef APMU_PROFILE_RESOLVE_H
#define APMU_PROFILE_RESOLVE_H

#include "profile/profile.h"
#include "symbol/symbol.h"

/* One address of the program, in one file. Lives until profile__resolver_close(). */
struct profile__place {
	const char *function; /* the innermost, inlined or not. Without a name "[libc.so.6+0x1234]", where the
			       * function starts, or "0x1234", the address */
	const char *object;   /* the mapped file's path; "[unknown]" */
	const char *file;     /* source; NULL: unknown */
	uint32_t line;        /* in `file`; 0: unknown */
	uint32_t object_id;   /* small number, equal for equal objects */
	bool named;           /* `function` is a name, or made of the function's start */
	uint64_t address;     /* as `nm` counts in that file; the pc if that is not known */
	uint64_t start, size; /* of the function that holds the address in memory; size 0: unknown */
	const struct symbol__frame
		*frame; /* innermost first, `frames` of them: 1 unless functions are inlined */
	size_t frames;
};

struct profile__resolver;

struct profile__resolver_options {
	const char *sysroot, *debug_dir; /* see struct symbol__symbols_options */
	bool no_lines;                   /* names only: quicker */
	bool no_inlines;                 /* the symbol's function alone */
};

/* NULL without memory. The profile must outlive it. */
struct profile__resolver *profile__resolver_open(const struct profile__profile *profile,
						 const struct profile__resolver_options *options);
void profile__resolver_close(struct profile__resolver *resolver); /* NULL is fine */

/* Never NULL while memory lasts. Call it with a chain's pcs, too. */
const struct profile__place *profile__place_at(struct profile__resolver *resolver, uint32_t thread,
					       uint32_t when, uint64_t pc);

/* The symbols of an object that profile__place_at() has named; NULL: none can be read. */
struct symbol__symbols *profile__resolver_symbols(struct profile__resolver *resolver, uint32_t object_id);

/* Code of an object at an address, whether its file has it or the program that made it told: can anything be
 * known? Its functions, innermost first; up to `n` bytes, at most SYMBOL__CODE; how it is encoded. */
bool profile__code_is_known(struct profile__resolver *resolver, uint32_t object_id);
size_t profile__code_frames(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			    struct symbol__frame *out, size_t max);
size_t profile__code_bytes(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			   void *out, size_t n);
enum symbol__isa profile__code_isa(struct profile__resolver *resolver, uint32_t object_id, uint64_t address);

/* The i-th thing that a person should know ("/bin/x: was rebuilt since ..."), or NULL past the last. */
const char *profile__resolver_note(const struct profile__resolver *resolver, size_t i);

/* One line on files whose functions have no names, and where names are; false: there is nothing to say. */
bool profile__resolver_nameless(const struct profile__resolver *resolver, char *out, size_t size);

/* The last part of a path. */
const char *profile__base_name(const char *path);

#endif
