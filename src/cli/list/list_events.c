/* SPDX-License-Identifier: MIT */
#include "cli/common/table.h"
#include "cli/list/list.h"

#include <apmu/metric.h>
#include <stdlib.h>
#include <string.h>

static const char cycles_text[] = "Core clock cycles, on the cycle counter.";

const char *cli__produced_name(unsigned produced)
{
	static const char *const name[] = {
		[APMU_EXACT] = "exact",
		[APMU_MODELLED] = "modelled",
		[APMU_INJECTED] = "injected",
		[APMU_NOTHING] = "not produced",
	};

	return produced < sizeof name / sizeof name[0] ? name[produced] : "?";
}

static void bus_text(char out[16], const struct apmu_event *event)
{
	if (event->bus == APMU_NO_BUS)
		snprintf(out, 16, "-");
	else if (event->bus_bits > 1)
		snprintf(out, 16, "%u:%u", event->bus + event->bus_bits - 1u, event->bus);
	else
		snprintf(out, 16, "%u", event->bus);
}

/* True if the alias names `event`; NULL: the cycle counter. */
static bool is_alias(const struct apmu_event_alias *alias, const struct apmu_event *event)
{
	return event == NULL ? alias->cycle_counter : !alias->cycle_counter && alias->number == event->number;
}

/* "instructions insn-executed": the other names of an event, or of the cycle counter. */
static char *other_names(const struct apmu_core *core, const struct apmu_event *event)
{
	char *list = cli__copy("");

	for (unsigned i = 0; i < core->aliases; i++) {
		const struct apmu_event_alias *alias = &core->event_alias[i];
		char *longer;

		if (!is_alias(alias, event))
			continue;
		longer = cli__format("%s%s%s", list, list[0] != '\0' ? " " : "", alias->name);
		free(list);
		list = longer;
	}
	return list;
}

static void append(char **list, const char *text, bool less)
{
	const char *word = (*list)[0] == '\0' ? "" : less ? "; less " : "; plus ";
	char *longer = cli__format("%s%s%s", *list, word, text);

	free(*list);
	*list = longer;
}

static char *of_signals(const struct apmu_event *event)
{
	char *list = cli__copy("");

	for (unsigned i = 0; i < event->signals; i++)
		append(&list, apmu_signal_row(event->signal[i])->text, i + event->minus >= event->signals);
	return list;
}

/* True if the event's text only repeats its name: "sve pred spec". */
static bool bare(const struct apmu_event *event)
{
	size_t i = 0;

	while (event->name[i] != '\0' &&
	       event->text[i] == (event->name[i] == '_' ? ' ' : cli__list_lower(event->name[i])))
		i++;
	return event->name[i] == '\0' && event->text[i] == '\0' && event->signals != 0;
}

static char *noted(const struct apmu_event *event)
{
	char *list, *all;

	if (!bare(event))
		return cli__copy(event->note);
	list = of_signals(event);
	all = cli__format("%s. %s", list, event->note);
	free(list);
	return all;
}

/* What the event counts in the model: the row's note, else its signals, else why it counts nothing; note and
 * signals if the event's text only repeats its name. */
static char *here(const struct apmu_event *event)
{
	const struct apmu_reason_row *reason = apmu_reason_row(event->reason);

	if (event->note != NULL)
		return noted(event);
	if (event->produced == APMU_NOTHING && reason != NULL)
		return cli__format(reason->hidden ? "a program can cause it, but %s"
						  : "no program causes it: %s",
				   reason->text);
	if (event->produced == APMU_NOTHING)
		return cli__copy("a program can cause it, but nothing models it yet");
	if (event->signals == 0)
		return cli__copy(reason != NULL ? reason->text : "");
	return of_signals(event);
}

/* Joins both parts, "looked up in L1. Here: data reads", each ended by one full stop at most; leaves out a
 * text that only repeats the name. */
static char *meaning(const struct apmu_event *event)
{
	char *words = here(event);

	if (bare(event))
		return words;
	size_t length = strlen(event->text);
	bool stop = length != 0 && event->text[length - 1] == '.';
	char *all = cli__format("%s%s%s%s", event->text, words[0] != '\0' && !stop ? "." : "",
				words[0] != '\0' ? " Here: " : "", words);

	free(words);
	return all;
}

/* True if the words of the command line select `event`; NULL: the cycle counter. */
static bool wanted(const struct cli__list *list, const struct apmu_event *event)
{
	char number[16];

	if (list->words == 0 || cli__list_wants(list, event != NULL ? event->name : "CYCLES"))
		return true;
	for (unsigned i = 0; i < list->core->aliases; i++)
		if (is_alias(&list->core->event_alias[i], event) &&
		    cli__list_wants(list, list->core->event_alias[i].name))
			return true;
	snprintf(number, sizeof number, "0x%02x", event != NULL ? event->number : 0xFFFFu);
	return event != NULL && cli__list_wants(list, number);
}

static void print_event(struct cli__table *table, const struct apmu_core *core,
			const struct apmu_event *event)
{
	char *names = other_names(core, event), *text = meaning(event);
	char bus[16];

	bus_text(bus, event);
	cli__table_add(table, "0x%02x", event->number);
	cli__table_add(table, "%s", event->name);
	cli__table_add(table, "%s", bus);
	cli__table_add(table, "%s", cli__produced_name(event->produced));
	cli__table_add(table, "%s%s%s%s", text, names[0] != '\0' ? " [" : "", names,
		       names[0] != '\0' ? "]" : "");
	free(text);
	free(names);
}

static void print_cycles(struct cli__table *table, const struct apmu_core *core)
{
	char *names = other_names(core, NULL);

	cli__table_add(table, "-");
	cli__table_add(table, "CYCLES");
	cli__table_add(table, "-");
	cli__table_add(table, "%s", cli__produced_name(APMU_MODELLED));
	cli__table_add(table, "%s [%s]", cycles_text, names);
	free(names);
}

void cli__list_events(const struct cli__list *list)
{
	static const char *const head[] = {"number", "event", "bus", "counts",
					   "what it counts [other names]"};
	const struct apmu_core *core = list->core;
	struct cli__table table = {.head = head, .right = "LLRLL", .columns = 5};

	if (wanted(list, NULL))
		print_cycles(&table, core);
	for (unsigned i = 0; i < core->events; i++)
		if (wanted(list, apmu_event_at(core, i)))
			print_event(&table, core, apmu_event_at(core, i));
	cli__table_print(&table, list->width, list->cli->out);
}

static json_t *names_json(const struct apmu_core *core, const struct apmu_event *event)
{
	json_t *array = json_array();

	for (unsigned i = 0; i < core->aliases; i++)
		if (is_alias(&core->event_alias[i], event))
			cli__json_append(array, cli__json_text(core->event_alias[i].name));
	return array;
}

static json_t *cycles_json(const struct apmu_core *core)
{
	json_t *object = json_object();

	cli__json_add(object, "number", json_null());
	cli__json_add(object, "name", cli__json_text("CYCLES"));
	cli__json_add(object, "step", json_integer(1));
	cli__json_add(object, "bus", json_null());
	cli__json_add(object, "counts", cli__json_text(cli__produced_name(APMU_MODELLED)));
	cli__json_add(object, "text", cli__json_text(cycles_text));
	cli__json_add(object, "note", json_null());
	cli__json_add(object, "here", cli__json_text(cycles_text));
	cli__json_add(object, "reason", json_null());
	cli__json_add(object, "signals", json_pack("[s]", "CYCLES"));
	cli__json_add(object, "names", names_json(core, NULL));
	return object;
}

/* Adds `here`, the signals, and `reason`: why no program can cause the event; null if one can. */
static void add_here(json_t *object, const struct apmu_event *event)
{
	const struct apmu_reason_row *reason = apmu_reason_row(event->reason);
	json_t *signals = json_array(), *less = json_array();
	char *words = here(event);

	for (unsigned i = 0; i < event->signals; i++)
		cli__json_append(i + event->minus < event->signals ? signals : less,
				 cli__json_text(apmu_signal_row(event->signal[i])->name));
	cli__json_add(object, "here", cli__json_text(words));
	cli__json_add(object, "reason",
		      cli__json_text(reason != NULL && !reason->hidden ? reason->name : NULL));
	cli__json_add(object, "signals", signals);
	cli__json_add(object, "less", less);
	free(words);
}

json_t *cli__list_events_json(const struct cli__list *list)
{
	json_t *array = json_array();

	if (wanted(list, NULL))
		cli__json_append(array, cycles_json(list->core));
	for (unsigned i = 0; i < list->core->events; i++) {
		const struct apmu_event *event = apmu_event_at(list->core, i);
		json_t *object;
		char bus[16];

		if (!wanted(list, event))
			continue;
		object = json_object();
		bus_text(bus, event);
		cli__json_add(object, "number", cli__json_count(event->number));
		cli__json_add(object, "name", cli__json_text(event->name));
		cli__json_add(object, "step", cli__json_count(event->step));
		cli__json_add(object, "bus", cli__json_text(event->bus != APMU_NO_BUS ? bus : NULL));
		cli__json_add(object, "counts", cli__json_text(cli__produced_name(event->produced)));
		cli__json_add(object, "text", cli__json_text(event->text));
		cli__json_add(object, "note", cli__json_text(event->note));
		add_here(object, event);
		cli__json_add(object, "names", names_json(list->core, event));
		cli__json_append(array, object);
	}
	return array;
}

/* The first core that has this metric with this formula; the metric is printed with that core. */
static const struct apmu_core *owner(const struct apmu_metric *metric)
{
	for (size_t c = 0; c < apmu_core_count(); c++)
		for (size_t m = 0; m < apmu_metric_count(apmu_core_at(c)); m++)
			if (strcmp(apmu_metric_at(apmu_core_at(c), m)->name, metric->name) == 0 &&
			    strcmp(apmu_metric_at(apmu_core_at(c), m)->formula, metric->formula) == 0)
				return apmu_core_at(c);
	return NULL;
}

static char *cores_of(const struct apmu_metric *metric)
{
	char *list = cli__copy("");

	for (size_t c = 0; c < apmu_core_count(); c++)
		for (size_t m = 0; m < apmu_metric_count(apmu_core_at(c)); m++) {
			const struct apmu_metric *other = apmu_metric_at(apmu_core_at(c), m);
			char *longer;

			if (strcmp(other->name, metric->name) != 0 ||
			    strcmp(other->formula, metric->formula) != 0)
				continue;
			longer = cli__format("%s%s%s", list, list[0] != '\0' ? " " : "",
					     apmu_core_at(c)->name);
			free(list);
			list = longer;
		}
	return list;
}

static void print_metric(const struct cli__list *list, const struct apmu_metric *metric)
{
	FILE *out = list->cli->out;

	fprintf(out, "  %s%s%s%s\n", metric->name, metric->unit[0] != '\0' ? " (" : "", metric->unit,
		metric->unit[0] != '\0' ? ")" : "");
	fprintf(out, "      ");
	cli__fold_text(metric->text, 6, list->width, out);
	fprintf(out, "      = ");
	cli__fold_text(metric->formula, 8, list->width, out);
	if (list->core == NULL) {
		char *cores = cores_of(metric);

		fprintf(out, "      on ");
		cli__fold_text(cores, 9, list->width, out);
		free(cores);
	}
}

/* Calls `use` on each metric to list, once. */
static void each_metric(const struct cli__list *list, void (*use)(void *ctx, const struct apmu_metric *m),
			void *ctx)
{
	for (size_t c = 0; c < apmu_core_count(); c++)
		for (size_t m = 0; m < apmu_metric_count(apmu_core_at(c)); m++) {
			const struct apmu_metric *metric = apmu_metric_at(apmu_core_at(c), m);

			if (list->core == NULL ? owner(metric) != apmu_core_at(c)
					       : list->core != apmu_core_at(c))
				continue;
			if (cli__list_wants(list, metric->name) || cli__list_wants(list, metric->group))
				use(ctx, metric);
		}
}

struct printing {
	const struct cli__list *list;
	const char *group;
	json_t *array;
};

static void print_next(void *ctx, const struct apmu_metric *metric)
{
	struct printing *p = ctx;

	if (p->group == NULL || strcmp(p->group, metric->group) != 0)
		fprintf(p->list->cli->out, "%s%s: %s\n", p->group != NULL ? "\n" : "", metric->group,
			metric->group_text);
	p->group = metric->group;
	print_metric(p->list, metric);
}

static void add_next(void *ctx, const struct apmu_metric *metric)
{
	struct printing *p = ctx;
	json_t *object = json_object(), *cores = json_array();

	for (size_t c = 0; c < apmu_core_count(); c++)
		for (size_t m = 0; m < apmu_metric_count(apmu_core_at(c)); m++)
			if (strcmp(apmu_metric_at(apmu_core_at(c), m)->name, metric->name) == 0 &&
			    strcmp(apmu_metric_at(apmu_core_at(c), m)->formula, metric->formula) == 0)
				cli__json_append(cores, cli__json_text(apmu_core_at(c)->name));
	cli__json_add(object, "metric", cli__json_text(metric->name));
	cli__json_add(object, "group", cli__json_text(metric->group));
	cli__json_add(object, "unit", cli__json_text(metric->unit));
	cli__json_add(object, "text", cli__json_text(metric->text));
	cli__json_add(object, "formula", cli__json_text(metric->formula));
	cli__json_add(object, "cores", cores);
	cli__json_append(p->array, object);
}

void cli__list_metrics(const struct cli__list *list)
{
	struct printing p = {.list = list};

	each_metric(list, print_next, &p);
}

json_t *cli__list_metrics_json(const struct cli__list *list)
{
	struct printing p = {.list = list, .array = json_array()};

	each_metric(list, add_next, &p);
	return p.array;
}
