/* SPDX-License-Identifier: MIT */
#include "cli/common/json.h"
#include "cli/common/table.h"
#include "cli/diff/diff.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double apmu__change_percent(const struct apmu__change *change)
{
	if (change->before == change->after)
		return 0.0;
	if (change->before == 0)
		return HUGE_VAL;
	return 100.0 * ((double)change->after - (double)change->before) / (double)change->before;
}

static char *percent(const struct apmu__change *change)
{
	double value = apmu__change_percent(change);

	if (change->missing != APMU__IN_BOTH)
		return apmu__copy(change->missing == APMU__NEW_ONLY ? "new" : "gone");
	if (value == HUGE_VAL)
		return apmu__copy("from 0");
	return apmu__format("%+.2f%%", value);
}

static char *difference(const struct apmu__change *change)
{
	if (change->after >= change->before)
		return apmu__format("+%" PRIu64, change->after - change->before);
	return apmu__format("-%" PRIu64, change->before - change->after);
}

static char *label(const struct apmu__change *change)
{
	if (change->function)
		return apmu__format("%s  [%s]", change->function, change->object);
	if (change->core[0])
		return apmu__format("%s  (%s)", change->event, change->core);
	return apmu__copy(change->event);
}

static void put_table(const struct apmu__change *change, size_t n, const char *last, FILE *out)
{
	const char *const head[] = {"before", "after", "difference", "change", last, NULL};
	struct apmu__table table = {.head = head, .right = "RRRRL", .columns = 5};

	for (size_t i = 0; i < n; i++) {
		char *text[3] = {difference(&change[i]), percent(&change[i]), label(&change[i])};
		apmu__table_add(&table, "%" PRIu64, change[i].before);
		apmu__table_add(&table, "%" PRIu64, change[i].after);
		apmu__table_add(&table, "%s", text[0]);
		apmu__table_add(&table, "%s", text[1]);
		apmu__table_add(&table, "%s%s", text[2], change[i].above ? "  <- above the limit" : "");
		for (size_t j = 0; j < 3; j++)
			free(text[j]);
	}
	apmu__table_print(&table, 0, out);
}

static size_t shown(const struct apmu__changes *changes, size_t limit)
{
	return changes->functions < limit ? changes->functions : limit;
}

void apmu__diff_text(const struct apmu__changes *changes, size_t limit, FILE *out)
{
	put_table(changes->figure, changes->figures, "event", out);
	if (shown(changes, limit) == 0)
		return;
	fprintf(out, "\n%s by function, without what they call\n", changes->function[0].event);
	put_table(changes->function, shown(changes, limit), "function", out);
	if (changes->functions > limit)
		fprintf(out, "%zu more functions changed less (--limit)\n", changes->functions - limit);
}

static void put_markdown(const struct apmu__change *change, size_t n, const char *last, FILE *out)
{
	fprintf(out, "| %s | before | after | change |\n|---|---:|---:|---:|\n", last);
	for (size_t i = 0; i < n; i++) {
		char *name = label(&change[i]);
		char *by = percent(&change[i]);
		for (char *c = name; *c; c++)
			*c = *c == '|' || *c == '`' ? '/' : *c;
		fprintf(out, "| `%s` | %" PRIu64 " | %" PRIu64 " | %s%s%s |\n", name, change[i].before,
			change[i].after, change[i].above ? "**" : "", by, change[i].above ? "**" : "");
		free(name);
		free(by);
	}
}

void apmu__diff_markdown(const struct apmu__changes *changes, size_t limit, FILE *out)
{
	put_markdown(changes->figure, changes->figures, "event", out);
	if (shown(changes, limit) == 0)
		return;
	fprintf(out, "\n`%s` by function:\n\n", changes->function[0].event);
	put_markdown(changes->function, shown(changes, limit), "function", out);
}

static json_t *as_json(const struct apmu__change *change)
{
	json_t *object = json_object();
	double value = apmu__change_percent(change);

	apmu__json_add(object, "event", apmu__json_text(change->event));
	apmu__json_add(object, "core", change->core ? apmu__json_text(change->core) : json_null());
	if (change->function) {
		apmu__json_add(object, "function", apmu__json_text(change->function));
		apmu__json_add(object, "object", apmu__json_text(change->object));
	}
	apmu__json_add(object, "before",
		       change->missing == APMU__NEW_ONLY ? json_null() : apmu__json_count(change->before));
	apmu__json_add(object, "after",
		       change->missing == APMU__OLD_ONLY ? json_null() : apmu__json_count(change->after));
	apmu__json_add(object, "percent", value == HUGE_VAL ? json_null() : json_real(value));
	apmu__json_add(object, "above", json_boolean(change->above));
	return object;
}

int apmu__diff_json(const struct apmu__changes *changes, size_t limit, FILE *out)
{
	json_t *root = json_object();
	json_t *events = json_array();
	json_t *functions = json_array();

	for (size_t i = 0; i < changes->figures; i++)
		apmu__json_append(events, as_json(&changes->figure[i]));
	for (size_t i = 0; i < shown(changes, limit); i++)
		apmu__json_append(functions, as_json(&changes->function[i]));
	apmu__json_add(root, "schema", json_string("apmu-diff/1"));
	apmu__json_add(root, "events", events);
	apmu__json_add(root, "functions", functions);
	return apmu__json_print(root, out);
}
