/* SPDX-License-Identifier: MIT */
/**
 * A thread of the program and a block of its code, as the plugin keeps them; and the hottest callbacks, which
 * see nothing else of the plugin (plugin_cb_block.c, plugin_cb_access.c).
 */
#ifndef APMU_QEMU_THREAD_H
#define APMU_QEMU_THREAD_H

#include "qemu/qemu_abi.h"

#include "uarch/access_group.h"

#include <apmu/uarch.h>

/* A group of accesses with one callback. */
struct apmu_qemu__group {
	struct apmu_qemu__group *next; /* of the block */
	uint32_t reached;              /* 1 + index of the anchor, whose callback it is */
	struct apmu_uarch__group group;
	struct apmu_uarch__group_member member[];
};

/* A load or store whose accesses have a callback, or are of a group that has one. */
struct apmu_qemu__watch {
	struct apmu_access_site site;
	const struct apmu_qemu__tb *tb;
	const struct apmu_qemu__group *group; /* whose anchor it is; NULL: none */
	uint32_t index;
	uint8_t size;  /* bytes of each access, if the instruction says; else 0 */
	uint8_t width; /* bytes of a register */
	bool pair;     /* of general registers */
	bool grouped;  /* of some group */
	bool store;
	bool exclusive;               /* a store-exclusive: its read is QEMU's own */
	bool saves;                   /* saves a return address on the stack, */
	bool restores;                /* ... or restores it */
	_Atomic uint64_t access_info; /* QEMU's description of the site's accesses (plugin_cb_access.c) */
};

/* What a block's end does to the call stack. */
enum apmu_qemu__flow {
	APMU_QEMU__FLOW_NONE,
	APMU_QEMU__FLOW_CALL = 1,
	APMU_QEMU__FLOW_RETURN = 2,
	APMU_QEMU__FLOW_JUMP = 4
};

/* A block as QEMU translated it. Lives until a flush at which no thread stands in it. */
struct apmu_qemu__tb {
	struct apmu_block *block;
	uint64_t bound_first, entry_first, fast_first; /* recording: bound[0], entry[0], quick[0] */
	uint32_t instructions;                         /* recording: what it adds ahead to them, */
	uint32_t gain;                                 /* and to the first event */
	uint64_t addr, end, target;                    /* target of an immediate branch; else equal to end */
	uint32_t n;                                    /* instructions */
	uint32_t must; /* 1 + index of the last instruction that always makes an access with a callback; 0:
			  none */
	bool thumb;    /* T32 */
	bool anywhere; /* ends in a branch to a register or from memory */
	bool breaks;   /* ends in an instruction that makes an exception, but no system call */
	bool calls;    /* ends in a system call */
	bool remaps;   /* of a system: may change what lies at an address */
	bool traps;    /* nothing in it ends a block: QEMU found its last instruction undefined */
	struct apmu_qemu__border *border; /* where the region begins or ends in it */
	uint32_t undecoded;               /* instructions that no row knows */
	uint32_t undecoded_word;          /* the first of them */
	uint8_t flow;                     /* enum apmu_qemu__flow */
	bool restacks;                    /* gives the stack pointer a value that is not made of its own */
	uint8_t kind;                     /* enum profile__branch_kind of its end; */
	bool always;                      /* ... which always jumps */
	uint16_t *offset;                 /* recording: of each instruction from addr; */
	uint16_t *own;                    /* what each adds ahead to each event; */
	uint32_t *bound;                  /* the most that the block may add to each event; */
	uint32_t *entry;                  /* ... that entering it may; */
	uint32_t *fast;                   /* ... by the fast path (src/uarch/fast/entry.h); */
	uint32_t *later;                  /* cycles ahead of those after each: owns the memory of all six */
	bool stood;                       /* a thread is in it (only during a flush) */
	struct apmu_qemu__group *groups;
	struct apmu_qemu__preloader *preloader; /* plugin_preload.c; NULL: no preloads are reported */
	struct apmu_qemu__tb *next;
	uint32_t watches;
	struct apmu_qemu__watch watch[];
};

/* Where a thread is among those that see its first level (plugin_pace.c), in instructions. */
struct apmu_qemu__pace {
	uint64_t at, seen;     /* on an axis that all have in common, as of its own count */
	uint64_t next;         /* count at which it is looked at again */
	uint64_t transfers;    /* lines that had moved by then */
	uint64_t fought_until; /* until that count threads are kept together closely */
	uint64_t come;         /* threads that had come when its system call began */
	bool member, away;     /* one of them; in a system call, */
	bool wakes;            /* ... which may set others going */
};

/* A thread of the program. */
struct apmu_qemu__thread {
	struct apmu_uarch *u;
	struct apmu_qemu__tb *tb; /* current; never NULL */
	uint32_t reached;         /* 1 + index of the instruction whose access was reported last; 0: none */
	const uint64_t *gauge;    /* the interval's signal; recording: that of the only event */
	uint64_t due;             /* its value at the next mark, or sample; 0: several events, ask them all */
	uint64_t rate,
		wait;    /* recording: what the event may gain in a cycle; cycles that a late line may take */
	uint64_t access; /* recording: the most that an access may add to *gauge */
	struct apmu_qemu__slot *slot;
	uint64_t back, until; /* a function as region: where the last call returns to; where it is left */
	struct apmu_qemu__sampler *sampler; /* NULL: not recording */
	uint8_t flows; /* recording: ends of blocks that matter, bits of enum apmu_qemu__flow */
	bool late;     /* ... samples wait for their instruction (--skid), or all is watched (-b) */
	bool near;     /* ... an overflow may come of this block's accesses */
	bool private;  /* the slot is memory of our own */
	struct apmu_qemu__pace pace;
	struct apmu_qemu__thread *next;
};

/* May an overflow come in a thread's next access? Of several events: perhaps. */
static inline bool apmu_qemu__near_access(const struct apmu_qemu__thread *t)
{
	return t->near && *t->gauge + t->access >= t->due;
}

/* The thread that runs; NULL before it began. */
extern __thread struct apmu_qemu__thread *apmu_qemu__self __attribute__((tls_model("initial-exec")));

/* plugin_cb_block.c: which callback suits the machines, for blocks that all rows know; user data is a struct
 * apmu_qemu__tb. */
enum apmu_qemu__recording {
	APMU_QEMU__RECORDING_NOT,
	APMU_QEMU__RECORDING,
	APMU_QEMU__RECORDING_CALLS, /* with their stack */
	APMU_QEMU__RECORDING_MISSES /* no event is counted where a block is entered and its lines are there */
};
qemu_plugin_exec_cb apmu_qemu__block_callback(enum apmu_qemu__recording recording, struct apmu_qemu__tb *b);
bool apmu_qemu__is_out_of_order(const struct apmu_uarch *u); /* with time, which advances in jumps */

/* ... the most cycles until all has retired that is in the window, once the block before, which ran, is. */
uint64_t apmu_qemu__coming(const struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before);

/* plugin_cb_access.c: callbacks of unconditional accesses, user data is a struct apmu_qemu__watch;
 * plugin_sample_bounds.c: may a block's entry cause an overflow, on the fast path, on any? plugin_record.c:
 * where an access may cause one. Both set t->near; `closely`: all of the block's accesses have callbacks, so
 * it pays to look at what they may add. */
qemu_plugin_mem_cb apmu_qemu__access_callback(bool recording, bool forwards /* apmu_uarch_forwards() */,
					      bool store);
/* ... of accesses whose size and kind QEMU alone knows, or (`known`) the instruction says. */
qemu_plugin_mem_cb apmu_qemu__some(bool known, bool forwards);
void apmu_qemu__some_begin(struct apmu_qemu__watch *w);
bool apmu_qemu__sampler_near(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, bool closely);
bool apmu_qemu__sampler_wants(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb);
void apmu_qemu__sampler_access(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			       unsigned size, bool store);
void apmu_qemu__sampler_claim(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			      unsigned size); /* a store asks for its line before it is made */

/* ... of a group of accesses, user data is a struct apmu_qemu__group. */
qemu_plugin_mem_cb apmu_qemu__group_callback(void);

/* plugin_group.c: QEMU has told an access of so many bytes. */
void apmu_qemu__group_learn(const struct apmu_qemu__watch *w, unsigned size);

/* plugin_thread.c: a block, whatever it is: the first, after a signal, at an interval's end, undecoded. */
void apmu_qemu__enter_looking(unsigned vcpu, void *user);
void apmu_qemu__enter_recording(unsigned vcpu, void *user); /* ... with a sampler */

#endif
