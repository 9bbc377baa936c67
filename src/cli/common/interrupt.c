/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

static struct sigaction old[sizeof signals / sizeof signals[0]];
static volatile sig_atomic_t last, program, aimed;
static struct timespec ended; /* when the program ended; written while `program` is set */
static const char *volatile leftover;

/* True if the signal repeats, within CLI__INTERRUPT_ECHO ms, the one that ended the program. */
static bool echoes(int signal)
{
	struct timespec now;

	if (signal != last || clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return false;
	long long ms =
		(long long)(now.tv_sec - ended.tv_sec) * 1000 + (now.tv_nsec - ended.tv_nsec) / 1000000;
	return ms < CLI__INTERRUPT_ECHO;
}

static void die_by(int signal)
{
	struct sigaction plain = {.sa_flags = 0};
	sigset_t it;

	if (leftover)
		unlink(leftover);
	plain.sa_handler = SIG_DFL;
	sigaction(signal, &plain, NULL);
	sigemptyset(&it);
	sigaddset(&it, signal);
	raise(signal);
	sigprocmask(SIG_UNBLOCK, &it, NULL);
}

static void came(int signal, siginfo_t *info, void *context)
{
	int before = errno;

	(void)context;
	aimed = info->si_code <= 0; /* sent by a process, not by the terminal */
	if (program)
		last = signal;
	else if (!echoes(signal))
		die_by(signal);
	errno = before;
}

/* Installs a handler and not SIG_IGN, which the program would inherit. */
void cli__interrupts_watch(void)
{
	struct sigaction watched = {.sa_flags = SA_RESTART | SA_SIGINFO};

	watched.sa_sigaction = came;
	sigemptyset(&watched.sa_mask);
	last = 0;
	program = 0;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &watched, NULL);
	}
}

void cli__interrupts_release(void)
{
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &old[i], NULL);
}

void cli__interrupts_program(void)
{
	program = 1;
}

void cli__interrupts_results(int told)
{
	if (told)
		last = told;
	clock_gettime(CLOCK_MONOTONIC, &ended);
	program = 0;
}

int cli__interrupted(void)
{
	return last;
}

bool cli__interrupted_alone(void)
{
	return last && (aimed || last == SIGHUP);
}

void cli__interrupts_unlink(const char *path)
{
	leftover = path;
}
