/* SPDX-License-Identifier: MIT */
/**
 * Event sources: a core's caches, TLBs, branch predictors and pipeline, which turn a stream of instructions
 * and addresses into signals.
 *
 * What it is: one struct apmu_uarch per hardware thread. It adds to a struct apmu_tally and never sees a PMU.
 * What it is not: a CPU. An engine executes the program and reports three things: what a block of code looks
 * like (once), that the block runs now, and that an instruction accessed an address.
 *
 * Use:
 *     struct apmu_block *b = apmu_block_new(params, insns, n);     at translation, shared by all threads
 *     apmu_uarch_enter(u, b);                                      each time the block starts
 *     apmu_uarch_access(u, b, i, address, size, is_store);         each access of its i-th instruction
 *     apmu_uarch_preload(u, b, i, address, to_write);              its preload of an address that is known
 *     apmu_uarch_zero(u, b, i, address, size);                     its DC ZVA of an address that is known
 *
 * The outcome of the branch that ends a block follows from the address of the next block.
 * apmu_uarch_abandon() reports that a fault left a block early.
 *
 * What a signal counts does not depend on which other signals are wanted; the values of signals not wanted
 * are unspecified.
 *
 * Inaccuracies: docs/accuracy.md#event-sources.
 *
 * Hosted: allocates when a machine or a block is made, and in apmu_uarch_spaces() and
 * apmu_uarch_watch_time(). Threads: one apmu_uarch per thread; machines of one apmu_shared lock it themselves
 * (apmu_shared_many()); blocks are constant once made.
 */
#ifndef APMU_UARCH_H
#define APMU_UARCH_H

#include <apmu/signal.h>
#include <apmu/types.h>
#include <apmu/uarch_params.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* functions that have the name of a struct, as stat() */
#endif

#define APMU_GAUGE_SIGNALS 6 /* largest number of signals that a gauge sums */

struct apmu_uarch;
struct apmu_block;

/* apmu_insn.flags */
#define APMU_INSN_CONDITIONAL 0x01u  /* has a condition other than always (IT blocks, CBZ, TBZ too) */
#define APMU_INSN_SHIFT_REG   0x02u  /* register-controlled shift */
#define APMU_INSN_SUBWORD     0x04u  /* byte or halfword access, or LDRSW, which extends the sign */
#define APMU_INSN_DOUBLE      0x08u  /* LDRD/STRD, LDP/STP: two registers */
#define APMU_INSN_MULTIPLE    0x10u  /* LDM/STM, VLDM/VSTM, PUSH/POP: `regs` registers */
#define APMU_INSN_EXCLUSIVE   0x20u  /* LDREX, STREX etc.; without the read that an engine adds to STREX */
#define APMU_INSN_KUSER       0x40u  /* a kernel user helper, which counts as one instruction */
#define APMU_INSN_MODE        0x80u  /* writes CPSR control bits (MSR CPSR_c, CPS) */
#define APMU_INSN_CACHE_OP    0x100u /* MCR p15 c7-c10 that touches the instruction cache or its TLB */
#define APMU_INSN_READS_FLAGS 0x200u /* the condition flags are an operand */
#define APMU_INSN_SETS_FLAGS  0x400u /* the condition flags are a result */
#define APMU_INSN_VECTOR      0x800u /* reads or writes vector registers */

/* What an instruction counts as besides its class: bits of apmu_insn.traits, 1 << trait. Each trait is a
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
	APMU_TRAIT_LSE,    /* reads and writes memory in one instruction: SWP, CAS, LDADD */
	APMU_TRAIT_PRELOAD,
	APMU_TRAIT_PLI, /* a preload of instructions; has PRELOAD too */
	APMU_TRAIT_CAS, /* compare and swap; has LSE too */
	APMU_TRAIT_DMB,
	APMU_TRAIT_DSB,
	APMU_TRAIT_ISB,
	APMU_TRAIT_CSDB,
	APMU_TRAIT_SVC, /* system call */
	APMU_TRAIT_ZVA, /* DC ZVA: zeroes a block of memory */
	/* the largest element type that a floating-point, Advanced SIMD or SVE instruction computes with */
	APMU_TRAIT_FP_HALF,
	APMU_TRAIT_FP_SINGLE,
	APMU_TRAIT_FP_DOUBLE,
	APMU_TRAIT_INT_8,
	APMU_TRAIT_INT_16,
	APMU_TRAIT_INT_32,
	APMU_TRAIT_INT_64,
	APMU_TRAIT_FIXED, /* 1 floating-point operation; the next five: 2, 4 ... 32 operations */
	APMU_TRAIT_SCALED = APMU_TRAIT_FIXED + 6,    /* SVE: FIXED per 128 bits of a vector */
	APMU_TRAIT_SVE_PRED = APMU_TRAIT_SCALED + 6, /* governed by a predicate */
	APMU_TRAIT_SVE_LDFF,                         /* first-fault and non-fault loads */
	/* apmu_block_new() adds these four, from `branch` and `flags` */
	APMU_TRAIT_BRANCH_X,        /* BLX immediate */
	APMU_TRAIT_BRANCH_INDIRECT, /* target from a register or from memory, returns included */
	APMU_TRAIT_BRANCH_COND,
	APMU_TRAIT_BRANCH_RETURN,
	APMU_TRAITS
};

/* What an A64 instruction does besides its traits: bit k is the signal APMU_OPERATION_FIRST + k. ASKED says
 * that operations are counted; without it no bit is set. */
#define APMU_OPERATION_FIRST APMU_SIG_SCALAR_FP_DIV
#define APMU_OPERATION_LAST  APMU_SIG_LSE_STORES
#define APMU_OPERATION_WORDS 2
#define APMU_OPERATION_ASKED ((uint64_t)1 << 63) /* in the last word */

/* One instruction as src/isa/classify describes it. */
struct apmu_insn {
	uint64_t addr;
	uint64_t target; /* target of an immediate branch; else 0 */
	uint64_t reads;  /* registers read, a partly written destination included: bits 0-30 general (bit 31:
			    A64 SP), 32-63 vector d0/v0 up; flags: APMU_INSN_READS_FLAGS. A32, T32: bit 15 the
			    flags of FPSCR, 16-31 the upper halves of d0 to d15; never the PC */
	uint64_t shift_reads; /* those of `reads` that feed the shifter or an address, which are needed one
				 stage early; of a floating-point multiply-add the factors */
	uint64_t late_reads;  /* those of `reads` that are accumulators, added to what is computed */
	uint64_t writes;
	uint64_t traits; /* bits of enum apmu_trait */
	uint64_t operations[APMU_OPERATION_WORDS];
	uint8_t size;     /* bytes: 2 or 4 */
	uint8_t cls;      /* enum apmu_class */
	uint8_t branch;   /* enum apmu_branch */
	uint16_t flags;   /* APMU_INSN_... */
	uint16_t group;   /* enum apmu_group: instructions with the same timing */
	uint8_t regs;     /* number of registers moved by MULTIPLE */
	uint8_t quotient; /* of an integer division: 1 + q of struct apmu_divide_params; 0: not known */
	uint8_t width;    /* bytes of one element accessed; 0 if none */
	uint8_t aligned;  /* bytes: an address that is no multiple is unaligned; 0: as `width` */
	/* of loads and stores other than SVE's, if operations are asked for: elements moved, and bytes */
	uint8_t elements, bytes;
	bool thumb;
	bool halves; /* A32, T32: bits 16 to 31 of the masks of registers are the upper halves of d0 to d15 */
	uint8_t low; /* of a multiplication with two destinations: 1 + that of the low half; else 0 */
};

/* Returns the row with this name; NULL if there is none. */
const struct apmu_uarch_params *apmu_uarch_find(const char *name);

/* All rows, for lists; index 0 .. apmu_uarch_count()-1. */
size_t apmu_uarch_count(void);
const struct apmu_uarch_params *apmu_uarch_at(size_t i);

/* One parameter of a core, for lists. `value` is in the form that apmu_uarch_set() takes. */
struct apmu_uarch_param {
	const char *key;
	char value[64];
	const char *text;   /* meaning, with its unit */
	const char *source; /* document of the value; "set by the user" if it differs from its row */
};

/* Gets the i-th parameter; false beyond the last. */
bool apmu_uarch_param(const struct apmu_uarch_params *params, size_t i, struct apmu_uarch_param *out);

/* Sets `key` (as in the .uarch file: "l1d.size", "predict", "memory") to `value`. 0, APMU_ENOENT for an
 * unknown key, APMU_EINVAL for a value out of range. */
int apmu_uarch_set(struct apmu_uarch_params *params, const char *key, const char *value);

/* Describes the values that a key takes: "a number from 0 to 255"; "nothing" if the key is unknown. `size`:
 * 200 bytes hold any text, a longer one is cut. */
void apmu_uarch_range(const char *key, char *out, size_t size);

/* Returns NULL if `key` has an effect with these parameters. Else another parameter switches it off (l2.ways
 * where l2.size is 0): returns that parameter's key and writes why, and what would be right, to `out` (200
 * bytes hold any text). */
const char *apmu_uarch_idle(const struct apmu_uarch_params *params, const char *key, char *out, size_t size);

/* An error in a parameter file. */
struct apmu_uarch_fault {
	unsigned line;  /* from 1; 0: the file as a whole */
	char key[48];   /* the key that was read last */
	char text[208]; /* one sentence, without a full stop */
};

/* Applies the lines of a .uarch file: `key = value "source"` (the source may be omitted), each key once;
 * before the parameters `like NAME` to start from another row; comments from '#'. All or nothing. 0;
 * APMU_ENOENT for an unknown key; APMU_EINVAL for a value that is out of range, does not fit the others, or
 * has no effect although the file does not give the parameter that decides it, and for a text without a
 * parameter (`like NAME` alone is accepted). *fault says what and where: of parameters that do not fit
 * together, the last one without which the others would. */
int apmu_uarch_read(struct apmu_uarch_params *params, const char *text, struct apmu_uarch_fault *fault);

/* Returns NULL if the parameters fit together, else a sentence that says what does not ("l1d: size is not
 * ways x line x ..."). */
const char *apmu_uarch_check(const struct apmu_uarch_params *params);

/* apmu_uarch_check() with the parameters' values in the sentence, and for sizes a value that fits, written to
 * `out` (200 bytes hold any). False, and nothing written, if the parameters fit together. */
bool apmu_uarch_explain(const struct apmu_uarch_params *params, char *out, size_t size);

/* Makes a thread's machine with cold caches, which adds to `tally`, which must live as long as the machine.
 * Bit s of `wanted` is set if signal s is needed; a unit that no wanted signal needs is not run. NULL without
 * memory or with impossible parameters. */
struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS]);
void apmu_uarch_free(struct apmu_uarch *u);

/* The cache levels that the threads of a process share: those from the row's `shared` on, cold. Machines made
 * with it use it until they are freed, each on a thread of its own; their counts then depend on the order of
 * the threads' accesses. Without apmu_shared_cohere(), evicting a line of an inclusive level does not evict
 * it from other threads' caches, and a store does not invalidate other threads' copies. NULL without memory
 * or with impossible parameters. */
struct apmu_shared;
struct apmu_shared *apmu_shared_new(const struct apmu_uarch_params *params);

/* requires: the machines made with it were freed */
void apmu_shared_free(struct apmu_shared *s);

/* From now on each machine takes a lock for what is shared, because machines run on several threads.
 * requires: no other thread runs a machine of it, so call it before the second thread starts */
void apmu_shared_many(struct apmu_shared *s);

/* From now on the first-level caches are coherent, those of machines made later too: a line that one machine
 * writes is invalidated in the others, and a line that another has modified comes from there (MESI;
 * `transfer` cycles). For machines of one address space. Each then calls apmu_uarch_snooped() before it
 * enters a block, and apmu_uarch_claim() before it reports a store. requires: as apmu_shared_many(), which is
 * called first */
void apmu_shared_cohere(struct apmu_shared *s);

/* In the child of a fork(), before a machine of `s` is used or freed: another thread of the parent may have
 * held the lock, and would never release it here. The contents may then be half changed: make a new one. */
void apmu_shared_forked(struct apmu_shared *s);

/* True if coherence can change these signals. */
bool apmu_uarch_coheres(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Gives up the lines that other threads have requested since the last call. Takes the lock of the shared
 * levels if there is such a line. Does nothing before apmu_shared_cohere(). */
void apmu_uarch_snooped(struct apmu_uarch *u);

/* How often, so far, the machine has used a line again soon after another one took or read it: within 100,000
 * of its instructions. While this grows, threads contend for a line, and the order in which they run decides
 * how often it moves; a host may then keep them close together. 0 before apmu_shared_cohere(). threading: for
 * the machine's own thread */
uint64_t apmu_uarch_contended(const struct apmu_uarch *u);

/* Says that the i-th instruction of the current block `b` is about to write `size` bytes at `addr`.
 * Takes the lock of the shared levels if the line has to come from another thread. Does nothing before
 * apmu_shared_cohere(). */
void apmu_uarch_claim(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		      unsigned size);

/* True if the parameters have shared levels. */
bool apmu_uarch_shares(const struct apmu_uarch_params *params);

/* True if a machine for these signals models store-to-load forwarding, out of order. */
bool apmu_uarch_forwards(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* True if time is wanted of an in-order core. After apmu_uarch_precount() or apmu_uarch_count_each() the wait
 * for a load may then be counted when the load is made, else with the instruction that waits. */
bool apmu_uarch_waits_early(const struct apmu_uarch_params *params, const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* apmu_uarch_new() for a machine that uses `shared`; NULL: all levels are its own. `params` must be those of
 * `shared`. */
struct apmu_uarch *apmu_uarch_new_shared(const struct apmu_uarch_params *params, struct apmu_tally *tally,
					 const uint64_t wanted[APMU_SIGNAL_WORDS],
					 struct apmu_shared *shared);

/* Bounds on the cycles of any run with these totals, if all units ran and no code was fetched from
 * non-cacheable memory. Fewest: instructions / width (with folding, half of that). Most: each instruction
 * alone with its own longest latency (CYCLES_ALONE), and each fetched line, each translation and each store
 * past L1 alone. The bounds are wide, to find a clock that stands still or runs away. */
uint64_t apmu_uarch_fewest_cycles(const struct apmu_uarch_params *params, const struct apmu_tally *totals);
uint64_t apmu_uarch_most_cycles(const struct apmu_uarch_params *params, const struct apmu_tally *totals);

/* Where a machine's clock exceeded the upper bound; cycles 0: nowhere so far. Slack below the bound is
 * carried over up to a million cycles only, so `most` may be less than apmu_uarch_most_cycles() of the
 * totals. */
struct apmu_uarch_violation {
	uint64_t block; /* address of the block that ran */
	uint64_t cycles, most;
};

/* From now on the machine checks its own time, and stores in *out where it first breaks the bound. */
void apmu_uarch_check_bounds(struct apmu_uarch *u, struct apmu_uarch_violation *out);

/* Makes a block: straight-line code in which at most the last instruction is a branch. Copies what it needs
 * of `insn`. `params` must be those of the machines that will run it. NULL without memory, or if n is 0 or
 * more than 65,535. */
struct apmu_block *apmu_block_new(const struct apmu_uarch_params *params, const struct apmu_insn *insn,
				  size_t n);

/* apmu_block_new() for machines that want no more than `wanted`: entering the block counts no other signal.
 * The fewer signals are wanted, the faster the block is entered. */
struct apmu_block *apmu_block_new_for(const struct apmu_uarch_params *params,
				      const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn,
				      size_t n);

/* requires: every thread that entered `b` has since entered another block, or called apmu_uarch_break() */
void apmu_block_free(struct apmu_block *b);

/* What entering `b` adds in any context, accesses excluded: elements of *counts. The first is of
 * APMU_SIG_INST, wanted or not; the others are of wanted signals. */
struct apmu_block_count {
	uint16_t signal;
	uint32_t amount;
};
size_t apmu_block_counts(const struct apmu_block *b, const struct apmu_block_count **counts);

/* Returns the cycles from the block's first issue to the issue of what follows, alone on the core, if all
 * accesses hit. */
uint32_t apmu_block_cycles(const struct apmu_block *b);

/* True if the machine needs apmu_uarch_access() calls for these signals. */
bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* True if an engine must find out which exceptions the program takes. It adds their signals (EXC_...) itself:
 * the machine never does. */
bool apmu_uarch_needs_faults(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* True if these signals need to know what instructions waited for. */
bool apmu_uarch_needs_stalls(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* True if these signals count operations (struct apmu_insn.operations). */
bool apmu_uarch_needs_operations(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* True if these signals need a machine. False: each block adds the same in any context, so an engine may
 * count blocks instead of entering them. */
bool apmu_uarch_needs_order(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* Enters a block, and resolves the branch that ended the block before it. */
void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b);

/*
 * Watching: finding the instruction at which a sum of signals reaches a threshold.
 *
 * A watched machine checks its gauges at each point where the counts of one thing are complete, and calls
 * `reached` for each gauge that has reached its `due`; reached() sets a new `due`.
 *
 * A cycle belongs to the instruction that spends it. In order, that is the instruction that cannot issue: one
 * that uses a late load's data, a load or store that the core cannot accept, a barrier. Out of order, it is
 * the oldest unfinished instruction; if there is none, the branch whose target is being fetched, else the
 * next instruction to come.
 */
struct apmu_gauge {
	const uint64_t *n[APMU_GAUGE_SIGNALS]; /* totals to sum: elements of the machine's tally */
	uint32_t terms;                        /* used elements of n[] */
	uint32_t minus;                        /* number of terms at the end of n[] that are subtracted */
	uint64_t due;                          /* UINT64_MAX: never */
};

/* The thing whose counts are complete. */
enum apmu_where {
	APMU_WATCH_BRANCH, /* the end of the previous block: `addr` is its last instruction's */
	APMU_WATCH_FETCH,  /* the fetch of a line: `addr` is the first instruction (or part of one) in it */
	APMU_WATCH_BLOCK, /* what block entry counts in advance (apmu_uarch_ahead()): `addr` is the block's */
	APMU_WATCH_ACCESS, /* the instruction whose access was reported; the engine gives its `addr` */
	APMU_WATCH_WAIT    /* an instruction of this or an earlier block: `addr` is its own; see `behind` */
};

struct apmu_watch {
	struct apmu_gauge *gauge;
	uint32_t gauges;
	void (*reached)(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr);
	/* APMU_WATCH_WAIT: how many instructions it is before the last one that INST counts; -1: the next. */
	int64_t behind;
	/* Out of order: the engine's own word for the block that is left, set before enter_watched().
	 * APMU_WATCH_WAIT: the word of the instruction's block. */
	uint32_t mark;
	/* APMU_WATCH_WAIT: the registers whose loads it waits for, bits as in apmu_insn.reads; 0: the
	 * instruction itself waits, or there are none. */
	uint64_t regs;
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

/* apmu_uarch_enter() for a watched machine; the counts are the same. After each access the engine calls
 * apmu_watch_look() itself. */
void apmu_uarch_enter_watched(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch);

/* From now on `watch` (NULL: nobody) receives the waits that show at an access, at a preload or at
 * apmu_uarch_break(). enter_watched() ends with NULL. */
void apmu_uarch_watch(struct apmu_uarch *u, struct apmu_watch *watch);

/* Out of order: makes enter_watched() report the instruction of each cycle (APMU_WATCH_WAIT). Without this,
 * time belongs to the branch at the end of a block. Before the first block. 0 or APMU_ENOMEM. */
int apmu_uarch_watch_time(struct apmu_uarch *u);

/* Returns the registers that the i-th instruction loads from memory, bits as in apmu_insn.reads. */
uint64_t apmu_block_loads(const struct apmu_block *b, unsigned i);

/* Subtracts from `t` what the i-th instruction of `b` adds to the counts that block entry makes in
 * advance. */
void apmu_uarch_ahead(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
		      struct apmu_tally *t);

/* In the middle of the current block `b`: subtracts from `t`, a copy of the machine's tally, what block entry
 * counted in advance for the instructions from `executed` on. apmu_uarch_remaining_cycles() returns the
 * cycles among that. */
void apmu_uarch_as_of(const struct apmu_uarch *u, const struct apmu_block *b, unsigned executed,
		      struct apmu_tally *t);
uint64_t apmu_uarch_remaining_cycles(const struct apmu_uarch *u, const struct apmu_block *b,
				     unsigned executed);

/* Reports that the i-th instruction of the current block `b` reads or writes `size` bytes at `addr`. In
 * program order; one call per element, or one for several adjacent elements. Of more than 65 lines the first
 * 65 are looked up. requires: the bytes do not pass the end of the address space, 2^64 */
void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		       unsigned size, bool store);

/* apmu_uarch_access() with a report of where the data were. */
struct apmu_access_report {
	uint8_t level;  /* where the data were (of a store: where they go): 1: L1, 2: L2, 3: L3, 4: memory, 5:
			   another thread's cache, 6: the same, modified there; 0: nothing was looked up */
	uint8_t refill; /* translation: 0: first-level TLB hit, 1: main TLB hit, 2: table walk */
	uint32_t cycles; /* of a load: cycles from issue to data, in order including the wait for a busy path
			    to memory; 0: not known (a store, or cycles are not counted) */
};
void apmu_uarch_access_report(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			      unsigned size, bool store, struct apmu_access_report *report);

/* Reports that the i-th instruction of the current block `b` preloads data (PLD, PRFM) at `addr`; `store`: to
 * write them, which makes no difference here. In program order, or as soon as the engine knows the address,
 * which may be at a later instruction of the block. Counts PLD_TOLD and the look-ups, and starts the fill
 * into L1, for whatever level the preload was meant: a later access waits for the rest of it. A preload that
 * is not reported brings nothing. The engine should not report one whose page is not mapped: the core drops
 * it. */
void apmu_uarch_preload(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			bool store);

/* Reports that the i-th instruction of the current block `b`, a DC ZVA, zeroes the `size` bytes (a power of
 * two) that `addr` lies in. In program order. A line that L1 data holds is modified there; another is written
 * around L1 without being read. Entering the block has counted the instruction and its access
 * (APMU_TRAIT_ZVA). One that is not reported changes no cache. */
void apmu_uarch_zero(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		     unsigned size);

/* A load or store instruction of a block, with what is known of its access when the block is made. */
struct apmu_access_site {
	const struct apmu_block *block;
	uint32_t index;
	uint32_t next_access; /* index of the block's next instruction that accesses memory */
	uint8_t size;         /* bytes */
	uint8_t low;          /* size - 1 */
	uint16_t stores;      /* number of earlier instructions of the block that store */
	bool unconditional;   /* the instruction makes exactly this access whenever it completes */
};

/* Describes the access of `size` bytes (a power of two up to 8) that the i-th instruction of `b` makes. If it
 * is not unconditional, the engine reports it by apmu_uarch_access(). */
void apmu_block_access_site(const struct apmu_block *b, unsigned i, unsigned size,
			    struct apmu_access_site *site);

/* True if an access of `size` bytes can be one that the instruction itself makes, of one element. */
bool apmu_block_takes(const struct apmu_block *b, unsigned i, unsigned size);

/* Makes the machine estimate the out-of-order stall signals, which cost a tenth of the run time or more: it
 * counts them over the first 2 million cycles, then over stretches of 32,768 cycles, and weights those by the
 * uncounted cycles between them. Each uncounted gap is a 64th of the run so far, at most 63 stretches. All
 * other counts are the same. Before the first block; not with enter_watched(). */
void apmu_uarch_estimate_stalls(struct apmu_uarch *u);

#define APMU_TIME_COSTS       7
#define APMU_TIME_MOST_ONE_IN 900000u

/* Samples of time. The engine provides the memory and may read it at any time. */
struct apmu_uarch_time_samples {
	uint32_t one_in;  /* one of so many instructions is timed; 0: all are */
	uint8_t timed;    /* 1: the clock is running */
	uint64_t samples; /* that stand for instructions without a clock */
	uint64_t untimed; /* instructions without a clock, up to the last sample */
	double squares;   /* estimated variance of CYCLES, in square cycles: half the sum of squared changes
			     from sample to sample, without what the regression explains */
	double rest;      /* cycles of the last sample without that */
	uint64_t random;
	uint64_t from, length; /* number of instructions where the clock was last stopped or started; those of
				  the last sample */
	uint64_t signals[APMU_SIGNAL_WORDS];                 /* those that depend on time */
	uint64_t before[APMU_SIGNALS], sample[APMU_SIGNALS]; /* counts at `from`; of the last sample */
	/* A linear regression of each signal on two costs, over `fitted` samples: what misses and
	 * mispredictions, which are counted exactly, would cost one after the other, [0] of data and
	 * branches, [1] of code. `x`: of the last sample; `x_from`: up to `from`. */
	struct apmu_time_cost {
		uint16_t signal; /* enum apmu_signal */
		uint16_t cycles;
		uint8_t code; /* 0: of data and branches; 1: of code */
	} cost[APMU_TIME_COSTS];
	uint64_t fitted;
	double x[2], x_from[2], x_sum[2], x_squares[2], x_product;
	double y_sum[APMU_SIGNALS], y_products[APMU_SIGNALS][2];
	double unpaid[APMU_SIGNALS]; /* what estimates were below 0, and fractions, not counted yet */
};

/* Makes the machine time only samples of 4,000 instructions, and 500 before each, while the window fills: one
 * of `one_in` instructions (2 to APMU_TIME_MOST_ONE_IN; else does nothing), after a first million. What
 * depends on time is estimated: each sample stands for the instructions that follow it, up to the next one.
 * All other counts are the same as without sampling. Does nothing in order, where time costs little, or if
 * time is not wanted. Blocks must be entered by apmu_uarch_enter(). Bounds of cycles are not checked
 * (apmu_uarch_check_bounds()). Before the first block. */
void apmu_uarch_sample_time(struct apmu_uarch *u, uint32_t one_in, struct apmu_uarch_time_samples *samples);

/* Adds to `t`, a copy of the machine's tally, the estimate for the instructions after the last sample. */
void apmu_uarch_add_untimed(const struct apmu_uarch_time_samples *samples, struct apmu_tally *t);

/* Makes the machine count unconditional accesses at block entry, so that a hit costs next to nothing. The
 * engine must then report each of them by apmu_uarch_load() or apmu_uarch_store(). Before the first block;
 * not with enter_watched() or apmu_uarch_ahead(), which need each access counted when it is made. */
void apmu_uarch_precount(struct apmu_uarch *u);

/* apmu_uarch_precount(), but each access is counted when it is made, by the two calls below or by
 * apmu_uarch_access(); enter_watched() may be used. Before the first block. */
void apmu_uarch_count_each(struct apmu_uarch *u);
void apmu_uarch_load_each(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);
void apmu_uarch_store_each(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);

/* Report an unconditional load and an unconditional store, after apmu_uarch_precount(). */
void apmu_uarch_load(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);
void apmu_uarch_store(struct apmu_uarch *u, const struct apmu_access_site *site, uint64_t addr);

/* Reports that the current block was left before instruction `executed` (a fault), and subtracts what block
 * entry counted in advance for the rest. */
void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed);

/*
 * The effects of the program's own control registers and page tables on the units. Until a call says
 * otherwise, everything is on and all memory is ordinary. Not between the accesses of one instruction.
 */

/* Switches: bits of apmu_uarch_switch(). A unit that the core does not have is off in any case. */
#define APMU_ON_ICACHE  0x01u  /* off: code is fetched from memory, in pieces of one fetch look-up */
#define APMU_ON_DCACHE  0x02u  /* L1 data and the levels below; off: all data are non-cacheable */
#define APMU_ON_LEVELS  0x04u  /* L2, L3; off: L1 is next to memory */
#define APMU_ON_MMU     0x08u  /* off: nothing is translated, and no TLB is looked up */
#define APMU_ON_PREDICT 0x10u  /* off: every branch is predicted not taken */
#define APMU_ON_DYNAMIC 0x20u  /* the branch target buffer and its counters */
#define APMU_ON_STATIC  0x40u  /* the static rule, for branches that the buffer does not hold */
#define APMU_ON_RETURNS 0x80u  /* the return stack */
#define APMU_ON_AHEAD   0x100u /* the data prefetcher */
#define APMU_ON_ALL     0x1FFu

/* Sets the switches, from the next block on. Caches, TLBs and the tables of the direction predictor keep
 * their contents; a branch target buffer, a target predictor and a return stack that are switched off lose
 * theirs. */
void apmu_uarch_switch(struct apmu_uarch *u, uint32_t on);

/* Settings that the program can change, from the next block on. A machine that was made without prefetch
 * streams has none. */
struct apmu_tuning {
	uint8_t streams, flights, next; /* as in struct apmu_prefetch_params */
	uint8_t read_allocate;
};
void apmu_uarch_tune(struct apmu_uarch *u, const struct apmu_tuning *tuning);

/* Memory types, as page tables give them. */
enum apmu_memory {
	APMU_MEMORY_CACHED,
	APMU_MEMORY_MINI,     /* XScale: goes to the mini data cache */
	APMU_MEMORY_TCM,      /* tightly coupled: as fast as the cache, and never misses */
	APMU_MEMORY_UNCACHED, /* Normal, non-cacheable */
	APMU_MEMORY_DEVICE,
	APMU_MEMORY_ORDERED /* Strongly Ordered, Device-nGnRnE: an access drains the write buffer */
};

/* Sets the memory type of the accesses reported from now on, and of the code entered from now on. */
void apmu_uarch_data_memory(struct apmu_uarch *u, enum apmu_memory memory);
void apmu_uarch_code_memory(struct apmu_uarch *u, enum apmu_memory memory);

/* Maintenance operations. A dirty line that is cleaned is written to the level below and counted as a
 * write-back. A pinned line is never evicted. */
enum apmu_maintenance {
	APMU_MAINTAIN_ICACHE,           /* invalidate instruction lines */
	APMU_MAINTAIN_INVALIDATE,       /* invalidate data lines without a write-back */
	APMU_MAINTAIN_CLEAN,            /* write dirty data lines back; they stay */
	APMU_MAINTAIN_CLEAN_INVALIDATE, /* write dirty data lines back and invalidate */
	APMU_MAINTAIN_ITLB,             /* invalidate instruction translations, and the main TLB's */
	APMU_MAINTAIN_DTLB,             /* invalidate data translations, and the main TLB's */
	APMU_MAINTAIN_BRANCHES,         /* invalidate the branch target buffer */
	APMU_MAINTAIN_PIN,              /* XScale: fetch an instruction line and pin it */
	APMU_MAINTAIN_UNPIN_CODE,       /* unpin all instruction lines */
	APMU_MAINTAIN_PIN_DATA,         /* XScale: from now on pin each data line that is filled */
	APMU_MAINTAIN_PIN_NO_MORE,      /* end of APMU_MAINTAIN_PIN_DATA */
	APMU_MAINTAIN_UNPIN_DATA,
	APMU_MAINTAIN_ALLOCATE, /* XScale: allocate a data line without fetching it */
	APMU_MAINTENANCE_KINDS
};
#define APMU_MAINTAIN_ALL UINT64_MAX

/* Does maintenance of the line or page at `addr`, in all levels; APMU_MAINTAIN_ALL: of everything in level 1
 * that is not pinned. */
void apmu_uarch_maintain(struct apmu_uarch *u, enum apmu_maintenance what, uint64_t addr);

/* Does maintenance of one set and way of the data cache of level 1, 2 or 3; nothing if there is no such
 * way. */
void apmu_uarch_maintain_way(struct apmu_uarch *u, enum apmu_maintenance what, unsigned level, uint32_t set,
			     uint32_t way);

/*
 * Address spaces. TLBs hold translations of several: each entry belongs to a regime (which the host numbers)
 * and a VMID, and to an ASID or, if the page is global, to all ASIDs.
 */
struct apmu_space {
	uint16_t asid, vmid;
	uint8_t regime;
};

/* True if the page at this address belongs to the current space's ASID alone (nG). Called when a TLB
 * allocates the entry. */
typedef bool apmu_local_fn(void *user, uint64_t addr);

/* From now on TLB entries belong to address spaces; the current one has all numbers 0 and owns what the TLBs
 * hold. Call it once. 0 or APMU_ENOMEM. */
int apmu_uarch_spaces(struct apmu_uarch *u, apmu_local_fn *local, void *user);

/* Changes the address space, from the next block on. Entries of other spaces do not hit, but keep their
 * places. apmu_uarch_spaces() must have been called. */
void apmu_uarch_enter_space(struct apmu_uarch *u, const struct apmu_space *space);

/* The TLB entries that a maintenance operation removes: entries of a regime. apmu_uarch_spaces() must have
 * been called. */
struct apmu_unmap {
	struct apmu_space space;
	bool any_vmid, any_asid; /* of every VMID, of every ASID */
	bool globals;            /* with an ASID: global entries too */
	bool last_level;         /* the walk cache keeps its entries */
	bool code, data;         /* the first-level TLB of instructions, of data, or both */
	uint64_t first, last;    /* first and last address; 0 to UINT64_MAX: all */
};
void apmu_uarch_unmap(struct apmu_uarch *u, const struct apmu_unmap *what);

/* Sets the ways of a level 1 cache that take no new line (cache lockdown): bit w, way w. The last way is
 * never locked. */
void apmu_uarch_lock(struct apmu_uarch *u, bool code, uint64_t ways);

/* Reports that control moved without a branch (signal, exception, context switch): the next enter() resolves
 * no branch. */
void apmu_uarch_break(struct apmu_uarch *u);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
