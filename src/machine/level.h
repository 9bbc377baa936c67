/* SPDX-License-Identifier: MIT */
/**
 * Exception levels above EL1, between the files of a machine: level.c decides whose an exception is,
 * el_switch.c takes the emulator from one AArch64 level to another. Included by machine_internal.h alone.
 */
#ifndef APMU_MACHINE_LEVEL_H
#define APMU_MACHINE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

struct apmu_machine;
struct apmu__entry;

/* Where a change of level by hand leads, and what SPSR is there then. */
struct apmu__landing {
	uint64_t pc;
	uint32_t state, spsr;
};
struct apmu__climb {
	bool on, translated;
	uint8_t from, most; /* levels: the one left, the higher one */
	uint64_t at;        /* address of the instruction that is an ERET meanwhile */
	uint8_t *bytes, was[4];
	uint64_t elr, spsr; /* ELR of `from` and SPSR of `most` as they shall be */
};

/* level.c: the world of a level; is EL2 enabled here; where does it go; may an interrupt come now */
uint8_t apmu__machine_world(const struct apmu_machine *m, unsigned el);
bool apmu__stage2(const struct apmu_machine *m, unsigned el); /* is it translated by stage 2 there? */
bool apmu__el2_on(const struct apmu_machine *m);
bool apmu__hides_identity(const struct apmu_machine *m); /* HCR_EL2.TID3 */
unsigned apmu__route(const struct apmu_machine *m, const struct apmu__entry *e);
bool apmu__interruptible(const struct apmu_machine *m, bool fiq);
void apmu__levels_look(struct apmu_machine *m);

/* host_names.c: has EL2 a host (HCR_EL2.E2H); a timer's register by its plain name, false: nobody here has
 * one of that name */
bool apmu__is_host(const struct apmu_machine *m);
bool apmu__timer_name(const struct apmu_machine *m, uint32_t *encoding);

enum apmu__level_call { APMU__CALL_UNDEFINED, APMU__CALL_FIRMWARE, APMU__CALL_TRAP, APMU__CALL_GUEST };
enum apmu__level_call apmu__call_to(const struct apmu_machine *m, bool secure); /* SMC, else HVC */

/* el_switch.c: begins (false: the PC is not in RAM); was that the machine's own ERET; has arrived */
bool apmu__climb(struct apmu_machine *m, unsigned from, unsigned to, const struct apmu__landing *landing);
bool apmu__climbing(struct apmu_machine *m, uint64_t address);
void apmu__climbed(struct apmu_machine *m);
uint32_t apmu__start_state(const struct apmu_machine *m);
void apmu__start_climb(struct apmu_machine *m);

/* hyp.c: exceptions to Hyp mode; out of reset into it */
uint64_t apmu__enter_hyp(struct apmu_machine *m, const struct apmu__entry *e);
void apmu__start_hyp(struct apmu_machine *m);

#endif
