/* SPDX-License-Identifier: MIT */
#include "family.h"

#include "ref_arm11.h"
#include "ref_xscale.h"

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
