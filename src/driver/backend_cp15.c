/* SPDX-License-Identifier: MIT */
/* This processor's own PMU by MRC and MCR of CP15: ARM11, Armv7, and AArch32 of Armv8 (DDI0301H 3-132,
 * ARMV7SHEET 2, PMUV3SHEET 1.2). */
#include "driver/a32.h"
#include "driver/device.h"

#if defined(__arm__) && (!defined(__thumb__) || defined(__thumb2__)) && !APMU_DRIVER__M_PROFILE

#define READ(opc1, crn, crm, opc2)                                                                   \
	__extension__({                                                                              \
		uint32_t word;                                                                       \
		__asm__ volatile("mrc p15, " #opc1 ", %0, " #crn ", " #crm ", " #opc2 : "=r"(word)); \
		word;                                                                                \
	})
#define WRITE(opc1, crn, crm, opc2, value)                                    \
	__asm__ volatile("mcr p15, " #opc1 ", %0, " #crn ", " #crm ", " #opc2 \
			 :                                                    \
			 : "r"((uint32_t)(value))                             \
			 : "memory")

#define PERFMON_LSB 24
#define PMUV2       2
#define PMUV3       3
#define PMUV3P1     4

static void sync(void *ctx)
{
	(void)ctx;
#if __ARM_ARCH >= 7
	__asm__ volatile("isb" : : : "memory");
#else
	WRITE(0, c7, c5, 4, 0); /* Armv6: flush prefetch buffer */
#endif
}

#if __ARM_ARCH < 7

static int arm11_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = READ(0, c15, c12, 0); break;
	case APMU_DEV_COUNTER:
		*value = n == APMU_CYCLE_COUNTER ? READ(0, c15, c12, 1)
			 : n                     ? READ(0, c15, c12, 3)
						 : READ(0, c15, c12, 2);
		break;
	case APMU_DEV_USER: *value = READ(0, c15, c9, 0); break;
	case APMU_DEV_MIDR: *value = READ(0, c0, c0, 0); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static int arm11_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: WRITE(0, c15, c12, 0, value); break;
	case APMU_DEV_COUNTER:
		if (n == APMU_CYCLE_COUNTER)
			WRITE(0, c15, c12, 1, value);
		else if (n)
			WRITE(0, c15, c12, 3, value);
		else
			WRITE(0, c15, c12, 2, value);
		break;
	case APMU_DEV_USER: WRITE(0, c15, c9, 0, value); break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

const struct apmu_backend apmu_backend_cp15_arm11 = {
	.name = "cp15-arm11",
	.family = &apmu_family_arm11,
	.read = arm11_read,
	.write = arm11_write,
	.sync = sync,
	.lock = apmu_driver__a32_lock,
	.unlock = apmu_driver__a32_unlock,
};

#endif
#if __ARM_ARCH >= 7

static void select(unsigned n)
{
	WRITE(0, c9, c12, 5, n);
	sync(NULL);
}

static unsigned perfmon(void)
{
	return READ(0, c0, c1, 2) >> PERFMON_LSB & 0xF;
}

static int v7_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: *value = READ(0, c9, c12, 0); break;
	case APMU_DEV_ENABLE_SET: *value = READ(0, c9, c12, 1); break;
	case APMU_DEV_FLAGS: *value = READ(0, c9, c12, 3); break;
	case APMU_DEV_SELECT: *value = READ(0, c9, c12, 5); break;
	case APMU_DEV_CEID: *value = n ? READ(0, c9, c12, 7) : READ(0, c9, c12, 6); break;
	case APMU_DEV_USER: *value = READ(0, c9, c14, 0); break;
	case APMU_DEV_INTEN_SET: *value = READ(0, c9, c14, 1); break;
	case APMU_DEV_MIDR: *value = READ(0, c0, c0, 0); break;
	case APMU_DEV_HPMN: *value = READ(4, c1, c1, 1) & 0x1F; break;
	case APMU_DEV_VERSION:
		*value = PMUV2; /* the field is 0 on cores with PMUv1 */
		return perfmon() == PMUV2 ? APMU_OK : APMU_EOPNOTSUPP;
	case APMU_DEV_COUNTER:
		if (n < APMU_MAX_EVENT_COUNTERS)
			select(n);
		*value = n < APMU_MAX_EVENT_COUNTERS ? READ(0, c9, c13, 2) : READ(0, c9, c13, 0);
		break;
	case APMU_DEV_TYPE:
		select(n);
		*value = READ(0, c9, c13, 1);
		break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

static int v7_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	(void)ctx;
	switch (reg) {
	case APMU_DEV_CONTROL: WRITE(0, c9, c12, 0, value); break;
	case APMU_DEV_ENABLE_SET: WRITE(0, c9, c12, 1, value); break;
	case APMU_DEV_ENABLE_CLEAR: WRITE(0, c9, c12, 2, value); break;
	case APMU_DEV_FLAGS: WRITE(0, c9, c12, 3, value); break;
	case APMU_DEV_SELECT: WRITE(0, c9, c12, 5, value); break;
	case APMU_DEV_USER: WRITE(0, c9, c14, 0, value); break;
	case APMU_DEV_INTEN_SET: WRITE(0, c9, c14, 1, value); break;
	case APMU_DEV_INTEN_CLEAR: WRITE(0, c9, c14, 2, value); break;
	case APMU_DEV_COUNTER:
		if (n < APMU_MAX_EVENT_COUNTERS) {
			select(n);
			WRITE(0, c9, c13, 2, value);
		} else {
			WRITE(0, c9, c13, 0, value);
		}
		break;
	case APMU_DEV_TYPE:
		select(n);
		WRITE(0, c9, c13, 1, value);
		break;
	default: return APMU_EOPNOTSUPP;
	}
	return APMU_OK;
}

const struct apmu_backend apmu_backend_cp15_v7 = {
	.name = "cp15-v7",
	.family = &apmu_family_ranged,
	.read = v7_read,
	.write = v7_write,
	.sync = sync,
	.lock = apmu_driver__a32_lock,
	.unlock = apmu_driver__a32_unlock,
	.traits = APMU_DEV_TRAIT_SELECT,
};

/* Armv8: PerfMon has 3 for PMUv3 where ID_AA64DFR0.PMUVer has 1; PMCEID has upper halves from v8.1 on. */
static int v8_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	uint32_t low, high;
	unsigned version;

	if (reg == APMU_DEV_COUNTER && n == APMU_CYCLE_COUNTER) {
		__asm__ volatile("mrrc p15, 0, %0, %1, c9" : "=r"(low), "=r"(high));
		*value = low | (uint64_t)high << 32;
		return APMU_OK;
	}
	if (reg == APMU_DEV_VERSION) {
		version = perfmon();
		*value = version == PMUV3 ? 1 : version < PMUV3 ? 0 : version;
		return APMU_OK;
	}
	if (reg != APMU_DEV_CEID || perfmon() < PMUV3P1)
		return v7_read(ctx, reg, n, value);
	low = n ? READ(0, c9, c12, 7) : READ(0, c9, c12, 6);
	high = n ? READ(0, c9, c14, 5) : READ(0, c9, c14, 4);
	*value = low | (uint64_t)high << 32;
	return APMU_OK;
}

static int v8_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	if (reg != APMU_DEV_COUNTER || n != APMU_CYCLE_COUNTER)
		return v7_write(ctx, reg, n, value);
	__asm__ volatile("mcrr p15, 0, %0, %1, c9"
			 :
			 : "r"((uint32_t)value), "r"((uint32_t)(value >> 32))
			 : "memory");
	return APMU_OK;
}

const struct apmu_backend apmu_backend_cp15_v8 = {
	.name = "cp15-v8",
	.family = &apmu_family_ranged,
	.read = v8_read,
	.write = v8_write,
	.sync = sync,
	.lock = apmu_driver__a32_lock,
	.unlock = apmu_driver__a32_unlock,
	.traits = APMU_DEV_TRAIT_SELECT | APMU_DEV_TRAIT_WIDE_CYCLE | APMU_DEV_TRAIT_V8,
};

#endif
#endif
