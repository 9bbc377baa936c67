/* SPDX-License-Identifier: MIT */
/**
 * Which A64 instructions have their accesses checked against allocation tags, where memory has them
 * (FEAT_MTE). DDI0487 D10.4.1: all but those that address by the PC, by SP and a number without writing SP
 * back, and those that load and store the tags themselves.
 *
 * Inaccuracies: SVE with SP as base is taken as not checked. Freestanding, no state.
 */
#ifndef APMU_ISA_CLASSIFY_TAGS_H
#define APMU_ISA_CLASSIFY_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* requires: an A64 word; of what accesses no memory the answer means nothing */
bool apmu_isa__tag_checked(uint32_t word);

#endif
