/* SPDX-License-Identifier: MIT */
/* Callbacks of loads and stores that make one access whenever they run (apmu_uarch_promise()); recording, in
 * short where no overflow can come. */
#include "thread.h"

#include "uarch/touch.h"

enum touched { LINE_AND_PAGE, LINE, FORWARDED };

static inline __attribute__((always_inline)) void touch(const struct apmu__watch *w, uint64_t vaddr,
							enum touched what, bool store, bool recording)
{
	struct apmu__thread *t = apmu__self;

	t->reached = w->spot.index + 1;
	if (recording && __builtin_expect(apmu__near_access(t), 0))
		apmu__sampler_access(t, w, vaddr, w->size, store);
	else if (what == LINE)
		apmu__touch_lean(t->u, &w->spot, vaddr, store);
	else if (what == LINE_AND_PAGE)
		apmu__touch_one(t->u, &w->spot, vaddr, store, recording);
	else if (recording)
		(store ? apmu_uarch_store_each : apmu_uarch_load_each)(t->u, &w->spot, vaddr);
	else
		(store ? apmu__touch_store_forward : apmu__touch_load_forward)(t->u, &w->spot, vaddr);
}

#define TOUCHER(name, what, store, recording)                                                   \
	static void name(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user) \
	{                                                                                       \
		(void)vcpu, (void)info;                                                         \
		touch(user, vaddr, what, store, recording);                                     \
	}

#define TOUCHERS(name, what)                           \
	TOUCHER(load_##name, what, false, false)       \
	TOUCHER(store_##name, what, true, false)       \
	TOUCHER(record_load_##name, what, false, true) \
	TOUCHER(record_store_##name, what, true, true)

TOUCHERS(near, LINE_AND_PAGE)
TOUCHERS(lean, LINE)
TOUCHERS(forward, FORWARDED)

/* Lean only where a hit counts nothing; recording, nothing was counted ahead. */
qemu_plugin_mem_cb apmu__toucher(bool recording, bool forwards, bool store)
{
	static const qemu_plugin_mem_cb by[][2][2] = {
		[LINE_AND_PAGE] = {{load_near, store_near}, {record_load_near, record_store_near}},
		[LINE] = {{load_lean, store_lean}, {record_load_lean, record_store_lean}},
		[FORWARDED] = {{load_forward, store_forward}, {record_load_forward, record_store_forward}}};
	const struct apmu_uarch *u = apmu__self ? apmu__self->u : NULL;
	bool lean = u && u->touch.lean && !(recording && u->sure);

	return by[forwards ? FORWARDED : lean ? LINE : LINE_AND_PAGE][recording][store];
}
