/* SPDX-License-Identifier: MIT */
/* Writes a one-line error message to the caller's buffer and returns `code`, so that a failure is one
 * statement. */
#ifndef APMU_BASE_ERROR_LINE_H
#define APMU_BASE_ERROR_LINE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

__attribute__((format(printf, 4, 5))) static inline int apmu_base__say(char *error, size_t size, int code,
								       const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(error, size, format, list);
	va_end(list);
	return code;
}

#endif
