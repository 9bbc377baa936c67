/* SPDX-License-Identifier: MIT */
/* `apmu stat -I --plot`: the slices as curves, one panel an event and core, one line a thread. */
#include "cli/common/format_number.h"
#include "cli/common/output.h"
#include "cli/stat/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8, ROWS = 4, COLUMNS = 72, LEAST = 24, MOST = 200 }; /* of a panel in the terminal */
enum { LEGEND = 16 }; /* threads that are named in the picture */
enum { PLOT_WIDTH = 860, PLOT_HEIGHT = 90, PANEL = 140, LEFT = 20, TOP = 34 }; /* of one in the picture */

/* What one panel shows. */
struct panel {
	const struct apmu__stat_options *options;
	const struct apmu__counts *counts;
	const char *core;
	size_t row;
	uint64_t most, last; /* largest value of a slice; where the last slice ends, 1 if nowhere */
	size_t columns;      /* in the terminal */
};

static struct panel look(const struct apmu__stat_options *o, const struct apmu__stat_result *results,
			 size_t c, size_t row)
{
	struct panel panel = {o, &results[c].counts, o->core[c].core->name, row, 0, 1, COLUMNS};

	for (size_t s = 0; s < panel.counts->slices; s++) {
		const struct apmu__slice *slice = &panel.counts->slice[s];
		if (slice->count[row].value > panel.most)
			panel.most = slice->count[row].value;
		if (slice->at > panel.last)
			panel.last = slice->at;
	}
	return panel;
}

/* Of the panel's height; 0 if nothing was counted. */
static double share(const struct panel *panel, uint64_t value)
{
	return panel->most ? (double)value / (double)panel->most : 0;
}

static const char *thread_word(const struct panel *panel)
{
	return panel->options->system ? "vCPU" : "thread";
}

static size_t thread_number(const struct panel *panel, size_t thread)
{
	return panel->options->system ? (size_t)panel->counts->thread[thread].tid : thread + 1;
}

static const char *unit(const struct apmu__stat_options *o)
{
	return o->interval_signal == APMU_SIG_CYCLES ? "cycles" : "instructions";
}

/* A column shows the largest slice that it touches: a peak is not averaged away. */
static void columns_of(const struct panel *panel, size_t thread, uint64_t column[MOST])
{
	uint64_t from = 0;

	memset(column, 0, MOST * sizeof *column);
	for (size_t s = 0; s < panel->counts->slices; s++) {
		const struct apmu__slice *slice = &panel->counts->slice[s];
		if (slice->thread != thread)
			continue;
		double scale = (double)panel->columns / (double)panel->last;
		size_t first = (size_t)((double)from * scale);
		size_t end = (size_t)((double)slice->at * scale);
		uint64_t value = slice->count[panel->row].value;
		for (size_t x = first; x < panel->columns && (x < end || x == first); x++)
			column[x] = value > column[x] ? value : column[x];
		from = slice->at;
	}
}

static bool speaks_utf8(void)
{
	static const char *const where[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof where / sizeof where[0]; i++) {
		const char *value = getenv(where[i]);
		if (value && value[0])
			return strstr(value, "UTF-8") || strstr(value, "utf8");
	}
	return false;
}

static void put_thread(const struct panel *panel, size_t thread, FILE *out)
{
	static const char *const fine[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const plain[] = {" ", ".", ".", ":", ":", "|", "|", "#", "#"};
	const char *const *mark = speaks_utf8() ? fine : plain;
	uint64_t column[MOST];

	columns_of(panel, thread, column);
	for (unsigned row = ROWS; row-- > 0;) {
		fputs("  ", out);
		for (size_t x = 0; x < panel->columns; x++) {
			double height = share(panel, column[x]) * ROWS * LEVELS;
			double here = height - row * LEVELS;
			unsigned level = here <= 0 ? 0 : here >= LEVELS ? LEVELS : (unsigned)(here + 0.5);
			if (row == 0 && column[x] && level == 0)
				level = 1;
			fputs(mark[level], out);
		}
		fputs("\n", out);
	}
}

static void put_panel(const struct panel *panel, FILE *out)
{
	char most[APMU__FIGURE];
	char last[APMU__FIGURE];

	apmu__figure_count(most, (double)panel->most);
	apmu__figure_count(last, (double)panel->last);
	for (size_t t = 0; t < panel->counts->threads; t++) {
		fprintf(out, "\n%s on %s", panel->options->rows.row[panel->row].label, panel->core);
		if (panel->counts->threads > 1)
			fprintf(out, ", %s %zu", thread_word(panel), thread_number(panel, t));
		fprintf(out, "  (top: %s an interval)\n", most);
		put_thread(panel, t, out);
		fprintf(out, "  0%*s %s\n", (int)panel->columns - 2 - (int)strlen(unit(panel->options)), last,
			unit(panel->options));
	}
}

/* As wide as the terminal; where it is none, or tiny, what most can show. */
static size_t columns_in(unsigned width)
{
	size_t room = width > 4 ? width - 4 : 0; /* the margin, and one for terminals that wrap early */

	return width == 0 ? COLUMNS : room < LEAST ? LEAST : room > MOST ? MOST : room;
}

void apmu__plot_text(const struct apmu__stat_options *o, const struct apmu__stat_result *results,
		     unsigned width, FILE *out)
{
	for (size_t c = 0; c < o->cores; c++)
		for (size_t i = 0; i < o->rows.n; i++) {
			struct panel panel = look(o, results, c, i);
			panel.columns = columns_in(width);
			if (!o->core[c].wanted[i].absent)
				put_panel(&panel, out);
		}
}

static size_t hue(size_t thread)
{
	return (210 + 137 * thread) % 360;
}

/* Which curve is whose, under the panel. */
static void draw_legend(const struct panel *panel, FILE *out)
{
	size_t threads = panel->counts->threads, named = threads < LEGEND ? threads : LEGEND;

	if (threads < 2)
		return;
	fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s", PLOT_WIDTH / 2, PLOT_HEIGHT + 14,
		thread_word(panel));
	for (size_t t = 0; t < named; t++)
		fprintf(out, " <tspan fill=\"hsl(%zu 70%% 42%%)\" font-weight=\"bold\">%zu</tspan>", hue(t),
			thread_number(panel, t));
	fprintf(out, "%s</text>\n", named < threads ? " ..." : "");
}

/* One thread's curve, in steps. */
static void draw_thread(const struct panel *panel, size_t thread, FILE *out)
{
	uint64_t from = 0;
	bool first = true;

	for (size_t s = 0; s < panel->counts->slices; s++) {
		const struct apmu__slice *slice = &panel->counts->slice[s];
		if (slice->thread != thread)
			continue;
		double y = PLOT_HEIGHT - PLOT_HEIGHT * share(panel, slice->count[panel->row].value);
		if (first)
			fprintf(out,
				"<path fill=\"none\" stroke=\"hsl(%zu 70%% 42%%)\" stroke-width=\"1.3\" "
				"d=\"M%.1f %.1f",
				hue(thread), (double)from, y);
		else
			fprintf(out, "V%.1f", y);
		fprintf(out, "H%.1f", (double)PLOT_WIDTH * (double)slice->at / (double)panel->last);
		first = false;
		from = slice->at;
	}
	if (!first)
		fputs("\"/>\n", out);
}

static void draw_panel(const struct panel *panel, unsigned at, FILE *out)
{
	char most[APMU__FIGURE];
	char last[APMU__FIGURE];

	apmu__figure_count(most, (double)panel->most);
	apmu__figure_count(last, (double)panel->last);
	fprintf(out, "<g transform=\"translate(%d %u)\">\n<text x=\"0\" y=\"-10\" font-weight=\"bold\">",
		LEFT, TOP + at * PANEL);
	apmu__put_xml(panel->options->rows.row[panel->row].label, out);
	fprintf(out, "</text><text x=\"%d\" y=\"-10\" text-anchor=\"end\">%s; top: %s an interval</text>\n",
		PLOT_WIDTH, panel->core, most);
	fprintf(out, "<path d=\"M0 0V%dH%d\" fill=\"none\" stroke=\"#999\"/>\n", PLOT_HEIGHT, PLOT_WIDTH);
	for (size_t t = 0; t < panel->counts->threads; t++)
		draw_thread(panel, t, out);
	fprintf(out,
		"<text x=\"0\" y=\"%d\">0</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s "
		"%s</text>\n",
		PLOT_HEIGHT + 14, PLOT_WIDTH, PLOT_HEIGHT + 14, last, unit(panel->options));
	draw_legend(panel, out);
	fputs("</g>\n", out);
}

void apmu__plot_svg(const struct apmu__stat_options *o, const struct apmu__stat_result *results, FILE *out)
{
	unsigned panels = 0;

	for (size_t c = 0; c < o->cores; c++)
		for (size_t i = 0; i < o->rows.n; i++)
			panels += !o->core[c].wanted[i].absent;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"viewBox=\"0 0 %d %u\" font-family=\"sans-serif\" "
		"font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		PLOT_WIDTH + 2 * LEFT, TOP + panels * PANEL, PLOT_WIDTH + 2 * LEFT, TOP + panels * PANEL);
	panels = 0;
	for (size_t i = 0; i < o->rows.n; i++)
		for (size_t c = 0; c < o->cores; c++) {
			struct panel panel = look(o, results, c, i);
			if (!o->core[c].wanted[i].absent)
				draw_panel(&panel, panels++, out);
		}
	fputs("</svg>\n", out);
}
