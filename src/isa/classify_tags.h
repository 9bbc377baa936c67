/* SPDX-License-Identifier: MIT */
/**
 * The A64 instructions whose accesses are checked against allocation tags, if memory has those (FEAT_MTE).
 * DDI0487 D10.4.1: all except those that address by the PC, by SP plus an immediate without writing SP back,
 * and those that load and store the tags themselves.
 *
 * Inaccuracies: SVE with SP as base is taken as not checked. Freestanding, no state.
 */
#ifndef APMU_ISA_CLASSIFY_TAGS_H
#define APMU_ISA_CLASSIFY_TAGS_H

#include <stdbool.h>
#include <stdint.h>

/* requires: an A64 word; for an instruction without memory accesses the result is meaningless */
bool apmu_isa__tag_checked(uint32_t word);

#endif
