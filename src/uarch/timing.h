/* SPDX-License-Identifier: MIT */
/** What an instruction takes on a core: the parameters of its group, of that group's parents, at last of its
 * class. */
#ifndef APMU_UARCH_TIMING_H
#define APMU_UARCH_TIMING_H

#include <apmu/uarch.h>

struct apmu_uarch__timing {
	unsigned result; /* cycles until a dependent instruction can issue */
	unsigned busy;   /* twelfths of a cycle for which a pipe of its unit takes nothing else */
	unsigned unit;   /* group of pipes; 0: any */
	unsigned late;   /* cycles by which the addend is needed later than other operands */
	unsigned early;  /* in order, cycles by which operands are needed earlier */
	unsigned issue;  /* in order, cycles of issue; 0: as `busy`, `beside` and the class say */
	unsigned pipes;  /* pipes used: 2 for a vector of 128 bits where a pipe has 64 */
	unsigned slots;  /* out of order, of dispatch; of those that make several transfers, each */
	unsigned base;   /* out of order, slots of an address that is written back */
	unsigned vector; /* out of order, of a load or store: pipes of vectors that it takes besides, for a
			    cycle */
	unsigned each;   /* the same, each register of a list; 0: as its transfers */
	bool beside;     /* only the pipe is busy; else, in order, issue is too */
};

/* Is it a class of integer multiplications? */
static inline bool apmu_uarch__multiplies(unsigned cls)
{
	return cls >= APMU_CLASS_MUL && cls <= APMU_CLASS_MUL_HIGH;
}

struct apmu_uarch__timing apmu_uarch__timing_of(const struct apmu_uarch_params *p, const struct apmu_insn *x);

/* Cycles until the nth register (from 0) of a vector load is there, where they come one after the other. */
unsigned apmu_uarch__timing_until(const struct apmu_uarch_params *p, const struct apmu_insn *x, unsigned nth);

/* Does `to` take what `from` computes `late` cycles later than other operands? Of multiply-adds that is what
 * another adds to (the guides: forwarding), of loads of a lane whatever the lane goes into, of AESMC what
 * AESE computes (fused). */
bool apmu_uarch__timing_takes_late(const struct apmu_uarch_params *p, const struct apmu_insn *to,
				   const struct apmu_insn *from);

/* May a core do the instruction together with the one before it (AESMC)? */
bool apmu_uarch__timing_fuses(const struct apmu_insn *x);

/* In order: can another issue with some instruction of the class: in its only cycle, or its last? */
bool apmu_uarch__timing_short(const struct apmu_uarch_params *p, unsigned cls);

/* Has some vector of 128 bits more than one pipe to go to? */
bool apmu_uarch__timing_pipes(const struct apmu_uarch_params *p);

#endif
