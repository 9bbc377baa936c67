/* SPDX-License-Identifier: MIT */
/* The hottest callbacks: a block that the one before leads to; loads and stores that make one access whenever
 * they run (apmu_uarch_promise()). */
#include "thread.h"

#include "uarch/enter.h"
#include "uarch/touch.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static __attribute__((noinline)) void enter_further(struct apmu__tb *b);
static __attribute__((noinline)) void record_further(struct apmu__tb *b);

/* The long way of a block. */
static inline void enter_slowly(struct apmu__tb *b, bool recording)
{
	(recording ? apmu__enter_recording : apmu__enter_looking)(0, b);
}

/* May a sample come of this block, or has the stack of calls to follow its coming? */
static inline bool wants_sampler(const struct apmu__thread *t, const struct apmu__tb *b)
{
	return (*t->gauge + b->bound_first >= t->due) | (t->tb->turn & t->turns) | t->late;
}

static inline __attribute__((always_inline)) void enter(struct apmu__tb *b, enum apmu__way way,
							bool recording)
{
	struct apmu__thread *t = apmu__self;
	struct apmu__coming from;

	if (UNLIKELY(!t) || (recording && UNLIKELY(wants_sampler(t, b)))) {
		enter_slowly(b, recording);
		return;
	}
	struct apmu_uarch *u = t->u;
	const struct apmu_block *block = b->block;
	enum apmu__entered how = apmu__enter_quick(u, block, &from, way);
	if (UNLIKELY(how == APMU__ENTERED_FAR)) {
		if (way == APMU__WAY_ANY)
			enter_slowly(b, recording);
		else
			(recording ? record_further : enter_further)(b);
		return;
	}
	t->tb = b;
	t->reached = 0;
	if (recording)
		t->near = false;
	if (how == APMU__ENTERED_MORE)
		apmu__enter_more(u, block, from.before, from.taken, apmu__coming_cost(u, &from));
	else if (way == APMU__WAY_WINDOW)
		apmu__enter_window(u, block);
	else if (UNLIKELY(how == APMU__ENTERED_ANY))
		apmu__enter_any(u, block);
}

/* Apart, so that the other ways need no stack. */
static void enter_further(struct apmu__tb *b)
{
	enter(b, APMU__WAY_ANY, false);
}

static void record_further(struct apmu__tb *b)
{
	enter(b, APMU__WAY_ANY, true);
}

/* A block's two callbacks by one of the ways. */
#define CALLBACKS(name, way)                                 \
	static void enter_##name(unsigned vcpu, void *user)  \
	{                                                    \
		(void)vcpu;                                  \
		enter(user, way, false);                     \
	}                                                    \
	static void record_##name(unsigned vcpu, void *user) \
	{                                                    \
		(void)vcpu;                                  \
		enter(user, way, true);                      \
	}

CALLBACKS(any, APMU__WAY_ANY)
CALLBACKS(untimed, APMU__WAY_UNTIMED)
CALLBACKS(timed, APMU__WAY_TIMED)
CALLBACKS(buffer, APMU__WAY_BUFFER)
CALLBACKS(window, APMU__WAY_WINDOW)

qemu_plugin_exec_cb apmu__enterer(bool recording)
{
	static const qemu_plugin_exec_cb by[][2] = {[APMU__WAY_ANY] = {enter_any, record_any},
						    [APMU__WAY_UNTIMED] = {enter_untimed, record_untimed},
						    [APMU__WAY_TIMED] = {enter_timed, record_timed},
						    [APMU__WAY_BUFFER] = {enter_buffer, record_buffer},
						    [APMU__WAY_WINDOW] = {enter_window, record_window}};

	return by[apmu__self ? apmu__way_of(apmu__self->u) : APMU__WAY_ANY][recording];
}

void apmu__load(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_load(t->u, &w->spot, vaddr);
}

void apmu__load_forward(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_load_forward(t->u, &w->spot, vaddr);
}

void apmu__store_forward(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_store_forward(t->u, &w->spot, vaddr);
}

void apmu__store(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t vaddr, void *user)
{
	const struct apmu__watch *w = user;
	struct apmu__thread *t = apmu__self;

	(void)vcpu, (void)info;
	t->reached = w->spot.index + 1;
	apmu__touch_store(t->u, &w->spot, vaddr);
}
