/* SPDX-License-Identifier: MIT */
/** Entering a block the short way that the machine has, as the QEMU engine does. */
#ifndef APMU_TEST_UARCH_SHORT_H
#define APMU_TEST_UARCH_SHORT_H

#include "uarch/enter.h"

static inline void enter_short(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu__coming from;
	enum apmu__entered how = APMU__ENTERED_FAR;

	switch (apmu__way_of(u)) {
	case APMU__WAY_LINES: how = apmu__enter_quick(u, b, &from, APMU__WAY_LINES); break;
	case APMU__WAY_UNTIMED: how = apmu__enter_quick(u, b, &from, APMU__WAY_UNTIMED); break;
	case APMU__WAY_TIMED: how = apmu__enter_quick(u, b, &from, APMU__WAY_TIMED); break;
	case APMU__WAY_BUFFER: how = apmu__enter_quick(u, b, &from, APMU__WAY_BUFFER); break;
	case APMU__WAY_WINDOW: how = apmu__enter_quick(u, b, &from, APMU__WAY_WINDOW); break;
	case APMU__WAY_ANY: how = apmu__enter_quick(u, b, &from, APMU__WAY_ANY); break;
	}
	if (how == APMU__ENTERED_FAR)
		apmu_uarch_enter(u, b);
	else if (how == APMU__ENTERED_MORE)
		apmu__enter_more(u, b, from.before, from.taken, apmu__coming_cost(u, &from));
	else if (how == APMU__ENTERED_ANY)
		(u->window ? apmu__enter_window : apmu__enter_any)(u, b);
}

#endif
