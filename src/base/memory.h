/* SPDX-License-Identifier: MIT */
/**
 * The two functions of a C library that this library may need. They are declared here and not by <string.h>,
 * so that a compiler without a C library can build everything; whoever links supplies them.
 */
#ifndef APMU_BASE_MEMORY_H
#define APMU_BASE_MEMORY_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int byte, size_t n);

#endif
