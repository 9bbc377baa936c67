/* SPDX-License-Identifier: MIT */
/* What an Armv7 or PMUv3 PMU can do, asked of the PMU: PMCR.N, PMCEID, and which bits of PMCR and of a type
 * register keep what is written. An unknown core answers as well as a known one. */
#include "device.h"

#define N_HI         15
#define N_LO         11
#define LC           0x40u
#define LP           0x80u
#define P_C          0x06u       /* what trying the others must not do */
#define FILTERS      0xFD700000u /* P U NSK NSU NSH M, SH, RLK RLU RLH */
#define CEID_CHAIN   30
#define VERSION_P1   4
#define VERSION_P5   6
#define CYCLES       31
#define INSTRUCTIONS 32

/* Which of `bits` does the register keep? It is as before afterwards. */
static int kept(struct apmu_dev *dev, enum apmu_dev_reg reg, unsigned n, uint64_t bits, uint64_t never,
		uint64_t *out)
{
	uint64_t was = 0, now = 0;
	int bad = apmu__dev_read(dev, reg, n, &was);

	if (!bad)
		bad = apmu__dev_write(dev, reg, n, (was & ~never) | bits);
	if (!bad)
		bad = apmu__dev_read(dev, reg, n, &now);
	if (!bad)
		bad = apmu__dev_write(dev, reg, n, was & ~never);
	*out = now & bits;
	return bad;
}

static int probe_counters(struct apmu_dev *dev, unsigned *n)
{
	uint64_t control = 0, instr = 0, hpmn = 0;
	int bad = apmu__dev_read(dev, APMU_DEV_CONTROL, 0, &control);

	*n = (unsigned)apmu__get(control, N_HI, N_LO);
	if (dev->config->el > 1 && !apmu__dev_read(dev, APMU_DEV_HPMN, 0, &hpmn) && hpmn && hpmn < *n)
		*n = (unsigned)hpmn;
	dev->has.counters = (apmu__one(*n) - 1) | apmu__one(CYCLES);
	if (sizeof(apmu_counters) > 4 && !bad && !apmu__dev_read(dev, APMU_DEV_INSTR, 0, &instr) && instr)
		dev->has.counters |= (apmu_counters)(1ull << INSTRUCTIONS);
	return bad;
}

static int probe_widths(struct apmu_dev *dev, unsigned n)
{
	uint64_t wide = 0;
	int bad = kept(dev, APMU_DEV_CONTROL, 0, LC | LP, P_C, &wide);

	/* LP is RES0 before v8.5; QEMU 7.2 keeps it all the same. A frame does not name its version. */
	if ((wide & LP) && (dev->backend->traits & APMU_TRAIT_WIDE) &&
	    (!dev->has.version || dev->has.version >= VERSION_P5))
		dev->has.wide = apmu__one(n) - 1;
	if ((wide & LC) && (dev->backend->traits & APMU_TRAIT_WIDE_CYCLE))
		dev->has.wide |= apmu__one(CYCLES);
	dev->has.wide |= dev->has.counters & (apmu_counters)(1ull << INSTRUCTIONS);
	return bad;
}

/* The cycle counter's filter register is there where the event counters have filters (PMUv2 on). */
static int probe_filters(struct apmu_dev *dev, unsigned n)
{
	uint64_t bits = 0;
	int bad = APMU_OK;

	if (n)
		bad = kept(dev, APMU_DEV_TYPE, 0, FILTERS, 0, &bits);
	dev->has.filters = (uint32_t)bits;
	if (!bad && (bits || (dev->backend->traits & APMU_TRAIT_V8)))
		bad = kept(dev, APMU_DEV_TYPE, CYCLES, FILTERS, 0, &bits);
	dev->has.cycle_filters = (uint32_t)bits;
	return bad;
}

/* PMCEID is Undefined on Armv7 cores without PMUv2, but for one: the core's row knows. */
static void probe_events(struct apmu_dev *dev)
{
	const struct apmu_core *core = dev->config->core;

	bool v8 = dev->backend->traits & APMU_TRAIT_V8;

	if (!v8 && !dev->has.version && !(dev->has.known && (core->features >> APMU_FEATURE_CEID & 1)))
		return;
	for (unsigned k = 0; k < 2; k++)
		if (apmu__dev_read(dev, APMU_DEV_CEID, k, &dev->has.ceid[k]))
			dev->has.ceid[k] = 0;
}

/* Events 0x4000 on came with v8.1, and numbers of 16 bits with them; a frame does not name its version. */
static uint16_t event_mask(const struct apmu_dev *dev, bool v8)
{
	if (!v8)
		return 0xFF;
	return dev->has.version >= VERSION_P1 || (dev->has.ceid[0] | dev->has.ceid[1]) >> 32 ? 0xFFFF : 0x3FF;
}

int apmu__probe_ranged(struct apmu_dev *dev)
{
	bool v8 = dev->backend->traits & APMU_TRAIT_V8;
	unsigned n = 0;
	int bad = probe_counters(dev, &n);

	if (!bad)
		bad = probe_widths(dev, n);
	if (!bad)
		bad = probe_filters(dev, n);
	if (bad)
		return bad;
	probe_events(dev);
	dev->has.event_mask = event_mask(dev, v8);
	dev->has.chain = v8 && apmu__is_set(dev->has.ceid[0], CEID_CHAIN);
	if (!(dev->backend->traits & APMU_TRAIT_FRAME))
		dev->has.user = v8 ? 0xF : APMU_USER_ALL;
	return APMU_OK;
}
