/* SPDX-License-Identifier: MIT */
/* Events, metrics and signals. */
#include "module.h"

static void put_signals(const struct apmu_event *event)
{
	put(",\"signals\":[");
	for (unsigned k = 0; k < event->signals; k++)
		put("%s\"%s%s\"", k ? "," : "", k + event->minus < event->signals ? "" : "-",
		    apmu_signal_row(event->signal[k])->name);
	put("]");
}

static void put_aliases(const struct apmu_core *core, unsigned number)
{
	put(",\"names\":[");
	for (unsigned k = 0; k < core->aliases; k++)
		if (!core->event_alias[k].cycle_counter && core->event_alias[k].number == number) {
			put_comma();
			put_string(core->event_alias[k].name);
		}
	put("]");
}

/* The events of core `index`. */
EXPORT("list_events") void list_events(unsigned index)
{
	static const char *const produced[] = {"exact", "modelled", "injected", "not produced"};
	const struct apmu_core *core = apmu_core_at(index);

	begin();
	put("[");
	for (size_t i = 0; i < core->events; i++) {
		const struct apmu_event *event = apmu_event_at(core, i);
		const struct apmu_reason_row *reason = apmu_reason_row(event->reason);
		put_comma();
		put("{\"number\":%u,\"step\":%u,\"counts\":\"%s\"", event->number, event->step,
		    produced[event->produced]);
		put_member("name", event->name);
		put_member("text", event->text);
		put_member("note", event->note);
		put_member("reason", reason ? reason->text : NULL);
		put_signals(event);
		put_aliases(core, event->number);
		put("}");
	}
	put("]");
}

/* The metrics of core `index`. */
EXPORT("list_metrics") void list_metrics(unsigned index)
{
	const struct apmu_core *core = apmu_core_at(index);

	begin();
	put("[");
	for (size_t i = 0; i < apmu_metric_count(core); i++) {
		const struct apmu_metric *metric = apmu_metric_at(core, i);
		put_comma();
		put("{\"unit\":\"%s\"", metric->unit);
		put_member("group", metric->group_text);
		put_member("name", metric->name);
		put_member("formula", metric->formula);
		put_member("text", metric->text);
		put("}");
	}
	put("]");
}

/* Every signal that an event source may add to. */
EXPORT("list_signals") void list_signals(void)
{
	begin();
	put("[");
	for (unsigned s = 0; s < APMU_SIGNALS; s++) {
		put_comma();
		put("{\"unit\":\"%s\"", apmu_signal_row(s)->unit);
		put_member("name", apmu_signal_row(s)->name);
		put_member("text", apmu_signal_row(s)->text);
		put("}");
	}
	put("]");
}
