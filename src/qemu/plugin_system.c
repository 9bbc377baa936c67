/* SPDX-License-Identifier: MIT */
/* Whole systems: the virtual CPUs are the threads. */
#include "qemu/plugin.h"
#include "qemu/thread.h"

#include "uarch/fast.h"

#include <stdatomic.h>
#include <stdlib.h>

#define CPUS        512 /* the largest number of CPUs of QEMU's Arm boards */
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* True for TLB maintenance and for writes of registers of c1 and c2, or of A64 with CRn 1 and 2 (control and
 * translation tables), and of AArch32's ASID. */
bool apmu_qemu__remaps(enum apmu_isa__isa isa, uint32_t word)
{
	unsigned crn = word >> 16 & 15;

	if (isa == APMU_ISA__A64) {
		crn = word >> 12 & 15;
		return (word & 0xFFF8F000) == 0xD5088000 ||
		       ((word & 0xFFF00000) == 0xD5100000 && (crn == 1 || crn == 2));
	}
	if ((word & 0x0FF00F0F) == 0x0C400F02) /* MCRR p15 ... c2; T32's first half is 0xEC4 */
		return true;
	return (word & 0x0F100F10) == 0x0E000F10 && (crn == 1 || crn == 2 || crn == 8 || crn == 13);
}

/* Pages that a virtual CPU found to be RAM, since address translation last changed for any of them: asking
 * QEMU at each access costs more than modelling the access. */
struct known {
	uint64_t page;
	uint32_t since; /* value of `changes` at that time; 0: none */
};
#define PAGE_BITS 12
#define KNOWN     256u
static struct known *known[CPUS];
static _Atomic uint32_t changes = 1;

/* One host thread may run several virtual CPUs in turn (-icount), so the index tells which one runs. */
void apmu_qemu__enter_system(unsigned vcpu, void *user)
{
	static struct apmu_qemu__thread *cpu[CPUS];
	static bool remapped[CPUS];
	const struct apmu_qemu__tb *b = user;

	if (UNLIKELY(vcpu >= CPUS))
		apmu_qemu__plugin_die("more virtual CPUs than this plugin knows");
	apmu_qemu__self = cpu[vcpu];
	if (UNLIKELY(!apmu_qemu__self)) {
		cpu[vcpu] = apmu_qemu__thread_start(APMU_QEMU__SYSTEM_PID, (int32_t)vcpu);
		known[vcpu] = calloc(KNOWN, sizeof *known[vcpu]);
		if (!known[vcpu])
			apmu_qemu__plugin_die("no memory for a virtual CPU");
	}
	if (UNLIKELY(remapped[vcpu])) /* by the previous block */
		atomic_fetch_add_explicit(&changes, 1, memory_order_relaxed);
	remapped[vcpu] = b->remaps;
	(apmu_qemu__plugin.record.on ? apmu_qemu__enter_recording : apmu_qemu__enter_general)(vcpu, user);
}

/*
 * Returns the watch of an access. With -icount QEMU repeats an access to a device in a block of that
 * instruction alone, whose execution it does not report: the access then belongs to the block before, to its
 * first instruction not reached yet.
 */
static struct apmu_qemu__watch *own_watch(const struct apmu_qemu__thread *t, struct apmu_qemu__watch *w)
{
	struct apmu_qemu__tb *b = t->tb;

	if (w->tb == b)
		return w;
	for (uint32_t i = 0; i < b->watches; i++)
		if (b->watch[i].index >= t->reached)
			return &b->watch[i];
	return NULL;
}

/* Asks QEMU whether the access goes to a device, which no cache holds. */
static __attribute__((noinline)) void ask(struct known *k, uint32_t now, qemu_plugin_meminfo_t info,
					  uint64_t vaddr)
{
	const struct qemu_plugin_hwaddr *to = qemu_plugin_get_hwaddr(info, vaddr);
	bool device = to && qemu_plugin_hwaddr_is_io(to);

	if (!device)
		*k = (struct known){vaddr >> PAGE_BITS, now};
	apmu_uarch_data_memory(apmu_qemu__self->u, device ? APMU_MEMORY_DEVICE : APMU_MEMORY_CACHED);
}

static inline bool is_known(const struct known *k, uint32_t now, uint64_t vaddr)
{
	return k->page == vaddr >> PAGE_BITS && k->since == now;
}

void apmu_qemu__access_system(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	struct apmu_qemu__watch *w = own_watch(apmu_qemu__self, user);
	struct known *k;
	uint32_t now;

	if (UNLIKELY(!w))
		return;
	if (!apmu_qemu__plugin.needs_accesses) {
		apmu_qemu__reach(vcpu, info, vaddr, w);
		return;
	}
	now = atomic_load_explicit(&changes, memory_order_relaxed);
	k = &known[vcpu][(vaddr >> PAGE_BITS) % KNOWN];
	if (UNLIKELY(!is_known(k, now, vaddr) || apmu_qemu__self->u->controls.memory != APMU_MEMORY_CACHED))
		ask(k, now, info, vaddr);
	if (w->atomic)
		apmu_qemu__access_atomic(vcpu, info, vaddr, w);
	else if (apmu_qemu__plugin.record.on)
		apmu_qemu__access_recording(vcpu, info, vaddr, w);
	else
		(w->exclusive ? apmu_qemu__access_stores : apmu_qemu__access)(vcpu, info, vaddr, w);
}
