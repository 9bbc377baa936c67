/* SPDX-License-Identifier: MIT */
#include "cli/run/run.h"
#include "cli/run/run_watch.h"
#include "cli/run/sandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void console(void *ctx, int stream, const char *bytes, size_t n)
{
	struct cli__cli *cli = ctx;

	fwrite(bytes, 1, n, stream == 2 ? cli->err : cli->out);
	cli__fence_printed(cli);
}

static void warn(void *ctx, const char *line)
{
	cli__message(ctx, "%s", line);
}

/* Reads the guest's input from the command's standard input: to the end of a line or of the input. */
static size_t input(void *ctx, void *to, size_t n)
{
	const struct cli__cli *cli = ctx;

	fflush(cli->out);
	cli__fence_printed(cli);
	ssize_t got = read(STDIN_FILENO, to, n);
	return got > 0 ? (size_t)got : 0;
}

/* Reads a whole file; NULL after a complaint. */
static char *slurp(const struct cli__cli *cli, const char *path, size_t *n)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;

	*n = 0;
	if (!file) {
		cli__message(cli, "cannot read '%s': %s", path, strerror(errno));
		return NULL;
	}
	bool whole = true;
	for (size_t got = 1; got && whole;) {
		char *more = realloc(bytes, *n + 65536);
		whole = more != NULL;
		bytes = more ? more : bytes;
		got = more ? fread(bytes + *n, 1, 65536, file) : 0;
		*n += got;
	}
	if (!whole || ferror(file)) { /* no memory; such as a folder */
		cli__message(cli, "cannot read '%s': %s", path, strerror(errno));
		free(bytes);
		bytes = NULL;
	}
	fclose(file);
	return bytes;
}

static int load(const struct cli__cli *cli, const struct cli__run_command *run, struct apmu_machine *m,
		char *error, size_t size)
{
	size_t n;
	char *bytes;
	int code;

	if (run->linux_program)
		return apmu_machine_load_linux(m, (const char *const *)run->argv, NULL, error, size);
	if (!run->raw && !run->kernel && !run->bios)
		return apmu_machine_load_elf(m, run->file, error, size);
	bytes = slurp(cli, run->file, &n);
	if (!bytes) {
		error[0] = '\0';
		return APMU_ENOENT;
	}
	code = run->kernel ? apmu_machine_load_kernel(m, bytes, n, error, size)
	       : run->bios ? apmu_machine_load_firmware(m, bytes, n, error, size)
			   : apmu_machine_load(m, bytes, n, run->address, true, error, size);
	free(bytes);
	return code;
}

/* Loads the files of --load, "FILE@ADDRESS", which the option parser has checked. */
static int load_also(const struct cli__cli *cli, const struct cli__run_command *run, struct apmu_machine *m,
		     char *error, size_t size)
{
	int code = 0;

	for (unsigned k = 0; k < run->also_n && code == 0; k++) {
		const char *at = strrchr(run->also[k], '@');
		char *path = cli__format("%.*s", (int)(at - run->also[k]), run->also[k]);
		uint64_t address = 0;
		size_t n;
		char *bytes = slurp(cli, path, &n);

		error[0] = '\0';
		cli__number(at + 1, UINT64_MAX, &address);
		code = bytes ? apmu_machine_load(m, bytes, n, address, false, error, size) : APMU_ENOENT;
		free(bytes);
		free(path);
	}
	return code;
}

static void limit_time(const struct cli__run_command *run, struct apmu_machine *m)
{
	double hz = run->config.core_hz ? (double)run->config.core_hz : 1e9, cycles = run->timeout * hz;

	if (run->timeout > 0) /* 0 cycles would be no limit */
		apmu_machine_until(m, cycles < 1 ? 1 : cycles < 1.8e19 ? (uint64_t)cycles : UINT64_MAX);
}

/* Runs the machine in stretches, between which a signal may end the run. Stretches take some 20 to 100 ms of
 * the host's time. */
static int run_machine(const struct cli__run_command *run, struct apmu_machine *m, struct apmu_stop *stop)
{
	uint64_t left = run->max_insns, stretch = 1u << 20;

	for (;;) {
		uint64_t n = left && left < stretch ? left : stretch;
		clock_t before = clock();
		int bad = apmu_machine_run(m, n, stop);
		double took = (double)(clock() - before) / CLOCKS_PER_SEC;

		if (bad || stop->reason != APMU_STOP_LIMIT || (left && left == n))
			return bad;
		left -= left ? n : 0;
		if (cli__fence_asked()) {
			snprintf(stop->what, sizeof stop->what, "interrupted");
			return 0;
		}
		if (took < 0.02 && stretch < UINT64_MAX / 4)
			stretch *= 2;
		else if (took > 0.1 && stretch > 1024)
			stretch /= 2;
	}
}

static int execute(struct cli__cli *cli, struct cli__run_command *run, struct cli__run_watch *watch)
{
	struct apmu_machine *m;
	struct apmu_stop stop;
	char error[300];
	int code = apmu_machine_new(&run->config, &m, error, sizeof error);

	if (code) {
		cli__message(cli, "%s", error);
		return code == APMU_ENOMEM ? CLI__EXIT_FAILURE : CLI__EXIT_USAGE;
	}
	if (load(cli, run, m, error, sizeof error) || load_also(cli, run, m, error, sizeof error)) {
		if (error[0])
			cli__message(cli, "%s%s%s", run->kernel ? run->file : "", run->kernel ? ": " : "",
				     error);
		cli__run_say_linux(cli, run);
		apmu_machine_free(m);
		return CLI__EXIT_FAILURE;
	}
	cli__run_watch_attach(watch, apmu_machine_pmu(m));
	limit_time(run, m);
	code = run_machine(run, m, &stop) ? CLI__EXIT_FAILURE : cli__run_report(cli, run, m, &stop);
	cli__run_counts(cli, run, m);
	apmu_machine_free(m);
	return code;
}

/* Opens the watch before the machine, whose configuration takes its observer, and closes it after the
 * machine. */
static int watched(struct cli__cli *cli, struct cli__run_command *run)
{
	struct cli__run_watch_options options = {.core = run->config.core,
						 .program = run->raw || run->kernel || run->bios ? NULL
												 : run->file,
						 .trace_pmu = run->trace_pmu,
						 .vcd = run->vcd};
	struct cli__run_watch *watch;
	int code = cli__run_watch_open(cli, &options, &watch, &run->config.observer);

	if (code)
		return code;
	code = execute(cli, run, watch);
	return cli__run_watch_close(watch) ? CLI__EXIT_FAILURE : code;
}

static int inside(struct cli__cli *cli, void *ctx)
{
	return watched(cli, ctx);
}

/* Contents of the files that the user named beside the program. */
struct beside {
	char *tree, *uart, *initrd;
};

static int read_beside(const struct cli__cli *cli, struct cli__run_command *run, struct beside *files)
{
	if (run->device_tree && !(files->tree = slurp(cli, run->device_tree, &run->config.device_tree_size)))
		return CLI__EXIT_FAILURE;
	if (run->uart && !(files->uart = slurp(cli, run->uart, &run->config.uart_input_size)))
		return CLI__EXIT_FAILURE;
	run->config.device_tree = files->tree;
	if (run->initrd && !(files->initrd = slurp(cli, run->initrd, &run->config.initrd_size)))
		return CLI__EXIT_FAILURE;
	run->config.initrd = files->initrd;
	run->config.uart_input = files->uart;
	return 0;
}

int cli__cmd_run(struct cli__cli *cli, int argc, char **argv)
{
	struct cli__run_command run;
	struct beside files = {0};
	int bad = cli__run_take_options(cli, argc, argv, &run);

	if (bad == 0)
		bad = cli__run_events(cli, &run);
	if (bad || cli->parse_only) {
		cli__run_free(&run);
		return bad == CLI__RUN_HELP ? 0 : bad;
	}
#ifndef __x86_64__
	if (!apmu_machine_sees_accesses())
		cli__message(
			cli,
			"on this host this libunicorn reports only one memory access per page, so that counts of caches, TLBs and cycles are too low; libunicorn 2.1.2 or later reports all");
#endif
	run.config.uarch = &run.uarch;
	run.config.console = console;
	run.config.input = input;
	run.config.console_ctx = cli;
	run.config.warn = warn;
	run.config.progress = cli__fence_progress();
	bad = read_beside(cli, &run, &files);
	if (bad == 0)
		bad = cli__run_open_virtio(cli, &run);
	if (bad == 0)
		bad = cli__fence(cli, inside, &run, run.config.progress);
	free(files.tree);
	free(files.uart);
	free(files.initrd);
	cli__run_free(&run);
	return bad;
}
