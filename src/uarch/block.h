/* SPDX-License-Identifier: MIT */
/**
 * A basic block as the machines use it: what is known at translation, counted when the block is entered.
 *
 * apmu_block_new() (block.c) fills counts, addresses and the branch; apmu_uarch__pipeline() the times.
 */
#ifndef APMU_UARCH_BLOCK_H
#define APMU_UARCH_BLOCK_H

#include <apmu/uarch.h>

#include <stddef.h>

#define APMU_UARCH__MOP_SHIFT    5  /* of an address to a piece of the cache of decoded instructions */
#define APMU_UARCH__MOP_PIECE    8  /* its entries of A64 */
#define APMU_UARCH__HANDS        16 /* the most results later than its end that a block hands on */
#define APMU_UARCH__LONG         4  /* cycles after a block's end beyond which they are long */
#define APMU_UARCH__MOST_EARLY   2  /* the most cycles by which operands are needed early, rows as they are */
#define APMU_UARCH__UNIT         64u /* and a group of pipes: what is waited for beside registers; and ... */
#define APMU_UARCH__PORT         (APMU_UARCH__UNIT + APMU_UNITS) /* ... the load/store unit */
#define APMU_UARCH__WHATS        (APMU_UARCH__PORT + 1)
#define APMU_UARCH__NEVER_NEEDED INT8_MAX
#define APMU_UARCH__NEEDED_FAR   (INT8_MAX - 1) /* the position does not fit a byte */
#define APMU_UARCH__NO_USE       UINT32_MAX     /* step.turn: nothing in the block uses the loaded value */

/* One instruction. Times are cycles since the block's first issue, all accesses hitting. */
struct apmu_uarch__step {
	uint64_t loads;         /* registers that memory fills; enum as in apmu_insn.reads */
	uint64_t touches;       /* registers read or written */
	uint64_t reads, writes; /* operands; results */
	uint64_t early_reads;   /* of `reads` */
	uint64_t traits;        /* bits of enum apmu_trait */
	uint32_t issue;         /* when it issues */
	uint32_t stalls;        /* DATA_STALL cycles up to its issue; of these ... */
	uint32_t slots;         /* in order: left empty from the issue of the one before it to its own; of the
				   last, to the block's end */
	uint32_t turn;      /* number of the instruction that waits where this load is late; n, what follows
			       the block; APMU_UARCH__NO_USE */
	uint32_t first_use; /* when: what comes until then makes it wait for nothing */
	uint32_t offset;    /* bytes from the block's address */
	uint16_t agu, simd; /* ... for an address, for a vector operand */
	uint16_t from;      /* whose result it waits for in `stalls`, if it waits */
	uint16_t flags;     /* APMU_INSN_... */
	uint16_t stores;    /* instructions before it in the block that store */
	uint8_t cls, branch, width;
	uint8_t ops;        /* micro-operations */
	uint8_t most;       /* bytes of the largest access that may take the fast path; 0: none */
	bool unconditional; /* makes exactly one access, unless it faults */
	bool sve;           /* a load or store of SVE: executes whatever its predicate says, and QEMU before
			       8.1 reports none of its accesses */
	uint8_t moved;      /* DATA_STALL cycles before it for what comes from the vector unit */
	bool both;          /* begins a cycle of integers while the vector unit works */
	int8_t early;       /* in order, cycles early that it needs what is in `early_reads`, ... */
	int8_t other;       /* ... and its other operands; negative: late */
	uint8_t unit;       /* in order: group of pipes; 0: any */
	uint8_t pipe;       /* integer data processing, out of order: 1 main, 2 second */
};

/* One instruction for the out-of-order model; times in ticks (window.h). Register numbers as in
 * apmu_insn.reads; what is not needed names one of the two that nobody looks at. */
#define APMU_UARCH__FLAGS     64u /* the condition flags, within a block */
#define APMU_UARCH__NOT_READ  65u
#define APMU_UARCH__NOT_SEEN  66u
#define APMU_UARCH__NO_BASE   67u /* of a store that writes no base back: not seen either */
#define APMU_UARCH__CARRIED   68u /* the condition flags of a block that begins with them as it left them */
#define APMU_UARCH__REGISTERS 69u
#define APMU_UARCH__CHUNK     8u /* instructions dispatched between two looks at the window's end, at most */
struct apmu_uarch__op {
	uint8_t source[3], result[2], base; /* base: an address register written back */
	/* slots: micro-operations, of dispatch; late: cycles by which source[2], the accumulator, is needed
	 * later than the others; a swap is a load and a store */
	uint16_t unit : 4, slots : 5, late : 4, load : 1, store : 1;
	uint16_t low : 1;    /* result[0] is the low half of a product, which comes earlier */
	uint16_t factor : 1; /* it multiplies what an ALU computed */
	uint16_t pipes : 4;  /* of its unit that it takes; 0: it needs none */
	uint16_t part : 4;   /* twelfths of a cycle that each is held beyond `hold` */
	uint16_t vector : 4; /* of a load or store: pipes of vectors that it takes besides */
	uint16_t hold;       /* cycles, of each */
	uint16_t latency;    /* cycles, of what it writes */
	bool plain; /* source[], result[] and latency say all: it takes a pipe for one cycle, or none */
	uint64_t reads, writes; /* all registers, where they are more than fit; else 0 */
};
_Static_assert(sizeof(struct apmu_uarch__op) == 32, "a shift finds one");
_Static_assert(APMU_UNITS <= 16, "op.unit");

/* Instructions that are dispatched together: `apmu_block.chunk` of them; the last one of a block may have
 * fewer. */
struct apmu_uarch__chunk {
	uint16_t slots; /* micro-operations */
	uint16_t ticks; /* of dispatch, */
	uint16_t pause; /* ... and more, as its queues take so many a cycle */
	uint8_t n, loads, stores;
	bool scheduled; /* one of them waits where there is no room for all */
};

/* How a block ends, for the fast path into the next. */
enum apmu_uarch__ending {
	APMU_UARCH__END_NONE,   /* no branch */
	APMU_UARCH__END_LEARN,  /* a conditional B whose direction is not the BTB's business */
	APMU_UARCH__END_BTB,    /* a B that the BTB holds */
	APMU_UARCH__END_CALL,   /* an unconditional call of a kind that the BTB holds */
	APMU_UARCH__END_RETURN, /* an unconditional return that the return stack predicts */
	APMU_UARCH__END_OTHER,  /* any other branch */
	APMU_UARCH__END_RARE    /* leaving it takes the general path */
};

/* The lines of a block that has no more than two, on one page, and is not rare. */
enum apmu_uarch__extent { APMU_UARCH__EXTENT_ANY, APMU_UARCH__EXTENT_ONE, APMU_UARCH__EXTENT_PAIR };

/* In order: what passes from one block to the next. */
struct apmu_uarch__seam {
	/* What is ready so many cycles after the block, the long ones first; negative where an early operand
	 * of the next block may wait all the same. */
	struct apmu_uarch__hand {
		int16_t late;
		uint16_t from; /* number of the instruction */
		uint8_t what;  /* register; APMU_UARCH__UNIT and a group of pipes; APMU_UARCH__PORT */
	} hand[APMU_UARCH__HANDS];
	int8_t needs[APMU_UARCH__WHATS]; /* cycle in which the block first needs what was before it */
};

struct apmu_block {
	/* The first 64 bytes, a line of the host's cache: all that the fast path (entry.h) reads of the block
	 * that it enters and of the one before, but for time. */
	_Alignas(64) uint64_t addr; /* of the first instruction */
	uint64_t end;               /* of what follows the last */
	uint64_t target;            /* of its immediate branch; `end` where there is no branch */
	uint64_t line;              /* L1 instruction line of the first byte */
	uint64_t branch;            /* address of the last instruction */
	void *owner;                /* the engine's */
	uint32_t n;
	uint32_t entry;  /* where its branch is in the BTB */
	int16_t cost[2]; /* cycles beyond issue when the BTB is right: not taken, taken */
	uint8_t ending;  /* enum apmu_uarch__ending */
	uint8_t extent;  /* enum apmu_uarch__extent */
	bool always;     /* its branch goes whenever it runs */
	uint8_t kind;    /* enum apmu_branch of the last instruction */

	uint64_t late_any, early_any; /* a bit in common: it may wait for the block before; carry.c */
	uint64_t last_line;           /* L1 instruction line of the last byte */
	uint32_t lines;               /* lines touched */
	uint32_t fetches;             /* look-ups of the instruction cache */
	uint32_t cycles;              /* from the first issue to the issue of what follows */
	uint32_t alone;               /* CYCLES_ALONE */
	uint32_t supply;              /* in order: cycles in which its instructions are fetched */
	/* What entering it counts: count[0] is INST, wanted or not; `counts` elements, or
	 * `counts_unconditional` if unconditional accesses are counted at entry. remaining[i *
	 * counts_unconditional + k]: of count[k], what the instructions from the i-th on add, 0 for i == n.
	 */
	struct apmu_block_count *count;
	uint32_t *remaining;
	uint16_t counts, counts_unconditional;
	uint64_t page;                 /* of its first line */
	struct apmu_uarch__op *op;     /* [n] behind step[], then their chunks; NULL: in order */
	uint64_t fingerprint;          /* hash of op[] and barriers: equal for blocks of equal timing */
	uint32_t chunk;                /* out of order, instructions of a chunk */
	uint32_t storing;              /* instructions that store */
	uint32_t barriers;             /* WBUF_DRAIN, BCU_DRAIN */
	uint32_t spurious;             /* FETCH_STALL_EXTRA */
	bool conditional;              /* ... which may fall through */
	bool loads_pc;                 /* ... which reads the PC from memory */
	bool helper;                   /* the block is a kernel user helper */
	bool unpredicted;              /* ends with a branch that the core does not predict */
	bool learns;                   /* a conditional B whose direction is not the BTB's business */
	bool plain;                    /* a B that the BTB holds: no link, no stack */
	bool resolves;                 /* its end is looked at when the next block starts */
	struct apmu_uarch__seam *seam; /* behind step[]; NULL: out of order, or without time */
	uint8_t hands, longs;          /* used elements of seam->hand[]; of them, long ones */
	uint64_t written;              /* registers */
	uint32_t accesses;             /* cycle of its first access; APMU_UARCH__NO_USE */
	bool absorbs;                  /* some instruction waits for one that is not right before it */
	bool rare;                     /* entering or leaving it takes the general path */
	bool wide;                     /* has more than two lines, or lines on two pages */
	struct apmu_uarch__step step[];
};

_Static_assert(offsetof(struct apmu_block, late_any) == 64, "one line of the host's cache");

/* Of op[], which they follow. */
static inline struct apmu_uarch__chunk *apmu_uarch__chunks(const struct apmu_block *b)
{
	return (struct apmu_uarch__chunk *)(void *)&b->op[b->n];
}

/* counts.c: count[] and remaining[], of signals that are wanted; false without memory. In order, what an
 * instruction waits for operands, and the slots that stay empty until it issues. */
bool apmu_uarch__counts_make(struct apmu_block *b, const struct apmu_uarch_params *p,
			     const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn);
void apmu_uarch__counts_waited(uint64_t *n, const struct apmu_block *b, uint32_t i);

/* Adds what the block counts: count[from] to count[to - 1]. */
static inline __attribute__((always_inline)) void
apmu_uarch__counts_add(uint64_t *n, const struct apmu_block *b, uint32_t from, uint32_t to)
{
	for (const struct apmu_block_count *c = b->count + from, *end = b->count + to; c < end; c++)
		n[c->signal] += c->amount;
}

/* insn_counts.c, traits.c: what an instruction counts by its operations (`x` is the instruction as the engine
 * told it), by its traits. */
void apmu_uarch__operations_own(uint64_t *n, const struct apmu_uarch__step *s, const struct apmu_insn *x);
void apmu_uarch__traits_own(uint64_t *n, uint64_t traits);

/* Issues the block on an otherwise idle core: fills times, slacks, late and early. The cycles that the last
 * instruction takes alone: none if it is paired. */
uint32_t apmu_uarch__pipeline(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			      struct apmu_block *b);

/* laws.c: the longest that an instruction takes by itself, its accesses hitting. */
uint32_t apmu_uarch__alone(const struct apmu_uarch_params *p, const struct apmu_insn *x);

/* uops.c: how many instructions are dispatched together; the block for the out-of-order model. */
uint32_t apmu_uarch__chunk_length(const struct apmu_uarch_params *p);
void apmu_uarch__ops(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b);

/* pipeline.c: cycles that the load/store unit moves what the instruction moves. */
uint32_t apmu_uarch__transfer_cycles(const struct apmu_uarch_params *p, const struct apmu_insn *x);
uint64_t apmu_uarch__operands_of(uint64_t set, const struct apmu_insn *x);
uint64_t apmu_uarch__loaded(const struct apmu_insn *x);

/* traits.c: what an instruction is. */
uint64_t apmu_uarch__traits_of(const struct apmu_insn *x);

/* carry.c, at translation: when the block needs what was before it; what it leaves, the results of
 * seam->hand[]. */
void apmu_uarch__carry_in(const struct apmu_uarch_params *p, struct apmu_block *b);
void apmu_uarch__carry_out(const struct apmu_uarch_params *p, struct apmu_block *b);

/* Cycles earlier (positive) or later than it issues that the instruction needs register r. */
int apmu_uarch__early_of(const struct apmu_uarch__step *s, unsigned r);

/* Of so many cycles that instruction i waits for something from before the block, those by which the block
 * ends later: an instruction behind it that waits for one before it waits for less. */
uint64_t apmu_uarch__lasting(const struct apmu_block *b, uint32_t i, uint64_t cycles);

static inline uint64_t apmu_uarch__address_of(const struct apmu_block *b, uint32_t i)
{
	return b->addr + b->step[i].offset;
}

/* block.c: the instruction that holds this byte; the last barrier. */
uint32_t apmu_uarch__holder(const struct apmu_block *b, uint64_t addr);
uint32_t apmu_uarch__barrier(const struct apmu_block *b);

/* The first instruction from the i-th on that may access, or preload; behind any, if there is none. */
static inline uint32_t apmu_uarch__next_access(const struct apmu_block *b, unsigned i)
{
	for (; i < b->n; i++)
		if (b->step[i].cls == APMU_CLASS_LOAD || b->step[i].cls == APMU_CLASS_STORE ||
		    b->step[i].cls == APMU_CLASS_SWAP || b->step[i].cls == APMU_CLASS_PRELOAD)
			return i;
	return APMU_UARCH__NO_USE - 1;
}

/* block.c: is the instruction a B or BL; its FETCH_STALL_EXTRA. */
bool apmu_uarch__step_is_immediate(const struct apmu_uarch__step *s);
unsigned apmu_uarch__step_spurious(const struct apmu_uarch_params *p, const struct apmu_uarch__step *s);

/* What kind of branch was taken. */
static inline void apmu_uarch__count_branch_kind(uint64_t *n, const struct apmu_block *b, bool taken)
{
	bool link = b->kind == APMU_BRANCH_IMMED_LINK || b->kind == APMU_BRANCH_IMMED_X;
	n[APMU_SIG_BR_COND_TAKEN] += taken & b->conditional;
	n[APMU_SIG_BR_IMMED_TAKEN] += taken & (link | (b->kind == APMU_BRANCH_IMMED));
	n[APMU_SIG_BR_LINK_TAKEN] += taken & link;
	n[APMU_SIG_BR_IND_LINK_TAKEN] += taken & (b->kind == APMU_BRANCH_INDIRECT_LINK);
}

#endif
