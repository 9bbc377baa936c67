/* SPDX-License-Identifier: MIT */
/**
 * A thread of the program and a block of its code, as the plugin keeps them; and the hottest callbacks, whose
 * files include nothing else of the plugin (plugin_cb_block.c, plugin_cb_access.c).
 */
#ifndef APMU_QEMU_THREAD_H
#define APMU_QEMU_THREAD_H

#include "qemu/qemu_abi.h"

#include "uarch/access_group.h"

#include <apmu/uarch.h>
#include <pthread.h>

/* A group of accesses with one callback. */
struct apmu_qemu__group {
	struct apmu_qemu__group *next; /* the block's next group */
	uint32_t reached;              /* 1 + index of the anchor, the access that has the callback */
	struct apmu_uarch__group group;
	struct apmu_uarch__group_member member[];
};

/* A load or store whose accesses have a callback, or belong to a group that has one. */
struct apmu_qemu__watch {
	struct apmu_access_site site;
	const struct apmu_qemu__tb *tb;
	const struct apmu_qemu__group *group; /* the group whose anchor this is; NULL: none */
	uint32_t index;
	uint8_t size;  /* bytes of each access, if the instruction determines them; else 0 */
	uint8_t width; /* bytes of a register */
	bool pair;     /* loads or stores two general registers */
	bool grouped;  /* belongs to a group */
	bool store;
	bool exclusive;        /* a store-exclusive; QEMU also reports a read, its own */
	bool atomic;           /* reads and writes memory: SWP, CAS, LDADD and kin */
	bool saves;            /* saves a return address on the stack */
	bool restores;         /* restores a return address from the stack */
	bool keeps;            /* stores the stack pointer */
	bool switches;         /* loads the stack pointer of another stack */
	uint8_t before_return; /* words that it moves before the return address, which lies above them */
	_Atomic uint64_t access_info; /* QEMU's description of the site's accesses (plugin_cb_access.c) */
};

/* What a block's end does to the call stack. */
enum apmu_qemu__flow {
	APMU_QEMU__FLOW_NONE,
	APMU_QEMU__FLOW_CALL = 1,
	APMU_QEMU__FLOW_RETURN = 2,
	APMU_QEMU__FLOW_JUMP = 4
};

/* A block as QEMU translated it. Lives until a flush at which no thread is in it. */
struct apmu_qemu__tb {
	struct apmu_block *block;
	uint64_t bound_first, entry_first, fast_first; /* recording: bound[0], entry[0], fast[0] */
	uint32_t instructions;                         /* recording: instructions counted at entry */
	uint32_t gain;                                 /* recording: what entry adds to the first event */
	uint64_t addr, end, target;                    /* target: of an immediate branch; else equal to end */
	uint32_t n;                                    /* instructions */
	uint32_t must; /* 1 + index of the last instruction that always makes an access with a callback; 0:
			  none */
	bool thumb;    /* T32 */
	bool indirect; /* ends in a branch to a register or from memory */
	bool breaks;   /* ends in an instruction that takes an exception other than a system call */
	bool syscall;  /* ends in a system call */
	bool remaps;   /* whole system: contains an instruction that may change address translation */
	bool undefined_last; /* no instruction in it ends a block, so QEMU found its last one undefined */
	struct apmu_qemu__boundary *boundary; /* the region's boundaries in it */
	uint32_t undecoded;                   /* instructions unknown to the classifier */
	uint32_t undecoded_word;              /* the first of them */
	uint8_t flow;                         /* enum apmu_qemu__flow */
	bool restacks; /* switches stacks: sets the stack pointer from neither itself nor the frame pointer */
	uint8_t kind;  /* enum profile__branch_kind of its last instruction */
	bool unconditional; /* its last instruction is unconditional */
	uint16_t *offset;   /* recording, by instruction: bytes from addr */
	uint16_t *own;      /* by event and instruction: what entry counts */
	uint32_t *bound;    /* by event: the most that the block may add */
	uint32_t *entry;    /* by event: the most that entering it may add */
	uint32_t *fast;     /* by event: the most that entering it by the fast path may add
			       (src/uarch/fast/entry.h) */
	uint32_t *later; /* by instruction: cycles counted at entry for those after it; owns the memory of all
			    six */
	bool occupied;   /* a thread is in it (only during a flush) */
	struct apmu_qemu__group *groups;
	struct apmu_qemu__preloader *preloader; /* plugin_preload.c; NULL: no preloads are reported */
	struct apmu_qemu__zeroer *zeroer;       /* plugin_zero.c; NULL: no DC ZVA is near */
	struct apmu_qemu__tb *next;
	uint32_t watches;
	struct apmu_qemu__watch watch[];
};

/* Where a thread is, in instructions, among threads with coherent L1 data caches (plugin_pace.c). */
struct apmu_qemu__pace {
	uint64_t at, seen;               /* at: on the threads' common axis; seen: own count then */
	uint64_t next;                   /* count at which the thread's pace is checked again */
	uint64_t contended;              /* apmu_uarch_contended() at the last check */
	uint64_t fought_until;           /* count until which the threads are kept close together */
	uint64_t arrivals;               /* plugin_pace.c's `arrivals` when the thread's system call began */
	bool member, away;               /* member: among those threads; away: in a system call */
	bool wakes;                      /* its system call may wake or create threads */
	uint64_t least;                  /* where the slowest thread has to be before this one goes on */
	pthread_cond_t moved;            /* signalled when it is there */
	struct apmu_qemu__thread *after; /* the next that waits */
};

/* General registers near a DC ZVA (plugin_zero.c). */
struct apmu_qemu__registers {
	const struct apmu_qemu__zeroer *zeroer; /* the block that they were followed in; NULL: none */
	uint32_t next;                          /* its first instruction that was not followed yet */
	uint32_t known;                         /* bit r: value[r] is known */
	uint64_t value[32];
};

#define APMU_QEMU__BACKS 64u

/* A thread of the program. */
struct apmu_qemu__thread {
	struct apmu_uarch *u;
	struct apmu_qemu__tb *tb; /* current; never NULL */
	uint32_t reached;         /* 1 + index of the instruction whose access was reported last; 0: none */
	const uint64_t *gauge;    /* the interval's signal; recording: the first event's first */
	uint64_t due; /* *gauge at the next mark or sample; 0: several signals, of which each must be asked */
	uint64_t rate, wait; /* recording: what the event may gain per cycle of waiting; cycles that a line
				may take */
	uint64_t access;     /* recording: the most that an access may add to *gauge */
	struct apmu_qemu__slot *slot;
	uint64_t until;                     /* region that is a function: address at which it ends */
	struct apmu_qemu__sampler *sampler; /* NULL: not recording */
	uint8_t flows; /* recording: block ends that must be followed, bits of enum apmu_qemu__flow */
	bool late;     /* recording: samples await their instruction (--skid), or -b watches each block */
	bool near;     /* recording: this block's accesses may cause an overflow */
	bool private;  /* the slot is private memory, not shared */
	const struct apmu_qemu__watch *read; /* the atomic instruction whose read was reported last, until its
						write is */
	struct apmu_qemu__pace pace;
	/* region that is a function: return addresses of calls that have not returned, a ring; 0: none. The
	 * newest is at calls - 1. */
	uint64_t back[APMU_QEMU__BACKS];
	uint32_t calls;
	struct apmu_qemu__registers registers;
	struct apmu_qemu__thread *next;
};

/* True if the thread's next access may cause an overflow; with several signals, always if `near`. */
static inline bool apmu_qemu__near_access(const struct apmu_qemu__thread *t)
{
	return t->near && *t->gauge + t->access >= t->due;
}

/* The thread that runs; NULL before it began. */
extern __thread struct apmu_qemu__thread *apmu_qemu__self __attribute__((tls_model("initial-exec")));

/* What a block callback does for recording. */
enum apmu_qemu__recording {
	APMU_QEMU__RECORDING_NOT,
	APMU_QEMU__RECORDING,
	APMU_QEMU__RECORDING_CALLS, /* with call stacks */
	APMU_QEMU__RECORDING_MISSES /* entering a block whose lines are cached adds to no event */
};
/* plugin_cb_block.c: the block callback that suits the machines, for blocks without unknown instructions.
 * User data is the block's struct apmu_block, whose `owner` is set to `b`. */
qemu_plugin_exec_cb apmu_qemu__block_callback(enum apmu_qemu__recording recording, struct apmu_qemu__tb *b);
/* True if the machine is out of order and timed: time then advances in jumps. */
bool apmu_qemu__is_out_of_order(const struct apmu_uarch *u);

/* Returns the most cycles until everything in the window has retired, once `before`, the block that ran, is
 * in it; 0 if in order. */
uint64_t apmu_qemu__cycles_to_come(const struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before);

/* plugin_cb_access.c: the callback of an unconditional access; user data is a struct apmu_qemu__watch. */
qemu_plugin_mem_cb apmu_qemu__access_callback(bool recording, bool forwards /* apmu_uarch_forwards() */,
					      bool store);
/* plugin_cb_access.c: the callback of other accesses, whose size and kind QEMU alone knows, or (`known`) the
 * instruction determines. */
qemu_plugin_mem_cb apmu_qemu__general_callback(bool known, bool forwards);
void apmu_qemu__general_begin(struct apmu_qemu__watch *w);
/* plugin_sample_bounds.c: true if a block's entry may cause an overflow on the fast path. Sets t->near;
 * `closely`: all of the block's accesses have callbacks, so it pays to look at what they may add. */
bool apmu_qemu__sampler_near(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, bool closely);
/* plugin_sample_bounds.c: true if a block's entry may cause an overflow on any path. Sets t->near. */
bool apmu_qemu__sampler_wants(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb);
/* plugin_record.c: makes an access that may cause an overflow. */
void apmu_qemu__sampler_access(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			       unsigned size, bool store);
/* plugin_record.c: a store claims its line, before it is made. */
void apmu_qemu__sampler_claim(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			      unsigned size);

/* plugin_cb_access.c: the callback of a group of accesses; user data is a struct apmu_qemu__group. */
qemu_plugin_mem_cb apmu_qemu__group_callback(void);

/* plugin_group.c: QEMU has reported an access of `size` bytes; shows how it splits pairs and vectors. */
void apmu_qemu__group_learn(const struct apmu_qemu__watch *w, unsigned size);

/* plugin_thread.c: enters any block: a thread's first, one after a signal, at an interval's end, or with
 * unknown instructions. */
void apmu_qemu__enter_general(unsigned vcpu, void *user);
void apmu_qemu__enter_recording(unsigned vcpu, void *user); /* any block, with a sampler */

#endif
