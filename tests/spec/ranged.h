/* SPDX-License-Identifier: MIT */
/**
 * What the tests of Armv7 and PMUv3 registers share: every way to every register, and what a write of it
 * leaves, by the row alone.
 *
 * What it is: loops over (core, register, encoding, counter), an access from the highest level, and the
 * meaning of include/apmu/reg.h once more, written without a look at src/model. What it is not: a judge of
 * traps; tests/conformance has those.
 */
#ifndef APMU_TEST_RANGED_H
#define APMU_TEST_RANGED_H

#include "tables.h"

#define EACH_RANGED_CORE(core) \
	EACH_CORE(core)        \
	if (core->access_rule != APMU_ACCESS_PLAIN)

/* One way to one register: an encoding of its row, and the counter that it names. */
struct way {
	const struct apmu_core *core;
	const struct apmu_reg *reg;
	const struct apmu_encoding *at;
	size_t i;   /* the register's place in the core's list */
	unsigned n; /* 0 unless the encoding names a counter */
};

/* Every way that the core has. Counters: the first and the last. */
#define EACH_WAY(core, w)                                             \
	for (struct way w = way_first(core); (w).reg; way_next(&(w))) \
		if (way_exists(&(w)))

struct way way_first(const struct apmu_core *core);
void way_next(struct way *way);

/* Has the core this programmers' model, this execution state, this part of the register? */
bool way_exists(const struct way *way);

/* The access, from the highest level that the core has; from EL2 for what is EL2's. */
struct apmu_access way_access(const struct way *way);

/* The bits of the register that this way shows. */
uint64_t way_bits(const struct way *way);

/* Does the field stand in this way's view? */
bool way_shows(const struct way *way, const struct apmu_field *field);

/* May the row's direction write it, read it? */
bool way_writes(const struct way *way);
bool way_reads(const struct way *way);

/* Out of reset at the highest level, the frame unlocked, PMSELR at a counter. */
void way_start(struct bench *b, const struct apmu_core *core);

/* Counters, types, masks and control bits become random; what decides who may see them stays. */
void way_shuffle(struct bench *b, uint64_t *seed);

/* Reads, writes through the way; asserts that it is done. Values as the view has them. */
uint64_t way_read(struct bench *b, const struct way *way);
void way_write(struct bench *b, const struct way *way, uint64_t value);

/* What the register's bits are after `written`, when they were `old`: both at the register's own positions.
 */
uint64_t way_after(const struct way *way, uint64_t old, uint64_t written);

/* Bits of the counters that the core has, the cycle and the instruction counter's among them. */
uint64_t way_counters(const struct apmu_core *core);

#endif
