/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC, realpath */
#include "cli/record/record.h"

#include "cli/common/interrupt.h"
#include "cli/common/kernel.h"
#include "cli/common/laws.h"
#include "cli/common/region.h"
#include "cli/common/runs.h"
#include "profile/write.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* True if `path` is a link to what is a standard stream, such as /dev/stdout. */
static bool names_stream(const char *path, const struct stat *file)
{
	struct stat link, stream;
	bool same = false;

	for (int fd = 0; fd < 3; fd++)
		same |= fstat(fd, &stream) == 0 && stream.st_dev == file->st_dev &&
			stream.st_ino == file->st_ino;
	return same && lstat(path, &link) == 0 && S_ISLNK(link.st_mode);
}

/* Puts back the old file, if it was moved. */
static void put_back(const char *path, bool moved)
{
	char *old = moved ? cli__format("%s.old", path) : NULL;

	if (old)
		(void)rename(old, path);
	free(old);
}

/* Opens the file of this recording. A regular file that is there and not empty is renamed to FILE.old, and
 * `moved` set; anything else, and /dev/stdout whatever it is, is written in place. */
static int open_output(const struct cli__cli *cli, const char *path, bool *moved)
{
	struct stat about;

	*moved = false;
	if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size != 0 &&
	    !names_stream(path, &about)) {
		char *old = cli__format("%s.old", path);
		int bad = rename(path, old);
		free(old);
		if (bad != 0)
			cli__message(cli, "%s cannot be moved out of the way: %s", path, strerror(errno));
		if (bad != 0)
			return -1;
		*moved = true;
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_TRUNC, 0666);
	if (fd < 0) {
		cli__message(cli, "%s cannot be written: %s", path, strerror(errno));
		put_back(path, *moved);
	}
	return fd;
}

static off_t size_of(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? about.st_size : -1;
}

static struct apmu_qemu__run_options run_options(const struct cli__record_options *o)
{
	struct apmu_qemu__run_options run = {.core = o->core,
					     .uarch = &o->uarch,
					     .qemu = o->qemu,
					     .cpu = o->cpu,
					     .sysroot = o->sysroot,
					     .argv = o->argv,
					     .follow = !o->alone && !o->system,
					     .system = o->system,
					     .interrupted = cli__interrupted,
					     .ended = cli__interrupts_results,
					     .insists = cli__interrupts_insist};

	apmu_signal_add(run.wanted, APMU_SIG_INST);
	return run;
}

/* Describes the recording as far as it is known before the run. */
static struct profile__profile describe(const struct cli__record_options *o, const char *program,
					uint16_t machine)
{
	struct profile__profile p = {.version = APMU_VERSION,
				     .core = o->core->name,
				     .program = program,
				     .machine = machine,
				     .chains = o->chains,
				     .data = o->data,
				     .exact = o->exact,
				     .branches = o->branches,
				     .system = o->system,
				     .skid = o->skid,
				     .argv = (const char *const *)o->argv,
				     .event = o->about,
				     .events = o->events,
				     .clock = o->uarch.clock * UINT64_C(1000000),
				     .uarch = o->uarch.title,
				     .line = o->uarch.l1d.line};

	p.cycles = o->data || o->branches;
	for (size_t i = 0; i < p.events; i++)
		for (unsigned k = 0; k < o->event[i].signals; k++)
			p.cycles = p.cycles || o->event[i].signal[k] == APMU_SIG_CYCLES;
	return p;
}

/* Progress on a terminal: how far the run is, and how fast. */
struct progress {
	FILE *err;
	struct timespec begin;
	bool shown;
};

static double seconds_since(const struct timespec *begin)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - begin->tv_sec) + 1e-9 * (double)(now.tv_nsec - begin->tv_nsec);
}

static void show_progress(void *context, uint64_t samples, uint64_t instructions)
{
	struct progress *p = context;
	double seconds = seconds_since(&p->begin), millions = 1e-6 * (double)instructions;

	if (seconds < 0.5)
		return;
	fprintf(p->err,
		"\rapmu record: %.0f million instructions, %.1f million per second, %" PRIu64
		" samples \033[K",
		millions, millions / seconds, samples);
	fflush(p->err);
	p->shown = true;
}

/* Writes the totals of each thread, from its last mark. */
static int finish(int fd, const struct cli__record_options *o, const struct apmu_qemu__run_result *run)
{
	struct profile__profile p = {.exit = run->exit, .signal = run->signal, .lost = run->samples_lost};
	uint32_t *serial = cli__zalloc(run->marks, sizeof *serial);

	p.events = o->events;
	p.thread = cli__zalloc(run->marks, sizeof *p.thread);
	for (size_t i = 0; i < run->marks; i++) {
		const struct apmu_qemu__snapshot *mark = &run->mark[i];
		if (!mark->last)
			continue;
		serial[p.threads] = mark->serial;
		struct profile__thread *t = &p.thread[p.threads++];
		*t = (struct profile__thread){.pid = mark->pid,
					      .tid = mark->tid,
					      .instructions = mark->tally.n[APMU_SIG_INST],
					      .cycles = mark->tally.n[APMU_SIG_CYCLES],
					      .resyncs = mark->resyncs,
					      .name = mark->name};
		for (size_t e = 0; e < p.events; e++)
			t->total[e] += apmu_qemu__run_event_sum(&o->event[e], &mark->tally);
	}
	int bad = profile__finish(fd, &p, serial);
	free(p.thread);
	free(serial);
	return bad;
}

/* Says what is in the file, and the file's size. */
static void say_file(const struct cli__cli *cli, const struct cli__record_options *o, int fd,
		     const struct apmu_qemu__run_result *run)
{
	struct stat about = {0};

	fstat(fd, &about);
	char *core = o->defaulted   ? cli__format(" on %s (the default core)", o->core->name)
		     : o->cores > 1 ? cli__format(" on %s", o->core->name)
				    : cli__copy("");
	double kilo = 1e-3 * (double)about.st_size;
	char *size = cli__format(kilo < 100    ? "%.1f kB"
				 : kilo < 1000 ? "%.0f kB"
					       : "%.1f MB",
				 kilo < 1000 ? kilo : 1e-3 * kilo);
	if (o->exact)
		cli__message(cli, "exact counts%s in %s (%s)", core, o->output, size);
	else
		cli__message(cli, "%" PRIu64 " samples%s in %s (%s)", run->samples - run->samples_lost, core,
			     o->output, size);
	free(size);
	free(core);
}

static void say_summary(const struct cli__cli *cli, const struct cli__record_options *o, int fd,
			const struct apmu_qemu__run_result *run)
{
	uint64_t resyncs = 0;

	for (size_t i = 0; i < run->marks; i++)
		resyncs += run->mark[i].last ? run->mark[i].resyncs : 0;
	say_file(cli, o, fd, run);
	if (run->blurred)
		cli__message(cli,
			     "%" PRIu64 " samples are exact to the basic block, not to the instruction in it",
			     run->blurred);
	if (resyncs)
		cli__message(cli,
			     "call chains were resynchronised %" PRIu64 " times (longjmp, exceptions, ...)",
			     resyncs);
	if (run->edges_lost)
		cli__message(
			cli,
			"%" PRIu64
			" executions of branches were not recorded, because the table of branches was full: 'export bolt', autofdo and profgen lack them",
			run->edges_lost);
	if (run->hidden)
		cli__message(
			cli,
			"this QEMU reports no addresses of %s: the counts of caches, TLBs and cycles lack them",
			apmu_qemu__hidden_text(run->hidden));
	if (run->preloads)
		cli__message(
			cli,
			"%" PRIu64
			" software prefetches (PRFM, PLD) had an address that this QEMU does not report (9.0 and newer do, for programs): they fetched no line, so there may be more misses than on the core",
			run->preloads);
	if (run->native)
		cli__message(cli, APMU_QEMU__NATIVE_TEXT, run->native, run->native_path);
	if (run->undecoded)
		cli__message(cli, "%" PRIu64 " instructions were not recognised, the first was 0x%08" PRIx64,
			     run->undecoded, run->undecoded_word);
}

/* What messages call the output; the caller frees it. */
static char *output_name(const struct cli__record_options *o)
{
	return o->temporary ? cli__format("the recording in '%s' (TMPDIR names another folder)", o->temporary)
			    : cli__copy(o->output);
}

/* Complains about what is missing in the file. 0, or 1 after a complaint. */
static int say_losses(const struct cli__cli *cli, const struct cli__record_options *o,
		      const struct apmu_qemu__run_result *run, int unfinished)
{
	int why = run->record_error ? run->record_error : -unfinished;
	char *name = output_name(o);

	if (run->samples_lost)
		cli__message(cli, "%s: %" PRIu64 " of %" PRIu64 " samples could not be written: %s", name,
			     run->samples_lost, run->samples, strerror(why));
	else if (run->record_error)
		cli__message(cli, "%s: a part of the recording could not be written: %s", name,
			     strerror(why));
	else if (unfinished)
		cli__message(cli, "%s: the totals could not be written: %s", name, strerror(why));
	free(name);
	return run->samples_lost || run->record_error || unfinished ? CLI__EXIT_FAILURE : 0;
}

/* One run and its file. */
struct recording {
	const struct cli__record_options *o;
	struct apmu_qemu__run_record record;
	struct progress progress;
	time_t begin;
	off_t head; /* bytes of the file before the first sample */
	int fd;     /* -1: none */
	bool moved;
};

/* The file of a system's symbols, or NULL. */
static const char *kernel_of(const struct cli__record_options *o)
{
	return o->kernel ? o->kernel : o->system ? cli__kernel_of(o->argv) : NULL;
}

/* Opens the file and writes its head. 0, or an exit code after a complaint. */
static int begin_file(struct cli__cli *cli, struct recording *r, const struct profile__profile *about)
{
	const char *kernel = kernel_of(r->o);

	r->fd = open_output(cli, r->o->output, &r->moved);
	if (r->fd < 0)
		return CLI__EXIT_FAILURE;
	int why = profile__begin(r->fd, about);
	r->head = size_of(r->fd);
	if (why == 0 && kernel)
		why = cli__kernel_maps(r->fd, kernel);
	if (why == 0) {
		r->head = size_of(r->fd);
		return 0;
	}
	char *name = output_name(r->o);
	cli__message(cli, "%s cannot be written: %s", name, strerror(-why));
	free(name);
	return CLI__EXIT_FAILURE;
}

/* Prepares one run and begins its file. `alone`: no other run is beside this one, which may then show its
 * progress. 0, or an exit code after a complaint. */
static int prepare(struct cli__cli *cli, const struct cli__record_options *o, bool alone, struct recording *r,
		   struct apmu_qemu__run_options *options)
{
	char program[PATH_MAX], whole[PATH_MAX], error[512] = "";
	uint16_t machine = 0;
	int bad;

	*options = run_options(o);
	if (apmu_qemu__run_find(options, program, sizeof program, &machine, error, sizeof error) != 0) {
		cli__message(cli, "%s", error);
		return CLI__EXIT_FAILURE;
	}
	if (o->kernel && cli__kernel_check(cli, o->kernel) != 0)
		return CLI__EXIT_FAILURE;
	if (o->region != NULL &&
	    (bad = cli__region_find(cli, o->region, options, kernel_of(o), &options->region)) != 0)
		return bad;
	if (options->region.kind == APMU_QEMU__REGION_REQUESTS && options->region.begin == 2)
		options->region.begin = 0; /* samples cannot be taken back when a request to start comes */
	if (o->verbose)
		cli__message(cli, "%s on %s, parameters '%s'", program, o->core->name, o->core->uarch);
	struct profile__profile about = describe(o, realpath(program, whole) ? whole : program, machine);
	bad = begin_file(cli, r, &about);
	bool shown = alone && !o->quiet && isatty(fileno(cli->err));
	r->progress.err = cli->err;
	r->record = (struct apmu_qemu__run_record){.event = o->event,
						   .events = o->events,
						   .file = r->fd,
						   .chains = o->chains,
						   .data = o->data,
						   .exact = o->exact,
						   .branches = o->branches,
						   .skid = o->skid,
						   .progress = shown ? show_progress : NULL,
						   .context = &r->progress};
	options->record = &r->record;
	clock_gettime(CLOCK_MONOTONIC, &r->progress.begin);
	r->begin = time(NULL);
	return bad;
}

/* Completes the file of a run that has ended and prints what there is to say. 0, or an exit code. */
static int conclude(struct cli__cli *cli, const struct recording *r,
		    const struct apmu_qemu__run_options *options, const struct apmu_qemu__run_result *run)
{
	const struct cli__record_options *o = r->o;
	int unfinished = o->system ? 0 : profile__made_code(r->fd, o->output, r->begin);
	int bad = say_losses(cli, o, run, unfinished ? unfinished : finish(r->fd, o, run));

	if (!cli__lawful(cli, options, run))
		bad = CLI__EXIT_FAILURE;
	if (!o->quiet)
		say_summary(cli, o, r->fd, run);
	cli__region_check(cli, o->region, run);
	return bad;
}

/* Takes run i and completes its file. 0, or an exit code. */
static int take(struct cli__cli *cli, struct recording *r, struct cli__runs *runs, size_t i, int *exits)
{
	struct apmu_qemu__run_result run = {0};
	char error[512] = "";
	int bad = cli__runs_take(runs, i, &run, error, sizeof error);

	if (r->progress.shown)
		fputs("\r\033[K", cli->err);
	if (bad != 0) {
		char *lost = cli__format("%s is not written", r->o->output);
		bad = cli__runs_failed(cli, runs, i, bad, error, lost);
		free(lost);
	} else {
		bad = conclude(cli, r, &runs->option[i], &run);
	}
	if (cli__runs_unwritten(cli, runs, i) && bad == 0)
		bad = CLI__EXIT_FAILURE;
	*exits = *exits ? *exits : run.exit;
	free(run.mark);
	return bad;
}

/* Closes the file. After a failure, removes it if it holds nothing but its head, and puts the old one back. A
 * link, such as /dev/stdout, stays. */
static void close_file(const struct recording *r, int bad)
{
	bool empty = r->fd >= 0 && size_of(r->fd) == r->head;
	struct stat about;

	if (r->fd < 0)
		return;
	close(r->fd);
	if (bad == 0 || !empty || lstat(r->o->output, &about) != 0 || !S_ISREG(about.st_mode))
		return;
	unlink(r->o->output);
	put_back(r->o->output, r->moved);
}

static int take_all(struct cli__cli *cli, struct recording *recording,
		    const struct apmu_qemu__run_options *option, size_t n, int *exits)
{
	struct cli__runs runs;
	int first = cli__runs_begin(cli, &runs, option, n, recording[0].o->jobs);
	bool begun = first == 0;

	for (size_t i = 0; i < n && begun; i++) {
		int bad = take(cli, &recording[i], &runs, i, exits);
		close_file(&recording[i], bad);
		recording[i].fd = -1;
		first = first ? first : bad;
	}
	cli__runs_end(&runs);
	return first;
}

int cli__record_runs(struct cli__cli *cli, const struct cli__record_options *o, size_t n, int *exits)
{
	struct recording *recording = cli__zalloc(n, sizeof *recording);
	struct apmu_qemu__run_options *option = cli__zalloc(n, sizeof *option);
	int bad = 0;

	for (size_t i = 0; i < n; i++)
		recording[i] = (struct recording){.o = &o[i], .fd = -1};
	cli__interrupts_watch(cli);
	for (size_t i = 0; i < n && bad == 0; i++)
		bad = prepare(cli, &o[i], n == 1, &recording[i], &option[i]);
	if (bad == 0)
		bad = take_all(cli, recording, option, n, exits);
	for (size_t i = 0; i < n; i++)
		close_file(&recording[i], bad);
	cli__interrupts_release();
	free(option);
	free(recording);
	return bad;
}

int cli__record_run(struct cli__cli *cli, const struct cli__record_options *o, int *exits)
{
	return cli__record_runs(cli, o, 1, exits);
}
