/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MAP_ANONYMOUS, clock_getcpuclockid */
#include "cli/run/sandbox.h"

#include <errno.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 20 /* seconds of processor time without an instruction */
#define NAP_MS   20
#define GRACE    3 /* seconds that the child has to end once it is asked to */

static void *shared(size_t size)
{
	void *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? NULL : page;
}

struct apmu_progress *cli__fence_progress(void)
{
	return shared(sizeof(struct apmu_progress));
}

/* Processor time of the child, in seconds; 0 if it is unknown. */
static double cpu_seconds(pid_t child)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Output that the child has printed but not yet written. Its stream's buffer is in shared memory, so that the
 * parent writes the rest if the child dies or is ended. */
static struct text {
	volatile size_t used;
	char bytes[65536];
} * text;

static void share_buffer(FILE *out)
{
	if (text)
		setvbuf(out, text->bytes, isatty(fileno(out)) ? _IOLBF : _IOFBF, sizeof text->bytes);
}

void cli__fence_printed(const struct cli__cli *cli)
{
	if (text)
		text->used = __fpending(cli->out);
}

static void write_rest(int fd)
{
	size_t n = text ? text->used : 0, done = 0;
	ssize_t wrote = 0;

	for (; done < n && (wrote >= 0 || errno == EINTR); done += wrote > 0 ? (size_t)wrote : 0)
		wrote = write(fd, text->bytes + done, n - done);
}

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
static volatile sig_atomic_t told, times, asked;

static void note(int signal)
{
	told = signal;
	times++;
}

static void ask(int signal)
{
	(void)signal;
	asked = 1;
}

bool cli__fence_asked(void)
{
	return asked;
}

/* Sets handlers for signals that ask to end. The parent notes such a signal, asks the child to end, and first
 * writes the child's output; the child ignores it. */
static void set_signals(void (*handler)(int), struct sigaction *before)
{
	struct sigaction how = {.sa_handler = handler};

	sigemptyset(&how.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		sigaction(signals[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &how, NULL);
	}
}

static void put_back(const struct sigaction *before)
{
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &before[i], NULL);
	if (told)
		raise(told);
}

struct watch {
	pid_t child;
	const struct apmu_progress *progress;
	uint64_t insns;
	double since; /* processor time at which `insns` was last seen to change */
	bool hung;
	time_t asked;         /* when the child was asked to end; 0: it was not */
	sig_atomic_t signals; /* that came until then, or within a second: `timeout` sends its signal twice */
};

/* A signal asked to end. */
static void end(struct watch *w)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!w->asked) {
		w->asked = now.tv_sec;
		kill(w->child, SIGUSR1);
	}
	if (now.tv_sec <= w->asked + 1)
		w->signals = times;
	if (times > w->signals || now.tv_sec > w->asked + GRACE)
		kill(w->child, SIGKILL);
}

static void look(struct watch *w)
{
	double now = cpu_seconds(w->child);

	if (w->progress->insns != w->insns) {
		w->insns = w->progress->insns;
		w->since = now;
	} else if (now - w->since > PATIENCE) {
		w->hung = true;
		kill(w->child, SIGKILL);
	}
}

/* Waits for the child's end by polling: every 0.2 ms for the first 100 turns, so that short runs end at once,
 * then every NAP_MS. */
static int status_of(struct watch *w)
{
	static const struct timespec nap = {0, NAP_MS * 1000000L};
	static const struct timespec blink = {0, 200000};
	int status = 0;

	for (unsigned turns = 0;; turns++) {
		pid_t done = waitpid(w->child, &status, WNOHANG);

		if (done == w->child || (done < 0 && errno != EINTR))
			return status;
		if (told)
			end(w);
		if (w->progress && turns % 64 == 63)
			look(w);
		nanosleep(turns < 100 ? &blink : &nap, NULL);
	}
}

static int verdict(const struct cli__cli *cli, const struct watch *w, int status)
{
	const struct apmu_progress *p = w->progress;
	int signal = WTERMSIG(status);
	bool outside =
		!w->hung && (signal == SIGKILL || signal == SIGXCPU); /* no library sends itself these */
	char *how;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	how = w->hung ? cli__copy("hangs") : cli__format("died (%s)", strsignal(signal));
	cli__message(cli, "the emulator %s at 0x%llx after %llu instructions: %s", how,
		     (unsigned long long)(p ? p->pc : 0), (unsigned long long)(p ? p->insns : 0),
		     outside ? "the system (no memory, a limit of processor time) or a user ended it"
			     : "probably a bug of libunicorn that this program triggers");
	free(how);
	return CLI__EXIT_FAILURE;
}

int cli__fence(struct cli__cli *cli, int (*work)(struct cli__cli *cli, void *ctx), void *ctx,
	       const struct apmu_progress *progress)
{
	struct watch watch = {.progress = progress};
	struct sigaction before[sizeof signals / sizeof signals[0]];
	pid_t parent = getpid();

	if (fileno(cli->out) < 0 || fileno(cli->err) < 0)
		return work(cli, ctx);
	fflush(cli->out);
	fflush(cli->err);
	text = shared(sizeof *text);
	told = times = asked = 0;
	set_signals(note, before);
	struct sigaction asks = {.sa_handler = ask}, user;
	sigaction(SIGUSR1, &asks, &user);
	watch.child = fork();
	if (watch.child != 0)
		sigaction(SIGUSR1, &user, NULL);
	if (watch.child < 0) {
		put_back(before);
		return work(cli, ctx);
	}
	if (watch.child == 0) {
		int code;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(CLI__EXIT_FAILURE);
		set_signals(SIG_IGN, before);
		share_buffer(cli->out);
		code = work(cli, ctx);
		code = cli__flushed(cli, code);
		fflush(cli->err);
		_exit(code);
	}
	int status = status_of(&watch);
	if (WIFSIGNALED(status))
		write_rest(fileno(cli->out));
	put_back(before);
	return verdict(cli, &watch, status);
}
