/* SPDX-License-Identifier: MIT */
/**
 * Declarations that the plugin's files share: plugin.c loads the plugin, plugin_block.c translates blocks,
 * plugin_isa.c distinguishes A32 from T32, plugin_thread.c follows the program's threads.
 *
 * The callbacks of plugin_thread.c, plugin_cb_block.c and plugin_cb_access.c are the hot path: no locks and
 * no allocation, apart from rare events such as the start of a thread.
 */
#ifndef APMU_QEMU_PLUGIN_H
#define APMU_QEMU_PLUGIN_H

#include "qemu/qemu_abi.h"
#include "qemu/share.h"
#include "qemu/thread.h"

#include "isa/classify.h"

#include <pthread.h>

/* Settings and state of the run; set once at load, except `follows_stacks` (with plugin_block.c's lock) and
 * what is _Atomic, which any thread may set. */
struct apmu_qemu__plugin {
	struct apmu_qemu__share *share;
	size_t share_size;
	struct apmu_uarch_params uarch;
	uint64_t wanted[APMU_SIGNAL_WORDS];
	uint64_t interval;
	uint32_t interval_signal;
	bool fixed;
	bool follow, a64;
	bool needs_accesses;          /* some wanted signal depends on memory accesses */
	bool system;                  /* whole-system emulation: virtual CPUs are the threads */
	bool unconditional_callbacks; /* unconditional accesses have callbacks of their own */
	bool precounts;               /* unconditional accesses are counted at block entry */
	bool forwards;                /* apmu_uarch_forwards() */
	_Atomic bool counts_inline;   /* one thread so far, and no wanted signal depends on order: blocks are
					 counted inline, not entered; when recording, metered */
	bool counts_operations;       /* A64 operations are counted */
	bool counts_tags;             /* tag checks (FEAT_MTE) are counted */
	_Atomic bool tagged;          /* the program has mapped memory with tags */
	_Atomic bool stacks;          /* -g: the program has switched to a stack of its own */
	bool follows_stacks;          /* -g: blocks translated since then report restored return addresses */
	bool counts_time;             /* recording: some event counts cycles or slots */
	bool reports_all; /* `counts_time`, and samples carry data addresses: every access is reported */
	_Atomic bool watch_faults; /* the program handles SIGILL, SIGBUS or SIGSEGV, or exceptions are wanted:
				      every load and store is reported, to find where the program faults */
	bool forked;               /* this is a child of fork, which the command does not wait for */
	_Atomic bool muted;        /* nothing is written: this is a child of fork that is not recorded, or the
				      command has ended */
	uint32_t image;            /* number of this program, as in its marks */
	struct apmu_qemu__run_region region;   /* copied at load */
	struct apmu_qemu__share_record record; /* copied at load */
	struct apmu_qemu__command_file marks;  /* the file that takes the marks */
};
extern struct apmu_qemu__plugin apmu_qemu__plugin;

/* plugin.c: reports `why` to the command and ends the process. */
_Noreturn void apmu_qemu__plugin_die(const char *why);

/* plugin.c: registers all callbacks, at the start and after a reset. */
void apmu_qemu__plugin_listen(qemu_plugin_id_t id);

/* plugin_block.c: asks QEMU to drop all translations and all callbacks, which are then registered anew. What
 * the new translations depend on must be set before, because another thread's request may be under way. */
void apmu_qemu__start_over(qemu_plugin_id_t id);
/* plugin_block.c: QEMU's callbacks when it translates a block, and when it drops all translations. */
void apmu_qemu__translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void apmu_qemu__flush(qemu_plugin_id_t id);

/* Marsaglia's xorshift: the number after `x`, neither of them 0. */
static inline uint64_t apmu_qemu__random_after(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x ^ x << 17;
}

/* plugin_inline_counters.c: counts the block's runs inline. False: the block must be entered instead. */
bool apmu_qemu__inline_count(struct qemu_plugin_tb *tb, const struct apmu_qemu__tb *b);
/* Adds all runs so far to the tally of the thread that is counted inline. */
void apmu_qemu__inline_settle(void);
/* At a flush of translations: adds all runs and frees the counters. */
void apmu_qemu__inline_flush(void);
/* Adds to a new thread's tally what the thread did before it had a slot. */
void apmu_qemu__inline_inherit(struct apmu_tally *tally);
void apmu_qemu__inline_forked(void); /* in the child of a fork: makes a lock that nobody holds */
/* The running thread makes a system call, perhaps its last one. */
void apmu_qemu__inline_call(void);
/* Ends inline counting: every block is entered from now on. */
void apmu_qemu__inline_end(qemu_plugin_id_t id);

/* plugin_inline_sampling.c: true if the recorded event can be counted and sampled inline. */
bool apmu_qemu__meter_fits(void);
/* Counts and samples the block inline. */
void apmu_qemu__meter_block(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b);
/* Stores the meter's total in its thread's tally. */
void apmu_qemu__meter_settle(void);
/* At a flush of translations after meter_end(): what a thread without a slot counted goes to `newborn`. */
void apmu_qemu__meter_flush(struct apmu_tally *newborn);
void apmu_qemu__meter_end(void);
void apmu_qemu__meter_forked(void);                             /* the child's blocks are not metered */
void apmu_qemu__meter_leave(const struct apmu_qemu__thread *t); /* the thread ends */
/* Restarts the meter for the running thread, after t->due or its slot has changed. */
void apmu_qemu__meter_set(struct apmu_qemu__thread *t);

/* A boundary of the region within a block: the region begins or ends, or may, before instruction `index`. */
struct apmu_qemu__boundary {
	const struct apmu_qemu__tb *tb;
	uint32_t index;
	uint8_t action;
	struct apmu_tally rest; /* what block entry counts for the instructions from `index` on */
	struct apmu_qemu__boundary *next;
};

/* plugin_region.c: notes the region's boundaries in a block. False without memory. */
bool apmu_qemu__region_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			     enum apmu_isa__isa isa);
void apmu_qemu__region_drop(struct apmu_qemu__tb *b);
/* Callback at a block's entry, before the block's own, if the region is a function: notices its return. */
void apmu_qemu__region_step(unsigned vcpu, void *user);
/* The thread leaves the region at boundary `b`. */
void apmu_qemu__region_leave(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *b);
/* The thread enters the region at boundary `b`. */
void apmu_qemu__region_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__boundary *b);
/* Ends counting: adds to slot->counted what the thread has done in the region, except `rest`, which it has
 * yet to run. */
void apmu_qemu__region_count_until(struct apmu_qemu__slot *slot, const struct apmu_tally *rest);
/* Begins counting with the totals as they are, except `rest`, which the thread has yet to run. */
void apmu_qemu__region_count_from(struct apmu_qemu__slot *slot, const struct apmu_tally *rest);

/* Adds a boundary before instruction `i` to the block's list. NULL without memory. */
struct apmu_qemu__boundary *apmu_qemu__region_boundary(struct apmu_qemu__tb *b, uint32_t i);

/* plugin_requests.c: watches the block's client requests. False without memory. */
bool apmu_qemu__requests_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b);
/* Prepares a new thread, which has a slot but no sampler yet. */
void apmu_qemu__requests_begin(struct apmu_qemu__thread *t);
/* In the child of a fork, whose only thread has a new slot: it counts if the thread that forked did. */
void apmu_qemu__requests_forked(struct apmu_qemu__thread *t);

/* plugin_fixed.c: notes the arguments of a system call before it is made. */
void apmu_qemu__fixed_call(int64_t number, const uint64_t a[6]);
/* Replaces what the kernel wrote to the program's memory, after the system call. */
void apmu_qemu__fixed_result(int64_t number, int64_t result);

/* plugin_exec.c: reads QEMU's own command line, as the plugin is loaded. */
void apmu_qemu__exec_begin(void);
/* Runs QEMU again if the call executes a program that this QEMU can run; then it does not
 * return. */
void apmu_qemu__exec_call(int64_t number, const uint64_t a[6]);
#define APMU_QEMU__UNCOUNTED "fd=none" /* the plugin's argument: nothing is counted */

/* plugin_requests.c: copies from guest memory. False: not all of it is mapped. */
bool apmu_qemu__guest_read(uint64_t at, void *out, size_t size);
/* Reads a text and ends it. False: it has `room` bytes or more, or is not all mapped; then `out` has what
 * there is room for. */
bool apmu_qemu__guest_text(uint64_t at, char *out, size_t room);
/* Copies to guest memory. False: not all of it is mapped, or writable. */
bool apmu_qemu__guest_write(uint64_t at, const void *from, size_t size);
/* plugin_region.c: what a block that ends in this instruction does to the call stack: enum apmu_qemu__flow.
 */
uint8_t apmu_qemu__flow_of(const struct apmu_insn *last);

/* plugin_branches.c: what kind of branch an instruction is: enum profile__branch_kind. */
uint8_t apmu_qemu__kind_of(const struct apmu_insn *last);

/* plugin_fault.c: signal handlers, and the exceptions that cause signals. The signal numbers are Linux's. */
#define APMU_QEMU__SIGILL  4
#define APMU_QEMU__SIGTRAP 5
#define APMU_QEMU__SIGBUS  7
#define APMU_QEMU__SIGSEGV 11
/* Finds the guest base, the host address of guest address 0, from an instruction of the first block. True if
 * it is known now. */
bool apmu_qemu__find_guest_base(const struct qemu_plugin_insn *insn);
uint64_t apmu_qemu__guest_base(void);
/* Notes a handler; `action` is the guest address of the struct given to rt_sigaction, 0 if none is set.
 * False: none, or the default, or to ignore the signal. */
bool apmu_qemu__handler(uint64_t signal, uint64_t action);
void apmu_qemu__handler_forked(void);         /* in the child of a fork: makes a lock that nobody holds */
bool apmu_qemu__handles(uint64_t addr);       /* true if a handler begins there */
bool apmu_qemu__handles_fault(uint64_t addr); /* true if one of SIGSEGV or SIGBUS does */
/* Counts the exception, if any, that took the thread to `to` after `done` instructions of its block. */
void apmu_qemu__fault(struct apmu_qemu__thread *t, uint64_t to, uint32_t done);
/* Counts a prefetch abort: the thread's last branch went to unmapped memory. */
void apmu_qemu__fault_fetch(struct apmu_qemu__thread *t);

/* plugin_tags.c: notes the arguments of a system call before it is made. */
void apmu_qemu__tags_call(int64_t number, const uint64_t a[6]);
/* Follows mappings and tag-check settings, after the system call. */
void apmu_qemu__tags_result(qemu_plugin_id_t id, int64_t number, int64_t result);
void apmu_qemu__tags_forked(void); /* in the child of a fork: makes a lock that nobody holds */
/* Watches the block's checked accesses, once the program has memory with tags. */
void apmu_qemu__tags_watch(const struct qemu_plugin_tb *tb, const struct apmu_insn *insn, uint32_t n);

/* plugin_group.c: groups those watched accesses (b->watch[]) that one callback can report together. False
 * without memory. */
bool apmu_qemu__group_block(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			    const struct apmu_insn *insn, enum apmu_isa__isa isa);
void apmu_qemu__group_drop(struct apmu_qemu__tb *b);

/* plugin_preload.c: watches the block's preloads; comes before its accesses are watched. False without
 * memory. */
bool apmu_qemu__preload_watch(const struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b,
			      const struct apmu_insn *insn, enum apmu_isa__isa isa);

/* plugin_zero.c: watches the block's DC ZVAs, or registers that give the address of one that comes soon; must
 * come before the block's callback is registered. False without memory. */
bool apmu_qemu__zero_watch(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b, const struct apmu_insn *insn);
void apmu_qemu__zero_drop(struct apmu_qemu__tb *b);

/* plugin_maps.c: the program's load bias, its address in memory minus that in its file; 0 for a whole system.
 * Known from the first block on; the first call must come while one thread runs. */
uint64_t apmu_qemu__load_bias(void);

/* plugin_qemu.c: notes the API version of this QEMU, and makes the scoreboard if it has any, when the plugin
 * is installed. */
void apmu_qemu__note_version(const qemu_info_t *info);
/* Copies the instruction's first 4 bytes; bytes beyond its end are 0. */
void apmu_qemu__insn_bytes(const struct qemu_plugin_insn *insn, uint8_t bytes[4]);

/* Returns the bit of enum apmu_qemu__hidden for an SVE load or store whose accesses this QEMU does not
 * report; 0: it reports them. */
uint32_t apmu_qemu__hides(uint32_t word);

/* Makes the block add `add` to *at inline. For one virtual CPU only. False: this QEMU cannot. */
bool apmu_qemu__add_inline(struct qemu_plugin_tb *tb, uint64_t *at, uint64_t add);

/* True if this QEMU lets plugins read registers. */
bool apmu_qemu__shows_registers(void);
/* Reads a register of the current virtual CPU by name, in a callback with QEMU_PLUGIN_CB_R_REGS. False: no
 * register has that name. */
bool apmu_qemu__register(const char *name, uint64_t *out);

/* Reads general register `n` likewise, 31 being SP in A64. False: it cannot be read. */
bool apmu_qemu__general_register(unsigned n, uint64_t *out);

/* Makes the block call `call` if *at >= `least`, after what was registered before. */
void apmu_qemu__call_from(struct qemu_plugin_tb *tb, qemu_plugin_exec_cb call, uint64_t *at, uint64_t least,
			  void *user);
/* True if this QEMU supports apmu_qemu__call_from(). */
bool apmu_qemu__calls_conditionally(void);

/* plugin_isa.c: the instruction set of a block. */
enum apmu_isa__isa apmu_qemu__isa_of(const struct qemu_plugin_tb *tb);
unsigned apmu_qemu__insn_size(enum apmu_isa__isa isa,
			      const struct qemu_plugin_insn *insn); /* bytes; 0: unreadable */

/* plugin_thread.c: makes the state of a new thread and stores it in apmu_qemu__self. */
struct apmu_qemu__thread *apmu_qemu__thread_start(int32_t pid, int32_t tid);

/* plugin_levels.c: the cache levels that the threads share; NULL: none. Called with plugin_thread.c's lock
 * held. */
struct apmu_shared *apmu_qemu__levels_shared(void);
/* The program is about to create a thread. */
void apmu_qemu__levels_many(qemu_plugin_id_t id);
bool apmu_qemu__is_threaded(void); /* true once the program has made a second thread */
void apmu_qemu__levels_forked(void);

/* plugin_coherence.c: true if there are several threads and the wanted signals need coherent L1 data caches.
 */
bool apmu_qemu__coheres(void);
/* Adds the snooping callback of a block, before the block's own. */
void apmu_qemu__coherence_block(struct qemu_plugin_tb *tb);
/* Adds the callback by which a store claims its line, before the store's own. */
void apmu_qemu__coherence_store(struct qemu_plugin_insn *insn, struct apmu_qemu__watch *w);

/* plugin_pace.c: the thread runs; it waits here if it is too far ahead of the others. */
void apmu_qemu__pace(struct apmu_qemu__thread *t);
/* The thread is about to make a system call; `wakes`: one that may wake or create threads. */
void apmu_qemu__pace_call(struct apmu_qemu__thread *t, bool wakes);
/* The thread's system call has returned; it woke or created `others` threads, or (`woken`) was a wait from
 * which another thread woke this one. */
void apmu_qemu__pace_result(struct apmu_qemu__thread *t, uint64_t others, bool woken);
/* The thread ends. */
void apmu_qemu__pace_leave(struct apmu_qemu__thread *t);
/* In the child of a fork, whose only thread is `t`. */
void apmu_qemu__pace_forked(struct apmu_qemu__thread *t);

/* plugin_snapshot.c: true if the thread may write and free slots until it calls apmu_qemu__command_release():
 * the command does not collect meanwhile. False: the command collects, and everything stays as it is. Calls
 * may nest. */
bool apmu_qemu__command_hold(void);
void apmu_qemu__command_release(void);

/* plugin_snapshot.c: opens a file of the command for appending. Until the file is closed, the thread's failed
 * writes send the program no signal. A negative errno value if that fails; if the command is gone, the plugin
 * is also muted. */
int apmu_qemu__command_file_open(const struct apmu_qemu__command_file *file);
/* Opens the shared memory, for another QEMU. Returns the descriptor, or a negative errno value. */
int apmu_qemu__command_memory(void);
/* Closes it, unless it is negative. `error`: the errno value with which a write failed, or 0. */
void apmu_qemu__command_file_close(int fd, int error);

/* plugin_snapshot.c: writes a mark with the thread's totals. False: it could not be written. */
bool apmu_qemu__thread_mark(const struct apmu_qemu__thread *t, bool last);

/* plugin_name.c: sets the slot's tid and name when the thread begins. */
void apmu_qemu__name_begin(struct apmu_qemu__slot *slot, int32_t tid);
/* Before the first thread begins: its name, if this program was executed by another. */
void apmu_qemu__name_first(const char *name);
void apmu_qemu__name_forked(void); /* in the child of a fork: makes a lock that nobody holds */
/* Notes a thread's name that a system call is about to set. */
void apmu_qemu__name_call(int64_t number, const uint64_t a[6]);

/* plugin_snapshot.c: writes what the thread has counted since its last dump, as a mark called `name`. False:
 * it could not be written. */
bool apmu_qemu__thread_dump(const struct apmu_qemu__thread *t, const char *name);

/* plugin_system.c: true if the instruction may change address translation. */
bool apmu_qemu__remaps(enum apmu_isa__isa isa, uint32_t word);
/* plugin_system.c: QEMU's callbacks for a block and an access of a virtual CPU; user data as below. */
void apmu_qemu__enter_system(unsigned vcpu, void *user);
void apmu_qemu__access_system(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);

/* plugin_thread.c: QEMU's callbacks. User data is a struct apmu_qemu__tb for a block, a struct
 * apmu_qemu__watch for an access, and the address of the instruction for save() and restore(). */
void apmu_qemu__enter_inline(unsigned vcpu, void *user); /* while other blocks are counted inline */
/* The block begins a handler of SIGSEGV or SIGBUS. */
void apmu_qemu__enter_handler(unsigned vcpu, void *user);
void apmu_qemu__thread_begin(void);                   /* makes this thread's state if it has none */
struct apmu_qemu__slot *apmu_qemu__thread_slot(void); /* this thread's slot; NULL before it began */
void apmu_qemu__access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_atomic(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_stores(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__reach(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__access_recording_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__save(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__restore(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__keep(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__switch(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__ignore(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user);
void apmu_qemu__thread_sigreturn(void); /* this thread calls rt_sigreturn */
void apmu_qemu__thread_exit(qemu_plugin_id_t id, unsigned vcpu);
void apmu_qemu__thread_forked(void);       /* in the child of a fork */
void apmu_qemu__threads_mark_blocks(void); /* marks the blocks that threads are in */

#endif
