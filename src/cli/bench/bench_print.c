/* SPDX-License-Identifier: MIT */
#include "base/names.h"
#include "cli/bench/bench.h"
#include "cli/common/format_number.h"
#include "cli/common/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finds the earlier count of a row's event; false if there is nothing to compare with. */
static bool change(const struct cli__bench *bench, const struct cli__bench *base,
		   const struct cli__bench_row *row, size_t event, uint64_t *before)
{
	const struct cli__bench_row *old = base ? cli__bench_find(base, bench, row) : NULL;
	size_t i = base ? cli__bench_event(base, bench->event[event]) : 0;

	if (old == NULL || i == base->events)
		return false;
	*before = old->count[i];
	return *before != CLI__BENCH_NONE && row->count[event] != CLI__BENCH_NONE;
}

/* Growth in percent; growth from 0 counts as 100, which a limit of 100 allows. */
static double percent(uint64_t before, uint64_t now)
{
	return before ? cli__growth_percent(before, now) : now == 0 ? 0 : 100;
}

static char *cell(const struct cli__bench *bench, const struct cli__bench *base,
		  const struct cli__bench_row *row, size_t event)
{
	char number[CLI__NUMBER];
	uint64_t before;

	if (row->count[event] == CLI__BENCH_NONE)
		return cli__copy("<not supported>");
	cli__format_whole(number, row->count[event]);
	if (base == NULL)
		return cli__copy(number);
	if (!change(bench, base, row, event, &before))
		return cli__format("%s (new)", number);
	if (before == row->count[event])
		return cli__format("%s (=)", number);
	if (before == 0)
		return cli__format("%s (from 0)", number);
	return cli__format("%s (%+.2f%%)", number, percent(before, row->count[event]));
}

static void print_text(const struct cli__bench *bench, const struct cli__bench *base, unsigned width,
		       FILE *out)
{
	size_t columns = bench->events + 2;
	const char **head = cli__zalloc(columns, sizeof(*head));
	char *right = cli__zalloc(columns + 1, 1);

	for (size_t i = 0; i < columns; i++) {
		head[i] = i < bench->events ? bench->event[i] : i == bench->events ? "core" : "benchmark";
		right[i] = i < bench->events ? 'R' : 'L';
	}
	struct cli__table table = {
		.head = head, .right = right, .columns = columns, .indent = 1, .nearest_last = true};
	for (size_t r = 0; r < bench->rows; r++) {
		for (size_t i = 0; i < bench->events; i++) {
			char *text = cell(bench, base, &bench->row[r], i);
			cli__table_add(&table, "%s", text);
			free(text);
		}
		cli__table_add(&table, "%s", bench->row[r].core);
		cli__table_add(&table, "%s", bench->row[r].name);
	}
	cli__table_print(&table, width, out);
	free(head);
	free(right);
}

/* Prints a cell of a Markdown table, and escapes bars, which would end it. */
static void put_cell(const char *text, FILE *out)
{
	for (; *text; text++) {
		if (*text == '|')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void print_github(const struct cli__bench *bench, const struct cli__bench *base, FILE *out)
{
	fputs("| benchmark | core |", out);
	for (size_t i = 0; i < bench->events; i++)
		fprintf(out, " %s |", bench->event[i]);
	fputs("\n|---|---|", out);
	for (size_t i = 0; i < bench->events; i++)
		fputs("--:|", out);
	for (size_t r = 0; r < bench->rows; r++) {
		fputs("\n| ", out);
		put_cell(bench->row[r].name, out);
		fprintf(out, " | %s |", bench->row[r].core);
		for (size_t i = 0; i < bench->events; i++) {
			char *text = cell(bench, base, &bench->row[r], i);
			fprintf(out, " %s |", text);
			free(text);
		}
	}
	fputc('\n', out);
}

void cli__bench_print(const struct cli__bench_options *options, const struct cli__bench *bench,
		      const struct cli__bench *base, unsigned width, FILE *out)
{
	switch (options->format) {
	case CLI__BENCH_JSON: cli__bench_write(bench, NULL, out); return;
	case CLI__BENCH_GITHUB: print_github(bench, base, out); return;
	default: print_text(bench, base, width, out); return;
	}
}

/* The limit of an event: its own if there is one, else the tightest general limit; negative: none. */
static double limit_of(const struct cli__bench_options *o, const char *event)
{
	double least = -1;

	for (size_t i = 0; i < o->limits; i++) {
		bool own = o->limit[i].event != NULL;
		if (own && apmu_base__same_name(o->limit[i].event, event))
			return o->limit[i].percent;
		if (!own && (least < 0 || o->limit[i].percent < least))
			least = o->limit[i].percent;
	}
	return least;
}

/* Says which counts have no limit, because the baseline lacks them. */
static void say_unlimited(const struct cli__cli *cli, const struct cli__bench_options *o,
			  const struct cli__bench *bench, const struct cli__bench *base,
			  const struct cli__bench_row *row)
{
	bool known = cli__bench_find(base, bench, row) != NULL;
	struct cli__names events = {0};
	uint64_t before;

	for (size_t i = 0; i < bench->events; i++)
		if (limit_of(o, bench->event[i]) >= 0 && row->count[i] != CLI__BENCH_NONE &&
		    !change(bench, base, row, i, &before))
			cli__names_add(&events, bench->event[i]);
	char *all = cli__names_take(&events);
	if (all[0] != '\0')
		cli__message(cli, "%s on %s: %s%s not in %s, so no limit is checked", row->name, row->core,
			     known ? all : "it", known && strchr(all, ',') != NULL ? " are" : " is",
			     o->baseline);
	free(all);
}

/* Says which benchmarks of the baseline this run of their program lacks. */
static void say_gone(const struct cli__cli *cli, const struct cli__bench_options *o,
		     const struct cli__bench *bench, const struct cli__bench *base)
{
	for (size_t r = 0; r < base->rows; r++) {
		const struct cli__bench_row *row = &base->row[r];
		if (cli__bench_covers(bench, row) && cli__bench_find(bench, base, row) == NULL)
			cli__message(cli, "%s on %s: it is in %s but was not counted, so no limit is checked",
				     row->name, row->core, o->baseline);
	}
}

/* Complains about count `i` of a row if it grew by more than its limit; true if so. */
static bool is_above(const struct cli__cli *cli, const struct cli__bench_options *o,
		     const struct cli__bench *bench, const struct cli__bench *base,
		     const struct cli__bench_row *row, size_t i)
{
	double limit = limit_of(o, bench->event[i]);
	uint64_t before;

	if (limit < 0 || !change(bench, base, row, i, &before) || percent(before, row->count[i]) <= limit)
		return false;
	if (before == 0)
		cli__message(cli, "%s on %s: %s grew from 0 to %" PRIu64 "; the limit is %g %%", row->name,
			     row->core, bench->event[i], row->count[i], limit);
	else
		cli__message(cli,
			     "%s on %s: %s grew by %.2f %%, from %" PRIu64 " to %" PRIu64
			     "; the limit is %g %%",
			     row->name, row->core, bench->event[i], percent(before, row->count[i]), before,
			     row->count[i], limit);
	return true;
}

size_t cli__bench_check(const struct cli__cli *cli, const struct cli__bench_options *o,
			const struct cli__bench *bench, const struct cli__bench *base)
{
	size_t grew = 0;

	if (o->limits != 0)
		say_gone(cli, o, bench, base);
	for (size_t r = 0; r < bench->rows; r++) {
		say_unlimited(cli, o, bench, base, &bench->row[r]);
		for (size_t i = 0; i < bench->events; i++)
			grew += is_above(cli, o, bench, base, &bench->row[r], i);
	}
	return grew;
}
