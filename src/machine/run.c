/* SPDX-License-Identifier: MIT */
/* The loop that runs the emulator, and why a run ended. */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"

#include <stdarg.h>
#include <stdio.h>

void apmu_machine__end(struct apmu_machine *m, enum apmu_stop_reason reason, uint64_t pc, const char *format,
		       ...)
{
	va_list list;

	if (m->ended)
		return;
	m->ended = true;
	apmu_machine__look_now(m);
	m->stop.reason = reason;
	m->stop.pc = pc;
	va_start(list, format);
	vsnprintf(m->stop.what, sizeof m->stop.what, format, list);
	va_end(list);
	if (m->running && !m->moved)
		uc_emu_stop(m->uc); /* else any_code() stops it at the next instruction: not both at once */
}

void apmu_machine_stop(struct apmu_machine *m)
{
	m->asked = true;
	apmu_machine__look_now(m);
}

/* Handles an instruction that the emulator does not know, or that it may not execute at this level. */
static void invalid(struct apmu_machine *m)
{
	const struct apmu_machine__code *c = m->current;

	if (m->moved) { /* the machine has handled it already: the emulator was ahead */
		apmu_machine__pc_set(m, m->target);
		return;
	}
	if (!c) {
		apmu_machine__end(m, APMU_STOP_ENGINE, apmu_machine__pc(m),
				  "unreported instruction: libunicorn called no code hook for it");
		return;
	}
	if (apmu_machine__done_in_it(m, c))
		return;
	apmu_machine__refused(m, c);
}

static void wait(struct apmu_machine *m)
{
	apmu_machine__catch_up(m);
	if (!apmu_machine__sleep(m))
		apmu_machine__end(m, APMU_STOP_WAIT, apmu_machine__pc(m),
				  "waits for an interrupt that cannot come");
}

static void after_stop(struct apmu_machine *m, uc_err err)
{
	switch (err) {
	case UC_ERR_OK: wait(m); break;
	case UC_ERR_INSN_INVALID: invalid(m); break;
	case UC_ERR_READ_UNMAPPED:
	case UC_ERR_WRITE_UNMAPPED:
	case UC_ERR_FETCH_UNMAPPED:
	case UC_ERR_READ_PROT:
	case UC_ERR_WRITE_PROT:
	case UC_ERR_FETCH_PROT: apmu_machine__unmapped(m); break;
	default:
		apmu_machine__end(m, APMU_STOP_ENGINE, apmu_machine__pc(m), "the emulator gave up: %s",
				  uc_strerror(err));
	}
}

static void give_up(struct apmu_machine *m)
{
	apmu_machine__end(m, APMU_STOP_ENGINE, apmu_machine__pc(m),
			  "libunicorn calls abort() where it should translate the code from here on");
}

static void report(struct apmu_machine *m, struct apmu_stop *stop)
{
	apmu_machine__catch_up(m);
	m->stop.insns = m->insns;
	m->stop.cycles = apmu_machine__now(m);
	m->stop.slept = m->slept;
	m->stop.polled = m->insns - m->poll_last < m->poll_last - m->poll_from ? m->insns - m->poll_from : 0;
	*stop = m->stop;
}

int apmu_machine_run(struct apmu_machine *m, uint64_t max_insns, struct apmu_stop *stop)
{
	if (!m->uc)
		return APMU_EINVAL;
	m->ended = m->asked = false;
	m->stop =
		(struct apmu_stop){.undecoded = m->stop.undecoded, .undecoded_word = m->stop.undecoded_word};
	m->stop_insns = max_insns && max_insns < UINT64_MAX - m->insns ? m->insns + max_insns : UINT64_MAX;
	if (m->broken)
		give_up(m);
	else if (m->el_pending)
		apmu_machine__start_at_highest(m);
	apmu_machine__rewatch(m);
	while (!m->ended) {
		uint64_t pc = apmu_machine__pc(m) | m->thumb;
		uc_err err;

		m->plain_until = 0;
		m->renews = false;
		m->running = true;
		err = apmu_machine__emulate(m, pc);
		m->running = false;
		if (m->broken)
			give_up(m);
		else if (m->renews && !m->ended)
			apmu_machine__renew(m);
		else if (!m->ended)
			after_stop(m, err);
	}
	report(m, stop);
	return 0;
}
