/* SPDX-License-Identifier: MIT */
/* Runs the programs with other parameters, as many at a time as the machine has processors. */
#define _GNU_SOURCE /* pipe2 */
#include "cli/common/run_event.h"
#include "cli/common/side_runs.h"
#include "cli/compare/compare.h"
#include "qemu/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct answer {
	int bad, exit;
	char error[400];
	struct apmu_tally sum; /* of all threads */
};

struct job {
	pid_t child; /* 0: none */
	int from;
	size_t run;
};

static bool move(int fd, char *bytes, size_t size, bool out)
{
	for (size_t done = 0; done < size;) {
		ssize_t n = out ? write(fd, bytes + done, size - done) : read(fd, bytes + done, size - done);
		if (n == 0 || (n < 0 && errno != EINTR))
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static struct cli__wanted wanted_of(const struct cli__fit_count *count)
{
	return (struct cli__wanted){.event = count->event, .cycles = count->event == NULL};
}

/* Runs a program in a child, with /dev/null for its standard streams: what it prints was seen when OURS was
 * made. Its own children are counted, as perf and `apmu stat` do. */
static _Noreturn void work(const struct cli__fit *fit, const struct apmu_uarch_params *params, size_t program,
			   int to)
{
	struct answer *answer = cli__zalloc(1, sizeof *answer);
	struct apmu_qemu__run_result result = {0};
	struct apmu_qemu__run_options options = {.core = fit->core,
						 .uarch = params,
						 .sysroot = fit->request->sysroot,
						 .argv = fit->argv[program],
						 .follow = true};
	int none = open("/dev/null", O_RDWR);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int fd = 0; fd < 3; fd++)
		dup2(none, fd);
	apmu_signal_add(options.wanted, APMU_SIG_INST);
	for (size_t c = 0; c < fit->counts; c++) {
		const struct cli__wanted wanted = wanted_of(&fit->count[c]);
		cli__wanted_signals(fit->core, &wanted, options.wanted);
	}
	answer->bad = apmu_qemu__run(&options, &result, answer->error, sizeof answer->error);
	answer->exit = result.exit;
	for (size_t i = 0; i < result.marks; i++)
		for (unsigned k = 0; result.mark[i].last && k < APMU_SIGNALS; k++)
			answer->sum.n[k] += result.mark[i].tally.n[k];
	_exit(move(to, (char *)answer, sizeof *answer, true) ? 0 : 1);
}

static int begin(const struct cli__fit *fit, const struct apmu_uarch_params *params, struct job *job)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	job->child = fork();
	if (job->child == 0)
		work(fit, &params[job->run / fit->programs], job->run % fit->programs, ends[1]);
	int error = errno;
	close(ends[1]);
	job->from = ends[0];
	if (job->child > 0)
		return 0;
	close(ends[0]);
	job->child = 0;
	errno = error;
	return -1;
}

/* Takes a run's counts. 0, or 1 after a complaint. */
static int take(const struct cli__fit *fit, struct job *job, double *ours)
{
	struct answer answer = {.bad = -ECHILD};
	size_t program = job->run % fit->programs;
	int status;

	if (!move(job->from, (char *)&answer, sizeof answer, false))
		answer.bad = -ECHILD;
	close(job->from);
	while (waitpid(job->child, &status, 0) < 0 && errno == EINTR)
		;
	job->child = 0;
	answer.error[sizeof answer.error - 1] = '\0';
	if (answer.bad != 0) {
		cli__message(fit->cli, "cannot run '%s' again: %s", fit->argv[program][0],
			     answer.error[0] != '\0' ? answer.error : strerror(-answer.bad));
		return CLI__EXIT_FAILURE;
	}
	if (fit->exit[program] >= 0 && answer.exit != fit->exit[program]) {
		cli__message(
			fit->cli,
			"'%s' ended with exit status %d when run again, with %d before: run it in the same folder, with the same --sysroot",
			fit->argv[program][0], answer.exit, fit->exit[program]);
		return CLI__EXIT_FAILURE;
	}
	for (size_t c = 0; c < fit->counts; c++) {
		const struct cli__wanted wanted = wanted_of(&fit->count[c]);
		if (fit->count[c].program == program)
			ours[job->run / fit->programs * fit->counts + c] =
				(double)cli__wanted_sum(fit->core, &wanted, &answer.sum);
	}
	return 0;
}

int cli__fit_run(const struct cli__fit *fit, const struct apmu_uarch_params *params, size_t n, double *ours)
{
	size_t jobs = cli__processors(), total = n * fit->programs;
	struct job *job = cli__zalloc(jobs, sizeof *job);
	int bad = 0;

	fflush(NULL);
	for (size_t i = 0; i < total + jobs; i++) { /* each slot is emptied before its next turn */
		struct job *mine = &job[i % jobs];
		if (mine->child != 0)
			bad = take(fit, mine, ours) != 0 || bad != 0 ? CLI__EXIT_FAILURE : 0;
		mine->run = i;
		if (i < total && bad == 0 && begin(fit, params, mine) != 0) {
			cli__message(fit->cli, "cannot begin a run: %s", strerror(errno));
			bad = CLI__EXIT_FAILURE;
		}
	}
	free(job);
	return bad;
}
