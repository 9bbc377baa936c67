/* SPDX-License-Identifier: MIT */
/* `apmu stat -I --plot`: the slices as curves, one panel an event and core, one line a thread. */
#include "cli/figures.h"
#include "cli/output.h"
#include "cli/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8, ROWS = 4, COLUMNS = 72 }; /* of a panel in the terminal */
enum { PLOT_WIDTH = 860, PLOT_HEIGHT = 90, PANEL = 140, LEFT = 20, TOP = 34 }; /* of one in the picture */

/* What one panel shows. */
struct panel {
	const struct apmu__stat_options *options;
	const struct apmu__counts *counts;
	const char *core;
	size_t row;
	uint64_t most, last; /* largest value of a slice; where the last slice ends */
};

static struct panel look(const struct apmu__stat_options *o, const struct apmu__stat_result *results,
			 size_t c, size_t row)
{
	struct panel panel = {o, &results[c].counts, o->core[c].core->name, row, 1, 1};

	for (size_t s = 0; s < panel.counts->slices; s++) {
		const struct apmu__slice *slice = &panel.counts->slice[s];
		if (slice->count[row].value > panel.most)
			panel.most = slice->count[row].value;
		if (slice->at > panel.last)
			panel.last = slice->at;
	}
	return panel;
}

static const char *unit(const struct apmu__stat_options *o)
{
	return o->interval_signal == APMU_SIG_CYCLES ? "cycles" : "instructions";
}

/* A column shows the largest slice that it touches: a peak is not averaged away. */
static void columns_of(const struct panel *panel, size_t thread, uint64_t column[COLUMNS])
{
	uint64_t from = 0;

	memset(column, 0, COLUMNS * sizeof *column);
	for (size_t s = 0; s < panel->counts->slices; s++) {
		const struct apmu__slice *slice = &panel->counts->slice[s];
		if (slice->thread != thread)
			continue;
		double scale = COLUMNS / (double)panel->last;
		size_t first = (size_t)((double)from * scale);
		size_t end = (size_t)((double)slice->at * scale);
		uint64_t value = slice->count[panel->row].value;
		for (size_t x = first; x < COLUMNS && (x < end || x == first); x++)
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
	uint64_t column[COLUMNS];

	columns_of(panel, thread, column);
	for (unsigned row = ROWS; row-- > 0;) {
		fputs("  ", out);
		for (size_t x = 0; x < COLUMNS; x++) {
			double height = (double)column[x] * ROWS * LEVELS / (double)panel->most;
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
			fprintf(out, ", thread %zu", t + 1);
		fprintf(out, "  (top: %s an interval)\n", most);
		put_thread(panel, t, out);
		fprintf(out, "  0%*s %s\n", COLUMNS - 2 - (int)strlen(unit(panel->options)), last,
			unit(panel->options));
	}
}

void apmu__plot_text(const struct apmu__stat_options *o, const struct apmu__stat_result *results, FILE *out)
{
	for (size_t c = 0; c < o->cores; c++)
		for (size_t i = 0; i < o->rows.n; i++) {
			struct panel panel = look(o, results, c, i);
			if (!o->core[c].wanted[i].absent)
				put_panel(&panel, out);
		}
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
		double value = (double)slice->count[panel->row].value;
		double y = PLOT_HEIGHT - PLOT_HEIGHT * value / (double)panel->most;
		if (first)
			fprintf(out,
				"<path fill=\"none\" stroke=\"hsl(%zu 70%% 42%%)\" stroke-width=\"1.3\" "
				"d=\"M%.1f %.1f",
				210 + 137 * thread % 360, (double)from, y);
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
		"%s</text>\n</g>\n",
		PLOT_HEIGHT + 14, PLOT_WIDTH, PLOT_HEIGHT + 14, last, unit(panel->options));
}

void apmu__plot_svg(const struct apmu__stat_options *o, const struct apmu__stat_result *results, FILE *out)
{
	unsigned panels = 0;

	for (size_t c = 0; c < o->cores; c++)
		for (size_t i = 0; i < o->rows.n; i++)
			panels += !o->core[c].wanted[i].absent;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
		"font-family=\"sans-serif\" "
		"font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		PLOT_WIDTH + 2 * LEFT, TOP + panels * PANEL);
	panels = 0;
	for (size_t i = 0; i < o->rows.n; i++)
		for (size_t c = 0; c < o->cores; c++) {
			struct panel panel = look(o, results, c, i);
			if (!o->core[c].wanted[i].absent)
				draw_panel(&panel, panels++, out);
		}
	fputs("</svg>\n", out);
}
