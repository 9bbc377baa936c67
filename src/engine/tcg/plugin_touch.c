/* SPDX-License-Identifier: MIT */
/* Recording: loads and stores that make one access whenever they run, in short where no overflow can come. */
#include "thread.h"

#include "uarch/touch.h"

enum touched { LINE_AND_PAGE, LINE, FORWARDED };

static inline __attribute__((always_inline)) void touch(const struct apmu__watch *w, uint64_t vaddr,
							enum touched what, bool store)
{
	struct apmu__thread *t = apmu__self;

	t->reached = w->spot.index + 1;
	if (__builtin_expect(apmu__near_access(t), 0))
		apmu__sampler_access(t, w, vaddr, w->size, store);
	else if (what == LINE)
		apmu__touch_lean(t->u, &w->spot, vaddr, store);
	else if (what == LINE_AND_PAGE)
		apmu__touch_one(t->u, &w->spot, vaddr, store, true);
	else
		(store ? apmu_uarch_store_each : apmu_uarch_load_each)(t->u, &w->spot, vaddr);
}

#define TOUCHER(name, what, store)                                                              \
	static void name(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user) \
	{                                                                                       \
		(void)vcpu, (void)info;                                                         \
		touch(user, vaddr, what, store);                                                \
	}

TOUCHER(load_near, LINE_AND_PAGE, false)
TOUCHER(store_near, LINE_AND_PAGE, true)
TOUCHER(load_lean, LINE, false)
TOUCHER(store_lean, LINE, true)
TOUCHER(load_forward, FORWARDED, false)
TOUCHER(store_forward, FORWARDED, true)

/* Lean only where a hit counts nothing: nothing was counted ahead here. */
qemu_plugin_mem_cb apmu__toucher_recording(bool forwards, bool store)
{
	static const qemu_plugin_mem_cb by[][2] = {[LINE_AND_PAGE] = {load_near, store_near},
						   [LINE] = {load_lean, store_lean},
						   [FORWARDED] = {load_forward, store_forward}};
	const struct apmu_uarch *u = apmu__self ? apmu__self->u : NULL;

	return by[forwards ? FORWARDED : u && u->touch.lean && !u->sure ? LINE : LINE_AND_PAGE][store];
}
