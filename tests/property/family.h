/* SPDX-License-Identifier: MIT */
/**
 * Families of subjects, and what their random values have in common.
 */
#ifndef APMU_TEST_FAMILY_H
#define APMU_TEST_FAMILY_H

#include "life.h"

extern const struct family family_arm11, family_xscale, family_v7, family_v8;

/* `value` with the byte at bit `lsb` taken from a list. */
uint64_t likely_byte(struct rng *r, uint64_t value, unsigned lsb, const uint8_t *list, size_t n);

/* A counter's value: mostly a few counts before the wrap. */
uint64_t likely_count(struct rng *r, uint64_t value);

/* A value with few bits set, now and then any. */
uint64_t few_bits(struct rng *r, uint64_t any);

/* Cycles with counts of the family's hot signals. */
void draw_hot_cycles(struct op *op, struct rng *r, const struct family *f);
struct apmu_inputs draw_pins(struct rng *r);

/* Lives of a core against the reference made for `other`'s row: what lives_break() returns. The `kind` of
 * families v7 and v8 is the index of a core. */
size_t lives_of(const struct family *f, const char *core, const char *other);

#endif
