/* SPDX-License-Identifier: MIT */
/* Handles exceptions that the emulator raises, and aborts, whose syndrome is found by a walk of the guest's
 * tables. */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/instructions.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"
#include "machine/views.h"

#include <stdio.h>

#define RAISED_UNDEFINED 1
#define RAISED_SVC       2
#define RAISED_FETCH     3
#define RAISED_DATA      4
#define RAISED_BKPT      7
#define RAISED_HVC       11
#define RAISED_HYP_TRAP  12
#define RAISED_SMC       13
#define RAISED_INSIDE    0x10000
#define HCR_TEA          ((uint64_t)1 << 37)
#define ESR_IL           0x2000000u
#define STEP_ISV         (1u << 24) /* of a software step's syndrome: an instruction was executed */

struct row {
	uint32_t mask, value;
};

/* Loads and stores with EL0's rights. */
static const struct row a64[] = {{0x3F200C00, 0x38000800}, {0, 1}}; /* LDTR, STTR */
static const struct row t32[] = {{0xFE800F00, 0xF8000E00}, {0, 1}}; /* LDRT, STRT and kin */
static const struct row a32[] = {
	{0xFE000000, 0xF4000000}, /* Advanced SIMD: not one of them */
	{0x0F200000, 0x04200000}, /* LDRT, STRT, LDRBT, STRBT: immediate */
	{0x0F200010, 0x06200000}, /* register */
	{0x0F2000F0, 0x002000B0}, /* LDRHT, STRHT */
	{0x0F3000D0, 0x003000D0}, /* LDRSBT, LDRSHT */
	{0, 1},
};

/* True if the access has EL0's rights: at EL1, or at EL2 under a host's EL0. DDI0487 B2.10.1. */
static bool is_as_user(const struct apmu_machine *m)
{
	const struct apmu_machine__code *c = m->current;

	if (!c || c->size != 4 ||
	    (m->model->a64 && !(m->mode.el == 1 || (m->mode.el == 2 && apmu_machine__has_host_el0(m)))))
		return false;
	const struct row *row = c->isa == APMU_ISA__A64 ? a64 : c->isa == APMU_ISA__A32 ? a32 : t32;
	while (row->mask && (c->opcode & row->mask) != row->value)
		row++;
	return row->mask && row != &a32[0];
}

/* Repeats the walk that the emulator made. If there is no fault, the access met an alignment check, or an
 * address with neither memory nor a device. */
static struct apmu_board__walked explain(const struct apmu_machine *m,
					 const struct apmu_machine__bad_access *f,
					 enum apmu_board__walk_kind kind)
{
	struct apmu_board__walked walked = {.physical = f->address};

	if (f->denied) {
		walked.fault = APMU_BOARD__FAULT_PERMISSION;
		return walked;
	}
	if (m->by_virtual || !f->nowhere || f->fetch) /* else the address is physical already */
		walked = apmu_machine__walk_with(m, f->address, kind, m->mode.el != 0 && !f->as_user);
	if (walked.fault == APMU_BOARD__FAULT_NONE)
		walked.fault = !f->nowhere && apmu_machine__host(m, walked.physical, 1)
				       ? APMU_BOARD__FAULT_ALIGNMENT
				       : APMU_BOARD__FAULT_EXTERNAL;
	return walked;
}

static bool is_external(const struct apmu_board__walked *walked)
{
	return walked->fault == APMU_BOARD__FAULT_EXTERNAL || walked->fault == APMU_BOARD__FAULT_WALK;
}

/* Level that takes an abort. Those of stage 2 go to EL2, external ones by HCR_EL2.TEA; 0: by the routing
 * rules. */
static unsigned abort_level(const struct apmu_machine *m, const struct apmu_board__walked *walked)
{
	bool takes = m->model->a64 && apmu_machine__el2_on(m) && m->mode.el < 2 && m->hcr & HCR_TEA;

	return walked->stage2 || (takes && is_external(walked)) ? 2 : 0;
}

static uint32_t syndrome_of(const struct apmu_machine *m, const struct apmu_machine__bad_access *f,
			    const struct apmu_board__walked *walked, enum apmu_board__walk_kind kind)
{
	struct apmu_board__walk_a32 regs;

	unsigned to =
		apmu_machine__route(m, &(struct apmu_machine__entry){.el = (uint8_t)abort_level(m, walked)});

	if (m->model->a64 || to == 2) {
		bool told = walked->stage2 && !walked->on_walk && f->instruction;
		uint32_t esr = apmu_board__walk_esr(walked, kind, to > m->mode.el);

		return told ? (esr & ~(f->narrow ? ESR_IL : 0)) | f->instruction : esr;
	}
	apmu_machine__walk_regs(m, &regs);
	return apmu_board__walk_fsr(&regs, walked, kind);
}

static const char *reason(const struct apmu_board__walked *walked)
{
	if (walked->stage2)
		return walked->on_walk ? "of an address whose tables stage 2 refuses"
				       : "of an address that stage 2 refuses";
	switch ((enum apmu_board__fault)walked->fault) {
	case APMU_BOARD__FAULT_TRANSLATION: return "of an address that no table maps";
	case APMU_BOARD__FAULT_ACCESS_FLAG: return "of a page whose access flag is clear";
	case APMU_BOARD__FAULT_DOMAIN: return "of a domain without access";
	case APMU_BOARD__FAULT_PERMISSION: return "without permission";
	case APMU_BOARD__FAULT_ADDRESS_SIZE: return "with a descriptor beyond the physical address size";
	case APMU_BOARD__FAULT_WALK: return "with translation tables outside memory";
	case APMU_BOARD__FAULT_ALIGNMENT: return "of an unaligned address";
	case APMU_BOARD__FAULT_NONE:
	case APMU_BOARD__FAULT_EXTERNAL: break;
	}
	return "of an address with neither memory nor a device";
}

static void enter_abort(struct apmu_machine *m, uint64_t pc, const struct apmu_machine__bad_access *f)
{
	static const char *const verb[] = {"read", "write", "instruction fetch"};
	enum apmu_board__walk_kind kind = f->fetch   ? APMU_BOARD__WALK_FETCH
					  : f->write ? APMU_BOARD__WALK_WRITE
						     : APMU_BOARD__WALK_READ;
	struct apmu_board__walked walked = explain(m, f, kind);
	char why[80];

	snprintf(why, sizeof why, "%s %s",
		 verb[kind == APMU_BOARD__WALK_FETCH ? 2 : kind == APMU_BOARD__WALK_WRITE], reason(&walked));
	m->stop.fault = f->address;
	apmu_machine__take_exception(m,
				     &(struct apmu_machine__entry){
					     .what = f->fetch ? APMU_EXCEPTION_PREFETCH : APMU_EXCEPTION_DATA,
					     .pc = pc,
					     .size = 4,
					     .syndrome = syndrome_of(m, f, &walked, kind),
					     .address = f->address,
					     .el = (uint8_t)abort_level(m, &walked),
					     .stage2 = walked.stage2,
					     .intermediate = walked.physical,
					     .why = why});
}

static void data_abort(struct apmu_machine *m)
{
	struct apmu_machine__bad_access fault = {.instruction = apmu_machine__access_syndrome(m),
						 .narrow = m->current && m->current->size == 2,
						 .as_user = is_as_user(m)};
	uint64_t pc = apmu_machine__pc(m);

	apmu_machine__uncount_insn(m);
	if (apmu_machine__abort_address(m, &fault.address, &fault.write))
		enter_abort(m, pc, &fault);
	else
		apmu_machine__end(m, APMU_STOP_ENGINE, pc,
				  "a data abort, and this libunicorn does not tell its address");
}

/* Completes the previous instruction: it is the fetch of the next one that faulted. */
static void fetched(struct apmu_machine *m, uint64_t next)
{
	if (m->after)
		apmu_machine__finish(m, next);
	m->current = NULL;
}

static void fetch_abort(struct apmu_machine *m)
{
	uint64_t pc = apmu_machine__pc(m);
	struct apmu_machine__bad_access fault = {.fetch = true, .address = pc};

	fetched(m, pc);
	enter_abort(m, pc, &fault);
}

/* Takes a software step exception: the previous instruction is complete, the next one waits for the debugger.
 * False: there is none. */
static bool stepped(struct apmu_machine *m)
{
	uint64_t pc = apmu_machine__pc(m);
	uint32_t syndrome;

	if (!apmu_machine__stepped(m, &syndrome))
		return false;
	if (m->el_switch.on && m->el_switch.translated) { /* of the machine's own ERET */
		apmu_machine__pc_set(m, pc);
		return true;
	}
	fetched(m, pc);
	syndrome |= m->step_done ? STEP_ISV : 0;
	m->step_done = false;
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_TRAP,
								      .pc = pc,
								      .size = 4,
								      .syndrome = syndrome,
								      .why = "software step"});
	return true;
}

/* Makes a semihosting call in an IT block. The emulator has moved the block's state on for SVC, but not for
 * BKPT. */
static void ask_from_it(struct apmu_machine *m, const struct apmu_machine__code *c, enum apmu_exception what)
{
	apmu_machine__ask_host(m, c);
	m->done = what == APMU_EXCEPTION_BREAKPOINT;
	if (m->done)
		apmu_machine__done_in_it(m, c);
}

/* Takes a supervisor call or breakpoint in an IT block. */
static void from_it(struct apmu_machine *m, enum apmu_exception what)
{
	const struct apmu_machine__code *c = m->current;

	apmu_machine__remind(m, c);
	if (m->process && what == APMU_EXCEPTION_SVC) {
		apmu_machine__linux_svc(m, c);
		return;
	}
	if (!m->process && apmu_machine__asks_host(m, c)) {
		ask_from_it(m, c, what);
		return;
	}
	if (what == APMU_EXCEPTION_BREAKPOINT)
		apmu_machine__uncount_insn(m);
	apmu_machine__take_exception(
		m, &(struct apmu_machine__entry){.what = what,
						 .pc = c->address,
						 .size = c->size,
						 .syndrome = what == APMU_EXCEPTION_SVC || m->model->a64
								     ? apmu_machine__call_syndrome(c)
								     : 2,
						 .why = "an exception in an IT block"});
}

/* Takes the exception of an instruction that the emulator refused: undefined, or trapped by a control of some
 * level. */
void apmu_machine__refused(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	unsigned el = m->it_trap_el;
	uint32_t trap = m->in_it && m->it_trap ? m->it_trap : apmu_machine__trap_syndrome(m, &el);

	m->it_trap = 0;
	apmu_machine__uncount_insn(m);
	if (!trap) {
		apmu_machine__undefined(m, c->address, c->size, 1u << 25, "undefined instruction");
		return;
	}
	apmu_machine__take_exception(
		m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_TRAP,
						 .pc = c->address,
						 .size = c->size,
						 .syndrome = trap,
						 .el = (uint8_t)el,
						 .why = "an instruction that this level may not execute"});
}

/* Takes an HVC or SMC in an IT block, trapped or not. */
static void call_from_it(struct apmu_machine *m, uint32_t number)
{
	const struct apmu_machine__code *c = m->current;

	apmu_machine__remind(m, c);
	if (number == RAISED_HYP_TRAP)
		apmu_machine__refused(m, c);
	else
		apmu_machine__call_up(m, c);
}

void apmu_machine__raised(struct apmu_machine *m, uint32_t number)
{
	const struct apmu_machine__code *c = m->current;

	m->moved = false;
	if (m->ended) {
		uc_emu_stop(m->uc);
		return;
	}
	if (number == RAISED_FETCH) {
		fetch_abort(m);
	} else if (number == RAISED_DATA) {
		data_abort(m);
	} else if (number == RAISED_UNDEFINED && stepped(m)) {
		return;
	} else if ((number == RAISED_UNDEFINED || (m->aarch32 && number >= RAISED_INSIDE)) && c) {
		if (!apmu_machine__done_in_it(m, c)) /* from RAISED_INSIDE on: YIELD and WFE */
			apmu_machine__refused(m, c);
	} else if ((number == RAISED_SVC || number == RAISED_BKPT) && c && m->in_it) {
		from_it(m, number == RAISED_SVC ? APMU_EXCEPTION_SVC : APMU_EXCEPTION_BREAKPOINT);
	} else if (number >= RAISED_HVC && number <= RAISED_SMC && c && m->in_it) {
		call_from_it(m, number);
	} else {
		apmu_machine__end(m, APMU_STOP_ENGINE, apmu_machine__pc(m),
				  "the emulator raised exception %u", number);
	}
}

/* Called when the emulator has no region at an address, or none that permits the access. The emulator stops
 * first, since libunicorn does not survive a region that is mapped inside a hook. */
void apmu_machine__missing(struct apmu_machine *m, const struct apmu_machine__bad_access *fault)
{
	m->fault = *fault;
	m->fault.pending = true;
}

/* Maps the missing region, if the tables map the address and only the region was missing. */
static bool mapped(struct apmu_machine *m, const struct apmu_machine__bad_access *f)
{
	enum apmu_board__walk_kind kind = f->fetch   ? APMU_BOARD__WALK_FETCH
					  : f->write ? APMU_BOARD__WALK_WRITE
						     : APMU_BOARD__WALK_READ;
	struct apmu_board__walked walked =
		apmu_machine__walk_with(m, f->address, kind, m->mode.el != 0 && !f->as_user);

	return m->by_virtual && !f->denied && !walked.flat && walked.fault == APMU_BOARD__FAULT_NONE &&
	       apmu_machine__cover(m, f->address);
}

void apmu_machine__unmapped(struct apmu_machine *m)
{
	struct apmu_machine__bad_access fault = m->fault;
	uint64_t pc = fault.fetch ? fault.address : apmu_machine__pc(m);

	if (!fault.pending) {
		apmu_machine__end(m, APMU_STOP_ENGINE, pc, "the emulator lost a memory access");
		return;
	}
	m->fault.pending = false;
	if (fault.fetch) {
		fetched(m, pc);
	} else {
		fault.instruction = apmu_machine__access_syndrome(m);
		fault.as_user = is_as_user(m);
		apmu_machine__uncount_insn(m);
	}
	if (!mapped(m, &fault))
		enter_abort(m, pc, &fault);
}
