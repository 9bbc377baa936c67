/* SPDX-License-Identifier: MIT */
/** What an instruction takes on a core: the parameters of its group, else of that group's parents, else of
 * its class. */
#ifndef APMU_UARCH_TIMING_H
#define APMU_UARCH_TIMING_H

#include <apmu/uarch.h>

#define APMU_UARCH__PARTS 12u /* parts of a cycle, the unit of the time for which a pipe is held */

struct apmu_uarch__timing {
	unsigned result; /* cycles until a dependent instruction can issue */
	unsigned busy;   /* parts of a cycle for which a pipe of its unit takes nothing else */
	unsigned unit;   /* group of pipes; 0: any */
	unsigned late;   /* cycles by which the addend is needed later than other operands */
	unsigned early;  /* in order, cycles by which operands are needed earlier */
	unsigned issue;  /* in order, cycles of issue; 0: as `busy`, `beside` and the class say */
	unsigned pipes;  /* pipes used: 2 for a vector of 128 bits where a pipe has 64 */
	unsigned slots;  /* out of order, dispatch slots; per transfer, where there are several */
	unsigned base;   /* out of order, dispatch slots of a base register's write-back */
	unsigned vector; /* out of order, of a load or store: vector pipes that it takes besides, for one
			    cycle */
	unsigned each;   /* out of order, dispatch slots per register of a list; 0: by its transfers */
	bool beside;     /* only the pipe is busy; false: in order, issue is blocked too */
};

/* A time in parts of a cycle, as whole cycles, rounded up. */
static inline uint64_t apmu_uarch__busy_cycles(uint64_t parts)
{
	return (parts + APMU_UARCH__PARTS - 1) / APMU_UARCH__PARTS;
}

/* The class of an instruction, an index of the parameters; a number out of range counts as unknown. */
static inline uint8_t apmu_uarch__class_of(const struct apmu_insn *x)
{
	return x->cls < APMU_CLASSES ? x->cls : (uint8_t)APMU_CLASS_UNKNOWN;
}

/* True for the classes of integer multiplication. */
static inline bool apmu_uarch__multiplies(unsigned cls)
{
	return cls >= APMU_CLASS_MUL && cls <= APMU_CLASS_MUL_HIGH;
}

/* True for a multiplication for the high half on a core where it waits for the condition flags, takes a
 * renamed flag register and passes the flags on `mulh_flags` cycles later. */
static inline bool apmu_uarch__passes_flags(const struct apmu_uarch_params *p, const struct apmu_insn *x)
{
	return p->mulh_flags && x->cls == APMU_CLASS_MUL_HIGH;
}

static inline bool apmu_uarch__takes_flag_register(const struct apmu_uarch_params *p,
						   const struct apmu_insn *x)
{
	return (x->flags & APMU_INSN_SETS_FLAGS) || apmu_uarch__passes_flags(p, x);
}

/* True for the classes that read or write memory; preloads and branches that load the PC are not among them.
 */
static inline bool apmu_uarch__uses_memory(unsigned cls)
{
	return cls == APMU_CLASS_LOAD || cls == APMU_CLASS_STORE || cls == APMU_CLASS_SWAP;
}

/* Those of `early`, the registers that feed an instruction's shifter or address, that are part of an address.
 */
static inline uint64_t apmu_uarch__address_regs(unsigned cls, uint64_t early)
{
	return apmu_uarch__uses_memory(cls) || cls == APMU_CLASS_PRELOAD ? early : 0;
}

/* True if a bit of the masks of registers stands for a vector register or a half of one. */
static inline bool apmu_uarch__is_vector(unsigned r, bool halves)
{
	return r >= (halves ? 16 : 32);
}

struct apmu_uarch__timing apmu_uarch__timing_of(const struct apmu_uarch_params *p, const struct apmu_insn *x);

/* True if an operation, not a load or store, takes a pipe of the vector unit. */
bool apmu_uarch__on_vectors(const struct apmu_uarch_params *p, const struct apmu_uarch__timing *t,
			    unsigned cls);

/* Cycles until the nth register (from 0) of a vector load is available, on cores that load them one after the
 * other. */
unsigned apmu_uarch__timing_until(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned nth);

/* True if `to` needs the result of `from` only `late` cycles after its other operands. That is the addend of
 * a multiply-add if another one computes it (the guides: forwarding), the old value of a loaded lane whatever
 * computes it, and the operand of AESMC if AESE computes it (fused). */
bool apmu_uarch__timing_takes_late(const struct apmu_uarch_params *p, const struct apmu_insn *to,
				   const struct apmu_insn *from);

/* True if a core may execute the instruction fused with the one before it (AESMC). */
bool apmu_uarch__timing_fuses(const struct apmu_insn *x);

/* In order: true if another instruction can issue with some instruction of the class, in its only or its last
 * cycle. */
bool apmu_uarch__timing_short(const struct apmu_uarch_params *p, unsigned cls);

/* In order, the most cycles before the usual stage at which it matters whether an operand is there: for an
 * early operand, for an ALU instruction's early result, and one more behind a folded branch. */
unsigned apmu_uarch__timing_most_early(const struct apmu_uarch_params *p);

/* True if some vector of 128 bits has more than one pipe to choose from. */
bool apmu_uarch__timing_pipes(const struct apmu_uarch_params *p);

#endif
