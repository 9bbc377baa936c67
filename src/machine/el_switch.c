/* SPDX-License-Identifier: MIT */
/*
 * Takes the emulator from one AArch64 exception level to another.
 *
 * The emulator caches what it derives from the level, updates this only when an instruction of the guest
 * changes the level, and does not look again when PSTATE is written from outside. But it reads PSTATE when it
 * executes an ERET. So PSTATE gets the higher of the two levels, the instruction at the PC is replaced by an
 * ERET for a moment, and the ERET leads to where the exception has to go. The guest's ELR and SPSR that the
 * ERET used up are put back afterwards.
 */
#include "machine/emulator.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/translation.h"
#include "machine/views.h"

#define ELR(el)  (3u << 16 | op1_of(el) << 12 | 4 << 8 | 1)
#define SPSR(el) (3u << 16 | op1_of(el) << 12 | 4 << 8)
#define SP_EL0   (3u << 16 | 4 << 8 | 1 << 4)

#define STATE_SP    1u
#define STATE_KEEP  0xF00003C0u /* NZCV, DAIF */
#define STATE_LEVEL 0xCu
#define STATE_SS    (1u << 21)

static const uint8_t eret[4] = {0xE0, 0x03, 0x9F, 0xD6};

static uint32_t op1_of(unsigned el)
{
	return el == 3 ? 6 : el == 2 ? 4 : 0;
}

/* SP_ELx is reached through the op1 of the level above. */
static uint32_t stack_of(unsigned el)
{
	return 3u << 16 | (el == 2 ? 6u : 4u) << 12 | 4 << 8 | 1 << 4;
}

/* Moves the current SP to where a change of level by an instruction would have put it. */
static void leave_stack(struct apmu_machine *m, unsigned from)
{
	uint64_t sp = 0;

	if (!(apmu_machine__cpsr(m) & STATE_SP))
		return;
	uc_reg_read(m->uc, UC_ARM64_REG_SP, &sp);
	apmu_machine__sys_set(m, stack_of(from), sp);
	sp = apmu_machine__sys(m, SP_EL0);
	uc_reg_write(m->uc, UC_ARM64_REG_SP, &sp);
}

/* Host address of the instruction that level `from` executes at `at`; NULL: it cannot, or the place is not in
 * RAM. */
static uint8_t *bytes_of(struct apmu_machine *m, unsigned from, uint64_t at)
{
	uint8_t el = m->mode.el;
	struct apmu_board__walked walked;

	m->mode.el = (uint8_t)from;
	walked = apmu_machine__walk(m, at, APMU_BOARD__WALK_FETCH);
	m->mode.el = el;
	return walked.fault ? NULL : apmu_machine__host(m, walked.physical, sizeof eret);
}

/* If `from` has nothing that it could execute: uses the start of RAM, without translation. */
static uint8_t *go_flat(struct apmu_machine *m, uint64_t *at)
{
	struct apmu_machine__switch_el *c = &m->el_switch;

	c->flat = true;
	apmu_machine__flatten(m, &c->was_flat);
	*at = m->ram[0].base;
	return m->ram[0].bytes;
}

bool apmu_machine__switch_el(struct apmu_machine *m, unsigned from, unsigned to,
			     const struct apmu_machine__landing *l)
{
	struct apmu_machine__switch_el *c = &m->el_switch;
	unsigned most = from > to ? from : to;
	uint64_t at = apmu_machine__pc(m);
	uint8_t *bytes = bytes_of(m, from, at);

	*c = (struct apmu_machine__switch_el){.from = (uint8_t)from, .most = (uint8_t)most};
	if (!bytes && from == 1 && to == 2)
		bytes = go_flat(m, &at);
	if (!bytes)
		return false;
	c->on = true;
	c->at = at;
	c->bytes = bytes;
	c->elr = apmu_machine__sys(m, ELR(from));
	c->spsr = to >= from ? l->spsr : apmu_machine__sys(m, SPSR(from));
	if (to < from)
		apmu_machine__sys_set(m, SPSR(to), l->spsr);
	apmu_machine__sys_set(m, ELR(from), l->pc);
	apmu_machine__sys_set(m, SPSR(most), l->state);
	if (to > from) {
		leave_stack(m, from);
		apmu_machine__cpsr_set(m, (l->state & STATE_KEEP) | (l->state & STATE_LEVEL));
	}
	if (to == from) /* EL1 steps itself: the ERET is the instruction to be stepped */
		apmu_machine__cpsr_set(m, apmu_machine__cpsr(m) | STATE_SS);
	memcpy(c->was, bytes, sizeof eret);
	memcpy(bytes, eret, sizeof eret);
	uc_ctl_remove_cache(m->uc, at, at + sizeof eret);
	apmu_machine__pc_set(m, at);
	return true;
}

/* Puts the guest's instruction back once the emulator has translated the ERET, so that nothing else executes
 * the ERET. */
bool apmu_machine__el_switch_translated(struct apmu_machine *m, uint64_t address)
{
	struct apmu_machine__switch_el *c = &m->el_switch;

	if (!c->on || c->translated || address != c->at)
		return false;
	memcpy(c->bytes, c->was, sizeof eret);
	uc_ctl_remove_cache(m->uc, c->at, c->at + sizeof eret);
	c->translated = true;
	return true;
}

void apmu_machine__el_switch_done(struct apmu_machine *m)
{
	struct apmu_machine__switch_el *c = &m->el_switch;

	if (!c->on)
		return;
	apmu_machine__sys_set(m, ELR(c->from), c->elr);
	apmu_machine__sys_set(m, SPSR(c->most), c->spsr);
	if (c->flat)
		apmu_machine__translate_again(m, &c->was_flat);
	c->on = false;
}

#define STATE_START 0x400003C1u /* the emulator's own reset value, with EL0 for the level */

uint32_t apmu_machine__start_state(const struct apmu_machine *m)
{
	return STATE_START | (uint32_t)m->highest_el << 2;
}

/* The program begins at its highest level; the emulator does at EL1. */
void apmu_machine__start_at_highest(struct apmu_machine *m)
{
	struct apmu_machine__landing landing = {.pc = apmu_machine__pc(m),
						.state = apmu_machine__start_state(m)};

	m->el_pending = false;
	if (apmu_machine__switch_el(m, 1, m->highest_el, &landing))
		m->after = APMU_MACHINE__AFTER_MOVED | APMU_MACHINE__AFTER_EL | APMU_MACHINE__AFTER_STATE;
	else
		apmu_machine__end(m, APMU_STOP_ENGINE, landing.pc, "the program's entry is not in RAM");
}
