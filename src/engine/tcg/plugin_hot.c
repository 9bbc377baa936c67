/* SPDX-License-Identifier: MIT */
/* The hottest callbacks: a block that the one before leads to. */
#include "thread.h"

#include "uarch/enter.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static __attribute__((noinline)) void enter_further(struct apmu__tb *b);
static __attribute__((noinline)) void record_further(struct apmu__tb *b);
static __attribute__((noinline)) void follow_further(struct apmu__tb *b);
static __attribute__((noinline)) void record_near(struct apmu__tb *b);
static __attribute__((noinline)) void follow_near(struct apmu__tb *b);

/* The long way of a block. */
static inline void enter_slowly(struct apmu__tb *b, enum apmu__recording recording)
{
	(recording ? apmu__enter_recording : apmu__enter_looking)(0, b);
}

/* Does it, as it seems, take the sampler to enter this block? Of several events `due` is 0: perhaps. */
static inline __attribute__((always_inline)) bool
wants_sampler(struct apmu__thread *t, const struct apmu__tb *b, enum apmu__recording recording)
{
	bool turns = recording == APMU__RECORDING_CALLS && (t->tb->turn & t->turns);

	if (!recording)
		return false;
	t->near = *t->gauge + b->bound_first >= t->due;
	return turns | (*t->gauge + b->entry_first >= t->due);
}

/* As `stat` does. */
static inline __attribute__((always_inline)) void enter_plainly(struct apmu__tb *b, enum apmu__way way,
								enum apmu__recording recording)
{
	struct apmu__thread *t = apmu__self;
	struct apmu__coming from;
	struct apmu_uarch *u = t->u;
	const struct apmu_block *block = b->block;
	enum apmu__entered how = apmu__enter_quick(u, block, &from, way);

	if (UNLIKELY(how == APMU__ENTERED_FAR)) {
		if (way == APMU__WAY_ANY)
			enter_slowly(b, recording);
		else
			(recording == APMU__RECORDING_CALLS ? follow_further
			 : recording                        ? record_further
							    : enter_further)(b);
		return;
	}
	t->tb = b;
	t->reached = 0;
	if (how == APMU__ENTERED_MORE)
		apmu__enter_more(u, block, from.before, from.taken, apmu__coming_cost(u, &from));
	else if (way == APMU__WAY_WINDOW)
		apmu__enter_window(u, block);
	else if (UNLIKELY(how == APMU__ENTERED_ANY))
		apmu__enter_any(u, block);
}

static inline __attribute__((always_inline)) void enter(struct apmu__tb *b, enum apmu__way way,
							enum apmu__recording recording)
{
	struct apmu__thread *t = apmu__self;

	if (UNLIKELY(!t))
		enter_slowly(b, recording);
	else if (UNLIKELY(wants_sampler(t, b, recording)))
		(recording == APMU__RECORDING_CALLS ? follow_near : record_near)(b);
	else
		enter_plainly(b, way, recording);
}

/* An overflow may come of the block's entry; is it so? The sampler's way computes `near` anew. */
static void record_near(struct apmu__tb *b)
{
	if (apmu__sampler_wants(apmu__self, b))
		enter_slowly(b, APMU__RECORDING);
	else
		enter_plainly(b, APMU__WAY_ANY, APMU__RECORDING);
}

static void follow_near(struct apmu__tb *b)
{
	const struct apmu__thread *t = apmu__self;

	if ((t->tb->turn & t->turns) || apmu__sampler_wants(apmu__self, b))
		enter_slowly(b, APMU__RECORDING_CALLS);
	else
		enter_plainly(b, APMU__WAY_ANY, APMU__RECORDING_CALLS);
}

/* Apart, so that the other ways need no stack. */
static void enter_further(struct apmu__tb *b)
{
	enter(b, APMU__WAY_ANY, APMU__RECORDING_NOT);
}

static void record_further(struct apmu__tb *b)
{
	enter(b, APMU__WAY_ANY, APMU__RECORDING);
}

static void follow_further(struct apmu__tb *b)
{
	enter(b, APMU__WAY_ANY, APMU__RECORDING_CALLS);
}

#define CALLBACK(name, way, recording)              \
	static void name(unsigned vcpu, void *user) \
	{                                           \
		(void)vcpu;                         \
		enter(user, way, recording);        \
	}

/* A block's callbacks by one of the ways. */
#define CALLBACKS(name, way)                             \
	CALLBACK(enter_##name, way, APMU__RECORDING_NOT) \
	CALLBACK(record_##name, way, APMU__RECORDING)    \
	CALLBACK(follow_##name, way, APMU__RECORDING_CALLS)

CALLBACKS(any, APMU__WAY_ANY)
CALLBACKS(lines, APMU__WAY_LINES)
CALLBACKS(untimed, APMU__WAY_UNTIMED)
CALLBACKS(timed, APMU__WAY_TIMED)
CALLBACKS(buffer, APMU__WAY_BUFFER)
CALLBACKS(window, APMU__WAY_WINDOW)

qemu_plugin_exec_cb apmu__enterer(enum apmu__recording recording)
{
	static const qemu_plugin_exec_cb by[][3] = {
		[APMU__WAY_ANY] = {enter_any, record_any, follow_any},
		[APMU__WAY_LINES] = {enter_lines, record_lines, follow_lines},
		[APMU__WAY_UNTIMED] = {enter_untimed, record_untimed, follow_untimed},
		[APMU__WAY_TIMED] = {enter_timed, record_timed, follow_timed},
		[APMU__WAY_BUFFER] = {enter_buffer, record_buffer, follow_buffer},
		[APMU__WAY_WINDOW] = {enter_window, record_window, follow_window}};

	return by[apmu__self ? apmu__way_of(apmu__self->u) : APMU__WAY_ANY][recording];
}
