/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_CLOEXEC, realpath */
#include "cli/record/record.h"

#include "cli/common/interrupt.h"
#include "cli/common/kernel.h"
#include "cli/common/laws.h"
#include "cli/common/region.h"
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

#ifndef APMU_VERSION
#define APMU_VERSION "unknown"
#endif

/* The file of this recording; one that is there becomes FILE.old, and `moved` true. What is no regular file
 * is written as it is. */
static int open_output(const struct cli__cli *cli, const char *path, bool *moved)
{
	struct stat about;

	*moved = false;
	if (stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size != 0) {
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
	if (fd < 0)
		cli__message(cli, "%s cannot be written: %s", path, strerror(errno));
	return fd;
}

static off_t size_of(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && S_ISREG(about.st_mode) ? about.st_size : -1;
}

/* The program did not start: what was there is back in its place. */
static void put_back(const char *path, bool moved)
{
	char *old = cli__format("%s.old", path);

	if (unlink(path) == 0 && moved)
		(void)rename(old, path);
	free(old);
}

static struct apmu_qemu__run_options run_options(const struct cli__record_options *o)
{
	struct apmu_qemu__run_options run = {.core = o->core,
					     .uarch = &o->uarch,
					     .qemu = o->qemu,
					     .cpu = o->cpu,
					     .sysroot = o->sysroot,
					     .argv = o->argv,
					     .follow = o->follow,
					     .system = o->system,
					     .interrupted = cli__interrupted,
					     .ended = cli__interrupts_results};

	apmu_signal_add(run.wanted, APMU_SIG_INST);
	return run;
}

/* What is known before the run. */
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
				     .figures = o->uarch.title};

	p.cycles = o->data || o->branches;
	for (size_t i = 0; i < p.events; i++)
		for (unsigned k = 0; k < o->event[i].signals; k++)
			p.cycles = p.cycles || o->event[i].signal[k] == APMU_SIG_CYCLES;
	return p;
}

/* On a terminal: how far it is, and how fast. */
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

/* The last mark of each thread: what it came to. */
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

static void say_summary(const struct cli__cli *cli, const struct cli__record_options *o, int fd,
			const struct apmu_qemu__run_result *run)
{
	struct stat about = {0};
	uint64_t resyncs = 0;

	for (size_t i = 0; i < run->marks; i++)
		resyncs += run->mark[i].last ? run->mark[i].resyncs : 0;
	fstat(fd, &about);
	char *core = o->defaulted ? cli__format(" on %s (the default core)", o->core->name) : cli__copy("");
	double kilo = 1e-3 * (double)about.st_size;
	char *size = kilo < 100 ? cli__format("%.1f kB", kilo) : cli__format("%.1f MB", 1e-3 * kilo);
	if (o->exact)
		cli__message(cli, "exact counts%s in %s (%s)", core, o->output, size);
	else
		cli__message(cli, "%" PRIu64 " samples%s in %s (%s)", run->samples - run->samples_lost, core,
			     o->output, size);
	free(size);
	free(core);
	if (run->blurred)
		cli__message(cli, "%" PRIu64 " samples are exact to the block of instructions alone",
			     run->blurred);
	if (resyncs)
		cli__message(cli,
			     "call chains were resynchronised %" PRIu64 " times (longjmp, exceptions, ...)",
			     resyncs);
	if (run->edges_lost)
		cli__message(
			cli,
			"%" PRIu64
			" branches found no room: they are missing from 'export bolt', autofdo and profgen",
			run->edges_lost);
	if (run->hidden)
		cli__message(
			cli,
			"this QEMU reports no addresses of most SVE loads and stores (8.1 and newer do): the counts of caches, TLBs and cycles lack them");
	if (run->preloads)
		cli__message(
			cli,
			"%" PRIu64
			" software prefetches (PRFM, PLD) had an address that QEMU does not report: they fetched no line, so there may be more misses than on the core",
			run->preloads);
	if (run->undecoded)
		cli__message(cli, "%" PRIu64 " instructions were not recognised, the first was 0x%08" PRIx64,
			     run->undecoded, run->undecoded_word);
}

/* 0, or 1 after a complaint: something of the recording is missing. */
static int say_losses(const struct cli__cli *cli, const struct cli__record_options *o,
		      const struct apmu_qemu__run_result *run, int unfinished)
{
	int why = run->record_error ? run->record_error : -unfinished;

	if (run->samples_lost || run->record_error)
		cli__message(cli, "%s: %" PRIu64 " of %" PRIu64 " samples could not be written: %s",
			     o->output, run->samples_lost, run->samples, strerror(why));
	else if (unfinished)
		cli__message(cli, "%s: the totals could not be written: %s", o->output, strerror(why));
	return run->samples_lost || run->record_error || unfinished ? CLI__EXIT_FAILURE : 0;
}

static int run_into(struct cli__cli *cli, const struct cli__record_options *o,
		    const struct apmu_qemu__run_region *region, int fd, int *exits)
{
	struct progress progress = {.err = cli->err};
	bool tty = !o->quiet && isatty(fileno(cli->err));
	struct apmu_qemu__run_record record = {.event = o->event,
					       .events = o->events,
					       .file = fd,
					       .chains = o->chains,
					       .data = o->data,
					       .exact = o->exact,
					       .branches = o->branches,
					       .skid = o->skid,
					       .progress = tty ? show_progress : NULL,
					       .context = &progress};
	struct apmu_qemu__run_options options = run_options(o);
	struct apmu_qemu__run_result run = {0};
	char error[512] = "";

	options.region = *region;
	options.record = &record;
	clock_gettime(CLOCK_MONOTONIC, &progress.begin);
	time_t begin = time(NULL);
	fflush(cli->out);
	fflush(cli->err);
	cli__interrupts_program();
	int bad = apmu_qemu__run(&options, &run, error, sizeof error);
	cli__interrupts_results(run.ended_by);
	if (progress.shown)
		fputs("\r\033[K", cli->err);
	if (bad != 0) {
		cli__message(cli, "%s", error[0] != '\0' ? error : strerror(-bad));
		return bad == -EINTR && cli__interrupted() ? 128 + cli__interrupted() : CLI__EXIT_FAILURE;
	}
	int unfinished = o->system ? 0 : profile__made_code(fd, o->output, begin);
	bad = say_losses(cli, o, &run, unfinished ? unfinished : finish(fd, o, &run));
	if (!cli__lawful(cli, &options, &run))
		bad = CLI__EXIT_FAILURE;
	if (!o->quiet)
		say_summary(cli, o, fd, &run);
	cli__region_check(cli, o->region, &run);
	free(run.mark);
	*exits = run.exit;
	return bad;
}

/* The file of a system's symbols, or NULL. */
static const char *kernel_of(const struct cli__record_options *o)
{
	return o->kernel ? o->kernel : o->system ? cli__kernel_of(o->argv) : NULL;
}

/* `empty`: nothing came behind the head of the file. */
static int record_into(struct cli__cli *cli, const struct cli__record_options *o,
		       const struct apmu_qemu__run_region *region, int fd,
		       const struct profile__profile *about, bool *empty, int *exits)
{
	const char *kernel = kernel_of(o);
	int why = profile__begin(fd, about);
	if (why == 0 && kernel)
		why = cli__kernel_maps(fd, kernel);
	if (why == 0) {
		off_t head = size_of(fd);
		cli__interrupts_watch();
		int bad = run_into(cli, o, region, fd, exits);
		cli__interrupts_release();
		*empty = head > 0 && size_of(fd) == head;
		return bad;
	}
	cli__message(cli, "%s cannot be written: %s", o->output, strerror(-why));
	return CLI__EXIT_FAILURE;
}

static int record_program(struct cli__cli *cli, const struct cli__record_options *o,
			  const struct apmu_qemu__run_region *region, const struct profile__profile *about,
			  int *exits)
{
	bool moved, empty = false;
	int fd = open_output(cli, o->output, &moved);

	if (fd < 0)
		return CLI__EXIT_FAILURE;
	int bad = record_into(cli, o, region, fd, about, &empty, exits);
	close(fd);
	if (bad != 0 && empty)
		put_back(o->output, moved);
	return bad;
}

int cli__record_run(struct cli__cli *cli, const struct cli__record_options *o, int *exits)
{
	struct apmu_qemu__run_options options = run_options(o);
	char program[PATH_MAX], whole[PATH_MAX], error[512] = "";
	uint16_t machine = 0;
	int bad;

	if (apmu_qemu__run_find(&options, program, sizeof program, &machine, error, sizeof error) != 0) {
		cli__message(cli, "%s", error);
		return CLI__EXIT_FAILURE;
	}
	if (o->kernel && cli__kernel_check(cli, o->kernel) != 0)
		return CLI__EXIT_FAILURE;
	if (o->region != NULL &&
	    (bad = cli__region_find(cli, o->region, &options, kernel_of(o), &options.region)) != 0)
		return bad;
	if (options.region.kind == APMU_QEMU__REGION_REQUESTS && options.region.begin == 2)
		options.region.begin = 0; /* what is recorded stays */
	if (o->verbose)
		cli__message(cli, "%s on %s, parameters '%s'", program, o->core->name, o->core->uarch);
	struct profile__profile about = describe(o, realpath(program, whole) ? whole : program, machine);
	bad = record_program(cli, o, &options.region, &about, exits);
	return bad;
}
