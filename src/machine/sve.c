/* SPDX-License-Identifier: MIT */
/*
 * Keeps SVE trapped. The largest model has SVE with no vector length at all, and ends the process when it
 * looks for one, which it does as soon as no level traps SVE. So some level always traps it: CPTR_EL3.EZ and
 * CPACR_EL1.ZEN stay 0, and CPTR_EL2.TZ is 1 where TFP is, which would be checked first.
 */
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"

#define CPACR_EL1  (3u << 16 | 1 << 8 | 2)
#define CPACR_EL12 (3u << 16 | 5u << 12 | 1 << 8 | 2)
#define CPTR_EL2   (3u << 16 | 4u << 12 | 1 << 8 | 1 << 4 | 2)
#define CPTR_EL3   (3u << 16 | 6u << 12 | 1 << 8 | 1 << 4 | 2)
#define ZEN        ((uint64_t)3 << 16)
#define TFP        ((uint64_t)1 << 10)
#define TZ         ((uint64_t)1 << 8)
#define EZ         ((uint64_t)1 << 8)

bool apmu_machine__controls_sve(const struct apmu_machine *m, uint32_t encoding)
{
	return m->model->sve && (encoding == CPACR_EL1 || encoding == CPACR_EL12 || encoding == CPTR_EL2 ||
				 encoding == CPTR_EL3);
}

static uint64_t tame(uint32_t encoding, uint64_t value)
{
	if (encoding == CPTR_EL3)
		return value & ~EZ;
	if (encoding != CPTR_EL2) /* CPTR_EL2 has ZEN too, for a host */
		return value & ~ZEN;
	return (value & ~ZEN) | (value & TFP ? TZ : 0);
}

uint64_t apmu_machine__tamed(const struct apmu_machine *m, uint32_t encoding, uint64_t value)
{
	return apmu_machine__controls_sve(m, encoding) ? tame(encoding, value) : value;
}

/* The emulator makes the write, so the source register holds the changed value until it has done so. */
void apmu_machine__tame_sve(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	uint32_t op = c->opcode;
	unsigned rt = op & 31;
	uint64_t value = apmu_machine__reg(m, rt), tamed = tame(apmu_machine__encoding_a64(op), value);

	if (op >> 21 & 1 || tamed == value)
		return;
	apmu_machine__reg_set(m, rt, tamed);
	m->fix_rt = rt;
	m->fix_rt2 = 255;
	m->fix = value;
	m->after |= APMU_MACHINE__AFTER_RESTORE;
}
