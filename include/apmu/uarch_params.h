/* SPDX-License-Identifier: MIT */
/**
 * A core's parameters: its caches, TLBs, predictors and pipeline. Part of apmu/uarch.h.
 *
 * Plain data; a row is spec/uarch/<name>.uarch, and spec/uarch/keys.txt has the ranges of its parameters.
 * Change a copy with apmu_uarch_set(), then call apmu_uarch_check() to see if it fits together.
 */
#ifndef APMU_UARCH_PARAMS_H
#define APMU_UARCH_PARAMS_H

#include <apmu/uarch_groups.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Classes of instructions, for timing and for class events. */
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
	APMU_CLASS_VFP_DIV_64, /* VFP_DIV in double precision */
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

/* Cache replacement and write policies. Invalid ways are filled first, the lowest one first. Round-robin
 * keeps a pointer per set; FIFO evicts the oldest fill: both choose the same ways as long as no line is
 * invalidated. Random is an xorshift32 from `seed`, stepped once per eviction. */
enum apmu_replace {
	APMU_REPLACE_LRU,
	APMU_REPLACE_PLRU,
	APMU_REPLACE_ROUND_ROBIN,
	APMU_REPLACE_FIFO,
	APMU_REPLACE_RANDOM
};
enum apmu_write_policy { APMU_WRITE_BACK, APMU_WRITE_THROUGH };
enum apmu_access_rule {
	APMU_ACCESS_PER_LINE,    /* one access per line that an instruction touches (ARM11) */
	APMU_ACCESS_PER_REGISTER /* one access per register (XScale) */
};

/* The predictor of a conditional branch's direction. */
enum apmu_direction {
	APMU_DIRECTION_BTB,     /* a two-bit counter in the branch target buffer (ARM11, XScale) */
	APMU_DIRECTION_STATIC,  /* backward taken, forward not taken */
	APMU_DIRECTION_BIMODAL, /* a table of two-bit counters by address */
	APMU_DIRECTION_GSHARE,  /* a table of two-bit counters by address and global history */
	APMU_DIRECTION_LOCAL,   /* a table of two-bit counters by the branch's own history */
	APMU_DIRECTION_TAGE,    /* tagged tables of growing global history over a bimodal one */
	APMU_DIRECTION_HYBRID   /* bimodal and gshare, with a table by address that selects one of them */
};

/* In order: the place that an instruction may have in a pair that issues together. */
enum apmu_pair { APMU_PAIR_NONE, APMU_PAIR_ELDER, APMU_PAIR_YOUNGER, APMU_PAIR_BOTH };
#define APMU_MOST_PIPES 8  /* largest number of pipes in a group */
#define APMU_UNITS      12 /* number of groups of pipes; group 0 stands for any pipe */

/* The timing of a group of instructions, in one word. A field that is not given (0) is taken from the group's
 * parent, and at last from the class: result, issue and unit. Each field holds its value plus one. */
#define APMU_TIMING_RESULT 0  /* 10 bits: cycles until a dependent instruction can issue */
#define APMU_TIMING_BUSY   10 /* 14 bits: twelfths of a cycle for which the pipe accepts nothing else */
#define APMU_TIMING_UNIT   24 /* 4 bits: the group of pipes */
#define APMU_TIMING_LATE   28 /* 6 bits: cycles by which the addend is needed later than other operands */
#define APMU_TIMING_SLOTS  34 /* 5 bits: out of order, dispatch slots; of a register list: per register */
#define APMU_TIMING_ISSUE  39 /* 6 bits: in order, cycles of issue */
#define APMU_TIMING_EARLY  45 /* 6 bits: in order, cycles by which operands are needed earlier */
#define APMU_TIMING_VECTOR                                                                                \
	51 /* 4 bits: out of order, of a load or store: pipes of unit.simd that it takes too, for a cycle \
	      each */
#define APMU_TIMING_BASE 58 /* 3 bits: out of order, dispatch slots of a base register's write-back */

struct apmu_cache_params {
	uint32_t size;          /* bytes; 0: absent */
	uint16_t ways;          /* 1..64 */
	uint16_t line;          /* bytes, a power of two */
	uint8_t replace, write; /* enums above */
	bool write_allocate;    /* a store miss fills the line; else the store is written around the cache */
	uint8_t dirty_per_line; /* dirty bits per line: 1 or 2 */
};
struct apmu_tlb_params {
	uint16_t entries; /* 0: absent (no MMU) */
	uint16_t ways;    /* equal to entries: fully associative */
	uint8_t replace;
};
/*
 * A unified cache below the first level. An L1 miss that fills does, in this order:
 *
 *   1. L1 evicts a victim and allocates the line.
 *   2. A dirty victim (exclusive level below: any victim) is written to the level below. A hit there is
 *      marked dirty; a miss allocates without a fill.
 *   3. The line is read from the level below. On a hit in an exclusive level, a data line moves up: it
 *      leaves the level and takes its dirty state along. A miss fills, except of a data line in an
 *      exclusive level: the level evicts a victim, which if dirty (exclusive level below: always) is
 *      written to the next level; then the line is read from the next level by the same rules, or from
 *      memory.
 *
 * Evicting a line of an inclusive level evicts it from the caches above too; if one of those is dirty, so is
 * the victim. Instruction lines are never exclusive. Stores that L1 does not allocate: consecutive ones to
 * one line are one write; a miss fills and is marked dirty if `write_allocate`, else the write goes to the
 * next level.
 */
enum apmu_inclusion { APMU_NEITHER, APMU_INCLUSIVE, APMU_EXCLUSIVE };
struct apmu_level_params {
	uint32_t size; /* bytes; 0: absent */
	uint16_t ways, line;
	uint8_t replace;
	uint8_t inclusion;   /* enum apmu_inclusion */
	bool write_allocate; /* a store written around L1 that misses fills; else it goes to the next level */
	uint16_t latency;    /* cycles from an L1 miss to the data */
	uint8_t line_buffers; /* L210: lines that each slave port keeps; reading one of them is no request */
	uint16_t fill;        /* cycles that a line read from it or evicted into it occupies the path to it */
};
/* The data prefetcher: it detects streams of misses with a constant stride and prefetches into L1 data. */
struct apmu_prefetch_params {
	uint8_t streams;    /* streams tracked, at most 16; 0: no prefetcher */
	uint8_t trigger;    /* steps of one stride before it starts to prefetch */
	uint8_t next;       /* `trigger` for a stride of one line, up or down; 0: as trigger */
	uint8_t distance;   /* lines prefetched ahead, in steps of the stride; at most 128 */
	uint8_t begin;      /* distance at which a stream begins; each step adds one; 0: `distance` at once */
	uint8_t max_stride; /* longest stride, lines */
	uint8_t flights;    /* prefetches in flight, at most 128 */
	bool crosses;       /* continues across page boundaries */
	bool twice;         /* requests a line into L2 before L1: L2 is looked up twice */
};
/* Branch prediction runs ahead of fetch, out of order: it follows the program's path and puts the code into a
 * fetch queue; code lines that L1I lacks are requested then, not only when dispatch needs them. An entry is
 * what a block has in one aligned piece of 32 bytes; it leaves when it has been dispatched. After a
 * misprediction, a branch that the BTB did not know, or an instruction TLB miss, the queue begins empty with
 * what is dispatched next. */
struct apmu_run_ahead_params {
	uint8_t queue;   /* entries; 0: prediction does not run ahead */
	uint8_t rate;    /* entries predicted per cycle */
	uint8_t refills; /* code lines in flight at most; prediction waits for one that arrives */
	uint8_t fill;    /* fewest cycles between the arrivals of two lines */
};
/* Tightly coupled memories. SPLIT: one for instructions, which data accesses reach too, and one for data.
 * UNIFIED: two, for both. */
enum apmu_tcm_kind { APMU_TCM_NONE, APMU_TCM_SPLIT, APMU_TCM_UNIFIED };
/* The bits of the core's control registers that switch a unit, for whoever runs a program that writes them.
 * ACTLR is that of AArch32, and CPUACTLR_EL1 for an A64 program. A value b below 32: the unit is on while bit
 * b is 1; 32 + b: off while bit b is 1; 64: no bit switches it. SCTLR's I, C and M are architecture. */
struct apmu_control_params {
	uint8_t predict;                   /* bit of SCTLR: branch prediction */
	uint8_t dynamic, by_rule, returns; /* bits of ACTLR: BTB, static rule, return stack */
	uint8_t folding, levels, ahead;    /* bits of ACTLR: folding, L2, lowest of the prefetcher's field */
	uint8_t ahead_bits;                /* number of bits of the field `ahead`; all 0: off */
	uint8_t ahead_off;                 /* bit of ACTLR that switches the data prefetcher off; 64: none */
	uint8_t streams; /* lowest bit of a field of two bits: the prefetcher's streams, less one; 64: none */
	bool flights;    /* the field `ahead` is the number of prefetches in flight */
	uint8_t next;    /* bit: the prefetcher waits for one more step to the next line */
	uint8_t runs;    /* lowest bit of a two-bit field that sets read_allocate; field 0: the row's value */
	uint8_t runs_1, runs_2; /* read_allocate where that field is 1, 2; 3: never */
	uint8_t micro_tlb; /* first-level TLBs are flushed: 1: by TLB maintenance; 2: by a change of address
			      space too */
	uint8_t shared;    /* bit of ACTLR: shareable memory is cached; 64: always; 65: never */
	bool through;      /* write-through memory is cached */
	uint8_t tcm;       /* enum apmu_tcm_kind: which TCM region registers CP15 c9 has */
	uint32_t actlr;    /* ACTLR out of reset */
};
/* Limits on what is dispatched per cycle to some pipes; 0: no limit but `width`. */
struct apmu_dispatch_params {
	uint8_t integer; /* micro-operations to integer and branch pipes */
	uint8_t memory;  /* micro-operations to load and store pipes */
	uint8_t vector;  /* instructions to vector and floating-point pipes */
	uint8_t renamed; /* instructions that register renaming completes */
	uint8_t taken;   /* predicted taken branches per cycle; 0: no limit */
	bool breaks;     /* what follows such a branch is dispatched in a later cycle */
};
/* The cache of decoded instructions (Arm: macro-operation cache); out of order. A line is 32 bytes of code,
 * eight instructions of A64, looked up by virtual address; round-robin. */
struct apmu_mop_params {
	uint16_t entries; /* capacity in instructions of A64; 0: none */
	uint8_t ways;
	uint8_t decode; /* instructions dispatched per cycle from code that misses */
};
/* Integer division: with q = max(clz(divisor) - clz(dividend) + 1, 0), which is the number of bits of the
 * quotient or one more, it takes q / bits cycles, rounded down, beyond issue and result of its class or
 * group. */
struct apmu_divide_params {
	uint8_t bits;    /* 0: the time does not depend on the quotient */
	uint8_t least;   /* least number of cycles to the result, and of the pipe */
	uint8_t typical; /* q if the operands are not known */
};
/* A range of addresses that is not ordinary cacheable memory; size 0: none. */
struct apmu_window {
	uint64_t base, size; /* bytes */
};

/* A core's parameters: spec/uarch/<name>.uarch has one row per parameter with its source, spec/uarch/keys.txt
 * the ranges. Latencies are core cycles until a dependent instruction can issue. */
struct apmu_uarch_params {
	const char *name;  /* "arm1136"; set by the row */
	const char *title; /* "ARM1136JF-S as in OMAP2420" */
	uint16_t clock;    /* MHz, which affects no count; 0: unknown */
	struct apmu_cache_params l1i, l1d;
	struct apmu_cache_params mini;     /* XScale's mini data cache, for addresses in mini_window */
	struct apmu_tlb_params itlb, dtlb; /* first level */
	struct apmu_tlb_params tlb;        /* main TLB, unified; entries 0: none */
	uint32_t page;                     /* bytes that one TLB entry maps */
	struct apmu_level_params l2, l3;   /* l3 without l2: l3 is the level below L1 */
	bool l3_outside;                   /* L3 is the system's cache, outside the cluster */
	bool l3_as_l2;                     /* without an L2, events of L2 count L3, the cluster's cache */
	uint8_t bus_width;                 /* bytes per beat */
	struct apmu_prefetch_params prefetch;
	bool code_next; /* a line that misses in L1I brings the next one, within 4 KiB: both are requested at
			   once; used, that one is a miss as without */
	uint8_t l2_chain; /* out of order: cycles that a miss of L1 waits which starts as soon as a line from
			     L2 could give its address: the rest of that line is on its way */
	uint8_t code_ahead; /* L2 reads code ahead: a code line that misses there is followed by so many, and
			       one that hits behind the code line before by the last of these; within 4 KiB */
	struct apmu_run_ahead_params run_ahead;
	uint8_t read_allocate; /* consecutive store misses, each at the start of the next line, before stores
				  are written around L1; 0: never */
	uint8_t read_allocate_l2; /* `read_allocate` for the levels below: before stores are written around
				     them too */
	bool zero_to_memory;      /* DC ZVA of a line that L1 lacks is written around the levels below too */
	uint8_t fetch_bytes;      /* bytes of one look-up of the instruction cache; 0: a line */
	uint32_t seed;            /* seed of random replacement; not 0 */
	/* branches */
	uint16_t btb;            /* entries, direct mapped, a power of two; 0: none */
	uint8_t btb_shift;       /* lowest address bit of the index */
	bool btb_stores_untaken; /* allocates branches that are not taken too (ARM11 BTAC); else taken ones
				    only (XScale) */
	uint16_t btb_kinds;      /* bit k: branches of kind k (enum apmu_branch) are predicted by the BTB */
	uint8_t direction;       /* enum apmu_direction */
	uint32_t counters; /* two-bit counters of bimodal, gshare, local, tage's base and of each table of
			      hybrid; a power of two */
	uint8_t history;   /* bits of history: of gshare and hybrid (to 32), of local (to 24), the longest of
			      tage (to 64) */
	uint16_t locals;   /* history registers of local, a power of two */
	uint8_t tage_tables;    /* tagged tables of tage, 1..8 */
	uint16_t tage_entries;  /* entries of each table, a power of two */
	uint16_t loops;         /* loop predictor, entries, a power of two; 0: none */
	uint16_t targets;       /* indirect-branch target buffer, entries, a power of two; 0: no prediction */
	uint8_t target_history; /* earlier targets of indirect branches that index this buffer together with
				   the address */
	bool static_predict;  /* on a BTB miss: unconditional and backward predicted taken, forward not; else
				 none predicted taken */
	uint8_t return_stack; /* entries; 0: none */
	bool predict;         /* branch prediction is on (CP15 control Z); off: all predicted not taken */
	bool folding;         /* a B that hits the BTB and is correctly predicted takes 0 cycles */
	bool alu_branches;    /* data processing that writes the PC is predicted; MOV PC, LR as a return */
	bool unpredicted_is_wrong; /* a taken branch without a prediction counts as mispredicted */
	uint8_t mispredict; /* cycles lost by a misprediction; out of order: from the branch's start to the
			       next dispatch */
	uint8_t taken;      /* cycles beyond issue of a taken branch that the BTB predicted */
	bool taken_ahead;   /* out of order: `taken` cycles overlap with the dispatch of instructions fetched
			       before */
	uint16_t nano_btb;  /* nano BTB in front of the BTB, entries; in order 1, with fetch_queue; 0: none */
	uint8_t nano_taken; /* `taken` for a branch in the nano BTB */
	uint16_t micro_btb; /* out of order: micro BTB, entries, between the two; 0: none */
	uint8_t micro_taken;  /* `taken` for a branch in the micro BTB */
	bool taken_pairs;     /* an unconditional branch directly after a taken one is predicted with it */
	uint8_t static_taken; /* `taken` for a statically predicted branch */
	uint8_t return_predicted, return_wrong, indirect; /* cycles beyond issue */
	uint8_t load_pc;                                  /* cycles beyond issue of LDR/LDM to the PC */
	uint8_t fetch_queue; /* in order: instructions fetched ahead, `width` per cycle, that wait for issue;
				while they issue, the cycles of correctly predicted branches pass; 0: none */
	/* pipeline: out of order if it has a reorder buffer, else in order */
	uint8_t width;                   /* instructions issued, or dispatched, per cycle: 1..16 */
	uint16_t rob;                    /* reorder buffer entries, micro-operations; 0: in order */
	uint8_t load_queue, store_queue; /* out of order: loads and stores in flight; 0: no limit */
	uint8_t flag_registers; /* out of order: instructions in flight that set condition flags; 0: no
				   limit */
	uint8_t flag_cycles;    /* cycles that a flag register is taken beyond the instruction's time in the
				   window */
	uint8_t scheduler; /* out of order: scheduler entries, for instructions not started; 0: no limit */
	uint8_t schedulers[APMU_UNITS]; /* scheduler entries of a group of pipes; 0: no limit. Instructions of
					   a group without entries of its own wait in the scheduler of the
					   group that contains it or, if it contains two groups that have, in
					   theirs, and then use only the pipes of that group. A vector
					   operation takes an entry per slot of dispatch */
	bool scheduler_room;  /* of two such schedulers the one with more free entries is chosen, the first if
				 both have as many; else each by turns, from the first on when both are empty
			       */
	bool scheduler_bound; /* by turns: an instruction that only one of the two takes has had that one's
				 turn */
	uint8_t scheduler_cycles; /* cycles from an instruction's start until its scheduler entry is free, at
				     least 1 */
	uint8_t ordered; /* out of order: group of pipes whose instructions start in program order; 0: none */
	bool fused_compares;    /* out of order: a B.cond directly behind a CMP or CMN of A64
				   (APMU_GROUP_COMPARE) is one micro-operation with it, which a pipe for
				   branches executes */
	uint8_t queue_per_pipe; /* out of order: group of pipes, not within another, each of which has a queue
				   of its own. An instruction goes at dispatch to the pipe with the fewest
				   cycles of work, of equal ones to the first, and stays there. 0: none */
	uint8_t queue_first; /* group within that one which has the first of its pipes; other groups within it
				have the last. 0: none */
	uint8_t store_buffer; /* in order: store misses that wait for an MSHR; 0: the core waits instead */
	uint8_t forward; /* store-to-load forwarding: cycles from a store to the use of the load; 0: as from
			    the cache */
	uint8_t forward_fail;       /* `forward` for a load that cannot get all its data from the store */
	bool forward_half;          /* a load of 16 bytes can take a half from a store, the other from L1 */
	bool forward_retired;       /* forward_fail counts from where all before the store have retired */
	uint8_t unit[APMU_CLASSES]; /* group of pipes that the class needs; 0: any */
	uint8_t pipes[APMU_UNITS];  /* number of pipes of a group */
	uint8_t within[APMU_UNITS]; /* out of order: the group that contains these pipes; 0: none */
	struct apmu_dispatch_params dispatch; /* out of order */
	struct apmu_mop_params mop;
	uint8_t pair[APMU_CLASSES]; /* in order: enum apmu_pair */
	bool pair_immediate; /* in order: the younger of a pair, if an ALU instruction, has an immediate, or
				moves or extends a register */
	uint8_t issue[APMU_CLASSES];  /* cycles that the class occupies issue */
	uint8_t result[APMU_CLASSES]; /* latency */
	struct apmu_divide_params divide;
	uint64_t timing[APMU_GROUPS]; /* timing of groups of instructions: APMU_TIMING_... */
	uint8_t vector_slots;         /* out of order: dispatch slots of an operation on 128-bit vectors */
	uint8_t base_slots; /* out of order: additional dispatch slots of a load or store for writing its base
			       register back */
	uint8_t alu_factor; /* out of order: latency added from an ALU to an integer multiplication */
	uint8_t mulh_flags; /* out of order: latency added to condition flags that are set before a
			       multiplication for the high half and read after it */
	uint8_t sve_passes; /* out of order: times that an SVE vector operation takes its pipe */
	uint8_t vector_bytes;  /* bytes of a vector pipe: 8 (a 128-bit vector takes two pipes) or 16 */
	uint8_t shift_reg;     /* latency added by a register-controlled shift, in order to issue too */
	uint8_t shift_extra;   /* in order: latency added into a shifter operand */
	uint8_t address_extra; /* in order: latency added into an address operand */
	uint8_t address_load;  /* in order: of address_extra, what is not added to a loaded word or more */
	uint8_t address_base;  /* in order: of address_extra, what is not added to a base written back */
	uint8_t store_late;    /* in order: latency taken off into store data */
	uint8_t branch_late;   /* in order: latency taken off into the register that CBZ, TBZ compare */
	uint8_t addend_late;   /* in order: latency taken off into the addend of a VFP_MAC */
	uint8_t factor_extra;  /* in order: latency added into the factors of an integer multiplication */
	uint8_t low_early;     /* latency taken off for the low half of a long multiplication */
	uint8_t load_bytes; /* in order: bytes loaded per cycle, a pair's second register after the first; 0:
			       all at once */
	bool access_blocks; /* in order: issue waits while the load/store unit moves the data of an access */
	bool access_slot;   /* in order: but one issue slot of the last of these cycles is free */
	bool multiple_slot; /* in order: one issue slot of the last cycle of LDM/STM is free */
	bool vectors_apart; /* in order: the nth register of an LD1 is available when an LD1 of n registers
			       has its last; else all with the last */
	bool multiply_slot; /* in order: one issue slot of a multiplication's last cycle is free */
	bool alu_early; /* in order: an ALU instruction whose operands were available a cycle before forwards
			   its result to one that issues with it */
	bool vector_elder; /* in order: an instruction that takes two vector pipes cannot be the younger of a
			      pair */
	uint8_t vector_access;  /* in order, if vector_bytes is 8: group of pipes of which loads and stores of
				   vector registers take one too, two for 128 bits; 0: none */
	uint8_t subword_extra;  /* latency added to a byte or halfword load */
	uint8_t multiple_first; /* LDM: latency of the first register */
	uint8_t multiple_per_cycle; /* LDM/STM: registers per cycle after the first */
	uint8_t multiple_issue;     /* in order: issue cycles of LDM/STM, without those of multiple_blocks */
	bool multiple_blocks;    /* LDM/STM: issue waits for all registers; else only the load/store unit is
				    busy. Out of order: these cycles are dispatch slots */
	uint8_t unaligned_extra; /* cycles added to an access that crosses a word boundary */
	bool unaligned_double;   /* but none to one within an aligned doubleword */
	/* memory */
	uint16_t memory;     /* cycles from an L1 miss to data from memory */
	uint16_t line_fill;  /* cycles that a fill occupies the bus */
	uint16_t line_write; /* cycles that a write-back of a line occupies the bus; 0: as line_fill */
	uint8_t tlb_hit;     /* cycles of a first-level TLB miss that hits the main TLB */
	uint16_t walk;       /* cycles of a table walk, without those of walk_reads */
	uint8_t walk_reads;  /* descriptors that a full walk reads through L2; 0: none, `walk` is the whole
				time */
	bool walk_short; /* descriptors of four bytes, 256 pages per table; else of eight bytes, 512 pages */
	uint16_t walk_cache; /* walk cache, entries: regions whose walk needs one read only; 0: none */
	uint8_t walk_reach;  /* log2 of the bytes that a walk cache entry covers */
	bool walk_stalls;    /* walk cycles count in the stall signals (XScale); else they do not (AN195 4) */
	uint8_t walk_requests; /* bus requests per walk */
	uint8_t misses;        /* MSHRs: outstanding data misses before the core stalls */
	uint8_t bus_queue;     /* outstanding reads at which the bus controller's queue is full */
	uint8_t write_buffer;  /* entries of one line */
	uint8_t write_drain;   /* cycles in which an entry drains */
	uint8_t access_rule;   /* enum apmu_access_rule */
	/* details of counting */
	bool branch_shadow; /* a fetch that a flush or a predicted return cancels is looked up (AN195 3) */
	uint8_t stall_on_mispredict;     /* cycles of a flush that FETCH_STALL counts, at most all: 1 on ARM11
					    (AN195 4), 255 elsewhere */
	uint8_t stall_extra;             /* XScale event 0x1 erratum: FETCH_STALL_EXTRA per occurrence */
	uint8_t speculative_after_store; /* AN195 7: extra look-ups of a TCM read after an external write */
	struct apmu_window itcm, dtcm;   /* tightly coupled memories: never miss */
	struct apmu_window uncached;     /* non-cacheable memory or peripherals */
	bool uncached_looked_up;         /* non-cacheable accesses are counted as look-ups that miss */
	bool uncached_ordered; /* `uncached` is Strongly Ordered: an access drains the write buffer */
	struct apmu_control_params control;
	struct apmu_window mini_window; /* addresses that the mini data cache holds */
	uint8_t shared; /* 2, 3: lowest-numbered cache level that the threads of a process share; 0: none */
	uint16_t transfer; /* cycles from an L1 miss to a line in another thread's first level; 0: first
			      levels are not coherent */
};

#ifdef __cplusplus
}
#endif

#endif
