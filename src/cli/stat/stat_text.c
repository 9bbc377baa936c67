/* SPDX-License-Identifier: MIT */
/* `apmu stat` for people: one column per core, the event's name beside it, metrics beneath. */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/format_number.h"
#include "cli/common/table.h"
#include "cli/common/uarch_options.h"
#include "cli/stat/stat.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { INDENT = 4 };

/* What a table shows: the counts of the whole run, or of a thread. */
static const struct cli__count *of_run(const struct cli__stat_result *result, size_t ignored)
{
	(void)ignored;
	return result->mean;
}

static const struct cli__count *of_thread(const struct cli__stat_result *result, size_t t)
{
	return t < result->counts.threads ? result->counts.thread[t].count : NULL;
}

typedef const struct cli__count *(*pick)(const struct cli__stat_result *result, size_t which);

static const char **headings(const struct cli__stat_options *o)
{
	const char **head = cli__zalloc(o->cores + 1, sizeof *head);

	for (size_t c = 0; c < o->cores; c++)
		head[c] = o->core[c].core->name;
	head[o->cores] = "";
	return head;
}

static char *alignment(size_t columns)
{
	char *right = cli__zalloc(columns + 1, 1);

	memset(right, 'R', columns);
	right[columns - 1] = 'L';
	return right;
}

/* Adds a value, with the spread of several runs and the share of time that it was counted. */
static void add_value(struct cli__table *table, const struct cli__stat_options *o,
		      const struct cli__count *count, double spread)
{
	char text[CLI__NUMBER], share[32] = "", plus[32] = "";

	if (cli__uncounted(count)) {
		cli__table_add(table, "<not counted>");
		return;
	}
	cli__format_count(text, cli__scaled(count));
	if (o->hardware)
		snprintf(share, sizeof share, " (%5.1f%%)",
			 count->enabled == 0 ? 100.0
					     : 100.0 * (double)count->running / (double)count->enabled);
	if (o->repeat > 1)
		snprintf(plus, sizeof plus, " (+-%6.2f%%)", 100 * spread);
	cli__table_add(table, "%s%s%s", text, plus, share);
}

/* True if the event counts core cycles alone. */
static bool counts_cycles(const struct cli__wanted *wanted)
{
	const struct apmu_event *event = wanted->event;

	return wanted->cycles ||
	       (event != NULL && event->signals == 1 && event->signal[0] == APMU_SIG_CYCLES);
}

/* A row's label; a raw number has its event's name beside it if all the cores agree on it. */
static char *label_of(const struct cli__stat_options *o, size_t i)
{
	const char *name = NULL;

	for (size_t c = 0; c < o->cores; c++) {
		const struct cli__wanted *wanted = &o->core[c].wanted[i];

		if (!wanted->raw || (name != NULL && strcmp(name, cli__wanted_name(wanted)) != 0)) {
			name = NULL;
			break;
		}
		name = cli__wanted_name(wanted);
	}
	return name != NULL ? cli__format("%s (%s)", o->rows.row[i].label, name)
			    : cli__copy(o->rows.row[i].label);
}

/* Adds a row's label. For a single core, perf's remark stands beside it, and the expected error beside
 * cycles. */
static void add_label(struct cli__table *table, const struct cli__stat_options *o,
		      const struct cli__stat_result *results, const struct cli__count *counts, bool whole,
		      size_t i)
{
	enum { WIDTH = 24, WIDER = 30 };
	const struct cli__band *band = &results[0].band;
	bool banded = o->cores == 1 && whole && band->known;
	char *label = label_of(o, i), *remark = NULL;
	enum cli__colour colour = CLI__COLOUR_NONE;

	if (banded && counts_cycles(&o->core[0].wanted[i])) {
		char *longer = cli__format("%s (modelled, about %.0f %%)", label, cli__band_percent(band));
		free(label);
		label = longer;
	}
	if (o->cores == 1 && counts)
		remark = cli__stat_remark(o, &o->core[0], &results[0], counts, i, &colour);
	if (remark)
		cli__table_add(table, "%-*s #%s", banded ? WIDER : WIDTH, label, remark);
	else
		cli__table_add(table, "%s", label);
	cli__table_colour(table, colour);
	free(label);
	free(remark);
}

static void add_row(struct cli__table *table, const struct cli__stat_options *o,
		    const struct cli__stat_result *results, pick counts, size_t which, size_t i)
{
	for (size_t c = 0; c < o->cores; c++) {
		const struct cli__count *count = counts(&results[c], which);

		if (o->core[c].wanted[i].absent)
			cli__table_add(table, o->rows.row[i].asked ? "<not supported>" : "-");
		else if (count == NULL)
			cli__table_add(table, "-");
		else
			add_value(table, o, &count[i], counts == of_run ? results[c].spread[i] : 0);
	}
	add_label(table, o, results, counts(&results[0], which), counts == of_run, i);
}

static const struct apmu_metric *metric_of(const struct cli__stat_core *core, const char *name)
{
	for (size_t m = 0; m < core->metrics; m++)
		if (strcmp(core->metric[m]->name, name) == 0)
			return core->metric[m];
	return NULL;
}

static void add_metric(struct cli__table *table, const struct cli__stat_options *o,
		       const struct cli__stat_result *results, pick counts, size_t which, const char *name)
{
	for (size_t c = 0; c < o->cores; c++) {
		const struct apmu_metric *metric = metric_of(&o->core[c], name);
		const struct cli__count *count = counts(&results[c], which);
		char text[CLI__NUMBER];
		double value;

		if (metric != NULL && count != NULL &&
		    cli__metric_value(o, &o->core[c], metric, count, &value) == 0) {
			cli__format_metric(text, metric, value);
			cli__table_add(table, "%s", text);
		} else {
			cli__table_add(table, "-");
		}
	}
	cli__table_add(table, "%s", name);
}

/* True if a core to the left has printed a metric of this name already. */
static bool printed(const struct cli__stat_options *o, size_t c, const char *name)
{
	for (size_t before = 0; before < c; before++)
		if (metric_of(&o->core[before], name) != NULL)
			return true;
	return false;
}

/* Adds the expected error of each core's cycles; for a single core it stands beside the cycles. */
static void add_bands(struct cli__table *table, const struct cli__stat_options *o,
		      const struct cli__stat_result *results)
{
	bool any = false;

	for (size_t c = 0; c < o->cores; c++)
		any = any || results[c].band.known;
	for (size_t c = 0; c < o->cores && any; c++)
		if (results[c].band.known)
			cli__table_add(table, "%.0f %%", cli__band_percent(&results[c].band));
		else
			cli__table_add(table, "-");
	if (any)
		cli__table_add(table, "cycles-band");
}

static void add_metrics(struct cli__table *table, const struct cli__stat_options *o,
			const struct cli__stat_result *results, pick counts, size_t which)
{
	bool any = false;

	for (size_t c = 0; c < o->cores; c++)
		for (size_t m = 0; m < o->core[c].metrics; m++) {
			const char *name = o->core[c].metric[m]->name;

			if (printed(o, c, name))
				continue;
			if (!any)
				cli__table_gap(table);
			any = true;
			add_metric(table, o, results, counts, which, name);
		}
}

/* Adds the time that the counted cycles take at the core's clock. */
static void add_seconds(struct cli__table *table, const struct cli__stat_options *o,
			const struct cli__stat_result *results, pick counts, size_t which)
{
	bool any = false;

	for (size_t c = 0; c < o->cores; c++)
		any |= cli__simulated(&o->core[c], &results[c], counts(&results[c], which)) > 0;
	if (!any)
		return;
	cli__table_gap(table);
	for (size_t c = 0; c < o->cores; c++) {
		double seconds = cli__simulated(&o->core[c], &results[c], counts(&results[c], which));
		if (seconds > 0)
			cli__table_add(table, "%.6f", seconds);
		else
			cli__table_add(table, "-");
	}
	cli__table_add(table, "seconds simulated%s",
		       counts == of_run && results[0].counts.threads > 1 ? ", of all threads" : "");
}

static void print_counts(const struct cli__stat_options *o, const struct cli__stat_result *results,
			 pick counts, size_t which, unsigned width, FILE *out)
{
	const char **head = headings(o);
	char *right = alignment(o->cores + 1);
	struct cli__table table = {.head = o->cores > 1 ? head : NULL,
				   .right = right,
				   .columns = o->cores + 1,
				   .indent = o->cores > 1 ? 1 : INDENT,
				   .nearest_last = true,
				   .coloured = o->coloured};

	for (size_t i = 0; i < o->rows.n; i++)
		add_row(&table, o, results, counts, which, i);
	add_metrics(&table, o, results, counts, which);
	add_seconds(&table, o, results, counts, which);
	if (counts == of_run && o->cores > 1)
		add_bands(&table, o, results);
	cli__table_print(&table, width, out);
	free(head);
	free(right);
}

static void print_title(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	fputs("\n Performance counter stats for '", out);
	for (size_t i = 0; o->argv[i] != NULL; i++) {
		fputs(i != 0 ? " " : "", out);
		cli__put_plain(o->argv[i], out);
	}
	fputc('\'', out);
	if (o->cores == 1)
		fprintf(out, " on %s%s", o->core[0].core->name, o->defaulted ? " (the default core)" : "");
	fputs(o->system ? ", whole system" : ", user space", out);
	if (o->repeat > 1)
		fprintf(out, ", mean of %u run%s", results[0].runs, results[0].runs == 1 ? "" : "s");
	fputs(":\n\n", out);
}

static void print_end(const struct cli__stat_result *r, const char *core, FILE *out)
{
	if (r->exit == 0 && r->signal == 0)
		return;
	fputs(core != NULL ? "\n On " : "\n", out);
	fprintf(out, "%s%s program ", core != NULL ? core : "", core != NULL ? " the" : " The");
	if (r->signal != 0)
		fprintf(out, "was ended by signal %d (%s).%s\n", r->signal, strsignal(r->signal),
			r->signal == SIGILL
				? " The core may lack an instruction (-c chooses another),\n"
				  " or the program reads the core's counters itself ('apmu run --linux' lets it)."
				: "");
	else
		fprintf(out, "ended with status %d.\n", r->exit);
}

void cli__stat_ends(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	bool alike = true;

	for (size_t c = 1; c < o->cores; c++)
		alike = alike && results[c].exit == results[0].exit && results[c].signal == results[0].signal;
	for (size_t c = 0; c < (alike ? 1 : o->cores); c++)
		print_end(&results[c], alike ? NULL : o->core[c].core->name, out);
}

/* Exit status of the dynamic loader if it finds no library. */
enum { NOT_LOADED = 127 };

static void print_missing(const struct cli__stat_options *o, const struct cli__stat_result *results,
			  FILE *out)
{
	struct apmu_isa__elf elf;
	char error[256];

	if (results[0].exit == NOT_LOADED && !o->system &&
	    apmu_qemu__elf_named(o->argv[0], o->sysroot, false, &elf, error, sizeof error) == 0 &&
	    elf.dynamic)
		fprintf(out,
			" If its loader says above that a library is missing: -L DIR names the folder that has the program's %s.\n",
			elf.interp);
}

/* Prints what QEMU did not report on a core, and what the counts lack because of that. */
static void print_blind(const char *core, const struct cli__stat_result *result, FILE *out)
{
	char n[CLI__NUMBER];

	if (result->hidden)
		fprintf(out,
			"\n On %s this QEMU reports no addresses of %s:\n the counts of caches, TLBs and cycles lack them.\n",
			core, apmu_qemu__hidden_text(result->hidden));
	cli__format_count(n, (double)result->preloads);
	if (result->preloads)
		fprintf(out,
			"\n On %s %s software prefetches (PRFM, PLD) had an address that this QEMU does not\n report (9.0 and newer do, for programs): they fetched no line, so there may be more misses than\n on the core.\n",
			core, n);
}

/* Says how much of the time is estimated, and the error that this adds. */
static void print_samples(const struct apmu_core *core, const struct cli__stat_result *result, FILE *out)
{
	if (result->timed < 1)
		fprintf(out,
			"\n On %s time was modelled for samples, %.0f %% of the instructions: cycles +- %.1f %%, one standard error.\n",
			core->name, 100 * result->timed, 100 * result->time_error);
}

/* Names the core whose timing was used if nobody published the core's own. */
static void print_borrowed(const struct apmu_core *core, const struct cli__stat_result *result, FILE *out)
{
	if (result->time == APMU_SIG_CYCLES && !cli__has_own_params(core))
		fprintf(out, "\n %s has no timing of its own: caches and cycles are those of %s.\n",
			core->name, core->uarch);
}

/* True if the expected error of the cycles stands beside a row of the whole run. */
static bool shows_error(const struct cli__stat_options *o)
{
	for (size_t i = 0; i < o->rows.n; i++)
		if (o->cores == 1 && !o->per_thread && counts_cycles(&o->core[0].wanted[i]))
			return true;
	return false;
}

/* Says that the core has no free figure for at least half of the cycles, and names the largest such class. */
static void print_untold(const struct apmu_core *core, const struct cli__band *band, FILE *out)
{
	unsigned most = CLI__BAND_CLASSES;

	for (unsigned k = 0; k < CLI__BAND_CLASSES; k++)
		if (!band->has[k] && (most == CLI__BAND_CLASSES || band->share[k] > band->share[most]))
			most = k;
	if (band->known && band->untold >= 0.5)
		fprintf(out,
			"\n %s has no published figure that is independent of the model's fit for %.0f %% of these\n cycles (mostly %s): for those the error shown is that of other cores.\n",
			core->name, 100 * band->untold, cli__band_name[most]);
}

/* Says on which core an interrupt left fewer runs than on the first one, whose number is in the title. */
static void print_fewer(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	for (size_t c = 1; c < o->cores; c++)
		if (results[c].runs != results[0].runs)
			fprintf(out, "\n On %s: mean of %u run%s.\n", o->core[c].core->name, results[c].runs,
				results[c].runs == 1 ? "" : "s");
}

static void print_notes(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	if (o->hardware)
		fputs("\n Values are scaled to the whole run; in brackets the share of its cycles on a counter.\n",
		      out);
	print_fewer(o, results, out);
	cli__stat_meanings(o, out);
	for (size_t c = 0; c < o->cores; c++)
		print_samples(o->core[c].core, &results[c], out);
	for (size_t c = 0; c < o->cores; c++)
		print_borrowed(o->core[c].core, &results[c], out);
	if (shows_error(o))
		print_untold(o->core[0].core, &results[0].band, out);
	for (size_t c = 0; c < o->cores; c++)
		if (results[c].undecoded != 0)
			fprintf(out,
				"\n On %s %llu instructions of no known class ran, the first 0x%08llx.\n",
				o->core[c].core->name, (unsigned long long)results[c].undecoded,
				(unsigned long long)results[c].undecoded_word);
	for (size_t c = 0; c < o->cores; c++)
		print_blind(o->core[c].core->name, &results[c], out);
	for (size_t c = 0; c < o->cores; c++)
		if (results[c].unlawful)
			fprintf(out, "\n The cycles of %s are not to be trusted.\n", o->core[c].core->name);
	cli__stat_ends(o, results, out);
	print_missing(o, results, out);
	fputc('\n', out);
}

static size_t most_threads(const struct cli__stat_options *o, const struct cli__stat_result *results)
{
	size_t most = 0;

	for (size_t c = 0; c < o->cores; c++)
		if (results[c].counts.threads > most)
			most = results[c].counts.threads;
	return most;
}

/* Thread t of the first core on which the program had as many; `t` is less than most_threads(). */
static const struct cli__stat_thread *thread_of(const struct cli__stat_options *o,
						const struct cli__stat_result *results, size_t t)
{
	size_t c = 0;

	while (c + 1 < o->cores && t >= results[c].counts.threads)
		c++;
	return &results[c].counts.thread[t];
}

static void print_threads(const struct cli__stat_options *o, const struct cli__stat_result *results,
			  unsigned width, FILE *out)
{
	for (size_t t = 0; t < most_threads(o, results); t++) {
		const struct cli__stat_thread *thread = thread_of(o, results, t);

		if (o->system)
			fprintf(out, "%s vCPU %d", t != 0 ? "\n" : "", thread->tid);
		else
			fprintf(out, "%s Thread %zu", t != 0 ? "\n" : "", t + 1);
		if (thread->name[0]) {
			fputs(" (", out);
			cli__put_plain(thread->name, out);
			fputc(')', out);
		}
		if (o->cores == 1 && !o->system)
			fprintf(out, ", process %d, thread %d", thread->pid, thread->tid);
		fputs(":\n\n", out);
		print_counts(o, results, of_thread, t, width, out);
	}
}

/* Prints the slices of one core, in order of time within a thread, as perf stat -I does. */
static void print_slices(const struct cli__stat_options *o, size_t c, const struct cli__stat_result *result,
			 FILE *out)
{
	bool threads = result->counts.threads > 1;

	fprintf(out, "#%15s", o->interval_signal == APMU_SIG_CYCLES ? "cycles" : "instructions");
	if (threads)
		fprintf(out, " %6s", cli__stat_thread_word(o));
	fprintf(out, " %20s  %s on %s\n", "counts", "event", o->core[c].core->name);
	for (size_t s = 0; s < result->counts.slices; s++) {
		const struct cli__slice *slice = &result->counts.slice[s];

		for (size_t i = 0; i < o->rows.n; i++) {
			char at[CLI__NUMBER], value[CLI__NUMBER];

			if (o->core[c].wanted[i].absent)
				continue;
			cli__format_count(at, (double)slice->at);
			cli__format_count(value, (double)slice->count[i].value);
			fprintf(out, "%16s", at);
			if (threads)
				fprintf(out, " %6zu",
					cli__stat_thread_number(o, &result->counts, slice->thread));
			fprintf(out, " %20s  %s\n", value, o->rows.row[i].label);
		}
	}
}

void cli__stat_text(const struct cli__stat_options *o, const struct cli__stat_result *results, unsigned width,
		    FILE *out)
{
	for (size_t c = 0; c < o->cores && o->interval != 0; c++)
		print_slices(o, c, &results[c], out);
	print_title(o, results, out);
	if (o->per_thread) {
		print_threads(o, results, width, out);
	} else {
		print_counts(o, results, of_run, 0, width, out);
		if (o->system && most_threads(o, results) > 1) {
			fputc('\n', out);
			print_threads(o, results, width, out);
		}
	}
	print_notes(o, results, out);
}
