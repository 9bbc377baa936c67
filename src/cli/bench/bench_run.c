/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench.h"
#include "cli/common/interrupt.h"
#include "cli/common/laws.h"
#include "cli/common/run_event.h"
#include "cli/common/runs.h"
#include "profile/resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct apmu_qemu__run_options run_options(const struct cli__bench_options *o, size_t c)
{
	struct apmu_qemu__run_options run = {
		.core = o->core[c],
		.uarch = &o->uarch[c],
		.qemu = o->qemu,
		.cpu = o->cpu,
		.sysroot = o->sysroot,
		.argv = o->argv,
		.fixed = o->fixed,
		.follow = true,
		.region = {.kind = APMU_QEMU__REGION_REQUESTS, .begin = o->from_start, .end = 1},
		.interrupted = cli__interrupted,
		.ended = cli__interrupts_results,
		.insists = cli__interrupts_insist};

	apmu_signal_add(run.wanted, APMU_SIG_INST);
	for (size_t i = 0; i < o->rows.n; i++)
		if (!o->wanted[c][i].absent)
			cli__wanted_signals(o->core[c], &o->wanted[c][i], run.wanted);
	return run;
}

/* The name of a program. cargo's benchmarks are FOLDER/deps/NAME-HASH; the hash of 16 digits is left out,
 * because it changes with the compiler and the crates. The caller frees it. */
static char *program_name(const char *path)
{
	const char *name = profile__base_name(path), *dash = strrchr(name, '-');
	bool deps = name - path >= 5 && strncmp(name - 5, "deps/", 5) == 0 &&
		    (name - path == 5 || name[-6] == '/');

	if (deps && dash && strspn(dash + 1, "0123456789abcdef") == 16 && dash[17] == '\0')
		return cli__format("%.*s", (int)(dash - name), name);
	return cli__copy(name);
}

static void add_counts(const struct cli__bench_options *o, size_t c, struct cli__bench_row *row,
		       const struct apmu_tally *tally)
{
	for (size_t i = 0; i < o->rows.n; i++)
		if (o->wanted[c][i].absent)
			row->count[i] = CLI__BENCH_NONE;
		else
			row->count[i] += cli__wanted_sum(o->core[c], &o->wanted[c][i], tally);
}

/* Adds a row for a part, with the program's own name for it, else its number. */
static void add_part(const struct cli__bench_options *o, size_t c, struct cli__bench *bench,
		     const struct apmu_qemu__snapshot *mark, size_t number)
{
	char *program = program_name(o->argv[0]);
	const char *name = o->name ? o->name : program;
	char *text =
		mark->name[0] ? cli__plain(cli__copy(mark->name), 0) : cli__format("%s/%zu", name, number);

	add_counts(o, c, cli__bench_add(bench, text, o->core[c]->name, program), &mark->tally);
	free(text);
	free(program);
}

/* Numbers of the programs that made client requests. */
struct asking {
	uint32_t *image;
	size_t images;
};

static bool asked(const struct asking *asking, uint32_t image)
{
	size_t i = 0;

	while (i < asking->images && asking->image[i] != image)
		i++;
	return i < asking->images;
}

/* Leaves out the marks of programs that made no client requests, if another made some. Returns how many those
 * were. */
static size_t leave_out(struct apmu_qemu__run_result *run)
{
	struct asking asking = {0};
	size_t n = 0, out = 0;

	for (size_t i = 0; i < run->marks; i++) {
		if (!run->mark[i].asked || asked(&asking, run->mark[i].image))
			continue;
		asking.image = cli__grow(asking.image, asking.images, sizeof *asking.image);
		asking.image[asking.images++] = run->mark[i].image;
	}
	for (size_t i = 0; asking.images && i < run->marks; i++)
		if (asked(&asking, run->mark[i].image))
			run->mark[n++] = run->mark[i];
	if (asking.images) {
		out = run->marks - n;
		run->marks = n;
	}
	free(asking.image);
	return out;
}

/* Adds a row for each dump; without any, one row of all threads. */
static void add_rows(const struct cli__bench_options *o, size_t c, struct cli__bench *bench,
		     const struct apmu_qemu__run_result *run)
{
	char *program = program_name(o->argv[0]);
	struct cli__bench_row *whole = NULL;
	size_t parts = 0;

	for (size_t i = 0; i < run->marks; i++)
		if (run->mark[i].dump)
			add_part(o, c, bench, &run->mark[i], ++parts);
	for (size_t i = 0; parts == 0 && i < run->marks; i++) {
		if (whole == NULL)
			whole = cli__bench_add(bench, o->name ? o->name : program, o->core[c]->name, program);
		if (run->mark[i].last)
			add_counts(o, c, whole, &run->mark[i].tally);
	}
	free(program);
}

static void say_unfixed(const struct cli__cli *cli, uint32_t unfixed)
{
	static const struct {
		uint32_t bit;
		const char *text;
	} what[] = {{APMU_QEMU__UNFIXED_PID, "process and thread numbers"},
		    {APMU_QEMU__UNFIXED_THREADS, "how threads take turns"},
		    {APMU_QEMU__UNFIXED_STATUS, "times() and the state of the machine"}};
	struct cli__names names = {0};

	for (size_t i = 0; i < sizeof what / sizeof what[0]; i++)
		if (unfixed & what[i].bit)
			cli__names_add(&names, what[i].text);
	char *list = cli__names_take(&names);
	if (list[0])
		cli__message(cli, "--fixed: the program used values that cannot be fixed: %s", list);
	free(list);
}

static void say_losses(const struct cli__cli *cli, const struct apmu_qemu__run_result *run)
{
	if (run->requests_unread)
		cli__message(
			cli,
			"%" PRIu64
			" client requests could not be read: a request's number must be stored right before the request",
			run->requests_unread);
	if (run->marks_lost)
		cli__message(cli, "%" PRIu64 " parts could not be written: %s", run->marks_lost,
			     strerror(run->marks_error));
	if (run->threads_lost)
		cli__message(cli, APMU_QEMU__THREADS_LOST, run->threads_lost);
	if (run->native)
		cli__message(cli, APMU_QEMU__NATIVE_TEXT, run->native, run->native_path);
}

/* Takes the run on core c. 0, CLI__BENCH_NO_MORE if a signal came before it began and there are earlier ones
 * to print, or an exit code after a complaint. */
static int run_core(struct cli__cli *cli, const struct cli__bench_options *o, size_t c,
		    struct cli__runs *runs, struct cli__bench *bench, int *exits)
{
	struct apmu_qemu__run_result run = {0};
	char error[512] = "";
	int bad = cli__runs_take(runs, c, &run, error, sizeof error);

	if (c > 0 && cli__runs_stopped(bad)) {
		free(run.mark);
		return CLI__BENCH_NO_MORE;
	}
	if (bad != 0) {
		free(run.mark);
		return cli__runs_failed(cli, runs, c, bad, error, "nothing is printed");
	}
	say_losses(cli, &run);
	if (o->fixed && c == 0)
		say_unfixed(cli, run.unfixed);
	bool lawful = cli__lawful(cli, &runs->option[c], &run);
	if (leave_out(&run) && c == 0)
		cli__message(
			cli,
			"several programs ran, by fork or exec: those that made no client requests are not counted");
	add_rows(o, c, bench, &run);
	*exits = *exits ? *exits : run.exit;
	free(run.mark);
	return run.marks_lost || run.threads_lost || !lawful ? CLI__EXIT_FAILURE : 0;
}

int cli__bench_run(struct cli__cli *cli, const struct cli__bench_options *o, struct cli__bench *bench,
		   int *exits)
{
	struct apmu_qemu__run_options *option = cli__zalloc(o->cores, sizeof *option);
	struct cli__runs runs;

	bench->event = cli__zalloc(o->rows.n, sizeof(*bench->event));
	for (size_t i = 0; i < o->rows.n; i++)
		bench->event[bench->events++] = cli__copy(o->rows.row[i].label);
	*exits = 0;
	for (size_t c = 0; c < o->cores; c++)
		option[c] = run_options(o, c);
	int bad = cli__runs_begin(cli, &runs, option, o->cores, 1);
	for (size_t c = 0; bad == 0 && c < o->cores; c++) {
		bad = run_core(cli, o, c, &runs, bench, exits);
		if (bad == CLI__BENCH_NO_MORE)
			cli__runs_say_not_run(cli, option + c, o->cores - c);
	}
	cli__runs_end(&runs);
	if (bad == CLI__BENCH_NO_MORE) {
		*exits = *exits ? *exits : 128 + cli__interrupted();
		bad = 0;
	}
	free(option);
	return bad;
}
