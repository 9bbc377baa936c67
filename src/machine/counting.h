/* SPDX-License-Identifier: MIT */
/* Counting instructions and cycles, and what is due at a time: clock.c, count.c. */
#ifndef APMU_MACHINE_COUNTING_H
#define APMU_MACHINE_COUNTING_H

#include "machine/machine_internal.h"

/* clock.c. Cycles executed so far. A run's cycles are counted at its start; those to come are subtracted. */
static inline uint64_t apmu_machine__executed(const struct apmu_machine *m)
{
	uint64_t cycles = m->raw.n[APMU_SIG_CYCLES];

	if (m->config.cpi)
		return m->insns * m->config.cpi;
	return apmu_machine__in_run(m)
		       ? cycles - apmu_uarch_remaining_cycles(m->uarch, m->run->block, m->step + 1)
		       : cycles;
}
static inline uint64_t apmu_machine__now(const struct apmu_machine *m)
{
	return apmu_machine__executed(m) + m->slept;
}
/* True if a watched signal has come so far that a counter may overflow. */
static inline bool apmu_machine__watch_hit(const struct apmu_machine *m)
{
	for (unsigned k = 0; k < m->watches; k++)
		if (m->raw.n[m->watch[k].signal] >= m->watch[k].limit)
			return true;
	return false;
}
int apmu_machine__clock_init(struct apmu_machine *m, char *error, size_t size);
void apmu_machine__clock_free(struct apmu_machine *m);
void apmu_machine__advance(struct apmu_machine *m, bool without); /* sync; by cycle if the PMU wants that */
void apmu_machine__sync(struct apmu_machine *m, bool without);    /* `without`: leaves out `current` */
void apmu_machine__catch_up(struct apmu_machine *m);              /* sync, advance, watch */
void apmu_machine__rewatch(struct apmu_machine *m);               /* after anything that changed the PMU */
void apmu_machine__look(struct apmu_machine *m); /* before an instruction: does what is due */
/* count.c: counts the instruction `c`; takes back the count of `current`, which faulted. */
void apmu_machine__count_insn(struct apmu_machine *m, struct apmu_machine__code *c);
void apmu_machine__uncount_insn(struct apmu_machine *m);
void apmu_machine__count_kernel(struct apmu_machine *m, const struct apmu_machine__code *c);
/* Keeps what uncount_insn() restores. Called before an access of `current` is counted; true for its first. */
bool apmu_machine__before_access(struct apmu_machine *m);
/* Ends the run after the current instruction. */
void apmu_machine__leave_run(struct apmu_machine *m);
/* Counts the cycles with interrupts masked up to now, before PSTATE changes. */
void apmu_machine__count_masked(struct apmu_machine *m);
bool apmu_machine__sleep(struct apmu_machine *m); /* false: nothing will ever wake the core */

#endif
