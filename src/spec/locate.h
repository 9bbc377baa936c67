/* SPDX-License-Identifier: MIT */
/**
 * From an encoding to a register and the part of it that the view shows. For the model.
 */
#ifndef APMU_SPEC_LOCATE_H
#define APMU_SPEC_LOCATE_H

#include <apmu/core.h>

struct apmu__hit {
	const struct apmu_reg *reg;
	uint8_t n;         /* the counter that an indexed encoding names; else 0 */
	uint8_t lo, width; /* bits of the register that the view shows */
	uint8_t view;      /* enum apmu_view; the frame's model told apart */
};

/* False if the core has no such register. Constant time in the number of registers. */
bool apmu__locate(const struct apmu_core *core, enum apmu_view view, uint32_t encoding,
		  struct apmu__hit *hit);

/* The same for encodings that name a counter; a bank that has such names this function. */
bool apmu__indexed(const struct apmu_core *core, unsigned view, uint32_t encoding, struct apmu__hit *hit);

#endif
