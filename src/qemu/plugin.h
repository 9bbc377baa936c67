/* SPDX-License-Identifier: MIT */
/**
 * The plugin's own parts: plugin.c loads, plugin_block.c translates, plugin_isa.c distinguishes A32 from T32,
 * plugin_thread.c runs. The callbacks of plugin_thread.c are the hot path: no locks, no allocation.
 */
#ifndef APMU_QEMU_PLUGIN_H
#define APMU_QEMU_PLUGIN_H

#include "qemu/qemu_abi.h"
#include "qemu/share.h"
#include "qemu/thread.h"

#include "isa/classify.h"

#include <pthread.h>

/* What is known of the run; set once at load but for `ahead`, `watch_faults`, `tagged`,
 * `muted`. */
struct apmu_qemu__plugin {
	struct apmu_qemu__share *share;
	size_t share_size;
	struct apmu_uarch_params uarch;
	uint64_t wanted[APMU_SIGNAL_WORDS];
	uint64_t interval;
	uint32_t interval_signal;
	bool fixed;
	bool follow, a64, accesses; /* accesses: the machines want them */
	bool system;                /* a whole system: virtual CPUs are the threads */
	bool plain;                 /* unconditional accesses have callbacks of their own */
	bool precounts;             /* unconditional accesses are counted at block entry */
	bool forwards;              /* apmu_uarch_forwards() */
	bool ahead;          /* one thread, nothing wanted that needs order: blocks are counted, not entered;
				recording:        metered */
	bool operations;     /* what A64 instructions do is counted */
	bool tags;           /* tag checks are counted; */
	bool tagged;         /* and the program has memory with tags */
	_Atomic bool stacks; /* -g: the program has begun one of its own, */
	bool follows_stacks; /* ... and blocks are translated with that in mind */
	bool times;          /* recording: some event is time; */
	bool reports_all;    /* and samples have data, so every access is reported */
	bool watch_faults; /* the program handles SIGSEGV or SIGBUS: every load and store is reported, to find
			      where it faults */
	bool muted; /* nothing is written: a child of fork that is not recorded; the command has ended */
	struct apmu_qemu__run_region region;   /* as it was at load */
	struct apmu_qemu__share_record record; /* likewise */
	struct apmu_qemu__command_file marks;  /* file of marks */
};
extern struct apmu_qemu__plugin apmu_qemu__plugin;

/* plugin.c: says why and ends the process. */
_Noreturn void apmu_qemu__plugin_die(const char *why);

/* plugin.c: registers all callbacks, at the start and after a reset. */
void apmu_qemu__plugin_listen(qemu_plugin_id_t id);

/* plugin_block.c: drops all translations as soon as QEMU can; QEMU's callbacks. */
void apmu_qemu__start_over(qemu_plugin_id_t id);
void apmu_qemu__translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void apmu_qemu__flush(qemu_plugin_id_t id);

/* plugin_inline_counters.c: counting blocks. False: enter this one. */
bool apmu_qemu__ahead_count(struct qemu_plugin_tb *tb, const struct apmu_qemu__tb *b);
void apmu_qemu__ahead_settle(void); /* what has run so far goes to the thread that ran it */
void apmu_qemu__ahead_flush(void);  /* the same, at a flush of translations */
void apmu_qemu__ahead_inherit(
	struct apmu_tally *tally);              /* a new thread takes what it did before it had a slot */
void apmu_qemu__ahead_end(qemu_plugin_id_t id); /* enter every block from now on */

/* plugin_inline_sampling.c: may recording do so too? And then: counting a block; the rest of it as above. */
bool apmu_qemu__meter_fits(void);
void apmu_qemu__meter_block(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b);
void apmu_qemu__meter_settle(void);
void apmu_qemu__meter_flush(struct apmu_tally *newborn);
void apmu_qemu__meter_end(void);
void apmu_qemu__meter_set(
	struct apmu_qemu__thread *t); /* after t->due or its slot has changed: for the thread that runs */

/* Where the region begins or ends, or may. */
struct apmu_qemu__border {
	const struct apmu_qemu__tb *tb;
	uint32_t index;
	uint8_t action;
	struct apmu_tally rest; /* counted ahead for the instructions from `index` on */
	struct apmu_qemu__border *next;
};

/* plugin_region.c: a block that holds borders of the region. */
bool apmu_qemu__region_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			     enum apmu_isa__isa isa);
void apmu_qemu__region_drop(struct apmu_qemu__tb *b);
/* ... between two blocks, before the second's own callback: where the region is a function. */
void apmu_qemu__region_step(unsigned vcpu, void *user);
/* ... the thread goes over a border; */
void apmu_qemu__region_leave(struct apmu_qemu__thread *t, const struct apmu_qemu__border *b);
void apmu_qemu__region_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__border *b);
/* ... what it has done so far but for `rest`, which lies ahead: ends what counts, begins it. */
void apmu_qemu__region_count_until(struct apmu_qemu__slot *slot, const struct apmu_tally *rest);
void apmu_qemu__region_count_from(struct apmu_qemu__slot *slot, const struct apmu_tally *rest);

/* A border before instruction `i`, added to the block's; NULL without memory. */
struct apmu_qemu__border *apmu_qemu__region_border(struct apmu_qemu__tb *b, uint32_t i);

/* plugin_requests.c: the block's client requests. False without memory. */
bool apmu_qemu__requests_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b);
void apmu_qemu__requests_begin(
	struct apmu_qemu__thread *t); /* a new thread, with a slot and no sampler yet */

/* plugin_fixed.c: a system call before it is made, and its result. */
void apmu_qemu__fixed_call(int64_t number, const uint64_t a[6]);
void apmu_qemu__fixed_result(int64_t number, int64_t result);

/* Copies guest memory. False: there is none. */
bool apmu_qemu__guest_read(uint64_t at, void *out, size_t size);
bool apmu_qemu__guest_write(uint64_t at, const void *from, size_t size);
uint8_t apmu_qemu__flow_of(const struct apmu_insn *last); /* enum apmu_qemu__flow */

/* plugin_branches.c: what kind of branch an instruction is: enum profile__branch_kind. */
uint8_t apmu_qemu__kind_of(const struct apmu_insn *last);

/* plugin_fault.c: signal handlers and the exceptions behind signals. Linux's numbers of signals. */
#define APMU_QEMU__SIGILL  4
#define APMU_QEMU__SIGTRAP 5
#define APMU_QEMU__SIGBUS  7
#define APMU_QEMU__SIGSEGV 11
void apmu_qemu__handler_base(const struct qemu_plugin_insn *insn); /* of the first block: where memory lies */
uint64_t apmu_qemu__guest_base(void); /* host address of guest address 0, known from the first block on */
void apmu_qemu__handler(uint64_t signal, uint64_t action); /* the guest's struct; the call is rt_sigaction */
bool apmu_qemu__handles(uint64_t addr);                    /* is it a handler's address? */
bool apmu_qemu__handles_fault(uint64_t addr);              /* ... of SIGSEGV or SIGBUS? */
void apmu_qemu__fault(struct apmu_qemu__thread *t, uint64_t to,
		      uint32_t done);                     /* the thread goes astray to `to` */
void apmu_qemu__fault_fetch(struct apmu_qemu__thread *t); /* its last branch went where nothing is */

/* plugin_tags.c: a system call before it is made, and its result; a block's instructions, once there are
 * tags.
 */
void apmu_qemu__tags_call(int64_t number, const uint64_t a[6]);
void apmu_qemu__tags_result(qemu_plugin_id_t id, int64_t number, int64_t result);
void apmu_qemu__tags_watch(const struct qemu_plugin_tb *tb, const struct apmu_insn *insn, uint32_t n);

/* plugin_group.c: groups the block's accesses, which are watched (tb->watch[]), where one callback can tell
 * several. False: no memory. */
bool apmu_qemu__group_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			    const struct apmu_insn *insn, enum apmu_isa__isa isa);
void apmu_qemu__group_drop(struct apmu_qemu__tb *b);

/* plugin_preload.c: a block's preloads, before its accesses are watched. False: no memory. */
bool apmu_qemu__preload_watch(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			      const struct apmu_insn *insn, enum apmu_isa__isa isa);

/* plugin_maps.c: where the program lies, less where its file says; known from the first block on, when one
 * thread asks first. A system's: 0. */
uint64_t apmu_qemu__moved(void);

/* plugin_qemu.c: what differs from QEMU to QEMU. Its API is known once the plugin is being installed. */
void apmu_qemu__is(const qemu_info_t *info);
void apmu_qemu__insn_bytes(const struct qemu_plugin_insn *insn, uint8_t bytes[4]); /* the first, else 0 */

/* Of an SVE load or store: the bit of enum apmu_qemu__hidden for its accesses not being reported, or 0. */
uint32_t apmu_qemu__hides(uint32_t word);

/* For one virtual CPU alone. False: it cannot. */
bool apmu_qemu__add_inline(struct qemu_plugin_tb *tb, uint64_t *at, uint64_t add);

/* Can registers be read? And one of the current virtual CPU by its name, in a callback with
 * QEMU_PLUGIN_CB_R_REGS; false: there is none of that name. */
bool apmu_qemu__shows_registers(void);
bool apmu_qemu__register(const char *name, uint64_t *out);

/* After that: calls where what is at `at` is `least` or more, and whether this QEMU can. */
void apmu_qemu__call_from(struct qemu_plugin_tb *tb, qemu_plugin_exec_cb call, uint64_t *at, uint64_t least,
			  void *user);
bool apmu_qemu__calls_conditionally(void);

/* plugin_isa.c: the instruction set of a block. */
enum apmu_isa__isa apmu_qemu__isa_of(const struct qemu_plugin_tb *tb);
unsigned apmu_qemu__insn_size(enum apmu_isa__isa isa,
			      const struct qemu_plugin_insn *insn); /* bytes; 0: unreadable */

/* plugin_thread.c: a new thread, from here on apmu_qemu__self. */
struct apmu_qemu__thread *apmu_qemu__thread_start(int32_t pid, int32_t tid);

/* plugin_levels.c: what threads have in common, NULL if nothing, with plugin_thread.c's lock held; the first
 * thread makes another; the child of a fork. */
struct apmu_shared *apmu_qemu__levels_shared(void);
void apmu_qemu__levels_many(qemu_plugin_id_t id);
bool apmu_qemu__levels_seen(void); /* are there several threads? */
void apmu_qemu__levels_forked(void);

/* plugin_coherence.c: do threads see each other's first levels? Then: a block, before its own callback; a
 * store, before its own. */
bool apmu_qemu__coheres(void);
void apmu_qemu__coherence_block(struct qemu_plugin_tb *tb);
void apmu_qemu__coherence_store(struct qemu_plugin_insn *insn, struct apmu_qemu__watch *w);

/* plugin_pace.c: the thread runs, is about to make a system call, comes back from one that set so many
 * others going, or in which it was woken, ends; the child of a fork. */
void apmu_qemu__pace(struct apmu_qemu__thread *t);
void apmu_qemu__pace_call(struct apmu_qemu__thread *t, bool wakes);
void apmu_qemu__pace_result(struct apmu_qemu__thread *t, uint64_t others, bool woken);
void apmu_qemu__pace_leave(struct apmu_qemu__thread *t);
void apmu_qemu__pace_forked(struct apmu_qemu__thread *t);

/* plugin_snapshot.c: opens a file of the command to append. -1: not possible; once the command is gone the
 * plugin is muted. */
int apmu_qemu__command_file_open(const struct apmu_qemu__command_file *file);

/* plugin_snapshot.c: what the thread has; false if it could not be written. */
bool apmu_qemu__thread_mark(const struct apmu_qemu__thread *t, bool last);

/* plugin_name.c: the slot's tid and name as the thread begins, and what a system call (before it is made)
 * says of names. */
void apmu_qemu__name_begin(struct apmu_qemu__slot *slot, int32_t tid);
void apmu_qemu__name_call(int64_t number, const uint64_t a[6]);

/* plugin_snapshot.c: a part of what the thread counts, by name. */
bool apmu_qemu__thread_dump(const struct apmu_qemu__thread *t, const char *name);

/* plugin_system.c: QEMU's callbacks for a virtual CPU. */
bool apmu_qemu__remaps(enum apmu_isa__isa isa, uint32_t word);
void apmu_qemu__enter_system(unsigned vcpu, void *user);
void apmu_qemu__access_system(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);

/* plugin_thread.c: QEMU's callbacks; user data is a struct apmu_qemu__tb, a struct apmu_qemu__watch. */
void apmu_qemu__enter_handler(unsigned vcpu,
			      void *user);              /* the block begins a handler of SIGSEGV or SIGBUS */
void apmu_qemu__enter_ahead(unsigned vcpu, void *user); /* while some blocks are counted */
void apmu_qemu__thread_begin(void);                     /* if this thread has not yet */
struct apmu_qemu__slot *apmu_qemu__thread_slot(void);   /* this thread's; NULL before it began */
void apmu_qemu__access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_stores(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__reach(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_recording_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__save(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__restore(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__thread_sigreturn(void); /* this thread calls rt_sigreturn */
void apmu_qemu__thread_exit(qemu_plugin_id_t id, unsigned vcpu);
void apmu_qemu__thread_forked(void); /* in the child of a fork */
void apmu_qemu__threads_stand(void); /* marks the blocks that threads are in */

#endif
