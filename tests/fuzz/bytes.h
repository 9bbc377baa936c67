/* SPDX-License-Identifier: MIT */
/* A fuzzer's input, taken byte by byte; behind its end all is 0. */
#ifndef APMU_TEST_FUZZ_BYTES_H
#define APMU_TEST_FUZZ_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define MUST(truth) ((truth) ? (void)0 : abort())

struct bytes {
	const uint8_t *at;
	size_t left;
};

static inline uint8_t byte(struct bytes *b)
{
	if (!b->left)
		return 0;
	b->left--;
	return *b->at++;
}

/* The highest byte first. */
static inline uint64_t word(struct bytes *b, unsigned n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | byte(b);
	return value;
}

#endif
