/* SPDX-License-Identifier: MIT */
/*
 * Counts an instruction before it runs, and takes the count back if it faults.
 *
 * The event sources take straight-line code as a whole (struct apmu_machine__run): entering it counts its
 * instructions ahead, so that those that issue together do. The counts of what has not been reached yet are
 * subtracted whenever somebody looks (clock.c), and for good when control leaves the run early.
 */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/instructions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"

/* What an instruction's first access counts although the instruction has not retired yet. */
static const uint8_t retired[APMU_MACHINE__RETIRED] = {APMU_SIG_LD_RETIRED,   APMU_SIG_ST_RETIRED,
						       APMU_SIG_UNALIGNED_LD, APMU_SIG_UNALIGNED_ST,
						       APMU_SIG_STREX_PASS,   APMU_SIG_STREX_FAIL};

/* Counts an instruction of an operating system that is about to run. */
void apmu_machine__count_kernel(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	static const uint8_t signal[] = {[APMU_MACHINE__KERNEL_RETURN] = APMU_SIG_EXC_RETURN,
					 [APMU_MACHINE__KERNEL_CID] = APMU_SIG_CID_WRITE,
					 [APMU_MACHINE__KERNEL_TTBR] = APMU_SIG_TTBR_WRITE};

	if (!m->mode.el || !apmu_machine__passes(m, c->cond))
		return;
	m->raw.n[signal[c->kernel]]++;
	m->raw.n[APMU_SIG_ERET_INST] +=
		c->leaves; /* DDI0487 D14.3, PC_WRITE_RETIRED: exception returns are included */
}

bool apmu_machine__before_access(struct apmu_machine *m)
{
	if (m->accessed == m->insns)
		return false;
	m->accessed = m->insns;
	for (unsigned i = 0; i < APMU_MACHINE__RETIRED; i++)
		m->before_access[i] = m->raw.n[retired[i]];
	return true;
}

static void note_undecoded(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (m->stop.undecoded++ == 0)
		m->stop.undecoded_word = c->opcode;
}

/* Gives an instruction that the machine executes itself at least a cycle, even where the core issues it
 * beside another: two readings of the cycle counter differ. */
static void take_time(struct apmu_machine *m, const struct apmu_machine__code *c, uint64_t before)
{
	uint64_t passed = m->raw.n[APMU_SIG_CYCLES] - before;

	if (passed == 0 || passed > INT64_MAX) {
		m->raw.n[APMU_SIG_CYCLES] = before + 1;
		passed = 1;
	}
	m->own = passed < c->run->cycles ? passed : c->run->cycles ? c->run->cycles : 1;
}

/* True if `c` is the next instruction of the current run, and still what it was when the run was made. */
static bool continues(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (!apmu_machine__in_run(m) || c->address != m->run_next)
		return false;
	if (c->opcode == m->run->opcode[m->step + 1])
		return true;
	if (m->run_at->run == m->run) { /* it has been written over */
		apmu_machine__defer_free(m, m->run);
		m->run_at->run = NULL;
	}
	return false;
}

void apmu_machine__leave_run(struct apmu_machine *m)
{
	if (m->modelled)
		apmu_uarch_abandon(m->uarch, m->step + 1);
	m->run_end = 0;
}

static void begin(struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint64_t before;

	if (apmu_machine__in_run(m))
		apmu_machine__leave_run(m);
	m->run = NULL;
	if ((!c->run || c->divides) && !apmu_machine__begin_run(m, c)) {
		apmu_machine__end(m, APMU_STOP_ENGINE, c->address, "no memory for the event sources");
		return;
	}
	before = m->raw.n[APMU_SIG_CYCLES];
	apmu_machine__code_from(m, c);
	apmu_uarch_enter(m->uarch, c->run->block);
	apmu_machine__take_run(m, c);
	if (c->special)
		take_time(m, c, before);
	apmu_machine__free_deferred(m);
}

void apmu_machine__count_insn(struct apmu_machine *m, struct apmu_machine__code *c)
{
	m->last = c->address;
	if (!c->decoded)
		note_undecoded(m, c);
	if (m->modelled && continues(m, c))
		m->step++;
	else if (m->modelled)
		begin(m, c);
	m->run_next = c->address + c->size;
	m->insns++;
}

/* Takes back the count of the current instruction, which faulted. */
void apmu_machine__uncount_insn(struct apmu_machine *m)
{
	bool accessed = m->accessed && m->accessed == m->insns;

	if (!m->current)
		return;
	if (m->after & APMU_MACHINE__AFTER_RESTORE)
		apmu_machine__reg_set(m, m->fix_rt, m->fix);
	m->insns--;
	m->after = 0;
	m->stop.undecoded -= !m->current->decoded;
	if (m->modelled)
		apmu_uarch_abandon(m->uarch, m->step);
	for (unsigned i = 0; accessed && i < APMU_MACHINE__RETIRED; i++)
		m->raw.n[retired[i]] = m->before_access[i];
	m->accessed = 0;
	m->run_end = 0;
	m->current = NULL;
}
