/* SPDX-License-Identifier: MIT */
#include "uarch/coherence.h"

#include "uarch/lower_levels.h"
#include "uarch/machine.h"
#include "uarch/memory.h"

#include <stdlib.h>

static uint8_t state_of(const struct apmu_uarch *u, uint32_t slot)
{
	return atomic_load_explicit(&u->peer->state[slot], memory_order_relaxed);
}

static void set_state(struct apmu_uarch *u, uint32_t slot, enum apmu_uarch__held held)
{
	atomic_store_explicit(&u->peer->state[slot], (uint8_t)held, memory_order_relaxed);
}

/* Notes in `state` and in post[] that a slot is to be cleaned or invalidated. */
static void post(struct apmu_uarch *u, uint32_t slot, enum apmu_uarch__held held)
{
	struct apmu_uarch__peer *p = u->peer;

	set_state(u, slot, held);
	if (p->posts < APMU_UARCH__POSTS)
		p->post[p->posts] = slot;
	p->posts += p->posts <= APMU_UARCH__POSTS;
	atomic_store_explicit(&p->snooped, true, memory_order_relaxed);
}

/* Asks one other thread. */
static enum apmu_uarch__answer ask(struct apmu_uarch *u, uint64_t line, bool write)
{
	uint32_t slot = apmu_uarch__cache_find(&u->l1d, line);
	uint8_t state = slot == APMU_UARCH__NOWHERE ? APMU_UARCH__HELD_GONE : state_of(u, slot);

	if (state == APMU_UARCH__HELD_GONE || state == APMU_UARCH__HELD_READ_GONE)
		return APMU_UARCH__ANSWER_NONE;
	bool modified = state == APMU_UARCH__HELD_MODIFIED;
	if (write)
		post(u, slot,
		     state == APMU_UARCH__HELD_READ ? APMU_UARCH__HELD_READ_GONE : APMU_UARCH__HELD_GONE);
	else if (modified)
		post(u, slot, APMU_UARCH__HELD_READ);
	return modified ? APMU_UARCH__ANSWER_MODIFIED : APMU_UARCH__ANSWER_CLEAN;
}

enum apmu_uarch__answer apmu_uarch__ask_peers(struct apmu_uarch *u, uint64_t line, bool write)
{
	enum apmu_uarch__answer best = APMU_UARCH__ANSWER_NONE;

	for (unsigned k = 0; k < APMU_UARCH__MACHINES; k++) {
		struct apmu_uarch *other = u->shared->machine[k];
		if (!other || other == u)
			continue;
		enum apmu_uarch__answer answer = ask(other, line, write);
		best = answer > best ? answer : best;
	}
	return best;
}

/* Invalidates a line that another thread has written, also in the thread's own levels. */
static void drop(struct apmu_uarch *u, uint64_t line)
{
	apmu_uarch__cache_drop(&u->l1d, line);
	u->n[APMU_SIG_L1D_INVAL]++;
	apmu_uarch__lower_drop(u, line << u->l1d.shift, 1u << u->l1d.shift);
}

/* Cleans a line that another thread reads: modified data go to the level that both share. */
static void clean(struct apmu_uarch *u, uint32_t slot)
{
	unsigned dirty = u->l1d.dirty[slot] & APMU_UARCH__DIRTY;

	if (!dirty)
		return;
	u->l1d.dirty[slot] &= (uint8_t)~APMU_UARCH__DIRTY;
	u->n[APMU_SIG_L1D_WB_CLEAN]++;
	if (u->units & APMU_UARCH__LOWER)
		apmu_uarch__lower_write(u, u->l1d.tag[slot] << u->l1d.shift, 1u << u->l1d.shift, dirty);
}

/* Another thread takes a line, or reads one that this thread has written. */
static void note_left(struct apmu_uarch *u, uint64_t line)
{
	u->peer->left[line % APMU_UARCH__LEFT] = (struct apmu_uarch__left){line, u->n[APMU_SIG_INST]};
}

/* The line comes back from another thread, or is written while others have it. */
static void note_back(struct apmu_uarch *u, uint64_t line)
{
	const struct apmu_uarch__left *l = &u->peer->left[line % APMU_UARCH__LEFT];

	u->peer->contended += l->line == line && u->n[APMU_SIG_INST] - l->when < APMU_UARCH__SOON;
}

static void answer(struct apmu_uarch *u, uint32_t slot)
{
	uint64_t line = u->l1d.tag[slot];
	uint8_t state = state_of(u, slot);

	if (line == APMU_UARCH__NO_LINE || state == APMU_UARCH__HELD_MODIFIED)
		return;
	if (state != APMU_UARCH__HELD_CLEAN)
		note_left(u, line);
	if (state != APMU_UARCH__HELD_GONE)
		clean(u, slot);
	if (state == APMU_UARCH__HELD_GONE || state == APMU_UARCH__HELD_READ_GONE)
		drop(u, line);
	set_state(u, slot, APMU_UARCH__HELD_CLEAN);
}

void apmu_uarch__answer_peers(struct apmu_uarch *u)
{
	struct apmu_uarch__peer *p = u->peer;
	size_t slots = apmu_uarch__cache_slots(&u->l1d);

	if (p->posts > APMU_UARCH__POSTS)
		for (uint32_t slot = 0; slot < slots; slot++)
			answer(u, slot);
	else
		for (uint32_t k = 0; k < p->posts; k++)
			answer(u, p->post[k]);
	p->posts = 0;
	atomic_store_explicit(&p->snooped, false, memory_order_relaxed);
}

enum apmu_uarch__at apmu_uarch__got(struct apmu_uarch *u, enum apmu_uarch__request request,
				    enum apmu_uarch__answer answer, enum apmu_uarch__at at)
{
	bool modified = answer == APMU_UARCH__ANSWER_MODIFIED;
	bool from_peer = modified || (answer == APMU_UARCH__ANSWER_CLEAN && at == APMU_UARCH__AT_MEMORY);

	set_state(u, u->l1d.slot,
		  request == APMU_UARCH__REQUEST_WRITE ? APMU_UARCH__HELD_MODIFIED : APMU_UARCH__HELD_CLEAN);
	if (!from_peer)
		return at;
	note_back(u, u->l1d.tag[u->l1d.slot]);
	bool ahead = request == APMU_UARCH__REQUEST_PREFETCH;
	if (!ahead)
		u->result.modified = modified;
	u->n[APMU_SIG_PEER_FILL]++;
	u->n[APMU_SIG_PEER_FILL_AHEAD] += ahead;
	u->n[APMU_SIG_PEER_FILL_MODIFIED] += modified;
	return APMU_UARCH__AT_PEER;
}

bool apmu_uarch__recall(struct apmu_uarch *u, uint64_t addr, unsigned bytes)
{
	bool modified = false;

	for (uint64_t line = addr >> u->l1d.shift; line <= (addr + bytes - 1) >> u->l1d.shift; line++)
		modified |= apmu_uarch__ask_peers(u, line, true) == APMU_UARCH__ANSWER_MODIFIED;
	return modified;
}

/* The thread is about to write a line that it has, but not in state M: the others invalidate it first.
 * Returns true if some other thread had it. */
static bool own(struct apmu_uarch *u, uint64_t line)
{
	bool held = false;

	pthread_mutex_lock(&u->shared->lock);
	apmu_uarch__answer_peers(u);
	uint32_t slot = apmu_uarch__cache_find(&u->l1d, line);
	if (slot != APMU_UARCH__NOWHERE) { /* otherwise another thread has just taken the line: a miss */
		held = apmu_uarch__ask_peers(u, line, true) != APMU_UARCH__ANSWER_NONE;
		set_state(u, slot, APMU_UARCH__HELD_MODIFIED);
		u->n[APMU_SIG_PEER_UPGRADE] += held;
		if (held)
			note_back(u, line);
	}
	pthread_mutex_unlock(&u->shared->lock);
	return held;
}

static void claim(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t line)
{
	const struct apmu_uarch__hint *hint = &u->l1d.hint[line & u->l1d.hint_mask];
	uint32_t slot = hint->line == line ? hint->slot : apmu_uarch__cache_find(&u->l1d, line);

	if (slot == APMU_UARCH__NOWHERE || state_of(u, slot) == APMU_UARCH__HELD_MODIFIED || !own(u, line) ||
	    !(u->units & APMU_UARCH__TIME))
		return;
	if (!u->window && u->memory.user <= i)
		apmu_uarch__settle_waits(u, b, i);
	u->l1d.slot = slot;
	apmu_uarch__read_data(u, b, i, line, APMU_UARCH__AT_PEER);
}

void apmu_uarch_claim(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		      unsigned size)
{
	if (!u->peer || i >= b->n || size == 0)
		return;
	for (uint64_t line = addr >> u->l1d.shift; line <= (addr + size - 1) >> u->l1d.shift; line++)
		claim(u, b, i, line);
}

void apmu_uarch_snooped(struct apmu_uarch *u)
{
	if (!u->peer || !atomic_load_explicit(&u->peer->snooped, memory_order_relaxed))
		return;
	pthread_mutex_lock(&u->shared->lock);
	apmu_uarch__answer_peers(u);
	pthread_mutex_unlock(&u->shared->lock);
}

uint64_t apmu_uarch_contended(const struct apmu_uarch *u)
{
	return u->peer ? u->peer->contended : 0;
}

bool apmu_uarch_coheres(const struct apmu_uarch_params *p, const uint64_t wanted[APMU_SIGNAL_WORDS])
{
	return p->transfer && apmu_uarch_shares(p) &&
	       (apmu_uarch__units(p, apmu_uarch__asked(wanted)) & APMU_UARCH__L1D);
}

/* Makes the machine coherent with the others from now on. Lines that it has written are modified. */
void apmu_uarch__join(struct apmu_uarch *u)
{
	u->peer = u->joins;
	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(&u->l1d); slot++)
		set_state(u, slot,
			  u->l1d.dirty[slot] & APMU_UARCH__DIRTY ? APMU_UARCH__HELD_MODIFIED
								 : APMU_UARCH__HELD_CLEAN);
	u->variant |= APMU_UARCH__VARIANT_PEERS;
	apmu_uarch__fast_access_init(u);
}

void apmu_shared_cohere(struct apmu_shared *s)
{
	s->coherent = true;
	for (unsigned k = 0; k < APMU_UARCH__MACHINES; k++)
		if (s->machine[k])
			apmu_uarch__join(s->machine[k]);
}

int apmu_uarch__peer_init(struct apmu_uarch *u)
{
	struct apmu_shared *s = u->shared;
	unsigned k = 0;

	if (!s || !u->p.transfer || !(u->units & APMU_UARCH__L1D))
		return APMU_OK;
	pthread_mutex_lock(&s->lock);
	while (k < APMU_UARCH__MACHINES && s->machine[k])
		k++;
	if (k < APMU_UARCH__MACHINES) {
		u->joins = calloc(1, sizeof(*u->joins));
		if (u->joins)
			u->joins->state = calloc(apmu_uarch__cache_slots(&u->l1d), sizeof(*u->joins->state));
		if (u->joins && u->joins->state)
			s->machine[k] = u;
	}
	pthread_mutex_unlock(&s->lock);
	return k < APMU_UARCH__MACHINES && !(u->joins && u->joins->state) ? APMU_ENOMEM : APMU_OK;
}

/* A thread that ends leaves its lines, uncounted, to the level that it shares with those that go on. */
static void leave_lines(struct apmu_uarch *u)
{
	uint64_t *counts = u->n, uncounted[APMU_SIGNALS] = {0};

	u->n = uncounted;
	apmu_uarch__answer_peers(u);
	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(&u->l1d); slot++)
		if (u->l1d.tag[slot] != APMU_UARCH__NO_LINE)
			apmu_uarch__lower_write(u, u->l1d.tag[slot] << u->l1d.shift, 1u << u->l1d.shift,
						u->l1d.dirty[slot] & APMU_UARCH__DIRTY);
	apmu_uarch__lower_leave(u);
	u->n = counts;
}

void apmu_uarch__peer_free(struct apmu_uarch *u)
{
	if (!u->joins)
		return;
	pthread_mutex_lock(&u->shared->lock);
	if (u->peer && u->units & APMU_UARCH__LOWER)
		leave_lines(u);
	for (unsigned k = 0; k < APMU_UARCH__MACHINES; k++)
		if (u->shared->machine[k] == u)
			u->shared->machine[k] = NULL;
	pthread_mutex_unlock(&u->shared->lock);
	free((void *)u->joins->state);
	free(u->joins);
}
