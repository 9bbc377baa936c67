/* SPDX-License-Identifier: MIT */
/* Decides which exception is taken and when; ends the run if the guest has no handler for it. */
#include "machine/counting.h"
#include "machine/emulator.h"
#include "machine/exceptions.h"
#include "machine/linux_process.h"
#include "machine/machine_internal.h"
#include "machine/psr.h"
#include "machine/registers.h"
#include "machine/translation.h"
#include "machine/views.h"

#include <string.h>

#define LOOP 64 /* exceptions in a row without an instruction in between */

#define HCR_VSE         (1u << 8)
#define VSESR_EL2       (3u << 16 | 4u << 12 | 5 << 8 | 2 << 4 | 3)
#define ESR_SERROR      0xBE000000u
#define ESR_ISS         0x1FFFFFFu
#define DFSR_ASYNC      0x406u
#define DFSR_LPAE_ASYNC 0x211u

static const char *const names[APMU_EXCEPTIONS] = {"undefined instruction",
						   "supervisor call",
						   "system register trap",
						   "prefetch abort",
						   "data abort",
						   "breakpoint",
						   "IRQ",
						   "FIQ",
						   "hypervisor call",
						   "secure monitor call",
						   "SError"};

/* True if there is a handler at the vector; memory that nothing ever wrote holds none. */
static bool handled(const struct apmu_machine *m, uint64_t vector)
{
	static const uint8_t nothing[16];
	uint8_t bytes[16];
	uint64_t physical;
	unsigned n = m->model->a64 ? 16 : 4;
	const uint8_t *at;

	if (!apmu_machine__physical_of(m, vector, &physical))
		return true; /* a prefetch abort, seen next */
	at = apmu_machine__host(m, physical, n);
	if (!at)
		return false;
	memcpy(bytes, at, n);
	return memcmp(bytes, nothing, n) != 0;
}

static void tell_observer(const struct apmu_machine *m, const struct apmu_machine__entry *e, uint64_t vector)
{
	const struct apmu_observer *o = &m->config.observer;
	struct apmu_seen_exception seen = {.what = e->what,
					   .el = m->mode.el,
					   .from = e->pc,
					   .vector = vector,
					   .cycle = apmu_machine__now(m),
					   .insns = m->insns,
					   .syndrome = m->model->a64 || m->mode.el == 2 ? e->syndrome : 0,
					   .address = e->address};

	if (o->exception)
		o->exception(o->ctx, &seen);
}

static void leave_it(struct apmu_machine *m)
{
	m->it_state = 0;
	m->it_left = 0;
	m->it_refused = 0;
	m->in_it = false;
}

/* True after too many exceptions in a row: a handler that faults at once faults for ever. */
static bool loops(struct apmu_machine *m)
{
	m->vectors = m->insns == m->vector_insns ? m->vectors + 1 : 0;
	m->vector_insns = m->insns;
	return m->vectors > LOOP;
}

/* True if the exception is taken locally: to EL1, at its own level, or from a host's EL0 to that host. */
static bool is_local(const struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	unsigned to = m->process ? 1 : apmu_machine__route(m, e);

	return to <= 1 || to == m->mode.el || (m->mode.el == 0 && apmu_machine__has_host_el0(m));
}

/* DDI0487 D13.12.3, EXC_UNDEF and its kin. EXC_OTHER counts every exception but system calls, which are
 * counted as instructions. AArch32's BKPT is a prefetch abort. */
static void count_exception(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	static const uint8_t signal[2][APMU_EXCEPTIONS] = {
		[false] =
			{
				[APMU_EXCEPTION_UNDEFINED] = APMU_SIG_EXC_TRAP_OTHER,
				[APMU_EXCEPTION_TRAP] = APMU_SIG_EXC_TRAP_OTHER,
				[APMU_EXCEPTION_PREFETCH] = APMU_SIG_EXC_TRAP_PABORT,
				[APMU_EXCEPTION_DATA] = APMU_SIG_EXC_TRAP_DABORT,
				[APMU_EXCEPTION_BREAKPOINT] = APMU_SIG_EXC_TRAP_OTHER,
				[APMU_EXCEPTION_IRQ] = APMU_SIG_EXC_TRAP_IRQ,
				[APMU_EXCEPTION_FIQ] = APMU_SIG_EXC_TRAP_FIQ,
				[APMU_EXCEPTION_SERROR] = APMU_SIG_EXC_TRAP_DABORT,
				[APMU_EXCEPTION_HVC] = APMU_SIG_EXC_HVC,
				[APMU_EXCEPTION_SMC] = APMU_SIG_EXC_SMC,
			},
		[true] =
			{
				[APMU_EXCEPTION_UNDEFINED] = APMU_SIG_EXC_UNDEF,
				[APMU_EXCEPTION_TRAP] = APMU_SIG_EXC_UNDEF,
				[APMU_EXCEPTION_PREFETCH] = APMU_SIG_EXC_PABORT,
				[APMU_EXCEPTION_DATA] = APMU_SIG_EXC_DABORT,
				[APMU_EXCEPTION_BREAKPOINT] = APMU_SIG_EXC_UNDEF,
				[APMU_EXCEPTION_IRQ] = APMU_SIG_EXC_IRQ,
				[APMU_EXCEPTION_FIQ] = APMU_SIG_EXC_FIQ,
				[APMU_EXCEPTION_SERROR] = APMU_SIG_EXC_DABORT,
				[APMU_EXCEPTION_HVC] = APMU_SIG_EXC_HVC,
				[APMU_EXCEPTION_SMC] = APMU_SIG_EXC_SMC,
			},
	};
	enum apmu_exception what = e->what;

	if (what == APMU_EXCEPTION_SVC)
		return;
	if (what == APMU_EXCEPTION_BREAKPOINT && !m->model->a64)
		what = APMU_EXCEPTION_PREFETCH;
	m->raw.n[APMU_SIG_EXC_OTHER]++;
	m->raw.n[signal[is_local(m, e)][what]]++;
}

void apmu_machine__take_exception(struct apmu_machine *m, const struct apmu_machine__entry *e)
{
	uint64_t vector;

	count_exception(m, e);
	if (m->process) {
		apmu_machine__linux_fault(m, e);
		return;
	}
	apmu_machine__leave_run(m);
	if (m->isa != APMU_ISA__A64)
		leave_it(m);
	vector = m->model->a64 ? apmu_machine__enter64(m, e) : apmu_machine__enter32(m, e);
	m->current = NULL;
	m->after = APMU_MACHINE__AFTER_MOVED |
		   (m->el_switch.on ? APMU_MACHINE__AFTER_EL | APMU_MACHINE__AFTER_STATE : 0);
	if (!m->el_switch.on)
		apmu_machine__state_look(m);
	tell_observer(m, e, vector);
	if (!handled(m, vector))
		apmu_machine__end(m, APMU_STOP_UNHANDLED, e->pc,
				  "%s (%s), and there is no handler at its vector 0x%llx", e->why,
				  names[e->what], (unsigned long long)vector);
	else if (loops(m))
		apmu_machine__end(m, APMU_STOP_LOOP, e->pc,
				  "%s (%s) without end: the handler at 0x%llx faults itself", e->why,
				  names[e->what], (unsigned long long)vector);
}

void apmu_machine__undefined(struct apmu_machine *m, uint64_t pc, unsigned size, uint32_t syndrome,
			     const char *why)
{
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_UNDEFINED,
								      .pc = pc,
								      .size = size,
								      .syndrome = syndrome,
								      .why = why});
}

/* Takes a virtual SError, which then is pending no more. Its syndrome: DDI0487 D24.2.40, of VSESR_EL2 where
 * the core has it; DDI0406C table B3-23, an asynchronous external abort, and its LPAE form. */
static bool virtual_error(struct apmu_machine *m, uint64_t next)
{
	uint32_t syndrome = ESR_SERROR;

	if (m->in_it || !(m->virtual_lines & APMU_MACHINE__VIRTUAL_SERROR) || m->state & CPSR_A)
		return false;
	if (m->model->a64)
		syndrome |= apmu_machine__sys(m, VSESR_EL2) & ESR_ISS;
	else
		syndrome = apmu_machine__cp(m, 0, 2, 0, 2) >> 31 ? DFSR_LPAE_ASYNC : DFSR_ASYNC;
	apmu_machine__catch_up(m);
	apmu_machine__hcr_set(m, m->hcr & ~(uint64_t)HCR_VSE);
	apmu_machine__levels_look(m);
	apmu_machine__take_exception(m, &(struct apmu_machine__entry){.what = APMU_EXCEPTION_SERROR,
								      .pc = next,
								      .syndrome = syndrome,
								      .is_virtual = true,
								      .why = "virtual SError"});
	return true;
}

/* Takes a pending interrupt: FIQ before IRQ, and physical ones before virtual ones, which EL1's own masks
 * hold off. */
bool apmu_machine__interrupt(struct apmu_machine *m, uint64_t next)
{
	unsigned lines = apmu_board__lines(&m->board),
		 virtual = m->virtual_lines | apmu_machine__listed_lines(m);
	bool fiq = (lines >> APMU_BOARD__CPU_FIQ & 1) && apmu_machine__interruptible(m, true);
	bool irq = (lines >> APMU_BOARD__CPU_IRQ & 1) && apmu_machine__interruptible(m, false);
	bool physical = fiq || irq;

	if (!physical) {
		fiq = (virtual >> APMU_BOARD__CPU_FIQ & 1) && !(m->state & CPSR_F);
		irq = (virtual >> APMU_BOARD__CPU_IRQ & 1) && !(m->state & CPSR_I);
	}
	if (!fiq && !irq)
		return virtual_error(m, next);
	if (m->in_it) /* the emulator cannot leave an IT block */
		return false;
	apmu_machine__catch_up(m);
	apmu_machine__take_exception(
		m, &(struct apmu_machine__entry){.what = fiq ? APMU_EXCEPTION_FIQ : APMU_EXCEPTION_IRQ,
						 .pc = next,
						 .is_virtual = !physical,
						 .why = "interrupt"});
	return true;
}
