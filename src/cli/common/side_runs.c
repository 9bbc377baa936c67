/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memfd_create, pipe2, ppoll */
#include "cli/common/side_runs.h"

#include "cli/cli.h"
#include "cli/common/interrupt.h"
#include "cli/common/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define USERS 2 /* SIGUSR1, SIGUSR2 */
#define CUT   3
#define CHUNK 8192 /* bytes copied at a time; stacks may be small (ulimit -s) */

/* What a run writes to its memory file, followed by its marks. */
struct answer {
	int bad;
	char error[512];
	struct apmu_qemu__run_result result;
};

/* Runs that are begun before their turn to be printed, per run at a time; descriptors that one holds; those
 * that are left for everything else. */
enum { AHEAD = 4, RUN_FDS = 4, SPARE_FDS = 32 };

enum { GRACE = 2000 }; /* milliseconds that a run has to end before it is killed */

struct job {
	pid_t pid, feeder; /* 0: none */
	int alive;         /* read end of a pipe that closes with the process; -1: none */
	int answer;        /* memory file */
	int printed[2];    /* memory files of its standard output and error; -1: not redirected */
	bool begun, done;
	int bad;       /* negative errno value: the run could not begin */
	int status;    /* of its process, as waitpid() gives it */
	int unwritten; /* errno of what it printed; 0: all of it was written, or its reader has gone */
};

struct cli__side {
	const struct apmu_qemu__run_options *option;
	struct job *job;
	size_t total, next; /* next: index of the next run to begin */
	unsigned jobs, running;
	off_t start;    /* offset in standard input, if it is a file; else -1 */
	int spool;      /* memory file of what was read of standard input, if it is a pipe; else -1 */
	unsigned noted; /* signals to end that were dealt with */
	struct sigaction before[USERS]; /* actions of user_signal[] */
};

/* Signals that a program may give a meaning of its own. */
static const int user_signal[USERS] = {SIGUSR1, SIGUSR2};
static volatile sig_atomic_t user_came[USERS];

static void note_user(int signal)
{
	user_came[signal == user_signal[1]] = 1;
}

/* True for files and pipes, whose output must come in the order of the runs. A device such as /dev/null needs
 * no order, and a program may check which device it has. */
static bool in_order(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && !S_ISCHR(about.st_mode);
}

static bool is_stream(int fd)
{
	struct stat about;

	return fstat(fd, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
}

/* Appends more of the pipe to the spool for all runs, unless another process just did; a lock admits one
 * process at a time. Returns 0 at the end, less if the pipe cannot be read or the spool not be written. */
static ssize_t read_on(int spool, off_t at)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char bytes[CHUNK];
	ssize_t n = 1;

	while (fcntl(spool, F_SETLKW, &lock) != 0 && errno == EINTR)
		;
	if (lseek(spool, 0, SEEK_END) == at) {
		do
			n = read(STDIN_FILENO, bytes, sizeof bytes);
		while (n < 0 && errno == EINTR);
		if (n > 0 && pwrite(spool, bytes, (size_t)n, at) != n)
			n = -1;
	}
	lock.l_type = F_UNLCK;
	fcntl(spool, F_SETLK, &lock);
	return n;
}

/* Writes the pipe's contents to a run from their beginning, as far as the run reads. The status is CUT if
 * the run did not get all that there was. */
static _Noreturn void feed(int spool, int to)
{
	char bytes[CHUNK];
	off_t at = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGPIPE, SIG_DFL);
	for (;;) {
		ssize_t n = pread(spool, bytes, sizeof bytes, at);
		if (n > 0 && !cli__write_all(to, bytes, (size_t)n))
			_exit(0);
		at += n > 0 ? n : 0;
		ssize_t more = n <= 0 ? read_on(spool, at) : 1;
		if (more <= 0)
			_exit(more < 0 ? CUT : 0);
	}
}

/* Opens a run's own standard input; -1: it uses the command's. Sets job->bad on failure. */
static int input_of(struct cli__side *side, struct job *job)
{
	int ends[2];

	if (side->start != (off_t)-1) {
		int fd = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
		if (fd >= 0 && lseek(fd, side->start, SEEK_SET) == side->start)
			return fd;
		if (fd >= 0)
			close(fd);
		lseek(STDIN_FILENO, side->start, SEEK_SET);
		return -1;
	}
	if (side->spool < 0)
		return -1;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		job->bad = -errno;
		return -1;
	}
	job->feeder = fork();
	if (job->feeder < 0)
		job->bad = -errno;
	if (job->feeder == 0) {
		close(ends[0]);
		feed(side->spool, ends[1]);
	}
	close(ends[1]);
	return ends[0];
}

static _Noreturn void work(const struct apmu_qemu__run_options *option, const struct job *job, int input)
{
	struct answer answer = {0};

	cli__interrupts_mute();
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* the run, and QEMU with it, ends with the command */
	if (input >= 0)
		dup2(input, STDIN_FILENO);
	for (int i = 0; i < 2; i++)
		if (job->printed[i] >= 0)
			dup2(job->printed[i], STDOUT_FILENO + i);
	answer.bad = apmu_qemu__run(option, &answer.result, answer.error, sizeof answer.error);
	bool ok = cli__write_all(job->answer, (const char *)&answer, sizeof answer) &&
		  cli__write_all(job->answer, (const char *)answer.result.mark,
				 answer.result.marks * sizeof *answer.result.mark);
	_exit(ok ? 0 : 1);
}

/* Begins a run. If that fails, the run is done, without a process. */
static void begin(struct cli__side *side, struct job *job)
{
	int alive[2] = {-1, -1};

	job->begun = true;
	job->answer = memfd_create("apmu answer", MFD_CLOEXEC);
	job->bad = job->answer < 0 ? -errno : 0;
	for (int i = 0; i < 2 && side->jobs > 1; i++) {
		if (!in_order(STDOUT_FILENO + i) && !isatty(STDOUT_FILENO + i))
			continue;
		job->printed[i] = memfd_create("apmu output", MFD_CLOEXEC);
		if (job->printed[i] < 0)
			job->bad = -errno;
	}
	int input = input_of(side, job); /* forks the feeder, which must not inherit `alive` */
	if (job->bad == 0 && (pipe2(alive, O_CLOEXEC) != 0 || (job->pid = fork()) < 0))
		job->bad = -errno;
	if (job->bad == 0 && job->pid == 0)
		work(&side->option[job - side->job], job, input);
	if (job->bad == 0)
		job->alive = alive[0];
	else if (alive[0] >= 0)
		close(alive[0]);
	if (alive[1] >= 0)
		close(alive[1]);
	if (input >= 0)
		close(input);
	side->running += job->bad == 0;
	job->done = job->bad != 0;
}

static void send(const struct cli__side *side, int signal)
{
	for (size_t i = 0; i < side->next; i++)
		if (!side->job[i].done)
			kill(side->job[i].pid, signal);
}

/* Forwards to the runs what may have been sent to the command alone, and the user's signals. A terminal's
 * signals reach them directly. Each run counts them, and kills a program that does not end. */
static void pass_on(struct cli__side *side)
{
	unsigned noted = cli__interrupts_noted();

	if (noted != side->noted && cli__interrupted_alone())
		send(side, cli__interrupted());
	if (noted != side->noted)
		cli__interrupts_insist(0);
	side->noted = noted;
	for (int k = 0; k < USERS; k++) {
		if (user_came[k])
			send(side, user_signal[k]);
		user_came[k] = 0;
	}
}

static void reap(struct cli__side *side, struct job *job)
{
	while (waitpid(job->pid, &job->status, 0) < 0 && errno == EINTR)
		;
	close(job->alive);
	job->alive = -1;
	job->done = true;
	side->running--;
}

/* Waits until a run has ended or a signal came. ppoll() refuses more elements than the process may have
 * descriptors, so only running ones are among them. */
static void await_any(struct cli__side *side)
{
	struct pollfd *watch = cli__zalloc(side->running + 1, sizeof *watch);
	struct job **run = cli__zalloc(side->running + 1, sizeof(struct job *));
	sigset_t all, before;
	nfds_t runs = 0;

	for (size_t i = 0; i < side->next && runs < side->running; i++) {
		if (side->job[i].alive < 0)
			continue;
		watch[runs].fd = side->job[i].alive;
		run[runs++] = &side->job[i];
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before); /* none comes between pass_on() and ppoll() */
	pass_on(side);
	int n = ppoll(watch, runs, NULL, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	for (nfds_t i = 0; n > 0 && i < runs; i++)
		if (watch[i].revents)
			reap(side, run[i]);
	free(watch);
	free(run);
}

/* Prints what a run has printed. A reader that has gone must not end the command, whose results are still to
 * come. */
static void print_out(struct job *job)
{
	struct sigaction ignored = {.sa_handler = SIG_IGN}, before;

	sigemptyset(&ignored.sa_mask);
	sigaction(SIGPIPE, &ignored, &before);
	for (int i = 0; i < 2; i++) {
		char bytes[CHUNK];
		ssize_t n;
		if (job->printed[i] < 0)
			continue;
		lseek(job->printed[i], 0, SEEK_SET);
		while ((n = read(job->printed[i], bytes, sizeof bytes)) > 0 &&
		       cli__write_all(STDOUT_FILENO + i, bytes, (size_t)n))
			;
		if (n > 0 && errno != EPIPE)
			job->unwritten = errno;
		close(job->printed[i]);
		job->printed[i] = -1;
	}
	sigaction(SIGPIPE, &before, NULL);
}

static int read_answer(struct job *job, struct apmu_qemu__run_result *result, char *error, size_t size)
{
	struct answer answer;

	if (pread(job->answer, &answer, sizeof answer, 0) != (ssize_t)sizeof answer) {
		if (WIFSIGNALED(job->status))
			snprintf(error, size, "a run has no result: signal %d ended its process",
				 WTERMSIG(job->status));
		else
			snprintf(error, size, "a run has no result: its process ended early");
		return -ECHILD;
	}
	answer.error[sizeof answer.error - 1] = '\0';
	snprintf(error, size, "%s", answer.error);
	*result = answer.result;
	size_t bytes = result->marks * sizeof *result->mark;
	result->mark = malloc(bytes + 1);
	if (result->mark == NULL)
		return -ENOMEM;
	for (size_t at = 0; at < bytes;) {
		ssize_t n = pread(job->answer, (char *)result->mark + at, bytes - at,
				  (off_t)(sizeof answer + at));
		if (n <= 0)
			return -EIO;
		at += (size_t)n;
	}
	close(job->answer);
	job->answer = -1;
	return answer.bad;
}

unsigned cli__processors(void)
{
	cpu_set_t set;
	long n =
		sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 1024 ? 1024 : (unsigned)n;
}

unsigned cli__side_jobs(void)
{
	return isatty(STDIN_FILENO) ? 1 : cli__processors();
}

/* How many of `jobs` runs at a time this process has descriptors for. */
static unsigned affordable(unsigned jobs)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
		return jobs;
	rlim_t most = limit.rlim_cur > SPARE_FDS ? (limit.rlim_cur - SPARE_FDS) / AHEAD / RUN_FDS : 0;
	return most >= jobs ? jobs : most > 1 ? (unsigned)most : 1;
}

struct cli__side *cli__side_begin(const struct apmu_qemu__run_options *option, size_t total, unsigned jobs)
{
	struct cli__side *side = calloc(1, sizeof *side);
	struct job *job = calloc(total + 1, sizeof *job);

	if (side == NULL || job == NULL) {
		free(side);
		free(job);
		return NULL;
	}
	for (size_t i = 0; i < total; i++)
		job[i] = (struct job){.alive = -1, .answer = -1, .printed = {-1, -1}};
	*side = (struct cli__side){.option = option,
				   .job = job,
				   .total = total,
				   .jobs = affordable(jobs),
				   .start = lseek(STDIN_FILENO, 0, SEEK_CUR),
				   .spool = is_stream(STDIN_FILENO) ? memfd_create("apmu input", MFD_CLOEXEC)
								    : -1};
	if (isatty(STDIN_FILENO))
		side->start = (off_t)-1;
	for (int k = 0; k < USERS; k++) {
		struct sigaction noted = {.sa_flags = SA_RESTART};

		noted.sa_handler = note_user;
		user_came[k] = 0;
		sigaction(user_signal[k], NULL, &side->before[k]);
		if (side->before[k].sa_handler != SIG_IGN)
			sigaction(user_signal[k], &noted, NULL);
	}
	return side;
}

int cli__side_take(struct cli__side *side, size_t i, struct apmu_qemu__run_result *result, char *error,
		   size_t size)
{
	struct job *job = &side->job[i];
	int fed = 0;

	while (!job->done) {
		if (side->next < side->total && side->next < i + (size_t)AHEAD * side->jobs &&
		    side->running < side->jobs && !cli__interrupted()) {
			begin(side, &side->job[side->next++]);
			continue;
		}
		if (!job->begun)
			return -ECANCELED;
		await_any(side);
	}
	print_out(job);
	if (job->bad == 0 && job->feeder > 0 && waitpid(job->feeder, &fed, WNOHANG) == job->feeder) {
		job->feeder = 0;
		job->bad = WIFEXITED(fed) && WEXITSTATUS(fed) == CUT ? -EIO : 0;
		if (job->bad && size)
			snprintf(error, size, "a run did not get all of standard input: %s", strerror(EIO));
	}
	if (job->bad != 0 && size && error[0] == '\0')
		snprintf(error, size, "the run on %s cannot begin: %s%s", side->option[i].core->name,
			 strerror(-job->bad), job->bad == -EMFILE ? "; 'ulimit -n' is the limit" : "");
	if (job->bad != 0)
		return job->bad;
	return read_answer(job, result, error, size);
}

int cli__side_unwritten(const struct cli__side *side, size_t i)
{
	return side->job[i].unwritten;
}

/* Waits for the end of a run that was told to end. A program may ignore it. */
static void see_off(struct cli__side *side, struct job *job)
{
	struct pollfd alive = {.fd = job->alive};

	if (poll(&alive, 1, GRACE) <= 0)
		kill(job->pid, SIGKILL); /* QEMU with it, see work() */
	reap(side, job);
}

void cli__side_end(struct cli__side *side)
{
	if (side)
		send(side, SIGTERM);
	for (size_t i = 0; side && i < side->total; i++) {
		struct job *job = &side->job[i];
		if (job->begun && !job->done)
			see_off(side, job);
		if (job->feeder > 0) {
			kill(job->feeder, SIGKILL);
			while (waitpid(job->feeder, NULL, 0) < 0 && errno == EINTR)
				;
		}
		if (job->answer >= 0)
			close(job->answer);
		for (int k = 0; k < 2; k++)
			if (job->printed[k] >= 0)
				close(job->printed[k]);
	}
	for (int k = 0; side && k < USERS; k++)
		sigaction(user_signal[k], &side->before[k], NULL);
	if (side && side->spool >= 0)
		close(side->spool);
	free(side ? side->job : NULL);
	free(side);
}
