/* SPDX-License-Identifier: MIT */
#include "cli/common/run_event.h"

_Static_assert(APMU_EVENT_SIGNALS + 1 <= APMU_GAUGE_SIGNALS, "an event's signals and an erratum's fit");

bool cli__wanted_run_event(const struct apmu_core *core, const struct cli__wanted *from,
			   struct apmu_qemu__run_event *to)
{
	const struct apmu_event *event = from->event;

	if (from->cycles)
		to->signal[to->signals++] = APMU_SIG_CYCLES;
	if (from->cycles || event == NULL)
		return to->signals != 0;
	if (event->erratum < 32 && (core->errata_on >> event->erratum & 1) != 0)
		to->signal[to->signals++] = event->extra;
	for (unsigned k = 0; k < event->signals; k++)
		to->signal[to->signals++] = event->signal[k];
	to->minus = event->minus;
	return to->signals != 0;
}
