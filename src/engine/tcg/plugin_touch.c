/* SPDX-License-Identifier: MIT */
/* Recording: loads and stores that make one access whenever they run, in short where no overflow can come. */
#include "thread.h"

#include "uarch/touch.h"

static inline __attribute__((always_inline)) void touch(const struct apmu__watch *w, uint64_t vaddr,
							bool store, bool forwards)
{
	struct apmu__thread *t = apmu__self;

	t->reached = w->spot.index + 1;
	if (__builtin_expect(apmu__near_access(t), 0))
		apmu__sampler_access(t, w, vaddr, w->size, store);
	else if (forwards)
		(store ? apmu_uarch_store_each : apmu_uarch_load_each)(t->u, &w->spot, vaddr);
	else
		apmu__touch_one(t->u, &w->spot, vaddr, store, true);
}

void apmu__load_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	touch(user, vaddr, false, false);
}

void apmu__store_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	touch(user, vaddr, true, false);
}

void apmu__load_recording_forward(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	touch(user, vaddr, false, true);
}

void apmu__store_recording_forward(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	(void)vcpu, (void)info;
	touch(user, vaddr, true, true);
}
