/* SPDX-License-Identifier: MIT */
/**
 * The operands of a preload instruction (PLD, PLDW, PLI, PRFM, PRFUM), which its address is computed from.
 * SVE's preloads are not covered.
 */
#ifndef APMU_ISA_PRELOAD_H
#define APMU_ISA_PRELOAD_H

#include "isa/classify.h"

#define APMU_ISA__NO_REGISTER 255u

enum apmu_isa__preload_index {
	APMU_ISA__INDEX_LSL,
	APMU_ISA__INDEX_LSR,
	APMU_ISA__INDEX_ASR,
	APMU_ISA__INDEX_ROR,
	APMU_ISA__INDEX_UXTW,
	APMU_ISA__INDEX_SXTW
};

struct apmu_isa__preload {
	uint8_t base;   /* register, in A64 31 is SP; APMU_ISA__NO_REGISTER: `offset` is the address */
	uint8_t index;  /* register, in A64 31 is zero; APMU_ISA__NO_REGISTER: none */
	uint8_t how;    /* enum apmu_isa__preload_index */
	uint8_t amount; /* bits that the index is shifted by */
	bool minus;     /* the index is subtracted */
	bool wide;      /* addresses have 64 bits */
	bool data; /* data; false: instructions, or an operation that Arm reserves, which does nothing here */
	bool store; /* preload for a write */
	int64_t offset;
};

/* Describes the instruction at `addr`, which apmu_isa__classify() classifies as a preload. Returns false for
 * a preload of SVE, or by an index rotated through the carry. */
bool apmu_isa__preload_decode(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
			      struct apmu_isa__preload *out);

/* The address of the preload, from the values of its registers. */
uint64_t apmu_isa__preload_address(const struct apmu_isa__preload *p, uint64_t base, uint64_t index);

#endif
