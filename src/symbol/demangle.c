/* SPDX-License-Identifier: MIT */
/* Demangles C++, Rust and D names by libiberty, which knows both of Rust's manglings and bounds its
 * recursion, and OCaml's as perf does. */
#include "symbol/symbol.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* Longest C++ name that is demangled, bytes. What libiberty needs of the stack grows with the name: 30,000
 * bytes fit into 8 MiB, 60,000 do not. */
#define LONGEST_CPLUS 16384

/* The value of a hexadecimal digit as OCaml writes it. */
static int digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c - 'a' + 10;
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c) || (c >= 'a' && c <= 'f');
}

/* OCaml: "caml", the module and the name, with "__" for a dot and $xx for the character of that code. */
static char *ocaml(const char *name)
{
	char *made = malloc(strlen(name) + 1), *to = made;

	if (!made)
		return NULL;
	for (name += strlen("caml"); *name; to++) {
		if (name[0] == '_' && name[1] == '_') {
			*to = '.';
			name += 2;
		} else if (name[0] == '$' && is_digit(name[1]) && is_digit(name[2])) {
			*to = (char)(digit(name[1]) << 4 | digit(name[2]));
			name += 3;
		} else {
			*to = *name++;
		}
	}
	*to = '\0';
	return made;
}

char *symbol__demangle(const char *name)
{
	if (strncmp(name, "caml", 4) == 0 && isupper((unsigned char)name[4]))
		return ocaml(name);
	if (strncmp(name, "_D", 2) == 0)
		return cplus_demangle(name, DMGL_DLANG);
	/* The prefixes of the other manglings; to ask libiberty for each C name would cost time and may give
	 * surprising results. */
	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0 && strncmp(name, "__Z", 3) != 0)
		return NULL;
	/* Of C++ names libiberty by itself takes those of up to 1,024 bytes. */
	int any_length = name[1] != 'R' && strlen(name) < LONGEST_CPLUS ? DMGL_NO_RECURSE_LIMIT : 0;
	return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI | any_length);
}

void symbol__build_id_text(const uint8_t *id, size_t size, char *out)
{
	static const char digit[] = "0123456789abcdef";

	for (size_t i = 0; i < size; i++) {
		*out++ = digit[id[i] >> 4];
		*out++ = digit[id[i] & 15];
	}
	*out = '\0';
}
