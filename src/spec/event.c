/* SPDX-License-Identifier: MIT */
/* Looking up a core's events. */
#include <apmu/core.h>

#include "base/names.h"

const struct apmu_event *apmu_event_find(const struct apmu_core *core, unsigned number)
{
	size_t low = 0, high = core->events;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (apmu_event_at(core, middle)->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == core->events || apmu_event_at(core, low)->number != number)
		return NULL;
	return apmu_event_at(core, low);
}

struct apmu_event_share apmu_event_share(const struct apmu_core *core)
{
	struct apmu_event_share share = {.listed = core->events};

	for (size_t i = 0; i < core->events; i++) {
		const struct apmu_event *e = apmu_event_at(core, i);
		const struct apmu_reason_row *reason = apmu_reason_row(e->reason);
		bool causable = reason == NULL || reason->hidden;

		share.causable += causable;
		share.produced += causable && (e->produced == APMU_EXACT || e->produced == APMU_MODELLED);
	}
	return share;
}

int apmu_event_name(const struct apmu_core *core, const char *name, const struct apmu_event **event,
		    bool *cycle_counter)
{
	*event = NULL;
	*cycle_counter = false;
	for (size_t i = 0; i < core->events; i++) {
		if (apmu_base__same_name(apmu_event_at(core, i)->name, name)) {
			*event = apmu_event_at(core, i);
			return APMU_OK;
		}
	}
	for (size_t i = 0; i < core->aliases; i++) {
		const struct apmu_event_alias *alias = &core->event_alias[i];

		if (apmu_base__same_name(alias->name, name)) {
			*cycle_counter = alias->cycle_counter;
			*event = alias->cycle_counter ? NULL : apmu_event_find(core, alias->number);
			return APMU_OK;
		}
	}
	return APMU_ENOENT;
}
