/* SPDX-License-Identifier: MIT */
/**
 * What kinds of data a floating-point, Advanced SIMD or SVE instruction computes on: traits beside those of
 * classify.h. Asked for such instructions alone.
 *
 * Hosted or not: no allocation, no state. Sources: DDI0487, chapters C4 and F4.
 */
#ifndef APMU_ISA_CLASSIFY_FORMAT_H
#define APMU_ISA_CLASSIFY_FORMAT_H

#include <apmu/uarch.h>

/* Bits of enum apmu_trait; 0 for words that compute nothing that is counted by type: of an A64 word; of an
 * A32 or T32 one, as apmu_isa__opcode() answers it. */
uint64_t apmu_isa__format_traits(uint32_t word);
uint64_t apmu_isa__format_traits_a32(uint32_t word);

#endif
