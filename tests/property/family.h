/* SPDX-License-Identifier: MIT */
/**
 * Families of subjects, and what their random values have in common.
 */
#ifndef APMU_TEST_FAMILY_H
#define APMU_TEST_FAMILY_H

#include "life.h"

extern const struct family family_arm11, family_xscale;

/* `value` with the byte at bit `lsb` taken from a list. */
uint64_t likely_byte(struct rng *r, uint64_t value, unsigned lsb, const uint8_t *list, size_t n);

/* A counter's value: mostly a few counts before the wrap. */
uint64_t likely_count(struct rng *r, uint64_t value);

#endif
