/* SPDX-License-Identifier: MIT */
/*
 * Signals: the program's handlers, and the exceptions that cause signals.
 *
 * QEMU does not report faults. A fault shows when a thread goes to a place that its block does not lead to,
 * by what is missing of the block: an access that was not reported is a data abort; an instruction that ran
 * last although it ends no block was undefined. After a fetch from unmapped memory nothing is missing: a
 * handler of SIGSEGV or SIGBUS then runs next, although no system call has ended the block.
 */
#define _GNU_SOURCE /* process_vm_readv */
#include "qemu/plugin.h"

#include <sys/uio.h>
#include <unistd.h>

#define HANDLERS 64
#define MEMORY   ((uint32_t)1 << APMU_QEMU__SIGSEGV | (uint32_t)1 << APMU_QEMU__SIGBUS)
#define OTHERS   1u /* signals beyond 31 */

static uint64_t base; /* host address of guest address 0, once it is known */
static bool base_known;

/* Handlers are only ever added, with the lock held. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t addr;
	_Atomic uint32_t signals; /* bit s: handles signal s */
} handler[HANDLERS];
static _Atomic uint32_t handlers;

bool apmu_qemu__find_guest_base(const struct qemu_plugin_insn *insn)
{
	uint64_t host = base_known ? 0 : (uintptr_t)qemu_plugin_insn_haddr(insn);

	if (host)
		base = host - qemu_plugin_insn_vaddr(insn);
	return base_known |= host != 0;
}

uint64_t apmu_qemu__guest_base(void)
{
	return base;
}

static uint32_t signals_of(uint64_t addr)
{
	uint32_t n = atomic_load_explicit(&handlers, memory_order_acquire);

	for (uint32_t i = 0; i < n; i++)
		if (handler[i].addr == addr)
			return atomic_load_explicit(&handler[i].signals, memory_order_relaxed);
	return 0;
}

static void keep(uint64_t addr, uint32_t signal)
{
	uint32_t n = atomic_load(&handlers), i = 0;

	while (i < n && handler[i].addr != addr)
		i++;
	if (i == HANDLERS)
		return;
	handler[i].addr = addr;
	atomic_fetch_or(&handler[i].signals, signal);
	if (i == n)
		atomic_store(&handlers, n + 1);
}

/* The handler is the first member of the kernel's struct, which is read as another process would, so that a
 * bad address does no harm. */
bool apmu_qemu__handler(uint64_t signal, uint64_t action)
{
	uint64_t addr = 0;
	struct iovec to = {&addr, apmu_qemu__plugin.a64 ? 8 : 4};
	struct iovec from = {(void *)(uintptr_t)(base + action), to.iov_len};

	if (!base_known || !action || process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)to.iov_len)
		return action != 0;
	addr &= apmu_qemu__plugin.a64 ? UINT64_MAX : ~(uint64_t)1;
	if (addr < 2) /* SIG_DFL, SIG_IGN */
		return false;
	pthread_mutex_lock(&lock);
	keep(addr, signal < 32 ? (uint32_t)1 << signal : OTHERS);
	pthread_mutex_unlock(&lock);
	return true;
}

void apmu_qemu__handler_forked(void)
{
	pthread_mutex_init(&lock, NULL);
}

bool apmu_qemu__handles(uint64_t addr)
{
	return signals_of(addr) != 0;
}

bool apmu_qemu__handles_fault(uint64_t addr)
{
	return (signals_of(addr) & MEMORY) != 0;
}

static void count(struct apmu_qemu__thread *t, enum apmu_signal what)
{
	t->slot->tally.n[what]++;
	t->slot->tally.n[APMU_SIG_EXC_OTHER]++;
}

void apmu_qemu__fault_fetch(struct apmu_qemu__thread *t)
{
	count(t, APMU_SIG_EXC_PABORT);
}

/* Counts the exception behind a signal after a complete block: its last instruction is a breakpoint or UDF,
 * or what follows could not be fetched. Otherwise the signal came from elsewhere. AArch32's BKPT is a
 * prefetch abort, and SIGTRAP. */
static void complete(struct apmu_qemu__thread *t, uint64_t to)
{
	uint32_t signals = signals_of(to);

	if (apmu_qemu__plugin.system) /* interrupts and exception returns look the same */
		return;
	if (t->tb->breaks)
		count(t, !apmu_qemu__plugin.a64 && (signals >> APMU_QEMU__SIGTRAP & 1) ? APMU_SIG_EXC_PABORT
										       : APMU_SIG_EXC_UNDEF);
	else if ((signals & MEMORY) && !t->tb->syscall)
		count(t, APMU_SIG_EXC_PABORT);
}

void apmu_qemu__fault(struct apmu_qemu__thread *t, uint64_t to, uint32_t done)
{
	const struct apmu_qemu__tb *b = t->tb;

	if (t->reached < b->must)
		count(t, APMU_SIG_EXC_DABORT);
	else if (to > b->addr && to < b->end)
		return; /* QEMU itself restarts an instruction */
	else if (done < b->n)
		count(t, APMU_SIG_EXC_UNDEF);
	else
		complete(t, to);
}
