/* SPDX-License-Identifier: MIT */
/**
 * The model: one Arm PMU as plain data.
 *
 * What it is: registers, counting, overflow, interrupt lines and event bus of one core's PMU, bit for bit.
 * What it is not: a source of events. A host keeps a running total of each signal in a struct apmu_tally and
 * the PMU looks at it when it must: before a register access, at a change of mode, when an overflow may be
 * due. Several PMUs may watch one tally.
 *
 * Inaccuracies: docs/accuracy.md.
 *
 * Use:
 *     struct apmu_tally tally = {0};
 *     struct apmu pmu;
 *     apmu_init(&pmu, apmu_core_find("arm1136"), &tally, (struct apmu_lines){.line = my_irq, .ctx = me});
 *     ...                                   the guest runs: tally.n[APMU_SIG_INST] += 1;
 *     apmu_write(&pmu, at, value);          takes what is pending, then writes
 *     apmu_advance(&pmu);                   takes what is pending
 *     apmu_read(&pmu, at, &value);          pure: as of the last advance
 *
 * Threads: one struct apmu belongs to one thread at a time; nothing is shared, no locks. The tally may be
 * written by another thread only if the host orders that against apmu_advance().
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
	APMU_LINE_IRQ,       /* PMUIRQ / nPMUIRQ; true is asserted, polarity is the SoC's */
	APMU_LINE_FIQ,       /* nPMUFIQ (ARM1156) */
	APMU_LINE_PROFILING, /* the PMU Profiling exception would be taken now (FEAT_EBEP); see
				apmu_profiling() */
	APMU_LINE_TRIGGER,   /* Armv7, PMUv3: to CTI and ETE; as the interrupt, whatever PMEE says */
	APMU_LINE_DEBUG,     /* PMUv3p9: External Debug Request, by EDECR.PME */
	APMU_LINE_BRBE,      /* PMUv3: freezes the Branch Record Buffer, by BRBCR_ELx.FZP */
	APMU_LINES
};

/* What a manual forbids or leaves unpredictable, seen in a guest. The model goes on as docs/accuracy.md says.
 */
enum apmu_note {
	APMU_NOTE_RESERVED_BITS,   /* a 1 written to should-be-zero bits; detail: those bits */
	APMU_NOTE_RESERVED_EVENT,  /* a selector holds a number that this core lacks; detail: the number */
	APMU_NOTE_SELECT_WHILE_ON, /* XSC2: an event selector written with E set; detail: the value */
	APMU_NOTE_EXPORT_UNHEARD,  /* X set while the host says that nobody listens */
	APMU_NOTE_ABSENT_COUNTER,  /* an access to a counter that is not there or is reserved; detail: its
				      number */
	APMU_NOTE_HPMN_RANGE,      /* HPMN is 0 or more than there are counters; detail: the value */
	APMU_NOTE_NOT_SOFTWARE,    /* PMSWINC names counters whose event is not SW_INCR; detail: those bits */
	APMU_NOTES
};

/* What the PMU calls. Any member may be NULL. Calls come from inside apmu_write(), apmu_advance(),
 * apmu_enter(), apmu_input() and must not call back into the same PMU. */
struct apmu_lines {
	void (*line)(void *ctx, enum apmu_line line, bool up); /* on a change only */
	void (*note)(void *ctx, enum apmu_note note, uint64_t detail);
	void *ctx;
};

/* What the PMU depends on outside itself, for cores with the Armv7 or Armv8 rules. A host that owns these
 * registers mirrors them here; one that lets the guest reach MDCR_EL2 and kin through the model sets only
 * what the model has no register for. After apmu_init(): zero, but MDCR_EL2.HPMN and the MTPME bits as reset
 * leaves them. */
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
	bool profiling_pending;    /* PSTATE.PPEND; saved in SPSR[33] and cleared by taking an exception */
	bool edecr_pme;            /* EDECR.PME: an overflow requests Debug state */
	bool brbe_fzp1, brbe_fzp2; /* BRBCR_EL1.FZP, BRBCR_EL2.FZP: an overflow freezes branch records */
};

/* Input pins. After apmu_init() every authentication input is high, CP15SDISABLE is low, nobody listens. */
struct apmu_inputs {
	bool dbgen, niden, spiden, spniden; /* authentication interface */
	bool cp15sdisable;                  /* ARM1176: write-protect of Secure registers */
	bool export_heard;                  /* something is connected to the event bus */
};

/* The whole architectural state: plain data, no pointers. A snapshot is a copy of it. */
struct apmu_state {
	uint64_t counter[APMU_COUNTERS];
	uint64_t type[APMU_COUNTERS];                 /* event selector and filter bits */
	uint64_t saved[APMU_COUNTERS];                /* FEAT_PMUv3_SS */
	uint64_t cnten, overflow, inten, fiqen, uacr; /* bit i: counter i */
	uint64_t met; /* bit i: counter i's threshold condition held in the cycle before */
	uint64_t word[APMU_WORDS];
	uint64_t hcr_el2, scr_el3, hstr_el2;
	uint32_t errata; /* bits: enum apmu_erratum */
	uint8_t phase;   /* 0..63: cycles into the divide-by-64 */
	uint8_t holdoff; /* cycles left until counting starts */
	uint8_t latch;   /* bit l: line l is up */
	uint8_t aarch32; /* bit e: ELe uses AArch32 */
	bool streaming, profiling_masked, spe_stopped, edscr_sdd, os_lock, double_lock, powered_off;
	bool profiling_pending, edecr_pme, brbe_fzp1, brbe_fzp2;
	struct apmu_mode mode;
	struct apmu_inputs in;
};

/* Another thread (PE) of the same multithreaded core, for counters with PMEVTYPER.MT: its totals, and where
 * it is, which apmu_thread_enter() changes. The rest is the PMU's. */
struct apmu_thread {
	const struct apmu_tally *tally;
	struct apmu_mode mode;
	uint64_t runs; /* bit i: counter i counts what happens in this thread */
	uint64_t base[APMU_MAX_EVENT_COUNTERS];
};

struct apmu {
	struct apmu_state s;
	const struct apmu_core *core;
	const struct apmu_tally *tally;
	struct apmu_lines lines;
	/* Derived; settle() alone writes these. */
	uint64_t running;                /* bit i: counter i counts now */
	uint64_t filtered;               /* bit i: its filter forbids the mode */
	uint64_t may[2];                 /* bit i: it may count here and now; with E clear, and with E set */
	uint64_t by_cycle;               /* bit i: it has a threshold and must see cycle by cycle */
	uint64_t type_mask[3];           /* bits of type[] that exist: event counters, cycle, instruction */
	uint64_t base[APMU_COUNTERS];    /* what the tally said when counter i last looked */
	uint16_t signal[APMU_COUNTERS];  /* the one signal that counter i counts; 0 if it is in `sums` */
	uint64_t sums;                   /* bit i: it counts several signals, or none */
	uint64_t chained;                /* bit i: a CHAIN waits for counter i's threshold */
	const struct apmu_reg *image_of; /* the steady register last written, or NULL */
	uint64_t image, kept;            /* what was written to it; what its rw bits read */
	uint8_t open;      /* bit g: from above EL0 nothing traps what is behind enum apmu_gate g */
	uint64_t exists;   /* bit i: counter i is there */
	uint64_t range[3]; /* Armv7, PMUv3: counters of EL1, of EL2, of an external agent */
	const struct apmu_event *event[APMU_COUNTERS]; /* NULL: reserved, counts nothing */
	struct apmu_thread *thread;                    /* other threads of the core; NULL: none */
	const struct apmu_tally
		*core_wide; /* what holds of a cycle in any of them; NULL: this thread's own */
	unsigned threads;
	uint64_t mt;         /* bit i: counter i counts all threads */
	uint64_t wide;       /* bit i: and takes it from core_wide */
	uint64_t stale;      /* bit i: counter i's event has changed since the threads were looked at */
	uint64_t hold_base;  /* CYCLES when the hold-off last looked */
	uint64_t cycle_base; /* CYCLES when the thresholds last looked */
	uint64_t met_base;   /* CYCLES when `met` was last right */
};

/* Makes *pmu the PMU of `core` out of reset, watching `tally`. The caller owns all three; nothing to free. */
void apmu_init(struct apmu *pmu, const struct apmu_core *core, const struct apmu_tally *tally,
	       struct apmu_lines lines);

/* Processor reset. Counters and selectors become 0 (manuals: unpredictable on XScale). Inputs, errata
 * switches and the mode stay. */
void apmu_reset(struct apmu *pmu);

/* Takes what the tally has gained since the last look. Raises lines that are due. Signals of one call count
 * as simultaneous: see apmu_until_overflow() and apmu_wants_cycles() for how far to batch. */
void apmu_advance(struct apmu *pmu);

/* The core enters `mode` (exception level, world, Debug state): what is pending counts in the old one. */
void apmu_enter(struct apmu *pmu, struct apmu_mode mode);

/* Input pins change. */
void apmu_input(struct apmu *pmu, struct apmu_inputs in);

/* The machine's state changes: what is pending counts in the old one. */
void apmu_machine_set(struct apmu *pmu, const struct apmu_machine_state *machine);
void apmu_machine_get(const struct apmu *pmu, struct apmu_machine_state *out);

/* What firmware leaves to a program that starts at Non-secure level `el` (1 or 2), in AArch32 if `aarch32`:
 * nothing of the PMU is trapped by SCR_EL3, MDCR_EL3 or fine-grained traps, all counters are the program's;
 * enters that level. For hosts that run no firmware: out of reset a core with EL2 or EL3 is above EL1, and
 * some registers of PMUv3p9 trap. After apmu_init() or apmu_reset(). On ARM11 and XScale it enters the mode
 * alone. */
void apmu_firmware(struct apmu *pmu, unsigned el, bool aarch32);

/* In a few words, for messages: "trapped to EL2", "PMUIRQ". Never NULL. */
const char *apmu_outcome_text(enum apmu_outcome outcome);
const char *apmu_line_text(enum apmu_line line);
const char *apmu_note_text(enum apmu_note note);

/* An outside request to capture every counter (FEAT_PMUv3_SS). True if it was done. */
bool apmu_capture(struct apmu *pmu);

/* The PMU Profiling exception (FEAT_EBEP): the level it would be taken to now, or 0 if none is pending or it
 * is masked in the present mode. It is synchronous (ISS bit 0) if profiling_pending. */
unsigned apmu_profiling(const struct apmu *pmu);

/* The exception syndrome (ESR_ELx, with EC and IL) of an access that did not end in APMU_DONE. `rt`, `rt2`:
 * the registers of the instruction; `cond`: its condition, 0xE for always. pmuv3.md 3.9. */
uint32_t apmu_syndrome(const struct apmu *pmu, struct apmu_access at, enum apmu_outcome outcome, bool write,
		       unsigned rt, unsigned rt2, unsigned cond);

/**
 * The other threads of a multithreaded core. Counters with PMEVTYPER.MT, where MTPME lets them, add up what
 * happens in all of them, each filtered and prohibited by where it happens. Events that tell of cycles do not
 * add up: they are taken from `core_wide`, the totals of core cycles in which the thing held (a stall: in all
 * threads), or from this thread alone if it is NULL. Thresholds and CHAIN look at this thread alone.
 * The caller owns `thread` and keeps it while the PMU lives; n 0 takes it away. apmu_until_overflow() and
 * apmu_wants() answer for all threads together. pmuv3.md 4.10.
 */
void apmu_threads(struct apmu *pmu, struct apmu_thread *thread, unsigned n,
		  const struct apmu_tally *core_wide);

/* Thread k of them enters `mode`: what is pending counts in its old one. */
void apmu_thread_enter(struct apmu *pmu, unsigned k, struct apmu_mode mode);

/**
 * An instruction has retired (FEAT_SEBEP): what the tally has gained since the last look is its own.
 * PSTATE.PPEND becomes 1, and PMIAR_EL1 `address`, if it made a synchronous counter count whose flag and
 * interrupt enable are set, and the PMU Profiling exception is enabled and unmasked; else PPEND becomes 0.
 * Returns PPEND. Call it before the instruction's own change of mode, if any.
 */
bool apmu_retired(struct apmu *pmu, uint64_t address);

/* An exception return with SPSR.PPEND 1: does it set PSTATE.PPEND? `to`: where it goes; `masked`: SPSR.PM. If
 * so the host sets it with apmu_machine_set(), after apmu_retired() of the return. */
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
 * An external agent reads PMPCSR: a host calls this before it forwards such a read, so that the sampled
 * registers hold `sample`. `from` is the access's: the software lock of the 32-bit frame keeps them as they
 * are, unless the read comes from the debug port. NULL, Debug state, or where non-invasive debug is not
 * permitted: PMPCSR[31:0] becomes all ones.
 */
void apmu_sample_pc(struct apmu *pmu, const struct apmu_pc_sample *sample, struct apmu_mode from);

/* Switches errata on and off; bits the core does not have are dropped. */
void apmu_errata(struct apmu *pmu, uint32_t errata);

/* Reads a register as of the last advance. Pure. On any outcome but APMU_DONE *value is untouched. */
enum apmu_outcome apmu_read(const struct apmu *pmu, struct apmu_access at, uint64_t *value);

/* Takes what is pending, then writes. On any outcome but APMU_DONE nothing else changes. */
enum apmu_outcome apmu_write(struct apmu *pmu, struct apmu_access at, uint64_t value);

/* What becomes of a read or write of any value, if it were made now: the outcome, and nothing is done. */
enum apmu_outcome apmu_may(const struct apmu *pmu, struct apmu_access at, bool write);

/* Advance, then read. */
static inline enum apmu_outcome apmu_read_now(struct apmu *pmu, struct apmu_access at, uint64_t *value)
{
	apmu_advance(pmu);
	return apmu_read(pmu, at, value);
}

/* Is the line asserted? */
bool apmu_line_up(const struct apmu *pmu, enum apmu_line line);

/* Does any counter that is on count this signal? What no counter wants need not be produced. */
bool apmu_wants(const struct apmu *pmu, enum apmu_signal signal);

/* Must the host advance every core cycle to be exact (hold-off running, event bus heard)? */
bool apmu_wants_cycles(const struct apmu *pmu);

/**
 * Distance to the next overflow.
 *
 * How many more occurrences of `signal` the PMU can take, if nothing else changes, before some counter wraps.
 * An engine may hand over one fewer in a single apmu_advance() and lose no interrupt.
 *
 * ensures: result >= 1; UINT64_MAX when no counter that is on counts `signal`
 * unit:    occurrences (for APMU_SIG_CYCLES: core clock cycles, before the divide-by-64)
 */
uint64_t apmu_until_overflow(const struct apmu *pmu, enum apmu_signal signal);

/* How far a counter that is on is from its next overflow. */
struct apmu_limit {
	uint64_t left;   /* occurrences of its signals together, as apmu_until_overflow(): 1 or more */
	uint8_t signals; /* used elements of signal[]; 0: it counts nothing */
	uint16_t signal[APMU_EVENT_SIGNALS + 1]; /* enum apmu_signal; those that are subtracted too */
};

/* The limits of all counters that are on, so that a host knows what to produce and how far it may run without
 * a look. Returns how many; `out` has room for APMU_COUNTERS. */
unsigned apmu_limits(const struct apmu *pmu, struct apmu_limit out[APMU_COUNTERS]);

/* The event bus in one cycle: the bus bits of every event for the counts in `cycle` (not totals: what
 * happened in this one cycle). 0 with X clear or in Debug state. Two-bit positions saturate at 3. */
uint64_t apmu_export(const struct apmu *pmu, const struct apmu_tally *cycle);

/* A saved state. `core` is a hash of the core's name and shape. */
struct apmu_snapshot {
	uint32_t magic, version;
	uint64_t core;
	struct apmu_state state;
};

void apmu_save(const struct apmu *pmu, struct apmu_snapshot *out);

/* 0, or APMU_EILSEQ for a snapshot of another version, core, or with impossible values: then *pmu is as it
 * was. */
int apmu_restore(struct apmu *pmu, const struct apmu_snapshot *in);

#ifdef __cplusplus
}
#endif

#endif
