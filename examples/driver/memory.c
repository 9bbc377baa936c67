/* SPDX-License-Identifier: MIT */
/* The two functions that a compiler calls implicitly and that the driver may need. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);

void *memcpy(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

void *memset(void *to, int byte, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile uint8_t *)to)[i] = (uint8_t)byte;
	return to;
}
