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
 * The outcome of the branch that ends a block is known from the address of the next block. A block that a fault
 * leaves early is said with apmu_uarch_abandon().
 *
 * Hosted (allocates at creation only). Threads: one apmu_uarch a thread, no locks; blocks are constant once made.
 */
#ifndef APMU_UARCH_H
#define APMU_UARCH_H

#include <apmu/signal.h>
#include <apmu/types.h>

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
	APMU_CLASS_SWAP,     /* SWP, atomics that read and write */
	APMU_CLASS_PRELOAD,  /* PLD, PRFM: no access is counted */
	APMU_CLASS_BRANCH,
	APMU_CLASS_EXCEPTION, /* SVC, HVC, SMC, BKPT */
	APMU_CLASS_BARRIER,  /* DSB, drain write buffer */
	APMU_CLASS_SYSTEM,   /* MRS, MSR, MRC, MCR, ISB, DMB, CPS */
	APMU_CLASS_VFP,
	APMU_CLASS_VFP_DIV,  /* divide, square root */
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
#define APMU_INSN_CONDITIONAL 0x01u /* has a condition other than always (IT blocks too) */
#define APMU_INSN_SHIFT_REG   0x02u /* register-controlled shift, or RRX */
#define APMU_INSN_SUBWORD     0x04u /* byte or halfword access */
#define APMU_INSN_DOUBLE      0x08u /* LDRD/STRD, LDP/STP: two registers */
#define APMU_INSN_MULTIPLE    0x10u /* LDM/STM, VLDM/VSTM, PUSH/POP: `regs` registers */
#define APMU_INSN_EXCLUSIVE   0x20u /* LDREX/STREX and kin: an engine has already dropped STREX's extra read */
#define APMU_INSN_KUSER       0x40u /* a kernel user helper: shows as one instruction */
#define APMU_INSN_MODE        0x80u /* writes CPSR control bits (MSR CPSR_c, CPS) */

/* One instruction as src/engine/classify describes it. */
struct apmu_insn {
	uint64_t addr;
	uint64_t target;  /* of an immediate branch; else 0 */
	uint64_t reads;   /* registers read: bits 0-30 general (A64 SP is bit 31), 32-63 vector d0/v0 up; flags: none */
	uint64_t shift_reads; /* those of `reads` that feed the shifter or an address: needed one stage early */
	uint64_t writes;
	uint8_t size;     /* bytes: 2 or 4 */
	uint8_t cls;      /* enum apmu_class */
	uint8_t branch;   /* enum apmu_branch */
	uint8_t flags;    /* APMU_INSN_... */
	uint8_t regs;     /* registers moved by MULTIPLE */
	uint8_t width;    /* bytes of one element accessed; 0 if none */
	bool thumb;
};

/* Cache replacement and write policies. */
enum apmu_replace { APMU_REPLACE_LRU, APMU_REPLACE_PLRU, APMU_REPLACE_ROUND_ROBIN, APMU_REPLACE_FIFO, APMU_REPLACE_RANDOM };
enum apmu_write_policy { APMU_WRITE_BACK, APMU_WRITE_THROUGH };
enum apmu_access_rule {
	APMU_ACCESS_PER_LINE,    /* one access a line touched by an instruction (ARM11) */
	APMU_ACCESS_PER_REGISTER /* one access a register (XScale) */
};

struct apmu_cache_params {
	uint32_t size;  /* bytes; 0: absent */
	uint16_t ways;
	uint16_t line;  /* bytes */
	uint8_t replace, write; /* enums above */
	bool write_allocate;
	uint8_t dirty_per_line; /* dirty bits a line: 1 or 2 */
};
struct apmu_tlb_params {
	uint16_t entries; /* 0: absent (no MMU) */
	uint16_t ways;    /* equal to entries: fully associative */
	uint8_t replace;
};

/* A core's parameters; from spec/uarch, one row a figure with its source. Latencies in core cycles until a dependent
 * instruction can issue. */
struct apmu_uarch_params {
	const char *name;
	struct apmu_cache_params l1i, l1d;
	struct apmu_tlb_params itlb, dtlb, tlb; /* first level, first level, main (unified) */
	uint32_t page; /* bytes: what one TLB entry maps */
	/* branches */
	uint16_t btb;           /* entries; 0: none */
	uint8_t btb_stores_untaken; /* 1: allocates not-taken branches too (ARM11 BTAC); 0: taken only (XScale) */
	uint8_t btb_kinds;      /* bit of enum apmu_branch: kinds the BTB predicts */
	bool static_predict;    /* backward taken, forward not; else not taken */
	uint8_t return_stack;   /* entries; 0: none */
	bool predict;           /* program-flow prediction on (CP15 control Z); off: straight-line, each taken branch is mispredicted */
	bool folding;           /* a BTB hit may remove the branch: 0 cycles */
	uint8_t mispredict;     /* cycles lost */
	uint8_t taken;          /* cycles of a correctly predicted taken branch beyond its issue: dynamic */
	uint8_t static_taken;   /* the same, predicted statically */
	uint8_t return_predicted, return_wrong, indirect; /* cycles beyond issue */
	uint8_t load_pc;        /* cycles beyond issue of LDR/LDM to the PC */
	/* pipeline */
	uint8_t issue[APMU_CLASSES];  /* cycles an instruction of the class occupies issue */
	uint8_t result[APMU_CLASSES]; /* latency */
	uint8_t shift_extra;     /* result latency into a shifter or address operand: added */
	uint8_t subword_extra;   /* added to a byte or halfword load */
	uint8_t multiple_first, multiple_per_cycle; /* LDM/STM: latency of the first, registers a cycle after */
	uint8_t unaligned_extra; /* cycles of an access that crosses a word */
	/* memory */
	uint16_t memory;         /* L1 miss to data: cycles */
	uint16_t line_fill;      /* cycles a fill occupies the bus */
	uint8_t tlb_hit;         /* first-level miss, main hit: cycles */
	uint16_t walk;           /* table walk: cycles */
	uint8_t misses;          /* outstanding data misses before the core stalls */
	uint8_t write_buffer;    /* entries */
	uint8_t write_drain;     /* cycles an entry takes to drain */
	uint8_t access_rule;     /* enum apmu_access_rule */
	/* fine print of counting */
	bool branch_shadow;      /* prediction off, or a predicted return: the fall-through line is looked up too (AN195 3) */
	uint8_t stall_on_mispredict; /* what a mispredict adds to FETCH_STALL: 1 on ARM11 (AN195 4) */
	uint8_t speculative_after_store; /* AN195 7: extra look-up when a TCM read follows an external write */
	uint32_t itcm_base, itcm_size, dtcm_base, dtcm_size; /* size 0: none */
};

/* The row with this name; NULL if none. */
const struct apmu_uarch_params *apmu_uarch_find(const char *name);

/* Sets `key` (as in the .uarch file: "l1d.size", "predict", "memory") to `value`. 0, APMU_ENOENT for an unknown
 * key, APMU_EINVAL for a value out of range. */
int apmu_uarch_set(struct apmu_uarch_params *params, const char *key, const char *value);

/* NULL if the parameters fit together, else a sentence that says what does not ("l1d: 1000 bytes are not ..."). */
const char *apmu_uarch_check(const struct apmu_uarch_params *params);

/* A thread's machine: cold caches, adding to `tally`. `wanted`: bit s set if signal s is needed; a unit that
 * no wanted signal needs is not run. NULL without memory or with impossible parameters. */
struct apmu_uarch *apmu_uarch_new(const struct apmu_uarch_params *params, struct apmu_tally *tally,
				  const uint64_t wanted[APMU_SIGNAL_WORDS]);
void apmu_uarch_free(struct apmu_uarch *u);

/* A block: straight-line code, at most its last instruction a branch. Copies what it needs of `insn`. */
struct apmu_block *apmu_block_new(const struct apmu_uarch_params *params, const struct apmu_insn *insn, size_t n);
void apmu_block_free(struct apmu_block *b);

/* Does the i-th instruction of any block need apmu_uarch_access() calls for these signals? */
bool apmu_uarch_needs_accesses(const uint64_t wanted[APMU_SIGNAL_WORDS]);

/* The block starts. Resolves the branch that ended the block before. */
void apmu_uarch_enter(struct apmu_uarch *u, const struct apmu_block *b);

/* The i-th instruction of the current block `b` reads or writes `size` bytes at `addr`. */
void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr, unsigned size,
		       bool store);

/* The current block was left before instruction `executed` (a fault): takes back what enter() counted ahead. */
void apmu_uarch_abandon(struct apmu_uarch *u, unsigned executed);

/* Control went elsewhere without a branch (signal, exception, context switch): the next enter() resolves nothing. */
void apmu_uarch_break(struct apmu_uarch *u);

#endif
