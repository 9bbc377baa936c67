/* SPDX-License-Identifier: MIT */
/**
 * Recording inside QEMU: plugin_record.c samples, plugin_sample_bounds.c prepares blocks,
 * plugin_sample_rate.c sets periods, plugin_sink.c writes, plugin_chain.c follows calls, plugin_stacks.c
 * keeps those of other stacks, plugin_exact_counts.c counts exactly, plugin_maps.c records what is
 * mapped where.
 *
 * A thread has a sampler. The machine is watched (apmu_watch): it says when an event's running total has come
 * to its due, and at which instruction.
 */
#ifndef APMU_QEMU_PLUGIN_RECORD_H
#define APMU_QEMU_PLUGIN_RECORD_H

#include "qemu/plugin.h"

/* How far an event of a thread is. */
struct apmu_qemu__course {
	uint64_t period;
	uint64_t instructions; /* at the last sample */
	uint64_t samples;
	uint64_t access; /* the most that one may add */
	uint64_t rate;   /* the most that it gains in a cycle that something is waited for */
	uint64_t left;   /* outside the region: occurrences in it until the next sample */
	uint64_t last;   /* exactly: the total that has been given to cells */
};

/* A sample that waits for the instruction it is attributed to (--skid). */
struct apmu_qemu__late {
	struct profile__sample sample;
	uint64_t target; /* instructions */
};
#define APMU_QEMU__LATES 64u

/* What became of an access. */
struct apmu_qemu__data {
	uint32_t n; /* its instruction was the n-th to run, modulo 2^32; 0: none */
	uint64_t address;
	struct apmu_access_report report;
	bool store;
};
#define APMU_QEMU__DATA_KEPT 2048u /* more than run while a line is on its way */

/* A call that has not returned. */
struct apmu_qemu__call {
	uint64_t site;  /* the call's address */
	uint64_t back;  /* where it returns to; of an interruption where the block ends, 0: not known */
	uint64_t other; /* of an interruption: the target of the block's branch, or its end; else 0 */
	uint64_t entry; /* where it went */
	uint64_t stack; /* address at which the callee saved its return address; 0: not known */
	uint32_t node;  /* of the tree; 0: none yet */
	uint16_t bytes; /* of the interrupted block */
	bool handler;   /* it is a signal's, and returns by rt_sigreturn alone */
	bool elsewhere; /* the callee runs on another stack */
};

/* A thread's shadow stack. */
struct apmu_qemu__calls {
	struct apmu_qemu__call *call;
	uint32_t depth, room;
	uint64_t dropped; /* calls too deep to keep */
	uint32_t nodes;   /* numbers given, and the hash of nodes by parent and site */
	struct apmu_qemu__call_node {
		uint64_t site;
		uint32_t parent, number;
		bool signal;
	} * node;
	uint32_t buckets;
	uint64_t *known; /* direct-mapped: where calls return to, and the entry of the function that made them
			  */
	uint64_t saver;  /* the instruction that saved a return address last */
	bool returning;  /* rt_sigreturn is on its way, of this handler */
	struct apmu_qemu__call interrupted;
	uint64_t arrived; /* ... the place to which it jumped, until something is saved; else 0 */
	uint64_t lowest;  /* ... where of the stack that this seems to be a call saved last; 0: not known */
	bool begun;       /* the stack pointer was set, and where to is no call's return, */
	bool left;        /* ... and the stack was left by a call, that is kept */
	uint8_t unsure;   /* the stack pointer was set: so many return addresses may yet say whose stack it is
			   */
};

struct apmu_qemu__sampler {
	struct apmu_watch watch; /* first: what reached() is given */
	struct apmu_qemu__thread *thread;
	const struct apmu_qemu__tb *before; /* the block that the machine leaves */
	const struct apmu_qemu__tb *tb;     /* the one that it enters, or is in */
	struct apmu_qemu__buffer *buffer;
	bool owns_buffer;  /* it is memory of our own */
	bool call_pending; /* the call stack has yet to follow `before` to `tb` */
	uint32_t lates;
	uint32_t tag;        /* the instruction of the last access was the n-th to run, modulo 2^32 */
	uint32_t loader[64]; /* likewise, the one that filled each register from memory */
	struct apmu_qemu__data data[APMU_QEMU__DATA_KEPT];
	struct profile__deltas deltas;
	struct apmu_qemu__calls stack;
	struct apmu_qemu__cell_table *cell_table;
	struct apmu_qemu__branch_trace *branch_trace; /* record -b; else NULL */
	struct apmu_gauge gauge[PROFILE__EVENTS];
	struct apmu_qemu__course course[PROFILE__EVENTS];
	struct apmu_qemu__late late[APMU_QEMU__LATES];
};

/* plugin_record.c */
void apmu_qemu__sampler_begin(struct apmu_qemu__thread *t); /* its slot and machine are there */
void apmu_qemu__sampler_end(struct apmu_qemu__thread *t);   /* writes what is left */
void apmu_qemu__sampler_forked(
	struct apmu_qemu__thread *t); /* the child's only thread: a new slot and machine */
void apmu_qemu__sampler_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb);
void apmu_qemu__sampler_preload(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index,
				uint64_t addr, bool store);
void apmu_qemu__sampler_break(struct apmu_qemu__thread *t); /* t->tb does not lead to where the thread goes */
void apmu_qemu__sampler_metered(struct apmu_qemu__thread *t,
				const struct apmu_qemu__tb *tb); /* tb has made the event come to its due */
void apmu_qemu__sampler_alarm(struct apmu_qemu__sampler *s);     /* a gauge's due has changed */

/* t->tb was left by an exception after so many of its instructions, which has been counted: it is that of the
 * next one, or, if all have run, of the last. */
void apmu_qemu__sampler_fault(struct apmu_qemu__thread *t, uint32_t executed);

/* The thread leaves t->tb before instruction number `executed`: so does its machine. */
void apmu_qemu__sampler_abandon(struct apmu_qemu__thread *t, uint32_t executed);

/* plugin_region_pause.c: the region is left, entered, before instruction `i` of `b`, whose counts from there
 * on are `rest`. */
void apmu_qemu__sampler_pause(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			      const struct apmu_tally *rest);
void apmu_qemu__sampler_resume(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b, uint32_t i,
			       const struct apmu_tally *rest);

/* A handler was entered from t->tb, after so many of its instructions; or left. */
void apmu_qemu__sampler_signal(struct apmu_qemu__thread *t, uint32_t executed, uint64_t to);

/* plugin_sample_bounds.c: what a machine takes each instruction's own part to be (all machines of a run
 * alike); NULL without memory. Called with the lock of translation held. */
struct apmu_uarch *apmu_qemu__scale(void);

/* plugin_sample_rate.c: the period that fits so many samples per million instructions if the event goes on as
 * since the last sample. Grows eightfold at most. */
uint64_t apmu_qemu__course_next(struct apmu_qemu__course *c, uint64_t frequency, uint64_t instructions);

/* plugin_sample_bounds.c: is some event time, or slots of it? */
bool apmu_qemu__weighs_time(const struct apmu_qemu__share_record *r);

/* The most that one cycle of waiting adds to an event; the most cycles that a line is waited for; the most
 * that one access adds to an event. */
uint64_t apmu_qemu__weigh_rate(const struct apmu_qemu__run_event *event);
uint64_t apmu_qemu__weigh_wait(void);
uint64_t apmu_qemu__weigh_access(const struct apmu_qemu__run_event *event, const struct apmu_uarch *u);

/* plugin_sample_bounds.c: what a block needs for sampling, made at translation; false without memory. */
bool apmu_qemu__sampler_block(struct apmu_qemu__tb *b, const struct apmu_insn *insn);

/* plugin_sink.c */
void apmu_qemu__sink_sample(struct apmu_qemu__sampler *s, struct profile__sample *sample);
uint32_t apmu_qemu__sink_frame(struct apmu_qemu__sampler *s, uint32_t parent, uint64_t pc,
			       bool signal); /* its number */
void apmu_qemu__sink_flush(struct apmu_qemu__sampler *s);
void apmu_qemu__sink_map(const struct profile__map_block *map, const char *path);

/* plugin_chain.c */
void apmu_qemu__chain_follow(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint64_t to);
void apmu_qemu__chain_signal(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from, uint32_t done,
			     uint64_t to);
/* A return address is saved at `at` by the instruction at `by`. */
void apmu_qemu__chain_saved(struct apmu_qemu__sampler *s, uint64_t at, uint64_t by);
void apmu_qemu__chain_restored(struct apmu_qemu__sampler *s, uint64_t at);
void apmu_qemu__chain_sigreturn(struct apmu_qemu__sampler *s);
uint32_t apmu_qemu__chain_node(struct apmu_qemu__sampler *s); /* of the stack as it is */
void apmu_qemu__chain_restart(struct apmu_qemu__sampler *s);  /* the child of a fork: numbers begin anew */
void apmu_qemu__chain_free(struct apmu_qemu__calls *stack);

/* plugin_stacks.c: keeps a copy of the thread's calls; goes on with those of which one saved its return
 * address at `at`, false if there are none. */
void apmu_qemu__stacks_park(const struct apmu_qemu__sampler *s);
bool apmu_qemu__stacks_take(struct apmu_qemu__sampler *s, uint64_t at);
/* The same with the nearest above `at` that was left at a call which returns to `back` and saved nothing;
 * without that call. */
bool apmu_qemu__stacks_take_above(struct apmu_qemu__sampler *s, uint64_t at, uint64_t back, uint64_t within);
void apmu_qemu__stacks_forked(void);

/* plugin_record_data.c: an access, of which samples will want to know what became of it; then, into a sample,
 * that of the instruction that was the n-th to run, modulo 2^32, if it is known; and, in order, which of
 * these loaded what the instruction in hand waits for (0: not known). */
void apmu_qemu__data_access(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w, uint64_t vaddr,
			    unsigned size, bool store);
void apmu_qemu__data_claimed(struct apmu_qemu__sampler *s, const struct apmu_qemu__watch *w,
			     uint64_t vaddr); /* a store that others lost their line to */
void apmu_qemu__data_fill(struct apmu_qemu__sampler *s, uint32_t n, struct profile__sample *sample);
uint32_t apmu_qemu__data_loader(const struct apmu_qemu__sampler *s);

/* plugin_exact_counts.c: adds what the event has gained since the last call to the cell of instruction `at`
 * of the block; with `each`, what the block's entry counts goes to each instruction's own cell. */
void apmu_qemu__cells_count(struct apmu_qemu__sampler *s, uint32_t event, const struct apmu_qemu__tb *b,
			    uint32_t at, bool each);

/* The same for the cell of the instruction at `pc`. */
void apmu_qemu__cells_add(struct apmu_qemu__sampler *s, uint32_t event, uint64_t pc);

/* The thread has left s->tb before instruction number `executed`: what was counted ahead from there on is
 * taken back. */
void apmu_qemu__cells_abandon(struct apmu_qemu__sampler *s, uint32_t executed);

/* Adds to the cells, or subtracts from them, what the block's entry counts from instruction `from` on. */
void apmu_qemu__cells_shift(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *b, uint32_t from,
			    bool add);
void apmu_qemu__cells_free(struct apmu_qemu__sampler *s);

/* plugin_branches.c (record -b). branch_trace_leave(): the thread leaves `from` for `to`, before its machine
 * enters `to`. branch_trace_follow(): the machine has resolved the branch. branch_trace_stack(): the branches
 * for a sample. */
void apmu_qemu__branch_trace_begin(struct apmu_qemu__sampler *s);
void apmu_qemu__branch_trace_leave(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from,
				   const struct apmu_qemu__tb *to);
void apmu_qemu__branch_trace_follow(struct apmu_qemu__sampler *s);
uint32_t apmu_qemu__branch_trace_stack(const struct apmu_qemu__sampler *s,
				       struct profile__branch out[PROFILE__BRANCHES]);
void apmu_qemu__branch_trace_free(struct apmu_qemu__sampler *s);

/* plugin_maps.c */
void apmu_qemu__maps_start(void); /* at load: what is mapped now is QEMU's own */
void apmu_qemu__maps_first(
	const struct qemu_plugin_insn *insn); /* the program's first instruction: where it lies */
void apmu_qemu__maps_forked(void);            /* writes the child's mappings */
void apmu_qemu__maps_mmap(uint64_t length, uint64_t protection, uint64_t flags, uint64_t fd, uint64_t offset);
void apmu_qemu__maps_mmapped(int64_t result);

#endif
