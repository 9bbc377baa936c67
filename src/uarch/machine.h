/* SPDX-License-Identifier: MIT */
/**
 * The model of one thread's core: its units, and which of them run.
 *
 * Time: `clock` is the cycle in which the current block issues its last instruction, as far as is known; a
 * stall delays it. The issue cycle of an instruction is therefore clock - block->cycles + schedule->issue.
 */
#ifndef APMU_UARCH_MACHINE_H
#define APMU_UARCH_MACHINE_H

#include "uarch/block.h"
#include "uarch/cache.h"
#include "uarch/direction.h"
#include "uarch/fast_inputs.h"
#include "uarch/mshrs.h"
#include "uarch/predictor.h"
#include "uarch/return_stack.h"
#include "uarch/shared_levels.h"
#include "uarch/streams.h"
#include "uarch/window.h"

/* Units: bits of apmu_uarch.units. The bits APMU_UARCH__ENTRY_... are no units: each says that signals beyond
 * those of the units are wanted. */
#include "uarch/gen/units.inc"
#define APMU_UARCH__UNITS (APMU_UARCH__ENTRY_COUNTS - 1u)

/* Bits of apmu_uarch.entry_counts: what block entry counts beyond the block's instructions.
 * ENTRY_UNCACHED_CODE: code is fetched past the cache. */
#define APMU_UARCH__MORE                                                                      \
	(APMU_UARCH__ENTRY_COUNTS | APMU_UARCH__ENTRY_FETCHES | APMU_UARCH__ENTRY_PC_CHANGE | \
	 APMU_UARCH__ENTRY_BRANCH_KINDS | APMU_UARCH__ENTRY_OPS)
#define APMU_UARCH__ENTRY_UNCACHED_CODE 0x80000000u

/* What is known about the line of a store that is written around L1. */
enum apmu_uarch__stored {
	APMU_UARCH__STORE_PART,  /* no more than the bytes of this store */
	APMU_UARCH__STORE_WHOLE, /* the whole line will be written */
	APMU_UARCH__STORE_STREAM /* many whole lines will be: no lower level allocates */
};

/* The signals (enum apmu_signal) that a level counts. */
struct apmu_uarch__level_signals {
	uint16_t read[APMU_UARCH__REQUESTS],
		fill[APMU_UARCH__REQUESTS]; /* of look-ups, of misses; indexed by enum apmu_uarch__request */
	uint16_t write, write_back, allocate, hit_write, modified_read, modified_write;
	uint16_t unique, fill_unique; /* of look-ups, of misses: those for a line that will be written */
};

/* The lines that a slave port of an L210 read last. */
#define APMU_UARCH__PORT_LINES 8
struct apmu_uarch__port {
	uint64_t line[APMU_UARCH__PORT_LINES]; /* line number + 1; 0: empty */
	uint8_t next;
};

/* The last store that was written around L1. */
struct apmu_uarch__outside {
	uint64_t line, beat;
	bool on_bus;    /* it left the core */
	bool to_memory; /* it reached memory */
	unsigned read;  /* 1 + enum apmu_uarch__at: the place from which a lower level reads the line to
			   allocate it for the store; 0: no such read */
};

/* Consecutive store misses, each of which begins the line after the previous one. */
struct apmu_uarch__run {
	uint64_t line;
	uint16_t bytes; /* stored past L1 to `line`; UINT16_MAX: it is taken for whole */
	uint8_t length;
	bool on;   /* read-allocate mode: stores are written around L1 */
	bool gaps; /* a line was not written whole: the next ones do not begin the mode */
};

/* Code lines that L2 reads ahead (code_ahead): the ones read last, by line number of L2. */
#define APMU_UARCH__CODE_AHEAD 16
struct apmu_uarch__code_ahead {
	uint64_t last;  /* line of L1I looked up in L2 last */
	uint32_t lines; /* read so far; the number of the next. Numbers wrap. */
	struct apmu_uarch__ahead {
		uint64_t line, ready; /* cycle of arrival in L2 */
		uint8_t at;           /* enum apmu_uarch__at */
		bool wanted;          /* fetch waits for it */
	} line[APMU_UARCH__CODE_AHEAD];
};

/* The code line that the one that missed last brings with it (code_next). */
struct apmu_uarch__code_next {
	uint64_t line;  /* 0: none */
	uint64_t asked; /* cycle in which it was requested */
};

/* An entry of the indirect-branch target buffer. tag: address of the branch, 0: empty. */
struct apmu_uarch__target {
	uint64_t tag, target;
};

/* The instruction that made the last access, and its line. */
struct apmu_uarch__last {
	uint64_t line;
	uint32_t key; /* instruction * 2 + store, within this execution of the block; or APMU_UARCH__NO_KEY */
	bool external_store; /* the last access was a store that went past L1 */
	uint8_t first; /* low four bits of the address of the instruction's first access, if it moves vectors
			  of 128 bits that must be looked at as a whole (struct apmu_uarch__step.whole) */
};
#define APMU_UARCH__NO_KEY UINT32_MAX

/* The outcome of the current access where it is not a plain hit, for apmu_uarch_access_report(). */
struct apmu_uarch__access_result {
	uint8_t at;     /* 1 + enum apmu_uarch__at; 0: L1 */
	uint8_t refill; /* 1 + enum apmu_uarch__refill; 0: no refill */
	bool modified;  /* the line came modified from another thread's first level */
	uint32_t cycles;
};

/* State set by the program's control registers and page tables (controls.c), and what the core has with all
 * of it on. */
struct apmu_uarch__controls {
	uint32_t on;    /* APMU_ON_... */
	uint8_t memory; /* enum apmu_memory of data */
	uint8_t code;   /* enum apmu_memory of code */
	uint32_t units, entry_counts;
	unsigned levels;
	uint8_t returns, streams;
	bool predict, by_rule, windows;
};

/* Samples of time (time_samples.c). */
struct apmu_uarch__untimed {
	struct apmu_uarch_time_samples *samples; /* NULL: all instructions are timed */
	uint64_t turn; /* number of instructions at which the clock stops or starts; UINT64_MAX: never */
	bool warming;  /* the clock runs, but no sample has begun yet */
	/* while the clock stands, those of struct apmu_uarch, which are then NULL; else NULL */
	struct apmu_uarch__window *window;
	struct apmu_uarch__recent *recent;
};

struct apmu_uarch {
	/* The first 64 bytes, one line of the host's cache: what the fast paths of block entry read. */
	_Alignas(64) uint64_t *n;       /* the signals' counts */
	const struct apmu_block *block; /* the current block; never NULL */
	uint64_t iline, ipage;          /* line fetched last; page translated last by a look-up */
	uint64_t clock;
	uint32_t units;
	uint32_t entry_counts; /* bits of APMU_UARCH__MORE, and APMU_UARCH__ENTRY_UNCACHED_CODE */
	struct apmu_uarch__last last;
	uint64_t
		uncached_beat; /* beat of the bus with the last byte of the last access that no cache takes */

	struct apmu_watch *watch; /* receives the stalls; NULL: nobody watches */
	bool exclusives;          /* wanted: whether store-exclusives pass or fail */
	bool predicts;            /* the predictors are on */
	bool ops;                 /* wanted: micro-operations */
	bool stalls;              /* wanted: dispatch stalls, out of order */
	bool causes;              /* wanted: causes of dispatch stalls other than memory */
	bool fronts;              /* wanted: what branches cost the fetch side, out of order */
	bool vectors;             /* wanted: accesses of vector registers, counted separately */
	bool large;               /* pages are larger than 64 KiB */
	bool windows;             /* some address range is not plain cacheable memory */
	bool no_itlb;             /* the instruction micro-TLB is not modelled */
	bool no_fetch;            /* neither the micro-TLB nor the cache of the fetch side is modelled */
	uint8_t page_lines;       /* shift from an instruction line's number to its page's */
	bool plain_fetch;         /* hits on the fetch side change no replacement state */
	struct apmu_uarch__access_result result;
	struct apmu_uarch__fast_inputs data;
	struct apmu_uarch__fast_access unconditional_access;
	uint32_t variant; /* bits of enum apmu_uarch__variant */
	enum apmu_uarch__fast_path fast_path;
	bool flush_is_plain; /* of a misprediction, only BR_MIS_PRED and its cost are wanted */
	bool buffer_shows;   /* whether the BTB holds a branch affects its direction or its time, or that of
				later samples */
	bool shadows;        /* a cancelled fetch counts in the instruction cache */
	bool fast_access;    /* unconditional accesses may take the fast path of fast/access.h */
	bool ahead;          /* unconditional accesses are counted at block entry */
	bool unconditional;  /* wanted: counts that unconditional accesses add to */
	uint8_t first_half;  /* low four bits of the address of the instruction's first vector of 128 bits,
				where QEMU reports it in halves */
	uint64_t next_check; /* clock (out of order: window.now) of the next check of the cycle bounds
				(cycle_bounds.c); UINT64_MAX: none */
	uint64_t fetched;    /* in order, with queue_cycles: clock from which the current block's first
				instruction could issue, as far as fetch is concerned */
	uint64_t taken_last; /* nano BTB: address of the last branch that was taken and correctly predicted */
	uint32_t queue_cycles; /* in order, the most cycles that fetch runs ahead; 0: no fetch queue */
	uint64_t forgone;      /* cycles of slack below the bound that later blocks may no longer use
				  (cycle_bounds.c) */
	/* Where a broken bound is reported; NULL: nowhere, and then `next_check` is UINT64_MAX. */
	struct apmu_uarch_violation *violation;
	uint64_t epoch; /* 1 + the number of lines and pages filled on the fetch side, and of invalidations */
	struct apmu_uarch__hint dpage; /* data page translated last by a look-up; a hint, so that fast paths
					  can read it as one */
	struct apmu_uarch__memory memory;
	struct apmu_uarch__window *window; /* NULL: in order, or without time */
	struct apmu_uarch__recent
		*recent; /* [APMU_UARCH__RECENT] recent stores; NULL: no store-to-load forwarding */
	struct apmu_uarch__untimed untimed;
	struct apmu_uarch__run run;
	struct apmu_uarch__outside outside;
	uint64_t walk_cycles;               /* of the last table walk */
	uint64_t fetch_mask;                /* bytes of one fetch, less one */
	struct apmu_uarch__arrival *arrive; /* [L1D slots] arrival of prefetched lines */
	struct apmu_uarch__streams streams;
	struct apmu_uarch__code_ahead code_ahead;
	struct apmu_uarch__code_next code_next;
	struct apmu_uarch__span span[APMU_UARCH__SPANS];
	struct apmu_uarch__cache l1d, dtlb, l1i, itlb, mini, walks;
	struct apmu_uarch__cache mop; /* MOP cache; tag NULL: none, or without time */
	struct apmu_uarch__packed tlb;
	struct apmu_uarch__spaces *spaces; /* spaces.h; NULL: there is one address space */
	struct apmu_uarch__level *level[2], own[2];
	struct apmu_shared *shared; /* the levels that threads share; NULL: all levels are the thread's own */
	struct apmu_uarch__peer *joins, *peer; /* coherence.h: allocated at creation; in use since the threads
						  became coherent, before that NULL */
	struct apmu_uarch__port port[2];       /* [0] instructions, [1] data */
	unsigned levels;
	unsigned bus_level;  /* the bus is above this level: L3, without one memory (`levels`) */
	uint8_t lower_shift; /* from an address to a line of the next level */
	uint8_t bus_shift;   /* from an address to a beat of the bus; valid if bus_shifts */
	bool bus_shifts;     /* the bus width is a power of two */
	uint16_t beats[APMU_UARCH__REQUESTS];
	uint16_t latency[APMU_UARCH__PLACES], line_fill[APMU_UARCH__PLACES];
	uint16_t line_write; /* of memory, cycles */
	struct apmu_uarch__controls controls;
	struct apmu_uarch__btb btb;
	struct apmu_uarch__direction direction;
	struct apmu_uarch__target *targets; /* [targets_mask + 1]; NULL: no target buffer */
	uint64_t targets_mask, path, path_mask;
	struct apmu_uarch__return_stack stack;
	struct apmu_uarch_params p;
};

/* In order, time passes without issue: the slots of so many cycles stay empty, for the reason `why`
 * (SLOT_FRONT, SLOT_BACK). The negative cycles of a folded branch leave none empty. */
static inline void apmu_uarch__idle(struct apmu_uarch *u, int64_t cycles, enum apmu_signal why)
{
	if (u->ops && cycles > 0)
		u->n[why] += (uint64_t)cycles * u->p.width;
}

/* Time passes without issue or dispatch; `why` as in apmu_uarch__idle(). */
static inline void apmu_uarch__pass_time(struct apmu_uarch *u, uint64_t cycles, enum apmu_signal why)
{
	if (u->window) {
		apmu_uarch__window_starve(u, cycles, why);
		return;
	}
	u->clock += cycles;
	u->n[APMU_SIG_CYCLES] += cycles;
	apmu_uarch__idle(u, (int64_t)cycles, why);
}

static inline void apmu_uarch__wait(struct apmu_uarch *u, uint64_t cycles)
{
	apmu_uarch__pass_time(u, cycles, APMU_SIG_SLOT_BACK);
}

static inline void apmu_uarch__wait_for_code(struct apmu_uarch *u, uint64_t cycles)
{
	apmu_uarch__pass_time(u, cycles, APMU_SIG_SLOT_FRONT);
}

/* True if an access of instruction `number` need not settle anything first: no instruction up to it waits for
 * a load, and no miss in flight counts. `busy`: all ones if misses in flight matter to each access, else 0.
 */
static inline bool apmu_uarch__unhindered(const struct apmu_uarch__memory *m, unsigned busy, uint32_t number)
{
	return (((m->pendings | m->mshrs) & busy) == 0) & (m->user > number);
}

/* In order: the cycle in which instruction i of the current block issues; 0 without time. */
static inline uint64_t apmu_uarch__position(const struct apmu_uarch *u, const struct apmu_block *b,
					    unsigned i)
{
	return b->schedule ? u->clock - b->cycles + b->schedule[i].issue : 0;
}

/* Notes the address of a half of a vector of 128 bits (struct apmu_uarch__step.quads) if it is the
 * instruction's first access; returns true for a second half. Vectors of one instruction follow one another.
 * To be called before u->last is set to the half. */
static inline bool apmu_uarch__note_half(struct apmu_uarch *u, unsigned i, uint64_t addr, bool store)
{
	if (u->last.key != i * 2 + store) /* the first access of the instruction */
		u->first_half = addr & 15;
	return (addr & 15) != u->first_half;
}

/* controls.c: called when the machine is made. */
void apmu_uarch__controls_init(struct apmu_uarch *u);

/* leave.c: the empty block that a machine is in before its first block and after a break. */
extern const struct apmu_block apmu_uarch__nowhere;

/* cycle_bounds.c: called at a block's end, when the clock has reached u->next_check. */
void apmu_uarch__check_cycles(struct apmu_uarch *u, const struct apmu_block *b);

/* uarch.c: the general path of apmu_uarch_enter(). */
void apmu_uarch__enter_any(struct apmu_uarch *u, const struct apmu_block *b);

/* fast_inputs.c: called when all else of the machine is made, and after each change of struct
 * apmu_uarch__controls. */
void apmu_uarch__fast_init(struct apmu_uarch *u);

/* data.c: the general path of an access. access_report.c: of an access of vector registers. */
void apmu_uarch__access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			    unsigned size, bool store);
void apmu_uarch__access_vector(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			       unsigned size, bool store);

/* fast/, or plain.c: the fast path that enters the machine's blocks, valid until struct apmu_uarch__controls
 * changes; the inputs of the fast path of unconditional accesses, filled after struct
 * apmu_uarch__fast_inputs. */
enum apmu_uarch__fast_path apmu_uarch__fast_path_of(const struct apmu_uarch *u);
void apmu_uarch__fast_access_init(struct apmu_uarch *u);

/* The number of elements of b->count[] that the machine adds when it enters the block. */
static inline uint32_t apmu_uarch__counts_of(const struct apmu_uarch *u, const struct apmu_block *b)
{
	return u->ahead ? b->counts_unconditional : b->counts;
}

/* retract.c: subtracts from `n` what the block's instructions `from` to `to` - 1 count. */
void apmu_uarch__uncount(const struct apmu_uarch *u, uint64_t *n, const struct apmu_block *b, uint32_t from,
			 uint32_t to);

/* carry.c: the signal of a stall of instruction i for register r. */
enum apmu_signal apmu_uarch__interlock(const struct apmu_block *b, uint32_t i, unsigned r);

/* How long a block waits at its begin for what the previous block left. */
struct apmu_uarch__carried {
	uint32_t cycles, operand; /* in all; for operands, without what busy pipes add to that */
	unsigned what;            /* the register that is waited for longest */
};

/* carry.c: counts that, but for CYCLES, as far as it is wanted. */
void apmu_uarch__count_carried(struct apmu_uarch *u, const struct apmu_block *b,
			       struct apmu_uarch__carried c);

/* Cycles beyond issue of a taken branch that the BTB holds and that was correctly predicted; -1: the branch
 * is dispatched together with the previous one. */
static inline int apmu_uarch__taken_cost(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__btb *t = &u->btb;
	if (t->open & b->always)
		return -1;
	return !t->near ? b->cost[1] : t->cost[apmu_uarch__btb_level(t, &t->entry[b->entry])];
}

/* branch.c: counts that the pipeline is fetched anew. */
void apmu_uarch__count_refetch(struct apmu_uarch *u, unsigned cycles);

/* branch.c: resolves the branch at the end of `b`, which went to `next`. Returns the cycles that it cost
 * beyond its issue; -1 if it was folded or dispatched together with the previous branch. */
int apmu_uarch__branch(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next);

/* branch.c: apmu_uarch__branch() for a block with `learns`, after the direction predictor has learnt;
 * `predicted` is its prediction. */
int apmu_uarch__branch_learnt(struct apmu_uarch *u, const struct apmu_block *b, bool taken, bool predicted);

/* True if data accesses are not cacheable at present. */
static inline bool apmu_uarch__data_outside(const struct apmu_uarch *u)
{
	return u->controls.memory >= APMU_MEMORY_UNCACHED || !(u->controls.on & APMU_ON_DCACHE);
}

/* decode.c: decodes the pieces of the block that the MOP cache lacks and puts them in; returns how many
 * instructions that were. */
uint32_t apmu_uarch__decode_some(struct apmu_uarch *u, const struct apmu_block *b);

static inline uint32_t apmu_uarch__decode(struct apmu_uarch *u, const struct apmu_block *b)
{
	uint64_t first = b->addr >> APMU_UARCH__MOP_SHIFT, last = (b->end - 1) >> APMU_UARCH__MOP_SHIFT;

	if (last - first <= 1 && apmu_uarch__cache_knows(&u->mop, first) &&
	    apmu_uarch__cache_knows(&u->mop, last))
		return 0;
	return apmu_uarch__decode_some(u, b);
}

/* fetch.c: fetches the block from memory, past the cache. */
void apmu_uarch__fetch_outside(struct apmu_uarch *u, const struct apmu_block *before,
			       const struct apmu_block *b);

/* fetch.c: fetches the block's lines; `watch` (or NULL) looks after each. */
void apmu_uarch__fetch_lines(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch);

/* Fetches lines that are known to be in the cache, on the page translated last. */
static inline void apmu_uarch__fetch_known(struct apmu_uarch *u, const struct apmu_block *b)
{
	if (u->l1i.ordered) {
		if (b->line != u->iline)
			apmu_uarch__cache_hit(&u->l1i, b->line);
		if (b->last_line != b->line)
			apmu_uarch__cache_hit(&u->l1i, b->last_line);
	}
	u->iline = b->last_line;
}

/* Translates a page of code through an entry that is known to be present. Returns false, having done nothing,
 * if no entry is. */
static inline bool apmu_uarch__page_fetched(struct apmu_uarch *u, uint64_t page)
{
	const struct apmu_uarch__hint *h = &u->itlb.hint[page & u->itlb.hint_mask];

	if (page == u->ipage)
		return true;
	if (!u->no_itlb && h->line != page)
		return false;
	if (!u->no_itlb && u->itlb.ordered) {
		u->itlb.slot = h->slot;
		apmu_uarch__cache_touch(&u->itlb, page);
	}
	u->ipage = page;
	return true;
}

/* Fetches the block's lines, after those of the previous block. The quick way serves a block that is
 * neither `rare` nor `wide` and whose lines and page are known to be present. */
static inline __attribute__((always_inline)) void apmu_uarch__fetch(struct apmu_uarch *u,
								    const struct apmu_block *before,
								    const struct apmu_block *b,
								    struct apmu_watch *watch)
{
	uint64_t line = b->line;
	if (u->entry_counts & APMU_UARCH__ENTRY_UNCACHED_CODE) {
		apmu_uarch__fetch_outside(u, before, b);
		return;
	}
	if (u->entry_counts & APMU_UARCH__ENTRY_FETCHES) {
		bool goes_on = (before->end == b->addr) & ((b->addr & u->fetch_mask) != 0);
		u->n[APMU_SIG_L1I_ACCESS] += b->fetches - goes_on;
	}
	if ((line == u->iline) & (b->last_line == line))
		return;
	if (!watch && !(b->rare | b->wide) && apmu_uarch__cache_knows(&u->l1i, line) &&
	    apmu_uarch__cache_knows(&u->l1i, b->last_line) && apmu_uarch__page_fetched(u, b->page))
		apmu_uarch__fetch_known(u, b);
	else
		apmu_uarch__fetch_lines(u, b, watch);
}

/* apmu_uarch__branch(), inline where the predictor's tables hold the branch. */
static inline __attribute__((always_inline)) int
apmu_uarch__resolve(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next)
{
	const struct apmu_uarch__btb_entry *e = &u->btb.entry[b->entry];
	bool taken = !b->conditional || next != b->end;
	if (u->entry_counts & APMU_UARCH__ENTRY_BRANCH_KINDS)
		apmu_uarch__count_branch_kind(u->n, b, taken);
	if (b->learns & u->predicts) {
		bool back = b->target <= b->branch;
		bool wrong = apmu_uarch__direction_quick(&u->direction, b->branch, back, taken) != taken;
		if (((taken | wrong) & (e->tag != b->branch)) | (wrong & !u->flush_is_plain))
			return apmu_uarch__branch_learnt(u, b, taken, taken ^ wrong);
		u->n[APMU_SIG_PC_CHANGE] += taken;
		u->n[APMU_SIG_BR_MIS_PRED] += wrong;
		if (wrong)
			return u->p.mispredict;
		return taken ? apmu_uarch__taken_cost(u, b) : b->cost[0];
	}
	if (!b->plain || e->tag != b->branch || e->counter != (taken ? 3 : 0))
		return apmu_uarch__branch(u, b, next);
	u->n[APMU_SIG_PC_CHANGE] += taken;
	return taken ? apmu_uarch__taken_cost(u, b) : b->cost[0];
}

/* fetch.c: a cancelled fetch of `addr` by an instruction in the line of `from`. */
void apmu_uarch__fetch_shadow(struct apmu_uarch *u, uint64_t addr, uint64_t from);

/* True if the address lies in the window. */
static inline bool apmu_uarch__inside(const struct apmu_window *w, uint64_t addr)
{
	return addr - w->base < w->size;
}

/* What served a first-level TLB miss: the main TLB, a walk of the tables, or (ONLY) neither, as no main TLB
 * runs. */
enum apmu_uarch__refill { APMU_UARCH__REFILL_ONLY, APMU_UARCH__REFILL_MAIN, APMU_UARCH__REFILL_WALK };

/* refill_cycles(): cycles until the translation is there. refill_stall(): those of them that the stall events
 * show. */
static inline uint64_t apmu_uarch__refill_cycles(const struct apmu_uarch *u, enum apmu_uarch__refill r)
{
	return r == APMU_UARCH__REFILL_WALK   ? u->walk_cycles
	       : r == APMU_UARCH__REFILL_MAIN ? u->p.tlb_hit
					      : 0u;
}

static inline uint64_t apmu_uarch__refill_stall(const struct apmu_uarch *u, enum apmu_uarch__refill r)
{
	return r == APMU_UARCH__REFILL_WALK && !u->p.walk_stalls ? 0 : apmu_uarch__refill_cycles(u, r);
}

/* needs.c: the units and details that one signal needs, and that all wanted signals need (spec/signals.sig);
 * the units that then run on a core. */
uint32_t apmu_uarch__needs_of(unsigned signal);
uint32_t apmu_uarch__asked(const uint64_t wanted[APMU_SIGNAL_WORDS]);
uint32_t apmu_uarch__units(const struct apmu_uarch_params *p, uint32_t asked);

/* shared_levels.c: called after the caches of the first level are made. Returns 0 or APMU_ENOMEM. */
int apmu_uarch__levels_init(struct apmu_uarch *u);
/* shared_levels.c: switches to that many levels. */
void apmu_uarch__levels_set(struct apmu_uarch *u, unsigned levels);
void apmu_uarch__levels_free(struct apmu_uarch *u);

/* lower_levels.c: lower_read() reads a line for L1 instruction or a table walk. lower_store() writes a store
 * around L1. lower_fill() puts a line into a first-level data cache, at `c->slot`, and writes its victim
 * back. */
enum apmu_uarch__at apmu_uarch__lower_read(struct apmu_uarch *u, uint64_t addr,
					   enum apmu_uarch__request request);
/* Reads a line into L2 alone, unless L2 has it, is exclusive or absent; true: *at is where it came from. */
bool apmu_uarch__lower_ahead(struct apmu_uarch *u, uint64_t addr, enum apmu_uarch__at *at);
void apmu_uarch__lower_store(struct apmu_uarch *u, uint64_t addr, uint64_t last, enum apmu_uarch__stored how);
enum apmu_uarch__at apmu_uarch__lower_fill(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t line,
					   enum apmu_uarch__request request);

/* prefetch.c: instruction i of the block missed L1 data in `line` at `now`, or was the first to use a
 * prefetched line. */
void apmu_uarch__prefetch(struct apmu_uarch *u, unsigned i, uint64_t line, uint64_t now);

/* prefetch.c: the prefetcher requests, at `now`, the line for this slot of L1 data. */
void apmu_uarch__request_prefetch(struct apmu_uarch *u, uint32_t slot, enum apmu_uarch__at at, uint64_t now);

/* memory.c */
uint64_t apmu_uarch__read_bus(struct apmu_uarch *u, uint64_t now,
			      enum apmu_uarch__at at); /* cycles until the data of a line from `at` arrive */
uint64_t apmu_uarch__read_for_prefetch(struct apmu_uarch *u, uint64_t now,
				       enum apmu_uarch__at at); /* for a prefetch: cycles to its data */
void apmu_uarch__read_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line,
			   enum apmu_uarch__at at); /* a load miss */
void apmu_uarch__late_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t cycles,
			   enum apmu_uarch__late_reason why);
void apmu_uarch__write_out(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line);
void apmu_uarch__drain(struct apmu_uarch *u);
void apmu_uarch__free_mshrs(struct apmu_uarch__memory *m,
			    uint64_t now);                   /* drops the reads that have arrived */
void apmu_uarch__arrive(struct apmu_uarch *u, uint64_t now); /* free_mshrs(), in order: also restores hints */
void apmu_uarch__wait_no_more(struct apmu_uarch__memory *m); /* drops all pending loads */
/* In order, watched: attributes what was counted since the last look to instruction i of `b` (the current
 * block or the previous one), which waits for loads of the registers `regs`. */
void apmu_uarch__attribute_wait(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t regs);
/* In order: settle_waits() stalls for the pending loads that instructions up to `user` use. settle_ahead()
 * also drops the reads that have arrived by then. */
void apmu_uarch__settle_waits(struct apmu_uarch *u, const struct apmu_block *b, uint32_t user);
void apmu_uarch__settle_ahead(struct apmu_uarch *u, const struct apmu_block *b, uint32_t user);
void apmu_uarch__adopt(struct apmu_uarch *u, const struct apmu_block *b); /* finds the users in a new block */

/* carry.c: how long `b` stalls at its begin for results and pipes of the previous block, which ended at
 * `end`, beyond the `gap` cycles between the two (negative if a branch was folded). What `b` needs later, or
 * a later block needs, becomes a pending. */
struct apmu_uarch__carried apmu_uarch__carry(struct apmu_uarch *u, const struct apmu_block *before,
					     const struct apmu_block *b, uint64_t end, int64_t gap);

/* carry.c: the first instruction of `b` that stalls so. */
uint32_t apmu_uarch__carrier(const struct apmu_block *before, const struct apmu_block *b);

/* carry.c: adopt_result() finds the instruction of this block that needs a pending which is no load; false:
 * no instruction will. hold(): the block stalls for `cycles` at instruction `user`, so that long results of
 * earlier instructions come that much less late. */
bool apmu_uarch__adopt_result(const struct apmu_block *b, struct apmu_uarch__pending *p);
void apmu_uarch__hold(struct apmu_uarch__memory *m, const struct apmu_block *b, uint32_t user,
		      uint64_t cycles);
#endif
