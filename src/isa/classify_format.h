/* SPDX-License-Identifier: MIT */
/**
 * The types of data that a floating-point, Advanced SIMD or SVE instruction computes on: traits in addition
 * to those of classify.h. Call these functions for such instructions only.
 *
 * Works hosted or not: no allocation, no state. Sources: DDI0487, chapters C4 and F4.
 */
#ifndef APMU_ISA_CLASSIFY_FORMAT_H
#define APMU_ISA_CLASSIFY_FORMAT_H

#include <apmu/uarch.h>

/* Return bits of enum apmu_trait, 0 for an instruction without computation that is counted by type: of an A64
 * word; of an A32 word, or T32's VFP or Advanced SIMD in A32's encoding. */
uint64_t apmu_isa__format_traits(uint32_t word);
uint64_t apmu_isa__format_traits_a32(uint32_t word);

#endif
