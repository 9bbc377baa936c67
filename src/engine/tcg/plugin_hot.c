/* SPDX-License-Identifier: MIT */
/* The hottest callbacks: a block that the one before leads to; loads and stores that make one access whenever
 * they run (apmu_uarch_promise()). */
#include "thread.h"

#include "uarch/enter.h"
#include "uarch/touch.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

void apmu__enter(unsigned vcpu, void *user)
{
	struct apmu__tb *b = user;
	struct apmu__thread *t = apmu__self;
	struct apmu__coming from;

	if (UNLIKELY(!t)) {
		apmu__enter_looking(vcpu, user);
		return;
	}
	enum apmu__entered how = apmu__enter_quick(t->u, b->block, &from);
	if (how == APMU__ENTERED_FAR) {
		apmu__enter_looking(vcpu, user);
		return;
	}
	t->tb = b;
	t->reached = 0;
	if (how == APMU__ENTERED_MORE)
		apmu__enter_more(t->u, b->block, from.before, from.taken);
	else if (how == APMU__ENTERED_ANY)
		apmu__enter_any(t->u, b->block);
}

void apmu__load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_load(t->u, &w->spot, vaddr);
}

void apmu__store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_store(t->u, &w->spot, vaddr);
}
