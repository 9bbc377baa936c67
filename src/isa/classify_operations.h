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

/* Sets `operations`, as in struct apmu_insn, to those of the word. */
void apmu_isa__operations(uint32_t word, uint64_t operations[APMU_OPERATION_WORDS]);

/* Sets `elements` and `bytes`. requires: all other members are set, `operations` too */
void apmu_isa__moved(uint32_t word, struct apmu_insn *insn);

#endif
