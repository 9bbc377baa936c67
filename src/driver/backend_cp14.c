/* SPDX-License-Identifier: MIT */
/* XScale's own PMU by MRC and MCR of CP14 (XSCALE 8.2, IXP42X 3.7). */
#include "driver/a32.h"
#include "driver/device.h"

#if defined(__arm__) && !defined(__thumb__) && __ARM_ARCH < 6

#define READ(cp, crn, crm)                                                                   \
	__extension__({                                                                      \
		uint32_t word;                                                               \
		__asm__ volatile("mrc p" #cp ", 0, %0, " #crn ", " #crm ", 0" : "=r"(word)); \
		word;                                                                        \
	})
#define WRITE(crn, crm, value) \
	__asm__ volatile("mcr p14, 0, %0, " #crn ", " #crm ", 0" : : "r"((uint32_t)(value)) : "memory")

static int one_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = READ(14, c0, c0); break;
	case APMU_DEV_COUNTER:
		*value = n == APMU_CYCLE_COUNTER ? READ(14, c1, c0) : n ? READ(14, c3, c0) : READ(14, c2, c0);
		break;
	case APMU_DEV_MIDR: *value = READ(15, c0, c0); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static int one_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	if (reg == APMU_DEV_CONTROL)
		WRITE(c0, c0, value);
	else if (reg != APMU_DEV_COUNTER)
		return APMU_EOPNOTSUPP;
	else if (n == APMU_CYCLE_COUNTER)
		WRITE(c1, c0, value);
	else if (n)
		WRITE(c3, c0, value);
	else
		WRITE(c2, c0, value);
	return APMU_OK;
}

static uint32_t two_counter(unsigned n)
{
	switch (n) {
	case 0: return READ(14, c0, c2);
	case 1: return READ(14, c1, c2);
	case 2: return READ(14, c2, c2);
	case 3: return READ(14, c3, c2);
	default: return READ(14, c1, c1);
	}
}

static int two_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = READ(14, c0, c1); break;
	case APMU_DEV_COUNTER: *value = two_counter(n); break;
	case APMU_DEV_INTEN_SET: *value = READ(14, c4, c1); break;
	case APMU_DEV_FLAGS: *value = READ(14, c5, c1); break;
	case APMU_DEV_TYPE: *value = READ(14, c8, c1); break;
	case APMU_DEV_MIDR: *value = READ(15, c0, c0); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static void two_set_counter(unsigned n, uint64_t value)
{
	switch (n) {
	case 0: WRITE(c0, c2, value); break;
	case 1: WRITE(c1, c2, value); break;
	case 2: WRITE(c2, c2, value); break;
	case 3: WRITE(c3, c2, value); break;
	default: WRITE(c1, c1, value); break;
	}
}

static int two_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: WRITE(c0, c1, value); break;
	case APMU_DEV_COUNTER: two_set_counter(n, value); break;
	case APMU_DEV_INTEN_SET: WRITE(c4, c1, value); break;
	case APMU_DEV_FLAGS: WRITE(c5, c1, value); break;
	case APMU_DEV_TYPE: WRITE(c8, c1, value); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

const struct apmu_backend apmu_backend_cp14_xscale1 = {
	.name = "cp14-xscale1",
	.family = &apmu_family_xscale1,
	.read = one_read,
	.write = one_write,
	.lock = apmu_driver__a32_lock,
	.unlock = apmu_driver__a32_unlock,
};

const struct apmu_backend apmu_backend_cp14_xscale2 = {
	.name = "cp14-xscale2",
	.family = &apmu_family_xscale2,
	.read = two_read,
	.write = two_write,
	.lock = apmu_driver__a32_lock,
	.unlock = apmu_driver__a32_unlock,
};

#endif
