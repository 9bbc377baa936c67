/* SPDX-License-Identifier: MIT */
#include "cli/common/models.h"
#include "cli/common/table.h"
#include "cli/common/uarch_options.h"
#include "cli/list/list.h"

#include <apmu/uarch.h>
#include <stdlib.h>
#include <string.h>

static const char *const core_head[] = {"core", "counters", "title [also called]"};

static char *also(const struct apmu_core *core)
{
	char *list = cli__copy("");

	for (const char *const *alias = core->alias; alias != NULL && *alias != NULL; alias++) {
		char *longer = cli__format("%s%s%s", list, list[0] != '\0' ? " " : "", *alias);

		free(list);
		list = longer;
	}
	return list;
}

static bool matches(const struct cli__list *list, const struct apmu_core *core)
{
	bool wanted = cli__list_wants(list, core->name) || cli__list_wants(list, core->title);

	for (const char *const *alias = core->alias; alias != NULL && *alias != NULL; alias++)
		wanted = wanted || cli__list_wants(list, *alias);
	return wanted;
}

/* A word that is the name of a core means that core alone: cortex-a5 is not cortex-a53. */
static bool listed(const struct cli__list *list, const struct apmu_core *core)
{
	bool wanted = list->words == 0;

	for (unsigned i = 0; i < list->words && !wanted; i++) {
		const struct apmu_core *named = apmu_core_find(list->word[i]);
		struct cli__list one = *list;

		one.word = &list->word[i];
		one.words = 1;
		wanted = named != NULL ? named == core : matches(&one, core);
	}
	return wanted && (list->core == NULL || list->core == core);
}

/* "events: 49 of the 51 that a program can cause are produced (96.1 %); 8 more it cannot cause" */
static void print_share(const struct cli__list *list, const struct apmu_core *core)
{
	struct apmu_event_share share = apmu_event_share(core);
	char *text = cli__format("events: %u of the %u that a program can cause are produced (%.1f %%); "
				 "%u more are listed that it cannot cause",
				 share.produced, share.causable,
				 share.causable != 0 ? 100.0 * share.produced / share.causable : 100.0,
				 share.listed - share.causable);

	cli__fold_text(text, 0, list->width, list->cli->out);
	free(text);
}

/* "PMU: registers by DDI0487; unverified: PMU version" */
static void print_pmu(const struct cli__list *list, const struct apmu_core *core)
{
	char *text = cli__format("PMU: registers by %s; %s%s", core->src,
				 core->unverified ? "unverified: " : "nothing of it unverified",
				 core->unverified ? core->unverified_text : "");

	cli__fold_text(text, 0, list->width, list->cli->out);
	free(text);
}

static void print_params(const struct cli__list *list, const struct apmu_core *core)
{
	static const char *const head[] = {"parameter", "value", "meaning [source]"};
	const struct apmu_uarch_params *params = apmu_uarch_find(core->uarch);
	struct cli__table table = {.head = head, .right = "LRL", .columns = 3, .indent = 2};
	struct apmu_uarch_param param;
	char *title;

	if (params == NULL)
		return;
	char *models = cli__models(core->qemu);
	title = cli__format(
		"%s: %s%s, QEMU -cpu %s", core->name,
		cli__has_own_params(core) ? "" : "no parameters of its own; those of the nearest core: ",
		params->title, models);
	free(models);
	fputc('\n', list->cli->out);
	cli__fold_text(title, 0, list->width, list->cli->out);
	free(title);
	print_pmu(list, core);
	print_share(list, core);
	for (size_t i = 0; apmu_uarch_param(params, i, &param); i++) {
		if (strcmp(param.value, "parent") == 0) /* a group without a value of its own */
			continue;
		cli__table_add(&table, "%s", param.key);
		cli__table_add(&table, "%s", param.value);
		cli__table_add(&table, "%s [%s]", param.text, param.source);
	}
	cli__table_print(&table, list->width, list->cli->out);
}

static const char *family_title(const char *family)
{
	static const char *const title[][2] = {{"arm11", "ARM11"},
					       {"xscale", "Intel XScale"},
					       {"armv7", "Armv7: PMUv1 and PMUv2"},
					       {"pmuv3", "Armv8 and Armv9: PMUv3"}};

	for (size_t i = 0; i < sizeof title / sizeof title[0]; i++)
		if (strcmp(title[i][0], family) == 0)
			return title[i][1];
	return family;
}

/* ", default for AArch64 programs": what programs run on the core if none is named. */
static char *default_for(const struct apmu_core *core)
{
	static const struct {
		unsigned arch; /* Tag_CPU_arch, ADDENDA32 */
		const char *name;
	} names[] = {{0, "32-bit"}, {10, "32-bit Armv7"}, {14, "32-bit Armv8"}};
	const char *name = NULL;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (core->default_a32 > names[i].arch)
			name = names[i].name;
	if (name == NULL && !core->default_a64)
		return cli__copy("");
	return cli__format(", default for %s%s%s programs", core->default_a64 ? "AArch64" : "",
			   core->default_a64 && name ? " and " : "", name ? name : "");
}

static void add_core(struct cli__table *table, const struct apmu_core *core)
{
	char *names = also(core), *runs = default_for(core);

	cli__table_add(table, "%s", core->name);
	cli__table_add(table, "%u + cycles", core->counters);
	cli__table_add(table, "%s%s%s%s%s", core->title, names[0] != '\0' ? " [" : "", names,
		       names[0] != '\0' ? "]" : "", runs);
	free(names);
	free(runs);
}

/* Prints the cores of one family from number `i` on, under its title. Returns the number of the next core. */
static size_t print_family(const struct cli__list *list, size_t i)
{
	struct cli__table table = {.head = core_head, .right = "LLL", .columns = 3};
	const char *family = apmu_core_at(i)->family;

	for (; i < apmu_core_count() && strcmp(apmu_core_at(i)->family, family) == 0; i++)
		if (listed(list, apmu_core_at(i)))
			add_core(&table, apmu_core_at(i));
	if (table.cells == 0)
		return i;
	fprintf(list->cli->out, "%s\n\n", family_title(family));
	cli__table_print(&table, list->width, list->cli->out);
	fputs(i < apmu_core_count() && list->core == NULL ? "\n" : "", list->cli->out);
	return i;
}

void cli__list_cores(const struct cli__list *list)
{
	for (size_t i = 0; i < apmu_core_count();)
		i = print_family(list, i);
	for (size_t i = 0; i < apmu_core_count() && list->verbose; i++)
		if (listed(list, apmu_core_at(i)))
			print_params(list, apmu_core_at(i));
}

static json_t *params_json(const struct apmu_core *core)
{
	const struct apmu_uarch_params *params = apmu_uarch_find(core->uarch);
	json_t *array = json_array();
	struct apmu_uarch_param param;

	for (size_t i = 0; params != NULL && apmu_uarch_param(params, i, &param); i++) {
		json_t *object = json_object();

		cli__json_add(object, "key", cli__json_text(param.key));
		cli__json_add(object, "value", cli__json_text(param.value));
		cli__json_add(object, "source", cli__json_text(param.source));
		cli__json_add(object, "text", cli__json_text(param.text));
		cli__json_append(array, object);
	}
	return array;
}

static json_t *share_json(const struct apmu_core *core)
{
	struct apmu_event_share share = apmu_event_share(core);
	json_t *object = json_object();

	cli__json_add(object, "listed", cli__json_count(share.listed));
	cli__json_add(object, "causable", cli__json_count(share.causable));
	cli__json_add(object, "produced", cli__json_count(share.produced));
	return object;
}

static void add_details(json_t *object, const struct apmu_core *core)
{
	cli__json_add(object, "source", cli__json_text(core->src));
	cli__json_add(object, "unverified",
		      core->unverified ? cli__json_text(core->unverified_text) : json_null());
	cli__json_add(object, "parameters", params_json(core));
	cli__json_add(object, "events", share_json(core));
}

json_t *cli__list_cores_json(const struct cli__list *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < apmu_core_count(); i++) {
		const struct apmu_core *core = apmu_core_at(i);
		json_t *object, *names;

		if (!listed(list, core))
			continue;
		object = json_object();
		names = json_array();
		for (const char *const *alias = core->alias; alias != NULL && *alias != NULL; alias++)
			cli__json_append(names, cli__json_text(*alias));
		cli__json_add(object, "core", cli__json_text(core->name));
		cli__json_add(object, "title", cli__json_text(core->title));
		cli__json_add(object, "family", cli__json_text(core->family));
		cli__json_add(object, "counters", cli__json_count(core->counters));
		cli__json_add(object, "width", cli__json_count(core->width));
		cli__json_add(object, "aliases", names);
		if (list->verbose)
			add_details(object, core);
		cli__json_append(array, object);
	}
	return array;
}
