/* SPDX-License-Identifier: MIT */
/* Recording: loads and stores that make one access whenever they run, in short where no overflow can come. */
#include "plugin_record.h"

void apmu__load_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	if (__builtin_expect(t->near, 0))
		apmu__sampler_access(t, w, vaddr, w->size, false);
	else
		apmu_uarch_load_each(t->u, &w->spot, vaddr);
}

void apmu__store_recording(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	if (__builtin_expect(t->near, 0))
		apmu__sampler_access(t, w, vaddr, w->size, true);
	else
		apmu_uarch_store_each(t->u, &w->spot, vaddr);
}
