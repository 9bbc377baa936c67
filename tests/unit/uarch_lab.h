/* SPDX-License-Identifier: MIT */
/**
 * A laboratory for the event sources: a core's parameters, a machine with a tally, and hand-made
 * instructions.
 */
#ifndef APMU_TEST_UARCH_LAB_H
#define APMU_TEST_UARCH_LAB_H

#include <apmu/uarch.h>

#define LAB_BLOCKS 1100

struct lab {
	struct apmu_uarch_params p;
	struct apmu_tally t;
	uint64_t wanted[APMU_SIGNAL_WORDS]; /* signals that the machine counts */
	struct apmu_uarch *u;
	struct apmu_block *block[LAB_BLOCKS];
	unsigned blocks;
};

/* The parameters of a core; change them with lab_set(), then lab_start(). */
void lab_open(struct lab *l, const char *core);
void lab_set(struct lab *l, const char *key, const char *value);
void lab_start(struct lab *l);                      /* all signals wanted */
void lab_start_for(struct lab *l, unsigned signal); /* one signal wanted */
void lab_close(struct lab *l);

/* A block at `addr` of 4-byte instructions; freed by lab_close(). */
struct apmu_block *lab_block(struct lab *l, uint64_t addr, const struct apmu_insn *insn, size_t n);

/* The signal's count so far. */
uint64_t lab_count(const struct lab *l, unsigned signal);

/* `steps`, or an eighth of them where APMU_STEPS is set: random lives are shorter in builds that are slow. */
unsigned lab_steps(unsigned steps);

#define LAB_BLOCK(l, addr, ...)                                     \
	lab_block(l, addr, (const struct apmu_insn[]){__VA_ARGS__}, \
		  sizeof((const struct apmu_insn[]){__VA_ARGS__}) / sizeof(struct apmu_insn))

#define R(n) ((uint64_t)1 << (n))

/* Instructions; lab_block() places them. */
#define NOP()                         \
	{                             \
		.cls = APMU_CLASS_NOP \
	}
#define ADD(d, n, m)                                                        \
	{                                                                   \
		.cls = APMU_CLASS_ALU, .reads = R(n) | R(m), .writes = R(d) \
	}
#define ADD_LSL(d, n, m)                                                                         \
	{                                                                                        \
		.cls = APMU_CLASS_ALU, .reads = R(n) | R(m), .shift_reads = R(m), .writes = R(d) \
	}
#define MUL(d, n, m)                                                        \
	{                                                                   \
		.cls = APMU_CLASS_MUL, .reads = R(n) | R(m), .writes = R(d) \
	}
#define LDR(d, n)                                                                                      \
	{                                                                                              \
		.cls = APMU_CLASS_LOAD, .reads = R(n), .shift_reads = R(n), .writes = R(d), .width = 4 \
	}
#define STR(d, n)                                                                              \
	{                                                                                      \
		.cls = APMU_CLASS_STORE, .reads = R(n) | R(d), .shift_reads = R(n), .width = 4 \
	}
#define LDRD(d, n)                                                                                       \
	{                                                                                                \
		.cls = APMU_CLASS_LOAD, .reads = R(n), .shift_reads = R(n), .writes = R(d) | R((d) + 1), \
		.width = 4, .flags = APMU_INSN_DOUBLE                                                    \
	}
#define LDM(list, count, n)                                                                               \
	{                                                                                                 \
		.cls = APMU_CLASS_LOAD, .reads = R(n), .shift_reads = R(n), .writes = (list), .width = 4, \
		.regs = (count), .flags = APMU_INSN_MULTIPLE                                              \
	}
#define STM(list, count, n)                                                                       \
	{                                                                                         \
		.cls = APMU_CLASS_STORE, .reads = R(n) | (list), .shift_reads = R(n), .width = 4, \
		.regs = (count), .flags = APMU_INSN_MULTIPLE                                      \
	}
#define SWP(d, m, n)                                                                               \
	{                                                                                          \
		.cls = APMU_CLASS_SWAP, .reads = R(m) | R(n), .shift_reads = R(n), .writes = R(d), \
		.width = 4                                                                         \
	}
#define CMP(n, m)                                                                          \
	{                                                                                  \
		.cls = APMU_CLASS_ALU, .reads = R(n) | R(m), .flags = APMU_INSN_SETS_FLAGS \
	}
#define B(to)                                                                         \
	{                                                                             \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_IMMED, .target = (to) \
	}
#define BEQ(to)                                                                        \
	{                                                                              \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_IMMED, .target = (to), \
		.flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS                 \
	}
#define BL(to)                                                                                              \
	{                                                                                                   \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_IMMED_LINK, .target = (to), .writes = R(14) \
	}
#define BLX(to)                                                                                          \
	{                                                                                                \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_IMMED_X, .target = (to), .writes = R(14) \
	}
#define BX(n)                                                                           \
	{                                                                               \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_INDIRECT, .reads = R(n) \
	}
#define BX_LR()                                                                        \
	{                                                                              \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_RETURN, .reads = R(14) \
	}
#define BXEQ_LR()                                                                       \
	{                                                                               \
		.cls = APMU_CLASS_BRANCH, .branch = APMU_BRANCH_RETURN, .reads = R(14), \
		.flags = APMU_INSN_CONDITIONAL | APMU_INSN_READS_FLAGS                  \
	}
#define MOV_PC(n)                                                                                     \
	{                                                                                             \
		.cls = APMU_CLASS_ALU, .branch = APMU_BRANCH_INDIRECT, .reads = R(n), .writes = R(15) \
	}
#define LDR_PC(n)                                                                                          \
	{                                                                                                  \
		.cls = APMU_CLASS_LOAD, .branch = APMU_BRANCH_LOAD_PC, .reads = R(n), .shift_reads = R(n), \
		.writes = R(15), .width = 4                                                                \
	}
#define SVC()                               \
	{                                   \
		.cls = APMU_CLASS_EXCEPTION \
	}
#define DSB()                             \
	{                                 \
		.cls = APMU_CLASS_BARRIER \
	}
#define ISB()                                                                     \
	{                                                                         \
		.cls = APMU_CLASS_SYSTEM, .traits = (uint64_t)1 << APMU_TRAIT_ISB \
	}
#define MSR_C()                                                   \
	{                                                         \
		.cls = APMU_CLASS_SYSTEM, .flags = APMU_INSN_MODE \
	}
#define MCR_CACHE()                                                   \
	{                                                             \
		.cls = APMU_CLASS_SYSTEM, .flags = APMU_INSN_CACHE_OP \
	}

#endif
