/* SPDX-License-Identifier: MIT */
/**
 * What a preload instruction (PLD, PLDW, PLI, PRFM, PRFUM) names: where its address comes from. SVE's are not
 * among them.
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
	uint8_t base;   /* register, A64's 31 is SP; APMU_ISA__NO_REGISTER: `offset` is the address */
	uint8_t index;  /* register, A64's 31 is zero; APMU_ISA__NO_REGISTER: none */
	uint8_t how;    /* enum apmu_isa__preload_index, by ... */
	uint8_t amount; /* ... so many bits */
	bool minus;     /* the index is subtracted */
	bool wide;      /* addresses of 64 bits */
	bool data;      /* false: instructions, or a kind that Arm leaves free: to this model nothing */
	bool store;     /* to write it */
	int64_t offset;
};

/* Describes the instruction at `addr`, which apmu_isa__classify() knows as a preload. False: an SVE one, or
 * one by a rotation through the carry. */
bool apmu_isa__preload_decode(enum apmu_isa__isa isa, uint64_t addr, uint32_t word,
			      struct apmu_isa__preload *out);

/* Its address, from the values of its registers. */
uint64_t apmu_isa__preload_address(const struct apmu_isa__preload *p, uint64_t base, uint64_t index);

#endif
