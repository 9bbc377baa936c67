/* SPDX-License-Identifier: MIT */
#include "cli/common/colour.h"
#include "cli/common/format_number.h"
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "cli/diff/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double cli__change_percent(const struct cli__change *change)
{
	if (change->before == change->after)
		return 0.0;
	if (change->before == 0)
		return HUGE_VAL;
	return cli__growth_percent(change->before, change->after);
}

/* True if one of the runs did not count the event. A function without samples did have none. */
static bool not_counted(const struct cli__change *change)
{
	return change->function == NULL && change->missing != CLI__IN_BOTH;
}

static char *percent(const struct cli__change *change)
{
	double value = cli__change_percent(change);

	if (not_counted(change))
		return cli__copy("-");
	if (change->missing != CLI__IN_BOTH)
		return cli__copy(change->missing == CLI__NEW_ONLY ? "new" : "gone");
	if (value == HUGE_VAL)
		return cli__copy("from 0");
	return cli__format("%+.2f%%", value);
}

static char *difference(const struct cli__change *change)
{
	bool more = change->after >= change->before;
	char text[CLI__NUMBER];

	if (not_counted(change))
		return cli__copy("-");
	cli__format_whole(text, more ? change->after - change->before : change->before - change->after);
	return cli__format("%c%s", more ? '+' : '-', text);
}

/* The value in the first or the second run; `missing` if that run did not count the event. */
static void format_value(char text[CLI__NUMBER], const struct cli__change *change, bool after,
			 const char *missing)
{
	if (not_counted(change) && (change->missing & (after ? CLI__OLD_ONLY : CLI__NEW_ONLY)))
		snprintf(text, CLI__NUMBER, "%s", missing);
	else
		cli__format_whole(text, after ? change->after : change->before);
}

/* "a", or "a, then b" of a program that ran on one core and then on another. The caller frees it. */
static char *cores_of(const struct cli__change *change)
{
	return cli__format("%s%s%s", change->core, change->core_after ? ", then " : "",
			   change->core_after ? change->core_after : "");
}

/* True if all rows have the same core; if not, each row names its own. */
static bool common_core(const struct cli__change *change, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!change[i].core || change[i].core[0] == '\0' ||
		    strcmp(change[i].core, change[0].core) != 0 ||
		    (change[i].core_after != NULL) != (change[0].core_after != NULL))
			return false;
	return n != 0;
}

static char *heading(const struct cli__change *change, size_t n, const char *last)
{
	if (n == 0 || change->function || !common_core(change, n))
		return cli__copy(last);
	char *cores = cores_of(change);
	char *text = cli__format("%s on %s", last, cores);
	free(cores);
	return text;
}

/* The label of a row; `same`: the heading names the core. */
static char *label(const struct cli__change *change, bool same)
{
	if (change->function)
		return cli__format("%s [%s]", change->function, change->object);
	if (!change->core[0] || same)
		return cli__copy(change->event);
	char *cores = cores_of(change);
	char *text = cli__format("%s (%s)", change->event, cores);
	free(cores);
	return text;
}

/* More is red, less is green, from 0.5 percent on. */
static enum cli__colour colour_of(const struct cli__change *change)
{
	double value = cli__change_percent(change);

	if (not_counted(change))
		return CLI__COLOUR_NONE;
	return value >= 0.5 ? CLI__COLOUR_RED : value <= -0.5 ? CLI__COLOUR_GREEN : CLI__COLOUR_NONE;
}

static void put_table(const struct cli__change *change, size_t n, const char *last, FILE *out)
{
	char *title = heading(change, n, last);
	const char *const head[] = {"before", "after", "difference", "change", title, NULL};
	struct cli__table table = {
		.head = head, .right = "RRRRL", .columns = 5, .coloured = cli__coloured(out)};

	for (size_t i = 0; i < n; i++) {
		char *text[3] = {difference(&change[i]), percent(&change[i]),
				 label(&change[i], common_core(change, n))};
		char before[CLI__NUMBER], after[CLI__NUMBER];

		format_value(before, &change[i], false, "<not counted>");
		format_value(after, &change[i], true, "<not counted>");
		cli__table_add(&table, "%s", before);
		cli__table_add(&table, "%s", after);
		cli__table_add(&table, "%s", text[0]);
		cli__table_add(&table, "%s", text[1]);
		cli__table_colour(&table, colour_of(&change[i]));
		cli__table_add(&table, "%s%s", text[2], change[i].above ? "  <- above the limit" : "");
		for (size_t j = 0; j < 3; j++)
			free(text[j]);
	}
	cli__table_print(&table, 0, out);
	free(title);
}

static size_t shown(const struct cli__changes *changes, size_t limit)
{
	return changes->functions < limit ? changes->functions : limit;
}

void cli__diff_text(const struct cli__changes *changes, size_t limit, FILE *out)
{
	put_table(changes->count, changes->counts, "event", out);
	if (shown(changes, limit) == 0)
		return;
	fprintf(out, "\n%s by function, without what they call\n", changes->function[0].event);
	put_table(changes->function, shown(changes, limit), "function", out);
	if (changes->functions > limit)
		fprintf(out, "%zu more functions changed less (--limit)\n", changes->functions - limit);
}

static void put_markdown(const struct cli__change *change, size_t n, const char *last, FILE *out)
{
	char *title = heading(change, n, last);

	fprintf(out, "| %s | before | after | change |\n|---|---:|---:|---:|\n", title);
	for (size_t i = 0; i < n; i++) {
		char *name = cli__plain(label(&change[i], common_core(change, n)), '\0');
		char *by = percent(&change[i]);
		char before[CLI__NUMBER], after[CLI__NUMBER];

		format_value(before, &change[i], false, "not counted");
		format_value(after, &change[i], true, "not counted");
		for (char *c = name; *c; c++)
			*c = *c == '|' || *c == '`' ? '/' : *c;
		fprintf(out, "| `%s` | %s | %s | %s%s%s |\n", name, before, after,
			change[i].above ? "**" : "", by, change[i].above ? "**" : "");
		free(name);
		free(by);
	}
	free(title);
}

void cli__diff_markdown(const struct cli__changes *changes, size_t limit, FILE *out)
{
	put_markdown(changes->count, changes->counts, "event", out);
	if (shown(changes, limit) == 0)
		return;
	fprintf(out, "\n`%s` by function:\n\n", changes->function[0].event);
	put_markdown(changes->function, shown(changes, limit), "function", out);
}

static json_t *as_json(const struct cli__change *change)
{
	json_t *object = json_object();
	double value = cli__change_percent(change);

	cli__json_add(object, "event", cli__json_text(change->event));
	cli__json_add(object, "core", change->core ? cli__json_text(change->core) : json_null());
	if (change->core_after)
		cli__json_add(object, "core_after", cli__json_text(change->core_after));
	if (change->function) {
		cli__json_add(object, "function", cli__json_text(change->function));
		cli__json_add(object, "object", cli__json_text(change->object));
	}
	cli__json_add(object, "before",
		      change->missing & CLI__NEW_ONLY ? json_null() : cli__json_count(change->before));
	cli__json_add(object, "after",
		      change->missing & CLI__OLD_ONLY ? json_null() : cli__json_count(change->after));
	cli__json_add(object, "percent",
		      value == HUGE_VAL || change->missing != CLI__IN_BOTH ? json_null() : json_real(value));
	cli__json_add(object, "above", json_boolean(change->above));
	return object;
}

int cli__diff_json(const struct cli__changes *changes, size_t limit, FILE *out)
{
	json_t *root = json_object();
	json_t *events = json_array();
	json_t *functions = json_array();

	for (size_t i = 0; i < changes->counts; i++)
		cli__json_append(events, as_json(&changes->count[i]));
	for (size_t i = 0; i < shown(changes, limit); i++)
		cli__json_append(functions, as_json(&changes->function[i]));
	cli__json_add(root, "schema", json_string("apmu-diff/1"));
	cli__json_add(root, "events", events);
	cli__json_add(root, "functions", functions);
	return cli__json_print(root, out);
}
