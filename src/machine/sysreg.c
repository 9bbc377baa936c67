/* SPDX-License-Identifier: MIT */
/*
 * System registers that are not the emulator's: the PMU's, the board's (timer, interrupt controller), and the
 * identification registers that must agree with the model.
 *
 * The emulator has a PMU of its own on some CPUs, which counts the host's time. The guest never reaches it:
 * every encoding of any PMU is looked up in the core's row, and is Undefined if that has none.
 */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"

#define HCR_TAC (1u << 21)

/* A range of encodings. Those of pmu_space are of some core's PMU: the emulator may answer them, although
 * this machine's core may not have them. */
struct span {
	uint8_t view;
	uint32_t mask, value; /* of the encoding */
};
static const struct span pmu_space[] = {
	{APMU_VIEW_CP, 0xFFFF0, 15u << 16 | 9 << 8 | 12 << 4},  /* PMCR ... PMCEID1 */
	{APMU_VIEW_CP, 0xFFFF0, 15u << 16 | 9 << 8 | 13 << 4},  /* PMCCNTR, PMXEV... */
	{APMU_VIEW_CP, 0xFFFF0, 15u << 16 | 9 << 8 | 14 << 4},  /* PMUSERENR, PMINTEN... */
	{APMU_VIEW_CP, 0xFFF80, 15u << 16 | 14 << 8 | 8 << 4},  /* PMEVCNTR, PMEVTYPER, PMCCFILTR */
	{APMU_VIEW_CP64, 0xFFFFF, 15u << 16 | 9 << 4},          /* PMCCNTR, 64 bits */
	{APMU_VIEW_CP, 0xF0FF0, 15u << 16 | 15 << 8 | 12 << 4}, /* ARM11 */
	{APMU_VIEW_CP, 0xF0FF0, 15u << 16 | 15 << 8 | 13 << 4},
	{APMU_VIEW_CP, 0xF0FFF, 15u << 16 | 15 << 8 | 9 << 4},           /* SUNAVCR */
	{APMU_VIEW_A64, 0xFFFF0, 3u << 16 | 3 << 12 | 9 << 8 | 12 << 4}, /* PMCR_EL0 ... */
	{APMU_VIEW_A64, 0xFFFF0, 3u << 16 | 3 << 12 | 9 << 8 | 13 << 4},
	{APMU_VIEW_A64, 0xFFFF0, 3u << 16 | 3 << 12 | 9 << 8 | 14 << 4},
	{APMU_VIEW_A64, 0xFFFF0, 3u << 16 | 9 << 8 | 14 << 4},           /* PMINTENSET_EL1 ... */
	{APMU_VIEW_A64, 0xFFF80, 3u << 16 | 3 << 12 | 14 << 8 | 8 << 4}, /* PMEVCNTR<n>_EL0 ... */
};

/* Encodings of a PMU on coprocessor 14, which is the debug unit of other cores. */
static const struct span xscale_space[] = {
	{APMU_VIEW_CP, 0xF0C00, 14u << 16},
	{APMU_VIEW_CP, 0xF00F0, 14u << 16 | 1 << 4},
	{APMU_VIEW_CP, 0xF00F0, 14u << 16 | 2 << 4},
};

/* Encodings of the boards' devices: generic timer, GICv3 CPU interface, coprocessor 6. */
static const struct span board_space[] = {
	{APMU_VIEW_CP, 0xF0FC0, 15u << 16 | 14 << 8},                         /* c14, c0-c3 */
	{APMU_VIEW_CP64, 0xF00F0, 15u << 16 | 14 << 4},                       /* CNTPCT, CNTVCT, ... */
	{APMU_VIEW_CP, 0xFFF00, 15u << 16 | 12 << 8},                         /* ICC_... */
	{APMU_VIEW_CP, 0xFFFFF, 15u << 16 | 4 << 8 | 6 << 4},                 /* ICC_PMR */
	{APMU_VIEW_CP64, 0xF00F0, 15u << 16 | 12 << 4},                       /* ICC_SGI1R ... */
	{APMU_VIEW_A64, 0xF8FC0, 3u << 16 | 14 << 8},                         /* CNT..._EL0, CNTKCTL_EL1 */
	{APMU_VIEW_A64, 0xFFF00, 3u << 16 | 12 << 8},                         /* ICC_..._EL1 */
	{APMU_VIEW_A64, 0xFFFFF, 3u << 16 | 4 << 8 | 6 << 4},                 /* ICC_PMR_EL1 */
	{APMU_VIEW_A64, 0xFFF80, 3u << 16 | 4 << 12 | 12 << 8 | 8 << 4},      /* ICH_..._EL2, ICC_SRE_EL2 */
	{APMU_VIEW_CP, 0xFFF80, 15u << 16 | 4 << 12 | 12 << 8 | 8 << 4},      /* ICH_..., ICC_HSRE */
	{APMU_VIEW_A64, 0xFFFFF, 3u << 16 | 6 << 12 | 12 << 8 | 12 << 4 | 5}, /* ICC_SRE_EL3 */
	{APMU_VIEW_CP, 0xFFFFF, 15u << 16 | 6 << 12 | 12 << 8 | 12 << 4 | 5}, /* ICC_MSRE */
	{APMU_VIEW_CP, 0xFF0FF, 6u << 16}, /* the PXA's interrupt controller */
};

/* Breakpoints and watchpoints, which read as zero and ignore writes: when one is set, the emulator drops all
 * that it has translated, even the block that it is in, and crashes. */
static const struct span debug_space[] = {
	{APMU_VIEW_CP, 0xFFF04, 14u << 16 | 4},
	{APMU_VIEW_A64, 0xFFF04, 2u << 16 | 4},
};

static bool spans(const struct span *span, size_t n, enum apmu_view view, uint32_t encoding)
{
	for (size_t i = 0; i < n; i++)
		if (span[i].view == view && (encoding & span[i].mask) == span[i].value)
			return true;
	return false;
}
#define SPANS(of, view, encoding) spans(of, sizeof(of) / sizeof *(of), view, encoding)

static bool on_cp14(const struct apmu_machine *m)
{
	unsigned n;

	return apmu_reg_at(m->core, APMU_VIEW_CP, 14u << 16, &n) ||
	       apmu_reg_at(m->core, APMU_VIEW_CP, 14u << 16 | 1 << 4, &n);
}

/* True for a register of this core's PMU, and for one of another PMU, which must be Undefined. */
static bool is_pmu(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding)
{
	unsigned n;

	return apmu_reg_at(m->core, view, encoding, &n) || SPANS(pmu_space, view, encoding) ||
	       (SPANS(xscale_space, view, encoding) && on_cp14(m));
}

#define CPUACTLR_EL1 (3u << 16 | 1u << 12 | 15 << 8 | 2 << 4)
#define NO_BIT       64u

/* True for ACTLR, which the emulator keeps constant; it knows HCR.TAC. From Armv8 on ACTLR's bits are in
 * CPUACTLR_EL1, which is the machine's if a bit of it is known. */
static bool is_actlr(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding)
{
	const struct apmu_control_params *c = &m->params.control;

	if (m->core->access_rule != APMU_ACCESS_V8)
		return view == APMU_VIEW_CP && encoding == (15u << 16 | 1 << 8 | 1);
	return view == APMU_VIEW_A64 && encoding == CPUACTLR_EL1 &&
	       (c->ahead < NO_BIT || c->ahead_off < NO_BIT);
}

static bool owns(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding)
{
	return is_pmu(m, view, encoding) || SPANS(board_space, view, encoding) ||
	       SPANS(debug_space, view, encoding) || apmu_machine__is_identity(view, encoding) ||
	       is_actlr(m, view, encoding) || apmu_machine__is_region(m, view, encoding);
}

bool apmu_machine__owns_cp(const struct apmu_machine *m, enum apmu_view view, uint32_t encoding)
{
	return owns(m, view, encoding);
}

bool apmu_machine__owns_sysreg(const struct apmu_machine *m, uint32_t encoding)
{
	return owns(m, APMU_VIEW_A64, encoding) || apmu_machine__is_host_name(m, encoding);
}

/* A register access that is being made. */
struct way {
	struct apmu_access at;
	bool write;
	uint64_t value;
	unsigned rt, rt2; /* general registers; rt2 255: only rt */
};

static void tell_observer(struct apmu_machine *m, const struct apmu_machine__code *c, const struct way *w,
			  enum apmu_outcome outcome)
{
	const struct apmu_observer *o = &m->config.observer;
	struct apmu_seen_access seen = {.pc = c->address,
					.cycle = apmu_machine__now(m),
					.insns = m->insns - 1,
					.at = w->at,
					.outcome = outcome,
					.write = w->write,
					.value = w->value};

	if (!o->access)
		return;
	seen.reg = apmu_reg_at(m->core, w->at.view, w->at.encoding, &seen.n);
	o->access(o->ctx, &seen);
}

static enum apmu_outcome pmu_access(struct apmu_machine *m, const struct apmu_machine__code *c, struct way *w)
{
	enum apmu_outcome outcome;

	apmu_machine__advance(m, true);
	if (!w->write) {
		outcome = apmu_read_now(&m->pmu, w->at, &w->value);
		apmu_machine__look_now(m);
	} else {
		outcome = apmu_may(&m->pmu, w->at, true);
		/* A refused access is uncounted: without a look, what is due would be one instruction off. */
		apmu_machine__look_now(m);
		if (outcome == APMU_DONE) {
			apmu_machine__advance(m, false);
			apmu_write(&m->pmu, w->at, w->value);
			apmu_machine__rewatch(m);
		}
	}
	tell_observer(m, c, w, outcome);
	return outcome;
}

#define POLL 64u /* instructions at most between two reads of a loop that waits for a time */

/* Notes a read of a board register, and where the loop that makes such reads began. */
static void note_poll(struct apmu_machine *m)
{
	if (m->insns - m->poll_last > POLL)
		m->poll_from = m->insns;
	m->poll_last = m->insns;
}

/* Accesses the timer or the interrupt controller, which work by modelled time. */
static enum apmu_board__answer board_access(struct apmu_machine *m, struct way *w)
{
	struct apmu_access at = w->at;

	if (at.view == APMU_VIEW_A64 && !apmu_machine__timer_name(m, &at.encoding))
		return APMU_BOARD__ANSWER_UNDEFINED;
	if (apmu_machine__el2_on(m) &&
	    apmu_board__gtimer_traps(&m->board.s.gtimer, at, apmu_machine__is_host(m)))
		return APMU_BOARD__ANSWER_TRAP_EL2;
	m->board.s.gic.virtual.guest = apmu_machine__guest_groups(m);
	apmu_board__advance(&m->board, apmu_machine__now(m));
	apmu_machine__look_now(m); /* a deadline may have moved */
	if (!w->write)
		note_poll(m);
	return w->write ? apmu_board__sysreg_write(&m->board, at, w->value)
			: apmu_board__sysreg_read(&m->board, at, &w->value);
}

static bool auxiliary(struct apmu_machine *m, struct way *w)
{
	if (m->mode.el == 0 || (m->mode.el == 1 && apmu_machine__el2_on(m) && m->hcr & HCR_TAC))
		return false;
	if (w->write) {
		m->actlr = w->value;
		m->after |= APMU_MACHINE__AFTER_MAP;
	} else {
		w->value = m->actlr;
	}
	return true;
}

/* Makes an access; false: the emulator is to make it. */
static bool decide(struct apmu_machine *m, const struct apmu_machine__code *c, struct way *w,
		   enum apmu_outcome *outcome)
{
	*outcome = APMU_DONE;
	if (apmu_machine__is_identity(w->at.view, w->at.encoding) && !w->write)
		return apmu_machine__identity(m, w->at.view, w->at.encoding, &w->value, outcome);
	if (is_actlr(m, w->at.view, w->at.encoding))
		return auxiliary(m, w);
	if (w->at.view == APMU_VIEW_A64 && apmu_machine__is_host_name(m, w->at.encoding))
		return apmu_machine__host_register(m, c, w->at.encoding, w->write, &w->value, outcome);
	if (apmu_machine__is_region(m, w->at.view, w->at.encoding))
		return apmu_machine__region_access(m, w->at.encoding, w->write, &w->value);
	if (is_pmu(m, w->at.view, w->at.encoding)) {
		*outcome = pmu_access(m, c, w);
		return true;
	}
	if (SPANS(debug_space, w->at.view, w->at.encoding)) {
		w->value = 0;
		return m->mode.el != 0;
	}
	switch (board_access(m, w)) {
	case APMU_BOARD__ANSWER_NOT_MINE: return false;
	case APMU_BOARD__ANSWER_DONE: break;
	case APMU_BOARD__ANSWER_UNDEFINED: *outcome = APMU_UNDEFINED; break;
	case APMU_BOARD__ANSWER_TRAP_EL1: *outcome = APMU_TRAP_EL1; break;
	case APMU_BOARD__ANSWER_TRAP_EL2: *outcome = APMU_TRAP_EL2; break;
	}
	return true;
}

static void refuse(struct apmu_machine *m, const struct apmu_machine__code *c, const struct way *w,
		   enum apmu_outcome outcome)
{
	uint32_t syndrome = apmu_syndrome(&m->pmu, w->at, outcome, w->write, w->rt, w->rt2, c->cond);
	bool trap = outcome >= APMU_TRAP_EL1 && (m->model->a64 || outcome == APMU_TRAP_EL2);

	apmu_machine__uncount_insn(m);
	if (outcome > APMU_TRAP_EL1 && (!trap || outcome - APMU_TRAP_EL1 + 1 > m->highest_el)) {
		apmu_machine__end(m, APMU_STOP_ENGINE, c->address,
				  "the access traps to an exception level that is not part of this machine");
		return;
	}
	apmu_machine__take_exception(
		m, &(struct apmu_machine__entry){
			   .what = trap ? APMU_EXCEPTION_TRAP : APMU_EXCEPTION_UNDEFINED,
			   .pc = c->address,
			   .size = c->size,
			   .syndrome = trap ? syndrome : 1u << 25,
			   .el = trap ? (uint8_t)(outcome - APMU_TRAP_EL1 + 1) : 0,
			   .why = "access to a system register that this level may not make"});
}

/* Ends an access. A general register gets its value at once or, in an IT block, once the emulator has made
 * the access in its own way. */
static void finish(struct apmu_machine *m, const struct apmu_machine__code *c, const struct way *w)
{
	if (!w->write && m->in_it) {
		m->fix_rt = w->rt;
		m->fix_rt2 = w->rt2;
		m->fix = w->value;
		m->after |= APMU_MACHINE__AFTER_FIX;
	} else if (!w->write && w->rt2 != 255) {
		apmu_machine__reg_set(m, w->rt, (uint32_t)w->value);
		apmu_machine__reg_set(m, w->rt2, w->value >> 32);
	} else if (!w->write && (c->isa == APMU_ISA__A64 || w->rt != 15)) {
		apmu_machine__reg_set(m, w->rt, w->value);
	}
	m->done = true;
	if (!m->in_it)
		apmu_machine__pc_set(m, c->address + c->size);
}

/* Notes the trap of an access in an IT block, which the emulator will report as undefined (it_block.c), for
 * fault.c. */
static void trap_in_it(struct apmu_machine *m, const struct apmu_machine__code *c, const struct way *w,
		       enum apmu_outcome outcome)
{
	m->it_trap = apmu_syndrome(&m->pmu, w->at, outcome, w->write, w->rt, w->rt2, c->cond);
	m->it_trap_el = (uint8_t)(outcome - APMU_TRAP_EL1 + 1);
}

static void carry_out(struct apmu_machine *m, struct apmu_machine__code *c, struct way *w)
{
	enum apmu_outcome outcome;

	w->at.from = m->mode;
	m->it_trap = 0;
	if (!decide(m, c, w, &outcome))
		return;
	if (outcome == APMU_DONE)
		finish(m, c, w);
	else if (!m->in_it)
		refuse(m, c, w, outcome);
	else if (outcome >= APMU_TRAP_EL1 && (m->model->a64 || outcome == APMU_TRAP_EL2))
		trap_in_it(m, c, w, outcome);
}

static uint64_t native_cp(const struct apmu_machine *m, uint32_t e)
{
	return apmu_machine__cp(m, e >> 12 & 15, e >> 8 & 15, e >> 4 & 15, e & 15);
}

void apmu_machine__register_a32(struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint32_t op = c->opcode, cp = op >> 8 & 15;
	struct way w = {.write = !(op >> 20 & 1), .rt = op >> 12 & 15, .rt2 = 255};

	if (!apmu_machine__passes(m, c->cond))
		return;
	if (c->special == APMU_MACHINE__SPECIAL_MRRC) {
		w.at = (struct apmu_access){APMU_VIEW_CP64, apmu_cp64(cp, op >> 4 & 15, op & 15), m->mode};
		w.rt2 = op >> 16 & 15;
		w.value = apmu_machine__reg(m, w.rt2) << 32 | apmu_machine__reg(m, w.rt);
	} else {
		w.at = (struct apmu_access){APMU_VIEW_CP,
					    apmu_cp(cp, op >> 21 & 7, op >> 16 & 15, op & 15, op >> 5 & 7),
					    m->mode};
		w.value = w.write ? apmu_machine__reg(m, w.rt)
			  : apmu_machine__is_identity(APMU_VIEW_CP, w.at.encoding)
				  ? native_cp(m, w.at.encoding)
				  : 0;
	}
	carry_out(m, c, &w);
}

void apmu_machine__register_a64(struct apmu_machine *m, struct apmu_machine__code *c)
{
	uint32_t op = c->opcode;
	struct way w = {.write = !(op >> 21 & 1), .rt = op & 31, .rt2 = 255};
	uint32_t encoding = apmu_machine__encoding_a64(op);

	w.at = (struct apmu_access){APMU_VIEW_A64, encoding, m->mode};
	w.value = w.write                                              ? apmu_machine__reg(m, w.rt)
		  : apmu_machine__is_identity(APMU_VIEW_A64, encoding) ? apmu_machine__sys(m, encoding)
								       : 0;
	carry_out(m, c, &w);
	if (w.write && apmu_machine__is_host_name(m, encoding))
		apmu_machine__host_wrote(m, c, encoding);
}
