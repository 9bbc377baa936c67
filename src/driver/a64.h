/* SPDX-License-Identifier: MIT */
/**
 * AArch64's counters by MRS and MSR. Register numbers are part of the instruction, hence the switches.
 */
#ifndef APMU_DRIVER_A64_H
#define APMU_DRIVER_A64_H

#include <apmu/types.h>

#if defined(__aarch64__)

#define A64_READ(name)                                           \
	__extension__({                                          \
		uint64_t word;                                   \
		__asm__ volatile("mrs %0, " #name : "=r"(word)); \
		word;                                            \
	})
#define A64_WRITE(name, value) __asm__ volatile("msr " #name ", %0" : : "r"((uint64_t)(value)) : "memory")

/* clang-format off */
/* Expand X(n, CRm, op2) for the 31 event counters. */
#define A64_SEVEN(X, n, m) \
	X(n + 0, m, 0) X(n + 1, m, 1) X(n + 2, m, 2) X(n + 3, m, 3) X(n + 4, m, 4) X(n + 5, m, 5) X(n + 6, m, 6)
#define A64_COUNTS(X) \
	A64_SEVEN(X, 0, 8) X(7, 8, 7) A64_SEVEN(X, 8, 9) X(15, 9, 7) A64_SEVEN(X, 16, 10) X(23, 10, 7) A64_SEVEN(X, 24, 11)
#define A64_TYPES(X) \
	A64_SEVEN(X, 0, 12) X(7, 12, 7) A64_SEVEN(X, 8, 13) X(15, 13, 7) A64_SEVEN(X, 16, 14) X(23, 14, 7) A64_SEVEN(X, 24, 15)
#define A64_READ_ONE(n, m, o)  case n: return A64_READ(S3_3_C14_C##m##_##o);
#define A64_WRITE_ONE(n, m, o) case n: A64_WRITE(S3_3_C14_C##m##_##o, value); break;

/* Reads counter n; 31: PMCCNTR, 32: PMICNTR. */
static inline uint64_t apmu_driver__a64_counter(unsigned n)
{
	switch (n) {
	A64_COUNTS(A64_READ_ONE)
	case APMU_INSTR_COUNTER: return A64_READ(S3_3_C9_C4_0);
	default: return A64_READ(S3_3_C9_C13_0);
	}
}
/* clang-format on */

#endif
#endif
