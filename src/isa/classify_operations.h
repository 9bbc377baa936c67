/* SPDX-License-Identifier: MIT */
/**
 * What A64 instructions do: divisions, gather loads and so on, for events by operation (0x8000 to 0x80FF).
 *
 * Looks through all rows, so it is asked only where somebody counts such events. Hosted or not: no
 * allocation, no state. Source: DDI0487, chapter C4.
 */
#ifndef APMU_ISA_CLASSIFY_OPERATIONS_H
#define APMU_ISA_CLASSIFY_OPERATIONS_H

#include <apmu/uarch.h>

/* Sets `operations`, as in struct apmu_insn, to those of the word. */
void apmu_isa__operations(uint32_t word, uint64_t operations[APMU_OPERATION_WORDS]);

/* Sets `elements` and `bytes`. requires: `operations` is set; what the word is otherwise, too */
void apmu_isa__moved(uint32_t word, struct apmu_insn *insn);

#endif
