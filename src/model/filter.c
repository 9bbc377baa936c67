/* SPDX-License-Identifier: MIT */
/* Decides if a counter's filter excludes the present mode. PMUV3SHEET 4.3; ARMV7SHEET 2, which is the same
 * without M. */
#include "model/model.h"

enum {
	RLH = 20,
	RLU = 21,
	RLK = 22,
	SH = 24,
	M = 26,
	NSH = 27,
	NSU = 28,
	NSK = 29,
	U = 30,
	P = 31,
	VS = 56,
	SYNC = 58
};

static bool bit(uint64_t type, unsigned i)
{
	return type >> i & 1;
}

/* EL0 and EL1: in Secure state the bit `plain` filters; in the other states the counter is filtered if
 * `plain` differs from its partner bit. */
static bool user_or_kernel(uint64_t type, uint8_t security, unsigned plain, unsigned nonsecure,
			   unsigned realm)
{
	switch ((enum apmu_security)security) {
	case APMU_NONSECURE: return bit(type, plain) != bit(type, nonsecure);
	case APMU_REALM: return bit(type, plain) != bit(type, realm);
	case APMU_SECURE:
	case APMU_ROOT: break;
	}
	return bit(type, plain);
}

static bool hypervisor(uint64_t type, uint8_t security)
{
	switch ((enum apmu_security)security) {
	case APMU_SECURE: return bit(type, NSH) == bit(type, SH);
	case APMU_REALM: return bit(type, NSH) == bit(type, RLH);
	case APMU_NONSECURE:
	case APMU_ROOT: break;
	}
	return !bit(type, NSH);
}

static bool by_level(const struct apmu *pmu, uint64_t type)
{
	struct apmu_mode in = pmu->s.mode;

	switch (in.el) {
	case 0: return user_or_kernel(type, in.security, U, NSU, RLU);
	case 1: return user_or_kernel(type, in.security, P, NSK, RLK);
	case 2: return hypervisor(type, in.security);
	default: break;
	}
	return apmu_model__a32(pmu, 3) || !apmu_model__has(pmu->core, APMU_FEATURE_EL3_A64)
		       ? bit(type, P)
		       : bit(type, M) != bit(type, P);
}

/* FEAT_PMUv3_SME: VS[0] filters Streaming mode, VS[1] the other mode. */
static bool by_streaming(const struct apmu *pmu, uint64_t type)
{
	return pmu->s.streaming ? bit(type, VS) : bit(type, VS + 1);
}

/* FEAT_SEBEP: a synchronous counter counts synchronous events only (PMUV3SHEET 4.2). */
static bool by_synchrony(const struct apmu *pmu, unsigned i)
{
	return i < APMU_CYCLE_COUNTER && bit(pmu->s.type[i], SYNC) && !(pmu->event[i] && pmu->event[i]->sync);
}

bool apmu_model__filters(const struct apmu *pmu, unsigned i)
{
	uint64_t type = pmu->s.type[i];

	if (!bit(pmu->type_mask[i < APMU_CYCLE_COUNTER ? 0 : i - APMU_CYCLE_COUNTER + 1], P))
		return false;
	return by_level(pmu, type) || by_streaming(pmu, type) || by_synchrony(pmu, i);
}

void apmu_model__refilter(struct apmu *pmu)
{
	uint64_t filtered = 0;

	for (uint64_t left = pmu->exists; left; left &= left - 1)
		if (apmu_model__filters(pmu, apmu_base__lowest(left)))
			filtered |= apmu_base__bit(apmu_base__lowest(left));
	pmu->filtered = filtered;
}
