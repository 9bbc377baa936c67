/* SPDX-License-Identifier: MIT */
/* User access: PMUSERENR, or ARM1176's SUNAVCR, whose bit V is at the position of EN. */
#include "driver/device.h"

#define KNOWN  0x0Fu
#define LIMITS 0x10u /* UEN: EN has no meaning */

int apmu_dev_user_now(struct apmu_dev *dev)
{
	uint64_t bits = 0;
	int bad;

	if (!dev->has.user)
		return 0; /* no bit allows it: EL0 accesses stay Undefined */
	bad = apmu_driver__dev_ask(dev, APMU_DEV_USER, &bits);
	if (bits & LIMITS)
		bits &= ~(uint64_t)APMU_USER_ALL;
	return bad ? bad : (int)(bits & KNOWN & dev->has.user);
}

int apmu_dev_user(struct apmu_dev *dev, unsigned allow)
{
	if (allow & ~(unsigned)dev->has.user)
		return APMU_EOPNOTSUPP;
	if (!dev->config->el && !(dev->backend->traits & APMU_DEV_TRAIT_FRAME))
		return APMU_EPERM; /* EL0 reads PMUSERENR, but a write is Undefined */
	if (dev->has.user)
		apmu_driver__dev_set(dev, APMU_DEV_USER, allow);
	return apmu_driver__dev_end(dev);
}
