/* SPDX-License-Identifier: MIT */
/* A whole system: its virtual CPUs are the threads. */
#include "qemu/plugin.h"

#define CPUS        512 /* QEMU's largest Arm board has as many */
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* One host thread may run several virtual CPUs in turn (-icount), so it is the index that says which. */
void apmu__enter_system(unsigned vcpu, void *user)
{
	static struct apmu__thread *cpu[CPUS];

	if (UNLIKELY(vcpu >= CPUS))
		apmu__plugin_die("more virtual CPUs than this plugin knows");
	apmu__self = cpu[vcpu];
	if (UNLIKELY(!apmu__self))
		cpu[vcpu] = apmu__thread_start(APMU__SYSTEM_PID, (int32_t)vcpu);
	(apmu__plugin.record.on ? apmu__enter_recording : apmu__enter_looking)(vcpu, user);
}

/*
 * With -icount QEMU does an access to a device again, in a block of that instruction alone whose execution it
 * does not tell: the access is that of the block before, whose next it is.
 */
static struct apmu__watch *own_watch(const struct apmu__thread *t, struct apmu__watch *w)
{
	struct apmu__tb *b = t->tb;

	if (w->tb == b)
		return w;
	for (uint32_t i = 0; i < b->watches; i++)
		if (b->watch[i].index >= t->reached)
			return &b->watch[i];
	return NULL;
}

void apmu__access_system(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	struct apmu__watch *w = own_watch(apmu__self, user);

	if (UNLIKELY(!w))
		return;
	if (!apmu__plugin.accesses)
		apmu__qemu_reach(vcpu, info, vaddr, w);
	else if (apmu__plugin.record.on)
		apmu__access_recording(vcpu, info, vaddr, w);
	else
		(w->exclusive ? apmu__access_stores : apmu__qemu_access)(vcpu, info, vaddr, w);
}
