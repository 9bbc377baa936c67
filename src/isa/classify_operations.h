/* SPDX-License-Identifier: MIT */
/**
 * The operations of A64 instructions: divisions, gather loads and so on, for events by operation (0x8000 to
 * 0x80FF).
 *
 * Searches all rows, so call it only if somebody counts such events. Works hosted or not: no
 * allocation, no state. Source: DDI0487, chapter C4.
 */
#ifndef APMU_ISA_CLASSIFY_OPERATIONS_H
#define APMU_ISA_CLASSIFY_OPERATIONS_H

#include <apmu/uarch.h>

/* classify_aligned.c: `aligned` of a load or store, as in struct apmu_insn. T32's Advanced SIMD in A32's
 * form.
 */
uint8_t apmu_isa__aligned(bool a64, uint32_t word, unsigned width);

/* Sets `operations`, as in struct apmu_insn, to those of the word. */
void apmu_isa__operations(uint32_t word, uint64_t operations[APMU_OPERATION_WORDS]);

/* Sets `elements` and `bytes`. requires: all other members are set, `operations` too */
void apmu_isa__moved(uint32_t word, struct apmu_insn *insn);

#endif
