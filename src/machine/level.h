/* SPDX-License-Identifier: MIT */
/**
 * Exception levels above EL1, shared between the files of a machine: level.c decides which level takes an
 * exception, el_switch.c takes the emulator from one AArch64 level to another. Included by
 * machine_internal.h, whose state has parts of this.
 */
#ifndef APMU_MACHINE_LEVEL_H
#define APMU_MACHINE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

struct apmu_machine;
struct apmu_machine__code;
struct apmu_machine__entry;

/* Where a change of level by el_switch.c leads, and the value of SPSR there. */
struct apmu_machine__landing {
	uint64_t pc;
	uint32_t state, spsr;
};
/* What apmu_machine__flatten() switched off, to be switched on again. */
struct apmu_machine__untranslated {
	uint8_t el; /* the level at that time */
	bool stage1, stage2;
	uint64_t control; /* SCTLR */
};
struct apmu_machine__switch_el {
	bool on, translated;
	uint8_t from, most; /* the level that is left, the higher one of the two */
	uint64_t at;        /* address of the instruction that an ERET replaces */
	uint8_t *bytes, was[4];
	uint64_t elr, spsr; /* ELR of `from` and SPSR of `most`, to be put back */
	bool flat;          /* `at` is a physical address */
	struct apmu_machine__untranslated was_flat;
};

/* level.c. _world(): the Security state of a level. _el2_on(): EL2 is enabled here. _route(): the level that
 * takes an exception. _interruptible(): an interrupt may be taken now. */
uint8_t apmu_machine__world(const struct apmu_machine *m, unsigned el);
bool apmu_machine__stage2(const struct apmu_machine *m, unsigned el); /* stage 2 translates at `el` */
bool apmu_machine__el2_on(const struct apmu_machine *m);
bool apmu_machine__hides_identity(const struct apmu_machine *m); /* HCR_EL2.TID3 */
unsigned apmu_machine__route(const struct apmu_machine *m, const struct apmu_machine__entry *e);
/* A bit of apmu_machine__virtual_lines() beside those of apmu_board__lines(). */
#define APMU_MACHINE__VIRTUAL_SERROR 0x100u
unsigned apmu_machine__virtual_lines(const struct apmu_machine *m);
unsigned apmu_machine__listed_lines(const struct apmu_machine *m); /* by list registers of the board's GIC */
uint8_t apmu_machine__guest_groups(const struct apmu_machine *m);
bool apmu_machine__interruptible(const struct apmu_machine *m, bool fiq);
void apmu_machine__levels_look(struct apmu_machine *m);

/* host_names.c. _is_host(): EL2 has a host (HCR_EL2.E2H). _has_host_el0(): EL0 is that host's too (TGE).
 * _timer_name(): turns a name of a timer's register into the plain one; false: no register of that name here.
 * _is_host_name(): a name that reaches another of the emulator's registers for a host. _host_register():
 * makes an access by such a name; false: the emulator is to make it. _host_wrote(): such an access was a
 * write. */
bool apmu_machine__is_host(const struct apmu_machine *m);
bool apmu_machine__has_host_el0(const struct apmu_machine *m);
bool apmu_machine__timer_name(const struct apmu_machine *m, uint32_t *encoding);
bool apmu_machine__is_host_name(const struct apmu_machine *m, uint32_t encoding);
bool apmu_machine__host_register(struct apmu_machine *m, const struct apmu_machine__code *c,
				 uint32_t encoding, bool write, uint64_t *value, enum apmu_outcome *outcome);
void apmu_machine__host_wrote(struct apmu_machine *m, const struct apmu_machine__code *c, uint32_t encoding);

enum apmu_machine__level_call {
	APMU_MACHINE__CALL_UNDEFINED,
	APMU_MACHINE__CALL_FIRMWARE,
	APMU_MACHINE__CALL_TRAP,
	APMU_MACHINE__CALL_GUEST
};
enum apmu_machine__level_call apmu_machine__call_to(const struct apmu_machine *m,
						    bool secure); /* SMC, else HVC */

/* el_switch.c. _switch_el(): begins; false: the PC is not in RAM. _translated(): true if that was the
 * machine's own ERET. _done(): the emulator has arrived. */
bool apmu_machine__switch_el(struct apmu_machine *m, unsigned from, unsigned to,
			     const struct apmu_machine__landing *landing);
bool apmu_machine__el_switch_translated(struct apmu_machine *m, uint64_t address);
void apmu_machine__el_switch_done(struct apmu_machine *m);
uint32_t apmu_machine__start_state(const struct apmu_machine *m);
void apmu_machine__start_at_highest(struct apmu_machine *m);

/* hyp.c. _enter_hyp(): exceptions to Hyp mode. _elr_hyp(): where its ERET leads. _start_hyp(): out of reset
 * into Hyp mode. */
uint64_t apmu_machine__enter_hyp(struct apmu_machine *m, const struct apmu_machine__entry *e);
uint32_t apmu_machine__elr_hyp(const struct apmu_machine *m);
void apmu_machine__start_hyp(struct apmu_machine *m);

#endif
