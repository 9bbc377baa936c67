/* SPDX-License-Identifier: MIT */
/* `report --cpi-stack`: what each row's cycles are lost to, from the events that `record --cpi-stack` adds.
 */
#include "cli/common/format_number.h"
#include "cli/common/table.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* Parts as they are recorded (record_stack.c), then as they are shown. */
enum got { CYCLES, INSTRUCTIONS, BRANCH, FRONT, ITLB, BACK, L2, L3, MEMORY, TLB, STORE, GOT };
enum part {
	SHOW_ISSUE,
	SHOW_OPERANDS,
	SHOW_BRANCH,
	SHOW_FRONT,
	SHOW_L2,
	SHOW_L3,
	SHOW_MEMORY,
	SHOW_TLB,
	SHOW_STORE,
	SHOWN
};

static const char *const got_name[GOT] = {NULL, NULL, "branch", "front", "itlb", "back",
					  "l2", "l3", "memory", "tlb",   "store"};
static const char *const part_name[SHOWN] = {"issuing", "operands", "branches", "front end", "L2",
					     "L3",      "memory",   "TLB",      "stores"};

struct row {
	char *const *text; /* texts of the keys, owned by struct stack's `cycles` */
	double n[GOT];     /* cycles; for INSTRUCTIONS the number of instructions */
};

struct stack {
	const struct cli__report_options *options;
	struct cli__report cycles; /* rows of the cycles event, in order of text */
	struct row *row;           /* the same rows, and one more for the whole */
	uint32_t event[GOT];       /* index; PROFILE__NONE: not recorded */
	const struct profile__profile *profile;
};

static void find_events(struct stack *s)
{
	for (size_t k = 0; k < GOT; k++)
		s->event[k] = PROFILE__NONE;
	for (uint32_t e = 0; e < s->profile->events; e++) {
		const struct profile__event *event = &s->profile->event[e];

		if (event->number == PROFILE__CYCLE_COUNTER)
			s->event[CYCLES] = e;
		else if (strcmp(event->label, "instructions") == 0)
			s->event[INSTRUCTIONS] = e;
		for (size_t k = BRANCH; event->part && k < GOT; k++)
			if (strcmp(event->part, got_name[k]) == 0)
				s->event[k] = e;
	}
}

static int by_text(const void *left, const void *right)
{
	const struct cli__report_row *a = left, *b = right;

	for (size_t k = 0; k < CLI__KEYS && a->text[k] && b->text[k]; k++)
		if (strcmp(a->text[k], b->text[k]) != 0)
			return strcmp(a->text[k], b->text[k]);
	return 0;
}

static void add_event(struct stack *s, const struct cli__report *report, enum got k)
{
	const struct profile__event *event = &s->profile->event[s->event[k]];
	double scale = event->part && event->scale ? (double)event->scale : 1;

	s->row[s->cycles.rows].n[k] = scale * (double)report->weight;
	for (size_t i = 0; i < report->rows; i++) {
		const struct cli__report_row *at = bsearch(&report->row[i], s->cycles.row, s->cycles.rows,
							   sizeof *s->cycles.row, by_text);
		if (at)
			s->row[at - s->cycles.row].n[k] = scale * (double)report->row[i].self;
	}
}

/* Sums all events over the rows of cycles. 0, or a negative errno value. */
static int sum(struct stack *s, const struct cli__open_profile *loaded)
{
	int bad = cli__report_sum(s->options, loaded, s->event[CYCLES], &s->cycles);

	if (bad)
		return bad;
	if (s->cycles.rows)
		qsort(s->cycles.row, s->cycles.rows, sizeof *s->cycles.row, by_text);
	s->row = cli__zalloc(s->cycles.rows + 1, sizeof *s->row);
	for (size_t i = 0; i < s->cycles.rows; i++)
		s->row[i].text = s->cycles.row[i].text;
	for (size_t k = 0; !bad && k < GOT; k++) {
		struct cli__report report = {0};

		if (s->event[k] == PROFILE__NONE)
			continue;
		bad = cli__report_sum(s->options, loaded, s->event[k], &report);
		if (!bad)
			add_event(s, &report, (enum got)k);
		cli__report_free(&report);
	}
	return bad;
}

/* Splits cycles into parts. Cycles that are in no other part are issuing. If the parts are more than the
 * cycles, as when a misprediction hides behind other work, all parts shrink by the same factor. */
static void split(const double n[GOT], double part[SHOWN])
{
	double behind = n[L2] + n[L3] + n[MEMORY] + n[TLB] + n[STORE], lost = 0;
	const double made[SHOWN] = {0,         n[BACK] > behind ? n[BACK] - behind : 0,
				    n[BRANCH], n[FRONT],
				    n[L2],     n[L3],
				    n[MEMORY], n[TLB] + n[ITLB],
				    n[STORE]};

	for (size_t p = 1; p < SHOWN; p++)
		lost += made[p];
	double shrink = lost > n[CYCLES] ? n[CYCLES] / lost : 1;
	for (size_t p = 1; p < SHOWN; p++)
		part[p] = shrink * made[p];
	part[SHOW_ISSUE] = lost < n[CYCLES] ? n[CYCLES] - lost : 0;
}

static int by_cycles(const void *left, const void *right)
{
	const struct row *a = left, *b = right;

	if (a->n[CYCLES] != b->n[CYCLES])
		return a->n[CYCLES] > b->n[CYCLES] ? -1 : 1;
	return a->text < b->text ? -1 : 1; /* text arrays lie in order of text */
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void add_row(struct cli__table *table, const struct stack *s, const struct row *row,
		    const bool shown[SHOWN])
{
	const struct row *whole = &s->row[s->cycles.rows];
	double part[SHOWN];
	char count[CLI__NUMBER];

	split(row->n, part);
	cli__format_count(count, row->n[CYCLES]);
	cli__table_add(table, "%.2f%%", percent(row->n[CYCLES], whole->n[CYCLES]));
	if (row != whole)
		cli__table_colour(table, cli__colour_share(percent(row->n[CYCLES], whole->n[CYCLES])));
	cli__table_add(table, "%s", count);
	if (row->n[INSTRUCTIONS] > 0)
		cli__table_add(table, "%.2f", row->n[CYCLES] / row->n[INSTRUCTIONS]);
	else
		cli__table_add(table, "-");
	for (size_t p = 0; p < SHOWN; p++)
		if (shown[p])
			cli__table_add(table, "%.1f%%", percent(part[p], row->n[CYCLES]));
	for (size_t k = 0; k < s->options->keys; k++)
		cli__table_add(table, "%s", row != whole ? row->text[k] : k == 0 ? "(total)" : "");
}

static double limit_of(const struct cli__report_options *o)
{
	return o->limited ? o->limit : 0.5;
}

/* Least share of all cycles for which a part has a column. */
#define LEAST 0.0005

static void put_table(struct stack *s, FILE *out)
{
	const char *head[3 + SHOWN + CLI__KEYS] = {"cycles", "count", "cpi"};
	char right[3 + SHOWN + CLI__KEYS + 1] = "RRR";
	size_t columns = 3, rows = s->cycles.rows;
	double part[SHOWN];
	bool shown[SHOWN];

	split(s->row[rows].n, part);
	for (size_t p = 0; p < SHOWN; p++) {
		shown[p] = part[p] >= LEAST * s->row[rows].n[CYCLES];
		if (shown[p])
			right[columns] = 'R', head[columns++] = part_name[p];
	}
	for (size_t k = 0; k < s->options->keys; k++)
		right[columns] = 'L', head[columns++] = cli__report_key_name[s->options->key[k]];
	struct cli__table table = {
		.head = head, .right = right, .columns = columns, .coloured = s->options->coloured};
	qsort(s->row, rows, sizeof *s->row, by_cycles);
	for (size_t i = 0, printed = 0; i < rows && (!s->options->most || printed < s->options->most); i++)
		if (percent(s->row[i].n[CYCLES], s->row[rows].n[CYCLES]) >= limit_of(s->options)) {
			add_row(&table, s, &s->row[i], shown);
			printed++;
		}
	add_row(&table, s, &s->row[rows], shown);
	cli__table_print(&table, 0, out);
}

int cli__report_parts(struct cli__cli *cli, const struct cli__report_options *options,
		      const struct cli__open_profile *loaded, FILE *out)
{
	struct cli__report_options by_self = *options;
	struct stack s = {.options = &by_self, .profile = loaded->profile};

	by_self.no_children = true;
	find_events(&s);
	if (s.event[CYCLES] == PROFILE__NONE || s.event[BACK] == PROFILE__NONE) {
		cli__message(
			cli,
			"%s was recorded without a CPI stack: record it with 'apmu record --cpi-stack -e cycles'",
			loaded->path);
		return CLI__EXIT_FAILURE;
	}
	int bad = sum(&s, loaded);
	if (bad) {
		cli__message(cli, "%s: %s", loaded->path, strerror(-bad));
	} else {
		const struct profile__event *event = &loaded->profile->event[s.event[CYCLES]];
		cli__report_shorten(options, &s.cycles);
		cli__report_head(options, loaded, s.event[CYCLES], s.cycles.weight, event->samples, out);
		fprintf(out, "# parts are shares of the row's own cycles; rows below %g%% are left out\n#\n",
			limit_of(options));
		if (s.cycles.rows)
			put_table(&s, out);
		else
			fputs("nothing was sampled here\n", out);
	}
	cli__report_free(&s.cycles);
	free(s.row);
	return bad ? CLI__EXIT_FAILURE : 0;
}
