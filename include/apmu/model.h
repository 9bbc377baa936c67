/* SPDX-License-Identifier: MIT */
/**
 * The model: one Arm PMU as plain data.
 *
 * What it is: registers, counting, overflow, interrupt lines and event bus of one core's PMU, bit for bit.
 * What it is not: a source of events. A host keeps a running total of each signal in a struct apmu_tally, and
 * the PMU reads the tally when it must: before a register access, at a change of mode, when an overflow may
 * be due. Several PMUs may watch one tally.
 *
 * Inaccuracies: docs/accuracy.md.
 *
 * Use:
 *     struct apmu_tally tally = {0};
 *     struct apmu pmu;
 *     apmu_init(&pmu, apmu_core_find("arm1136"), &tally, (struct apmu_lines){.line = my_irq, .ctx = me});
 *     ...                                   the guest runs: tally.n[APMU_SIG_INST] += 1;
 *     apmu_write(&pmu, at, value);          counts pending events, then writes
 *     apmu_advance(&pmu);                   counts pending events
 *     apmu_read(&pmu, at, &value);          pure: as of the last advance
 *
 * Pending events are those that the tally gained since the PMU last read it.
 *
 * Threads: one struct apmu belongs to one thread at a time; nothing is shared, and there are no locks. The
 * tally may be written by another thread only if the host orders that against apmu_advance().
 * Freestanding: no allocation, no stdio, no globals that change.
 */
#ifndef APMU_MODEL_H
#define APMU_MODEL_H

#include <apmu/core.h>
#include <apmu/signal.h>
#include <apmu/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum apmu_line {
	APMU_LINE_IRQ,       /* PMUIRQ / nPMUIRQ; true is asserted, the polarity is the SoC's */
	APMU_LINE_FIQ,       /* nPMUFIQ (ARM1156) */
	APMU_LINE_PROFILING, /* a PMU Profiling exception would be taken now (FEAT_EBEP): apmu_profiling() */
	APMU_LINE_TRIGGER,   /* Armv7, PMUv3: trigger to CTI and ETE; as IRQ, but does not depend on PMEE */
	APMU_LINE_DEBUG,     /* PMUv3p9: External Debug Request, enabled by EDECR.PME */
	APMU_LINE_BRBE,      /* PMUv3: freezes the Branch Record Buffer, enabled by BRBCR_ELx.FZP */
	APMU_LINES
};

/* Actions of a guest that a manual forbids or leaves unpredictable. docs/accuracy.md says how the model goes
 * on. */
enum apmu_note {
	APMU_NOTE_RESERVED_BITS,   /* a 1 written to should-be-zero bits; detail: those bits */
	APMU_NOTE_RESERVED_EVENT,  /* a selector holds a number that this core lacks; detail: the number */
	APMU_NOTE_SELECT_WHILE_ON, /* XSC2: an event selector written with E set; detail: the value */
	APMU_NOTE_EXPORT_UNHEARD,  /* X set while in.export_heard is false */
	APMU_NOTE_ABSENT_COUNTER,  /* an access to a counter that does not exist; detail: its number */
	APMU_NOTE_HPMN_RANGE,      /* HPMN is 0 or more than there are counters; detail: the value */
	APMU_NOTE_NOT_SOFTWARE,    /* PMSWINC names counters whose event is not SW_INCR; detail: those bits */
	APMU_NOTES
};

/* The host's functions that the PMU calls. Any member may be NULL. They are called from inside the functions
 * that change the PMU, such as apmu_write(), apmu_advance(), apmu_enter() and apmu_input(), and must not call
 * those for the same PMU. */
struct apmu_lines {
	void (*line)(void *ctx, enum apmu_line line, bool up); /* on a change only */
	void (*note)(void *ctx, enum apmu_note note, uint64_t detail);
	void *ctx;
};

/* State outside the PMU that the Armv7 and PMUv3 rules depend on. A host that owns these registers mirrors
 * them here; a host that lets the guest reach MDCR_EL2 and similar registers through the model sets only what
 * the model has no register for. After apmu_init() all is zero but MDCR_EL2.HPMN, the MTPME bits as reset
 * leaves them, and aarch32 of an Armv7 or Armv8 core without AArch64, which is 0xF. */
struct apmu_machine_state {
	uint64_t hcr_el2, scr_el3, hstr_el2;
	uint64_t mdcr_el2, mdcr_el3; /* HDCR and SDCR on AArch32 */
	uint64_t hdfgrtr_el2, hdfgwtr_el2, hdfgrtr2_el2, hdfgwtr2_el2;
	uint64_t sder, mpidr;
	uint8_t aarch32;       /* bit e: ELe uses AArch32 */
	bool streaming;        /* PSTATE.SM */
	bool profiling_masked; /* PSTATE.PM */
	bool spe_stopped;      /* PMBLIMITR_EL1.{E,PMFZ} = {1,1} and SPE profiling is stopped */
	bool edscr_sdd;
	bool os_lock, double_lock, powered_off;
	bool profiling_pending;    /* PSTATE.PPEND; taking an exception saves it in SPSR[33] and clears it */
	bool edecr_pme;            /* EDECR.PME: an overflow requests Debug state */
	bool brbe_fzp1, brbe_fzp2; /* BRBCR_EL1.FZP, BRBCR_EL2.FZP: an overflow freezes branch records */
};

/* Input pins. After apmu_init() every authentication input is high, CP15SDISABLE is low and the event bus is
 * not connected. */
struct apmu_inputs {
	bool dbgen, niden, spiden, spniden; /* authentication interface */
	bool cp15sdisable;                  /* ARM1176: write-protects Secure registers */
	bool export_heard;                  /* something is connected to the event bus */
};

/* The whole architectural state: plain data without pointers. A snapshot is a copy of it. */
struct apmu_state {
	uint64_t counter[APMU_COUNTERS];
	uint64_t type[APMU_COUNTERS];                 /* event selector and filter bits */
	uint64_t saved[APMU_COUNTERS];                /* FEAT_PMUv3_SS */
	uint64_t cnten, overflow, inten, fiqen, uacr; /* bit i: counter i */
	uint64_t met; /* bit i: counter i's threshold condition held in the previous cycle */
	uint64_t word[APMU_WORDS];
	uint64_t hcr_el2, scr_el3, hstr_el2;
	uint32_t errata; /* bits: enum apmu_erratum */
	uint8_t phase;   /* 0..63: cycles into the divide-by-64 */
	uint8_t holdoff; /* cycles left until counting starts */
	uint8_t latch;   /* bit l: line l is asserted */
	uint8_t aarch32; /* bit e: ELe uses AArch32 */
	bool streaming, profiling_masked, spe_stopped, edscr_sdd, os_lock, double_lock, powered_off;
	bool profiling_pending, edecr_pme, brbe_fzp1, brbe_fzp2;
	struct apmu_mode mode;
	struct apmu_inputs in;
};

/* Another thread (PE) of the same multithreaded core, for counters with PMEVTYPER.MT: its totals, and its
 * mode, which apmu_thread_enter() changes. The other members are the PMU's own. */
struct apmu_thread {
	const struct apmu_tally *tally;
	struct apmu_mode mode;
	uint64_t runs; /* bit i: counter i counts events of this thread */
	uint64_t base[APMU_MAX_EVENT_COUNTERS];
};

struct apmu {
	struct apmu_state s;
	const struct apmu_core *core;
	const struct apmu_tally *tally;
	struct apmu_lines lines;
	/* Derived from the state; only the model writes the rest. */
	uint64_t running;  /* bit i: counter i counts now */
	uint64_t filtered; /* bit i: counter i's filter excludes the present mode */
	/* Bit i: counter i may count in the present mode; [0] with E clear, [1] with E set. */
	uint64_t may[2];
	uint64_t by_cycle;            /* bit i: counter i has a threshold, which is applied cycle by cycle */
	uint64_t type_mask[3];        /* bits of type[] that exist: event counters, cycle, instruction */
	uint64_t base[APMU_COUNTERS]; /* total of counter i's event when it was last counted */
	uint16_t signal[APMU_COUNTERS];  /* the one signal that counter i counts; 0 if it is in `sums` */
	uint64_t sums;                   /* bit i: counter i counts several signals, or none */
	uint64_t chained;                /* bit i: a CHAIN is to be counted with counter i's next threshold */
	const struct apmu_reg *image_of; /* the steady register last written, or NULL */
	uint64_t image, kept;            /* the value written to it; what its rw bits read */
	uint8_t open;      /* bit g: no access from above EL0 to a register with enum apmu_gate g traps */
	uint64_t exists;   /* bit i: counter i exists */
	uint64_t range[3]; /* Armv7, PMUv3: the counters of EL1, of EL2, of an external agent */
	const struct apmu_event *event[APMU_COUNTERS]; /* NULL: the number is reserved and counts nothing */
	struct apmu_thread *thread;                    /* other threads of the core; NULL: none */
	const struct apmu_tally
		*core_wide; /* totals of per-cycle events for the whole core; NULL: this thread's own */
	unsigned threads;
	uint64_t mt;         /* bit i: counter i counts all threads */
	uint64_t wide;       /* bit i: counter i counts all threads, from core_wide */
	uint64_t stale;      /* bit i: counter i's event has changed since watch_threads() last ran */
	uint64_t hold_base;  /* CYCLES when the hold-off was last updated */
	uint64_t cycle_base; /* CYCLES when thresholds were last applied */
	uint64_t met_base;   /* CYCLES when `met` was last updated */
};

/* Makes *pmu the PMU of `core` out of reset, watching `tally`. The caller owns all three; there is nothing to
 * free. */
void apmu_init(struct apmu *pmu, const struct apmu_core *core, const struct apmu_tally *tally,
	       struct apmu_lines lines);

/* Processor reset. Counters and selectors become 0 (manuals: unpredictable on XScale). Inputs, errata
 * switches, the mode, aarch32 and MPIDR stay; the rest of struct apmu_machine_state is as after
 * apmu_init(). */
void apmu_reset(struct apmu *pmu);

/* Counts what the tally has gained since the PMU last read it, and asserts lines that are due. Signals of one
 * call count as simultaneous: see apmu_until_overflow() and apmu_wants_cycles() for how far to batch. */
void apmu_advance(struct apmu *pmu);

/* The core enters `mode` (exception level, world, Debug state). Pending events count in the old mode. */
void apmu_enter(struct apmu *pmu, struct apmu_mode mode);

/* Sets the input pins. Pending events count with the old ones. */
void apmu_input(struct apmu *pmu, struct apmu_inputs in);

/* Sets the state outside the PMU, and reads it. Pending events count with the old one. All members are set,
 * also those of registers that the guest has written through the model: a host changes what it got. */
void apmu_machine_set(struct apmu *pmu, const struct apmu_machine_state *machine);
void apmu_machine_get(const struct apmu *pmu, struct apmu_machine_state *out);

/* Sets what firmware sets before it starts a program at Non-secure level `el` (1 or 2), in AArch32 if
 * `aarch32`, and enters that level: SCR_EL3, MDCR_EL3 and fine-grained traps trap no PMU access, and all
 * counters are the program's. For hosts that run no firmware, after apmu_init() or apmu_reset(): apmu_init()
 * enters Secure EL1, apmu_reset() leaves the mode as it is, and some registers of PMUv3p9 trap to EL3 until
 * this call. On ARM11 and XScale it enters the mode only. */
void apmu_firmware(struct apmu *pmu, unsigned el, bool aarch32);

/* Short texts for messages: "trapped to EL2", "PMUIRQ". Never NULL. */
const char *apmu_outcome_text(enum apmu_outcome outcome);
const char *apmu_line_text(enum apmu_line line);
const char *apmu_note_text(enum apmu_note note);

/* A request from outside to capture every counter (FEAT_PMUv3_SS). True if it was done. */
bool apmu_capture(struct apmu *pmu);

/* Returns the level to which a PMU Profiling exception (FEAT_EBEP) would be taken now; 0 if none is pending
 * or it is masked in the present mode. The exception is synchronous (ISS bit 0) if profiling_pending. */
unsigned apmu_profiling(const struct apmu *pmu);

/* Returns the exception syndrome (ESR_ELx, with EC and IL) of an access that did not end in APMU_DONE. `rt`,
 * `rt2`: the registers of the instruction; `cond`: its condition, 0xE for always. PMUV3SHEET 3.9. */
uint32_t apmu_syndrome(const struct apmu *pmu, struct apmu_access at, enum apmu_outcome outcome, bool write,
		       unsigned rt, unsigned rt2, unsigned cond);

/**
 * Sets the other threads of a multithreaded core. Counters with PMEVTYPER.MT, where MTPME permits it, add up
 * the events of all threads, each filtered and prohibited by that thread's mode. Events that count cycles do
 * not add up: they come from `core_wide`, totals of the core cycles in which the condition held (for a stall:
 * in all threads), or from this thread alone if it is NULL. Thresholds and CHAIN use this thread alone. The
 * caller owns `thread` and keeps it while the PMU lives; `n` 0 removes the threads. apmu_until_overflow() and
 * apmu_wants() answer for all threads together. PMUV3SHEET 4.10.
 */
void apmu_threads(struct apmu *pmu, struct apmu_thread *thread, unsigned n,
		  const struct apmu_tally *core_wide);

/* The k-th of these threads enters `mode`. Pending events count in its old mode. */
void apmu_thread_enter(struct apmu *pmu, unsigned k, struct apmu_mode mode);

/**
 * An instruction has retired (FEAT_SEBEP), and the pending events are its own. PSTATE.PPEND becomes 1, and
 * PMIAR_EL1 `address`, if a synchronous counter counted whose flag and interrupt enable are set, and the PMU
 * Profiling exception is enabled and unmasked; else PPEND becomes 0. Returns PPEND. Call it before the
 * instruction's own change of mode, if any.
 */
bool apmu_retired(struct apmu *pmu, uint64_t address);

/* True if an exception return with SPSR.PPEND = 1 sets PSTATE.PPEND. `to`: the mode it returns to; `masked`:
 * SPSR.PM. If true, the host sets PPEND with apmu_machine_set(), after apmu_retired() of the return. */
bool apmu_pends_on_return(const struct apmu *pmu, struct apmu_mode to, bool masked);

/* What the PE last executed, for PC Sample-based Profiling (FEAT_PCSRv8p2). */
struct apmu_pc_sample {
	uint64_t pc;
	struct apmu_mode mode;
	bool aarch32;
	bool el2;  /* EL2 is enabled in the Security state of the sample */
	bool host; /* EL0 under a host at EL2 */
	uint32_t contextidr_el1, contextidr_el2;
	uint16_t vmid;
};

/**
 * Updates the sampled registers for an external agent's read of PMPCSR: a host calls this before it forwards
 * such a read. `from` is the access's: the software lock of the 32-bit frame leaves the registers as they
 * are, unless the read comes from the debug port. If `sample` is NULL, or was taken in Debug state or where
 * non-invasive debug is not permitted, PMPCSR[31:0] becomes all ones.
 */
void apmu_sample_pc(struct apmu *pmu, const struct apmu_pc_sample *sample, struct apmu_mode from);

/* Sets the errata that are switched on; bits that the core does not have are dropped. */
void apmu_errata(struct apmu *pmu, uint32_t errata);

/* Reads a register as of the last advance. Pure. On any outcome but APMU_DONE *value is untouched. */
enum apmu_outcome apmu_read(const struct apmu *pmu, struct apmu_access at, uint64_t *value);

/* Counts pending events, then writes. On any outcome but APMU_DONE nothing else changes. */
enum apmu_outcome apmu_write(struct apmu *pmu, struct apmu_access at, uint64_t value);

/* Returns the outcome that a read, or a write of any value, would have now, and changes nothing. */
enum apmu_outcome apmu_may(const struct apmu *pmu, struct apmu_access at, bool write);

/* apmu_advance(), then apmu_read(). */
static inline enum apmu_outcome apmu_read_now(struct apmu *pmu, struct apmu_access at, uint64_t *value)
{
	apmu_advance(pmu);
	return apmu_read(pmu, at, value);
}

/* True if the line is asserted. */
bool apmu_line_up(const struct apmu *pmu, enum apmu_line line);

/* True if a counter that is on counts this signal. The host need not produce signals that no counter
 * wants. */
bool apmu_wants(const struct apmu *pmu, enum apmu_signal signal);

/* True if the host must advance every core cycle to be exact: while the hold-off or a counter with a
 * threshold runs, or the event bus is heard. */
bool apmu_wants_cycles(const struct apmu *pmu);

/**
 * Distance to the next overflow.
 *
 * Returns how many more occurrences of `signal` the PMU can count, if nothing else changes, before some
 * counter wraps. An engine may hand over one fewer in a single apmu_advance() and lose no interrupt. If an
 * event sums several signals, that is the number of all of them together: see apmu_limits().
 *
 * ensures: result >= 1; UINT64_MAX when no counter that is on counts `signal`
 * unit:    occurrences (for APMU_SIG_CYCLES: core clock cycles, before the divide-by-64)
 */
uint64_t apmu_until_overflow(const struct apmu *pmu, enum apmu_signal signal);

/* How far a counter that is on is from its next overflow. */
struct apmu_limit {
	uint64_t left;   /* occurrences of its signals together, as apmu_until_overflow() counts: 1 or more */
	uint8_t signals; /* used elements of signal[]; 0: the counter counts nothing */
	uint16_t signal[APMU_EVENT_SIGNALS + 1]; /* enum apmu_signal, subtracted ones included */
};

/* Fills `out` with the limits of all counters that are on, from which a host knows what to produce and how
 * far it may run before the next advance. Returns how many; `out` has room for APMU_COUNTERS. */
unsigned apmu_limits(const struct apmu *pmu, struct apmu_limit out[APMU_COUNTERS]);

/* Returns the event bus in one cycle: the bus bits of every event for the counts in `cycle` (not totals: the
 * occurrences of this one cycle). Each event saturates at the most that its bits hold. 0 with X clear or in
 * Debug state, and on Armv7 and PMUv3 where event counters may not count. */
uint64_t apmu_export(const struct apmu *pmu, const struct apmu_tally *cycle);

/* A saved state. `core` is a hash of the core's name and shape. */
struct apmu_snapshot {
	uint32_t magic, version;
	uint64_t core;
	struct apmu_state state;
};

/* Copies the state to *out, as of the last advance: pending events are not in it. Nor are other threads
 * (apmu_threads()). */
void apmu_save(const struct apmu *pmu, struct apmu_snapshot *out);

/* Restores a saved state, drops pending events, and calls the line callback for lines that differ. 0, or
 * APMU_EILSEQ for a snapshot of another version or core, or with impossible values: then *pmu is
 * unchanged. Counting goes on from what the tally holds now: a host that restores its tally too does so
 * first, since a later change of the tally would count. */
int apmu_restore(struct apmu *pmu, const struct apmu_snapshot *in);

#ifdef __cplusplus
}
#endif

#endif
