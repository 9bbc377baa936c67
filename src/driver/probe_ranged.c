/* SPDX-License-Identifier: MIT */
/* Probes the capabilities of an Armv7 or PMUv3 PMU: PMCR.N, PMCEID, and which bits of PMCR and of a type
 * register keep what is written. This needs no knowledge of the core. */
#include "driver/device.h"

#define N_LO         11
#define N_MAX        0x1Fu
#define LC           0x40u
#define LP           0x80u
#define P_C          0x06u       /* must not be written as 1 while other bits are tried */
#define FILTERS      0xFD700000u /* P U NSK NSU NSH M, SH, RLK RLU RLH */
#define CEID_CHAIN   30
#define VERSION_P1   4
#define VERSION_P5   6
#define CYCLES       31
#define INSTRUCTIONS 32

/* Returns those of `bits` that the register keeps. Restores the register afterwards. */
static uint32_t kept(struct apmu_dev *dev, unsigned what, uint32_t bits, uint32_t never)
{
	uint64_t was = apmu_driver__dev_get(dev, what) & ~(uint64_t)never, now;

	apmu_driver__dev_set(dev, what, was | bits);
	now = apmu_driver__dev_get(dev, what);
	apmu_driver__dev_set(dev, what, was);
	return (uint32_t)now & bits;
}

/* ID registers are Undefined at EL0; those of a frame are not the core's. */
static bool identifies(const struct apmu_dev *dev)
{
	return dev->config->el || (dev->backend->traits & APMU_DEV_TRAIT_FRAME);
}

/* True if PMCR.N may be more than E starts, and HPMN can be read: with EL3 in AArch32, HDCR is Undefined
 * while SCR.NS is 0. */
static bool sees_hpmn(const struct apmu_dev *dev)
{
	return dev->config->el == 2 || (sizeof(apmu_counters) > 4 && dev->config->el == 3);
}

static unsigned probe_counters(struct apmu_dev *dev)
{
	uint64_t instr, hpmn;
	unsigned n = (unsigned)(apmu_driver__dev_get(dev, APMU_DEV_CONTROL) >> N_LO) & N_MAX;

	if (sees_hpmn(dev) && !apmu_driver__dev_ask(dev, APMU_DEV_HPMN, &hpmn) && hpmn < n)
		n = (unsigned)hpmn;
	dev->has.counters = (apmu_driver__one(n) - 1) | apmu_driver__one(CYCLES);
	if (sizeof(apmu_counters) > 4 && identifies(dev) &&
	    !apmu_driver__dev_ask(dev, APMU_DEV_INSTR, &instr) && instr)
		dev->has.counters |= (apmu_counters)(1ull << INSTRUCTIONS);
	return n;
}

static void probe_widths(struct apmu_dev *dev, unsigned n)
{
	uint32_t wide = kept(dev, APMU_DEV_CONTROL, LC | LP, P_C);

	/* LP is RES0 before v8.5, but QEMU 7.2 keeps it. A frame does not give its version. */
	if ((wide & LP) && (dev->backend->traits & APMU_DEV_TRAIT_WIDE) &&
	    (!dev->has.version || dev->has.version >= VERSION_P5))
		dev->has.wide = apmu_driver__one(n) - 1;
	if ((wide & LC) && (dev->backend->traits & APMU_DEV_TRAIT_WIDE_CYCLE))
		dev->has.wide |= apmu_driver__one(CYCLES);
	dev->has.wide |= dev->has.counters & (apmu_counters)(1ull << INSTRUCTIONS);
}

/* The cycle counter has a filter register if the event counters have filters (from PMUv2 on). */
static void probe_filters(struct apmu_dev *dev, unsigned n)
{
	if (n)
		dev->has.filters = kept(dev, APMU_DRIVER__REG(APMU_DEV_TYPE, 0), FILTERS, 0);
	if (dev->has.filters || (dev->backend->traits & APMU_DEV_TRAIT_V8))
		dev->has.cycle_filters = kept(dev, APMU_DRIVER__REG(APMU_DEV_TYPE, CYCLES), FILTERS, 0);
}

/* PMCEID is Undefined on all but one of the Armv7 cores without PMUv2: the core's row says on which. */
static void probe_events(struct apmu_dev *dev)
{
	const struct apmu_core *core = dev->config->core;
	bool v8 = dev->backend->traits & APMU_DEV_TRAIT_V8;

	if (!v8 && !dev->has.version && !(dev->has.known && (core->features >> APMU_FEATURE_CEID & 1)))
		return;
	for (unsigned k = 0; k < 2; k++)
		if (apmu_driver__dev_ask(dev, APMU_DRIVER__REG(APMU_DEV_CEID, k), &dev->has.ceid[k]))
			dev->has.ceid[k] = 0;
}

/* Events from 0x4000 on, and thus 16-bit numbers, came with v8.1. A frame does not give its version, but its
 * 64-bit model, which has no PMCEID, came later. */
static uint16_t event_mask(const struct apmu_dev *dev, bool v8)
{
	const unsigned frame64 = APMU_DEV_TRAIT_FRAME | APMU_DEV_TRAIT_WIDE;

	if (!v8)
		return 0xFF;
	if ((dev->backend->traits & frame64) == frame64 || dev->has.version >= VERSION_P1)
		return 0xFFFF;
	return (dev->has.ceid[0] | dev->has.ceid[1]) >> 32 ? 0xFFFF : 0x3FF;
}

void apmu_driver__probe_ranged(struct apmu_dev *dev)
{
	bool v8 = dev->backend->traits & APMU_DEV_TRAIT_V8;
	unsigned n = probe_counters(dev);

	probe_widths(dev, n);
	probe_filters(dev, n);
	if (dev->bad)
		return;
	probe_events(dev);
	dev->has.event_mask = event_mask(dev, v8);
	dev->has.chain = v8 && apmu_base__is_set(dev->has.ceid[0], CEID_CHAIN);
	if (!(dev->backend->traits & APMU_DEV_TRAIT_FRAME))
		dev->has.user = v8 ? 0xF : APMU_USER_ALL;
}
