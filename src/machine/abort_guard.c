/* SPDX-License-Identifier: MIT */
/*
 * A fence round libunicorn's own abort(). Its translator takes some words for ones that cannot be (A64's
 * half-precision vector instructions that do not exist: docs/machine.md); a guest that branches there would
 * end the process of the machine's owner.
 *
 * While any machine runs SIGABRT is ours. It is left to whoever had it before unless it comes in a thread
 * that is inside the emulator. That is left as it is then, and closed at the machine's end: in a translation
 * it holds nothing that closing it would not find.
 */
#define _GNU_SOURCE /* sigaction */
#include "machine/machine_internal.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned fenced; /* threads */
static struct sigaction before;
static _Thread_local sigjmp_buf *way_out;

/* Without a way out, abort() goes on behind whatever this does. */
static void on_abort(int number, siginfo_t *info, void *context)
{
	if (way_out)
		siglongjmp(*way_out, 1);
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(number);
}

static void put_up(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER};

	ours.sa_sigaction = on_abort;
	pthread_mutex_lock(&lock);
	if (fenced++ == 0)
		sigaction(SIGABRT, &ours, &before);
	pthread_mutex_unlock(&lock);
}

static void take_down(void)
{
	pthread_mutex_lock(&lock);
	if (--fenced == 0)
		sigaction(SIGABRT, &before, NULL);
	pthread_mutex_unlock(&lock);
}

/* The start of the emulator alone stands between the two, so nothing of ours is left half done but what its
 * hooks were at; and those call it back for translations only. */
static uc_err enter(struct apmu_machine *m, uint64_t pc)
{
	sigjmp_buf here;
	uc_err err = UC_ERR_OK;

	if (sigsetjmp(here, 1) == 0) {
		way_out = &here;
		err = uc_emu_start(m->uc, pc, 0, 0, 0);
	} else {
		m->broken = true;
	}
	way_out = NULL;
	return err;
}

uc_err apmu_machine__emulate(struct apmu_machine *m, uint64_t pc)
{
	sigjmp_buf *outer = way_out;
	uc_err err;

	if (m->config.keep_sigabrt)
		return uc_emu_start(m->uc, pc, 0, 0, 0);
	put_up();
	err = enter(m, pc);
	take_down();
	way_out = outer; /* an observer may run a machine of its own */
	return err;
}
