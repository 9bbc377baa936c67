/* SPDX-License-Identifier: MIT */
/**
 * Comparing names in any case, with '-' equal to '_'. ASCII, freestanding.
 */
#ifndef APMU_BASE_NAMES_H
#define APMU_BASE_NAMES_H

#include <stdbool.h>

static inline char apmu_base__fold(char c)
{
	if (c >= 'a' && c <= 'z')
		return (char)(c - 'a' + 'A');
	return c == '-' ? '_' : c;
}

static inline bool apmu_base__same_name(const char *a, const char *b)
{
	while (*a && apmu_base__fold(*a) == apmu_base__fold(*b))
		a++, b++;
	return *a == *b || apmu_base__fold(*a) == apmu_base__fold(*b);
}

#endif
