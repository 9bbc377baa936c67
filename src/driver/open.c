/* SPDX-License-Identifier: MIT */
/* Opening and closing: probing the PMU and restoring it. */
#include "driver/device.h"

#define NO_PMU      0
#define OTHER_PMU   15
#define USER_ENABLE 0x01u
#define USER_LIMITS 0x10u /* PMUSERENR.UEN, of PMUv3p9: PMUACR permits counters, and PMCR is closed */
#define VAGUE       (1u << APMU_ERRATUM_FLAG_LOSS | 1u << APMU_ERRATUM_LOST_OVERFLOW)
#define SEED        0x9E3779B9u /* any number but 0 */

static enum apmu_why why_of(int bad)
{
	switch (bad) {
	case APMU_EPERM: return APMU_WHY_UNDEFINED;
	case APMU_EACCES: return APMU_WHY_TRAPPED;
	case APMU_ENODEV: return APMU_WHY_NO_PMU;
	default: return APMU_WHY_BUS;
	}
}

const struct apmu_core *apmu_core_identify(const struct apmu_core *const *cores, size_t n, uint32_t midr)
{
	for (size_t i = 0; i < n; i++)
		if (cores[i]->midr_mask && ((midr ^ cores[i]->midr) & cores[i]->midr_mask) == 0)
			return cores[i];
	return NULL;
}

/* Checks if the core's row is this core's: only then does it refine what the registers say. */
static void know(struct apmu_dev *dev)
{
	const struct apmu_core *core = dev->config->core;
	uint64_t midr = 0;

	if (dev->backend->read && dev->config->el && !apmu_driver__dev_ask(dev, APMU_DEV_MIDR, &midr))
		dev->has.midr = (uint32_t)midr;
	if (!core)
		return;
	if (dev->config->exact_core)
		dev->has.known = true;
	else if (dev->backend->traits & APMU_DEV_TRAIT_FRAME) /* has.midr is a part number instead */
		dev->has.known = core->constant[APMU_CORE_PART] == dev->has.midr;
	else
		dev->has.known = apmu_core_identify(&core, 1, dev->has.midr);
	if (dev->has.known && (core->errata & VAGUE))
		dev->has.vague = true;
}

/* Checks that EL0 may access the PMU; EL0 may always read PMUSERENR. */
static void ask_user(struct apmu_dev *dev, uint8_t *why)
{
	const uint64_t asked = USER_ENABLE | (sizeof(apmu_counters) > 4 ? USER_LIMITS : 0u);

	if (dev->config->el || (dev->backend->traits & APMU_DEV_TRAIT_FRAME) || !dev->family->architected)
		return;
	if ((apmu_driver__dev_get(dev, APMU_DEV_USER) & asked) == USER_ENABLE || dev->bad)
		return;
	*why = APMU_WHY_USER_CLOSED;
	dev->bad = APMU_EACCES;
}

/* Reads a register whose absence is no failure; false if it is absent. */
static bool ask(struct apmu_dev *dev, enum apmu_dev_reg reg, uint64_t *value)
{
	int bad = dev->bad ? dev->bad : apmu_driver__dev_ask(dev, reg, value);

	if (bad && bad != APMU_EOPNOTSUPP)
		dev->bad = bad;
	return !bad;
}

static void ask_version(struct apmu_dev *dev)
{
	uint64_t version;

	if (!dev->config->el || !ask(dev, APMU_DEV_VERSION, &version))
		return;
	dev->has.version = (uint8_t)version;
	if (version == NO_PMU || version == OTHER_PMU)
		dev->bad = APMU_ENODEV;
}

static void unlock_frame(struct apmu_dev *dev)
{
	uint64_t locked;

	dev->locked = ask(dev, APMU_DEV_LOCK, &locked) && locked;
	if (dev->locked)
		apmu_driver__dev_set(dev, APMU_DEV_LOCK, 0);
}

static void find(struct apmu_dev *dev, uint8_t *why)
{
	if (dev->backend->read) {
		ask_user(dev, why);
		ask_version(dev);
		unlock_frame(dev);
	}
	know(dev);
	if (!dev->bad)
		dev->family->probe(dev);
	dev->has.counters &= ~dev->config->reserved;
	if (!dev->bad)
		dev->family->save(dev, &dev->was);
	if (dev->bad)
		return;
	dev->family->quiet(dev);
	if (dev->bad)
		apmu_driver__restore_failed(dev, &dev->was);
}

/* apmu_dev_open() with a configuration that is possible. */
static int open(struct apmu_dev *dev, uint8_t *why)
{
	unsigned state = apmu_driver__lock(dev);
	int bad;

	*why = APMU_WHY_NOT;
	find(dev, why);
	bad = apmu_driver__dev_end(dev);
	if (bad) {
		if (dev->locked)
			apmu_driver__dev_set(dev, APMU_DEV_LOCK, 1);
		if (*why == APMU_WHY_NOT)
			*why = (uint8_t)why_of(bad);
	} else if (!(dev->has.counters & (apmu_driver__one(APMU_MAX_EVENT_COUNTERS) - 1))) {
		*why = APMU_WHY_NO_COUNTERS;
	}
	apmu_driver__unlock(dev, state);
	return bad;
}

int apmu_dev_open(struct apmu_dev *dev, const struct apmu_dev_config *config, uint8_t *why)
{
	uint8_t reason = APMU_WHY_CONFIG;
	int bad = APMU_EINVAL;

	*dev = (struct apmu_dev){.config = config,
				 .backend = config->backend,
				 .family = config->backend->family,
				 .ctx = config->ctx,
				 .random = SEED};
	if (config->el <= 3 && (!config->interrupt || config->el) && (!config->slots_n || config->slots))
		bad = open(dev, &reason);
	if (why)
		*why = reason;
	return bad;
}

static void close(struct apmu_dev *dev)
{
	apmu_driver__dev_stop(dev);
	dev->family->ack(dev, dev->has.counters);
	dev->family->restore(dev, &dev->was);
	if (dev->locked)
		apmu_driver__dev_set(dev, APMU_DEV_LOCK, 1);
	dev->loaded = dev->running = false;
}

int apmu_dev_close(struct apmu_dev *dev)
{
	return apmu_driver__locked(dev, close);
}
