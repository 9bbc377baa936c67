/* SPDX-License-Identifier: MIT */
/**
 * Recording inside QEMU: plugin_record.c samples, plugin_sample_bounds.c prepares blocks,
 * plugin_sample_rate.c sets periods, plugin_sink.c writes, plugin_chain.c follows calls, plugin_call_tree.c
 * numbers them, plugin_stacks.c keeps the calls of stacks that no thread runs on, plugin_exact_counts.c
 * counts exactly, plugin_maps.c records what is mapped where.
 *
 * Each thread has a sampler. It watches the thread's machine (apmu_watch), which reports when an event's
 * running total has reached the value at which it is due, and at which instruction.
 */
#ifndef APMU_QEMU_PLUGIN_RECORD_H
#define APMU_QEMU_PLUGIN_RECORD_H

#include "qemu/plugin.h"

/* The sampling state of an event in one thread. */
struct apmu_qemu__event_state {
	uint64_t period;       /* occurrences that the next sample stands for */
	uint64_t gap;          /* occurrences from the last sample to the next */
	uint64_t instructions; /* instruction count at the last sample, of those inside the region */
	/* By frequency (plugin_sample_rate.c): */
	uint64_t rest;                    /* occurrences of the period that follow its sample */
	uint64_t gap_before, gone_before; /* gap before the last sample, and its instructions */
	uint64_t want;   /* instructions from the last sample to the next, if that is in time */
	int64_t behind;  /* instructions by which the thread's samples are late */
	uint64_t random; /* state of the random numbers, not 0 */

	uint64_t access; /* the most that one access may add */
	uint64_t rate;   /* the most that the event gains per cycle of waiting */
	uint64_t left;   /* outside the region: occurrences inside it until the next sample */
	uint64_t last;   /* exact counts: the total already given to cells */
};

/* A sample that waits for the instruction it is attributed to (--skid). */
struct apmu_qemu__late {
	struct profile__sample sample;
	uint64_t target; /* instruction count at which it is due */
};
#define APMU_QEMU__LATES 64u

/* The outcome of an access. */
struct apmu_qemu__data {
	uint32_t n; /* its instruction was the n-th to run, modulo 2^32; 0: no access */
	uint64_t address;
	struct apmu_access_report report;
	bool store;
};
#define APMU_QEMU__DATA_KEPT 2048u /* instructions; more than run while a line fill is outstanding */

/* A call that has not returned. */
struct apmu_qemu__call {
	uint64_t site;  /* address of the call instruction */
	uint64_t back;  /* return address; for an interruption the block's end, or 0 if not known */
	uint64_t other; /* for an interruption: target of the block's branch, or its end; else 0 */
	uint64_t entry; /* the callee's first instruction */
	uint64_t stack; /* address at which the callee saved its return address; 0: not known */
	uint64_t first; /* the highest such address: after a tail call, or a call made by a jump (Java's
			   interpreter), there are several */
	uint32_t node;  /* number in the call tree; 0: none yet */
	uint16_t bytes; /* size of the interrupted block */
	bool handler;   /* the callee is a signal handler: only rt_sigreturn returns from it */
	bool elsewhere; /* the callee runs on another stack */
};

/* A thread's shadow stack. */
struct apmu_qemu__calls {
	struct apmu_qemu__call *call;
	uint32_t depth, room;
	uint32_t nodes; /* how many are numbered; `node` is their hash table, by parent and site */
	struct apmu_qemu__call_node {
		uint64_t site;
		uint32_t parent, number;
		bool signal;
	} * node;
	uint32_t buckets;
	uint64_t *known; /* hash table: pairs of a return address and the entry of the calling function */
	uint32_t places, used; /* pairs of that table: all, a power of two, and those in use */
	uint64_t saver;        /* the instruction that last saved a return address (RETURN_SITE) */
	uint64_t restorer;     /* the one that last restored one */
	uint64_t popped;       /* from where */
	uint32_t rest;         /* registers that `restorer` has yet to load */
	bool returning;        /* rt_sigreturn is under way, from the handler of `interrupted` */
	struct apmu_qemu__call interrupted;
	uint64_t arrived; /* target of the last switch of stacks, until a return address is saved; else 0 */
	uint64_t lowest;  /* after that switch, if the stack seems to have been moved: where its newest call
			     saved; 0: not known */
	uint64_t landed;  /* target of the jump that began this stack, until a return address is saved; else 0
			   */
	uint64_t kept[2]; /* where the stack pointer was stored since calls were last parked, the last two */
	uint64_t from;    /* where the block's new stack pointer was loaded from; 0: not known */
	uint64_t parked;  /* what stacks_park() returned at that jump */
	bool begun;       /* the last switch began a new stack, or continued with a parked one */
	bool left;        /* before the last switch, a call onto another stack had already parked the calls */
	uint8_t unsure;   /* after a switch: how many more restored return addresses may identify the stack */
};

struct apmu_qemu__sampler {
	struct apmu_watch watch; /* must be first: reached() casts its address to the sampler */
	struct apmu_qemu__thread *thread;
	const struct apmu_qemu__tb *before; /* the block that the machine leaves */
	const struct apmu_qemu__tb *tb;     /* the block that the machine enters, or is in */
	struct apmu_qemu__buffer *buffer;
	bool owns_buffer;  /* `buffer` is private memory, not shared */
	bool call_pending; /* the call stack has yet to follow `before` to `tb` */
	uint64_t outside;  /* instructions executed outside the region so far */
	uint32_t lates;
	uint32_t tag;        /* number of the last access's instruction: the n-th to run, modulo 2^32 */
	uint32_t loader[64]; /* the number, as in `tag`, of the instruction that last loaded each register */
	struct apmu_qemu__data data[APMU_QEMU__DATA_KEPT];
	struct profile__deltas deltas;
	struct apmu_qemu__calls stack;
	struct apmu_qemu__cell_table *cell_table;
	struct apmu_qemu__branch_trace *branch_trace; /* record -b; else NULL */
	struct apmu_gauge gauge[PROFILE__EVENTS];
	struct apmu_qemu__event_state event[PROFILE__EVENTS];
	struct apmu_qemu__late late[APMU_QEMU__LATES];
};

/* plugin_record.c: the sampler of a thread, whose slot and machine exist. */
void apmu_qemu__sampler_begin(struct apmu_qemu__thread *t);
/* Writes the remaining samples of a thread that is to exit. */
void apmu_qemu__sampler_exit(struct apmu_qemu__thread *t);
void apmu_qemu__sampler_end(struct apmu_qemu__thread *t); /* the same, and frees the sampler */
/* In the child of a fork, whose only thread has a new slot and machine. */
void apmu_qemu__sampler_forked(struct apmu_qemu__thread *t);
void apmu_qemu__sampler_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb);
void apmu_qemu__sampler_preload(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index,
				uint64_t addr, bool store);
void apmu_qemu__sampler_zero(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index,
			     uint64_t addr, unsigned size);
void apmu_qemu__sampler_break(struct apmu_qemu__thread *t); /* the thread goes where t->tb does not lead */
/* Block `tb` has made the metered event due. */
void apmu_qemu__sampler_metered(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb);
/* Copies the first gauge to the thread, for its callbacks, after a gauge's due value has changed. */
void apmu_qemu__sampler_alarm(struct apmu_qemu__sampler *s);

/* An exception, already counted, left t->tb after `executed` of its instructions. It is attributed to the
 * next instruction or, if all have run, to the last. */
void apmu_qemu__sampler_fault(struct apmu_qemu__thread *t, uint32_t executed);

/* The thread has left t->tb before instruction number `executed`; its machine now does so too. */
void apmu_qemu__sampler_abandon(struct apmu_qemu__thread *t, uint32_t executed);

/* plugin_region_pause.c: the region is left before instruction `i` of `b`; `rest` is what block entry counted
 * from there on. */
void apmu_qemu__sampler_pause(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			      const struct apmu_tally *rest);
/* The region is entered before instruction `i` of `b`; `rest` is what block entry counted from there on. */
void apmu_qemu__sampler_resume(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			       const struct apmu_tally *rest);

/* The thread entered a signal handler from t->tb, after `executed` of its instructions, or left one; it now
 * runs at `to`. */
void apmu_qemu__sampler_signal(struct apmu_qemu__thread *t, uint32_t executed, uint64_t to);

/* plugin_sample_bounds.c: a machine to ask what block entry counts for each instruction; all machines of a
 * run agree. NULL without memory. Called with the translation lock held. */
struct apmu_uarch *apmu_qemu__reference_machine(void);

/* plugin_sample_rate.c: sets the first period of a new thread, the last one that the run has come to: if it
 * began anew, a program that starts many short threads would be sampled at the same few places of each. */
void apmu_qemu__first_period(struct apmu_qemu__event_state *c, uint32_t event, uint64_t frequency,
			     uint64_t seed);
/* Sets the next period, after a sample, so that there are `frequency` samples per million instructions if the
 * event keeps its rate; at most twice the last period. */
void apmu_qemu__next_period(struct apmu_qemu__event_state *c, uint32_t event, uint64_t frequency,
			    uint64_t instructions);

/* plugin_sample_bounds.c: true if some event counts cycles or slots. */
bool apmu_qemu__counts_time(const struct apmu_qemu__share_record *r);

/* The most that one cycle of waiting adds to an event. */
uint64_t apmu_qemu__weigh_rate(const struct apmu_qemu__run_event *event);
/* The most cycles that the core waits for a line. */
uint64_t apmu_qemu__weigh_wait(void);
/* The most that one access adds to an event. */
uint64_t apmu_qemu__weigh_access(const struct apmu_qemu__run_event *event, const struct apmu_uarch *u);

/* plugin_sample_bounds.c: computes what sampling needs to know of a block, at translation. False without
 * memory. */
bool apmu_qemu__sampler_block(struct apmu_qemu__tb *b, const struct apmu_insn *insn);

/* plugin_sink.c: samples and call-tree nodes go to the thread's buffer and from there to the file, mappings
 * directly to the file. */
void apmu_qemu__sink_sample(struct apmu_qemu__sampler *s, struct profile__sample *sample);
uint32_t apmu_qemu__sink_frame(struct apmu_qemu__sampler *s, uint32_t parent, uint64_t pc,
			       bool signal); /* returns the node's number */
void apmu_qemu__sink_flush(struct apmu_qemu__sampler *s);
void apmu_qemu__sink_buffer(struct apmu_qemu__buffer *b); /* writes it to the file, if that is still there */
/* Writes exact counts and edges of the addresses from `first` to `last`, so that what is mapped there next
 * does not get them. */
void apmu_qemu__sink_counts(uint64_t first, uint64_t last);
/* Before this process's program runs: writes what is left of the program that executed it, whose threads have
 * all ended. */
void apmu_qemu__sink_executed(void);
void apmu_qemu__sink_map(const struct profile__map_block *map, const char *path);

/* plugin_chain.c: the thread went from the end of `from` to `to`. */
void apmu_qemu__chain_follow(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to);
/* A signal, or the return from one, took the thread to `to` after `done` instructions of `from`. */
void apmu_qemu__chain_signal(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint32_t done,
			     uint64_t to);
/* The instruction at `pc`, which saves or restores a return address; `before`: how many other registers it
 * moves before, to or from the words below. */
#define APMU_QEMU__RETURN_SITE(pc, before) ((pc) | (uint64_t)(before) << 56)
/* The instruction `by` stores a register at `at`: its return address, or one of those before or after. */
void apmu_qemu__chain_saved(struct apmu_qemu__sampler *s, uint64_t at, uint64_t by);
/* The same for a load. */
void apmu_qemu__chain_restored(struct apmu_qemu__sampler *s, uint64_t at, uint64_t by);
/* The stack pointer, or a copy, is stored at `at`. */
void apmu_qemu__chain_kept(struct apmu_qemu__sampler *s, uint64_t at);
void apmu_qemu__chain_sigreturn(struct apmu_qemu__sampler *s);
void apmu_qemu__chain_free(struct apmu_qemu__calls *stack);

/* plugin_call_tree.c */
uint32_t apmu_qemu__chain_node(struct apmu_qemu__sampler *s); /* of the current stack */
/* In the child of a fork: node numbers start again. */
void apmu_qemu__chain_restart(struct apmu_qemu__sampler *s);

static inline uint64_t apmu_qemu__call_hash(uint64_t x)
{
	x *= 0x9E3779B97F4A7C15u;
	return x ^ x >> 29;
}

/* plugin_stacks.c: parks a copy of the thread's calls, and returns its number; 0: no call had saved its
 * return address, so nothing was parked. */
uint64_t apmu_qemu__stacks_park(struct apmu_qemu__sampler *s);
/* Continues with the parked calls of which one saved its return address at `at`, and returns their number; 0:
 * there are none. */
uint64_t apmu_qemu__stacks_take(struct apmu_qemu__sampler *s, uint64_t at);
/* Continues with the parked calls whose stack pointer was stored at `from`, if the newest returns to `to`;
 * drops that one. False: there are none. */
bool apmu_qemu__stacks_take_kept(struct apmu_qemu__sampler *s, uint64_t from, uint64_t to);
/* Continues with the only parked calls that were left where they continue at `to`, in the function at
 * `entry`. False: there are none, or several. */
bool apmu_qemu__stacks_take_waiting(struct apmu_qemu__sampler *s, uint64_t to, uint64_t entry);
/* Continues with the nearest parked calls above `at`, at most `within` bytes away, if the newest returns to
 * `back` and was made by a function that had saved nothing; drops that newest call. False: there are none. */
bool apmu_qemu__stacks_take_above(struct apmu_qemu__sampler *s, uint64_t at, uint64_t back, uint64_t within);
/* Continues with the calls that were parked as `stack.parked`, if the present ones, which saved a return
 * address at `at`, are made on the same stack: as many as are live there, and then the present ones but the
 * first. `at` may be `below` bytes below the parked calls' lowest address. False: nothing was done. */
bool apmu_qemu__stacks_take_back(struct apmu_qemu__sampler *s, uint64_t at, uint64_t below);
void apmu_qemu__stacks_forked(void);

/* plugin_record_data.c: makes an access and keeps its outcome for samples to come. */
void apmu_qemu__data_access(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w, uint64_t vaddr,
			    unsigned size, bool store);
/* Keeps the outcome of a store whose line another core had to give up. */
void apmu_qemu__data_claimed(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w, uint64_t vaddr);
void apmu_qemu__data_restart(struct apmu_qemu__sampler *s); /* in the child of a fork: numbers start again */
/* Puts into the sample the access of the instruction that was the n-th to run, modulo 2^32, if it is kept. */
void apmu_qemu__data_fill(struct apmu_qemu__sampler *s, uint32_t n, struct profile__sample *sample);
/* Returns the number of the load that the current instruction waits for; 0: not known. In-order cores only.
 */
uint32_t apmu_qemu__data_loader(const struct apmu_qemu__sampler *s);

/* plugin_exact_counts.c: adds what the event has gained since the last call to the cell of instruction `at`
 * of the block; with `each`, what the block's entry counts goes to the cells of its instructions instead. */
void apmu_qemu__cells_count(struct apmu_qemu__sampler *s, uint32_t event, const struct apmu_qemu__tb *b,
			    uint32_t at, bool each);

/* Adds what the event has gained since the last call to the cell of the instruction at `pc`. */
void apmu_qemu__cells_add(struct apmu_qemu__sampler *s, uint32_t event, uint64_t pc);

/* The thread has left s->tb before instruction number `executed`: takes back what block entry counted from
 * there on. */
void apmu_qemu__cells_abandon(struct apmu_qemu__sampler *s, uint32_t executed);

/* Adds to the cells, or subtracts from them, what the block's entry counts from instruction `from` on. */
void apmu_qemu__cells_shift(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *b, uint32_t from,
			    bool plus);
void apmu_qemu__cells_free(struct apmu_qemu__sampler *s);

/* plugin_branches.c: the branches of record -b. */
void apmu_qemu__branch_trace_begin(struct apmu_qemu__sampler *s);
/* The thread leaves `from` for `to`; comes before its machine enters `to`. */
void apmu_qemu__branch_trace_leave(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from,
				   const struct apmu_qemu__tb *to);
/* The machine has resolved the branch that leave() noted. */
void apmu_qemu__branch_trace_follow(struct apmu_qemu__sampler *s);
/* Copies the last taken branches, newest first, for a sample. Returns how many. */
uint32_t apmu_qemu__branch_trace_stack(const struct apmu_qemu__sampler *s,
				       struct profile__branch out[PROFILE__BRANCHES]);
void apmu_qemu__branch_trace_free(struct apmu_qemu__sampler *s);

/* plugin_maps.c: the files that the program maps. */
void apmu_qemu__maps_start(void); /* at load: notes QEMU's own mappings */
/* Writes the mappings that exist at the program's first instruction, once. The guest base must be known. */
void apmu_qemu__maps_first(void);
void apmu_qemu__maps_forked(void); /* writes the child's mappings */
/* Notes that the process runs another program now, and that its earlier mappings are gone. */
void apmu_qemu__maps_executed(void);
/* Notes the arguments of an mmap call before it is made. */
void apmu_qemu__maps_mmap(uint64_t length, uint64_t protection, uint64_t flags, uint64_t fd, uint64_t offset);
/* Writes the mapping, after the call. */
void apmu_qemu__maps_mmapped(int64_t result);
void apmu_qemu__maps_munmap(uint64_t start, uint64_t length);
void apmu_qemu__maps_mprotect(uint64_t start, uint64_t length, uint64_t protection);

#endif
