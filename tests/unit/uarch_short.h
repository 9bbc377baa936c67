/* SPDX-License-Identifier: MIT */
/** Enters a block by the machine's fast path, as the QEMU engine does. */
#ifndef APMU_TEST_UARCH_SHORT_H
#define APMU_TEST_UARCH_SHORT_H

#include "uarch/fast.h"

static inline void enter_short(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (u->fast_path == APMU_UARCH__FAST_WINDOW)
		apmu_uarch__enter_window(u, b);
	else
		apmu_uarch_enter(u, b);
}

#endif
