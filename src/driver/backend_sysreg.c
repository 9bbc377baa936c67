/* SPDX-License-Identifier: MIT */
/* AArch64's own PMU by MRS and MSR (pmuv3.md 1.1). Register numbers are part of the instruction, hence the
 * switches over the counters. */
#include "device.h"

#if defined(__aarch64__)

#define READ(name)                                               \
	__extension__({                                          \
		uint64_t word;                                   \
		__asm__ volatile("mrs %0, " #name : "=r"(word)); \
		word;                                            \
	})
#define WRITE(name, value) __asm__ volatile("msr " #name ", %0" : : "r"((uint64_t)(value)) : "memory")

#define PMUVER_LSB  8
#define PMICNTR_LSB 36

/* clang-format off */
/* X(n, CRm, op2) for the 31 event counters. */
#define SEVEN(X, n, m) \
	X(n + 0, m, 0) X(n + 1, m, 1) X(n + 2, m, 2) X(n + 3, m, 3) X(n + 4, m, 4) X(n + 5, m, 5) X(n + 6, m, 6)
#define COUNTS(X) \
	SEVEN(X, 0, 8) X(7, 8, 7) SEVEN(X, 8, 9) X(15, 9, 7) SEVEN(X, 16, 10) X(23, 10, 7) SEVEN(X, 24, 11)
#define TYPES(X) \
	SEVEN(X, 0, 12) X(7, 12, 7) SEVEN(X, 8, 13) X(15, 13, 7) SEVEN(X, 16, 14) X(23, 14, 7) SEVEN(X, 24, 15)
#define READ_ONE(n, m, o)  case n: return READ(S3_3_C14_C##m##_##o);
#define WRITE_ONE(n, m, o) case n: WRITE(S3_3_C14_C##m##_##o, value); break;

static uint64_t counter(unsigned n)
{
	switch (n) {
	COUNTS(READ_ONE)
	case APMU_INSTR_COUNTER: return READ(S3_3_C9_C4_0);
	default: return READ(S3_3_C9_C13_0);
	}
}

static void set_counter(unsigned n, uint64_t value)
{
	switch (n) {
	COUNTS(WRITE_ONE)
	case APMU_INSTR_COUNTER: WRITE(S3_3_C9_C4_0, value); break;
	default: WRITE(S3_3_C9_C13_0, value); break;
	}
}

static uint64_t type(unsigned n)
{
	switch (n) {
	TYPES(READ_ONE)
	case APMU_INSTR_COUNTER: return READ(S3_3_C9_C6_0);
	default: return READ(S3_3_C14_C15_7);
	}
}

static void set_type(unsigned n, uint64_t value)
{
	switch (n) {
	TYPES(WRITE_ONE)
	case APMU_INSTR_COUNTER: WRITE(S3_3_C9_C6_0, value); break;
	default: WRITE(S3_3_C14_C15_7, value); break;
	}
}
/* clang-format on */

static int read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = READ(S3_3_C9_C12_0); break;
	case APMU_DEV_COUNTER: *value = counter(n); break;
	case APMU_DEV_TYPE: *value = type(n); break;
	case APMU_DEV_ENABLE_SET: *value = READ(S3_3_C9_C12_1); break;
	case APMU_DEV_FLAGS: *value = READ(S3_3_C9_C12_3); break;
	case APMU_DEV_CEID: *value = n ? READ(S3_3_C9_C12_7) : READ(S3_3_C9_C12_6); break;
	case APMU_DEV_USER: *value = READ(S3_3_C9_C14_0); break;
	case APMU_DEV_INTEN_SET: *value = READ(S3_0_C9_C14_1); break;
	case APMU_DEV_MIDR: *value = READ(S3_0_C0_C0_0); break;
	case APMU_DEV_VERSION: *value = READ(S3_0_C0_C5_0) >> PMUVER_LSB & 0xF; break;
	case APMU_DEV_INSTR: *value = READ(S3_0_C0_C5_1) >> PMICNTR_LSB & 0xF; break;
	case APMU_DEV_HPMN: *value = READ(S3_4_C1_C1_1) & 0x1F; break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static int write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: WRITE(S3_3_C9_C12_0, value); break;
	case APMU_DEV_COUNTER: set_counter(n, value); break;
	case APMU_DEV_TYPE: set_type(n, value); break;
	case APMU_DEV_ENABLE_SET: WRITE(S3_3_C9_C12_1, value); break;
	case APMU_DEV_ENABLE_CLEAR: WRITE(S3_3_C9_C12_2, value); break;
	case APMU_DEV_FLAGS: WRITE(S3_3_C9_C12_3, value); break;
	case APMU_DEV_USER: WRITE(S3_3_C9_C14_0, value); break;
	case APMU_DEV_INTEN_SET: WRITE(S3_0_C9_C14_1, value); break;
	case APMU_DEV_INTEN_CLEAR: WRITE(S3_0_C9_C14_2, value); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static void sync(void *ctx)
{
	(void)ctx;
	__asm__ volatile("isb" : : : "memory");
}

/* IRQ and FIQ: either may be the PMU's. */
static unsigned lock(void *ctx)
{
	unsigned was = (unsigned)READ(daif);

	(void)ctx;
	__asm__ volatile("msr daifset, #3" : : : "memory");
	return was;
}

static void unlock(void *ctx, unsigned was)
{
	(void)ctx;
	WRITE(daif, was);
}

const struct apmu_backend apmu_backend_sysreg = {
	.name = "sysreg",
	.family = &apmu_family_ranged,
	.read = read,
	.write = write,
	.sync = sync,
	.lock = lock,
	.unlock = unlock,
	.traits = APMU_TRAIT_WIDE | APMU_TRAIT_WIDE_CYCLE | APMU_TRAIT_V8,
};

#endif
