/* SPDX-License-Identifier: MIT */
#include "family.h"

#include "ref_arm11.h"
#include "ref_xscale.h"

#include <string.h>

uint64_t likely_byte(struct rng *r, uint64_t value, unsigned lsb, const uint8_t *list, size_t n)
{
	uint64_t byte = list[rng_below(r, (unsigned)n)];

	return (value & ~((uint64_t)0xFF << lsb)) | byte << lsb;
}

uint64_t likely_count(struct rng *r, uint64_t value)
{
	uint64_t near = 0xFFFFFFFF - rng_below(r, 6);

	switch (rng_below(r, 8)) {
	case 0: return value;
	case 1: return 0;
	case 2: return near - rng_below(r, 200);
	default: return near;
	}
}

const struct subject subjects[] = {
	{"arm1136jf-s", &family_arm11, REF_ARM1136},  {"arm1156t2-s", &family_arm11, REF_ARM1156},
	{"arm1176jzf-s", &family_arm11, REF_ARM1176}, {"xscale1", &family_xscale, REF_XSC1},
	{"xscale2", &family_xscale, REF_XSC2},
};
const size_t subjects_n = sizeof subjects / sizeof subjects[0];

uint64_t few_bits(struct rng *r, uint64_t any)
{
	switch (rng_below(r, 4)) {
	case 0: return any;
	case 1: return any & rng_next(r) & rng_next(r);
	case 2: return 1ull << rng_below(r, 7) | 1ull << rng_below(r, 33);
	default: return 1ull << rng_below(r, 33);
	}
}

void draw_hot_cycles(struct op *op, struct rng *r, const struct family *f)
{
	op->value = 1;
	if (op->kind == OP_CYCLES && rng_one_in(r, 4))
		op->value = 1 + rng_below(r, 4);
	if (op->kind == OP_CYCLES && rng_one_in(r, 32))
		op->value = 1 + rng_below(r, 100);
	for (unsigned i = 0; i < f->hots; i++)
		if (rng_one_in(r, 2)) {
			op->signal[op->signals] = f->hot[i];
			op->count[op->signals++] =
				(uint8_t)(1 + rng_below(r, apmu_signal_row(f->hot[i])->step));
		}
}

/* Random input pins, mostly as after power on. */
struct apmu_inputs draw_pins(struct rng *r)
{
	return (struct apmu_inputs){
		.dbgen = !rng_one_in(r, 4),
		.niden = !rng_one_in(r, 4),
		.spiden = rng_one_in(r, 2),
		.spniden = rng_one_in(r, 2),
	};
}

size_t lives_of(const struct family *f, const char *core, const char *other)
{
	struct subject subject = {core, f, 0};

	while (subject.kind < apmu_core_count() && strcmp(apmu_core_at(subject.kind)->name, other) != 0)
		subject.kind++;
	return lives_break(&subject);
}
