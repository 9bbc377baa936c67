/* SPDX-License-Identifier: MIT */
/* Block callbacks, the hottest code of the plugin: entry of a block from its predecessor. User data is the
 * struct apmu_block, whose `owner` is the plugin's record of the block. */
#include "qemu/thread.h"

#include "uarch/fast.h"
#include "uarch/time_samples.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

static __attribute__((noinline)) void record_near(struct apmu_qemu__tb *b);
static __attribute__((noinline)) void follow_near(struct apmu_qemu__tb *b);

/* Takes the general path. */
static inline void enter_slowly(struct apmu_qemu__tb *b, enum apmu_qemu__recording recording)
{
	(recording ? apmu_qemu__enter_recording : apmu_qemu__enter_general)(0, b);
}

/* Out of order: returns an upper bound of the cycles that are still to be counted when the block after
 * `before` is entered, which may include all of the window. Late accesses of `before` are known. */
#define EACH 64u /* cycles; more than any instruction takes whose access is not late */
static inline uint64_t cycles_to_come(const struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before)
{
	const struct apmu_uarch__window *w = t->u->window;

	return apmu_uarch__window_holds(w) + (uint64_t)before->n * EACH +
	       (uint64_t)w->late_accesses * t->wait;
}

/* True if the sampler must watch this block's entry. Conservative: with several signals `due` is 0 and the
 * result always true. */
static inline __attribute__((always_inline)) bool wants_sampler(struct apmu_qemu__thread *t,
								const struct apmu_qemu__tb *b,
								enum apmu_uarch__fast_path path,
								enum apmu_qemu__recording recording)
{
	bool follows = recording == APMU_QEMU__RECORDING_CALLS && (t->tb->flow & t->flows);

	if (!recording || recording == APMU_QEMU__RECORDING_MISSES)
		return false;
	bool any = path == APMU_UARCH__FAST_NONE || path == APMU_UARCH__FAST_ORDERED;
	uint64_t more = any ? b->entry_first : b->fast_first;
	if (path == APMU_UARCH__FAST_WINDOW) /* the previous block's time is not counted yet */
		more += cycles_to_come(t, t->tb) * t->rate;
	bool near = *t->gauge + more >= t->due;
	if (path == APMU_UARCH__FAST_WINDOW)
		t->near = *t->gauge + b->bound_first >= t->due;
	return follows | near;
}

/* True if the previous block ran to its end and may branch to any address. */
static inline bool leads_anywhere(const struct apmu_qemu__thread *t)
{
	return t->tb->indirect & (t->reached >= t->tb->must);
}

/* Enters the block where no fast path applies, so that its entry may cause an overflow. noinline: keeps the
 * fast path free of spills. */
static __attribute__((noinline)) void record_beyond(struct apmu_qemu__tb *b)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (*t->gauge + b->entry_first >= t->due && apmu_qemu__sampler_wants(t, t->tb, b)) {
		apmu_qemu__enter_recording(0, b);
		return;
	}
	t->tb = b;
	t->reached = 0;
	apmu_uarch__enter_any(t->u, b->block);
}

static inline __attribute__((always_inline)) void make_current(struct apmu_qemu__thread *t,
							       const struct apmu_block *block)
{
	t->tb = block->owner;
	t->reached = 0;
}

/* Does what the inline part of the fast path leaves out. noinline: keeps that part free of spills. */
static __attribute__((noinline)) void enter_beyond(const struct apmu_block *block)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	make_current(t, block);
	apmu_uarch_enter(t->u, block);
}

/* Enters the block where the whole fast path has been tried already. */
static __attribute__((noinline)) void enter_any(const struct apmu_block *block)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	make_current(t, block);
	apmu_uarch__enter_any(t->u, block);
}

static __attribute__((noinline)) void record_rest(const struct apmu_block *block)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (apmu_uarch__enter_try(t->u, block))
		make_current(t, block);
	else
		record_beyond(block->owner);
}

/* Enters the block without the sampler. `quickly`: `path` is a fast path, tried inline first. */
static inline __attribute__((always_inline)) void enter_plainly(const struct apmu_block *block,
								enum apmu_uarch__fast_path path,
								enum apmu_qemu__recording recording)
{
	bool quickly = path != APMU_UARCH__FAST_NONE && path != APMU_UARCH__FAST_ORDERED &&
		       path != APMU_UARCH__FAST_WINDOW;
	bool settles = !recording && (path == APMU_UARCH__FAST_BUFFER || path == APMU_UARCH__FAST_TAGE ||
				      path == APMU_UARCH__FAST_PREDICTED);
	enum apmu_uarch__entered how = APMU_UARCH__ENTERED_ANY;
	struct apmu_qemu__thread *t = apmu_qemu__self;
	struct apmu_uarch *u = t->u;
	struct apmu_uarch__entry_edge from;

	if (!apmu_uarch__is_successor(u->block, block) && UNLIKELY(!leads_anywhere(t))) {
		enter_slowly(block->owner, recording);
		return;
	}
	if (quickly)
		how = apmu_uarch__enter_fast(u, block, &from, path,
					     settles ? APMU_UARCH__SETTLING : APMU_UARCH__INLINE_ONLY);
	if (quickly && UNLIKELY(how == APMU_UARCH__ENTERED_ANY)) {
		(recording ? record_rest : settles ? enter_any : enter_beyond)(block);
		return;
	}
	make_current(t, block);
	if (how == APMU_UARCH__ENTERED_UNCOUNTED)
		apmu_uarch__enter_count(u, block, from);
	else if (path == APMU_UARCH__FAST_WINDOW)
		apmu_uarch__enter_window(u, block);
	else if (path == APMU_UARCH__FAST_ORDERED)
		apmu_uarch__enter_ordered(u, block);
	else if (path == APMU_UARCH__FAST_NONE)
		apmu_uarch__enter_any(u, block);
}

static inline __attribute__((always_inline)) void
enter(const struct apmu_block *block, enum apmu_uarch__fast_path path, enum apmu_qemu__recording recording)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (UNLIKELY(!t))
		enter_slowly(block->owner, recording);
	else if (recording && UNLIKELY(wants_sampler(t, block->owner, path, recording)))
		(recording == APMU_QEMU__RECORDING_CALLS ? follow_near : record_near)(block->owner);
	else
		enter_plainly(block, path, recording);
}

uint64_t apmu_qemu__cycles_to_come(const struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before)
{
	return t->u->window ? cycles_to_come(t, before) : 0;
}

bool apmu_qemu__is_out_of_order(const struct apmu_uarch *u)
{
	return u->window != NULL;
}

static bool is_near(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *b)
{
	return apmu_qemu__sampler_near(t, b, t->u->unconditional || apmu_qemu__is_out_of_order(t->u));
}

/* Enters the block where the fast path cannot cause an overflow. */
static void record_plainly(struct apmu_qemu__tb *b, enum apmu_qemu__recording recording)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (!apmu_uarch__is_successor(t->u->block, b->block) && !leads_anywhere(t))
		enter_slowly(b, recording);
	else
		record_rest(b->block);
}

/* Called if the block's entry may cause an overflow: looks closer and picks the path. */
static void record_near(struct apmu_qemu__tb *b)
{
	if (is_near(apmu_qemu__self, b))
		enter_slowly(b, APMU_QEMU__RECORDING);
	else
		record_plainly(b, APMU_QEMU__RECORDING);
}

static void follow_near(struct apmu_qemu__tb *b)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if ((t->tb->flow & t->flows) || is_near(t, b))
		enter_slowly(b, APMU_QEMU__RECORDING_CALLS);
	else
		record_plainly(b, APMU_QEMU__RECORDING_CALLS);
}

#define CALLBACK(name, way, recording)              \
	static void name(unsigned vcpu, void *user) \
	{                                           \
		(void)vcpu;                         \
		enter(user, way, recording);        \
	}

/* The callbacks of one fast path. */
#define CALLBACKS(name, way)                                  \
	CALLBACK(enter_##name, way, APMU_QEMU__RECORDING_NOT) \
	CALLBACK(record_##name, way, APMU_QEMU__RECORDING)    \
	CALLBACK(follow_##name, way, APMU_QEMU__RECORDING_CALLS)

CALLBACKS(long, APMU_UARCH__FAST_NONE)
CALLBACKS(lines, APMU_UARCH__FAST_LINES)
CALLBACK(record_misses, APMU_UARCH__FAST_LINES, APMU_QEMU__RECORDING_MISSES)
CALLBACKS(cache, APMU_UARCH__FAST_CACHE)
CALLBACK(record_fills, APMU_UARCH__FAST_CACHE, APMU_QEMU__RECORDING_MISSES)
CALLBACKS(bare, APMU_UARCH__FAST_BARE)
CALLBACKS(predicted, APMU_UARCH__FAST_PREDICTED)
CALLBACKS(untimed, APMU_UARCH__FAST_UNTIMED)
CALLBACKS(timed, APMU_UARCH__FAST_TIMED)
CALLBACKS(hybrid, APMU_UARCH__FAST_HYBRID)
CALLBACKS(hybrid_timed, APMU_UARCH__FAST_HYBRID_TIMED)
CALLBACKS(buffer, APMU_UARCH__FAST_BUFFER)
CALLBACKS(tage, APMU_UARCH__FAST_TAGE)
CALLBACKS(ordered, APMU_UARCH__FAST_ORDERED)
CALLBACKS(window, APMU_UARCH__FAST_WINDOW)

/* Enters a block while time is sampled. noinline: keeps the fast path free of the spills of the window. */
static __attribute__((noinline)) void enter_sampling(const struct apmu_block *block)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	if (UNLIKELY(!t) || (!apmu_uarch__is_successor(t->u->block, block) && UNLIKELY(!leads_anywhere(t)))) {
		enter_slowly(block->owner, APMU_QEMU__RECORDING_NOT);
		return;
	}
	make_current(t, block);
	apmu_uarch__enter_sampling(t->u, block);
}

/* With samples of time the path changes as the clock stops and starts: most blocks run without it. */
static void enter_sampling_time(unsigned vcpu, void *user)
{
	struct apmu_qemu__thread *t = apmu_qemu__self;

	(void)vcpu;
	if (UNLIKELY(!t) || t->u->fast_path != APMU_UARCH__FAST_TAGE) {
		enter_sampling(user);
		return;
	}
	enter_plainly(user, APMU_UARCH__FAST_TAGE, APMU_QEMU__RECORDING_NOT);
	if (UNLIKELY(t->u->n[APMU_SIG_INST] >= t->u->untimed.turn))
		apmu_uarch__turn_clock(t->u);
}

qemu_plugin_exec_cb apmu_qemu__block_callback(enum apmu_qemu__recording recording, struct apmu_qemu__tb *b)
{
	static const qemu_plugin_exec_cb by[][4] = {
		[APMU_UARCH__FAST_NONE] = {enter_long, record_long, follow_long, record_long},
		[APMU_UARCH__FAST_BARE] = {enter_bare, record_bare, follow_bare, record_bare},
		[APMU_UARCH__FAST_PREDICTED] = {enter_predicted, record_predicted, follow_predicted,
						record_predicted},
		[APMU_UARCH__FAST_LINES] = {enter_lines, record_lines, follow_lines, record_misses},
		[APMU_UARCH__FAST_CACHE] = {enter_cache, record_cache, follow_cache, record_fills},
		[APMU_UARCH__FAST_UNTIMED] = {enter_untimed, record_untimed, follow_untimed, record_untimed},
		[APMU_UARCH__FAST_TIMED] = {enter_timed, record_timed, follow_timed, record_timed},
		[APMU_UARCH__FAST_HYBRID] = {enter_hybrid, record_hybrid, follow_hybrid, record_hybrid},
		[APMU_UARCH__FAST_HYBRID_TIMED] = {enter_hybrid_timed, record_hybrid_timed,
						   follow_hybrid_timed, record_hybrid_timed},
		[APMU_UARCH__FAST_BUFFER] = {enter_buffer, record_buffer, follow_buffer, record_buffer},
		[APMU_UARCH__FAST_TAGE] = {enter_tage, record_tage, follow_tage, record_tage},
		[APMU_UARCH__FAST_ORDERED] = {enter_ordered, record_ordered, follow_ordered, record_ordered},
		[APMU_UARCH__FAST_WINDOW] = {enter_window, record_window, follow_window, record_window}};
	const struct apmu_uarch *u = apmu_qemu__self ? apmu_qemu__self->u : NULL;

	b->block->owner = b;
	if (u && u->untimed.samples)
		return enter_sampling_time;
	if (recording == APMU_QEMU__RECORDING_MISSES && u && u->entry_counts)
		recording = APMU_QEMU__RECORDING;
	return by[u ? u->fast_path : APMU_UARCH__FAST_NONE][recording];
}
