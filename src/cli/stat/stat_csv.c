/* SPDX-License-Identifier: MIT */
/* `apmu stat -x`: the fields of perf stat -x, one line per event; docs/perf-users.md lists them. */
#include "cli/stat/stat.h"

/* Fields before perf's own: the core if several were asked for, where a slice ends, the thread. */
struct prefix {
	const char *core;
	const struct cli__slice *slice;
	size_t thread; /* as number() gives it; 0: all */
};

static void start_line(const struct cli__stat_options *o, const struct prefix *p, FILE *out)
{
	if (o->several)
		fprintf(out, "%s%s", p->core, o->separator);
	if (p->slice != NULL)
		fprintf(out, "%llu%s", (unsigned long long)p->slice->at, o->separator);
	if (p->thread != 0 && o->system)
		fprintf(out, "CPU%zu%s", p->thread - 1, o->separator);
	else if (p->thread != 0)
		fprintf(out, "%zu%s", p->thread, o->separator);
}

static void put_event(const struct cli__stat_options *o, const struct prefix *p, const char *label,
		      const struct cli__count *count, const double *spread, FILE *out)
{
	const char *sep = o->separator;
	double share = count->enabled == 0 ? 100 : 100.0 * (double)count->running / (double)count->enabled;

	start_line(o, p, out);
	if (cli__uncounted(count))
		fprintf(out, "<not counted>");
	else
		fprintf(out, "%.0f", cli__scaled(count));
	fprintf(out, "%s%s%s%s", sep, sep, label, sep);
	if (spread != NULL)
		fprintf(out, "%.2f%%%s", 100 * *spread, sep);
	fprintf(out, "%llu%s%.2f\n", (unsigned long long)count->running, sep, share);
}

static void put_counts(const struct cli__stat_options *o, const struct cli__stat_core *core,
		       const struct prefix *p, const struct cli__count *counts, const double *spread,
		       FILE *out)
{
	for (size_t i = 0; i < o->rows.n; i++) {
		if (!core->wanted[i].absent) {
			put_event(o, p, o->rows.row[i].label, &counts[i], spread != NULL ? &spread[i] : NULL,
				  out);
		} else if (o->rows.row[i].asked) {
			start_line(o, p, out);
			fprintf(out, "<not supported>%s%s%s%s", o->separator, o->separator,
				o->rows.row[i].label, o->separator);
			fprintf(out, "%s%s0%s100.00\n", spread != NULL ? "0.00%" : "",
				spread != NULL ? o->separator : "", o->separator);
		}
	}
}

/* Prints metrics as perf does: each is a line whose count and event are empty. */
static void put_metrics(const struct cli__stat_options *o, const struct cli__stat_core *core,
			const struct prefix *p, const struct cli__count *counts, bool spread, FILE *out)
{
	for (size_t m = 0; m < core->metrics; m++) {
		const char *sep = o->separator;
		double value;
		bool percent = core->metric[m]->unit[0] == '%';

		if (cli__metric_value(o, core, core->metric[m], counts, &value) != 0)
			continue;
		start_line(o, p, out);
		fprintf(out, "%s%s%s%s%s%s%.6g%s%s%s\n", sep, sep, sep, sep, spread ? sep : "", sep,
			percent ? 100 * value : value, sep, percent ? "%  " : "", core->metric[m]->name);
	}
}

/* A thread's number from 1, or a virtual CPU's number plus 1. */
static size_t number(const struct cli__stat_options *o, const struct cli__counts *counts, size_t t)
{
	return 1 + (o->system ? (size_t)counts->thread[t].tid : t);
}

/* Prints the expected error of the cycles as a metric of the run. */
static void put_band(const struct cli__stat_options *o, const struct prefix *p,
		     const struct cli__stat_result *result, FILE *out)
{
	const char *sep = o->separator;

	if (!result->band.known)
		return;
	start_line(o, p, out);
	fprintf(out, "%s%s%s%s%s%s%.1f%s%%  cycles-band\n", sep, sep, sep, sep, o->repeat > 1 ? sep : "", sep,
		100 * result->band.within, sep);
}

static void put_core(const struct cli__stat_options *o, const struct cli__stat_core *core,
		     const struct cli__stat_result *result, FILE *out)
{
	struct prefix prefix = {.core = core->core->name};
	const double *spread = o->repeat > 1 ? result->spread : NULL;
	const struct cli__counts *counts = &result->counts;

	for (size_t s = 0; s < counts->slices; s++) {
		prefix.slice = &counts->slice[s];
		prefix.thread =
			o->per_thread || counts->threads > 1 ? number(o, counts, counts->slice[s].thread) : 0;
		put_counts(o, core, &prefix, counts->slice[s].count, NULL, out);
	}
	if (o->interval != 0)
		return;
	for (size_t t = 0; o->per_thread && t < counts->threads; t++) {
		prefix.thread = number(o, counts, t);
		put_counts(o, core, &prefix, counts->thread[t].count, NULL, out);
		put_metrics(o, core, &prefix, counts->thread[t].count, false, out);
	}
	if (o->per_thread)
		return;
	put_counts(o, core, &prefix, result->mean, spread, out);
	put_metrics(o, core, &prefix, result->mean, spread != NULL, out);
	put_band(o, &prefix, result, out);
}

void cli__stat_csv(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	for (size_t c = 0; c < o->cores; c++)
		put_core(o, &o->core[c], &results[c], out);
}
