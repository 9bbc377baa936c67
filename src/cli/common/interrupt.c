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
static volatile sig_atomic_t last, program, aimed, noted;
static volatile sig_atomic_t requests; /* to end, that are not the same */
static struct timespec requested;      /* when the last one came */
static const struct cli__cli *speaker; /* NULL: it prints no message */
static bool warned;                    /* since the first request */
static struct timespec ended;          /* when the program ended; written while `program` is set */
static const char *volatile leftover;

/* Milliseconds since then. */
static long long since(const struct timespec *then)
{
	struct timespec now = *then;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (long long)(now.tv_sec - then->tv_sec) * 1000 + (now.tv_nsec - then->tv_nsec) / 1000000;
}

/* True if the signal repeats, within CLI__INTERRUPT_ECHO ms, the one that ended the program. */
static bool echoes(int signal)
{
	return signal == last && since(&ended) < CLI__INTERRUPT_ECHO;
}

static void count_request(void)
{
	long long ms = since(&requested);

	if (requests && ms < CLI__INTERRUPT_SAME)
		return;
	requests = requests && ms < CLI__INTERRUPT_PATIENCE ? requests + 1 : 1;
	clock_gettime(CLOCK_MONOTONIC, &requested);
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
	if (program) {
		last = signal;
		noted = noted + 1;
		count_request();
	} else if (!echoes(signal)) {
		die_by(signal);
	}
	errno = before;
}

/* Installs a handler and not SIG_IGN, which the program would inherit. */
void cli__interrupts_watch(const struct cli__cli *cli)
{
	struct sigaction watched = {.sa_flags = SA_RESTART | SA_SIGINFO};

	watched.sa_sigaction = came;
	sigemptyset(&watched.sa_mask);
	last = noted = requests = 0;
	program = 0;
	speaker = cli;
	warned = false;
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

unsigned cli__interrupts_noted(void)
{
	return (unsigned)noted;
}

bool cli__interrupts_insist(int signal)
{
	if (signal)
		count_request();
	if (requests == 2 && !warned && speaker)
		cli__message(speaker, "the program has not ended; one more signal kills it");
	warned = requests > 1;
	return requests > 2;
}

void cli__interrupts_mute(void)
{
	speaker = NULL;
}

void cli__interrupts_unlink(const char *path)
{
	leftover = path;
}
