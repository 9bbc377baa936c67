/* SPDX-License-Identifier: MIT */
/* Runs on this machine, several at a time. */
#define _GNU_SOURCE /* fileno */
#include "cli/sweep/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct job {
	pid_t child;
	size_t run;
};

/* Makes `fd` the descriptor `to`, so that the run inherits no other. */
static void move(int fd, int to)
{
	if (fd < 0 || fd == to)
		return;
	dup2(fd, to);
	close(fd);
}

static void redirect(const struct cli__sweep *sweep, size_t i, const char *suffix, int to)
{
	char *path = cli__sweep_path(sweep, i, suffix);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	move(fd, to);
	free(path);
}

static pid_t start(const struct cli__sweep *sweep, size_t i)
{
	struct cli__words words = {0};

	cli__sweep_forget(sweep, i);
	cli__sweep_words(sweep, i, &words);
	pid_t self = getpid(), child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL); /* however the sweep ends, its runs end with it */
		if (getppid() != self)
			_exit(127);
		int none = open("/dev/null", O_RDONLY);
		move(none, STDIN_FILENO);
		redirect(sweep, i, "out", STDOUT_FILENO);
		redirect(sweep, i, "err", STDERR_FILENO);
		execv(words.word[0], words.word);
		_exit(127);
	}
	cli__words_free(&words);
	return child;
}

static void progress(const struct cli__cli *cli, const struct cli__sweep *sweep)
{
	size_t done = 0;

	if (fileno(cli->err) < 0 || !isatty(fileno(cli->err)))
		return;
	for (size_t i = 0; i < sweep->runs; i++)
		done += sweep->run[i].result != NULL;
	fprintf(cli->err, "\r%zu of %zu runs%s", done, sweep->runs, done == sweep->runs ? "\n" : "");
}

/* The first run from `from` on that is not done; sweep->runs if there is none. */
static size_t next_run(const struct cli__sweep *sweep, size_t from)
{
	while (from < sweep->runs && sweep->run[from].result)
		from++;
	return from;
}

/* Waits for one job to end and takes its result; its place in the table is free again. */
static int reap(const struct cli__cli *cli, struct cli__sweep *sweep, struct job *job, size_t jobs)
{
	int status;
	pid_t child = waitpid(-1, &status, 0);

	if (child < 0)
		return errno == EINTR ? 0 : CLI__EXIT_FAILURE;
	for (size_t j = 0; j < jobs; j++) {
		if (job[j].child != child)
			continue;
		job[j].child = 0;
		int code = cli__sweep_collect(cli, sweep, job[j].run);
		progress(cli, sweep);
		return code;
	}
	return 0;
}

static size_t free_place(const struct job *job, size_t jobs)
{
	size_t j = 0;

	while (j < jobs && job[j].child != 0)
		j++;
	return j;
}

static bool any_left(const struct job *job, size_t jobs)
{
	for (size_t j = 0; j < jobs; j++)
		if (job[j].child != 0)
			return true;
	return false;
}

/* Starts a run as `job`. 0, or an exit code after a complaint. */
static int start_as(const struct cli__cli *cli, struct cli__sweep *sweep, struct job *job, size_t run)
{
	*job = (struct job){start(sweep, run), run};
	if (job->child >= 0)
		return 0;
	cli__message(cli, "cannot start a run: %s", strerror(errno));
	job->child = 0;
	return CLI__EXIT_FAILURE;
}

int cli__sweep_local(struct cli__cli *cli, struct cli__sweep *sweep)
{
	struct job *job = cli__zalloc(sweep->jobs, sizeof *job);
	size_t run = next_run(sweep, 0);
	int code = 0;

	progress(cli, sweep);
	while (run < sweep->runs || any_left(job, sweep->jobs)) {
		size_t place = free_place(job, sweep->jobs);
		if (run < sweep->runs && place < sweep->jobs && code == 0) {
			code = start_as(cli, sweep, &job[place], run);
			run = next_run(sweep, run + 1);
			continue;
		}
		if (!any_left(job, sweep->jobs))
			break;
		int bad = reap(cli, sweep, job, sweep->jobs);
		code = bad ? bad : code;
	}
	free(job);
	return code;
}
