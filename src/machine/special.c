/* SPDX-License-Identifier: MIT */
/* Executes instructions in the emulator's place. Each has been counted already. */
#include "machine/counting.h"
#include "machine/exceptions.h"
#include "machine/instructions.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/registers.h"
#include "machine/special_insns.h"
#include "machine/translation.h"

#define EC(class, iss) ((uint32_t)(class) << 26 | IL | (uint32_t)(iss))
#define EC_32_LESS     4 /* AArch32's classes of calls and breakpoints are less by this */
#define IL             (1u << 25)
#define EC_WFX         0x01
#define WFX_WFE        0x1000001 /* CV, TI */
#define HCR_TWE        (1u << 14)
#define T16_WFE        0xBF20u
#define EC_ILLEGAL     0x0E
#define EC_SVC64       0x15
#define EC_HVC64       0x16
#define EC_SMC64       0x17
#define EC_BRK64       0x3C
#define EC_FP          0x07
#define FP_COND(cond)  (1u << 24 | (uint32_t)((cond) < 14 ? (cond) : 14) << 20) /* ISS: CV, COND */

static uint32_t immediate(const struct apmu_machine__code *c)
{
	switch ((enum apmu_isa__isa)c->isa) {
	case APMU_ISA__A64: return c->opcode >> 5 & 0xFFFF;
	case APMU_ISA__T32: return c->opcode & 0xFF;
	case APMU_ISA__A32: break;
	}
	if (c->special == APMU_MACHINE__SPECIAL_SVC)
		return c->opcode & 0xFFFFFF;
	return (c->opcode >> 4 & 0xFFF0) | (c->opcode & 15);
}

/* Syndrome of a call or a breakpoint: 16 bits of the immediate. DDI0487 D17.2.37; DDI0406C B3.13.6, HSR. */
static uint32_t call_syndrome(const struct apmu_machine__code *c, unsigned class)
{
	if (c->isa == APMU_ISA__A64)
		return EC(class, immediate(c));
	return EC(class - EC_32_LESS, immediate(c) & 0xFFFF) & ~(c->size == 2 ? IL : 0);
}

/* True if the instruction is a semihosting call. A supervisor call of AArch32 under an AArch64 kernel is the
 * kernel's. */
bool apmu_machine__asks_host(const struct apmu_machine *m, const struct apmu_machine__code *c)
{
	if (m->aarch32 && c->special == APMU_MACHINE__SPECIAL_SVC)
		return false;
	switch ((enum apmu_isa__isa)c->isa) {
	case APMU_ISA__A32: return apmu_board__semihost_a32(c->opcode);
	case APMU_ISA__T32: return c->size == 2 && apmu_board__semihost_t32((uint16_t)c->opcode);
	case APMU_ISA__A64: break;
	}
	return apmu_board__semihost_a64(c->opcode);
}

uint32_t apmu_machine__call_syndrome(const struct apmu_machine__code *c)
{
	return call_syndrome(c, c->special == APMU_MACHINE__SPECIAL_SVC ? EC_SVC64 : EC_BRK64);
}

static void supervisor_call(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_SVC,
								      .pc = c->address,
								      .size = c->size,
								      .syndrome = call_syndrome(c, EC_SVC64),
								      .why = "supervisor call"});
}

static void breakpoint(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	apmu_machine__uncount_insn(m);
	apmu_machine__take_exception(
		m,
		&(struct apmu_machine__entry){.what = APMU_EXCEPTION_BREAKPOINT,
					      .pc = c->address,
					      .size = c->size,
					      .syndrome = m->model->a64 ? apmu_machine__call_syndrome(c) : 2,
					      .why = "breakpoint instruction"});
}

static void refuse(struct apmu_machine *m, const struct apmu_machine__code *c, const char *why)
{
	apmu_machine__uncount_insn(m);
	apmu_machine__undefined(m, c->address, c->size, IL, why);
}

/* EL2 takes EL1's trap of EL0 under HCR_EL2.TGE as undefined (DDI0487, AArch64.AdvSIMDFPAccessTrap()). */
void apmu_machine__vector_trap(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	struct apmu_machine__entry e = {
		.what = APMU_EXCEPTION_TRAP,
		.pc = c->address,
		.size = c->size,
		.syndrome = EC(EC_FP, FP_COND(c->cond)),
		.el = m->vector_to,
		.why = "floating point or Advanced SIMD, which CPACR_EL1 or CPTR traps"};

	if (m->vector_to == 1 && apmu_machine__route(m, &e) == 2)
		e.syndrome = IL;
	apmu_machine__uncount_insn(m);
	apmu_machine__take_exception(m, &e);
}

/* DDI0487 D1.3.4: with PSTATE.IL set, the instruction at the PC is not executed, whatever it is. */
void apmu_machine__illegal_state(struct apmu_machine *m, uint64_t pc)
{
	m->current = NULL;
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_TRAP,
								      .pc = pc,
								      .size = 4,
								      .syndrome = EC(EC_ILLEGAL, 0),
								      .why = "illegal execution state"});
}

static void skip(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	apmu_machine__pc_set(m, c->address + c->size);
}

static void trap(struct apmu_machine *m, const struct apmu_machine__code *c, uint32_t syndrome,
		 const char *why)
{
	apmu_machine__uncount_insn(m);
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_TRAP,
								      .pc = c->address,
								      .size = c->size,
								      .syndrome = syndrome,
								      .el = 2,
								      .why = why});
}

/* YIELD and WFE in AArch32. */
static void hint(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	bool wfe = c->size == 2 ? c->opcode == T16_WFE : (c->opcode & 15) == 2;

	if (wfe && m->mode.el < 2 && apmu_machine__el2_on(m) && m->hcr & HCR_TWE)
		trap(m, c, (EC(EC_WFX, WFX_WFE) & ~(c->size == 2 ? IL : 0)) | (uint32_t)c->cond << 20,
		     "WFE, which HCR traps");
	else
		skip(m, c);
}

/* HVC and SMC: to the program's own EL2 and EL3 if it has them, else to the board's firmware. */
void apmu_machine__call_up(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	bool secure = c->special == APMU_MACHINE__SPECIAL_SMC;

	switch (apmu_machine__call_to(m, secure)) {
	case APMU_MACHINE__CALL_UNDEFINED: refuse(m, c, "HVC or SMC: this level has nobody to call"); break;
	case APMU_MACHINE__CALL_FIRMWARE: apmu_machine__ask_firmware(m, c); break;
	case APMU_MACHINE__CALL_TRAP:
		trap(m, c, m->model->a64 ? EC(EC_SMC64, immediate(c)) : EC(EC_SMC64 - EC_32_LESS, 0),
		     "SMC, which HCR traps");
		break;
	case APMU_MACHINE__CALL_GUEST:
		apmu_machine__take_exception(
			m, &(struct apmu_machine__entry){
				   .what = secure ? APMU_EXCEPTION_SMC : APMU_EXCEPTION_HVC,
				   .pc = c->address,
				   .size = c->size,
				   .syndrome = call_syndrome(c, secure ? EC_SMC64 : EC_HVC64),
				   .el = secure ? 3 : 2,
				   .why = "call to a higher level"});
		break;
	}
}

/* The emulator cannot be made to leave an IT block, and makes some of the accesses that the PMU may refuse.
 * So a block with such accesses is translated with undefined instructions in their place, which lead to
 * run.c. */
static void enter_it(struct apmu_machine *m, const struct apmu_machine__code *c)
{
	unsigned n = 4 - (unsigned)__builtin_ctz(c->opcode & 15);

	if (m->it_refused != c->address + 1 && apmu_machine__refuse_in_it(m, c, n)) {
		m->it_refused = c->address + 1; /* next time, that translation runs */
		apmu_machine__uncount_insn(m);
		apmu_machine__pc_set(m, c->address);
		return;
	}
	m->it_refused = 0;
	m->it_next = c->address + 2;
	m->it_left = n;
}

void apmu_machine__special(struct apmu_machine *m, struct apmu_machine__code *c)
{
	enum apmu_machine__special what = (enum apmu_machine__special)c->special;

	if (what == APMU_MACHINE__SPECIAL_MRC || what == APMU_MACHINE__SPECIAL_MRRC) {
		apmu_machine__register_a32(m, c);
		return;
	}
	if (what == APMU_MACHINE__SPECIAL_IT) {
		enter_it(m, c);
		return;
	}
	if (m->in_it || !apmu_machine__passes(m, c->cond))
		return; /* run.c and fault.c handle what the emulator makes of it */
	switch (what) {
	case APMU_MACHINE__SPECIAL_MRS: apmu_machine__register_a64(m, c); break;
	case APMU_MACHINE__SPECIAL_SVC:
	case APMU_MACHINE__SPECIAL_HLT:
	case APMU_MACHINE__SPECIAL_BKPT:
		if (!m->process && apmu_machine__asks_host(m, c))
			apmu_machine__ask_host(m, c);
		else if (what == APMU_MACHINE__SPECIAL_SVC && m->process)
			apmu_machine__linux_svc(m, c);
		else if (what == APMU_MACHINE__SPECIAL_SVC)
			supervisor_call(m, c);
		else if (what == APMU_MACHINE__SPECIAL_BKPT)
			breakpoint(m, c);
		else
			refuse(m, c, "HLT instruction");
		break;
	case APMU_MACHINE__SPECIAL_HVC:
	case APMU_MACHINE__SPECIAL_SMC: apmu_machine__call_up(m, c); break;
	case APMU_MACHINE__SPECIAL_NOP: hint(m, c); break;
	case APMU_MACHINE__SPECIAL_ERET: apmu_machine__returns(m, c); break;
	case APMU_MACHINE__SPECIAL_SVE: apmu_machine__tame_sve(m, c); break;
	case APMU_MACHINE__SPECIAL_MAINTENANCE: apmu_machine__maintain(m, c); break;
	default: break;
	}
}
