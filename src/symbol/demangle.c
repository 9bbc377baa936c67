/* SPDX-License-Identifier: MIT */
/* Demangles C++ and Rust names by libiberty, which knows both of Rust's manglings and bounds its
 * recursion. */
#include "symbol/symbol.h"

#include <libiberty/demangle.h>
#include <string.h>

char *symbol__demangle(const char *name)
{
	/* The prefixes of all three manglings; to ask libiberty for each C name would cost time and may give
	 * surprising results. */
	if (strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0 && strncmp(name, "__Z", 3) != 0)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
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
