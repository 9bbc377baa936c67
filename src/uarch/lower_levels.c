/* SPDX-License-Identifier: MIT */
/*
 * Below the first level: L2, the last level, memory. struct apmu_level_params in include/apmu/uarch.h says
 * what moves where. This file counts; memory.c has the times.
 */
#include "uarch/lower_levels.h"

#include "uarch/coherence.h"

/* Inline code is compiled twice: for the last level, where `last` is a constant, and for the first of two
 * levels, where `next` is. */
#define INLINE static inline __attribute__((always_inline))

/* What a level calls for the level below it: to write a whole line to level k, to read one from it. */
typedef void write_next(struct apmu_uarch *u, unsigned k, uint64_t addr, unsigned bytes, unsigned dirty);
typedef enum apmu_uarch__at read_next(struct apmu_uarch *u, unsigned k, uint64_t addr,
				      enum apmu_uarch__request request, uint8_t *dirty);

/* Counts a line that was invalidated in a cache above; returns its dirty bits. */
static unsigned count_dropped(struct apmu_uarch *u, unsigned dirty, unsigned invalidated, unsigned cleaned)
{
	u->n[invalidated]++;
	u->n[cleaned] += dirty != 0;
	return dirty;
}

/* Invalidates the lines of a range in a first-level cache; returns the dirty bits of all. */
INLINE unsigned drop(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t addr, unsigned bytes)
{
	unsigned any = 0;
	for (uint64_t line = addr >> c->shift; line <= (addr + bytes - 1) >> c->shift; line++) {
		if (apmu_uarch__cache_find(c, line) == APMU_UARCH__NOWHERE)
			continue;
		unsigned dirty = (unsigned)apmu_uarch__cache_drop(c, line);
		any |= count_dropped(u, dirty, APMU_SIG_L1D_INVAL, APMU_SIG_L1D_WB_CLEAN);
	}
	return any;
}

/* Invalidates the lines of a range in L2; returns the dirty bits of all. Those that another thread has taken
 * are not written back. */
static unsigned drop_lower(struct apmu_uarch *u, struct apmu_uarch__packed *s, uint64_t addr, unsigned bytes,
			   bool taken)
{
	unsigned any = 0;
	for (uint64_t line = addr >> s->shift; line <= (addr + bytes - 1) >> s->shift; line++) {
		uint32_t slot = apmu_uarch__packed_find(s, line);
		if (slot == APMU_UARCH__NOWHERE)
			continue;
		unsigned dirty = taken ? 0 : apmu_uarch__packed_dirty(s, slot);
		any |= count_dropped(u, dirty, APMU_SIG_L2_INVAL, APMU_SIG_L2_WB_CLEAN);
		apmu_uarch__packed_drop(s, slot);
	}
	return any;
}

/* Back-invalidation: the victim of an inclusive level leaves the data caches above too. Returns its dirty
 * bits there. */
INLINE unsigned back_invalidate(struct apmu_uarch *u, unsigned k, uint64_t addr, unsigned bytes)
{
	unsigned dirty = drop(u, &u->l1d, addr, bytes);
	if (u->p.mini.size)
		dirty |= drop(u, &u->mini, addr, bytes);
	if (k > 0)
		dirty |= drop_lower(u, &u->level[0]->sets, addr, bytes, false);
	return dirty;
}

INLINE void evict(struct apmu_uarch *u, unsigned k, uint64_t line, unsigned dirty, write_next *next)
{
	struct apmu_uarch__level *v = u->level[k];
	uint64_t addr = line << v->sets.shift;
	unsigned bytes = 1u << v->sets.shift;
	if (v->inclusion == APMU_INCLUSIVE)
		dirty |= back_invalidate(u, k, addr, bytes);
	if (u->peer && v->inclusion == APMU_INCLUSIVE && v != &u->own[k])
		dirty |= apmu_uarch__recall(u, addr, bytes);
	u->n[v->signal->write_back] += dirty != 0;
	next(u, k + 1, addr, bytes, dirty ? APMU_UARCH__DIRTY : 0);
}

/* Allocates a line that missed, evicting a victim; returns its slot. The victim's back-invalidation may
 * invalidate the new line too: where threads share an inclusive level, that level may lack what the caches
 * above have. */
INLINE uint32_t insert(struct apmu_uarch *u, unsigned k, const struct apmu_uarch__place *at, unsigned as,
		       bool last, write_next *next)
{
	struct apmu_uarch__level *v = u->level[k];
	struct apmu_uarch__put p = apmu_uarch__packed_put(&v->sets, at, as);
	if (last && v->inclusion != APMU_INCLUSIVE) { /* written to memory, if dirty */
		u->n[v->signal->write_back] += p.dirty != 0;
		apmu_uarch__to_memory(u, 1u << v->sets.shift, p.dirty);
	} else if (p.held) {
		evict(u, k, apmu_uarch__packed_evicted(&v->sets, &p), p.dirty, next);
	}
	return p.slot;
}

/* Counts a write that hit; called before the line is marked dirty. */
static void count_write_hit(struct apmu_uarch *u, const struct apmu_uarch__level *v, uint32_t slot, bool last)
{
	bool modified = apmu_uarch__packed_dirty(&v->sets, slot) != 0;
	u->n[v->signal->hit_write]++;
	u->n[v->signal->modified_write] += modified;
	u->n[APMU_SIG_LL_HIT_WR] += last;
	u->n[APMU_SIG_LL_HITM_WR] += last & modified;
}

/* Counts a read that hit. A fill for a write counts as a write in this level's signals, and as a read in the
 * last level's. */
static void count_read_hit(struct apmu_uarch *u, const struct apmu_uarch__level *v, uint32_t slot,
			   enum apmu_uarch__request request, bool last)
{
	bool modified = apmu_uarch__packed_dirty(&v->sets, slot) != 0;
	bool reads = request == APMU_UARCH__REQUEST_READ || request == APMU_UARCH__REQUEST_WALK;
	u->n[v->signal->hit_write] += request == APMU_UARCH__REQUEST_WRITE;
	u->n[v->signal->modified_read] += modified & reads;
	u->n[v->signal->modified_write] += modified & (request == APMU_UARCH__REQUEST_WRITE);
	u->n[APMU_SIG_LL_HITM_RD] += modified & last & (request != APMU_UARCH__REQUEST_PREFETCH);
}

INLINE void write_at(struct apmu_uarch *u, unsigned k, uint64_t addr, unsigned dirty, bool last,
		     write_next *next)
{
	struct apmu_uarch__level *v = u->level[k];
	uint64_t line = addr >> v->sets.shift;
	if (!dirty && v->inclusion != APMU_EXCLUSIVE)
		return;
	u->n[v->signal->write]++;
	u->n[APMU_SIG_LL_WR] += last;
	if (k == u->bus_level) {
		u->n[APMU_SIG_BUS_REQ_WR]++;
		u->n[APMU_SIG_BUS_WR] += u->beats[APMU_UARCH__REQUEST_WRITE];
	}
	u->memory.owed[v->at] += u->line_fill[v->at];
	struct apmu_uarch__place at = apmu_uarch__packed_hit(&v->sets, line);
	bool hit = at.slot != APMU_UARCH__NOWHERE;
	if (k == 0 && u->p.l2.line_buffers)
		apmu_uarch__l2c_write(u, line, false, hit);
	if (hit) {
		count_write_hit(u, v, at.slot, last);
		apmu_uarch__packed_mark_dirty(&v->sets, at.slot, dirty);
	} else {
		insert(u, k, &at, dirty, last, next);
	}
	u->n[v->signal->allocate] += !hit;
}

/* Writes a whole line back: level k marks it dirty or allocates it. */
static void write_line(struct apmu_uarch *u, unsigned k, uint64_t addr, unsigned bytes, unsigned dirty)
{
	if (k == u->levels)
		apmu_uarch__to_memory(u, bytes, dirty);
	else if (k + 1 == u->levels)
		write_at(u, k, addr, dirty, true, write_line);
	else
		write_at(u, k, addr, dirty, false, write_line);
}

/* write_line() for a level k that is the last one. */
INLINE void write_last(struct apmu_uarch *u, unsigned k, uint64_t addr, unsigned bytes, unsigned dirty)
{
	(void)bytes;
	write_at(u, k, addr, dirty, true, write_line);
}

static bool is_data(enum apmu_uarch__request request)
{
	return request == APMU_UARCH__REQUEST_READ || request == APMU_UARCH__REQUEST_WRITE ||
	       request == APMU_UARCH__REQUEST_PREFETCH;
}

/* A hit in an exclusive level: the line moves up. */
static void found(struct apmu_uarch__level *v, uint32_t slot, enum apmu_uarch__request request,
		  uint8_t *dirty)
{
	if (v->inclusion != APMU_EXCLUSIVE || !is_data(request))
		return;
	*dirty |= (uint8_t)apmu_uarch__packed_dirty(&v->sets, slot);
	apmu_uarch__packed_drop(&v->sets, slot);
}

INLINE enum apmu_uarch__at read_beyond(struct apmu_uarch *u, unsigned k, uint64_t addr,
				       enum apmu_uarch__request request, uint8_t *dirty, bool last,
				       read_next *next)
{
	if (!last)
		return next(u, k + 1, addr, request, dirty);
	apmu_uarch__from_memory(u, request);
	return APMU_UARCH__AT_MEMORY;
}

INLINE enum apmu_uarch__at look_up(struct apmu_uarch *u, unsigned k, uint64_t addr,
				   enum apmu_uarch__request request, uint8_t *dirty, bool last,
				   read_next *next, write_next *next_write)
{
	struct apmu_uarch__level *v = u->level[k];
	const struct apmu_uarch__level_signals *s = v->signal;
	uint64_t line = addr >> v->sets.shift;
	bool counts = request != APMU_UARCH__REQUEST_PREFETCH, unique = request == APMU_UARCH__REQUEST_WRITE;
	bool controller = k == 0 && u->p.l2.line_buffers;
	if (controller && apmu_uarch__l2c_buffered(u, line, request))
		return (enum apmu_uarch__at)v->at;
	u->n[s->read[request]]++;
	u->n[s->unique] += unique;
	u->n[APMU_SIG_LL_RD] += last & counts;
	u->n[APMU_SIG_LL_AHEAD] += last & !counts;
	struct apmu_uarch__place at = apmu_uarch__packed_hit(&v->sets, line);
	if (controller)
		apmu_uarch__l2c_read(u, request, at.slot != APMU_UARCH__NOWHERE);
	if (at.slot != APMU_UARCH__NOWHERE) {
		count_read_hit(u, v, at.slot, request, last);
		found(v, at.slot, request, dirty);
		return (enum apmu_uarch__at)v->at;
	}
	u->n[s->fill[request]]++;
	u->n[s->fill_unique] += unique;
	u->n[APMU_SIG_LL_MISS_RD] += last & counts;
	u->n[APMU_SIG_LL_MISS_AHEAD] += last & !counts;
	if (v->inclusion == APMU_EXCLUSIVE && is_data(request))
		return read_beyond(u, k, addr, request, dirty, last, next);
	uint8_t filled = 0;
	uint32_t slot = insert(u, k, &at, 0, last, next_write);
	enum apmu_uarch__at from = read_beyond(u, k, addr, request, &filled, last, next);
	if (!last)
		apmu_uarch__packed_mark_dirty(&v->sets, slot, filled);
	return from;
}

INLINE enum apmu_uarch__at read_at(struct apmu_uarch *u, unsigned k, uint64_t addr,
				   enum apmu_uarch__request request, uint8_t *dirty, bool last,
				   read_next *next, write_next *next_write)
{
	enum apmu_uarch__at at = look_up(u, k, addr, request, dirty, last, next, next_write);

	if (k == u->bus_level)
		apmu_uarch__bus_read(u, request, at);
	return at;
}

static enum apmu_uarch__at read_line(struct apmu_uarch *u, unsigned k, uint64_t addr,
				     enum apmu_uarch__request request, uint8_t *dirty)
{
	if (k + 1 == u->levels)
		return read_at(u, k, addr, request, dirty, true, read_line, write_line);
	if (k < u->levels)
		return read_at(u, k, addr, request, dirty, false, read_line, write_line);
	apmu_uarch__from_memory(u, request);
	return APMU_UARCH__AT_MEMORY;
}

INLINE enum apmu_uarch__at read_last(struct apmu_uarch *u, unsigned k, uint64_t addr,
				     enum apmu_uarch__request request, uint8_t *dirty)
{
	return read_at(u, k, addr, request, dirty, true, read_line, write_line);
}

enum apmu_uarch__at apmu_uarch__lower_read(struct apmu_uarch *u, uint64_t addr,
					   enum apmu_uarch__request request)
{
	uint8_t dirty = 0;
	apmu_uarch__levels_lock(u->shared);
	enum apmu_uarch__at at = read_line(u, 0, addr, request, &dirty);
	apmu_uarch__levels_unlock(u->shared);
	return at;
}

bool apmu_uarch__lower_ahead(struct apmu_uarch *u, uint64_t addr, enum apmu_uarch__at *at)
{
	uint8_t dirty = 0;
	struct apmu_uarch__level *l2 = u->level[0];
	if (u->levels == 0 || l2->at != APMU_UARCH__AT_L2 || l2->inclusion == APMU_EXCLUSIVE)
		return false;
	apmu_uarch__levels_lock(u->shared);
	bool lacks = apmu_uarch__packed_find(&l2->sets, addr >> l2->sets.shift) == APMU_UARCH__NOWHERE;
	if (lacks)
		*at = read_line(u, 0, addr, APMU_UARCH__REQUEST_PREFETCH, &dirty);
	apmu_uarch__levels_unlock(u->shared);
	return lacks;
}

/* Writes a store past L1 to the first level that takes it, or to memory; u->outside says how far it got. */
static void store_line(struct apmu_uarch *u, uint64_t addr, enum apmu_uarch__stored how)
{
	struct apmu_uarch__outside *o = &u->outside;
	bool whole = how != APMU_UARCH__STORE_PART;
	o->to_memory = o->on_bus = false;
	for (unsigned k = 0; k < u->levels; k++) {
		struct apmu_uarch__level *v = u->level[k];
		uint64_t line = addr >> v->sets.shift;
		uint8_t filled = 0;
		o->on_bus |= k == u->bus_level;
		u->n[v->signal->write]++;
		u->n[APMU_SIG_LL_WR] += k + 1 == u->levels;
		struct apmu_uarch__place at = apmu_uarch__packed_hit(&v->sets, line);
		bool hit = at.slot != APMU_UARCH__NOWHERE;
		if (k == 0 && u->p.l2.line_buffers)
			apmu_uarch__l2c_write(u, line, u->p.l1d.write == APMU_WRITE_THROUGH, hit);
		if (hit) {
			count_write_hit(u, v, at.slot, k + 1 == u->levels);
			apmu_uarch__packed_mark_dirty(&v->sets, at.slot, APMU_UARCH__DIRTY);
			return;
		}
		if (!v->write_allocate || how == APMU_UARCH__STORE_STREAM)
			continue;
		u->n[whole ? v->signal->allocate : v->signal->fill[APMU_UARCH__REQUEST_WRITE]]++;
		u->n[APMU_SIG_LL_MISS_WR] += !whole & (k + 1 == u->levels);
		insert(u, k, &at, APMU_UARCH__DIRTY, k + 1 == u->levels, write_line);
		if (!whole)
			o->read = 1 + read_line(u, k + 1, addr, APMU_UARCH__REQUEST_WRITE, &filled);
		return;
	}
	u->memory.owed[APMU_UARCH__AT_MEMORY] += u->line_write;
	o->to_memory = o->on_bus = true;
}

void apmu_uarch__lower_store(struct apmu_uarch *u, uint64_t addr, uint64_t last, enum apmu_uarch__stored how)
{
	struct apmu_uarch__outside *o = &u->outside;
	if (addr >> u->lower_shift != o->line) {
		apmu_uarch__levels_lock(u->shared);
		if (u->peer)
			apmu_uarch__ask_peers(u, addr >> u->l1d.shift, true);
		store_line(u, addr, how);
		apmu_uarch__levels_unlock(u->shared);
	}
	apmu_uarch__store_out(u, addr, last);
}

void apmu_uarch__store_past(struct apmu_uarch *u, uint64_t addr, uint64_t last)
{
	struct apmu_uarch__outside *o = &u->outside;
	if (addr >> u->lower_shift != o->line) {
		apmu_uarch__levels_lock(u->shared);
		apmu_uarch__ask_peers(u, addr >> u->l1d.shift, true);
		apmu_uarch__levels_unlock(u->shared);
	}
	if (u->units & APMU_UARCH__LOWER)
		apmu_uarch__memory_store(u, addr, last);
	else
		o->line = addr >> u->lower_shift;
}

/* apmu_uarch__lower_fill() for a machine whose L2 is the last level, or has one level below it. */
INLINE enum apmu_uarch__at fill_as(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line,
				   enum apmu_uarch__request request, unsigned dirty, bool last,
				   read_next *next_read, write_next *next_write)
{
	uint8_t *into = &c->dirty[c->slot];
	if (c->evicted != APMU_UARCH__NO_LINE)
		write_at(u, 0, c->evicted << c->shift, dirty, last, next_write);
	return read_at(u, 0, line << c->shift, request, into, last, next_read, next_write);
}

static enum apmu_uarch__at fill_two(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line,
				    enum apmu_uarch__request request, unsigned dirty)
{
	return fill_as(u, c, line, request, dirty, false, read_last, write_last);
}

static enum apmu_uarch__at fill_any(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line,
				    enum apmu_uarch__request request, unsigned dirty)
{
	uint8_t *into = &c->dirty[c->slot];
	apmu_uarch__levels_lock(u->shared);
	if (c->evicted != APMU_UARCH__NO_LINE)
		write_line(u, 0, c->evicted << c->shift, 1u << c->shift, dirty);
	enum apmu_uarch__at at = read_line(u, 0, line << c->shift, request, into);
	apmu_uarch__levels_unlock(u->shared);
	return at;
}

/* A line from another core of the cluster fills none of the levels that missed it and that the cores share:
 * to these it counts as a hit. */
static void undo_fills(struct apmu_uarch *u, enum apmu_uarch__request request, enum apmu_uarch__at found)
{
	bool counts = request != APMU_UARCH__REQUEST_PREFETCH;

	for (unsigned k = 0; k < u->levels && u->level[k]->at != found; k++) {
		const struct apmu_uarch__level_signals *s = u->level[k]->signal;
		bool last = k + 1 == u->levels;
		if (u->level[k] == &u->own[k])
			continue;
		u->n[s->fill[request]]--;
		u->n[s->fill_unique] -= request == APMU_UARCH__REQUEST_WRITE;
		u->n[s->hit_write] += request == APMU_UARCH__REQUEST_WRITE;
		u->n[APMU_SIG_LL_MISS_RD] -= last & counts;
		u->n[APMU_SIG_LL_MISS_AHEAD] -= last & !counts;
	}
}

/* apmu_uarch__lower_fill() for coherent threads, which asks the others first. A line that another thread
 * provides is still looked up in the levels below, but not counted as a read from outside. */
static __attribute__((noinline)) enum apmu_uarch__at fill_shared(struct apmu_uarch *u,
								 struct apmu_uarch__cache *c, uint64_t line,
								 enum apmu_uarch__request request)
{
	apmu_uarch__levels_lock(u->shared);
	apmu_uarch__answer_peers(u);
	enum apmu_uarch__answer answer = apmu_uarch__ask_peers(u, line, request == APMU_UARCH__REQUEST_WRITE);
	unsigned dirty = apmu_uarch__cache_put(c, line);
	enum apmu_uarch__at found = APMU_UARCH__AT_MEMORY;
	const uint64_t memory_rd = u->n[APMU_SIG_MEMORY_RD], bus_rd = u->n[APMU_SIG_BUS_RD];
	const uint64_t requests = u->n[APMU_SIG_BUS_REQ_RD], cycles = u->n[APMU_SIG_BUS_RD_CYCLES];

	apmu_uarch__count_victim(u, dirty);
	if (u->units & APMU_UARCH__LOWER) {
		if (c->evicted != APMU_UARCH__NO_LINE)
			write_line(u, 0, c->evicted << c->shift, 1u << c->shift, dirty);
		found = read_line(u, 0, line << c->shift, request, &c->dirty[c->slot]);
	}
	enum apmu_uarch__at at = apmu_uarch__got(u, request, answer, found);
	if (at == APMU_UARCH__AT_PEER) {
		if (u->units & APMU_UARCH__LOWER)
			undo_fills(u, request, found);
		u->n[APMU_SIG_MEMORY_RD] = memory_rd;
		u->n[APMU_SIG_BUS_RD_CYCLES] = cycles;
		if (u->bus_level == u->levels) {
			u->n[APMU_SIG_BUS_RD] = bus_rd;
			u->n[APMU_SIG_BUS_REQ_RD] = requests;
		} else {
			u->n[APMU_SIG_BUS_RD_CYCLES] += u->latency[at];
		}
	}
	apmu_uarch__levels_unlock(u->shared);
	return at;
}

enum apmu_uarch__at apmu_uarch__lower_fill(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t line,
					   enum apmu_uarch__request request)
{
	if (__builtin_expect(u->peer != NULL, 0))
		return fill_shared(u, c, line, request);
	unsigned dirty = apmu_uarch__cache_put(c, line);
	apmu_uarch__count_victim(u, dirty);
	if (!(u->units & APMU_UARCH__LOWER))
		return APMU_UARCH__AT_MEMORY;
	if (u->levels == 0 || (u->shared && u->shared->many))
		return fill_any(u, c, line, request, dirty);
	if (u->levels == 2)
		return fill_two(u, c, line, request, dirty);
	return fill_as(u, c, line, request, dirty, true, read_line, write_line);
}

void apmu_uarch__lower_write(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty)
{
	unsigned k = 0;

	while (k < u->levels && u->level[k] == &u->own[k])
		k++;
	const uint64_t requests = u->n[APMU_SIG_BUS_REQ_WR], beats = u->n[APMU_SIG_BUS_WR];
	write_line(u, k, addr, bytes, dirty);
	if (k == u->bus_level) { /* what a snoop brings is not on the bus */
		u->n[APMU_SIG_BUS_REQ_WR] = requests;
		u->n[APMU_SIG_BUS_WR] = beats;
	}
}

void apmu_uarch__lower_leave(struct apmu_uarch *u)
{
	for (unsigned k = 0; k < u->levels; k++) {
		struct apmu_uarch__packed *s = &u->level[k]->sets;
		size_t slots = u->level[k] == &u->own[k] ? (size_t)(s->set_mask + 1) << s->pitch : 0;
		for (size_t slot = 0; slot < slots; slot++)
			if (s->word[slot] & APMU_UARCH__WORD_HELD)
				apmu_uarch__lower_write(
					u, apmu_uarch__packed_line_in(s, (uint32_t)slot) << s->shift,
					1u << s->shift, apmu_uarch__packed_dirty(s, (uint32_t)slot));
	}
}

void apmu_uarch__lower_drop(struct apmu_uarch *u, uint64_t addr, unsigned bytes)
{
	for (unsigned k = 0; k < u->levels; k++)
		if (u->level[k] == &u->own[k])
			drop_lower(u, &u->own[k].sets, addr, bytes, true);
}

void apmu_uarch__lower_put(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty)
{
	apmu_uarch__levels_lock(u->shared);
	write_line(u, 0, addr, bytes, dirty);
	apmu_uarch__levels_unlock(u->shared);
}

static void maintain(struct apmu_uarch *u, unsigned k, uint32_t slot, enum apmu_maintenance what)
{
	struct apmu_uarch__packed *s = &u->level[k]->sets;
	unsigned dirty = what == APMU_MAINTAIN_INVALIDATE ? 0 : apmu_uarch__packed_dirty(s, slot);

	if (!(s->word[slot] & APMU_UARCH__WORD_HELD))
		return;
	if (dirty) {
		u->n[u->level[k]->signal->write_back]++;
		write_line(u, k + 1, apmu_uarch__packed_line_in(s, slot) << s->shift, 1u << s->shift, dirty);
	}
	if (what == APMU_MAINTAIN_CLEAN)
		s->word[slot] &= ~APMU_UARCH__WORD_DIRTY;
	else
		apmu_uarch__packed_drop(s, slot);
}

/* Maintenance reaches levels that are switched off, too: they have lines. Returns the levels that are on. */
static unsigned begin_maintenance(struct apmu_uarch *u)
{
	unsigned on = u->levels;

	apmu_uarch__levels_lock(u->shared);
	apmu_uarch__levels_set(u, u->controls.levels);
	return on;
}

static void end_maintenance(struct apmu_uarch *u, unsigned on)
{
	apmu_uarch__levels_set(u, on);
	apmu_uarch__levels_unlock(u->shared);
}

void apmu_uarch__lower_maintain(struct apmu_uarch *u, unsigned k, uint32_t slot, enum apmu_maintenance what)
{
	unsigned on = begin_maintenance(u);

	maintain(u, k, slot, what);
	end_maintenance(u, on);
}

void apmu_uarch__lower_maintain_at(struct apmu_uarch *u, uint64_t addr, enum apmu_maintenance what)
{
	unsigned on = begin_maintenance(u);

	for (unsigned k = 0; k < u->levels; k++) {
		struct apmu_uarch__packed *s = &u->level[k]->sets;
		uint32_t slot = apmu_uarch__packed_find(s, addr >> s->shift);

		if (slot != APMU_UARCH__NOWHERE)
			maintain(u, k, slot, what);
	}
	end_maintenance(u, on);
}
