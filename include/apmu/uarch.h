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

#define APMU_GAUGE_SIGNALS 6 /* the most signals in a sum */

struct apmu_uarch;
struct apmu_block;

/* What an instruction is, for timing and for class events. */
enum apmu_class {
	APMU_CLASS_UNKNOWN,  /* not decoded: one cycle, no operands */
	APMU_CLASS_ALU,      /* data processing; with APMU_INSN_SHIFT_REG a register-controlled shift */
	APMU_CLASS_MUL,      /* 32 x 32 -> 32 multiply, multiply-accumulate */
	APMU_CLASS_MUL_LONG, /* 32 x 32 -> 64 */
	APMU_CLASS_MUL_HALF, /* 16 x 16, 32 x 16 */
	APMU_CLASS_MUL_HIGH, /* most significant word */
	APMU_CLASS_DIV,
	APMU_CLASS_LOAD,
	APMU_CLASS_STORE,
	APMU_CLASS_SWAP,    /* SWP, atomics that read and write */
	APMU_CLASS_PRELOAD, /* PLD, PRFM: no access is counted */
	APMU_CLASS_BRANCH,
	APMU_CLASS_EXCEPTION, /* SVC, HVC, SMC, BKPT */
	APMU_CLASS_BARRIER,   /* DSB, drain write buffer */
	APMU_CLASS_SYSTEM,    /* MRS, MSR, MRC, MCR, ISB, DMB, CPS */
	APMU_CLASS_VFP,
	APMU_CLASS_VFP_DIV, /* divide, square root */
	APMU_CLASS_SIMD,
	APMU_CLASS_NOP,
	APMU_CLASSES
};

/* How an instruction may change the PC. */
enum apmu_branch {
	APMU_BRANCH_NONE,
	APMU_BRANCH_IMMED,         /* B, CBZ, TBZ */
	APMU_BRANCH_IMMED_LINK,    /* BL */
	APMU_BRANCH_IMMED_X,       /* BLX immediate: links and changes instruction set */
	APMU_BRANCH_INDIRECT,      /* BX Rm (not LR), MOV/ADD PC, BR */
	APMU_BRANCH_INDIRECT_LINK, /* BLX Rm, BLR */
	APMU_BRANCH_RETURN,        /* BX LR, MOV PC,LR, POP {..PC}, LDR PC,[SP],#, RET */
	APMU_BRANCH_LOAD_PC,       /* LDR/LDM to the PC that is no return */
	APMU_BRANCHES
};

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
	APMU_TRAIT_DMB,
	APMU_TRAIT_DSB,
	APMU_TRAIT_ISB,
	APMU_TRAIT_CSDB,
	APMU_TRAIT_SVC, /* system call */
	/* these three follow from `branch` and `flags`: apmu_block_new() adds them */
	APMU_TRAIT_BRANCH_X,        /* BLX immediate */
	APMU_TRAIT_BRANCH_INDIRECT, /* to a register's value or from memory, returns too */
	APMU_TRAIT_BRANCH_COND,
	APMU_TRAITS
};

/* One instruction as src/engine/classify describes it. */
struct apmu_insn {
	uint64_t addr;
	uint64_t target; /* of an immediate branch; else 0 */
	uint64_t reads; /* registers read: bits 0-30 general (A64 SP is bit 31), 32-63 vector d0/v0 up; flags:
			   none */
	uint64_t shift_reads; /* those of `reads` that feed the shifter or an address: needed one stage early
			       */
	uint64_t writes;
	uint32_t traits; /* bits of enum apmu_trait */
	uint8_t size;    /* bytes: 2 or 4 */
	uint8_t cls;     /* enum apmu_class */
	uint8_t branch;  /* enum apmu_branch */
	uint16_t flags;  /* APMU_INSN_... */
	uint8_t regs;    /* registers moved by MULTIPLE */
	uint8_t width;   /* bytes of one element accessed; 0 if none */
	bool thumb;
};

/* Cache replacement and write policies. An empty way is always filled first, the lowest one. Round-robin
 * keeps a pointer a set; FIFO evicts the oldest fill: the same ways as long as no line is invalidated. Random
 * is an xorshift32 of `seed`, stepped once an eviction. */
enum apmu_replace {
	APMU_REPLACE_LRU,
	APMU_REPLACE_PLRU,
	APMU_REPLACE_ROUND_ROBIN,
	APMU_REPLACE_FIFO,
	APMU_REPLACE_RANDOM
};
enum apmu_write_policy { APMU_WRITE_BACK, APMU_WRITE_THROUGH };
enum apmu_access_rule {
	APMU_ACCESS_PER_LINE,    /* one access a line touched by an instruction (ARM11) */
	APMU_ACCESS_PER_REGISTER /* one access a register (XScale) */
};

/* What tells whether a conditional branch goes. */
enum apmu_direction {
	APMU_DIRECTION_BTB,     /* a two-bit counter in the branch target buffer (ARM11, XScale) */
	APMU_DIRECTION_STATIC,  /* backward yes, forward no */
	APMU_DIRECTION_BIMODAL, /* a table of two-bit counters by address */
	APMU_DIRECTION_GSHARE,  /* by address and global history */
	APMU_DIRECTION_LOCAL,   /* by the branch's own history */
	APMU_DIRECTION_TAGE     /* tagged tables of growing global history over a bimodal one */
};

struct apmu_cache_params {
	uint32_t size;          /* bytes; 0: absent */
	uint16_t ways;          /* 1..64 */
	uint16_t line;          /* bytes, a power of two */
	uint8_t replace, write; /* enums above */
	bool write_allocate;    /* a store miss fills the line; else it goes outside */
	uint8_t dirty_per_line; /* dirty bits a line: 1 or 2 */
};
struct apmu_tlb_params {
	uint16_t entries; /* 0: absent (no MMU) */
	uint16_t ways;    /* equal to entries: fully associative */
	uint8_t replace;
};
/*
 * A unified cache below the first level. What an L1 miss that fills does, in order:
 *
 *   1. L1 puts its victim out and takes the line.
 *   2. The victim, if dirty (exclusive: any), is written to the level below: a hit there is marked dirty, a
 *      miss allocates without a fill.
 *   3. The line is read in the level below. A hit is used; if the level is exclusive and the line is data, it
 *      leaves, and takes its dirtiness along. A miss fills, unless exclusive and data: the level puts its
 *      victim out, which, if dirty (exclusive level below: any), is written to the next level; then the line
 *      is read there by the same rule, or in memory.
 *
 * A victim of an inclusive level takes its lines in the caches above it along; dirty ones make it dirty.
 * Instruction lines are never exclusive. Stores that L1 does not allocate: those that follow one another in
 * one line are one write; a miss fills and is marked dirty if `write_allocate`, else it goes on below.
 */
enum apmu_inclusion { APMU_NEITHER, APMU_INCLUSIVE, APMU_EXCLUSIVE };
struct apmu_level_params {
	uint32_t size; /* bytes; 0: absent */
	uint16_t ways, line;
	uint8_t replace;
	uint8_t inclusion;   /* enum apmu_inclusion */
	bool write_allocate; /* a store that passes L1 by and misses fills; else it goes on below */
	uint16_t latency;    /* cycles from an L1 miss to the data */
	uint16_t fill;       /* cycles a line occupies the way to it */
};
/* Streams of misses with a constant stride fetch ahead into L1 data. */
struct apmu_prefetch_params {
	uint8_t streams;    /* 0: none; at most 16 */
	uint8_t trigger;    /* steps of one stride before it starts */
	uint8_t distance;   /* lines ahead; at most 32 */
	uint8_t max_stride; /* lines */
};
/* A range of addresses that is not ordinary cacheable memory; size 0: none. */
struct apmu_window {
	uint64_t base, size; /* bytes */
};

/* A core's parameters; spec/uarch/<name>.uarch, one row a figure with its source; spec/uarch/keys.txt has
 * ranges. Latencies in core cycles until a dependent instruction can issue. */
struct apmu_uarch_params {
	const char *name;  /* "arm1136"; set by the row */
	const char *title; /* "ARM1136JF-S as in OMAP2420" */
	struct apmu_cache_params l1i, l1d;
	struct apmu_cache_params mini;     /* XScale's mini data cache: holds what lies in mini_window */
	struct apmu_tlb_params itlb, dtlb; /* first level */
	struct apmu_tlb_params tlb;        /* main, unified; entries 0: none */
	uint32_t page;                     /* bytes: what one TLB entry maps */
	struct apmu_level_params l2, l3;   /* l3 without l2: l3 is next to L1 */
	uint8_t bus_width;                 /* bytes a beat */
	struct apmu_prefetch_params prefetch;
	uint8_t read_allocate; /* stores that each begin a next line before they pass L1 by; 0: never */
	uint8_t fetch_bytes;   /* of one look-up of the instruction cache; 0: a line */
	uint32_t seed;         /* of random replacement; not 0 */
	/* branches */
	uint16_t btb;            /* entries, direct mapped, a power of two; 0: none */
	uint8_t btb_shift;       /* lowest address bit of the index */
	bool btb_stores_untaken; /* allocates not-taken branches too (ARM11 BTAC); else taken only (XScale) */
	uint16_t btb_kinds;      /* bit of enum apmu_branch: kinds the BTB predicts */
	uint8_t direction;       /* enum apmu_direction */
	uint32_t counters;       /* two-bit counters of bimodal, gshare, local, tage's base; a power of two */
	uint8_t history;         /* bits of gshare (to 32) and local (to 24); tage's longest (to 64) */
	uint16_t locals;         /* histories of local, a power of two */
	uint8_t tage_tables;     /* tagged tables of tage, 1..8 */
	uint16_t tage_entries;   /* of each, a power of two */
	uint16_t loops;          /* loop predictor, entries, a power of two; 0: none */
	uint16_t targets;        /* indirect branches: target entries, a power of two; 0: none predicted */
	uint8_t target_history;  /* indirect branches: targets that choose the entry with the address */
	bool static_predict;     /* BTB miss: unconditional and backward taken, forward not; else not taken */
	uint8_t return_stack;    /* entries; 0: none */
	bool predict;            /* program-flow prediction on (CP15 control Z); off: straight-line */
	bool folding;            /* a BTB hit removes a right B: 0 cycles */
	bool unpredicted_is_wrong; /* a taken branch that nothing predicts counts as mispredicted */
	uint8_t mispredict;        /* cycles lost */
	uint8_t taken;             /* cycles beyond issue of a taken branch the BTB predicted */
	uint8_t static_taken;      /* the same, predicted statically */
	uint8_t return_predicted, return_wrong, indirect; /* cycles beyond issue */
	uint8_t load_pc;                                  /* cycles beyond issue of LDR/LDM to the PC */
	/* pipeline */
	uint8_t issue[APMU_CLASSES];  /* cycles an instruction of the class occupies issue */
	uint8_t result[APMU_CLASSES]; /* latency */
	uint8_t shift_reg;            /* register-controlled shift: added to issue and latency */
	uint8_t shift_extra;          /* latency into a shifter operand: added */
	uint8_t address_extra;        /* latency into an address operand: added */
	uint8_t store_late;           /* latency into store data: taken off */
	uint8_t subword_extra;        /* added to a byte or halfword load */
	uint8_t multiple_first;       /* LDM: latency of the first register */
	uint8_t multiple_per_cycle;   /* LDM/STM: registers a cycle after it */
	uint8_t multiple_issue;       /* LDM/STM: cycles of issue, before multiple_blocks */
	bool multiple_blocks;    /* LDM/STM: issue waits for all registers; else the load/store unit alone */
	uint8_t unaligned_extra; /* cycles of an access that crosses a word */
	/* memory */
	uint16_t memory;       /* L1 miss to data: cycles */
	uint16_t line_fill;    /* cycles a fill occupies the bus */
	uint8_t tlb_hit;       /* first-level miss, main hit: cycles */
	uint16_t walk;         /* table walk: cycles, without those of walk_reads */
	uint8_t walk_reads;    /* descriptors a full walk reads through L2; 0: none, `walk` is all */
	uint16_t walk_cache;   /* entries: how many regions need one read only; 0: none */
	uint8_t walk_reach;    /* log2 of bytes that an entry of it covers */
	bool walk_stalls;      /* walk cycles count in the stall signals (XScale); else in none (AN195 4) */
	uint8_t walk_requests; /* bus requests of a walk */
	uint8_t misses;        /* outstanding data misses before the core stalls */
	uint8_t bus_queue;     /* outstanding reads that fill the bus controller's queue */
	uint8_t write_buffer;  /* entries of one line */
	uint8_t write_drain;   /* cycles an entry takes to drain */
	uint8_t access_rule;   /* enum apmu_access_rule */
	/* fine print of counting */
	bool branch_shadow; /* a fetch that a flush or predicted return cancels is looked up (AN195 3) */
	uint8_t stall_on_mispredict;     /* what a mispredict adds to FETCH_STALL: 1 on ARM11 (AN195 4) */
	uint8_t stall_extra;             /* XScale event 0x1 erratum: FETCH_STALL_EXTRA an occurrence */
	uint8_t speculative_after_store; /* AN195 7: extra look-ups, TCM read after external write */
	struct apmu_window itcm, dtcm;   /* tightly coupled memories: never miss */
	struct apmu_window uncached;     /* non-cacheable memory or peripherals */
	bool uncached_ordered;           /* ... that is Strongly Ordered: an access drains the write buffer */
	struct apmu_window mini_window;  /* what the mini data cache holds */
};

/* The row with this name; NULL if none. */
const struct apmu_uarch_params *apmu_uarch_find(const char *name);

/* All rows, for lists; index 0 .. apmu_uarch_count()-1. */
size_t apmu_uarch_count(void);
const struct apmu_uarch_params *apmu_uarch_at(size_t i);

/* One figure of a core, for lists. `value` is as apmu_uarch_set() takes it. */
struct apmu_figure {
	const char *key;
	char value[64];
	const char *text;   /* what it means, with its unit */
	const char *source; /* document the row has it from; "set by the user" when it differs from its row */
};

/* The i-th figure; false beyond the last. */
bool apmu_uarch_figure(const struct apmu_uarch_params *params, size_t i, struct apmu_figure *out);

/* Sets `key` (as in the .uarch file: "l1d.size", "predict", "memory") to `value`. 0, APMU_ENOENT for an
 * unknown key, APMU_EINVAL for a value out of range. */
int apmu_uarch_set(struct apmu_uarch_params *params, const char *key, const char *value);

/* NULL if the parameters fit together, else a sentence that says what does not ("l1d: 1000 bytes are not
 * ..."). */
const char *apmu_uarch_check(const struct apmu_uarch_params *params);

/* A thread's machine: cold caches, adding to `tally`. `wanted`: bit s set if signal s is needed; a unit that
 * no wanted signal needs is not run. NULL without memory or with impossible parameters. */
struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS]);
void apmu_uarch_free(struct apmu_uarch *u);

/* A block: straight-line code, at most its last instruction a branch. Copies what it needs of `insn`.
 * `params` must be those of the machines that will run it. NULL without memory, or with n == 0. */
struct apmu_block *apmu_block_new(const struct apmu_uarch_params *params, const struct apmu_insn *insn,
				  size_t n);

/* requires: every thread that entered `b` has since entered another block, or called apmu_uarch_break() */
void apmu_block_free(struct apmu_block *b);

/* Does the machine need apmu_uarch_access() calls for these signals? */
bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS]);

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
 */
struct apmu_gauge {
	const uint64_t *n[APMU_GAUGE_SIGNALS]; /* totals to sum: elements of the machine's tally */
	uint32_t terms;                        /* used elements of n[] */
	uint64_t due;                          /* UINT64_MAX: never */
};

/* Whose counts are complete. */
enum apmu_where {
	APMU_AT_BRANCH, /* the end of the block before: `addr` is its last instruction's */
	APMU_AT_FETCH,  /* a line's fetch: `addr` is that of the first instruction (or part of one) in it */
	APMU_AT_BLOCK,  /* all that is counted ahead: see apmu_uarch_ahead(); `addr` is the block's */
	APMU_AT_ACCESS  /* the instruction whose access was told; its `addr` is what the engine says */
};

struct apmu_watch {
	struct apmu_gauge *gauge;
	uint32_t gauges;
	void (*reached)(struct apmu_watch *watch, uint32_t gauge, enum apmu_where where, uint64_t addr);
};

static inline uint64_t apmu_gauge_value(const struct apmu_gauge *g)
{
	uint64_t sum = *g->n[0];
	for (uint32_t k = 1; k < g->terms; k++)
		sum += *g->n[k];
	return sum;
}

static inline void apmu_watch_look(struct apmu_watch *watch, enum apmu_where where, uint64_t addr)
{
	for (uint32_t i = 0; i < watch->gauges; i++)
		if (apmu_gauge_value(&watch->gauge[i]) >= watch->gauge[i].due)
			watch->reached(watch, i, where, addr);
}

/* apmu_uarch_enter(), watched. The counts are the same. The engine looks itself after each access. */
void apmu_uarch_enter_watched(struct apmu_uarch *u, const struct apmu_block *b, struct apmu_watch *watch);

/* What the i-th instruction of `b` adds to the counts that entering the block takes ahead: `own` is set. */
void apmu_uarch_ahead(const struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
		      struct apmu_tally *own);

/* The i-th instruction of the current block `b` reads or writes `size` bytes at `addr`. In program order; a
 * call an element, or one call for several adjacent ones. */
void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		       unsigned size, bool store);

/* The current block was left before instruction `executed` (a fault): takes back what enter() counted ahead.
 */
void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed);

/* Control went elsewhere without a branch (signal, exception, context switch): the next enter() resolves
 * nothing. */
void apmu_uarch_break(struct apmu_uarch *u);

#endif
