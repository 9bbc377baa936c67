/* SPDX-License-Identifier: MIT */
/* Starts QEMU, waits for its end, and passes on the signals that are meant for the program. */
#define _GNU_SOURCE /* pipe2 */
#include "qemu/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In the child: executes QEMU, which is killed when the command ends in any way. Address randomisation is
 * off, so that caches see the same addresses on every run. */
static _Noreturn void exec_qemu(const char **line, int memory, const sigset_t *mask, int report, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	personality(ADDR_NO_RANDOMIZE);
	fcntl(memory, F_SETFD, 0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	unsetenv("APMU_QEMU"); /* apmu's own: without it the program's stack is the same with every QEMU */
	execv(line[0], (char *const *)line);
	int why = errno;
	ssize_t ignored = write(report, &why, sizeof(why));
	(void)ignored;
	_exit(127);
}

/* Whom to report progress to; `record` NULL: nobody. */
struct progress {
	const struct apmu_qemu__run_record *record;
	const struct apmu_qemu__share *share;
};

static void report_progress(const struct progress *p)
{
	uint64_t instructions = 0;

	for (size_t i = 0; i < apmu_qemu__slots(p->share); i++)
		if (atomic_load(&p->share->slot[i].used))
			instructions += p->share->slot[i].tally.n[APMU_SIG_INST];
	p->record->progress(p->record->context, atomic_load(&p->share->record.samples), instructions);
}

static int ends(int signal)
{
	return signal == SIGINT || signal == SIGTERM || signal == SIGQUIT || signal == SIGHUP ? signal : 0;
}

/* Takes all changes of the child's state. True if it has ended; else *stopped says whether it is stopped. */
static bool has_ended(pid_t pid, int *status, bool *stopped)
{
	for (;;) {
		pid_t changed = waitpid(pid, status, WNOHANG | WUNTRACED | WCONTINUED);
		if (changed < 0 && errno == EINTR)
			continue;
		if (changed != pid)
			return changed < 0;
		if (!WIFSTOPPED(*status) && !WIFCONTINUED(*status))
			return true;
		*stopped = WIFSTOPPED(*status);
	}
}

/* A signal that asks the child to end: it must not stay stopped, or it would not see the signal; and it is
 * killed if the user insists. */
static void end(pid_t pid, int signal, bool stopped, const struct apmu_qemu__run_options *options)
{
	if (stopped)
		kill(pid, SIGCONT);
	if (options->insists && options->insists(signal))
		kill(pid, SIGKILL);
}

/* Waits for the child and passes on signals that were sent to the command and are meant for the program. The
 * terminal's own signals reach the program by themselves, except a hang-up, which only the session's leader
 * gets. SIGCHLD is held since before the start, so none is missed. Returns the last signal that asked to end,
 * or 0. */
static int await(pid_t pid, int *status, const sigset_t *caught, const struct progress *progress,
		 const struct apmu_qemu__run_options *options)
{
	static const struct timespec tick = {0, 250000000};
	bool stopped = false;
	int ended_by = 0;
	siginfo_t info;

	for (;;) {
		int signal =
			progress->record ? sigtimedwait(caught, &info, &tick) : sigwaitinfo(caught, &info);
		if (progress->record)
			report_progress(progress);
		ended_by = ends(signal) ? signal : ended_by;
		if (has_ended(pid, status, &stopped))
			return ended_by;
		if (signal > 0 && signal != SIGCHLD && (info.si_code <= 0 || signal == SIGHUP))
			kill(pid, signal);
		if (ends(signal))
			end(pid, signal, stopped, options);
	}
}

static void catch_signals(sigset_t *caught, sigset_t *before, struct sigaction *child)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};
	struct sigaction plain = {.sa_handler = SIG_DFL};

	sigemptyset(caught);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(caught, signals[i]);
	sigprocmask(SIG_BLOCK, caught, before);
	sigaction(SIGCHLD, &plain, child);
}

/* Takes the signals that came between the program's end and now. Returns the last one that asked the command
 * to end, or `ended_by`. */
static int drain_signals(const sigset_t *caught, int ended_by)
{
	static const struct timespec now = {0, 0};

	for (int signal; (signal = sigtimedwait(caught, NULL, &now)) > 0;)
		ended_by = ends(signal) ? signal : ended_by;
	return ended_by;
}

/* Starts the child. Returns 0, or the errno value with which QEMU could not be started; *pid is also set for
 * a child that could not start QEMU. */
static int start(const char **line, int memory, const sigset_t *before, pid_t *pid)
{
	int report[2], why = 0;

	if (pipe2(report, O_CLOEXEC) != 0)
		return errno;
	pid_t self = getpid();
	*pid = fork();
	if (*pid == 0)
		exec_qemu(line, memory, before, report[1], self);
	why = *pid < 0 ? errno : 0;
	close(report[1]);
	if (*pid > 0 && read(report[0], &why, sizeof(why)) != (ssize_t)sizeof(why))
		why = 0;
	close(report[0]);
	return why;
}

int apmu_qemu__process(const char **line, int memory, const struct apmu_qemu__run_options *options,
		       const struct apmu_qemu__share *share, int *status, int *ended_by)
{
	const struct apmu_qemu__run_record *record = options->record;
	const struct progress progress = {record && record->progress ? record : NULL, share};
	sigset_t caught, before;
	struct sigaction child;
	pid_t pid = -1;
	int why = 0;

	catch_signals(&caught, &before, &child);
	if (options->interrupted && options->interrupted())
		why = EINTR;
	else
		why = start(line, memory, &before, &pid);
	if (pid > 0)
		*ended_by = await(pid, status, &caught, &progress, options);
	*ended_by = drain_signals(&caught, *ended_by);
	if (options->ended)
		options->ended(*ended_by);
	sigaction(SIGCHLD, &child, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return why;
}
