/* SPDX-License-Identifier: MIT */
/**
 * A thread's machine: the units, and which of them run.
 *
 * Time: `clock` is when the current block will have issued its last instruction, as far as is known; a stall
 * pushes it out. The position of an instruction is therefore clock - block->cycles + step->issue.
 */
#ifndef APMU_UARCH_MACHINE_H
#define APMU_UARCH_MACHINE_H

#include "uarch/block.h"
#include "uarch/cache.h"
#include "uarch/direction.h"
#include "uarch/fast_inputs.h"
#include "uarch/flights.h"
#include "uarch/predictor.h"
#include "uarch/return_stack.h"
#include "uarch/shared_levels.h"
#include "uarch/streams.h"
#include "uarch/window.h"

/* Units, bits of apmu_uarch.units; and APMU_UARCH__MORE_..., what they report beyond what moves other counts.
 */
#include "uarch/gen/units.inc"
#define APMU_UARCH__UNITS (APMU_UARCH__ENTRY_COUNTS - 1u)

/* Bits of apmu_uarch.more: what entering a block counts beyond its instructions; code is fetched past the
 * cache. */
#define APMU_UARCH__MORE                                                                      \
	(APMU_UARCH__ENTRY_COUNTS | APMU_UARCH__ENTRY_FETCHES | APMU_UARCH__ENTRY_PC_CHANGE | \
	 APMU_UARCH__ENTRY_BRANCH_KINDS | APMU_UARCH__ENTRY_OPS)
#define APMU_UARCH__ENTRY_UNCACHED_CODE 0x80000000u

/* What is known of the line of a store that L1 does not take. */
enum apmu_uarch__stored {
	APMU_UARCH__STORE_PART,  /* the store alone */
	APMU_UARCH__STORE_WHOLE, /* it will be written whole */
	APMU_UARCH__STORE_STREAM /* so will many: the levels below do not take it either */
};

/* What a level counts as what. */
struct apmu_uarch__level_signals {
	uint16_t read[APMU_UARCH__WHYS],
		fill[APMU_UARCH__WHYS]; /* look-ups, misses; by enum apmu_uarch__why */
	uint16_t write, write_back, allocate, hit_write, modified_read, modified_write;
};

/* The lines that a slave port of an L210 has read last. */
#define APMU_UARCH__PORT_LINES 8
struct apmu_uarch__port {
	uint64_t line[APMU_UARCH__PORT_LINES]; /* plus one; 0: empty */
	uint8_t next;
};

/* The store that passed L1 by last. */
struct apmu_uarch__outside {
	uint64_t line, beat;
	bool to_memory;
	unsigned
		read; /* enum apmu_uarch__at and 1: a level below reads the line for it from there; 0: none */
};

/* Store misses that each begin the line after the last. */
struct apmu_uarch__run {
	uint64_t line;
	uint8_t length;
	bool on; /* stores pass L1 by */
};

/* Where an indirect branch went last; tag: its address, 0: empty. */
struct apmu_uarch__target {
	uint64_t tag, target;
};

/* The instruction that accessed last, and where. */
struct apmu_uarch__last {
	uint64_t line;
	uint32_t key;        /* instruction * 2 + store, in this execution of the block; APMU_UARCH__NO_KEY */
	bool external_store; /* the last access was a store that went outside */
};
#define APMU_UARCH__NO_KEY UINT32_MAX

/* What the current access met with beyond a hit, for apmu_uarch_access_report(). */
struct apmu_uarch__access_result {
	uint8_t at;     /* enum apmu_uarch__at and 1; 0: L1 */
	uint8_t refill; /* enum apmu_uarch__refill and 1 */
	bool modified;  /* the line came from another thread's first level, which had it modified */
	uint32_t cycles;
};

/* What the program's control registers and page tables say (world.c), and what there is when all is on. */
struct apmu_uarch__world {
	uint32_t on;    /* APMU_ON_... */
	uint8_t memory; /* enum apmu_memory: of the data */
	uint8_t code;   /* ... of the code */
	uint32_t units, entry_counts;
	unsigned levels;
	uint8_t returns, streams;
	bool predict, by_rule, windows, plain;
};

struct apmu_uarch {
	/* The first 64 bytes, a line of the host's cache: what entering a block by a fast path looks at. */
	_Alignas(64) uint64_t *n;       /* the tally */
	const struct apmu_block *block; /* current; never NULL */
	uint64_t iline, ipage;          /* fetched last; translated last by a look-up */
	uint64_t clock;
	uint32_t units;
	uint32_t entry_counts; /* bits of enum apmu_uarch__entry_counts */
	struct apmu_uarch__last last;

	struct apmu_watch *watch; /* gets the stalls; NULL: nobody watches */
	bool exclusives;          /* whether store-exclusives store is wanted */
	bool predicts;            /* the predictors run */
	bool ops;                 /* micro-operations are wanted */
	bool waits;               /* dispatch stalls of the window are wanted */
	bool causes;              /* causes of dispatch stalls beside memory are wanted */
	bool fronts;              /* out of order, what a branch costs the fetch side is wanted */
	bool vectors;             /* accesses of vector registers are wanted apart */
	bool large;               /* pages of more than 64 KiB */
	bool windows;             /* some address range is special */
	bool no_itlb;             /* the instruction micro-TLB is not modelled */
	bool no_fetch;            /* neither micro-TLB nor cache are modelled on the fetch side */
	uint8_t page_lines;       /* of an instruction line's number to its page's */
	bool plain_fetch;         /* a hit of cache and micro-TLB on the fetch side changes nothing */
	struct apmu_uarch__access_result result;
	struct apmu_uarch__fast_inputs data;
	struct apmu_uarch__fast_access unconditional_access;
	uint32_t variant; /* bits of enum apmu_uarch__variant */
	enum apmu_uarch__fast_path fast_path;
	bool flush_is_plain; /* of a misprediction only BR_MIS_PRED and its cost are wanted */
	bool buffer_shows;   /* whether the BTB holds a branch makes a difference: to a direction, to time */
	bool shadows;        /* a fetch that is cancelled shows in the instruction cache */
	bool fast_access;    /* unconditional accesses may take the fast path of access.c */
	bool ahead;          /* unconditional accesses are counted at block entry */
	bool unconditional;  /* counts of unconditional accesses are wanted */
	uint64_t look;    /* clock, out of order window.now, from which on it may break the law of laws.c */
	uint64_t fetched; /* clock from which on the current block's first instruction could issue, as fetch
			   * goes; with queue_cycles */
	uint64_t taken_last;              /* nano BTB: address of the branch last taken and predicted right */
	uint32_t queue_cycles;            /* in order, cycles that fetch runs ahead at most; 0: it does not */
	uint64_t forgone;                 /* cycles of overlap that nobody may use up any more */
	struct apmu_uarch_breach *breach; /* where that is reported; `look` is never if it is not */
	uint64_t epoch;                   /* lines and pages brought in on the fetch side, and 1 */
	struct apmu_uarch__hint dpage;    /* likewise; in a hint, for who looks into hints */
	struct apmu_uarch__memory memory;
	struct apmu_uarch__window *window; /* out of order and timed; else NULL */
	struct apmu_uarch__recent
		*recent; /* [APMU_UARCH__RECENT]; NULL: no load takes its data from a store */
	struct apmu_uarch__run run;
	struct apmu_uarch__outside outside;
	uint64_t walk_cycles;               /* of the last walk */
	uint64_t fetch_mask;                /* bytes of a fetch look-up, less one */
	struct apmu_uarch__arrival *arrive; /* [L1D slots] of prefetched lines */
	struct apmu_uarch__streams streams;
	struct apmu_uarch__span span[APMU_UARCH__SPANS];
	struct apmu_uarch__cache l1d, dtlb, l1i, itlb, mini, walks;
	struct apmu_uarch__cache mop; /* tag NULL: none, or no time */
	struct apmu_uarch__sets tlb;
	struct apmu_uarch__spaces *spaces; /* spaces.h; NULL: there is one */
	struct apmu_uarch__level *level[2], own[2];
	struct apmu_shared *shared; /* what they are in as far as they are not its own; NULL: all are */
	struct apmu_uarch__peer *joins, *peer; /* coherence.h: what is ready; NULL: alone so far */
	struct apmu_uarch__port port[2];       /* instructions, data */
	unsigned levels;
	uint8_t lower_shift; /* of an address to a line of the next level */
	uint8_t bus_shift;   /* likewise to a beat of the bus ... */
	bool bus_shifts;     /* ... if its width is a power of two */
	uint16_t beats[APMU_UARCH__WHYS];
	uint16_t latency[APMU_UARCH__PLACES], line_fill[APMU_UARCH__PLACES];
	uint16_t line_write; /* of memory */
	struct apmu_uarch__world world;
	struct apmu_uarch__btb btb;
	struct apmu_uarch__direction direction;
	struct apmu_uarch__target *targets; /* NULL: none */
	uint64_t targets_mask, path, path_mask;
	struct apmu_uarch__return_stack stack;
	struct apmu_uarch_params p;
};

/* In order, time passes with nothing issued: the slots of so many cycles stay empty, for that reason
 * (SLOT_FRONT, SLOT_BACK). A folded branch takes a cycle back, and none of them. */
static inline void apmu_uarch__idle(struct apmu_uarch *u, int64_t cycles, enum apmu_signal why)
{
	if (u->ops && cycles > 0)
		u->n[why] += (uint64_t)cycles * u->p.width;
}

/* Time passes with nothing issued, or dispatched; `why` as above. */
static inline void apmu_uarch__pass_time(struct apmu_uarch *u, uint64_t cycles, enum apmu_signal why)
{
	if (u->window) {
		apmu_uarch__window_starve(u, cycles);
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

/* Nothing is waited for by an access of that instruction. */
static inline bool apmu_uarch__unhindered(const struct apmu_uarch__memory *m, unsigned busy, uint32_t number)
{
	return (((m->pendings | m->flights) & busy) == 0) & (m->turn > number);
}

/* When an instruction of the current block issues; in order. */
static inline uint64_t apmu_uarch__issues(const struct apmu_uarch *u, const struct apmu_block *b,
					  const struct apmu_uarch__step *s)
{
	return u->clock - b->cycles + s->issue;
}

static inline uint64_t apmu_uarch__position(const struct apmu_uarch *u, const struct apmu_block *b,
					    unsigned i)
{
	return u->window ? u->clock : apmu_uarch__issues(u, b, &b->step[i]);
}

/* world.c: when the machine is made. */
void apmu_uarch__world_init(struct apmu_uarch *u);

/* leave.c: where a machine is before its first block, and after a break. */
extern const struct apmu_block apmu_uarch__nowhere;

/* laws.c: from u->look on, at a block's end. */
void apmu_uarch__look_at_time(struct apmu_uarch *u, const struct apmu_block *b);

/* uarch.c: the general path of apmu_uarch_enter(). */
void apmu_uarch__enter_any(struct apmu_uarch *u, const struct apmu_block *b);

/* fast_inputs.c: last, when all else of the machine is made. */
void apmu_uarch__fast_init(struct apmu_uarch *u);

/* data.c: every case of an access; access_report.c: of vector registers. */
void apmu_uarch__access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			    unsigned size, bool store);
void apmu_uarch__access_vector(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			       unsigned size, bool store);

/* fast/, or plain.c: the machine's fast path of block entry, valid until struct apmu_uarch__world changes;
 * what its fast path of unconditional accesses looks at, after struct apmu_uarch__fast_inputs. */
enum apmu_uarch__fast_path apmu_uarch__fast_path_of(const struct apmu_uarch *u);
void apmu_uarch__fast_access_init(struct apmu_uarch *u);

/* How many of b->count[] the machine adds when it enters the block. */
static inline uint32_t apmu_uarch__counts_of(const struct apmu_uarch *u, const struct apmu_block *b)
{
	return u->ahead ? b->counts_unconditional : b->counts;
}

/* retract.c: takes out of `n` what the block's instructions from the from-th to before the to-th count. */
void apmu_uarch__uncount(const struct apmu_uarch *u, uint64_t *n, const struct apmu_block *b, uint32_t from,
			 uint32_t to);

/* A block's first instructions wait so many cycles for operands of the block before. */
static inline void apmu_uarch__count_carried(struct apmu_uarch *u, uint64_t cycles)
{
	u->n[APMU_SIG_DATA_STALL] += cycles;
	u->n[APMU_SIG_STALL_DEP_OTHER] += cycles;
	apmu_uarch__idle(u, (int64_t)cycles, APMU_SIG_SLOT_BACK);
}

/* What a branch costs that went as predicted and that the buffer has. -1: it comes with the one before. */
static inline int apmu_uarch__goes(struct apmu_uarch *u, const struct apmu_block *b)
{
	struct apmu_uarch__btb *t = &u->btb;
	if (t->open & b->always)
		return -1;
	return !t->near ? b->cost[1] : t->cost[apmu_uarch__btb_level(t, &t->entry[b->entry])];
}

/* branch.c: the branch at the end of `b` went to `next`. Cycles it cost beyond its issue; -1 when folded, or
 * when it comes with the branch before. */
int apmu_uarch__branch(struct apmu_uarch *u, const struct apmu_block *b, uint64_t next);

/* ... of a block that learns, by what was predicted, which has been learnt already. */
int apmu_uarch__branch_learnt(struct apmu_uarch *u, const struct apmu_block *b, bool taken, bool predicted);

/* Are data not cacheable as things stand? */
static inline bool apmu_uarch__data_outside(const struct apmu_uarch *u)
{
	return u->world.memory >= APMU_MEMORY_UNCACHED || !(u->world.on & APMU_ON_DCACHE);
}

/* decode.c: the block's pieces that the MOP cache has not are decoded and put in; of how many instructions.
 */
uint32_t apmu_uarch__decode_some(struct apmu_uarch *u, const struct apmu_block *b);

static inline uint32_t apmu_uarch__decode(struct apmu_uarch *u, const struct apmu_block *b)
{
	uint64_t first = b->addr >> APMU_UARCH__MOP_SHIFT, last = (b->end - 1) >> APMU_UARCH__MOP_SHIFT;

	if (last - first <= 1 && apmu_uarch__cache_knows(&u->mop, first) &&
	    apmu_uarch__cache_knows(&u->mop, last))
		return 0;
	return apmu_uarch__decode_some(u, b);
}

/* fetch.c: the block comes from memory, past the cache. */
void apmu_uarch__fetch_outside(struct apmu_uarch *u, const struct apmu_block *before,
			       const struct apmu_block *b);

/* fetch.c: a line that is not the one fetched last. */
void apmu_uarch__fetch_line(struct apmu_uarch *u, uint64_t line);

/* fetch.c: the block's lines; `watch` (or NULL) looks after each. */
void apmu_uarch__fetch_lines(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch);

/* Lines that are known to be there, on the page fetched last. */
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

/* Translates code by an entry that is known to be there. False: none is, and nothing was done. */
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

/* The block's lines are fetched after those of the block before. Short where it has one, and translation and
 * cache hit. */
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
		return taken ? apmu_uarch__goes(u, b) : b->cost[0];
	}
	if (!b->plain || e->tag != b->branch || e->counter != (taken ? 3 : 0))
		return apmu_uarch__branch(u, b, next);
	u->n[APMU_SIG_PC_CHANGE] += taken;
	return taken ? apmu_uarch__goes(u, b) : b->cost[0];
}

/* fetch.c: a fetch of `addr` that is cancelled, seen from the line of `from`. */
void apmu_uarch__fetch_shadow(struct apmu_uarch *u, uint64_t addr, uint64_t from);

/* Is the address in a window? */
static inline bool apmu_uarch__inside(const struct apmu_window *w, uint64_t addr)
{
	return addr - w->base < w->size;
}

/* tlb.c: a first-level miss that the main TLB serves, or a walk of the tables; where no main TLB runs,
 * neither. */
enum apmu_uarch__refill { APMU_UARCH__REFILL_ONLY, APMU_UARCH__REFILL_MAIN, APMU_UARCH__REFILL_WALK };

/* Cycles until the translation is there; of these, what shows in the stall events. */
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

/* needs.c: units and details that a signal, that these signals need (spec/signals.sig). Of those, the units
 * that run. */
uint32_t apmu_uarch__needs_of(unsigned signal);
uint32_t apmu_uarch__asked(const uint64_t wanted[APMU_SIGNAL_WORDS]);
uint32_t apmu_uarch__units(const struct apmu_uarch_params *p, uint32_t asked);

/* shared_levels.c: after the caches of the first level. 0 or APMU_ENOMEM. */
int apmu_uarch__levels_init(struct apmu_uarch *u);
void apmu_uarch__levels_free(struct apmu_uarch *u);

/* lower_levels.c: a line for L1 instruction or a table walk; a store that L1 does not take; a line for a data
 * cache of the first level, into `c->slot`, with what it puts out. */
enum apmu_uarch__at apmu_uarch__lower_read(struct apmu_uarch *u, uint64_t addr, enum apmu_uarch__why why);
void apmu_uarch__lower_store(struct apmu_uarch *u, uint64_t addr, enum apmu_uarch__stored how);
enum apmu_uarch__at apmu_uarch__lower_fill(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t line,
					   enum apmu_uarch__why why);

/* prefetch.c: in `line`, L1 data was missed by the i-th instruction of the block, at `now`, or it used a line
 * for the first time that the prefetcher had brought. */
void apmu_uarch__prefetch(struct apmu_uarch *u, unsigned i, uint64_t line, uint64_t now);

/* ... at `now` the prefetcher asks for the line that is to be in this slot of L1 data. */
void apmu_uarch__ask_ahead(struct apmu_uarch *u, uint32_t slot, enum apmu_uarch__at at, uint64_t now);

/* memory.c */
uint64_t apmu_uarch__read_bus(struct apmu_uarch *u, uint64_t now,
			      enum apmu_uarch__at at); /* a line from there: cycles to its data */
uint64_t apmu_uarch__read_for_ahead(struct apmu_uarch *u, uint64_t now,
				    enum apmu_uarch__at at); /* ... that the prefetcher asks for */
void apmu_uarch__read_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line,
			   enum apmu_uarch__at at); /* load miss */
void apmu_uarch__late_data(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t cycles,
			   enum apmu_uarch__waiting why);
void apmu_uarch__write_out(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line);
void apmu_uarch__drain(struct apmu_uarch *u);
void apmu_uarch__land(struct apmu_uarch__memory *m, uint64_t now); /* drops the reads that have arrived */
void apmu_uarch__arrive(struct apmu_uarch *u,
			uint64_t now); /* likewise in order: what has come gets its hint */
void apmu_uarch__wait_no_more(struct apmu_uarch__memory *m); /* no pendings */
/* In order, watched: what has been counted since the last look is a wait of instruction i of `b`, the current
 * block or the one before, for what these registers are loaded with. */
void apmu_uarch__attribute_wait(struct apmu_uarch *u, const struct apmu_block *b, uint32_t i, uint64_t regs);
/* Users up to instruction `turn` wait; then, what they waited for has come. */
void apmu_uarch__settle_waits(struct apmu_uarch *u, const struct apmu_block *b, uint32_t turn);
void apmu_uarch__settle_ahead(struct apmu_uarch *u, const struct apmu_block *b, uint32_t turn);
void apmu_uarch__adopt(struct apmu_uarch *u, const struct apmu_block *b); /* users in a new block */

/* carry.c: cycles that `b` waits at its begin for what the block before, which ended at `end`, has not
 * finished, beyond the `gap` cycles between the two (negative if a branch was folded). What is waited for
 * later, or in a later block, becomes a pending. */
uint64_t apmu_uarch__carry(struct apmu_uarch *u, const struct apmu_block *before, const struct apmu_block *b,
			   uint64_t end, int64_t gap);

/* ... the first instruction that waits so. */
uint32_t apmu_uarch__carrier(const struct apmu_block *before, const struct apmu_block *b);

/* ... is it known when a pending that is no load is waited for in this block, false: nobody will; the block
 * waits for so many cycles at instruction `turn`. */
bool apmu_uarch__adopt_result(const struct apmu_block *b, struct apmu_uarch__pending *p);
void apmu_uarch__hold(struct apmu_uarch__memory *m, const struct apmu_block *b, uint32_t turn,
		      uint64_t cycles);
#endif
