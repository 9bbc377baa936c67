/* SPDX-License-Identifier: MIT */
/* A whole system: its virtual CPUs are the threads. */
#include "qemu/plugin.h"

#define CPUS        512 /* QEMU's largest Arm board has as many */
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* One host thread may run several virtual CPUs in turn (-icount), so it is the index that says which. */
void apmu_qemu__enter_system(unsigned vcpu, void *user)
{
	static struct apmu_qemu__thread *cpu[CPUS];

	if (UNLIKELY(vcpu >= CPUS))
		apmu_qemu__plugin_die("more virtual CPUs than this plugin knows");
	apmu_qemu__self = cpu[vcpu];
	if (UNLIKELY(!apmu_qemu__self))
		cpu[vcpu] = apmu_qemu__thread_start(APMU_QEMU__SYSTEM_PID, (int32_t)vcpu);
	(apmu_qemu__plugin.record.on ? apmu_qemu__enter_recording : apmu_qemu__enter_looking)(vcpu, user);
}

/*
 * With -icount QEMU does an access to a device again, in a block of that instruction alone whose execution it
 * does not report. The access belongs to the block before, which that instruction follows.
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

void apmu_qemu__access_system(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	struct apmu_qemu__watch *w = own_watch(apmu_qemu__self, user);

	if (UNLIKELY(!w))
		return;
	if (!apmu_qemu__plugin.accesses)
		apmu_qemu__reach(vcpu, info, vaddr, w);
	else if (apmu_qemu__plugin.record.on)
		apmu_qemu__access_recording(vcpu, info, vaddr, w);
	else
		(w->exclusive ? apmu_qemu__access_stores : apmu_qemu__access)(vcpu, info, vaddr, w);
}
