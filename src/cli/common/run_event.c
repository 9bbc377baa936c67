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
	if (cli__wanted_over_counts(core, from))
		to->signal[to->signals++] = event->extra;
	for (unsigned k = 0; k < event->signals; k++)
		to->signal[to->signals++] = event->signal[k];
	to->minus = event->minus;
	return to->signals != 0;
}

uint64_t cli__wanted_sum(const struct apmu_core *core, const struct cli__wanted *wanted,
			 const struct apmu_tally *tally)
{
	struct apmu_qemu__run_event event = {0};

	return cli__wanted_run_event(core, wanted, &event) ? apmu_qemu__run_event_sum(&event, tally) : 0;
}
