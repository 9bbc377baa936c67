/* SPDX-License-Identifier: MIT */
/* The model as a PMU to drive: registers by the encodings that a program on this core would use. Only this
 * file of the driver depends on the model. */
#include <apmu/model.h>

#include "driver/device.h"

#define NONE 0

/* An encoding of a register; `at` NONE: there is no such register. */
struct way {
	enum apmu_view view;
	uint32_t at;
};

static struct way cp14(unsigned crn, unsigned crm)
{
	return (struct way){APMU_VIEW_CP, apmu_cp(14, 0, crn, crm, 0)};
}

static struct way cp15(unsigned crn, unsigned crm, unsigned opc2)
{
	return (struct way){APMU_VIEW_CP, apmu_cp(15, 0, crn, crm, opc2)};
}

static struct way a64(unsigned op1, unsigned crn, unsigned crm, unsigned op2)
{
	return (struct way){APMU_VIEW_A64, apmu_sysreg(3, op1, crn, crm, op2)};
}

static struct way nowhere(void)
{
	return (struct way){APMU_VIEW_CP, NONE};
}

static struct way arm11(enum apmu_dev_reg reg, unsigned n)
{
	switch (reg) {
	case APMU_DEV_CONTROL: return cp15(15, 12, 0);
	case APMU_DEV_COUNTER: return cp15(15, 12, n == APMU_CYCLE_COUNTER ? 1 : n + 2);
	case APMU_DEV_USER: return cp15(15, 9, 0);
	default: return nowhere();
	}
}

static struct way xscale1(enum apmu_dev_reg reg, unsigned n)
{
	switch (reg) {
	case APMU_DEV_CONTROL: return cp14(0, 0);
	case APMU_DEV_COUNTER: return cp14(n == APMU_CYCLE_COUNTER ? 1 : n + 2, 0);
	default: return nowhere();
	}
}

static struct way xscale2(enum apmu_dev_reg reg, unsigned n)
{
	switch (reg) {
	case APMU_DEV_CONTROL: return cp14(0, 1);
	case APMU_DEV_COUNTER: return n == APMU_CYCLE_COUNTER ? cp14(1, 1) : cp14(n, 2);
	case APMU_DEV_TYPE: return cp14(8, 1);
	case APMU_DEV_INTEN_SET: return cp14(4, 1);
	case APMU_DEV_FLAGS: return cp14(5, 1);
	default: return nowhere();
	}
}

/* Armv7 and AArch32. Event counters are reached through PMSELR, which the caller has set. */
static struct way ranged32(enum apmu_dev_reg reg, unsigned n)
{
	switch (reg) {
	case APMU_DEV_CONTROL: return cp15(9, 12, 0);
	case APMU_DEV_ENABLE_SET: return cp15(9, 12, 1);
	case APMU_DEV_ENABLE_CLEAR: return cp15(9, 12, 2);
	case APMU_DEV_FLAGS: return cp15(9, 12, 3);
	case APMU_DEV_SELECT: return cp15(9, 12, 5);
	case APMU_DEV_CEID: return cp15(9, 12, 6 + n);
	case APMU_DEV_COUNTER: return n == APMU_CYCLE_COUNTER ? cp15(9, 13, 0) : cp15(9, 13, 2);
	case APMU_DEV_TYPE: return cp15(9, 13, 1);
	case APMU_DEV_USER: return cp15(9, 14, 0);
	case APMU_DEV_INTEN_SET: return cp15(9, 14, 1);
	case APMU_DEV_INTEN_CLEAR: return cp15(9, 14, 2);
	case APMU_DEV_HPMN: return (struct way){APMU_VIEW_CP, apmu_cp(15, 4, 1, 1, 1)};
	default: return nowhere();
	}
}

static struct way ranged64(enum apmu_dev_reg reg, unsigned n)
{
	switch (reg) {
	case APMU_DEV_CONTROL: return a64(3, 9, 12, 0);
	case APMU_DEV_ENABLE_SET: return a64(3, 9, 12, 1);
	case APMU_DEV_ENABLE_CLEAR: return a64(3, 9, 12, 2);
	case APMU_DEV_FLAGS: return a64(3, 9, 12, 3);
	case APMU_DEV_CEID: return a64(3, 9, 12, 6 + n);
	case APMU_DEV_USER: return a64(3, 9, 14, 0);
	case APMU_DEV_INTEN_SET: return a64(0, 9, 14, 1);
	case APMU_DEV_INTEN_CLEAR: return a64(0, 9, 14, 2);
	case APMU_DEV_HPMN: return a64(4, 1, 1, 1);
	case APMU_DEV_COUNTER:
		if (n == APMU_CYCLE_COUNTER)
			return a64(3, 9, 13, 0);
		return n == APMU_INSTR_COUNTER ? a64(3, 9, 4, 0) : a64(3, 14, 8 + (n >> 3), n & 7);
	case APMU_DEV_TYPE:
		if (n == APMU_CYCLE_COUNTER)
			return a64(3, 14, 15, 7);
		return n == APMU_INSTR_COUNTER ? a64(3, 9, 6, 0) : a64(3, 14, 12 + (n >> 3), n & 7);
	default: return nowhere();
	}
}

static int result(enum apmu_outcome outcome)
{
	switch (outcome) {
	case APMU_DONE: return APMU_OK;
	case APMU_UNDEFINED: return APMU_EPERM;
	default: return APMU_EACCES;
	}
}

static int load(const struct apmu_model_port *port, struct way way, uint64_t *value)
{
	if (way.at == NONE)
		return APMU_EOPNOTSUPP;
	return result(apmu_read_now(port->pmu, (struct apmu_access){way.view, way.at, port->from}, value));
}

static int store(const struct apmu_model_port *port, struct way way, uint64_t value)
{
	if (way.at == NONE)
		return APMU_EOPNOTSUPP;
	return result(apmu_write(port->pmu, (struct apmu_access){way.view, way.at, port->from}, value));
}

/* ID registers belong to the core, not to the PMU: their values come from the core's row. */
static int identify(const struct apmu *pmu, enum apmu_dev_reg reg, uint64_t *value)
{
	const struct apmu_core *core = pmu->core;
	uint64_t perfmon = apmu_base__get(apmu_identify(core, APMU_ID_DFR0, 0), 27, 24);

	if (reg == APMU_DEV_MIDR)
		*value = core->midr;
	else if (reg == APMU_DEV_INSTR)
		*value = apmu_base__get(apmu_identify(core, APMU_ID_AA64DFR1, 0), 39, 36);
	else if (core->access_rule == APMU_ACCESS_V8)
		*value = apmu_base__get(apmu_identify(core, APMU_ID_AA64DFR0, 0), 11, 8);
	else
		*value = perfmon;
	return reg == APMU_DEV_VERSION && !*value ? APMU_EOPNOTSUPP : APMU_OK;
}

static bool identifies(enum apmu_dev_reg reg)
{
	return reg == APMU_DEV_MIDR || reg == APMU_DEV_VERSION || reg == APMU_DEV_INSTR;
}

#define PLAIN_PORT(family)                                                                      \
	static int read_##family(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value) \
	{                                                                                       \
		const struct apmu_model_port *port = ctx;                                       \
		return identifies(reg) ? identify(port->pmu, reg, value)                        \
				       : load(port, family(reg, n), value);                     \
	}                                                                                       \
	static int write_##family(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value) \
	{                                                                                       \
		return store(ctx, family(reg, n), value);                                       \
	}

PLAIN_PORT(arm11)
PLAIN_PORT(xscale1)
PLAIN_PORT(xscale2)
PLAIN_PORT(ranged64)

/* True if the access goes to the counter that PMSELR selects. The cycle counter's own register does not. */
static bool selected(enum apmu_dev_reg reg, unsigned n)
{
	return reg == APMU_DEV_TYPE || (reg == APMU_DEV_COUNTER && n < APMU_MAX_EVENT_COUNTERS);
}

static int read_ranged32(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	const struct apmu_model_port *port = ctx;
	uint64_t high = 0;
	int bad = APMU_OK;

	if (reg == APMU_DEV_INSTR)
		return APMU_EOPNOTSUPP;
	if (identifies(reg))
		return identify(port->pmu, reg, value);
	if (selected(reg, n))
		bad = store(port, ranged32(APMU_DEV_SELECT, 0), n);
	if (!bad)
		bad = load(port, ranged32(reg, n), value);
	if (bad || reg != APMU_DEV_CEID || !(port->pmu->core->features >> APMU_FEATURE_P1 & 1))
		return bad;
	bad = load(port, cp15(9, 14, 4 + n), &high); /* PMCEID2, 3 */
	*value |= high << 32;
	return bad;
}

static int write_ranged32(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	const struct apmu_model_port *port = ctx;
	int bad = selected(reg, n) ? store(port, ranged32(APMU_DEV_SELECT, 0), n) : APMU_OK;

	return bad ? bad : store(port, ranged32(reg, n), value);
}

/* AArch32 of Armv8: all 64 bits of the cycle counter, by MRRC and MCRR. */
static const struct way whole_cycles = {APMU_VIEW_CP64, 15u << 16 | 9u << 4};

static int read_ranged32_v8(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	if (reg == APMU_DEV_COUNTER && n == APMU_CYCLE_COUNTER)
		return load(ctx, whole_cycles, value);
	return read_ranged32(ctx, reg, n, value);
}

static int write_ranged32_v8(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	if (reg == APMU_DEV_COUNTER && n == APMU_CYCLE_COUNTER)
		return store(ctx, whole_cycles, value);
	return write_ranged32(ctx, reg, n, value);
}

static const struct apmu_backend backends[] = {
	{.name = "model", .family = &apmu_family_arm11, .read = read_arm11, .write = write_arm11},
	{.name = "model", .family = &apmu_family_xscale1, .read = read_xscale1, .write = write_xscale1},
	{.name = "model", .family = &apmu_family_xscale2, .read = read_xscale2, .write = write_xscale2},
	{.name = "model",
	 .family = &apmu_family_ranged,
	 .read = read_ranged32,
	 .write = write_ranged32,
	 .traits = APMU_DEV_TRAIT_SELECT},
	{.name = "model",
	 .family = &apmu_family_ranged,
	 .read = read_ranged32_v8,
	 .write = write_ranged32_v8,
	 .traits = APMU_DEV_TRAIT_SELECT | APMU_DEV_TRAIT_WIDE_CYCLE | APMU_DEV_TRAIT_V8},
	{.name = "model",
	 .family = &apmu_family_ranged,
	 .read = read_ranged64,
	 .write = write_ranged64,
	 .traits = APMU_DEV_TRAIT_WIDE | APMU_DEV_TRAIT_WIDE_CYCLE | APMU_DEV_TRAIT_V8},
};

static bool has(const struct apmu_core *core, struct way way)
{
	unsigned n;

	return apmu_reg_at(core, way.view, way.at, &n);
}

const struct apmu_backend *apmu_backend_of_model(const struct apmu_model_port *port)
{
	const struct apmu_core *core = port->pmu->core;

	if (has(core, arm11(APMU_DEV_CONTROL, 0)))
		return &backends[0];
	if (has(core, xscale1(APMU_DEV_CONTROL, 0)))
		return &backends[1];
	if (has(core, xscale2(APMU_DEV_CONTROL, 0)))
		return &backends[2];
	if (!port->aarch32 && has(core, ranged64(APMU_DEV_CONTROL, 0)))
		return &backends[5];
	return has(core, whole_cycles) ? &backends[4] : &backends[3];
}
