/* SPDX-License-Identifier: MIT */
/*
 * Sampling: finds the instruction that made an event's total reach the value at which a sample is due.
 *
 * The machine reports it at once for what happens one by one (a branch resolved, a line fetched, an access).
 * What block entry counts is known by instruction (tb->own), so the place of the overflow is counted back
 * from the block's end. Nothing is approximate except the event source itself.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>
#include <string.h>

static const struct apmu_qemu__share_record *settings(void)
{
	return &apmu_qemu__plugin.record;
}

static bool is_outside(const struct apmu_qemu__sampler *s)
{
	return apmu_qemu__plugin.region.kind != APMU_QEMU__REGION_ALL && !s->thread->slot->inside;
}

static uint64_t total(const struct apmu_qemu__sampler *s, enum apmu_signal signal)
{
	return s->thread->slot->tally.n[signal];
}

static uint64_t pc_of(const struct apmu_qemu__tb *b, uint32_t i)
{
	return b->addr + b->offset[i];
}

/* Returns the index of the instruction that contains this byte. */
static uint32_t index_of(const struct apmu_qemu__tb *b, uint64_t addr)
{
	uint32_t i = b->n - 1;

	while (i > 0 && pc_of(b, i) > addr)
		i--;
	return i;
}

/* The place of a sample: an instruction of a block. `ahead`: the totals already include the block's counts.
 * The block of a wait is not known: only its address, and what the machine reports with it. */
struct spot {
	const struct apmu_qemu__tb *tb; /* NULL: a wait */
	uint32_t i;
	bool ahead, data;
	uint64_t pc;
	int64_t behind;
	uint32_t tag;
	uint32_t mark; /* its call-tree node, plus one; 0: the current one */
};

static uint64_t instructions_at(const struct apmu_qemu__sampler *s, const struct spot *at)
{
	uint64_t now = total(s, APMU_SIG_INST);

	if (!at->tb)
		return now - (uint64_t)at->behind;
	if (at->ahead)
		return now - (at->tb->n - 1 - at->i);
	return at->tb == s->tb ? now + at->i + 1 : now;
}

static uint64_t cycles_at(const struct apmu_qemu__sampler *s, const struct spot *at)
{
	uint64_t now = total(s, APMU_SIG_CYCLES);

	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a place without a block is never ahead */
	return at->ahead ? now - at->tb->later[at->i] : now;
}

/* Moves a late sample to the instruction `skid` after the overflow. False: the thread has not come to it yet.
 */
static bool arrived(struct apmu_qemu__sampler *s, struct apmu_qemu__late *late)
{
	uint64_t end = total(s, APMU_SIG_INST);
	const struct apmu_qemu__tb *b = s->tb;

	if (late->target > end)
		return false;
	uint64_t back = end - late->target;
	uint32_t i = back < b->n ? (uint32_t)(b->n - 1 - back) : 0;
	const struct spot at = {.tb = b, .i = i, .ahead = true, .tag = 0};
	late->sample.pc = pc_of(b, at.i);
	late->sample.instructions = instructions_at(s, &at);
	late->sample.cycles = cycles_at(s, &at);
	return true;
}

static void deliver_late(struct apmu_qemu__sampler *s)
{
	uint32_t left = 0;

	for (uint32_t k = 0; k < s->lates; k++) {
		if (!arrived(s, &s->late[k])) {
			s->late[left++] = s->late[k];
			continue;
		}
		if (settings()->chains)
			s->late[k].sample.chain = apmu_qemu__chain_node(s);
		apmu_qemu__sink_sample(s, &s->late[k].sample);
	}
	s->lates = left;
	s->thread->late = left != 0 || s->branch_trace;
}

static void deliver(struct apmu_qemu__sampler *s, struct profile__sample *sample)
{
	uint32_t skid = settings()->skid;

	if (!skid) {
		apmu_qemu__sink_sample(s, sample);
		return;
	}
	if (s->lates == APMU_QEMU__LATES) { /* more overflows than instructions pass: the oldest sample stays
					       at its own instruction */
		apmu_qemu__sink_sample(s, &s->late[0].sample);
		memmove(s->late, s->late + 1, --s->lates * sizeof(s->late[0]));
	}
	s->late[s->lates++] = (struct apmu_qemu__late){*sample, sample->instructions + skid};
	s->thread->late = true;
}

static void sample(struct apmu_qemu__sampler *s, uint32_t event, const struct spot *at, uint64_t weight)
{
	struct apmu_qemu__event_state *c = &s->event[event];
	struct profile__sample one = {.event = event,
				      .pc = at->tb ? pc_of(at->tb, at->i) : at->pc,
				      .weight = weight,
				      .instructions = instructions_at(s, at),
				      .cycles = cycles_at(s, at)};

	if (at->data && settings()->data)
		apmu_qemu__data_fill(s, at->tb || at->tag ? at->tag : (uint32_t)one.instructions, &one);
	uint64_t inside = one.instructions - s->outside;
	if (settings()->event[event].frequency)
		apmu_qemu__next_period(c, event, settings()->event[event].frequency, inside);
	if (settings()->chains)
		one.chain = at->mark ? at->mark - 1 : apmu_qemu__chain_node(s);
	c->instructions = inside;
	deliver(s, &one);
}

/* Counts back from the block's end to the instruction that added the occurrence after which `beyond` more
 * came. */
static uint32_t count_back(const struct apmu_qemu__tb *b, uint32_t event, uint64_t beyond)
{
	const uint16_t *own = b->own + (size_t)event * b->n;
	uint32_t i = b->n - 1;

	for (; i > 0; i--) {
		if (beyond < own[i])
			break;
		beyond -= own[i];
	}
	return i; /* what no instruction adds by itself is a wait of the first one */
}

void apmu_qemu__sampler_alarm(struct apmu_qemu__sampler *s)
{
	bool simple = s->watch.gauges == 1 && s->gauge[0].terms == 1;

	s->thread->gauge = s->gauge[0].n[0];
	s->thread->rate = s->event[0].rate;
	s->thread->wait = apmu_qemu__weigh_wait();
	s->thread->access = apmu_qemu__plugin.reports_all ? UINT64_MAX >> 1 : s->event[0].access;
	s->thread->due = simple ? s->gauge[0].due : 0;
	apmu_qemu__meter_set(s->thread);
}

/* Samples all overflows of a gauge, at the place `at` or, if `each`, of what block entry counted, each at its
 * own instruction. */
static void overflow(struct apmu_qemu__sampler *s, uint32_t event, struct spot at, bool each)
{
	struct apmu_gauge *g = &s->gauge[event];
	uint64_t value = apmu_gauge_value(g), weight = 0;

	while (value >= g->due) {
		uint32_t i = each ? count_back(at.tb, event, value - g->due) : at.i;
		if (weight && i != at.i) {
			sample(s, event, &at, weight);
			weight = 0;
		}
		at.i = i;
		weight += s->event[event].period;
		if (settings()->event[event].frequency) { /* the period changes with each sample */
			sample(s, event, &at, weight);
			weight = 0;
		}
		g->due += s->event[event].gap;
	}
	if (weight)
		sample(s, event, &at, weight);
	apmu_qemu__sampler_alarm(s);
}

static void follow(struct apmu_qemu__sampler *s)
{
	if (!s->call_pending)
		return;
	s->call_pending = false;
	apmu_qemu__chain_follow(s, s->before, s->tb->addr);
}

/* The following overflows belong to the block that is entered: lets the call stack and the branches follow.
 */
static void go_on(struct apmu_qemu__sampler *s)
{
	follow(s);
	if (s->branch_trace)
		apmu_qemu__branch_trace_follow(s);
}

static void reached(struct apmu_watch *watch, uint32_t event, enum apmu_where where, uint64_t addr);

/* Handles an overflow that came while the machine was not watched, because a bound was too small: it goes to
 * the end of the last block. */
static __attribute__((noinline, cold)) void blurred(struct apmu_qemu__sampler *s, uint32_t event)
{
	atomic_fetch_add(&apmu_qemu__plugin.share->record.blurred, 1);
	reached(&s->watch, event, APMU_WATCH_BRANCH, 0);
}

/* Handles a wait: `addr` is the instruction that waits, which may belong to this block or to an earlier one.
 */
static void waited(struct apmu_qemu__sampler *s, uint32_t event, uint64_t addr)
{
	struct spot at = {
		.pc = addr, .behind = s->watch.behind, .tag = apmu_qemu__data_loader(s), .data = true};

	if (!addr) { /* the instruction was in the window before the machine was watched */
		blurred(s, event);
		return;
	}
	if (at.behind >= 0)
		at.mark = s->watch.mark;
	else
		go_on(s);
	if (settings()->exact)
		apmu_qemu__cells_add(s, event, addr);
	else
		overflow(s, event, at, false);
}

static void reached(struct apmu_watch *watch, uint32_t event, enum apmu_where where, uint64_t addr)
{
	struct apmu_qemu__sampler *s = (struct apmu_qemu__sampler *)watch;
	struct spot at = {.tb = s->tb,
			  .ahead = where >= APMU_WATCH_BLOCK,
			  .data = where == APMU_WATCH_ACCESS,
			  .tag = s->tag};

	if (where == APMU_WATCH_WAIT) {
		waited(s, event, addr);
		return;
	}
	if (where == APMU_WATCH_BRANCH && s->before->n) {
		at.tb = s->before;
		at.i = at.tb->n - 1;
	} else {
		go_on(s);
		at.i = where == APMU_WATCH_BLOCK || where == APMU_WATCH_BRANCH ? 0 : index_of(at.tb, addr);
	}
	if (settings()->exact)
		apmu_qemu__cells_count(s, event, at.tb, at.i, where == APMU_WATCH_BLOCK);
	else
		overflow(s, event, at, where == APMU_WATCH_BLOCK);
}

static void set_gauges(struct apmu_qemu__sampler *s)
{
	const struct apmu_qemu__share_record *r = settings();

	for (uint32_t e = 0; e < r->events; e++) {
		struct apmu_gauge *g = &s->gauge[e];
		*g = (struct apmu_gauge){.terms = r->event[e].signals, .minus = r->event[e].minus};
		for (uint32_t k = 0; k < g->terms; k++)
			g->n[k] = &s->thread->slot->tally.n[r->event[e].signal[k]];
		s->event[e] = (struct apmu_qemu__event_state){
			.period = r->event[e].period,
			.gap = r->event[e].period,
			.rate = apmu_qemu__weigh_rate(&r->event[e]),
			.access = apmu_qemu__weigh_access(&r->event[e], s->thread->u)};
		if (r->event[e].frequency)
			apmu_qemu__first_period(&s->event[e], e, r->event[e].frequency,
						s->thread->slot->serial);
		g->due = is_outside(s) ? UINT64_MAX : r->exact ? 0 : s->event[e].gap;
		s->event[e].left = s->event[e].gap;
	}
	s->watch = (struct apmu_watch){.gauge = s->gauge, .gauges = r->events, .reached = reached};
	if (apmu_qemu__plugin.counts_time && apmu_uarch_watch_time(s->thread->u) != 0)
		apmu_qemu__plugin_die("no memory for a thread's samples");
	s->thread->near = true;
	s->thread->flows =
		r->chains ? APMU_QEMU__FLOW_CALL | APMU_QEMU__FLOW_RETURN | APMU_QEMU__FLOW_JUMP : 0;
	apmu_qemu__sampler_alarm(s);
}

/* Takes the slot's buffer, or a private one if the slot is private. */
static void take_buffer(struct apmu_qemu__sampler *s)
{
	const struct apmu_qemu__thread *t = s->thread;

	if (!t->private && s->owns_buffer)
		free(s->buffer);
	if (!t->private)
		s->buffer = &apmu_qemu__plugin.share->buffer[t->slot - apmu_qemu__plugin.share->slot];
	else if (!s->owns_buffer)
		s->buffer = calloc(1, sizeof(*s->buffer));
	if (!s->buffer)
		apmu_qemu__plugin_die("no memory for a thread's samples");
	s->owns_buffer = t->private;
	s->buffer->used = s->buffer->waiting = 0;
	s->buffer->head = (struct profile__samples_block){t->slot->pid, t->slot->tid, t->slot->serial, 1};
	s->deltas = (struct profile__deltas){0};
}

void apmu_qemu__sampler_begin(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__sampler *s = calloc(1, sizeof(*s));

	if (!s)
		apmu_qemu__plugin_die("no memory for a thread's samples");
	t->sampler = s;
	s->thread = t;
	s->before = s->tb = t->tb;
	take_buffer(s);
	set_gauges(s);
	if (settings()->branches)
		apmu_qemu__branch_trace_begin(s);
}

void apmu_qemu__sampler_exit(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__sampler *s = t->sampler;

	for (uint32_t k = 0; k < s->lates; k++) /* the thread ends before they would arrive */
		apmu_qemu__sink_sample(s, &s->late[k].sample);
	s->lates = 0;
	apmu_qemu__sink_flush(s);
}

void apmu_qemu__sampler_end(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__sampler *s = t->sampler;

	apmu_qemu__sampler_exit(t);
	apmu_qemu__chain_free(&s->stack);
	apmu_qemu__cells_free(s);
	apmu_qemu__branch_trace_free(s);
	if (s->owns_buffer)
		free(s->buffer);
	free(s);
}

void apmu_qemu__sampler_forked(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__sampler *s = t->sampler;

	s->lates = 0;
	s->outside = 0;
	t->late = false;
	apmu_qemu__data_restart(s);
	take_buffer(s);
	set_gauges(s);
	apmu_qemu__chain_restart(s);
	apmu_qemu__cells_free(s);
	apmu_qemu__branch_trace_free(s);
	if (settings()->branches)
		apmu_qemu__branch_trace_begin(s);
}

/* True if an access may cause an overflow. */
static bool is_near_access(const struct apmu_qemu__sampler *s)
{
	bool near = false;

	for (uint32_t e = 0; e < s->watch.gauges; e++) {
		const struct apmu_gauge *g = &s->gauge[e];
		near |= apmu_gauge_value(g) + s->event[e].access >= g->due;
	}
	return near;
}

static void look_back(struct apmu_qemu__sampler *s)
{
	for (uint32_t e = 0; e < s->watch.gauges; e++)
		if (apmu_gauge_value(&s->gauge[e]) >= s->gauge[e].due)
			blurred(s, e);
}

/* Notes the call-tree node of the block that is left: out of order, its instructions may still wait when the
 * call stack has moved on. */
static void mark_block(struct apmu_qemu__sampler *s)
{
	if (settings()->chains && apmu_qemu__is_out_of_order(s->thread->u))
		s->watch.mark = apmu_qemu__chain_node(s) + 1;
}

static __attribute__((noinline)) void enter_watched(struct apmu_qemu__sampler *s)
{
	if (!settings()->exact)
		look_back(s);
	mark_block(s);
	apmu_uarch_enter_watched(s->thread->u, s->tb->block, &s->watch);
}

static void leave_watched(struct apmu_qemu__sampler *s)
{
	s->before = s->tb = s->thread->tb;
	mark_block(s);
	apmu_uarch_watch(s->thread->u, &s->watch);
}

void apmu_qemu__sampler_abandon(struct apmu_qemu__thread *t, uint32_t executed)
{
	leave_watched(t->sampler);
	apmu_uarch_abandon(t->u, executed);
	apmu_uarch_watch(t->u, NULL);
	if (settings()->exact && !is_outside(t->sampler))
		apmu_qemu__cells_abandon(t->sampler, executed);
}

/* Attributes what the block was still waiting for, when the thread goes where its block does not lead. */
void apmu_qemu__sampler_break(struct apmu_qemu__thread *t)
{
	struct apmu_qemu__sampler *s = t->sampler;

	leave_watched(s);
	apmu_uarch_break(t->u);
	apmu_uarch_watch(t->u, NULL);
	if (t->tb->n)
		apmu_watch_look(&s->watch, APMU_WATCH_BRANCH, 0);
}

void apmu_qemu__sampler_fault(struct apmu_qemu__thread *t, uint32_t executed)
{
	struct apmu_qemu__sampler *s = t->sampler;
	uint32_t last = t->tb->n - 1;
	const struct spot at = {.tb = t->tb, .i = executed < last ? executed : last, .ahead = true};

	for (uint32_t e = 0; t->tb->n && !is_outside(s) && e < s->watch.gauges; e++) {
		if (settings()->exact)
			apmu_qemu__cells_count(s, e, at.tb, at.i, false);
		else
			overflow(s, e, at, false);
	}
}

void apmu_qemu__sampler_enter(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb)
{
	struct apmu_qemu__sampler *s = t->sampler;

	s->before = before;
	s->tb = tb;
	s->call_pending = apmu_qemu__plugin.record.chains & (before->flow != APMU_QEMU__FLOW_NONE);
	if (s->branch_trace)
		apmu_qemu__branch_trace_leave(s, before, tb);
	if (apmu_qemu__sampler_wants(t, before, tb))
		enter_watched(s);
	else
		apmu_uarch_enter(t->u, tb->block);
	if (s->branch_trace)
		apmu_qemu__branch_trace_follow(s);
	if (s->call_pending)
		follow(s);
	if (s->lates)
		deliver_late(s);
}

void apmu_qemu__sampler_metered(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb)
{
	struct apmu_qemu__sampler *s = t->sampler;

	s->before = s->tb = tb;
	overflow(s, 0, (struct spot){.tb = tb, .ahead = true, .tag = 0}, true);
}

/* Watches what is not an access of the program, but may make an event due. */
static void begin_watch(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb)
{
	t->sampler->tb = tb;
	apmu_uarch_watch(t->u, &t->sampler->watch);
}

static void end_watch(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index)
{
	apmu_uarch_watch(t->u, NULL);
	apmu_watch_look(&t->sampler->watch, APMU_WATCH_ACCESS, pc_of(tb, index));
}

void apmu_qemu__sampler_preload(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index,
				uint64_t addr, bool store)
{
	begin_watch(t, tb);
	apmu_uarch_preload(t->u, tb->block, index, addr, store);
	end_watch(t, tb, index);
}

void apmu_qemu__sampler_zero(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, uint32_t index,
			     uint64_t addr, unsigned size)
{
	begin_watch(t, tb);
	apmu_uarch_zero(t->u, tb->block, index, addr, size);
	end_watch(t, tb, index);
}

void apmu_qemu__sampler_access(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			       unsigned size, bool store)
{
	struct apmu_qemu__sampler *s = t->sampler;

	if (!apmu_qemu__plugin.reports_all && !is_near_access(s)) {
		apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, size, store);
		return;
	}
	s->tb = w->tb; /* the block may have been entered by the fast path */
	apmu_uarch_watch(t->u, &s->watch);
	if (settings()->data)
		apmu_qemu__data_access(s, w, vaddr, size, store);
	else
		apmu_uarch_access(t->u, w->tb->block, w->index, vaddr, size, store);
	apmu_uarch_watch(t->u, NULL);
	for (uint32_t e = 0; e < s->watch.gauges; e++)
		if (__builtin_expect(apmu_gauge_value(&s->gauge[e]) >= s->gauge[e].due, 0))
			reached(&s->watch, e, APMU_WATCH_ACCESS, pc_of(w->tb, w->index));
}

void apmu_qemu__sampler_claim(struct apmu_qemu__thread *t, const struct apmu_qemu__watch *w, uint64_t vaddr,
			      unsigned size)
{
	struct apmu_qemu__sampler *s = t->sampler;
	const uint64_t *upgrades = &t->slot->tally.n[APMU_SIG_PEER_UPGRADE], before = *upgrades;

	apmu_uarch_claim(t->u, w->tb->block, w->index, vaddr, size);
	if (*upgrades == before)
		return;
	s->tb = w->tb;
	if (settings()->data)
		apmu_qemu__data_claimed(s, w, vaddr);
	for (uint32_t e = 0; e < s->watch.gauges; e++)
		if (apmu_gauge_value(&s->gauge[e]) >= s->gauge[e].due)
			reached(&s->watch, e, APMU_WATCH_ACCESS, pc_of(w->tb, w->index));
}

void apmu_qemu__sampler_signal(struct apmu_qemu__thread *t, uint32_t executed, uint64_t to)
{
	if (settings()->chains)
		apmu_qemu__chain_signal(t->sampler, t->tb, executed, to);
}
