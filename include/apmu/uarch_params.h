/* SPDX-License-Identifier: MIT */
/**
 * A core's parameters: what its caches, TLBs, predictors and pipeline are like. Part of apmu/uarch.h.
 *
 * Plain data; a row is spec/uarch/<name>.uarch, the ranges of its parameters are in spec/uarch/keys.txt.
 * Change a copy with apmu_uarch_set(), then ask apmu_uarch_check() whether it fits together.
 */
#ifndef APMU_UARCH_PARAMS_H
#define APMU_UARCH_PARAMS_H

#include <apmu/uarch_groups.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What an instruction is, for timing and for class events. */
enum apmu_class {
	APMU_CLASS_UNKNOWN,  /* not decoded: one cycle, no operands */
	APMU_CLASS_ALU,      /* data processing; with APMU_INSN_SHIFT_REG a register-controlled shift */
	APMU_CLASS_MUL,      /* 32 x 32 -> 32 multiply, multiply-accumulate */
	APMU_CLASS_MUL_64,   /* 64 x 64 -> 64 */
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
	APMU_CLASS_VFP_MAC,    /* multiply-accumulate */
	APMU_CLASS_VFP_DIV,    /* divide, square root */
	APMU_CLASS_VFP_DIV_64, /* the same in double precision */
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
	APMU_DIRECTION_TAGE,    /* tagged tables of growing global history over a bimodal one */
	APMU_DIRECTION_HYBRID   /* bimodal and gshare, and a table by address of which of them to believe */
};

/* In order: may an instruction issue together with another? */
enum apmu_pair { APMU_PAIR_NONE, APMU_PAIR_ELDER, APMU_PAIR_YOUNGER, APMU_PAIR_BOTH };
#define APMU_MOST_PIPES 8  /* of a group */
#define APMU_UNITS      12 /* groups of pipes, 0 stands for any */

/* What instructions of a group take, in one word: fields that are not given (0) are the group's parent's, at
 * last the class's: result, issue and unit. Each field holds its value plus one. */
#define APMU_TIMING_RESULT 0 /* 10 bits: cycles until a dependent instruction can issue */
#define APMU_TIMING_BUSY                                                                                    \
	10                  /* 14 bits: twelfths of a cycle for which a pipe of its unit takes nothing else \
			     */
#define APMU_TIMING_UNIT 24 /* 4 bits: the group of pipes */
#define APMU_TIMING_LATE                                                                   \
	28 /* 6 bits: cycles by which what is added to is needed later than other operands \
	    */
#define APMU_TIMING_SLOTS                                                                   \
	34 /* 5 bits: out of order, slots of dispatch; of a list of registers, so many each \
	    */
#define APMU_TIMING_ISSUE 39 /* 6 bits: in order, cycles of issue */
#define APMU_TIMING_EARLY 45 /* 6 bits: in order, cycles by which operands are needed earlier */
#define APMU_TIMING_VECTOR                                                                              \
	51 /* 4 bits: out of order, of a load or store: pipes of unit.simd that it takes besides, for a \
	    * cycle each                                                                                \
	    */
#define APMU_TIMING_BASE 58 /* 3 bits: out of order, slots of dispatch of an address that is written back */

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
	uint8_t inclusion;    /* enum apmu_inclusion */
	bool write_allocate;  /* a store that passes L1 by and misses fills; else it goes on below */
	uint16_t latency;     /* cycles from an L1 miss to the data */
	uint8_t line_buffers; /* L210: lines that each slave port keeps; a read of one is no request */
	uint16_t fill;        /* cycles a line read from it, or put out into it, occupies the way to it */
};
/* Streams of misses with a constant stride fetch ahead into L1 data. */
struct apmu_prefetch_params {
	uint8_t streams;    /* 0: none; at most 16 */
	uint8_t trigger;    /* steps of one stride before it starts */
	uint8_t next;       /* the same where that is to the next line, up or down; 0: as trigger */
	uint8_t distance;   /* lines ahead, in steps of the stride; at most 32 */
	uint8_t max_stride; /* lines */
	uint8_t flights;    /* lines on their way; at most 64 */
	bool crosses;       /* goes on over the end of a page */
	bool twice;         /* asks L2 for a line before L1 does: L2 looks it up twice */
};
/* Tightly coupled memories: none; one for instructions, which data accesses reach too, and one for data; two
 * for both. */
enum apmu_tcm_kind { APMU_TCM_NONE, APMU_TCM_SPLIT, APMU_TCM_UNIFIED };
/* ACTLR is the one of AArch32; CPUACTLR_EL1 of an A64 program. Which bits of the core's control registers
 * switch a unit, for whoever runs a program that has them: bit b: on while it is 1; 32 + b: off while it is
 * 1; 64: none does. SCTLR's I, C and M are architecture. */
struct apmu_control_params {
	uint8_t predict;                   /* of SCTLR */
	uint8_t dynamic, by_rule, returns; /* of ACTLR: the buffer, the static rule, the return stack */
	uint8_t folding, levels, ahead;    /* folding of branches, L2, the data prefetcher ... */
	uint8_t ahead_bits;                /* ... which is a field of so many bits, 0: off */
	uint8_t ahead_off;                 /* one bit that switches it off; 64: none */
	uint8_t streams;        /* lowest bit of a field of two: the prefetcher's streams, less one */
	bool flights;           /* the prefetcher's field says how many lines may be on their way */
	uint8_t next;           /* the prefetcher waits for one step more to the next line */
	uint8_t runs;           /* lowest bit of a field of two, for read_allocate: the row's, ... */
	uint8_t runs_1, runs_2; /* ... these; 3: never */
	uint8_t micro_tlb; /* first-level TLBs are emptied: 1 by TLB maintenance, 2 by a new address space too
			    */
	uint8_t shared;    /* of ACTLR: shareable memory is cached; 64: it always is; 65: it never is */
	bool through;      /* write-through memory is cached */
	uint8_t tcm;       /* enum apmu_tcm_kind: region registers in CP15 c9 */
	uint32_t actlr;    /* its value out of reset */
};
/* How many instructions go to the queues before some pipes in a cycle; 0: as many as are dispatched. */
struct apmu_dispatch_params {
	uint8_t integer; /* of integers and branches */
	uint8_t memory;  /* of loads and stores */
	uint8_t vector;  /* of vectors and floating point */
	uint8_t taken;   /* predicted branches that go, of a cycle; 0: no limit */
	bool breaks;     /* what follows one that goes is dispatched in another cycle */
};
/* The cache of decoded instructions, macro-operations with Arm; out of order. It is looked up by pieces of
 * code of 32 bytes, eight instructions of A64, round-robin, by virtual address. */
struct apmu_mop_params {
	uint16_t entries; /* instructions of A64; 0: none */
	uint8_t ways;
	uint8_t decode; /* instructions dispatched a cycle of code that it has not */
};
/* Integer division: with q = max(clz(divisor) - clz(dividend) + 1, 0), as many bits as its quotient or one
 * more, it takes q / bits cycles, rounded down, beyond issue and result of its class or group. */
struct apmu_divide_params {
	uint8_t bits;    /* 0: however large the quotient */
	uint8_t least;   /* cycles to the result, and of its pipe, at least */
	uint8_t typical; /* q where the operands are not known */
};
/* A range of addresses that is not ordinary cacheable memory; size 0: none. */
struct apmu_window {
	uint64_t base, size; /* bytes */
};

/* A core's parameters; spec/uarch/<name>.uarch, one row a parameter with its source; spec/uarch/keys.txt has
 * ranges. Latencies in core cycles until a dependent instruction can issue. */
struct apmu_uarch_params {
	const char *name;  /* "arm1136"; set by the row */
	const char *title; /* "ARM1136JF-S as in OMAP2420" */
	uint16_t clock;    /* MHz: changes no count; 0: unknown */
	struct apmu_cache_params l1i, l1d;
	struct apmu_cache_params mini;     /* XScale's mini data cache: holds what lies in mini_window */
	struct apmu_tlb_params itlb, dtlb; /* first level */
	struct apmu_tlb_params tlb;        /* main, unified; entries 0: none */
	uint32_t page;                     /* bytes: what one TLB entry maps */
	struct apmu_level_params l2, l3;   /* l3 without l2: l3 is next to L1 */
	uint8_t bus_width;                 /* bytes a beat */
	struct apmu_prefetch_params prefetch;
	uint8_t read_allocate;    /* stores that each begin a next line before they pass L1 by; 0: never */
	uint8_t read_allocate_l2; /* the same, before they pass the levels below by */
	uint8_t fetch_bytes;      /* of one look-up of the instruction cache; 0: a line */
	uint32_t seed;            /* of random replacement; not 0 */
	/* branches */
	uint16_t btb;            /* entries, direct mapped, a power of two; 0: none */
	uint8_t btb_shift;       /* lowest address bit of the index */
	bool btb_stores_untaken; /* allocates not-taken branches too (ARM11 BTAC); else taken only (XScale) */
	uint16_t btb_kinds;      /* bit of enum apmu_branch: kinds the BTB predicts */
	uint8_t direction;       /* enum apmu_direction */
	uint32_t counters; /* two-bit counters of bimodal, gshare, local, tage's base, each table of hybrid; a
			      power of two */
	uint8_t history;   /* bits of gshare and hybrid (to 32), local (to 24); tage's longest (to 64) */
	uint16_t locals;   /* histories of local, a power of two */
	uint8_t tage_tables;    /* tagged tables of tage, 1..8 */
	uint16_t tage_entries;  /* of each, a power of two */
	uint16_t loops;         /* loop predictor, entries, a power of two; 0: none */
	uint16_t targets;       /* indirect branches: target entries, a power of two; 0: none predicted */
	uint8_t target_history; /* indirect branches: targets that choose the entry with the address */
	bool static_predict;    /* BTB miss: unconditional and backward taken, forward not; else not taken */
	uint8_t return_stack;   /* entries; 0: none */
	bool predict;           /* program-flow prediction on (CP15 control Z); off: straight-line */
	bool folding;           /* a BTB hit removes a right B: 0 cycles */
	bool alu_branches;      /* data processing that writes the PC is predicted, MOV PC, LR as a return */
	bool unpredicted_is_wrong; /* a taken branch that nothing predicts counts as mispredicted */
	uint8_t mispredict;   /* cycles lost; out of order from the branch's start to the next dispatch */
	uint8_t taken;        /* cycles beyond issue of a taken branch the BTB predicted */
	bool taken_ahead;     /* out of order: these pass while what was fetched before is dispatched */
	uint16_t nano_btb;    /* entries of a level before the buffer (in order one, with fetch_queue), ... */
	uint8_t nano_taken;   /* ... and cycles of a taken branch that it has */
	uint16_t micro_btb;   /* out of order: entries of a level between these two, and ... */
	uint8_t micro_taken;  /* ... likewise */
	bool taken_pairs;     /* an unconditional branch right behind another that goes comes with it */
	uint8_t static_taken; /* the same, predicted statically */
	uint8_t return_predicted, return_wrong, indirect; /* cycles beyond issue */
	uint8_t load_pc;                                  /* cycles beyond issue of LDR/LDM to the PC */
	uint8_t fetch_queue; /* in order: instructions fetched, `width` a cycle, that wait for issue; those
			      * cycles of a branch predicted right pass while they issue; 0: none wait */
	/* pipeline: in order, or with a reorder window out of order */
	uint8_t width;                   /* instructions issued, or dispatched, a cycle: 1..16 */
	uint16_t rob;                    /* reorder window, micro-operations; 0: in order */
	uint8_t load_queue, store_queue; /* out of order: loads, stores in the window; 0: no limit */
	uint8_t scheduler;               /* out of order: instructions that wait to start; 0: no limit */
	uint8_t schedulers[APMU_UNITS];  /* ... for a group of pipes. A group without its own waits for that
					  * which it is within, or, if two are within it, for the roomier of
					  * these */
	uint8_t scheduler_cycles; /* ... from an instruction's start until another may have its entry, at
				     least 1 */
	uint8_t ordered; /* out of order: the group of pipes whose instructions start in their order; 0: none
			  */
	uint8_t store_buffer;       /* in order: store misses that wait for a place among the misses */
	uint8_t forward;            /* cycles from a store to the use of a load of it; 0: by the cache */
	uint8_t forward_fail;       /* ... of a load that cannot take its data from it */
	uint8_t unit[APMU_CLASSES]; /* group of pipes that an instruction of the class needs; 0: any */
	uint8_t pipes[APMU_UNITS];  /* pipes of a group */
	uint8_t within[APMU_UNITS]; /* out of order: the group that these pipes are some of; 0: none */
	struct apmu_dispatch_params dispatch; /* out of order */
	struct apmu_mop_params mop;
	uint8_t pair[APMU_CLASSES]; /* in order, enum apmu_pair: which of two that issue together it can be */
	bool pair_immediate;        /* in order: a younger ALU instruction reads one register at most */
	uint8_t issue[APMU_CLASSES];  /* cycles an instruction of the class occupies issue */
	uint8_t result[APMU_CLASSES]; /* latency */
	struct apmu_divide_params divide;
	uint64_t timing[APMU_GROUPS]; /* of groups of instructions; APMU_TIMING_... */
	uint8_t vector_slots;  /* out of order: of dispatch, that an operation on vectors of 128 bits takes */
	uint8_t base_slots;    /* out of order: of dispatch, that writing an address back takes */
	uint8_t alu_factor;    /* out of order: latency from an ALU into an integer multiplication: added */
	uint8_t vector_bytes;  /* of a vector pipe: 8, and a vector of 128 bits takes two of them; else 16 */
	uint8_t shift_reg;     /* register-controlled shift: added to latency, in order to issue too */
	uint8_t shift_extra;   /* in order: latency into a shifter operand: added */
	uint8_t address_extra; /* in order: latency into an address operand: added */
	uint8_t store_late;    /* in order: latency into store data: taken off */
	uint8_t branch_late;   /* in order: latency into what CBZ, TBZ compare: taken off */
	uint8_t addend_late;   /* in order: latency into the addend of a VFP_MAC: taken off */
	uint8_t factor_extra;  /* in order: latency into what an integer multiplication multiplies: added */
	uint8_t low_early;     /* latency of the low half of a long multiplication: taken off */
	uint8_t load_bytes; /* in order: bytes that a load brings a cycle, a pair's second register behind the
			     * first; 0: all it asks for */
	bool access_blocks; /* in order: issue waits while the load/store unit moves what is asked for, ... */
	bool access_slot;   /* ... but one slot of its last cycle is free */
	bool multiple_slot; /* in order: one slot of the last cycle of LDM/STM is free */
	bool vectors_apart; /* in order: the nth register of an LD1 comes when an LD1 of n has its last; else
			     * all come with the last */
	bool multiply_slot; /* in order: one slot of a multiplication's last cycle is free */
	bool alu_early; /* in order: an ALU instruction whose operands came a cycle before has its result for
			   one that issues with it */
	bool vector_elder; /* in order: a vector of two pipes is not the younger of two that issue together */
	uint8_t vector_access;  /* in order, where vector_bytes is 8: group of pipes of which loads and stores
				 * of vector registers take one too, two if they are of 128 bits; 0: none */
	uint8_t subword_extra;  /* added to a byte or halfword load */
	uint8_t multiple_first; /* LDM: latency of the first register */
	uint8_t multiple_per_cycle; /* LDM/STM: registers a cycle after it */
	uint8_t multiple_issue;     /* in order: LDM/STM: cycles of issue, before multiple_blocks */
	bool multiple_blocks; /* LDM/STM: issue waits for all registers; else the load/store unit alone. Out
				 of order: these cycles are slots of dispatch */
	uint8_t unaligned_extra; /* cycles of an access that crosses a word */
	/* memory */
	uint16_t memory;       /* L1 miss to data: cycles */
	uint16_t line_fill;    /* cycles a fill occupies the bus */
	uint16_t line_write;   /* cycles a line written back occupies it; 0: as line_fill */
	uint8_t tlb_hit;       /* first-level miss, main hit: cycles */
	uint16_t walk;         /* table walk: cycles, without those of walk_reads */
	uint8_t walk_reads;    /* descriptors a full walk reads through L2; 0: none, `walk` is all */
	bool walk_short;       /* descriptors of four bytes, 256 pages a table; else of eight, 512 pages */
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
	bool uncached_looked_up;         /* non-cacheable accesses are counted as look-ups that miss */
	bool uncached_ordered;           /* ... that is Strongly Ordered: an access drains the write buffer */
	struct apmu_control_params control;
	struct apmu_window mini_window; /* what the mini data cache holds */
	uint8_t shared; /* 2, 3: threads of a process have the levels of cache from this one on in common; 0:
			   none */
	uint16_t transfer; /* cycles from an L1 miss to a line that another thread's first level has; 0: they
			      do not see each other */
};

#ifdef __cplusplus
}
#endif

#endif
