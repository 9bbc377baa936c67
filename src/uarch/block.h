/* SPDX-License-Identifier: MIT */
/**
 * A basic block as the machines use it: what is known at translation, and counted when the block is entered.
 *
 * apmu_block_new() (block.c) sets counts, addresses and the branch; apmu_uarch__pipeline() sets the times.
 */
#ifndef APMU_UARCH_BLOCK_H
#define APMU_UARCH_BLOCK_H

#include <apmu/uarch.h>

#include <stddef.h>

#define APMU_UARCH__MOP_SHIFT    5   /* log2 of the bytes of code per piece, the unit of the MOP cache */
#define APMU_UARCH__MOP_PIECE    8   /* A64 instructions per piece */
#define APMU_UARCH__LIVE_OUTS    16  /* most results and busy pipes that outlast a block */
#define APMU_UARCH__LONG         4   /* cycles after a block's end beyond which a result is long */
#define APMU_UARCH__UNIT         64u /* live_out.what of a group of pipes: its number plus this */
#define APMU_UARCH__PORT         (APMU_UARCH__UNIT + APMU_UNITS) /* live_out.what of the load/store unit */
#define APMU_UARCH__WHATS        (APMU_UARCH__PORT + 1)
#define APMU_UARCH__NEVER_NEEDED INT8_MAX
#define APMU_UARCH__NEEDED_FAR   (INT8_MAX - 1) /* live.needs[]: the cycle does not fit a byte */
#define APMU_UARCH__NO_USE       UINT32_MAX /* schedule.user: nothing in the block uses the loaded value */

/* One instruction. */
struct apmu_uarch__step {
	uint64_t reads, writes; /* registers: operands, results; bits as in apmu_insn.reads */
	uint64_t traits;        /* bits of enum apmu_trait */
	uint32_t offset;        /* bytes from the block's address */
	uint16_t flags;         /* APMU_INSN_... */
	uint16_t stores;        /* instructions before it in the block that store */
	uint8_t cls, branch, width;
	uint8_t aligned; /* bytes: other addresses are unaligned; 0: the access's size decides */
	uint8_t ops;     /* micro-operations */
	uint8_t most;    /* bytes of the largest access that may take the fast path; 0: none */
	uint8_t base;    /* a load's address register that it writes back; APMU_UARCH__NOT_SEEN: none */
	uint8_t unconditional : 1; /* makes exactly one access, unless it faults */
	uint8_t sve : 1;   /* SVE load or store: counts as executed whatever its predicate is, and QEMU
			      before 8.1 reports none of its accesses */
	uint8_t whole : 1; /* moves vectors of 128 bits, which QEMU may report in halves, and events that
			      depend on their alignment are wanted */
	uint8_t quads : 1; /* moves vectors of 128 bits, one access each, which QEMU 7.2 reports in halves */
	uint8_t pipe : 2;  /* integer data processing, out of order: 1 main, 2 second */
};
_Static_assert(sizeof(struct apmu_uarch__step) == 40, "programs of much code have hundreds of thousands");

/* In order: the times of an instruction, in cycles since the block's first issue, all accesses hitting. */
struct apmu_uarch__schedule {
	uint64_t early_reads; /* those of step.reads that `early` is for */
	uint32_t issue;       /* when it issues */
	uint32_t stalls;      /* DATA_STALL cycles from the block's begin to its issue */
	uint32_t slots;       /* issue slots left empty between the issue of the instruction before and
				 its own; of the last one, up to the block's end */
	uint32_t user;      /* number of the instruction that waits if this load is late; n: what follows the
			       block; APMU_UARCH__NO_USE: none */
	uint32_t first_use; /* nothing waits for a load that is late by up to first_use - issue cycles */
	uint16_t agu, simd; /* the part of `stalls` for an address, for a vector operand */
	uint16_t from;      /* number of the instruction whose result it waits for, if it waits */
	int8_t early;       /* cycles before its issue at which it needs `early_reads`; negative: after */
	int8_t other;       /* the same for its other operands */
	uint8_t unit;       /* group of pipes; 0: any */
	uint8_t moved;    /* DATA_STALL cycles before it for a general register that the vector unit wrote */
	uint8_t forwards; /* cycles that an address waits less for what it loads than `early` says */
	bool both;        /* first integer instruction of its cycle, while the vector unit is busy */
};

/* One instruction for the out-of-order model. Register numbers as in apmu_insn.reads; an unused source is
 * NOT_READ, an unused result NOT_SEEN. */
#define APMU_UARCH__FLAGS     64u /* the condition flags, within a block */
#define APMU_UARCH__NOT_READ  65u
#define APMU_UARCH__NOT_SEEN  66u
#define APMU_UARCH__NO_BASE   67u /* `base` of a store that writes no base back: never read */
#define APMU_UARCH__CARRIED   68u /* the condition flags, carried from a block to itself when it repeats */
#define APMU_UARCH__REGISTERS 69u
#define APMU_UARCH__CHUNK     8u /* most instructions of a chunk, between two checks of the queues' room */
struct apmu_uarch__op {
	uint8_t source[3], result[2], base; /* base: an address register written back */
	/* slots: micro-operations, of dispatch; late: cycles by which source[2], the accumulator, is needed
	 * later than the others; load, store: a swap is both */
	uint16_t unit : 4, slots : 5, late : 4, load : 1, store : 1;
	uint16_t delays : 1;    /* a multiplication between the setter and a reader of the condition flags,
				   which it delays */
	uint16_t low : 1;       /* result[0] is the low half of a product, which comes earlier */
	uint16_t factor : 1;    /* a multiplication of an ALU result */
	uint16_t pipes : 4;     /* pipes of its unit that it takes; 0: none */
	uint16_t part : 4;      /* parts of a cycle (timing.h) that each pipe is held beyond `hold` */
	uint16_t vector : 4;    /* vector pipes that it takes besides those of its unit */
	uint16_t fused : 1;     /* executed together with the instruction before it */
	uint16_t flags : 1;     /* takes a renamed flag register */
	uint16_t hold;          /* cycles that each pipe is held */
	uint16_t latency;       /* cycles from its start until its results are ready */
	bool plain;             /* source[], result[] and latency say all; one pipe for one cycle, or none */
	uint8_t entries;        /* of its unit's scheduler: one per micro-operation that it feeds */
	uint64_t reads, writes; /* registers, if there are more than fit above: at least those that do not */
};
_Static_assert(sizeof(struct apmu_uarch__op) == 32, "a shift finds one");
_Static_assert(APMU_UNITS <= 16, "op.unit");

/* Instructions that are dispatched together: `apmu_block.chunk` of them; the last chunk of a block may have
 * fewer. Ticks are those of window.h. */
struct apmu_uarch__chunk {
	uint16_t slots; /* micro-operations */
	uint16_t ticks; /* ticks that its dispatch takes */
	uint16_t pause; /* ticks that dispatch pauses after it, because a queue accepts no more per cycle */
	uint8_t n, loads, stores, flags;
	bool scheduled; /* one of them needs an entry of a scheduler of limited size */
};

/* How a block ends, for the fast path into the next. */
enum apmu_uarch__ending {
	APMU_UARCH__END_NONE,   /* no branch */
	APMU_UARCH__END_LEARN,  /* a conditional B whose direction is not predicted by the BTB */
	APMU_UARCH__END_BTB,    /* a B that the BTB holds */
	APMU_UARCH__END_CALL,   /* an unconditional call of a kind that the BTB holds */
	APMU_UARCH__END_RETURN, /* an unconditional return that the return stack predicts */
	APMU_UARCH__END_OTHER,  /* any other branch */
	APMU_UARCH__END_RARE    /* leaving it takes the general path */
};

/* The lines of a block: ONE or PAIR, if they are on one page and the block is not rare; else ANY. */
enum apmu_uarch__extent { APMU_UARCH__EXTENT_ANY, APMU_UARCH__EXTENT_ONE, APMU_UARCH__EXTENT_PAIR };

/* In order: what a block needs from earlier blocks, and what outlasts it: its live-ins and live-outs. */
struct apmu_uarch__live {
	/* Results and pipes that become ready `late` cycles after the block's end, the long ones first;
	 * negative if only an operand that is needed early may wait. */
	struct apmu_uarch__live_out {
		int16_t late;
		uint16_t from;    /* number of the instruction */
		uint8_t what;     /* register; APMU_UARCH__UNIT and a group of pipes; APMU_UARCH__PORT */
		uint8_t forwards; /* cycles that an address waits less for it than schedule.early says */
	} out[APMU_UARCH__LIVE_OUTS];
	int8_t needs[APMU_UARCH__WHATS]; /* by live_out.what: the cycle in which the block first needs it from
					    before the block */
	uint32_t addresses;              /* registers that it first needs as a part of an address */
};

struct apmu_block {
	/* The first 64 bytes, a line of the host's cache: all that the fast path (entry.h) reads of the block
	 * that it enters and of the one before, except for time. */
	_Alignas(64) uint64_t addr; /* address of the first instruction */
	uint64_t end;               /* address of what follows the last instruction */
	uint64_t target;            /* target of its immediate branch; `end` if there is no branch */
	uint64_t line;              /* L1 instruction line of the first byte */
	uint64_t branch;            /* address of the last instruction */
	void *owner;                /* set by the engine, for its own use */
	uint32_t n;
	uint32_t entry;  /* index of its branch in the BTB */
	int16_t cost[2]; /* cycles beyond issue of a branch that the BTB predicted right: not taken, taken */
	uint8_t ending;  /* enum apmu_uarch__ending */
	uint8_t extent;  /* enum apmu_uarch__extent */
	bool always;     /* its branch is unconditional */
	uint8_t kind;    /* enum apmu_branch of the last instruction */

	/* A block may wait for the one before if its early_any and the other's late_any have a bit in common;
	 * carry.c. Aligned, because i386 does not align 64 bits by itself. */
	_Alignas(8) uint64_t late_any;
	uint64_t early_any;
	uint64_t last_line; /* L1 instruction line of the last byte */
	uint32_t lines;     /* lines touched */
	uint32_t fetches;   /* look-ups of the instruction cache */
	uint32_t cycles;    /* from the first issue to the issue of what follows */
	uint32_t alone;     /* CYCLES_ALONE */
	uint32_t supply;    /* in order: cycles in which its instructions are fetched */
	/* What entering the block counts. count[0] is INST, wanted or not. The first `counts` elements are
	 * used, or `counts_unconditional` if unconditional accesses are counted at entry. remaining[i *
	 * counts_unconditional + k] is the part of count[k] that the instructions from the i-th on add, 0 for
	 * i == n. */
	struct apmu_block_count *count;
	uint32_t *remaining;
	uint16_t counts, counts_unconditional;
	uint64_t page;             /* page of its first line */
	struct apmu_uarch__op *op; /* [n] after step[], then their chunks; NULL: in order, or no time */
	uint64_t fingerprint; /* hash of op[], pauses, barriers, ISBs: equal for blocks of equal timing */
	uint32_t chunk;       /* out of order: instructions per chunk */
	uint32_t storing;     /* instructions that store */
	uint32_t barriers;    /* barriers, that is WBUF_DRAIN and BCU_DRAIN */
	uint32_t spurious;    /* FETCH_STALL_EXTRA */
	bool conditional;     /* its last instruction is conditional, so its branch may fall through */
	bool loads_pc;        /* ends with a branch that loads the PC from memory */
	bool helper;          /* the block is a kernel user helper */
	bool unpredicted;     /* ends with a branch that the core does not predict */
	bool learns;          /* ends with a conditional B whose direction is not predicted by the BTB */
	bool plain;           /* ends with a B that the BTB holds and whose direction nothing else predicts */
	bool resolves;        /* its branch is resolved when the next block starts */
	bool halves;          /* apmu_insn.halves of its instructions */
	bool synchronizes;    /* holds an ISB: what follows is fetched when all of it has finished */
	struct apmu_uarch__schedule
		*schedule;             /* [n] after step[], then `live`; NULL: out of order, or no time */
	struct apmu_uarch__live *live; /* likewise */
	uint8_t outs, longs;           /* used elements of live->out[]; of these, long ones */
	uint64_t written;              /* registers that it writes */
	uint32_t accesses;             /* cycle of its first access; APMU_UARCH__NO_USE: none */
	bool absorbs;                  /* some instruction waits for one that is not right before it */
	bool rare;                     /* entering or leaving it takes the general path */
	bool wide;                     /* has more than two lines, or lines on two pages */
	struct apmu_uarch__step step[];
};

_Static_assert(offsetof(struct apmu_block, late_any) == 64, "one line of the host's cache");

/* The chunks of op[], which they follow in memory. */
static inline struct apmu_uarch__chunk *apmu_uarch__chunks(const struct apmu_block *b)
{
	return (struct apmu_uarch__chunk *)(void *)&b->op[b->n];
}

/* counts.c: makes count[] and remaining[], of signals that are wanted. False: out of memory. */
bool apmu_uarch__counts_make(struct apmu_block *b, const struct apmu_uarch_params *p,
			     const uint64_t wanted[APMU_SIGNAL_WORDS], const struct apmu_insn *insn);

/* counts.c, in order: adds the stalls of instruction i for operands, and the slots left empty before it. */
void apmu_uarch__counts_waited(uint64_t *n, const struct apmu_block *b, uint32_t i);

/* Adds what the block counts: count[from] to count[to - 1]. */
static inline __attribute__((always_inline)) void
apmu_uarch__counts_add(uint64_t *n, const struct apmu_block *b, uint32_t from, uint32_t to)
{
	for (const struct apmu_block_count *c = b->count + from, *end = b->count + to; c < end; c++)
		n[c->signal] += c->amount;
}

/* insn_counts.c: adds what an instruction counts by its operations. `x`: the instruction as the engine
 * described it. */
void apmu_uarch__operations_own(uint64_t *n, const struct apmu_block *b, uint32_t i,
				const struct apmu_insn *x);

/* traits.c: adds what an instruction counts by its traits. */
void apmu_uarch__traits_own(uint64_t *n, uint64_t traits);

/* pipeline.c: issues the block on an otherwise idle core and sets what depends on issue times: those of
 * struct apmu_uarch__step, `cycles`, late_any, early_any. Returns the cycles that the last instruction takes
 * alone, 0 if it is paired. */
uint32_t apmu_uarch__pipeline(const struct apmu_uarch_params *p, const struct apmu_insn *insn,
			      struct apmu_block *b);

/* cycle_bounds.c: an upper bound of the cycles that an instruction takes by itself, if its accesses hit. */
uint32_t apmu_uarch__alone(const struct apmu_uarch_params *p, const struct apmu_insn *x);

/* uops.c: instructions per chunk. */
uint32_t apmu_uarch__chunk_length(const struct apmu_uarch_params *p);

/* uops.c: makes the block's op[] and chunks. */
void apmu_uarch__ops(const struct apmu_uarch_params *p, const struct apmu_insn *insn, struct apmu_block *b);

/* pipeline.c: cycles that the load/store unit takes to transfer the instruction's data. */
uint32_t apmu_uarch__transfer_cycles(const struct apmu_uarch_params *p, const struct apmu_insn *x);

/* pipeline.c: registers that the instruction loads from memory. */
uint64_t apmu_uarch__loaded(const struct apmu_insn *x);

/* traits.c: bits of enum apmu_trait. */
uint64_t apmu_uarch__traits_of(const struct apmu_insn *x);

/* Registers that the instruction loads from memory. */
static inline uint64_t apmu_uarch__loads_of(const struct apmu_uarch__step *s)
{
	if (s->cls != APMU_CLASS_LOAD && s->cls != APMU_CLASS_SWAP)
		return 0;
	return s->base < 64 ? s->writes & ~((uint64_t)1 << s->base) : s->writes;
}

/* carry.c, at translation: sets when the block needs what was before it, from its steps. */
void apmu_uarch__carry_in(const struct apmu_uarch_params *p, struct apmu_block *b);

/* carry.c, at translation: sets late_any from live->out[], what the block leaves. */
void apmu_uarch__carry_out(struct apmu_block *b, unsigned early);

/* carry.c: cycles before (positive) or after (negative) its issue that the instruction needs register r. */
int apmu_uarch__early_of(const struct apmu_uarch__schedule *t, unsigned r);

/* carry.c: if instruction i waits `cycles` for something from before the block, by how many of them the block
 * ends later. A later instruction that waits for one before i then waits for less. */
uint64_t apmu_uarch__lasting(const struct apmu_block *b, uint32_t i, uint64_t cycles);

static inline uint64_t apmu_uarch__address_of(const struct apmu_block *b, uint32_t i)
{
	return b->addr + b->step[i].offset;
}

/* block.c: number of the instruction that contains the byte at `addr`. */
uint32_t apmu_uarch__holder(const struct apmu_block *b, uint64_t addr);

/* block.c: number of the last barrier. */
uint32_t apmu_uarch__barrier(const struct apmu_block *b);

/* The first instruction from the i-th on that may access, or preload; a number beyond any instruction's if
 * there is none. */
static inline uint32_t apmu_uarch__next_access(const struct apmu_block *b, unsigned i)
{
	for (; i < b->n; i++)
		if (b->step[i].cls == APMU_CLASS_LOAD || b->step[i].cls == APMU_CLASS_STORE ||
		    b->step[i].cls == APMU_CLASS_SWAP || b->step[i].cls == APMU_CLASS_PRELOAD)
			return i;
	return APMU_UARCH__NO_USE - 1;
}

/* block.c: true if the instruction is a B or BL. */
bool apmu_uarch__step_is_immediate(const struct apmu_uarch__step *s);

/* block.c: the instruction's FETCH_STALL_EXTRA. */
unsigned apmu_uarch__step_spurious(const struct apmu_uarch_params *p, const struct apmu_uarch__step *s);

/* Counts the block's branch by its kind, if it was taken. */
static inline void apmu_uarch__count_branch_kind(uint64_t *n, const struct apmu_block *b, bool taken)
{
	bool link = b->kind == APMU_BRANCH_IMMED_LINK || b->kind == APMU_BRANCH_IMMED_X;
	n[APMU_SIG_BR_COND_TAKEN] += taken & b->conditional;
	n[APMU_SIG_BR_IMMED_TAKEN] += taken & (link | (b->kind == APMU_BRANCH_IMMED));
	n[APMU_SIG_BR_LINK_TAKEN] += taken & link;
	n[APMU_SIG_BR_IND_LINK_TAKEN] += taken & (b->kind == APMU_BRANCH_INDIRECT_LINK);
}

#endif
