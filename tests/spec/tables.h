/* SPDX-License-Identifier: MIT */
/**
 * What the table tests share: loops over everything, and a PMU that can be poked by what a field means.
 *
 * A place is found through the description alone: these tests say "the field that is event counter 1's
 * selector" and never a register's name, so that a new core needs no new test.
 */
#ifndef APMU_TEST_TABLES_H
#define APMU_TEST_TABLES_H

#include <apmu/model.h>

/* Like CHECK_EQ, but says where in the loops the difference is. Needs test.h. */
#define CHECK_ON(core, what, got, want)                                                         \
	do {                                                                                    \
		unsigned long long got_ = (unsigned long long)(got);                            \
		unsigned long long want_ = (unsigned long long)(want);                          \
		if (got_ != want_)                                                              \
			fail_msg("%s %s: 0x%llx, not 0x%llx", (core)->name, what, got_, want_); \
	} while (0)

/* Loops over all cores, over those whose rights are one a level (ARM11, XScale), and over the registers and
 * fields of one. */
#define EACH_PLAIN_CORE(core) \
	EACH_CORE(core)       \
	if (core->access_rule == APMU_ACCESS_PLAIN)
#define EACH_CORE(core)                                                     \
	for (size_t core##_i = 0; core##_i < apmu_core_count(); core##_i++) \
		for (const struct apmu_core *core = apmu_core_at(core##_i); core; core = NULL)
#define EACH_REG(core, r)                                             \
	for (size_t r##_i = 0; r##_i < apmu_reg_count(core); r##_i++) \
		for (const struct apmu_reg *r = apmu_reg_nth(core, r##_i); r; r = NULL)
#define EACH_FIELD(r, f) for (const struct apmu_field *f = (r)->field; f < (r)->field + (r)->fields; f++)

/* A PMU and all that was said by it. */
struct bench {
	struct apmu pmu;
	struct apmu_tally tally;
	unsigned notes[APMU_NOTES];
	uint64_t detail[APMU_NOTES]; /* of the last note of each kind */
};

/* Out of reset, privileged and Secure. */
void bench_start(struct bench *b, const struct apmu_core *core);

/* A privileged Secure access to a register's i-th encoding. */
struct apmu_access bench_access(const struct apmu_reg *reg, unsigned i);

/* Reads and writes a register as a privileged Secure program; asserts that both are done. */
uint64_t bench_read(struct bench *b, const struct apmu_reg *reg);
void bench_write(struct bench *b, const struct apmu_reg *reg, uint64_t value);

/* The field that is a window on a place, and its register; NULL if the core has none. `n`: index of the
 * place. */
const struct apmu_field *bench_field(const struct apmu_core *core, enum apmu_place_kind kind, unsigned n,
				     const struct apmu_reg **reg);

/* Writes a field, keeping the other read/write fields of its register; flags are written 0. */
void bench_put(struct bench *b, enum apmu_place_kind kind, unsigned n, uint64_t value);
uint64_t bench_get(struct bench *b, enum apmu_place_kind kind, unsigned n);

/* Selects an event for a counter, enables counting and lets the start delay pass. */
void bench_count(struct bench *b, unsigned counter, unsigned number);

/* The kind a field has on this core: a field whose feature is absent is something else. */
enum apmu_kind kind_on(const struct apmu_core *core, const struct apmu_field *field);

/* What the bits of `mask`, a field's, read after `written` when they read `old` before: include/apmu/reg.h,
 * kind by kind. */
uint64_t field_after(const struct apmu_core *core, const struct apmu_field *f, uint64_t mask, uint64_t old,
		     uint64_t written);

/* The bits of a field, in place. */
uint64_t field_mask(const struct apmu_field *field);

/* The next number of a fixed sequence (xorshift64*); *state must not be 0. */
uint64_t random_next(uint64_t *state);

#endif
