/* SPDX-License-Identifier: MIT */
/** Entering a block the short way that the machine has, as the QEMU engine does. */
#ifndef APMU_TEST_UARCH_SHORT_H
#define APMU_TEST_UARCH_SHORT_H

#include "uarch/enter.h"

static inline void enter_short(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__coming from;
	enum apmu_uarch__entered how = APMU_UARCH__ENTERED_FAR;

	switch (apmu_uarch__way_of(u)) {
	case APMU_UARCH__WAY_LINES: how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_LINES); break;
	case APMU_UARCH__WAY_UNTIMED:
		how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_UNTIMED);
		break;
	case APMU_UARCH__WAY_TIMED: how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_TIMED); break;
	case APMU_UARCH__WAY_BUFFER:
		how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_BUFFER);
		break;
	case APMU_UARCH__WAY_WINDOW:
		how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_WINDOW);
		break;
	case APMU_UARCH__WAY_ANY: how = apmu_uarch__enter_quick(u, b, &from, APMU_UARCH__WAY_ANY); break;
	}
	if (how == APMU_UARCH__ENTERED_FAR)
		apmu_uarch_enter(u, b);
	else if (how == APMU_UARCH__ENTERED_MORE)
		apmu_uarch__enter_more(u, b, from.before, from.taken, apmu_uarch__coming_cost(u, &from));
	else if (how == APMU_UARCH__ENTERED_ANY)
		(u->window ? apmu_uarch__enter_window : apmu_uarch__enter_any)(u, b);
}

#endif
