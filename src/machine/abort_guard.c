/* SPDX-License-Identifier: MIT */
/*
 * Survives abort() inside libunicorn. Its translator aborts on some words that it holds to be impossible
 * (A64's half-precision vector instructions that do not exist: docs/machine.md); a guest that branches there
 * would end the process of the machine's owner.
 *
 * While any machine runs, SIGABRT has the handler of this file. A signal in a thread that is not inside the
 * emulator is passed to the handler that was there before. An emulator that aborted is left as it is and
 * closed at the machine's end: in a translation it holds nothing that closing it would not find.
 */
#define _GNU_SOURCE /* sigaction */
#include "machine/emulator.h"
#include "machine/machine_internal.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned fenced; /* calls of apmu_machine__emulate() under way */
static struct sigaction before;
static _Thread_local sigjmp_buf *way_out;

/* In a thread that is not inside the emulator, abort() goes on to end the process when this returns. */
static void on_abort(int number, siginfo_t *info, void *context)
{
	if (way_out)
		siglongjmp(*way_out, 1);
	if (before.sa_flags & SA_SIGINFO)
		before.sa_sigaction(number, info, context);
	else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
		before.sa_handler(number);
}

static void install_handler(void)
{
	struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER};

	ours.sa_sigaction = on_abort;
	pthread_mutex_lock(&lock);
	if (fenced++ == 0)
		sigaction(SIGABRT, &ours, &before);
	pthread_mutex_unlock(&lock);
}

static void remove_handler(void)
{
	pthread_mutex_lock(&lock);
	if (--fenced == 0)
		sigaction(SIGABRT, &before, NULL);
	pthread_mutex_unlock(&lock);
}

/* Only uc_emu_start() lies between sigsetjmp() and siglongjmp(), so a jump can leave half done only what the
 * emulator or a hook was doing. Any abort() in this thread is taken for one of the translator, which hooks
 * call too; so is one in a callback of the machine's owner. */
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
	install_handler();
	err = enter(m, pc);
	remove_handler();
	way_out = outer; /* an observer may run a machine of its own */
	return err;
}
