/* SPDX-License-Identifier: MIT */
/* Loads and stores that make one access whenever they run (apmu_uarch_promise()): the hottest callbacks. */
#include "plugin.h"

void apmu__load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu_uarch_load(t->u, &w->spot, vaddr);
}

void apmu__store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu_uarch_store(t->u, &w->spot, vaddr);
}
