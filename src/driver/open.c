/* SPDX-License-Identifier: MIT */
/* Finding out what is there, and giving it back. */
#include "device.h"

#define NO_PMU      0
#define OTHER_PMU   15
#define USER_ENABLE 1u
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
		if (cores[i]->midr_mask && (midr & cores[i]->midr_mask) == cores[i]->midr)
			return cores[i];
	return NULL;
}

/* The core's row refines what the registers say; it counts only if it is this core's. */
static void know(struct apmu_dev *dev)
{
	const struct apmu_core *core = dev->config->core;
	uint64_t midr = 0;

	if (dev->config->el && !apmu__dev_read(dev, APMU_DEV_MIDR, 0, &midr))
		dev->has.midr = (uint32_t)midr;
	if (!core)
		return;
	dev->has.known = dev->config->exact_core || apmu_core_identify(&core, 1, dev->has.midr);
	if (dev->backend->traits & APMU_TRAIT_FRAME) /* a part number instead */
		dev->has.known = dev->config->exact_core || core->constant[APMU_CORE_PART] == midr;
	dev->has.vague = dev->has.known &&
			 (core->errata & (1u << APMU_ERRATUM_FLAG_LOSS | 1u << APMU_ERRATUM_LOST_OVERFLOW));
}

/* EL0 may always ask whether it may. */
static int ask_user(struct apmu_dev *dev, uint8_t *why)
{
	uint64_t user = 0;
	int bad;

	if (dev->config->el || (dev->backend->traits & APMU_TRAIT_FRAME) ||
	    dev->family != &apmu_family_ranged)
		return APMU_OK;
	bad = apmu__dev_read(dev, APMU_DEV_USER, 0, &user);
	if (bad || (user & USER_ENABLE))
		return bad;
	*why = APMU_WHY_USER_CLOSED;
	return APMU_EACCES;
}

static int ask_version(struct apmu_dev *dev)
{
	uint64_t version = 0;
	int bad = dev->config->el ? apmu__dev_read(dev, APMU_DEV_VERSION, 0, &version) : APMU_EOPNOTSUPP;

	if (bad == APMU_EOPNOTSUPP)
		return APMU_OK;
	dev->has.version = (uint8_t)version;
	return !bad && (version == NO_PMU || version == OTHER_PMU) ? APMU_ENODEV : bad;
}

static int unlock_frame(struct apmu_dev *dev)
{
	uint64_t locked = 0;
	int bad = apmu__dev_read(dev, APMU_DEV_LOCK, 0, &locked);

	if (bad == APMU_EOPNOTSUPP)
		return APMU_OK;
	dev->locked = !bad && locked;
	return dev->locked ? apmu__dev_write(dev, APMU_DEV_LOCK, 0, 0) : bad;
}

static int find(struct apmu_dev *dev, uint8_t *why)
{
	int bad = dev->backend->read ? ask_user(dev, why) : APMU_OK;

	if (!bad && dev->backend->read) {
		bad = ask_version(dev);
		if (!bad)
			bad = unlock_frame(dev);
		know(dev);
	} else {
		dev->has.known = dev->config->core && dev->config->exact_core;
	}
	if (!bad)
		bad = dev->family->probe(dev);
	dev->has.counters &= ~dev->config->reserved;
	return bad ? bad : dev->family->quiet(dev, &dev->was);
}

int apmu_dev_open(struct apmu_dev *dev, const struct apmu_dev_config *config, uint8_t *why)
{
	uint8_t reason = APMU_WHY_NOT;
	unsigned state;
	int bad;

	*dev = (struct apmu_dev){.config = config,
				 .backend = config->backend,
				 .family = config->backend->family,
				 .ctx = config->ctx,
				 .random = SEED};
	if (config->el > 3 || (config->interrupt && !config->el) || (config->slots_n && !config->slots))
		return APMU_EINVAL;
	state = apmu__lock(dev);
	bad = find(dev, &reason);
	apmu__unlock(dev, state);
	if (bad && reason == APMU_WHY_NOT)
		reason = (uint8_t)why_of(bad);
	if (!bad && !(dev->has.counters & (apmu__one(APMU_MAX_EVENT_COUNTERS) - 1)))
		reason = APMU_WHY_NO_COUNTERS;
	if (why)
		*why = reason;
	return bad;
}

int apmu_dev_close(struct apmu_dev *dev)
{
	unsigned state = apmu__lock(dev);
	int bad = dev->loaded ? apmu_dev_stop(dev) : APMU_OK;

	if (!bad)
		bad = dev->family->ack(dev, dev->has.counters);
	if (!bad)
		bad = dev->family->restore(dev, &dev->was);
	if (!bad && dev->locked)
		bad = apmu__dev_write(dev, APMU_DEV_LOCK, 0, 1);
	dev->loaded = false;
	apmu__unlock(dev, state);
	return bad;
}
