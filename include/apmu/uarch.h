/* SPDX-License-Identifier: MIT */
/**
 * Event sources: a core's caches, TLBs, branch predictors and pipeline, turning a stream of instructions and
 * addresses into signals.
 *
 * What it is: one struct apmu_uarch a hardware thread. It adds to a struct apmu_tally and never sees a PMU.
 * What it is not: a CPU. Somebody else (an engine) executes the program and says three things: this is what a
 * block of code looks like (once), the block runs now, and this instruction touched that address.
 *
 * Use:
 *     struct apmu_block *b = apmu_block_new(params, insns, n);     at translation, shared by all threads
 *     apmu_uarch_enter(u, b);                                      each time the block starts
 *     apmu_uarch_access(u, b, i, address, size, is_store);         each access of its i-th instruction
 *     apmu_uarch_preload(u, b, i, address, to_write);              its preload of an address that is known
 *
 * The outcome of the branch that ends a block is known from the address of the next block. A block that a
 * fault leaves early is said with apmu_uarch_abandon().
 *
 * What a signal counts does not depend on which other signals are wanted; signals not wanted hold anything.
 *
 * Inaccuracies: docs/accuracy.md#event-sources.
 *
 * Hosted (allocates at creation only). Threads: one apmu_uarch a thread, no locks; blocks are constant once
 * made.
 */
#ifndef APMU_UARCH_H
#define APMU_UARCH_H

#include <apmu/signal.h>
#include <apmu/types.h>
#include <apmu/uarch_params.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APMU_GAUGE_SIGNALS 6 /* the most signals in a sum */

struct apmu_uarch;
struct apmu_block;

/* apmu_insn.flags */
#define APMU_INSN_CONDITIONAL 0x01u  /* has a condition other than always (IT blocks, CBZ, TBZ too) */
#define APMU_INSN_SHIFT_REG   0x02u  /* register-controlled shift, or RRX */
#define APMU_INSN_SUBWORD     0x04u  /* byte or halfword access */
#define APMU_INSN_DOUBLE      0x08u  /* LDRD/STRD, LDP/STP: two registers */
#define APMU_INSN_MULTIPLE    0x10u  /* LDM/STM, VLDM/VSTM, PUSH/POP: `regs` registers */
#define APMU_INSN_EXCLUSIVE   0x20u  /* LDREX/STREX and kin; without the read that an engine adds to STREX */
#define APMU_INSN_KUSER       0x40u  /* a kernel user helper: shows as one instruction */
#define APMU_INSN_MODE        0x80u  /* writes CPSR control bits (MSR CPSR_c, CPS) */
#define APMU_INSN_CACHE_OP    0x100u /* MCR p15 c7-c10 that touches the instruction cache or its TLB */
#define APMU_INSN_READS_FLAGS 0x200u /* the condition flags are an operand, ... */
#define APMU_INSN_SETS_FLAGS  0x400u /* ... a result */
#define APMU_INSN_VECTOR      0x800u /* reads or writes vector registers */

/* What an instruction counts as, beside its class: bits of apmu_insn.traits, 1 << trait. Each trait is a
 * signal (src/uarch/traits.c). */
enum apmu_trait {
	APMU_TRAIT_DP,     /* integer data processing */
	APMU_TRAIT_ASE,    /* Advanced SIMD data processing */
	APMU_TRAIT_VFP,    /* scalar floating-point data processing */
	APMU_TRAIT_CRYPTO, /* AES, SHA */
	APMU_TRAIT_SVE,    /* any SVE instruction */
	APMU_TRAIT_LDREX,  /* load-exclusive */
	APMU_TRAIT_STREX,  /* store-exclusive */
	APMU_TRAIT_LDACQ,  /* load-acquire, atomics with acquire */
	APMU_TRAIT_STREL,  /* store-release, atomics with release */
	APMU_TRAIT_LSE,    /* reads and writes memory in one: SWP, CAS, LDADD */
	APMU_TRAIT_PRELOAD,
	APMU_TRAIT_PLI, /* a preload of instructions, PRELOAD too */
	APMU_TRAIT_CAS, /* compare and swap, LSE too */
	APMU_TRAIT_DMB,
	APMU_TRAIT_DSB,
	APMU_TRAIT_ISB,
	APMU_TRAIT_CSDB,
	APMU_TRAIT_SVC, /* system call */
	/* largest type of what a floating-point, Advanced SIMD or SVE instruction computes with */
	APMU_TRAIT_FP_HALF,
	APMU_TRAIT_FP_SINGLE,
	APMU_TRAIT_FP_DOUBLE,
	APMU_TRAIT_INT_8,
	APMU_TRAIT_INT_16,
	APMU_TRAIT_INT_32,
	APMU_TRAIT_INT_64,
	APMU_TRAIT_FIXED,                            /* 1 floating-point operation; the next five: 2 to 32 */
	APMU_TRAIT_SCALED = APMU_TRAIT_FIXED + 6,    /* the same of SVE, for each 128 bits of a vector */
	APMU_TRAIT_SVE_PRED = APMU_TRAIT_SCALED + 6, /* governed by a predicate */
	APMU_TRAIT_SVE_LDFF,                         /* first-fault and non-fault loads */
	/* these four follow from `branch` and `flags`: apmu_block_new() adds them */
	APMU_TRAIT_BRANCH_X,        /* BLX immediate */
	APMU_TRAIT_BRANCH_INDIRECT, /* to a register's value or from memory, returns too */
	APMU_TRAIT_BRANCH_COND,
	APMU_TRAIT_BRANCH_RETURN,
	APMU_TRAITS
};

/* What an A64 instruction does, beside its traits: bit k is the signal APMU_OPERATION_FIRST + k, and ASKED
 * says that somebody counts operations; without it none is. */
#define APMU_OPERATION_FIRST APMU_SIG_SCALAR_FP_DIV
#define APMU_OPERATION_LAST  APMU_SIG_LSE_STORES
#define APMU_OPERATION_WORDS 2
#define APMU_OPERATION_ASKED ((uint64_t)1 << 63) /* in the last word */

/* One instruction as src/isa/classify describes it. */
struct apmu_insn {
	uint64_t addr;
	uint64_t target; /* of an immediate branch; else 0 */
	uint64_t reads;  /* registers read: bits 0-30 general (A64 SP is bit 31), 32-63 vector d0/v0 up; a
			    destination of which a part stays among them; flags: APMU_INSN_READS_FLAGS.
			    A32, T32: 15 the flags of FPSCR, 16-31 the upper halves of d0 to d15 */
	uint64_t shift_reads; /* those of `reads` that feed the shifter or an address: needed one stage early;
				 of a floating-point multiply-add those that are multiplied */
	uint64_t late_reads;  /* those that are added to what is computed: accumulators */
	uint64_t writes;
	uint64_t traits; /* bits of enum apmu_trait */
	uint64_t operations[APMU_OPERATION_WORDS];
	uint8_t size;     /* bytes: 2 or 4 */
	uint8_t cls;      /* enum apmu_class */
	uint8_t branch;   /* enum apmu_branch */
	uint16_t flags;   /* APMU_INSN_... */
	uint16_t group;   /* enum apmu_group: instructions that take the same time */
	uint8_t regs;     /* registers moved by MULTIPLE */
	uint8_t quotient; /* of an integer division: 1 + q of struct apmu_divide_params; 0: its operands are
			     not known */
	uint8_t width;    /* bytes of one element accessed; 0 if none */
	/* of loads and stores but SVE's, where operations are asked for: elements moved, and their bytes */
	uint8_t elements, bytes;
	bool thumb;
	uint8_t low; /* of a multiplication that writes two registers: 1 + that of the low half; else 0 */
};

/* The row with this name; NULL if none. */
const struct apmu_uarch_params *apmu_uarch_find(const char *name);

/* All rows, for lists; index 0 .. apmu_uarch_count()-1. */
size_t apmu_uarch_count(void);
const struct apmu_uarch_params *apmu_uarch_at(size_t i);

/* One parameter of a core, for lists. `value` is as apmu_uarch_set() takes it. */
struct apmu_uarch_param {
	const char *key;
	char value[64];
	const char *text;   /* what it means, with its unit */
	const char *source; /* document the row has it from; "set by the user" when it differs from its row */
};

/* The i-th parameter; false beyond the last. */
bool apmu_uarch_param(const struct apmu_uarch_params *params, size_t i, struct apmu_uarch_param *out);

/* Sets `key` (as in the .uarch file: "l1d.size", "predict", "memory") to `value`. 0, APMU_ENOENT for an
 * unknown key, APMU_EINVAL for a value out of range. */
int apmu_uarch_set(struct apmu_uarch_params *params, const char *key, const char *value);

/* What values a key takes, in words: "a number from 0 to 255". */
void apmu_uarch_range(const char *key, char *out, size_t size);

/* Has the parameter no effect on these parameters, because of another one (l2.ways where l2.size is 0)? Then
 * why and what would be right, written to `out` (200 bytes hold any), and the key that decides; NULL: it has
 * one.
 */
const char *apmu_uarch_idle(const struct apmu_uarch_params *params, const char *key, char *out, size_t size);

/* What is wrong with a parameter file. */
struct apmu_uarch_fault {
	unsigned line;  /* from 1; 0: the file as a whole */
	char key[48];   /* the last key read */
	char text[208]; /* one sentence without a full stop */
};

/* Applies the lines of a .uarch file: `key = value "source"` (the source may be left out), each key once;
 * `like NAME` before the parameters to begin with another row, comments from '#'. All or nothing. 0,
 * APMU_ENOENT for an unknown key, APMU_EINVAL for what is out of range, does not fit together or has no
 * effect, unless the file itself gives the parameter that decides it; then *fault says what and where: of
 * parameters that do not fit, the last without which they would. */
int apmu_uarch_read(struct apmu_uarch_params *params, const char *text, struct apmu_uarch_fault *fault);

/* NULL if the parameters fit together, else a sentence that says what does not ("l1d: size is not ways x
 * line x ..."). */
const char *apmu_uarch_check(const struct apmu_uarch_params *params);

/* The same sentence with the parameters in it, and of sizes what would do, written to `out` (200 bytes hold
 * any). False, and nothing written: they fit together. */
bool apmu_uarch_explain(const struct apmu_uarch_params *params, char *out, size_t size);

/* A thread's machine: cold caches, adding to `tally`. `wanted`: bit s set if signal s is needed; a unit that
 * no wanted signal needs is not run. NULL without memory or with impossible parameters. */
struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS]);
void apmu_uarch_free(struct apmu_uarch *u);

/* The levels of cache that the threads of a process have in common: those from the row's `shared` on. Cold.
 * Machines made with it use it until they are freed, each on a thread of its own: their counts then depend on
 * who comes first. Without apmu_shared_cohere() an inclusive level's victim leaves what other threads' caches
 * hold of it, and stores leave the other threads' copies. NULL without memory or with impossible parameters.
 */
struct apmu_shared;
struct apmu_shared *apmu_shared_new(const struct apmu_uarch_params *params);

/* requires: its machines were freed */
void apmu_shared_free(struct apmu_shared *s);

/* There will be machines on several threads: from now on each takes a lock for what is shared.
 * requires: no other thread runs a machine of it; so say it before the second thread starts */
void apmu_shared_many(struct apmu_shared *s);

/* Their first levels see each other from now on, those of machines made later too: a line that one writes
 * leaves the others, and one that another has modified comes from there (MESI; `transfer` cycles). For
 * machines of one address space. Each then calls apmu_uarch_snooped() before it enters a block, and
 * apmu_uarch_claim() before it tells a store. requires: as apmu_shared_many(), which is said before */
void apmu_shared_cohere(struct apmu_shared *s);

/* Is there anything to see, for who wants these signals? */
bool apmu_uarch_coheres(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Gives up the lines that other threads have asked for since. */
void apmu_uarch_snooped(struct apmu_uarch *u);

/* The i-th instruction of the current block `b` is about to write `size` bytes at `addr`. */
void apmu_uarch_claim(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		      unsigned size);

/* Are there levels to share? */
bool apmu_uarch_shares(const struct apmu_uarch_params *params);

/* Does a machine for these signals follow what loads take from stores, out of order? */
bool apmu_uarch_forwards(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Is time wanted of a core in order? After apmu_uarch_precount() or apmu_uarch_count_each() a load's wait may
 * then be counted when the load is made, else with the instruction that waits. */
bool apmu_uarch_waits_early(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* apmu_uarch_new() of a machine that shares levels; NULL: all are its own. `params` as those of `shared`. */
struct apmu_uarch *apmu_uarch_new_shared(const struct apmu_uarch_params *params, struct apmu_tally *tally,
					 const uint64_t wanted[APMU_SIGNAL_WORDS],
					 struct apmu_shared *shared);

/* Between these are the cycles of any run that came to these totals, all units having run: at least
 * instructions / width; at most each instruction alone with its own longest latency (CYCLES_ALONE), each line
 * and each translation alone that was brought, and each store that went outside alone. Wide bounds, for a
 * clock that stands still or runs away. */
uint64_t apmu_uarch_fewest_cycles(const struct apmu_uarch_params *params, const struct apmu_tally *totals);
uint64_t apmu_uarch_most_cycles(const struct apmu_uarch_params *params, const struct apmu_tally *totals);

/* Where a machine's clock ran beyond that; cycles 0: nowhere so far. Overlap of more than a million cycles is
 * not made up for, so `most` may be less than the totals allow. */
struct apmu_uarch_breach {
	uint64_t block; /* address of the block that was run */
	uint64_t cycles, most;
};

/* Has the machine look at its own time from now on, and say in *out where it first breaks that bound. */
void apmu_uarch_report(struct apmu_uarch *u, struct apmu_uarch_breach *out);

/* A block: straight-line code, at most its last instruction a branch. Copies what it needs of `insn`.
 * `params` must be those of the machines that will run it. NULL without memory, or with n == 0. */
struct apmu_block *apmu_block_new(const struct apmu_uarch_params *params, const struct apmu_insn *insn,
				  size_t n);

/* The same for machines that want no more than `wanted`: what others want of it is not counted when it is
 * entered. The less is wanted, the faster the block is entered. */
struct apmu_block *apmu_block_new_for(const struct apmu_uarch_params *params,
				      const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn,
				      size_t n);

/* requires: every thread that entered `b` has since entered another block, or called apmu_uarch_break() */
void apmu_block_free(struct apmu_block *b);

/* What entering `b` adds, whatever was before it: elements of *counts, the accesses not among them. The first
 * is of APMU_SIG_INST, wanted or not; the others are of wanted signals. */
struct apmu_block_count {
	uint16_t signal;
	uint32_t amount;
};
size_t apmu_block_counts(const struct apmu_block *b, const struct apmu_block_count **counts);

/* Cycles from the block's first issue to the issue of what follows, alone on the core, all accesses hitting.
 */
uint32_t apmu_block_cycles(const struct apmu_block *b);

/* Does the machine need apmu_uarch_access() calls for these signals? */
bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Does an engine have to find out which exceptions the program takes? It adds their signals (EXC_...) itself:
 * the machine never does. */
bool apmu_uarch_needs_faults(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* ... that needs to know what instructions waited for? */
bool apmu_uarch_needs_stalls(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Does anybody count operations (struct apmu_insn.operations)? */
bool apmu_uarch_needs_operations(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Do these signals need a machine at all? False: each block adds the same, whatever came before it, so an
 * engine may count blocks instead of entering them. */
bool apmu_uarch_needs_order(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* The block starts. Resolves the branch that ended the block before. */
void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b);

/*
 * Watching: which instruction made a sum of signals reach a mark?
 *
 * A machine that is watched looks at its gauges wherever the counts of one thing are complete, and calls
 * `reached` for each gauge that has come to its `due` or beyond; reached() sets a new `due`.
 *
 * Time is the instruction's that spends it. In order that is the one that cannot issue: who uses what a load
 * brings late, a load or store that the core cannot take, a barrier. Out of order it is the oldest that has
 * not finished; while there is none, the branch whose way is fetched anew, else the next to come.
 */
struct apmu_gauge {
	const uint64_t *n[APMU_GAUGE_SIGNALS]; /* totals to sum: elements of the machine's tally */
	uint32_t terms;                        /* used elements of n[] */
	uint32_t minus;                        /* the last so many of them are subtracted */
	uint64_t due;                          /* UINT64_MAX: never */
};

/* Whose counts are complete. */
enum apmu_where {
	APMU_AT_BRANCH, /* the end of the block before: `addr` is its last instruction's */
	APMU_AT_FETCH,  /* a line's fetch: `addr` is that of the first instruction (or part of one) in it */
	APMU_AT_BLOCK,  /* all that is counted ahead: see apmu_uarch_ahead(); `addr` is the block's */
	APMU_AT_ACCESS, /* the instruction whose access was told; its `addr` is what the engine says */
	APMU_AT_WAIT    /* an instruction of this block or one before: `addr` is its own; see `behind` */
};

struct apmu_watch {
	struct apmu_gauge *gauge;
	uint32_t gauges;
	void (*reached)(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr);
	int64_t behind; /* AT_WAIT: the instruction is so many before the last that INST has; -1: the next */
	uint32_t mark;  /* out of order, set by the engine before enter_watched(): a word of its own on the
			   block that is left. AT_WAIT: that of the instruction's block */
	uint64_t regs;  /* ... the registers whose loads it waits for, bits as in apmu_insn.reads; 0: it is
			   known itself, or there are none */
};

static inline uint64_t apmu_gauge_value(const struct apmu_gauge *g)
{
	uint64_t sum = *g->n[0];
	for (uint32_t k = 1; k < g->terms; k++)
		sum += *g->n[k];
	for (uint32_t k = g->terms - g->minus; k < g->terms; k++)
		sum -= 2 * *g->n[k];
	return (int64_t)sum < 0 ? 0 : sum;
}

static inline void apmu_watch_look(struct apmu_watch *watch, enum apmu_where where, uint64_t addr)
{
	for (uint32_t i = 0; i < watch->gauges; i++)
		if (apmu_gauge_value(&watch->gauge[i]) >= watch->gauge[i].due)
			watch->reached(watch, i, where, addr);
}

/* apmu_uarch_enter(), watched. The counts are the same. The engine looks itself after each access. */
void apmu_uarch_enter_watched(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch);

/* From here on `watch` (NULL: nobody) is told of the waits that show at an access, at a preload, at
 * apmu_uarch_break(). enter_watched() ends with NULL. */
void apmu_uarch_watch(struct apmu_uarch *u, struct apmu_watch *watch);

/* Out of order: enter_watched() tells whose each cycle is (APMU_AT_WAIT). Without it, time is that of the
 * branch at the end of a block. Before the first block. 0 or APMU_ENOMEM. */
int apmu_uarch_watch_time(struct apmu_uarch *u);

/* The registers that the i-th instruction fills from memory, bits as in apmu_insn.reads. */
uint64_t apmu_block_loads(const struct apmu_block *b, unsigned i);

/* Takes out of `t` what the i-th instruction of `b` adds to the counts that entering the block takes ahead.
 */
void apmu_uarch_ahead(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
		      struct apmu_tally *t);

/* In the middle of the current block `b`: takes what entering it counted ahead of the instructions from
 * `executed` on out of `t`, a copy of the machine's tally. apmu_uarch_remaining_cycles() is the cycles of
 * that. */
void apmu_uarch_as_of(const struct apmu_uarch *u, const struct apmu_block *b, unsigned executed,
		      struct apmu_tally *t);
uint64_t apmu_uarch_remaining_cycles(const struct apmu_uarch *u, const struct apmu_block *b,
				     unsigned executed);

/* The i-th instruction of the current block `b` reads or writes `size` bytes at `addr`. In program order; a
 * call an element, or one call for several adjacent ones. */
void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		       unsigned size, bool store);

/* The same, with a report of where the data were. */
struct apmu_access_report {
	uint8_t level; /* 1: L1, 2: L2, 3: L3, 4: memory, 5: another thread's cache, 6: likewise, and modified
			  there; of a store: what takes it. 0: nothing was looked up */
	uint8_t refill;  /* 0: the first-level TLB knew the page, 1: the main TLB did, 2: the tables were
			    walked */
	uint32_t cycles; /* of a load: from issue to data, with its wait for a way to memory that is taken
			    (out of order: without); 0: not known: a store, or no cycles are counted */
};
void apmu_uarch_access_report(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			      unsigned size, bool store, struct apmu_access_report *report);

/* The i-th instruction of the current block `b` preloads data (PLD, PRFM) at `addr`; `store`: to write it,
 * which changes nothing here. In program order, or as soon as the engine knows the address, which may be at a
 * later instruction of the block. It counts PLD_TOLD and what it finds, and the line is on its way to L1, for
 * whatever level it was meant: a later access waits for the rest. A preload that the engine does not tell
 * brings nothing. To say nothing of one whose page is not there is right: the core drops it. */
void apmu_uarch_preload(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			bool store);

/* A load or store instruction of a block: what is known of its access when the block is made. */
struct apmu_access_site {
	const struct apmu_block *block;
	uint32_t index;
	uint32_t next_access; /* of the block's instructions, the next one that accesses */
	uint8_t size;         /* bytes */
	uint8_t low;          /* size - 1 */
	uint16_t stores;      /* instructions of the block before it that store */
	bool unconditional;   /* the instruction makes this one access whenever it runs to its end */
};

/* The access of `size` bytes (a power of two up to 8) that the i-th instruction of `b` makes. Where it is not
 * unconditional, the engine tells it by apmu_uarch_access(). */
void apmu_block_access_site(const struct apmu_block *b, unsigned i, unsigned size,
			    struct apmu_access_site *site);

/* May an access of `size` bytes be one that the instruction makes by itself, of one element? */
bool apmu_block_takes(const struct apmu_block *b, unsigned i, unsigned size);

/* Estimates the stall signals out of order, which cost a tenth of the time and more: they are counted over
 * the first 2 million cycles, then over one stretch of 32,768 cycles after each part of the run that is not
 * counted, a 64th of the run so far and at most 63 stretches, and weighted by it. All other counts are the
 * same. Before the first block; not with enter_watched(). */
void apmu_uarch_estimate_stalls(struct apmu_uarch *u);

/* Counts unconditional accesses when their block is entered, so that a hit costs next to nothing. The engine
 * must then report each of them by apmu_uarch_load() or apmu_uarch_store(). Before the first block; not with
 * enter_watched() or apmu_uarch_ahead(), which need each access counted when it is made. */
void apmu_uarch_precount(struct apmu_uarch *u);

/* The same with each access counted when it is made, by the two calls below or by apmu_uarch_access();
 * enter_watched() may be used. Before the first block. */
void apmu_uarch_count_each(struct apmu_uarch *u);
void apmu_uarch_load_each(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);
void apmu_uarch_store_each(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);

/* An unconditional load, an unconditional store. */
void apmu_uarch_load(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);
void apmu_uarch_store(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);

/* The current block was left before instruction `executed` (a fault): takes back what enter() counted ahead.
 */
void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed);

/*
 * What the program's own control registers and page tables do to the units. All is on, and all memory
 * ordinary, until somebody says otherwise. Not between the accesses of one instruction.
 */

/* Switches: bits of apmu_uarch_switch(). A unit that the core has not is off whatever they say. */
#define APMU_ON_ICACHE  0x01u  /* off: code is fetched from memory, a fetch look-up's bytes at a time */
#define APMU_ON_DCACHE  0x02u  /* level 1 data and what is below it; off: all data are non-cacheable */
#define APMU_ON_LEVELS  0x04u  /* L2, L3; off: L1 is next to memory */
#define APMU_ON_MMU     0x08u  /* off: nothing is translated, no TLB is looked into */
#define APMU_ON_PREDICT 0x10u  /* off: every branch is taken to go straight on */
#define APMU_ON_DYNAMIC 0x20u  /* the branch target buffer and its counters */
#define APMU_ON_STATIC  0x40u  /* the static rule where the buffer knows nothing */
#define APMU_ON_RETURNS 0x80u  /* the return stack */
#define APMU_ON_AHEAD   0x100u /* the data prefetcher */
#define APMU_ON_ALL     0x1FFu

/* From the next block on. What a cache or TLB holds stays in it; a predictor that is switched off forgets. */
void apmu_uarch_switch(struct apmu_uarch *u, uint32_t on);

/* Figures that the program sets. From the next block on; a machine that was made without streams of
 * prefetches has none. */
struct apmu_tuning {
	uint8_t streams, flights, next; /* as in struct apmu_prefetch_params */
	uint8_t read_allocate;
};
void apmu_uarch_tune(struct apmu_uarch *u, const struct apmu_tuning *tuning);

/* What memory is, as page tables say. */
enum apmu_memory {
	APMU_MEMORY_CACHED,
	APMU_MEMORY_MINI,     /* XScale: goes to the mini data cache */
	APMU_MEMORY_TCM,      /* tightly coupled: as near as the cache, and never misses */
	APMU_MEMORY_UNCACHED, /* Normal, non-cacheable */
	APMU_MEMORY_DEVICE,
	APMU_MEMORY_ORDERED /* Strongly Ordered, Device-nGnRnE: an access drains the write buffer */
};

/* The memory of the accesses told from now on; of the code entered from now on. */
void apmu_uarch_data_memory(struct apmu_uarch *u, enum apmu_memory memory);
void apmu_uarch_code_memory(struct apmu_uarch *u, enum apmu_memory memory);

/* Maintenance. What is dirty goes below when it is cleaned, and is counted as a write-back. */
enum apmu_upkeep {
	APMU_UPKEEP_ICACHE,       /* invalidate instruction lines */
	APMU_UPKEEP_INVALIDATE,   /* data lines, without a write-back */
	APMU_UPKEEP_CLEAN,        /* data lines are written back and stay */
	APMU_UPKEEP_CLEAN_FORGET, /* data lines are written back and leave */
	APMU_UPKEEP_ITLB,         /* invalidate instruction translations, */
	APMU_UPKEEP_DTLB,         /* data translations; either takes the main TLB's along */
	APMU_UPKEEP_BRANCHES,     /* invalidate the branch target buffer */
	APMU_UPKEEP_PIN,          /* XScale: bring an instruction line, which keeps its place ... */
	APMU_UPKEEP_UNPIN_CODE,   /* ... until all are let go */
	APMU_UPKEEP_PIN_DATA,     /* each data line that is filled keeps its place, from now on ... */
	APMU_UPKEEP_PIN_NO_MORE,  /* ... to now */
	APMU_UPKEEP_UNPIN_DATA,
	APMU_UPKEEP_ALLOCATE, /* XScale: a data line is there from now on, and nothing was fetched for it */
	APMU_UPKEEPS
};
#define APMU_UPKEEP_ALL UINT64_MAX

/* Of the line or page at `addr`, in all levels; APMU_UPKEEP_ALL: of everything in level 1 that is not pinned.
 */
void apmu_uarch_upkeep(struct apmu_uarch *u, enum apmu_upkeep what, uint64_t addr);

/* The same of a set and a way of level 1, 2 or 3, data. One that is not there: nothing. */
void apmu_uarch_upkeep_way(struct apmu_uarch *u, enum apmu_upkeep what, unsigned level, uint32_t set,
			   uint32_t way);

/*
 * Address spaces. TLBs hold translations of several: each entry is of a regime (which the host numbers) and a
 * VMID, and of an ASID or, where the page is global, of all ASIDs.
 */
struct apmu_space {
	uint16_t asid, vmid;
	uint8_t regime;
};

/* Is the page at this address of the current space's ASID alone (nG)? Asked where a TLB takes it in. */
typedef bool apmu_local_fn(void *user, uint64_t addr);

/* From now on there are spaces; the current one is the first, all of 0, and has what TLBs hold. Once. 0 or
 * APMU_ENOMEM. */
int apmu_uarch_spaces(struct apmu_uarch *u, apmu_local_fn *local, void *user);

/* From the next block on. What is not seen there keeps its places. */
void apmu_uarch_enter_space(struct apmu_uarch *u, const struct apmu_space *space);

/* What TLB maintenance throws out: entries of a regime. */
struct apmu_unmap {
	struct apmu_space space;
	bool any_vmid, any_asid; /* of all of those */
	bool globals;            /* with an ASID: also entries that are global */
	bool last_level;         /* not what is known of tables on the way */
	bool code, data;         /* the first levels of one side, of both */
	uint64_t first, last;    /* addresses; 0 to UINT64_MAX: all */
};
void apmu_uarch_unmap(struct apmu_uarch *u, const struct apmu_unmap *what);

/* Ways of a level 1 cache that take no new line (cache lockdown): bit w, way w. The last way is never locked.
 */
void apmu_uarch_lock(struct apmu_uarch *u, bool code, uint64_t ways);

/* Control went elsewhere without a branch (signal, exception, context switch): the next enter() resolves
 * nothing. */
void apmu_uarch_break(struct apmu_uarch *u);

#ifdef __cplusplus
}
#endif

#endif
