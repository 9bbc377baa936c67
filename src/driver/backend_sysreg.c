/* SPDX-License-Identifier: MIT */
/* AArch64's own PMU by MRS and MSR (PMUV3SHEET 1.1). */
#include "driver/a64.h"
#include "driver/device.h"

#if defined(__aarch64__)

#define PMUVER_LSB  8
#define PMICNTR_LSB 36
#define EL2_LSB     8 /* of ID_AA64PFR0_EL1 */

/* clang-format off */
static void set_counter(unsigned n, uint64_t value)
{
	switch (n) {
	A64_COUNTS(A64_WRITE_ONE)
	case APMU_INSTR_COUNTER: A64_WRITE(S3_3_C9_C4_0, value); break;
	default: A64_WRITE(S3_3_C9_C13_0, value); break;
	}
}

static uint64_t type(unsigned n)
{
	switch (n) {
	A64_TYPES(A64_READ_ONE)
	case APMU_INSTR_COUNTER: return A64_READ(S3_3_C9_C6_0);
	default: return A64_READ(S3_3_C14_C15_7);
	}
}

static void set_type(unsigned n, uint64_t value)
{
	switch (n) {
	A64_TYPES(A64_WRITE_ONE)
	case APMU_INSTR_COUNTER: A64_WRITE(S3_3_C9_C6_0, value); break;
	default: A64_WRITE(S3_3_C14_C15_7, value); break;
	}
}
/* clang-format on */

static int read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = A64_READ(S3_3_C9_C12_0); break;
	case APMU_DEV_COUNTER: *value = apmu_driver__a64_counter(n); break;
	case APMU_DEV_TYPE: *value = type(n); break;
	case APMU_DEV_ENABLE_SET: *value = A64_READ(S3_3_C9_C12_1); break;
	case APMU_DEV_FLAGS: *value = A64_READ(S3_3_C9_C12_3); break;
	case APMU_DEV_CEID: *value = n ? A64_READ(S3_3_C9_C12_7) : A64_READ(S3_3_C9_C12_6); break;
	case APMU_DEV_USER: *value = A64_READ(S3_3_C9_C14_0); break;
	case APMU_DEV_INTEN_SET: *value = A64_READ(S3_0_C9_C14_1); break;
	case APMU_DEV_MIDR: *value = A64_READ(S3_0_C0_C0_0); break;
	case APMU_DEV_VERSION: *value = A64_READ(S3_0_C0_C5_0) >> PMUVER_LSB & 0xF; break;
	case APMU_DEV_INSTR: *value = A64_READ(S3_0_C0_C5_1) >> PMICNTR_LSB & 0xF; break;
	case APMU_DEV_HPMN: /* without EL2, MDCR_EL2 reads 0 at EL3 */
		*value = A64_READ(S3_4_C1_C1_1) & 0x1F;
		return A64_READ(S3_0_C0_C4_0) >> EL2_LSB & 0xF ? APMU_OK : APMU_EOPNOTSUPP;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static int write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: A64_WRITE(S3_3_C9_C12_0, value); break;
	case APMU_DEV_COUNTER: set_counter(n, value); break;
	case APMU_DEV_TYPE: set_type(n, value); break;
	case APMU_DEV_ENABLE_SET: A64_WRITE(S3_3_C9_C12_1, value); break;
	case APMU_DEV_ENABLE_CLEAR: A64_WRITE(S3_3_C9_C12_2, value); break;
	case APMU_DEV_FLAGS: A64_WRITE(S3_3_C9_C12_3, value); break;
	case APMU_DEV_USER: A64_WRITE(S3_3_C9_C14_0, value); break;
	case APMU_DEV_INTEN_SET: A64_WRITE(S3_0_C9_C14_1, value); break;
	case APMU_DEV_INTEN_CLEAR: A64_WRITE(S3_0_C9_C14_2, value); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static void sync(void *ctx)
{
	(void)ctx;
	__asm__ volatile("isb" : : : "memory");
}

/* Masks IRQ and FIQ: either may be the PMU's. */
static unsigned lock(void *ctx)
{
	unsigned was = (unsigned)A64_READ(daif);

	(void)ctx;
	__asm__ volatile("msr daifset, #3" : : : "memory");
	return was;
}

static void unlock(void *ctx, unsigned was)
{
	(void)ctx;
	A64_WRITE(daif, was);
}

const struct apmu_backend apmu_backend_sysreg = {
	.name = "sysreg",
	.family = &apmu_family_ranged,
	.read = read,
	.write = write,
	.sync = sync,
	.lock = lock,
	.unlock = unlock,
	.traits = APMU_DEV_TRAIT_WIDE | APMU_DEV_TRAIT_WIDE_CYCLE | APMU_DEV_TRAIT_V8,
};

#endif
