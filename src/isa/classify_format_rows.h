/* SPDX-License-Identifier: MIT */
/**
 * The rows of classify_format*.c: which words a row matches, the type of their data, the number of elements.
 * Shared by these files only.
 */
#ifndef APMU_ISA_CLASSIFY_FORMAT_ROWS_H
#define APMU_ISA_CLASSIFY_FORMAT_ROWS_H

#include <apmu/uarch.h>

/* The bits that encode the type. FP: 16, 32 or 64 bits; others are integers. */
enum apmu_isa__format_type {
	NONE,
	FP_TYPE,  /* 23:22 of scalars: single, double, -, half */
	FP_SZ,    /* 22: single, double */
	FP_SIZE,  /* 23:22: half, half, single, double */
	FP_CP,    /* A32 9:8: -, half, single, double */
	FP_18,    /* A32 19:18: -, half, single */
	FP_20,    /* A32 20: single, half */
	FP_20_8,  /* A32 20: half, single */
	FP_20_16, /* A32 21:20: -, half, single */
	FP_HALF,
	FP_SINGLE,
	FP_DOUBLE,
	INT_SIZE,    /* 23:22 */
	INT_WIDE,    /* 23:22, the result twice as wide */
	INT_IMMH,    /* the highest bit of 22:19 */
	INT_IMMH2,   /* the highest bit of 22:19, the result twice as wide */
	INT_TSZ,     /* the highest bit of 23:22,9:8 */
	INT_TSZ_20,  /* the highest bit of 23:22,20:19 */
	INT_TSZ2,    /* the highest bit of 22,20:19, twice as wide */
	INT_ELEM,    /* 23:22: 16, 16, 32, 64 bits */
	INT_22,      /* 22: 32, 64 bits */
	INT_18,      /* A32 19:18 */
	INT_WIDE_18, /* A32 19:18, the result twice as wide */
	INT_20,      /* A32 21:20 */
	INT_WIDE_20, /* A32 21:20, the result twice as wide */
	INT_IMM,     /* A32: the highest bit of 7,21:19 */
	INT_IMM2,    /* A32: the highest bit of 21:19, the result twice as wide */
	INT_8,
	INT_16,
	INT_32,
	INT_64,
};

#define SCALAR  0x000u
#define VECTOR  0x001u /* A64: 64 or 128 bits, by bit 30 */
#define SVE     0x002u
#define FMA     0x004u /* two operations per element */
#define PRED    0x008u /* has a governing predicate */
#define LDFF    0x010u /* first-fault or non-fault load */
#define WHOLE   0x020u /* 128 bits: the wide side */
#define Q6      0x040u /* A32: 64 or 128 bits, by bit 6 */
#define Q24     0x080u /* A32: 64 or 128 bits, by bit 24 */
#define DOT     0x100u /* four operations per element: two products are added to it */
#define MMLA    0x200u /* eight operations per element */
#define CELL_32 0x400u /* an element takes 32 bits of the vector, whatever its type */
#define CELL_64 0x800u

struct apmu_isa__format_row {
	uint32_t mask, bits;
	uint16_t type, how; /* enum apmu_isa__format_type; SCALAR to CELL_64 */
};

/* Traits of the first row that matches; 0 if none does. */
uint64_t apmu_isa__format_find(uint32_t word, const struct apmu_isa__format_row *rows, size_t n);

#endif
