/* SPDX-License-Identifier: MIT */
/**
 * What kinds of data an A64 floating-point, Advanced SIMD or SVE instruction computes on: traits beside those
 * of classify.h. Asked for such instructions alone.
 *
 * Hosted or not: no allocation, no state. Source: DDI0487, chapter C4.
 */
#ifndef APMU_ENGINE_CLASSIFY_FORMAT_H
#define APMU_ENGINE_CLASSIFY_FORMAT_H

#include <apmu/uarch.h>

/* Bits of enum apmu_trait; 0 for words that compute nothing that is counted by type. */
uint64_t apmu__format_traits(uint32_t word);

#endif
