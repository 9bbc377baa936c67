/* SPDX-License-Identifier: MIT */
/* The runs as a job array of Slurm: writes the list of commands, calls sbatch, which waits, and collects the
 * results. */
#define _GNU_SOURCE
#include "cli/sweep/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* "FOLDER/NAME" as a shell quotes it; to be freed. */
static char *quoted_path(const struct cli__sweep *sweep, const char *name)
{
	char *path = cli__format("%s/%s", sweep->folder, name);
	struct cli__words words = {0};

	cli__words_add(&words, path);
	free(path);
	path = cli__words_quoted(&words);
	cli__words_free(&words);
	return path;
}

/* Writes one command line per run that is not done, which the array's task of that number does. Returns their
 * number; `which` gets the runs. */
static size_t write_commands(const struct cli__sweep *sweep, FILE *file, size_t *which)
{
	char *run = quoted_path(sweep, "run-");
	size_t n = 0;

	for (size_t i = 0; i < sweep->runs; i++) {
		struct cli__words words = {0};
		if (sweep->run[i].result)
			continue;
		cli__sweep_forget(sweep, i);
		cli__sweep_words(sweep, i, &words);
		char *command = cli__words_quoted(&words);
		fprintf(file, "%s </dev/null >%s%zu.out 2>%s%zu.err\n", command, run, i, run, i);
		which[n++] = i;
		free(command);
		cli__words_free(&words);
	}
	free(run);
	return n;
}

/* True if a task of the array has left a result. */
static bool any_result(const struct cli__sweep *sweep)
{
	bool any = false;

	for (size_t i = 0; i < sweep->runs && !any; i++) {
		char *json = cli__sweep_path(sweep, i, "json");
		any = sweep->run[i].result == NULL && access(json, F_OK) == 0;
		free(json);
	}
	return any;
}

/* With --wait, sbatch returns the highest status of its tasks, which their results have, or its own. */
static int run_sbatch(const struct cli__cli *cli, const struct cli__sweep *sweep,
		      const struct cli__words *words)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		execvp(words->word[0], words->word);
		_exit(127);
	}
	if (child < 0) {
		cli__message(cli, "sbatch cannot be started: %s", strerror(errno));
		return CLI__EXIT_FAILURE;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		cli__message(cli, "sbatch cannot be run: is Slurm installed on this machine?");
		return CLI__EXIT_FAILURE;
	}
	if (status == 0 || any_result(sweep))
		return 0;
	cli__message(cli, "sbatch failed (status %d), and no run left a result",
		     WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return CLI__EXIT_FAILURE;
}

/* Calls sbatch --wait --array=1-N FOLDER/job, with the options of --sbatch. */
static int submit(const struct cli__cli *cli, const struct cli__sweep *sweep, size_t n)
{
	struct cli__words words = {0};
	char *array = cli__format("--array=1-%zu", n);
	char *job = cli__format("%s/job", sweep->folder);
	char *chdir_to = getcwd(NULL, 0);
	char *where = cli__format("--chdir=%s", chdir_to ? chdir_to : ".");
	char *log = cli__format("--output=%s/slurm-%%a.log", sweep->folder);

	cli__words_add(&words, "sbatch");
	cli__words_add(&words, "--wait");
	cli__words_add(&words, "--quiet");
	cli__words_add(&words, "--job-name=apmu-sweep");
	cli__words_add(&words, array);
	cli__words_add(&words, where);
	cli__words_add(&words, log);
	for (size_t i = 0; i < sweep->sbatch.n; i++)
		cli__words_add(&words, sweep->sbatch.word[i]);
	cli__words_add(&words, job);
	int code = run_sbatch(cli, sweep, &words);
	cli__words_free(&words);
	free(array);
	free(job);
	free(where);
	free(log);
	free(chdir_to);
	return code;
}

static int write_job(const struct cli__cli *cli, const struct cli__sweep *sweep, size_t *which, size_t *n)
{
	char *job = cli__format("%s/job", sweep->folder);
	char *list = cli__format("%s/commands", sweep->folder), *said = quoted_path(sweep, "commands");
	FILE *script = fopen(job, "w");
	FILE *commands = fopen(list, "w");
	bool ok = script && commands;

	if (script)
		fprintf(script, "#!/bin/sh\nsed -n \"${SLURM_ARRAY_TASK_ID}p\" %s | sh\n", said);
	if (commands)
		*n = write_commands(sweep, commands, which);
	ok = (script == NULL || fclose(script) == 0) && ok;
	ok = (commands == NULL || fclose(commands) == 0) && ok;
	if (!ok)
		cli__message(cli, "%s: %s", sweep->folder, strerror(errno));
	free(job);
	free(list);
	free(said);
	return ok ? 0 : CLI__EXIT_FAILURE;
}

int cli__sweep_slurm(struct cli__cli *cli, struct cli__sweep *sweep)
{
	size_t *which = cli__zalloc(sweep->runs + 1, sizeof *which);
	size_t n = 0;
	int code = write_job(cli, sweep, which, &n);

	if (code == 0 && n > 0)
		code = submit(cli, sweep, n);
	for (size_t i = 0; code == 0 && i < n; i++)
		code = cli__sweep_collect(cli, sweep, which[i]);
	free(which);
	return code;
}
