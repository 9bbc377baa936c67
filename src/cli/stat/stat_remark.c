/* SPDX-License-Identifier: MIT */
/* Text beside a count of `apmu stat`, in perf's words: its share of another count, or its rate. Also the time
 * that the run would have taken on the core. */
#include "cli/common/format_number.h"
#include "cli/stat/stat.h"

#include <stdlib.h>
#include <string.h>

/* A count as a share of another; both have perf's names. */
struct ratio {
	const char *of, *base;
	enum apmu_signal base_signal; /* the row holds if this is what the base counts on the core */
	bool any_base;                /* the row holds whatever the base counts */
	const char *format;           /* of the value */
	double scale;
	const char *words;
	double bad[3]; /* percent above which perf shows it in yellow, magenta, red; 0: never */
};

#define MISSES            \
	{                 \
		5, 10, 20 \
	}
#define SHARE .any_base = true, .format = "%.2f%%", .scale = 100

static const struct ratio ratios[] = {
	{"instructions", "cycles", .any_base = true, .format = "%.2f", .scale = 1, .words = "insn per cycle"},
	{"branch-misses", "branches", APMU_SIG_PC_CHANGE, false, "%.2f%%", 100, "of taken branches", MISSES},
	{"branch-misses", "branches", APMU_SIG_BR_IMMED, false, "%.2f%%", 100, "of B and BL", MISSES},
	{"branch-misses", "branches", SHARE, .words = "of all branches", .bad = MISSES},
	{"cache-misses", "cache-references", SHARE, .words = "of all cache refs", .bad = MISSES},
	{"L1-dcache-load-misses", "L1-dcache-loads", SHARE, .words = "of all L1-dcache accesses",
	 .bad = MISSES},
	{"L1-icache-load-misses", "L1-icache-loads", SHARE, .words = "of all L1-icache accesses",
	 .bad = MISSES},
	{"dTLB-load-misses", "dTLB-loads", SHARE, .words = "of all dTLB cache accesses", .bad = MISSES},
	{"iTLB-load-misses", "iTLB-loads", SHARE, .words = "of all iTLB cache accesses", .bad = MISSES},
	{"LLC-load-misses", "LLC-loads", SHARE, .words = "of all LL-cache accesses", .bad = MISSES},
	{"stalled-cycles-frontend", "cycles", SHARE, .words = "frontend cycles idle", .bad = {10, 30, 50}},
	{"stalled-cycles-backend", "cycles", SHARE, .words = "backend cycles idle", .bad = {20, 50, 75}},
};

double cli__simulated(const struct cli__stat_core *core, const struct cli__stat_result *result,
		      const struct cli__count *counts)
{
	double hertz = 1e6 * core->uarch.clock;

	return result->time == APMU_SIG_CYCLES && hertz > 0 && counts ? (double)counts->enabled / hertz : 0;
}

/* True if the row is the event that perf's name means on this core. */
static bool means(const struct cli__stat_core *core, size_t row, const char *name)
{
	const struct cli__wanted *wanted = &core->wanted[row];
	const struct apmu_event *event;
	bool cycles;

	if (wanted->absent || wanted->outside || apmu_event_name(core->core, name, &event, &cycles) != 0)
		return false;
	return cycles ? wanted->cycles : wanted->event == event;
}

/* True if the ratio's words hold of this base: its event counts the ratio's signal, and beside it at most
 * what only a machine with a kernel has (unit "host"). */
static bool holds(const struct ratio *ratio, const struct cli__wanted *base)
{
	bool counts = false;

	for (unsigned k = 0; base->event && k < base->event->signals; k++) {
		if (base->event->signal[k] == ratio->base_signal)
			counts = true;
		else if (strcmp(apmu_signal_row(base->event->signal[k])->unit, "host") != 0)
			return ratio->any_base;
	}
	return counts || ratio->any_base;
}

/* Index of the row that this row is a share of by `ratio`; rows.n if there is none. */
static size_t base_of(const struct cli__stat_options *o, const struct cli__stat_core *core,
		      const struct ratio *ratio, size_t row)
{
	size_t i = 0;

	if (!means(core, row, ratio->of))
		return o->rows.n;
	while (i < o->rows.n && !(means(core, i, ratio->base) && holds(ratio, &core->wanted[i])))
		i++;
	return i;
}

static char *rate(double value, double seconds)
{
	static const char *const unit[] = {"/sec", "K/sec", "M/sec", "G/sec"};
	unsigned u = 0;

	for (value /= seconds; value >= 1000 && u < 3; u++)
		value /= 1000;
	return cli__format("%8.3f %s", value, unit[u]);
}

static enum cli__colour colour_of(const struct ratio *ratio, double value)
{
	enum cli__colour colour = CLI__COLOUR_NONE;

	for (unsigned i = 0; i < 3; i++)
		if (ratio->bad[i] > 0 && value > ratio->bad[i])
			colour = CLI__COLOUR_YELLOW + i;
	return colour;
}

char *cli__stat_remark(const struct cli__stat_options *o, const struct cli__stat_core *core,
		       const struct cli__stat_result *result, const struct cli__count *counts, size_t row,
		       enum cli__colour *colour)
{
	double value = cli__scaled(&counts[row]), seconds = cli__simulated(core, result, &counts[row]);

	*colour = CLI__COLOUR_NONE;
	if (core->wanted[row].absent || cli__uncounted(&counts[row]))
		return NULL;
	for (size_t k = 0; k < sizeof ratios / sizeof ratios[0]; k++) {
		size_t base = base_of(o, core, &ratios[k], row);
		double whole = base < o->rows.n ? cli__scaled(&counts[base]) : 0;
		char number[CLI__NUMBER];

		if (whole <= 0)
			continue;
		*colour = colour_of(&ratios[k], ratios[k].scale * value / whole);
		snprintf(number, sizeof number, ratios[k].format, ratios[k].scale * value / whole);
		return cli__format("%8s %s", number, ratios[k].words);
	}
	if (core->wanted[row].cycles && seconds > 0)
		return cli__format("%8.3f GHz", core->uarch.clock / 1e3);
	return seconds > 0 && value > 0 ? rate(value, seconds) : NULL;
}

/* True if two cores count the same for a row. */
static bool alike(const struct cli__wanted *a, const struct cli__wanted *b)
{
	if (a->absent || b->absent || a->raw || b->raw || a->event == b->event || !a->event || !b->event)
		return true;
	return strcmp(a->event->name, b->event->name) == 0 ||
	       (a->event->signals == b->event->signals && a->event->minus == b->event->minus &&
		memcmp(a->event->signal, b->event->signal, a->event->signals * sizeof a->event->signal[0]) ==
			0);
}

/* Prints "PC_WRITE_RETIRED on cortex-a53, cortex-a7: what it is". */
static void put_meaning(const struct cli__stat_options *o, size_t row, size_t c, FILE *out)
{
	const struct cli__wanted *wanted = &o->core[c].wanted[row];

	for (size_t k = 0; k < c; k++)
		if (!o->core[k].wanted[row].absent && alike(wanted, &o->core[k].wanted[row]))
			return;
	fprintf(out, "   %s on %s", cli__wanted_name(wanted), o->core[c].core->name);
	for (size_t k = c + 1; k < o->cores; k++)
		if (!o->core[k].wanted[row].absent && alike(wanted, &o->core[k].wanted[row]))
			fprintf(out, ", %s", o->core[k].core->name);
	fprintf(out, ": %s\n", wanted->event->text);
}

void cli__stat_meanings(const struct cli__stat_options *o, FILE *out)
{
	for (size_t i = 0; i < o->rows.n; i++) {
		bool same = true;

		for (size_t c = 0; c < o->cores; c++)
			for (size_t k = 0; k < c; k++)
				same = same && alike(&o->core[c].wanted[i], &o->core[k].wanted[i]);
		if (same)
			continue;
		fprintf(out, "\n '%s' is not the same event on each core:\n", o->rows.row[i].label);
		for (size_t c = 0; c < o->cores; c++)
			if (!o->core[c].wanted[i].absent)
				put_meaning(o, i, c, out);
	}
}
