/* SPDX-License-Identifier: MIT */
/* `apmu stat -I --plot`: the slices as curves, one panel per event and core, one line per thread. */
#include "cli/common/format_number.h"
#include "cli/common/output.h"
#include "cli/stat/stat.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 8, ROWS = 4, COLUMNS = 72, LEAST = 24, MOST = 200 }; /* size of a panel in the terminal */
enum { LEGEND = 16 }; /* threads named in the picture, at most */
enum {
	PLOT_WIDTH = 800,
	PLOT_HEIGHT = 100,
	PANEL = 168,
	LEFT = 66,
	TOP = 74,
	RIGHT = 24
};                           /* pixels, of a panel in the picture */
enum { ACROSS = 8, UP = 4 }; /* ticks, at most */

/* What one panel shows. */
struct panel {
	const struct cli__stat_options *options;
	const struct cli__counts *counts;
	const char *core;
	size_t row;
	uint64_t most, last; /* largest value of a slice; where the last slice ends, 1 if there is none */
	size_t columns;      /* in the terminal */
};

static struct panel look(const struct cli__stat_options *o, const struct cli__stat_result *results, size_t c,
			 size_t row)
{
	struct panel panel = {o, &results[c].counts, o->core[c].core->name, row, 0, 1, COLUMNS};

	for (size_t s = 0; s < panel.counts->slices; s++) {
		const struct cli__slice *slice = &panel.counts->slice[s];
		if (slice->count[row].value > panel.most)
			panel.most = slice->count[row].value;
		if (slice->at > panel.last)
			panel.last = slice->at;
	}
	return panel;
}

/* Share of the panel's height; 0 if nothing was counted. */
static double share(const struct panel *panel, uint64_t value)
{
	return panel->most ? (double)value / (double)panel->most : 0;
}

static const char *unit(const struct cli__stat_options *o)
{
	return o->interval_signal == APMU_SIG_CYCLES ? "cycles" : "instructions";
}

/* Each column shows the largest slice that it touches, so that no peak is averaged away. */
static void columns_of(const struct panel *panel, size_t thread, uint64_t column[MOST])
{
	uint64_t from = 0;

	memset(column, 0, MOST * sizeof *column);
	for (size_t s = 0; s < panel->counts->slices; s++) {
		const struct cli__slice *slice = &panel->counts->slice[s];
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
	char most[CLI__NUMBER];
	char last[CLI__NUMBER];

	cli__format_count(most, (double)panel->most);
	cli__format_count(last, (double)panel->last);
	for (size_t t = 0; t < panel->counts->threads; t++) {
		fprintf(out, "\n%s on %s", panel->options->rows.row[panel->row].label, panel->core);
		if (panel->counts->threads > 1)
			fprintf(out, ", %s %zu", cli__stat_thread_word(panel->options),
				cli__stat_thread_number(panel->options, panel->counts, t));
		fprintf(out, "  (top: %s per interval)\n", most);
		put_thread(panel, t, out);
		fprintf(out, "  0%*s %s\n", (int)panel->columns - 2 - (int)strlen(unit(panel->options)), last,
			unit(panel->options));
	}
}

/* Columns of a panel: what fits the terminal, but LEAST to MOST; COLUMNS if there is no terminal. */
static size_t columns_in(unsigned width)
{
	size_t room = width > 4 ? width - 4 : 0; /* the margin, and one for terminals that wrap early */

	return width == 0 ? COLUMNS : room < LEAST ? LEAST : room > MOST ? MOST : room;
}

void cli__plot_text(const struct cli__stat_options *o, const struct cli__stat_result *results, unsigned width,
		    FILE *out)
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

/* Draws the legend of threads beside the panel's title. */
static void draw_legend(const struct panel *panel, FILE *out)
{
	size_t threads = panel->counts->threads, named = threads < LEGEND ? threads : LEGEND;

	if (threads < 2)
		return;
	fprintf(out, "<text x=\"%d\" y=\"-8\" text-anchor=\"end\">%s", PLOT_WIDTH,
		cli__stat_thread_word(panel->options));
	for (size_t t = 0; t < named; t++)
		fprintf(out, " <tspan fill=\"hsl(%zu 70%% 42%%)\" font-weight=\"bold\">%zu</tspan>", hue(t),
			cli__stat_thread_number(panel->options, panel->counts, t));
	fprintf(out, "%s</text>\n", named < threads ? " ..." : "");
}

/* Draws one thread's curve in steps, filled if there is only one thread. */
static void draw_thread(const struct panel *panel, size_t thread, FILE *out)
{
	bool first = true, alone = panel->counts->threads == 1;

	for (size_t s = 0; s < panel->counts->slices; s++) {
		const struct cli__slice *slice = &panel->counts->slice[s];
		if (slice->thread != thread)
			continue;
		double y = PLOT_HEIGHT - PLOT_HEIGHT * share(panel, slice->count[panel->row].value);
		if (first)
			fprintf(out,
				"<path fill=\"%s\" fill-opacity=\".18\" stroke=\"hsl(%zu 70%% 42%%)\" stroke-width=\"1.3\" d=\"M%.1f %dV%.1f",
				alone ? "hsl(210 70% 42%)" : "none", hue(thread), 0.0,
				alone ? PLOT_HEIGHT : (int)y, y);
		else
			fprintf(out, "V%.1f", y);
		fprintf(out, "H%.1f", (double)PLOT_WIDTH * (double)slice->at / (double)panel->last);
		first = false;
	}
	if (!first)
		fprintf(out, "%s\"/>\n", alone ? "V100" : "");
}

/* Draws grid lines with their numbers. */
static void draw_ticks(const struct panel *panel, FILE *out)
{
	char text[CLI__NUMBER];
	double most = (double)panel->most, last = (double)panel->last;

	double up = cli__tick_step(most, UP), across = cli__tick_step(last, ACROSS);

	for (unsigned i = 0; panel->most && i * up <= most; i++) {
		double at = i * up, y = PLOT_HEIGHT - PLOT_HEIGHT * at / most;
		cli__format_short(text, at);
		fprintf(out,
			"<path d=\"M0 %.1fH%d\" stroke=\"#e2e2e2\"/><text x=\"-6\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			y, PLOT_WIDTH, y + 4, text);
	}
	for (unsigned i = 0; i * across <= last; i++) {
		double at = i * across, x = PLOT_WIDTH * at / last;
		cli__format_short(text, at);
		fprintf(out,
			"<path d=\"M%.1f 0V%d\" stroke=\"#e2e2e2\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			x, PLOT_HEIGHT + 4, x, PLOT_HEIGHT + 17, text);
	}
}

static void draw_panel(const struct panel *panel, unsigned at, FILE *out)
{
	char every[CLI__NUMBER];

	cli__format_short(every, (double)panel->options->interval);
	fprintf(out,
		"<g transform=\"translate(%d %u)\">\n<text x=\"0\" y=\"-8\"><tspan font-weight=\"bold\">",
		LEFT, TOP + at * PANEL);
	cli__put_xml(panel->options->rows.row[panel->row].label, out);
	fprintf(out, "</tspan> per %s %s, %s</text>\n", every, unit(panel->options), panel->core);
	draw_ticks(panel, out);
	for (size_t t = 0; t < panel->counts->threads; t++)
		draw_thread(panel, t, out);
	fprintf(out, "<path d=\"M0 0V%dH%d\" fill=\"none\" stroke=\"#555\"/>\n", PLOT_HEIGHT, PLOT_WIDTH);
	draw_legend(panel, out);
	fputs("</g>\n", out);
}

static void draw_title(const struct cli__stat_options *o, unsigned bottom, FILE *out)
{
	fprintf(out, "<text x=\"%d\" y=\"28\" font-size=\"15\" font-weight=\"bold\">", LEFT);
	for (size_t i = 0; o->argv[i] != NULL; i++) {
		fputs(i ? " " : "", out);
		cli__put_xml(o->argv[i], out);
	}
	fprintf(out,
		"</text>\n<text x=\"%d\" y=\"%u\" text-anchor=\"middle\">%s of the %s; counts modelled by apmu</text>\n",
		LEFT + PLOT_WIDTH / 2, bottom - 10, unit(o), cli__stat_thread_word(o));
}

void cli__plot_svg(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	unsigned panels = 0;

	for (size_t c = 0; c < o->cores; c++)
		for (size_t i = 0; i < o->rows.n; i++)
			panels += !o->core[c].wanted[i].absent;
	unsigned width = LEFT + PLOT_WIDTH + RIGHT, height = TOP + panels * PANEL;
	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" fill=\"#222\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
		width, height, width, height);
	draw_title(o, height, out);
	panels = 0;
	for (size_t i = 0; i < o->rows.n; i++)
		for (size_t c = 0; c < o->cores; c++) {
			struct panel panel = look(o, results, c, i);
			if (!o->core[c].wanted[i].absent)
				draw_panel(&panel, panels++, out);
		}
	fputs("</svg>\n", out);
}
