/* SPDX-License-Identifier: MIT */
/* Feeds a run's marks to PMUs: each thread has a set of PMUs of its own, as under Linux. */
#include "cli/stat/stat.h"

#include "cli/common/virtual_pmus.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Replay of one thread through its marks. */
struct course {
	const struct cli__stat_options *options;
	const struct cli__stat_core *core;
	enum apmu_signal time;
	struct cli__session *session;
	struct cli__stat_thread *thread;
	uint64_t now; /* total of `time` at the last mark */
	size_t *on;   /* rows on counters at present */
	size_t ons;
	unsigned first; /* group that leads, with --as-hardware */
};

static size_t counters_of_group(const struct cli__stat_options *options, const struct cli__stat_core *core,
				unsigned group)
{
	size_t n = 0;

	for (size_t i = 0; i < options->rows.n; i++)
		n += core->wanted[i].group == group && !core->wanted[i].absent && !core->wanted[i].cycles &&
		     !core->wanted[i].outside;
	return n;
}

int cli__rotation_check(const struct cli__cli *cli, const struct cli__stat_options *options,
			const struct cli__stat_core *core)
{
	for (unsigned g = 0; g < options->rows.groups; g++) {
		size_t n = counters_of_group(options, core, g);

		if (n <= core->core->counters)
			continue;
		cli__message(
			cli,
			"a group of %zu events does not fit: %s has %u event counters; make the group smaller or leave out --as-hardware",
			n, core->core->name, core->core->counters);
		return CLI__EXIT_USAGE;
	}
	return 0;
}

bool cli__rotation_fits(const struct cli__stat_options *options, const struct cli__stat_core *core)
{
	return cli__session_pmus(core->core, core->wanted, options->rows.n) == 1;
}

static void take_group(struct course *c, unsigned group)
{
	for (size_t i = 0; i < c->options->rows.n; i++)
		if (c->core->wanted[i].group == group)
			c->on[c->ons++] = i;
}

/* Puts groups on the counters from the leading one on, as long as they fit; the next slice leads with the
 * next group, as perf rotates. A group of cycles alone always fits, because nothing else uses the cycle
 * counter. */
static void choose(struct course *c)
{
	size_t room = c->core->core->counters;

	c->ons = 0;
	for (unsigned k = 0; k < c->options->rows.groups; k++) {
		unsigned group = (c->first + k) % c->options->rows.groups;
		size_t needs = counters_of_group(c->options, c->core, group);

		if (c->options->hardware && needs > room) {
			room = 0;
			continue;
		}
		room -= c->options->hardware ? needs : 0;
		take_group(c, group);
	}
	cli__session_load(c->session, c->on, c->ons);
}

/* Leads with the next group that needs an event counter. The others are on all the time; if they led too,
 * their neighbours would have longer turns. */
static void lead_with_next(struct course *c)
{
	for (unsigned k = 0; k < c->options->rows.groups; k++) {
		c->first = (c->first + 1) % c->options->rows.groups;
		if (counters_of_group(c->options, c->core, c->first) != 0)
			return;
	}
}

static void account_time(struct course *c, uint64_t now)
{
	for (size_t i = 0; i < c->options->rows.n; i++)
		c->thread->count[i].enabled += now - c->now;
	for (size_t k = 0; k < c->ons; k++)
		c->thread->count[c->on[k]].running += now - c->now;
	c->now = now;
}

static void pass(struct course *c, const struct apmu_qemu__snapshot *mark)
{
	cli__session_feed(c->session, &mark->tally);
	account_time(c, mark->tally.n[c->time]);
	for (size_t i = 0; i < c->options->rows.n; i++)
		c->thread->count[i].value = c->core->wanted[i].outside
						    ? mark->tally.n[c->core->wanted[i].event->signal[0]]
						    : cli__session_count(c->session, i);
}

static struct cli__count *copy_counts(const struct cli__count *count, size_t n)
{
	struct cli__count *copy = cli__zalloc(n, sizeof *copy);

	if (n != 0)
		memcpy(copy, count, n * sizeof *copy);
	return copy;
}

/* Adds a slice: what the thread gained since the previous mark. */
static void add_slice(struct course *c, struct cli__counts *counts, const struct apmu_qemu__snapshot *mark,
		      struct cli__count *earlier)
{
	size_t n = c->options->rows.n;
	struct cli__slice *slice;

	counts->slice = cli__grow(counts->slice, counts->slices, sizeof *counts->slice);
	slice = &counts->slice[counts->slices++];
	slice->thread = (size_t)(c->thread - counts->thread);
	slice->at = mark->tally.n[c->options->interval_signal];
	slice->count = copy_counts(c->thread->count, n);
	for (size_t i = 0; i < n; i++) {
		slice->count[i].value -= earlier[i].value;
		slice->count[i].enabled -= earlier[i].enabled;
		slice->count[i].running -= earlier[i].running;
	}
	if (n != 0)
		memcpy(earlier, c->thread->count, n * sizeof *earlier);
}

/* Where threads begin among a run's marks, and which mark follows which. */
struct chains {
	const struct apmu_qemu__run_result *run;
	size_t *next;  /* per mark: the next of the same thread; run->marks after the last */
	size_t *start; /* per thread: its first mark */
	size_t starts;
};

/* The next mark of the same thread; run->marks after its last. */
static size_t next_mark(const struct apmu_qemu__run_result *run, size_t i)
{
	if (run->mark[i].last)
		return run->marks;
	for (size_t k = i + 1; k < run->marks; k++)
		if (run->mark[k].serial == run->mark[i].serial)
			return k;
	return run->marks;
}

/* Orders threads by process, then by thread number, so that a process's first thread comes first, though it
 * may end last. */
static bool before(const struct chains *chains, size_t a, size_t b)
{
	const struct apmu_qemu__snapshot *left = &chains->run->mark[a], *right = &chains->run->mark[b];

	if (left->pid != right->pid)
		return left->pid < right->pid;
	return left->tid != right->tid ? left->tid < right->tid : a < b;
}

static void insert_start(struct chains *chains, size_t mark)
{
	size_t k = chains->starts++;

	for (; k > 0 && before(chains, mark, chains->start[k - 1]); k--)
		chains->start[k] = chains->start[k - 1];
	chains->start[k] = mark;
}

static struct chains chain(const struct apmu_qemu__run_result *run)
{
	struct chains chains = {.run = run};
	bool *follows = cli__zalloc(run->marks, sizeof *follows);

	chains.next = cli__zalloc(run->marks, sizeof *chains.next);
	chains.start = cli__zalloc(run->marks, sizeof *chains.start);
	for (size_t i = 0; i < run->marks; i++) {
		chains.next[i] = next_mark(run, i);
		if (chains.next[i] < run->marks)
			follows[chains.next[i]] = true;
		if (!follows[i])
			insert_start(&chains, i);
	}
	free(follows);
	return chains;
}

static void follow(struct course *c, struct cli__counts *counts, const struct chains *chains, size_t at)
{
	const struct apmu_qemu__run_result *run = chains->run;
	struct cli__count *earlier = cli__zalloc(c->options->rows.n, sizeof *earlier);

	c->first = c->options->rows.groups - 1;
	lead_with_next(c);
	choose(c);
	for (; at < run->marks; at = chains->next[at]) {
		const struct apmu_qemu__snapshot *mark = &run->mark[at];

		pass(c, mark);
		if (!mark->dump)
			snprintf(c->thread->name, sizeof(c->thread->name), "%.15s", mark->name);
		if (c->options->interval != 0)
			add_slice(c, counts, &run->mark[at], earlier);
		if (c->options->hardware && chains->next[at] < run->marks) {
			lead_with_next(c);
			choose(c);
		}
	}
	free(earlier);
}

static struct cli__stat_thread *add_thread(struct cli__counts *counts, const struct apmu_qemu__snapshot *mark,
					   size_t n)
{
	struct cli__stat_thread *thread;

	counts->thread = cli__grow(counts->thread, counts->threads, sizeof *counts->thread);
	thread = &counts->thread[counts->threads++];
	thread->pid = (int)mark->pid;
	thread->tid = (int)mark->tid;
	thread->count = cli__zalloc(n, sizeof *thread->count);
	return thread;
}

static void add_up(struct cli__counts *counts, size_t n)
{
	for (size_t t = 0; t < counts->threads; t++)
		for (size_t i = 0; i < n; i++) {
			counts->total[i].value += counts->thread[t].count[i].value;
			counts->total[i].enabled += counts->thread[t].count[i].enabled;
			counts->total[i].running += counts->thread[t].count[i].running;
		}
}

int cli__replay(const struct cli__stat_options *options, const struct cli__stat_core *core,
		enum apmu_signal time, const struct apmu_qemu__run_result *run, struct cli__counts *counts)
{
	size_t n = options->rows.n;
	size_t pmus = options->hardware ? 1 : cli__session_pmus(core->core, core->wanted, n);
	struct chains chains = chain(run);
	size_t *on = cli__zalloc(n, sizeof *on);
	int error = 0;

	*counts = (struct cli__counts){.total = cli__zalloc(n, sizeof *counts->total)};
	for (size_t t = 0; t < chains.starts && error == 0; t++) {
		struct course course = {.options = options, .core = core, .time = time, .on = on};

		course.session = cli__session_new(core->core, core->wanted, n, pmus);
		if (course.session == NULL) {
			error = APMU_ENOENT;
			break;
		}
		course.thread = add_thread(counts, &run->mark[chains.start[t]], n);
		follow(&course, counts, &chains, chains.start[t]);
		cli__session_free(course.session);
	}
	add_up(counts, n);
	free(chains.next);
	free(chains.start);
	free(on);
	return error;
}

void cli__counts_free(struct cli__counts *counts)
{
	for (size_t t = 0; t < counts->threads; t++)
		free(counts->thread[t].count);
	for (size_t s = 0; s < counts->slices; s++)
		free(counts->slice[s].count);
	free(counts->thread);
	free(counts->slice);
	free(counts->total);
	*counts = (struct cli__counts){0};
}

bool cli__uncounted(const struct cli__count *count)
{
	return count->enabled != 0 && count->running == 0;
}

double cli__scaled(const struct cli__count *count)
{
	if (count->running == 0 || count->running >= count->enabled)
		return (double)count->value;
	return round((double)count->value * (double)count->enabled / (double)count->running);
}
