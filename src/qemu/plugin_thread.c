/* SPDX-License-Identifier: MIT */
/*
 * Execution: passes what the program's threads do to their machines.
 *
 * A thread's state belongs to the host thread itself, since QEMU runs each thread of the program on a host
 * thread of its own and gives a vCPU index to several threads in turn. The state is made at the thread's
 * first block.
 */
#define _GNU_SOURCE /* mmap and open flags, syscall() */
#include "qemu/plugin_record.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PAIR        4 /* log2 of the bytes of two registers */

/* The block in which a thread is before its first one: from there it may go anywhere. */
static struct apmu_qemu__tb nowhere = {.indirect = true};

__thread struct apmu_qemu__thread *apmu_qemu__self;
static struct apmu_qemu__thread *threads;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Writes the last samples and the last mark of a thread whose process has ended, and frees its slot. */
static bool give_back(struct apmu_qemu__slot *slot)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	const struct apmu_qemu__thread ended = {.slot = slot};

	bool open = apmu_qemu__command_hold();

	if (open && apmu_qemu__plugin.record.on)
		apmu_qemu__sink_buffer(&share->buffer[slot - share->slot]);
	bool written = open && apmu_qemu__thread_mark(&ended, true);
	if (written)
		slot->pid = 0;
	atomic_store(&slot->used, !written);
	apmu_qemu__command_release();
	return written;
}

/* Frees the slots of processes that have ended: their threads did not. False: there are none. */
static bool reclaim(struct apmu_qemu__share *share)
{
	bool any = false;

	for (uint32_t i = 0; i < APMU_QEMU__SLOTS && !atomic_load(&share->closed); i++) {
		struct apmu_qemu__slot *slot = &share->slot[i];
		/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): `share` is mapped */
		int32_t pid = slot->pid;
		uint32_t taken = 1, held = 2;
		if (pid <= 0 || kill(pid, 0) == 0 || errno != ESRCH ||
		    !atomic_compare_exchange_strong(&slot->used, &taken, held))
			continue;
		if (slot->pid == pid)
			any |= give_back(slot);
		else /* meanwhile it was freed, and is another thread's */
			atomic_compare_exchange_strong(&slot->used, &held, 1);
	}
	return any;
}

static struct apmu_qemu__slot *claim(struct apmu_qemu__share *share)
{
	uint32_t from = atomic_load_explicit(&share->next, memory_order_relaxed);

	for (uint32_t i = 0; i < APMU_QEMU__SLOTS; i++) {
		struct apmu_qemu__slot *slot = &share->slot[(from + i) % APMU_QEMU__SLOTS];
		uint32_t free = 0;
		if (atomic_load_explicit(&slot->used, memory_order_relaxed) ||
		    !atomic_compare_exchange_strong(&slot->used, &free, 1))
			continue;
		atomic_store_explicit(&share->next, from + i + 1, memory_order_relaxed);
		return slot;
	}
	return NULL;
}

/* Finds a slot for the thread: one of the share, or memory of its own if none is left. */
static void find_slot(struct apmu_qemu__thread *t, struct apmu_qemu__share *share)
{
	t->slot = claim(share);
	if (!t->slot && reclaim(share))
		t->slot = claim(share);
	t->private = !t->slot;
	if (t->private) {
		atomic_fetch_add(&share->slotless, 1);
		t->slot = aligned_alloc(64, sizeof(*t->slot));
	}
	if (!t->slot)
		apmu_qemu__plugin_die("no memory for a thread's counts");
}

/* Gives the thread a slot and a machine. */
static void take_slot(struct apmu_qemu__thread *t, int32_t pid, int32_t tid)
{
	/* before find_slot(), as apmu_qemu__slots() requires */
	uint32_t serial = atomic_fetch_add(&apmu_qemu__plugin.share->serial, 1);

	find_slot(t, apmu_qemu__plugin.share);
	t->slot->tally = t->slot->counted = t->slot->entered = (struct apmu_tally){{0}};
	t->slot->inside = false;
	t->until = 1; /* not the address of any block */
	t->slot->pid = pid;
	t->slot->serial = serial;
	t->slot->image = apmu_qemu__plugin.image;
	t->slot->asked = false;
	t->slot->resyncs = 0;
	apmu_qemu__name_begin(t->slot, tid);
	t->gauge = &t->slot->tally.n[apmu_qemu__plugin.interval_signal];
	t->due = apmu_qemu__plugin.interval ? apmu_qemu__plugin.interval : UINT64_MAX;
	t->tb = &nowhere;
	t->u = apmu_uarch_new_shared(&apmu_qemu__plugin.uarch, &t->slot->tally, apmu_qemu__plugin.wanted,
				     apmu_qemu__levels_shared());
	if (!t->u)
		apmu_qemu__plugin_die("no memory for a thread's caches");
	apmu_uarch_check_bounds(t->u, &t->slot->violation);
	if (apmu_qemu__plugin.share->estimate_stalls)
		apmu_uarch_estimate_stalls(t->u);
	if (apmu_qemu__plugin.share->sample_time) {
		t->slot->samples = (struct apmu_uarch_time_samples){0};
		apmu_uarch_sample_time(t->u, apmu_qemu__plugin.share->sample_time, &t->slot->samples);
	}
	if (apmu_qemu__plugin.precounts)
		apmu_uarch_precount(t->u);
	else if (apmu_qemu__plugin.unconditional_callbacks)
		apmu_uarch_count_each(t->u);
}

static int32_t thread_id(void)
{
	return (int32_t)syscall(SYS_gettid);
}

__attribute__((noinline, cold)) struct apmu_qemu__thread *apmu_qemu__thread_start(int32_t pid, int32_t tid)
{
	struct apmu_qemu__thread *t = calloc(1, sizeof(*t));

	if (!t)
		apmu_qemu__plugin_die("no memory for a thread");
	pthread_mutex_lock(&lock);
	take_slot(t, pid, tid);
	if (apmu_qemu__plugin.region.kind == APMU_QEMU__REGION_REQUESTS)
		apmu_qemu__requests_begin(t);
	apmu_qemu__inline_inherit(&t->slot->tally);
	if (apmu_qemu__plugin.record.on)
		apmu_qemu__sampler_begin(t);
	t->next = threads;
	threads = t;
	pthread_mutex_unlock(&lock);
	if (!atomic_load(
		    &apmu_qemu__plugin.share->started)) /* else it may be another program (plugin_exec.c) */
		atomic_store(&apmu_qemu__plugin.share->load_bias, apmu_qemu__load_bias());
	atomic_store(&apmu_qemu__plugin.share->started, 1);
	apmu_qemu__self = t;
	return t;
}

static __attribute__((noinline, cold)) struct apmu_qemu__thread *start(void)
{
	return apmu_qemu__thread_start(getpid(), thread_id());
}

static __attribute__((noinline, cold)) void mark_interval(struct apmu_qemu__thread *t)
{
	apmu_qemu__thread_mark(t, false);
	while (t->due <= *t->gauge)
		t->due += apmu_qemu__plugin.interval;
}

/* Returns the first instruction at or after `from` whose access has a callback; b->n if there is none. */
static uint32_t next_watched(const struct apmu_qemu__tb *b, uint32_t from)
{
	for (uint32_t i = 0; i < b->watches; i++)
		if (b->watch[i].index >= from)
			return b->watch[i].index;
	return b->n;
}

/*
 * Returns how many instructions of its block a thread has executed that went from the block to `addr`, where
 * no branch of the block leads. Fewer than all if an access is missing (it faulted), if `addr` is inside the
 * block (QEMU itself restarts an instruction), or if the last instruction is undefined. Otherwise a signal
 * came after the block.
 */
static uint32_t executed(const struct apmu_qemu__thread *t, uint64_t addr)
{
	const struct apmu_qemu__tb *b = t->tb;

	if (t->reached < b->must)
		return next_watched(b, t->reached);
	if (addr > b->addr && addr < b->end)
		return b->thumb ? next_watched(b, t->reached) : (uint32_t)((addr - b->addr) / 4);
	return b->undefined_last ? b->n - 1 : b->n;
}

/* Handles a thread that went where its block does not lead. */
static __attribute__((noinline, cold)) void astray(struct apmu_qemu__thread *t, uint64_t addr)
{
	uint32_t done = executed(t, addr);
	apmu_qemu__fault(t, addr, done);
	if (t->sampler)
		apmu_qemu__sampler_fault(t, done);
	if (done < t->tb->n) {
		if (t->sampler)
			apmu_qemu__sampler_abandon(t, done);
		else
			apmu_uarch_abandon(t->u, done);
	}
	if (t->sampler)
		apmu_qemu__sampler_break(t);
	else
		apmu_uarch_break(t->u);
	if (t->sampler && !(addr > t->tb->addr && addr < t->tb->end))
		apmu_qemu__sampler_signal(t, done, addr);
}

/* True if the previous block can lead to `addr`. Without jumps: no host predictor knows which of the ways it
 * is. */
static inline bool leads(const struct apmu_qemu__thread *t, uint64_t addr)
{
	const struct apmu_qemu__tb *b = t->tb;

	return (addr == b->end) | (addr == b->target) | (b->indirect & (t->reached >= b->must));
}

static __attribute__((noinline, cold)) void report_undecoded(const struct apmu_qemu__tb *b)
{
	apmu_qemu__count_undecoded(apmu_qemu__plugin.share, b->undecoded_word, b->undecoded);
}

void apmu_qemu__enter_general(unsigned vcpu, void *user)
{
	struct apmu_qemu__tb *b = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	if (!t)
		t = start();
	if (!leads(t, b->addr))
		astray(t, b->addr);
	if (*t->gauge >= t->due)
		mark_interval(t);
	if (b->undecoded)
		report_undecoded(b);
	t->tb = b;
	t->reached = 0;
	apmu_uarch_enter(t->u, b->block);
}

void apmu_qemu__enter_recording(unsigned vcpu, void *user)
{
	struct apmu_qemu__tb *b = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	if (UNLIKELY(!t))
		t = start();
	const struct apmu_qemu__tb *before = t->tb;
	if (UNLIKELY(!leads(t, b->addr))) {
		astray(t, b->addr);
		before = &nowhere;
	}
	if (UNLIKELY(b->undecoded))
		report_undecoded(b);
	t->tb = b;
	t->reached = 0;
	uint64_t more = b->entry_first;
	more += apmu_qemu__cycles_to_come(t, before) * t->rate;
	if (UNLIKELY((*t->gauge + more >= t->due) | (before->flow & t->flows) | t->late)) {
		apmu_qemu__sampler_enter(t, before, b);
		return;
	}
	t->near = !apmu_qemu__is_out_of_order(t->u) || apmu_qemu__plugin.reports_all ||
		  *t->gauge + b->bound_first >= t->due;
	apmu_uarch_enter(t->u, b->block);
}

/* If the previous block ends in an indirect branch, that branch went to unmapped memory, and the signal led
 * here. */
void apmu_qemu__enter_handler(unsigned vcpu, void *user)
{
	const struct apmu_qemu__tb *b = user;

	if (apmu_qemu__self && leads(apmu_qemu__self, b->addr) && apmu_qemu__self->tb->indirect) {
		apmu_qemu__fault_fetch(apmu_qemu__self);
		if (apmu_qemu__self->sampler)
			apmu_qemu__sampler_fault(apmu_qemu__self, apmu_qemu__self->tb->n);
	}
	(apmu_qemu__plugin.record.on ? apmu_qemu__enter_recording : apmu_qemu__enter_general)(vcpu, user);
}

void apmu_qemu__enter_inline(unsigned vcpu, void *user)
{
	const struct apmu_qemu__tb *b = user;

	(void)vcpu;
	if (UNLIKELY(b->undecoded))
		report_undecoded(b);
	apmu_uarch_enter(apmu_qemu__self->u, b->block);
}

void apmu_qemu__thread_begin(void)
{
	if (!apmu_qemu__self)
		start();
}

struct apmu_qemu__slot *apmu_qemu__thread_slot(void)
{
	return apmu_qemu__self ? apmu_qemu__self->slot : NULL;
}

void apmu_qemu__access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	t->reached = w->index + 1;
	apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, 1u << qemu_plugin_mem_size_shift(info),
			  qemu_plugin_mem_is_store(info));
}

void apmu_qemu__access_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu, (void)info;
	t->reached = w->index + 1;
	apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, w->size, w->store);
}

/* Counts an access, and samples it where that is asked for. */
static void report(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
		   unsigned size, bool store)
{
	if (t->sampler && apmu_qemu__near_access(t))
		apmu_qemu__sampler_access(t, w, vaddr, size, store);
	else
		apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, size, store);
}

/* Of an instruction that reads and writes memory. QEMU reports a read, then a write; once the program has
 * made a thread, a helper function does both in one step, which QEMU 7.2 reports as a write alone. Between
 * threads the write goes first here: it takes the line from other threads. */
void apmu_qemu__access_atomic(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);
	bool store = qemu_plugin_mem_is_store(info);

	(void)vcpu;
	t->reached = w->index + 1;
	if (!store && apmu_qemu__is_threaded()) /* with the write */
		return;
	bool unread = store && t->read != w;
	t->read = store ? NULL : w;
	report(t, w, vaddr, size, store);
	if (unread)
		report(t, w, vaddr, size, false);
}

void apmu_qemu__access_stores(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	if (qemu_plugin_mem_is_store(info))
		apmu_qemu__access(vcpu, info, vaddr, user);
}

void apmu_qemu__reach(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;

	(void)vcpu, (void)info, (void)vaddr;
	apmu_qemu__self->reached = w->index + 1;
}

/* A return address was loaded, perhaps as one of a pair: QEMU 7.2 reports two accesses for a pair, 10.0 one
 * of 16 bytes. */
static void restored(struct apmu_qemu__sampler *s, qemu_plugin_meminfo_t info, uint64_t vaddr, uint64_t site)
{
	apmu_qemu__chain_restored(s, vaddr, site);
	if (qemu_plugin_mem_size_shift(info) == PAIR)
		apmu_qemu__chain_restored(s, vaddr + (1u << PAIR) / 2, site);
}

void apmu_qemu__access_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	if (w->exclusive && !qemu_plugin_mem_is_store(info))
		return;
	t->reached = w->index + 1;
	uint64_t site = APMU_QEMU__RETURN_SITE(w->tb->addr + w->tb->offset[w->index], w->before_return);
	if (w->saves)
		apmu_qemu__chain_saved(t->sampler, vaddr, site);
	else if (w->restores)
		restored(t->sampler, info, vaddr, site);
	else if (w->keeps)
		apmu_qemu__chain_kept(t->sampler, vaddr);
	else if (w->switches)
		t->sampler->stack.from = vaddr;
	report(t, w, vaddr, w->size ? w->size : 1u << qemu_plugin_mem_size_shift(info),
	       w->size ? w->store : qemu_plugin_mem_is_store(info));
}

/* Plain loads and stores: a short path where no overflow can come. */
void apmu_qemu__access_recording_known(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu_qemu__watch *w = user;
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu, (void)info;
	t->reached = w->index + 1;
	if (UNLIKELY(apmu_qemu__near_access(t)))
		apmu_qemu__sampler_access(t, w, vaddr, w->size, w->store);
	else
		apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, w->size, w->store);
}

void apmu_qemu__save(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	apmu_qemu__chain_saved(apmu_qemu__self->sampler, vaddr, (uintptr_t)user);
}

void apmu_qemu__ignore(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info, (void)vaddr, (void)user;
}

void apmu_qemu__restore(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu;
	restored(apmu_qemu__self->sampler, info, vaddr, (uintptr_t)user);
}

void apmu_qemu__keep(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info, (void)user;
	apmu_qemu__chain_kept(apmu_qemu__self->sampler, vaddr);
}

void apmu_qemu__switch(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info, (void)user;
	apmu_qemu__self->sampler->stack.from = vaddr;
}

void apmu_qemu__thread_sigreturn(void)
{
	if (apmu_qemu__self && apmu_qemu__self->sampler && apmu_qemu__plugin.record.chains)
		apmu_qemu__chain_sigreturn(apmu_qemu__self->sampler);
}

static void unlink_thread(const struct apmu_qemu__thread *t)
{
	for (struct apmu_qemu__thread **at = &threads; *at; at = &(*at)->next)
		if (*at == t) {
			*at = t->next;
			return;
		}
}

/* QEMU calls this on the thread that ends. If the last mark could not be written, the slot stays taken, for
 * the command. */
void apmu_qemu__thread_exit(qemu_plugin_id_t id, unsigned vcpu)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)id, (void)vcpu;
	if (!t)
		return;
	pthread_mutex_lock(&lock);
	apmu_qemu__command_hold();
	if (apmu_qemu__plugin.counts_inline)
		apmu_qemu__inline_settle();
	apmu_qemu__meter_leave(t);
	unlink_thread(t);
	apmu_qemu__pace_leave(t);
	if (t->sampler)
		apmu_qemu__sampler_end(t);
	bool written = apmu_qemu__thread_mark(t, true);
	apmu_uarch_free(t->u);
	if (t->private) {
		atomic_fetch_sub(&apmu_qemu__plugin.share->slotless, written);
		free(t->slot);
	} else if (written) {
		t->slot->pid = 0; /* until the next thread has taken the slot */
		atomic_store(&t->slot->used, 0);
	}
	apmu_qemu__command_release();
	pthread_mutex_unlock(&lock);
	free(t);
	apmu_qemu__self = NULL;
}

/* The child has one thread, cold caches, and counts from zero. Locks that the parent's other threads take
 * during system calls may have been held; the lock of translation cannot: QEMU lets no other thread run. */
void apmu_qemu__thread_forked(void)
{
	pthread_mutex_init(&lock, NULL);
	apmu_qemu__inline_forked();
	apmu_qemu__name_forked();
	apmu_qemu__handler_forked();
	apmu_qemu__tags_forked();
	apmu_qemu__levels_forked();
	apmu_qemu__pace_forked(apmu_qemu__self);
	threads = apmu_qemu__self;
	if (!apmu_qemu__self)
		return;
	struct apmu_qemu__tb *current = apmu_qemu__self->tb;
	apmu_qemu__self->next = NULL;
	struct apmu_qemu__slot *own = apmu_qemu__self->private ? apmu_qemu__self->slot : NULL;
	apmu_uarch_free(apmu_qemu__self->u);
	take_slot(apmu_qemu__self, getpid(), thread_id());
	free(own);
	apmu_qemu__self->tb = current;
	if (apmu_qemu__plugin.region.kind == APMU_QEMU__REGION_REQUESTS)
		apmu_qemu__requests_forked(apmu_qemu__self);
	if (apmu_qemu__self->sampler) {
		apmu_qemu__sampler_forked(apmu_qemu__self);
		apmu_qemu__maps_forked();
		apmu_qemu__stacks_forked();
	}
}

void apmu_qemu__threads_mark_blocks(void)
{
	pthread_mutex_lock(&lock);
	for (struct apmu_qemu__thread *t = threads; t; t = t->next) {
		t->tb->occupied = true;
		t->registers.zeroer = NULL; /* its block may be freed */
	}
	pthread_mutex_unlock(&lock);
}
