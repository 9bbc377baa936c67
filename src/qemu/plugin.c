/* SPDX-License-Identifier: MIT */
/*
 * Loading: QEMU's plugin entry point, the shared mapping, the system calls that matter, and fork. launch.c
 * starts the plugin as `-plugin apmu-tcg.so,fd=N`.
 */
#define _GNU_SOURCE /* mmap and open flags, syscall() */
#include "qemu/plugin_record.h"
#include "qemu/plugin_syscalls.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Linux's numbers of futex operations. */
#define FUTEX_COMMAND    127
#define FUTEX_WAKES      1
#define FUTEX_WAKES_SOME 10

struct apmu_qemu__plugin apmu_qemu__plugin;

static void refuse(const char *why)
{
	if (apmu_qemu__plugin.share)
		snprintf(apmu_qemu__plugin.share->refusal, sizeof(apmu_qemu__plugin.share->refusal), "%s",
			 why);
	else
		fprintf(stderr, "apmu-tcg: %s\n", why);
}

void apmu_qemu__plugin_die(const char *why)
{
	refuse(why);
	_exit(EXIT_FAILURE);
}

/* Notes the handler that the call installs, if any. True if it handles SIGILL, SIGBUS or SIGSEGV. */
static bool installs_fault_handler(int64_t number, uint64_t signal, uint64_t action)
{
	bool call = apmu_qemu__plugin.a64 ? number == A64_RT_SIGACTION
					  : number == ARM_SIGACTION || number == ARM_RT_SIGACTION;

	return call && apmu_qemu__handler(signal, action) &&
	       (signal == APMU_QEMU__SIGILL || signal == APMU_QEMU__SIGBUS || signal == APMU_QEMU__SIGSEGV);
}

static bool is_futex(int64_t number)
{
	return apmu_qemu__plugin.a64 ? number == A64_FUTEX
				     : number == ARM_FUTEX || number == ARM_FUTEX_TIME64;
}

/* A child of vfork() is another process, although it has CLONE_VM: QEMU forks. */
static bool makes_thread(int64_t number, uint64_t flags)
{
	return number == (apmu_qemu__plugin.a64 ? A64_CLONE : ARM_CLONE) &&
	       (flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM;
}

/* True if the call makes a process that is counted. */
static bool makes_process(int64_t number, uint64_t flags)
{
	bool a64 = apmu_qemu__plugin.a64, clone = number == (a64 ? A64_CLONE : ARM_CLONE);

	return apmu_qemu__plugin.follow && ((clone && !makes_thread(number, flags)) ||
					    (!a64 && (number == ARM_FORK || number == ARM_VFORK)));
}

/* Writes the thread's remaining samples: it, or the whole process, is about to exit. */
static void write_last_samples(void)
{
	if (apmu_qemu__self && apmu_qemu__self->sampler)
		apmu_qemu__sampler_exit(apmu_qemu__self);
}

/* Notes what recording needs to know of a call: mappings, returns from signal handlers, and the
 * thread's end, by which its samples must be written, because threads that wait for it may then map other
 * code at their addresses. */
static void recorded_call(int64_t number, const uint64_t a[6])
{
	bool a64 = apmu_qemu__plugin.a64;

	if (number == (a64 ? A64_MMAP : ARM_MMAP2))
		apmu_qemu__maps_mmap(a[1], a[2], a[3], a[4], a64 ? a[5] : a[5] * 4096);
	else if (number == (a64 ? A64_MUNMAP : ARM_MUNMAP))
		apmu_qemu__maps_munmap(a[0], a[1]);
	else if (number == (a64 ? A64_MPROTECT : ARM_MPROTECT))
		apmu_qemu__maps_mprotect(a[0], a[1], a[2]);
	else if (number == (a64 ? A64_RT_SIGRETURN : ARM_RT_SIGRETURN) || (!a64 && number == ARM_SIGRETURN))
		apmu_qemu__thread_sigreturn();
	else if (number == (a64 ? A64_EXIT : ARM_EXIT) || number == (a64 ? A64_EXIT_GROUP : ARM_EXIT_GROUP))
		write_last_samples();
}

/* Returns how many threads the call has woken, as far as its result says, or created. */
static uint64_t threads_woken(int64_t number, int64_t result)
{
	bool clones = number == (apmu_qemu__plugin.a64 ? A64_CLONE : ARM_CLONE);

	return result <= 0 ? 0 : clones ? 1 : (uint64_t)result;
}

/* True if the call may wake threads or create one. */
static bool may_wake_threads(int64_t number, const uint64_t a[6])
{
	uint64_t what = a[1] & FUTEX_COMMAND;

	return makes_thread(number, a[0]) ||
	       (is_futex(number) && (what == FUTEX_WAKES || what == FUTEX_WAKES_SOME));
}

static void pace_result(int64_t number, int64_t result)
{
	bool wakes = apmu_qemu__self->pace.wakes;

	apmu_qemu__pace_result(apmu_qemu__self, wakes ? threads_woken(number, result) : 0,
			       is_futex(number) && !wakes && result == 0);
}

static void on_result(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)vcpu;
	if (apmu_qemu__self)
		pace_result(number, result);
	if (apmu_qemu__plugin.counts_tags)
		apmu_qemu__tags_result(id, number, result);
	if (apmu_qemu__plugin.fixed)
		apmu_qemu__fixed_result(number, result);
	if (apmu_qemu__plugin.record.on && number == (apmu_qemu__plugin.a64 ? A64_MMAP : ARM_MMAP2))
		apmu_qemu__maps_mmapped(result);
}

/* Returns an argument of a call. QEMU extends those of 32 bits by their sign. */
static uint64_t unsigned_argument(uint64_t a)
{
	return apmu_qemu__plugin.a64 ? a : (uint32_t)a;
}

/* Ends a child of fork without QEMU's own exit, which may deadlock: it takes locks that other threads of the
 * parent may have held at the fork (QEMU 10.0, qemu_plugin_user_exit()). */
static void end_child(int64_t number, const uint64_t a[6])
{
	if (number != (apmu_qemu__plugin.a64 ? A64_EXIT_GROUP : ARM_EXIT_GROUP) || !apmu_qemu__plugin.forked)
		return;
	apmu_qemu__thread_exit(0, 0);
	_exit((int)(a[0] & 0xFF));
}

/* Runs before the call is made. If the call installs a handler of faults, blocks translated from here on
 * record how far they get. */
static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
		       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	const uint64_t a[] = {unsigned_argument(a1), unsigned_argument(a2), unsigned_argument(a3),
			      unsigned_argument(a4), unsigned_argument(a5), unsigned_argument(a6)};
	bool fault = installs_fault_handler(number, a[0], a[1]);

	apmu_qemu__inline_call();
	if (apmu_qemu__self)
		apmu_qemu__pace_call(apmu_qemu__self, may_wake_threads(number, a));
	if (apmu_qemu__plugin.record.on)
		recorded_call(number, a);
	if (apmu_qemu__plugin.counts_tags)
		apmu_qemu__tags_call(number, a);
	if (apmu_qemu__plugin.fixed)
		apmu_qemu__fixed_call(number, a);
	/* groups of accesses, and blocks without callbacks of accesses, cannot tell where a program faults */
	bool unwatched = fault && !apmu_qemu__plugin.watch_faults &&
			 (apmu_qemu__plugin.precounts || !apmu_qemu__plugin.needs_accesses);
	if (fault)
		apmu_qemu__plugin.watch_faults = true;
	if (unwatched)
		apmu_qemu__start_over(id);
	apmu_qemu__name_call(number, a);
	apmu_qemu__exec_call(number, a);
	end_child(number, a);
	bool thread = makes_thread(number, a[0]);
	if (thread && apmu_qemu__plugin.fixed)
		atomic_fetch_or(&apmu_qemu__plugin.share->unfixed, APMU_QEMU__UNFIXED_THREADS);
	if (thread)
		apmu_qemu__levels_many(id);
	if (fault || thread || makes_process(number, a[0]))
		apmu_qemu__inline_end(id);
	(void)vcpu, (void)a7, (void)a8;
}

/* A child of fork counts for itself: in a slot of its own if children are followed, else into private memory
 * that nobody reads. */
static void forked(void)
{
	apmu_qemu__plugin.forked = true;
	apmu_qemu__plugin.image = atomic_fetch_add(&apmu_qemu__plugin.share->images, 1);
	if (!apmu_qemu__plugin.follow) {
		apmu_qemu__plugin.muted = true;
		(void)mmap(apmu_qemu__plugin.share, apmu_qemu__plugin.share_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
	}
	apmu_qemu__thread_forked();
}

/* Maps the command's memory. NULL if `fd` is not that; *full: if there is no room for it. */
static struct apmu_qemu__share *map(int fd, bool *full)
{
	struct stat about = {0};

	if (fstat(fd, &about) != 0 || about.st_size < (off_t)sizeof(struct apmu_qemu__share))
		return NULL;
	apmu_qemu__plugin.share_size = (size_t)about.st_size;
	void *at = mmap(NULL, apmu_qemu__plugin.share_size, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_NORESERVE, fd, 0);
	close(fd);
	*full = at == MAP_FAILED && errno == ENOMEM;
	if (at == MAP_FAILED)
		return NULL;
	struct apmu_qemu__share *share = at;
	return share->magic == APMU_QEMU__SHARE_MAGIC && share->size == sizeof(*share) ? share : NULL;
}

/* True if unconditional accesses may have callbacks of their own. With a region they may not if a load's wait
 * could then be counted early, on the wrong side of a boundary. */
static bool has_unconditional_callbacks(const struct apmu_qemu__plugin *p)
{
	return !p->system &&
	       (p->region.kind == APMU_QEMU__REGION_ALL || !apmu_uarch_waits_early(&p->uarch, p->wanted));
}

static void adopt(struct apmu_qemu__share *share, bool a64)
{
	struct apmu_qemu__plugin *p = &apmu_qemu__plugin;

	p->share = share;
	p->image = atomic_fetch_add(&share->images, 1);
	p->uarch = share->uarch;
	p->uarch.name = "";
	memcpy(p->wanted, share->wanted, sizeof(p->wanted));
	p->interval = share->interval;
	p->interval_signal = share->interval_signal;
	p->follow = share->follow;
	p->fixed = share->fixed;
	p->system = share->system;
	p->a64 = p->system ? share->system_a64 : a64;
	/* a whole system has page faults all the time */
	p->watch_faults = p->system || apmu_uarch_needs_faults(p->wanted);
	p->needs_accesses = apmu_uarch_needs_accesses(p->wanted);
	p->counts_operations = apmu_uarch_needs_operations(p->wanted);
	p->counts_tags = p->a64 && !p->system &&
			 (apmu_signal_in(p->wanted, APMU_SIG_TAG_CHECK_RD) ||
			  apmu_signal_in(p->wanted, APMU_SIG_TAG_CHECK_WR));
	p->record = share->record;
	p->counts_time = p->record.on && apmu_qemu__counts_time(&p->record);
	p->reports_all = p->counts_time && p->record.data;
	p->region = share->region;
	p->unconditional_callbacks = has_unconditional_callbacks(p);
	p->precounts = p->unconditional_callbacks && !p->record.on;
	p->forwards = apmu_uarch_forwards(&p->uarch, p->wanted);
	p->counts_inline = !apmu_uarch_needs_order(p->wanted) && !p->interval && !p->forked && !p->system &&
			   p->region.kind == APMU_QEMU__REGION_ALL &&
			   (!p->record.on || apmu_qemu__meter_fits());
	p->marks = share->marks;
}

/* Returns N of the first argument, fd=N; -1 if it is missing. The second may be name=TEXT. */
static int argument(int argc, char **argv)
{
	int fd = -1;

	if (argc < 1 || sscanf(argv[0], "fd=%d", &fd) != 1)
		return -1;
	return fd;
}

static void find_base(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	apmu_qemu__find_guest_base(qemu_plugin_tb_get_insn(tb, 0));
}

static void on_uncounted_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
				 uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	const uint64_t a[] = {unsigned_argument(a1), unsigned_argument(a2), unsigned_argument(a3),
			      unsigned_argument(a4), unsigned_argument(a5), unsigned_argument(a6)};

	apmu_qemu__exec_call(number, a);
	(void)id, (void)vcpu, (void)a7, (void)a8;
}

/* A program that is not counted may execute another one (plugin_exec.c). */
static void install_uncounted(qemu_plugin_id_t id, bool a64)
{
	apmu_qemu__plugin.muted = true;
	apmu_qemu__plugin.a64 = a64;
	apmu_qemu__exec_begin();
	qemu_plugin_register_vcpu_tb_trans_cb(id, find_base);
	qemu_plugin_register_vcpu_syscall_cb(id, on_uncounted_syscall);
}

void apmu_qemu__plugin_listen(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, apmu_qemu__translate);
	qemu_plugin_register_flush_cb(id, apmu_qemu__flush);
	if (apmu_qemu__plugin.system)
		return;
	qemu_plugin_register_vcpu_exit_cb(id, apmu_qemu__thread_exit);
	qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
	if (apmu_qemu__plugin.record.on || apmu_qemu__plugin.counts_tags || apmu_qemu__plugin.fixed ||
	    apmu_qemu__coheres())
		qemu_plugin_register_vcpu_syscall_ret_cb(id, on_result);
}

/* Returns why this QEMU does not fit; NULL if it does. */
static const char *unfit(const qemu_info_t *info, const struct apmu_qemu__share *share)
{
	if (info->version.min > qemu_plugin_version || info->version.cur < qemu_plugin_version)
		return "this QEMU's plugin interface has a version that this plugin does not support";
	if (info->system_emulation && !share->system)
		return "this QEMU emulates a whole system: add --system";
	if (!info->system_emulation && share->system)
		return "this QEMU runs programs, not whole systems: leave out --system";
	if (strcmp(info->target_name, "arm") != 0 && strcmp(info->target_name, "aarch64") != 0)
		return "this QEMU does not run Arm programs";
	return NULL;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	bool a64 = strcmp(info->target_name, "aarch64") == 0;

	if (argc == 1 && strcmp(argv[0], APMU_QEMU__UNCOUNTED) == 0) {
		install_uncounted(id, a64);
		return 0;
	}
	int fd = argument(argc, argv);
	bool full = false;
	struct apmu_qemu__share *share = fd < 0 ? NULL : map(fd, &full);

	apmu_qemu__plugin.share = share;
	if (!share) {
		refuse(full ? "no address space is left for the counts; 'ulimit -v' shows the limit"
			    : "only apmu can load this plugin; see 'apmu stat --help'");
		return -1;
	}
	if (unfit(info, share)) {
		refuse(unfit(info, share));
		return -1;
	}
	apmu_qemu__note_version(info);
	bool executed = atomic_load(&share->started) != 0; /* by another program (plugin_exec.c) */
	if (!executed)
		atomic_store(&share->program_pid, getpid());
	apmu_qemu__plugin.forked = atomic_load(&share->program_pid) != getpid();
	adopt(share, a64);
	if (!apmu_qemu__plugin.system)
		apmu_qemu__exec_begin();
	if (executed && argc == 2 && strncmp(argv[1], "name=", 5) == 0)
		apmu_qemu__name_first(argv[1] + 5);
	if (apmu_qemu__plugin.record.on && !apmu_qemu__plugin.system)
		apmu_qemu__maps_start();
	if (apmu_qemu__plugin.record.on && executed)
		apmu_qemu__sink_executed();
	pthread_atfork(NULL, NULL, forked);
	apmu_qemu__plugin_listen(id);
	return 0;
}
