/* SPDX-License-Identifier: MIT */
#include "cli/common/format_number.h"
#include "cli/common/output.h"
#include "cli/common/table.h"
#include "cli/sweep/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The events: of the plan, or of the first result. */
static struct apmu__words events_of(const struct apmu__sweep *sweep)
{
	struct apmu__words events = {0};
	const char *event;
	json_t *value;

	for (size_t i = 0; i < sweep->events.n; i++)
		apmu__words_add(&events, sweep->events.word[i]);
	for (size_t i = 0; events.n == 0 && i < sweep->runs; i++)
		json_object_foreach(json_object_get(sweep->run[i].result, "counters"), event, value)
			apmu__words_add(&events, event);
	return events;
}

static const json_t *value_of(const struct apmu__sweep_run *run, const char *event)
{
	return json_object_get(json_object_get(run->result, "counters"), event);
}

/* "prog args", as the plan has it. */
static char *program_of(const struct apmu__sweep *sweep, const struct apmu__sweep_run *run)
{
	return apmu__words_quoted(&sweep->program[run->program]);
}

static void add_run(struct apmu__table *table, const struct apmu__sweep *sweep,
		    const struct apmu__sweep_run *run, const struct apmu__words *events)
{
	char *program = program_of(sweep, run);

	apmu__table_add(table, "%s", program);
	apmu__table_add(table, "%s", sweep->cores.word[run->core]);
	for (size_t s = 0; s < sweep->sets; s++)
		apmu__table_add(table, "%s", sweep->set[s].values.word[run->value[s]]);
	for (size_t e = 0; e < events->n; e++) {
		const json_t *value = value_of(run, events->word[e]);
		char figure[APMU__FIGURE];
		apmu__figure_count(figure, json_number_value(value));
		apmu__table_add(table, "%s", value ? figure : "-");
	}
	const char *error = json_string_value(json_object_get(run->result, "error"));
	json_int_t exit = json_integer_value(json_object_get(run->result, "exit"));
	if (error || run->result == NULL)
		apmu__table_add(table, "%s", error ? error : "not run");
	else if (exit)
		apmu__table_add(table, "exit status %d", (int)exit);
	else
		apmu__table_add(table, "%s", "");
	free(program);
}

void apmu__sweep_table(const struct apmu__sweep *sweep, FILE *out)
{
	struct apmu__words events = events_of(sweep);
	size_t columns = 3 + sweep->sets + events.n;
	const char **head = apmu__zalloc(columns + 1, sizeof *head);
	char *right = apmu__zalloc(columns + 1, 1);
	size_t at = 2;

	memset(right, 'R', columns);
	right[0] = right[1] = right[columns - 1] = 'L';
	head[0] = "program";
	head[1] = "core";
	for (size_t s = 0; s < sweep->sets; s++)
		head[at++] = sweep->set[s].key;
	for (size_t e = 0; e < events.n; e++)
		head[at++] = events.word[e];
	head[at] = "";
	struct apmu__table table = {.head = head, .right = right, .columns = columns};
	for (size_t i = 0; i < sweep->runs; i++)
		add_run(&table, sweep, &sweep->run[i], &events);
	apmu__table_print(&table, 0, out);
	free(right);
	free((void *)head);
	apmu__words_free(&events);
}

static void put_label(const struct apmu__sweep *sweep, const struct apmu__sweep_run *run, FILE *out)
{
	char *program = program_of(sweep, run);

	apmu__put_xml(program, out);
	fprintf(out, "  %s", sweep->cores.word[run->core]);
	for (size_t s = 0; s < sweep->sets; s++) {
		fputs("  ", out);
		apmu__put_xml(sweep->set[s].key, out);
		fputs("=", out);
		apmu__put_xml(sweep->set[s].values.word[run->value[s]], out);
	}
	free(program);
}

void apmu__sweep_plot(const struct apmu__sweep *sweep, FILE *out)
{
	enum { LEFT = 420, WIDTH = 420, ROW = 18, TOP = 30 };
	struct apmu__words events = events_of(sweep);
	const char *event = events.n ? events.word[0] : "";
	double most = 1.0;

	for (size_t i = 0; i < sweep->runs; i++) {
		double value = json_number_value(value_of(&sweep->run[i], event));
		most = value > most ? value : most;
	}
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" "
		"font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" "
		"fill=\"#fff\"/>\n<text x=\"%d\" y=\"16\" font-weight=\"bold\">",
		LEFT + WIDTH + 120, TOP + ROW * sweep->runs + 10, LEFT);
	apmu__put_xml(event, out);
	fputs("</text>\n", out);
	for (size_t i = 0; i < sweep->runs; i++) {
		const json_t *value = value_of(&sweep->run[i], event);
		double width = WIDTH * json_number_value(value) / most;
		size_t y = TOP + ROW * i;
		char figure[APMU__FIGURE];
		apmu__figure_count(figure, json_number_value(value));
		fprintf(out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">", LEFT - 8, y + 12);
		put_label(sweep, &sweep->run[i], out);
		fprintf(out,
			"</text><rect x=\"%d\" y=\"%zu\" width=\"%.1f\" height=\"%d\" fill=\"#3a7bc8\"/>"
			"<text x=\"%.1f\" y=\"%zu\">%s</text>\n",
			LEFT, y + 2, width, ROW - 5, LEFT + width + 5, y + 12, value ? figure : "failed");
	}
	fputs("</svg>\n", out);
	apmu__words_free(&events);
}
