/* SPDX-License-Identifier: MIT */
/**
 * Families of cores under test, and helpers that draw their random values.
 */
#ifndef APMU_TEST_FAMILY_H
#define APMU_TEST_FAMILY_H

#include "life.h"

extern const struct family family_arm11, family_xscale, family_v7, family_v8;

/* `value` with the byte at bit `lsb` taken from a list. */
uint64_t likely_byte(struct rng *r, uint64_t value, unsigned lsb, const uint8_t *list, size_t n);

/* A counter's value, mostly a few counts before the wrap. */
uint64_t likely_count(struct rng *r, uint64_t value);

/* A value with few bits set, now and then `any` as it is. */
uint64_t few_bits(struct rng *r, uint64_t any);

/* Cycles with counts of the family's hot signals. */
void draw_hot_cycles(struct op *op, struct rng *r, const struct family *f);
struct apmu_inputs draw_pins(struct rng *r);

/* lives_break() of a core against the reference made for `other`'s row. The `kind` of families v7 and v8 is
 * the index of a core. */
size_t lives_of(const struct family *f, const char *core, const char *other);

/* The functions of struct family that are the same for all references. */
#define FAMILY_VERBS(name)                                                                   \
	static void reset(void *ref)                                                         \
	{                                                                                    \
		ref_##name##_reset(ref);                                                     \
	}                                                                                    \
	static void cycle(void *ref, const uint64_t n[APMU_SIGNALS])                         \
	{                                                                                    \
		ref_##name##_cycle(ref, n);                                                  \
	}                                                                                    \
	static enum apmu_outcome read(const void *ref, struct apmu_access at, uint64_t *out) \
	{                                                                                    \
		return ref_##name##_read(ref, at, out);                                      \
	}                                                                                    \
	static enum apmu_outcome write(void *ref, struct apmu_access at, uint64_t in)        \
	{                                                                                    \
		return ref_##name##_write(ref, at, in);                                      \
	}                                                                                    \
	static void enter(void *ref, struct apmu_mode mode)                                  \
	{                                                                                    \
		((struct ref_##name *)ref)->mode = mode;                                     \
	}                                                                                    \
	static void input(void *ref, struct apmu_inputs in)                                  \
	{                                                                                    \
		((struct ref_##name *)ref)->in = in;                                         \
	}

#endif
