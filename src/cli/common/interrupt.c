/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cli/common/interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

static struct sigaction old[sizeof signals / sizeof signals[0]];
static volatile sig_atomic_t last;

static void note(int signal)
{
	last = signal;
}

/* A handler and not SIG_IGN, which the program would inherit. */
void apmu__interrupts_hold(void)
{
	struct sigaction noted = {.sa_flags = SA_RESTART};

	noted.sa_handler = note;
	sigemptyset(&noted.sa_mask);
	last = 0;
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
		sigaction(signals[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &noted, NULL);
	}
}

void apmu__interrupts_release(void)
{
	for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
		sigaction(signals[i], &old[i], NULL);
}

int apmu__interrupted(void)
{
	return last;
}

void apmu__interrupt_note(int signal)
{
	if (signal)
		last = signal;
}
