/* SPDX-License-Identifier: MIT */
#include "cli/common/format_number.h"
#include "cli/common/output.h"
#include "cli/common/table.h"
#include "cli/sweep/sweep.h"
#include "qemu/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The events to show: those of the plan, else those of all results, because the usual events of a core may be
 * fewer than another's. */
static struct cli__words events_of(const struct cli__sweep *sweep)
{
	struct cli__words events = {0};
	const char *event;
	json_t *value;

	for (size_t i = 0; i < sweep->rows.n; i++)
		cli__words_add(&events, sweep->rows.row[i].label);
	for (size_t i = 0; sweep->rows.n == 0 && i < sweep->runs; i++)
		json_object_foreach(json_object_get(sweep->run[i].result, "counters"), event, value)
			cli__words_add_new(&events, event);
	return events;
}

static const json_t *value_of(const struct cli__sweep_run *run, const char *event)
{
	return json_object_get(json_object_get(run->result, "counters"), event);
}

/* "prog args", as the plan has it. */
static char *program_of(const struct cli__sweep *sweep, const struct cli__sweep_run *run)
{
	return cli__words_quoted(&sweep->program[run->program]);
}

static void add_run(struct cli__table *table, const struct cli__sweep *sweep,
		    const struct cli__sweep_run *run, const struct cli__words *events)
{
	char *program = program_of(sweep, run);

	cli__table_add(table, "%s", program);
	cli__table_add(table, "%s", sweep->cores.word[run->core]);
	for (size_t s = 0; s < sweep->sets; s++)
		cli__table_add(table, "%s", sweep->set[s].values.word[run->value[s]]);
	for (size_t e = 0; e < events->n; e++) {
		const json_t *value = value_of(run, events->word[e]);
		char number[CLI__NUMBER];
		cli__format_count(number, json_number_value(value));
		cli__table_add(table, "%s",
			       json_is_null(value)               ? "<not counted>"
			       : value                           ? number
			       : cli__sweep_lacks(sweep, run, e) ? "<not supported>"
								 : "-");
	}
	const char *error = json_string_value(json_object_get(run->result, "error"));
	json_int_t exit = json_integer_value(json_object_get(run->result, "exit"));
	if (error || run->result == NULL)
		cli__table_add(table, "%s", error ? error : "not run");
	else if (exit)
		cli__table_add(table, "exit status %d", (int)exit);
	else
		cli__table_add(table, "%s", "");
	free(program);
}

void cli__sweep_table(const struct cli__sweep *sweep, FILE *out)
{
	struct cli__words events = events_of(sweep);
	size_t columns = 3 + sweep->sets + events.n;
	const char **head = cli__zalloc(columns + 1, sizeof *head);
	char *right = cli__zalloc(columns + 1, 1);
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
	struct cli__table table = {.head = head, .right = right, .columns = columns};
	for (size_t i = 0; i < sweep->runs; i++)
		add_run(&table, sweep, &sweep->run[i], &events);
	cli__table_print(&table, 0, out);
	free(right);
	free((void *)head);
	cli__words_free(&events);
}

bool cli__sweep_possible(const struct cli__sweep *sweep, const struct cli__sweep_run *run)
{
	const struct apmu_core *core = apmu_core_find(sweep->cores.word[run->core]);
	struct apmu_isa__elf elf = {0};
	char error[256];

	return core == NULL ||
	       apmu_qemu__elf_named(sweep->program[run->program].word[0], NULL, false, &elf, error,
				    sizeof error) != 0 ||
	       apmu_qemu__core_runs(core, elf.machine);
}

/* Pixels of the picture: a group of bars per program and setting, a bar per core, in the core's colour. */
enum { LEFT = 230, WIDTH = 560, RIGHT = 110, BAR = 15, GAP = 12, TOP = 58, TICKS = 5 };

static const char *colour_of(size_t core)
{
	static const char *const colours[] = {"#3b75af", "#e18727", "#509e3e", "#b2455e",
					      "#8561a8", "#7a5c48", "#cf7fb3", "#6e6e6e"};

	return colours[core % (sizeof colours / sizeof colours[0])];
}

/* True if two runs are bars of one group: the same program and settings. */
static bool alike(const struct cli__sweep *sweep, const struct cli__sweep_run *a,
		  const struct cli__sweep_run *b)
{
	if (a->program != b->program)
		return false;
	for (size_t s = 0; s < sweep->sets; s++)
		if (a->value[s] != b->value[s])
			return false;
	return true;
}

/* Height of the group that begins with run i; 0 if another run began it. */
static double group_height(const struct cli__sweep *sweep, size_t i)
{
	size_t bars = 0;

	for (size_t k = 0; k < sweep->runs; k++) {
		if (!alike(sweep, &sweep->run[k], &sweep->run[i]))
			continue;
		if (k < i)
			return 0;
		bars++;
	}
	return BAR * (double)(bars > sweep->sets + 1 ? bars : sweep->sets + 1) + GAP;
}

static void put_label(const struct cli__sweep *sweep, const struct cli__sweep_run *run, double y, FILE *out)
{
	char *program = program_of(sweep, run);
	const char *base = strrchr(sweep->program[run->program].word[0], '/');

	fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\" font-weight=\"bold\"><title>", LEFT - 10,
		y);
	cli__put_xml(program, out);
	fputs("</title>", out);
	cli__put_xml(base ? base + 1 : sweep->program[run->program].word[0], out);
	fputs("</text>\n", out);
	for (size_t s = 0; s < sweep->sets; s++) {
		y += BAR;
		fprintf(out, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\" fill=\"#555\">", LEFT - 10, y);
		cli__put_xml(sweep->set[s].key, out);
		fputs(" = ", out);
		cli__put_xml(sweep->set[s].values.word[run->value[s]], out);
		fputs("</text>\n", out);
	}
	free(program);
}

static void put_bar(const struct cli__sweep *sweep, const struct cli__sweep_run *run, const char *event,
		    double scale, double y, FILE *out)
{
	const json_t *value = value_of(run, event);
	double width = json_number_value(value) * scale;
	char number[CLI__NUMBER];

	cli__format_count(number, json_number_value(value));
	if (!json_is_number(value))
		snprintf(number, sizeof number, "%s",
			 json_is_null(value)                ? "not counted"
			 : !cli__sweep_possible(sweep, run) ? "not for this core"
			 : cli__sweep_lacks(sweep, run, 0)  ? "not supported"
							    : "no result");
	fprintf(out,
		"<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.1f\"%s>%s</text>\n",
		LEFT, y + 1, width, BAR - 3, colour_of(run->core), LEFT + width + 5, y + BAR - 4,
		json_is_number(value) ? "" : " fill=\"#888\" font-style=\"italic\"", number);
}

/* Draws the legend of cores. */
static void put_cores(const struct cli__sweep *sweep, FILE *out)
{
	int x = LEFT;

	for (size_t c = 0; c < sweep->cores.n; c++) {
		fprintf(out,
			"<rect x=\"%d\" y=\"28\" width=\"11\" height=\"11\" fill=\"%s\"/><text x=\"%d\" y=\"38\">",
			x, colour_of(c), x + 16);
		cli__put_xml(sweep->cores.word[c], out);
		fputs("</text>\n", out);
		x += 36 + 7 * (int)strlen(sweep->cores.word[c]);
	}
}

static void put_ticks(double step, double most, double scale, double bottom, FILE *out)
{
	for (unsigned i = 0; i * step <= most * 1.0001; i++) {
		char number[CLI__NUMBER];
		double at = i * step, x = LEFT + at * scale;
		cli__format_short(number, at);
		fprintf(out,
			"<path d=\"M%.1f %dV%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#555\">%s</text>\n",
			x, TOP - 8, bottom, x, bottom + 15, number);
	}
}

void cli__sweep_plot(const struct cli__sweep *sweep, FILE *out)
{
	struct cli__words events = events_of(sweep);
	const char *event = events.n ? events.word[0] : "";
	double most = 1.0, bottom = TOP;
	bool *done = cli__zalloc(sweep->runs + 1, sizeof *done);

	for (size_t i = 0; i < sweep->runs; i++) {
		double value = json_number_value(value_of(&sweep->run[i], event));
		most = value > most ? value : most;
	}
	for (size_t i = 0; i < sweep->runs; i++)
		bottom += group_height(sweep, i);
	double scale = WIDTH / most, y = TOP;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n<text x=\"%d\" y=\"18\" font-size=\"13\" font-weight=\"bold\">",
		LEFT + WIDTH + RIGHT, bottom + 40, LEFT);
	cli__put_xml(event, out);
	fputs(" by program and core, modelled by apmu</text>\n", out);
	put_cores(sweep, out);
	put_ticks(cli__tick_step(most, TICKS), most, scale, bottom, out);
	for (size_t i = 0; i < sweep->runs; i++) {
		if (done[i])
			continue;
		double next = y + group_height(sweep, i);
		put_label(sweep, &sweep->run[i], y + BAR - 4, out);
		for (size_t k = i; k < sweep->runs; k++)
			if (!done[k] && alike(sweep, &sweep->run[i], &sweep->run[k])) {
				put_bar(sweep, &sweep->run[k], event, scale, y, out);
				done[k] = true;
				y += BAR;
			}
		y = next;
	}
	fprintf(out, "<path d=\"M%d %dV%.1f\" stroke=\"#333\"/>\n</svg>\n", LEFT, TOP - 8, bottom);
	free(done);
	cli__words_free(&events);
}
