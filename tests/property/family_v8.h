/* SPDX-License-Identifier: MIT */
/**
 * Accesses to PMUv3: the encodings that lives use, and functions that draw them.
 */
#ifndef APMU_TEST_FAMILY_V8_H
#define APMU_TEST_FAMILY_V8_H

#include "family.h"

extern const uint32_t v8_a64[], v8_cp[];
extern const uint16_t v8_frame[];
extern const size_t v8_a64_n, v8_cp_n;
size_t v8_frame_n(const struct apmu_core *core); /* how many of the first offsets the core has */

/* A random exception level and security state that the core has. */
struct apmu_mode v8_any_place(struct rng *r, const struct apmu_core *core);

/* A random access through a view that the level can use, or the frame; bit e of `aarch32`: ELe uses AArch32.
 */
struct apmu_access v8_access_from(struct rng *r, const struct apmu_core *core, struct apmu_mode m,
				  uint8_t aarch32);

void v8_draw(struct op *op, struct rng *r, const struct subject *subject);

#endif
