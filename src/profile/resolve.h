/* SPDX-License-Identifier: MIT */
/**
 * Names for a profile's addresses: each mapped file is opened once, each address looked up once.
 *
 * A file that is not the one that ran (its build-id differs) gives no names: wrong names are worse than none.
 * profile__resolver_note() reports it to the user.
 *
 * threading: one thread at a time; opens child processes, see symbol/symbol.h.
 */
#ifndef APMU_PROFILE_RESOLVE_H
#define APMU_PROFILE_RESOLVE_H

#include "profile/profile.h"
#include "symbol/symbol.h"

/* One address of the program, in one file. Valid until profile__resolver_close(). */
struct profile__place {
	const char *function; /* name of the innermost function, inlined or not; without a name
				 "[libc.so.6+0x1234]" with the function's start, or the address "0x1234" */
	const char *object;   /* the mapped file's path; "[unknown]" */
	const char *file;     /* source file; NULL: unknown */
	uint32_t line;        /* in `file`; 0: unknown */
	uint32_t object_id;   /* small number, equal for equal objects */
	bool named;           /* `function` is a name or has the function's start */
	uint64_t address;     /* as `nm` prints it for that file; the pc if that is not known */
	uint64_t start, size; /* of the function in memory that holds the address; size 0: unknown */
	const struct symbol__frame
		*frame; /* `frames` elements, innermost first; 1 unless functions are inlined */
	size_t frames;
};

struct profile__resolver;

struct profile__resolver_options {
	const char *sysroot, *debug_dir; /* see struct symbol__symbols_options */
	bool no_lines;                   /* names only: quicker */
	bool no_inlines;                 /* only the symbol's function, no inlined ones */
};

/* Opens a resolver; NULL without memory. The profile must outlive it. */
struct profile__resolver *profile__resolver_open(const struct profile__profile *profile,
						 const struct profile__resolver_options *options);
void profile__resolver_close(struct profile__resolver *resolver); /* NULL is fine */

/* Returns the place of `pc`, never NULL. Also for a chain's pcs. */
const struct profile__place *profile__place_at(struct profile__resolver *resolver, uint32_t thread,
					       uint32_t when, uint64_t pc);

/* Returns the symbols of an object of a profile__place; NULL if none can be read. */
struct symbol__symbols *profile__resolver_symbols(struct profile__resolver *resolver, uint32_t object_id);

/* Code of an object, from its file or as reported by the program that made it: true if anything can be known;
 * the functions at an address, innermost first; up to `n` bytes there, at most SYMBOL__CODE; their
 * instruction set. */
bool profile__code_is_known(struct profile__resolver *resolver, uint32_t object_id);
size_t profile__code_frames(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			    struct symbol__frame *out, size_t max);
size_t profile__code_bytes(struct profile__resolver *resolver, uint32_t object_id, uint64_t address,
			   void *out, size_t n);
enum symbol__isa profile__code_isa(struct profile__resolver *resolver, uint32_t object_id, uint64_t address);

/* Returns the i-th note for the user ("/bin/x: was rebuilt since ..."), or NULL past the last. */
const char *profile__resolver_note(const struct profile__resolver *resolver, size_t i);

/* Writes one line on the next file, from the *i-th on, whose names or lines could not be read; false if there
 * are no more. */
bool profile__resolver_trouble(const struct profile__resolver *resolver, uint32_t *i, char *out, size_t size);

/* Writes one line on files whose functions have no names, and where names are; false if there are none. */
bool profile__resolver_nameless(const struct profile__resolver *resolver, char *out, size_t size);

/* Writes one line on a system's symbols in whose code nothing was sampled; false if there is nothing to say.
 */
bool profile__resolver_moved(const struct profile__resolver *resolver, char *out, size_t size);

/* Returns the last component of a path. */
const char *profile__base_name(const char *path);

#endif
