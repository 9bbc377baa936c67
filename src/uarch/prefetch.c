/* SPDX-License-Identifier: MIT */
/*
 * The data prefetcher: streams of L1 misses with a constant stride. A prefetched line has no hint, so
 * that its first use takes the general path and advances the stream. Later hits cost nothing extra.
 */
#include "uarch/memory.h"
#include "uarch/simd.h"

/* Frees the places of prefetches that have arrived. Called when no place is free. */
static void drop_arrived(struct apmu_uarch__prefetches *a, uint64_t now)
{
	unsigned left = 0;
	for (unsigned k = 0; k < a->n; k++) {
		a->line[left] = a->line[k];
		left += a->line[k].ready > now;
	}
	a->n = left;
}

/* Requests a line; if no place is free, its first user has to request it, as for a miss. The line is filled
 * all the same, so that counts do not depend on time. */
void apmu_uarch__request_prefetch(struct apmu_uarch *u, uint32_t slot, enum apmu_uarch__at at, uint64_t now)
{
	struct apmu_uarch__prefetches *a = &u->memory.prefetches;
	struct apmu_uarch__arrival *arrival = &u->arrive[slot];
	*arrival = (struct apmu_uarch__arrival){APMU_UARCH__NEVER, (uint8_t)at, 0};
	if (a->n >= u->p.prefetch.flights)
		drop_arrived(a, now);
	if (a->n >= u->p.prefetch.flights)
		return;
	arrival->took = (uint32_t)apmu_uarch__read_for_prefetch(u, now, at);
	arrival->when = now + arrival->took;
	a->last = arrival->when > a->last ? arrival->when : a->last;
	a->line[a->n++] = (struct apmu_uarch__prefetch_line){arrival->when, slot, (uint8_t)at, false};
}

static void shift(struct apmu_uarch *u, struct apmu_uarch__prefetch_line *l, uint64_t turn)
{
	struct apmu_uarch__arrival *arrival = &u->arrive[l->slot];
	if (arrival->when == l->ready) {
		arrival->when = turn;
		arrival->took += (uint32_t)(turn - l->ready);
	}
	l->ready = turn;
	u->memory.prefetches.last = turn > u->memory.prefetches.last ? turn : u->memory.prefetches.last;
}

/* A line that an access wants overtakes those of the first `n` prefetches that nobody wants and that have not
 * begun: each of these takes the turn of the next one, and the last takes `turn`. Returns the cycle in which
 * the line arrives. */
static uint64_t overtake(struct apmu_uarch *u, unsigned n, uint64_t begun, enum apmu_uarch__at at,
			 uint64_t turn)
{
	struct apmu_uarch__prefetches *a = &u->memory.prefetches;
	for (unsigned k = n; k-- > 0;) {
		struct apmu_uarch__prefetch_line *l = &a->line[k];
		uint64_t earlier = l->ready;
		if (l->wanted || l->at != at || earlier <= begun || earlier >= turn)
			continue;
		shift(u, l, turn);
		turn = earlier;
	}
	return turn;
}

uint64_t apmu_uarch__overtake(struct apmu_uarch *u, uint64_t now, enum apmu_uarch__at at, uint64_t cycles)
{
	return overtake(u, u->memory.prefetches.n, now + u->latency[at], at, now + cycles) - now;
}

void apmu_uarch__promote_prefetch(struct apmu_uarch *u, uint32_t slot, uint64_t now)
{
	struct apmu_uarch__prefetches *a = &u->memory.prefetches;
	struct apmu_uarch__arrival *arrival = &u->arrive[slot];
	unsigned k = 0;
	while (k < a->n && (a->line[k].slot != slot || a->line[k].ready != arrival->when))
		k++;
	if (k == a->n || a->line[k].wanted)
		return;
	a->line[k].wanted = true;
	uint64_t turn = overtake(u, k, now + u->latency[arrival->at], (enum apmu_uarch__at)arrival->at,
				 arrival->when);
	shift(u, &a->line[k], turn);
}

/* Out of order: the instruction that advances the stream starts later than its block, and the line is
 * requested only then. Until its time is known, the line counts as in flight from `now` on. */
static void record_prefetch(struct apmu_uarch *u, unsigned i, enum apmu_uarch__at at, uint64_t now)
{
	uint32_t slot = u->l1d.slot;
	if (u->window->late_accesses == APMU_UARCH__LATE_ACCESSES) {
		apmu_uarch__request_prefetch(u, slot, at, now);
		return;
	}
	u->arrive[slot] = (struct apmu_uarch__arrival){now + u->latency[at], (uint8_t)at, u->latency[at]};
	apmu_uarch__record_late(u->window, i, APMU_UARCH__LATE_TRIGGER, at, slot);
}

/* A prefetcher that asks L2 first looks the line up there for itself, then for L1. A line that L2 lacks is
 * filled once, by the second look-up in this model. */
static void ask_l2_first(struct apmu_uarch *u)
{
	bool lower = u->p.prefetch.twice && (u->units & APMU_UARCH__LOWER) && u->levels;
	if (lower && u->level[0]->at == APMU_UARCH__AT_L2)
		u->n[APMU_SIG_L2_AHEAD]++;
}

static void prefetch_line(struct apmu_uarch *u, unsigned i, uint64_t line, uint64_t now)
{
	struct apmu_uarch__cache *c = &u->l1d;
	if (apmu_uarch__cache_has(c, line)) {
		u->n[APMU_SIG_PREFETCH_DROP]++;
		return;
	}
	u->n[APMU_SIG_PREFETCH_FILL]++;
	ask_l2_first(u);
	enum apmu_uarch__at at = apmu_uarch__lower_fill(u, c, line, APMU_UARCH__REQUEST_PREFETCH);
	c->dirty[c->slot] |= APMU_UARCH__PREFETCHED;
	apmu_uarch__cache_unhint(c, line);
	if (u->window)
		record_prefetch(u, i, at, now);
	else if (u->units & APMU_UARCH__TIME)
		apmu_uarch__request_prefetch(u, c->slot, at, now);
}

/* Steps of the same stride before a stream prefetches. */
static unsigned trigger_of(const struct apmu_prefetch_params *p, const struct apmu_uarch__stream *s)
{
	bool next = s->stride == 1 || s->stride == -1;
	return next && p->next ? p->next : p->trigger;
}

/* How far ahead a stream may be: the more steps it has made, the farther. */
static unsigned distance_of(const struct apmu_prefetch_params *p, const struct apmu_uarch__stream *s)
{
	unsigned grown = p->begin + s->steps - trigger_of(p, s);
	return p->begin && grown < p->distance ? grown : p->distance;
}

/* Prefetches lines up to the distance, within the page unless the prefetcher crosses pages. */
static void run_ahead(struct apmu_uarch *u, struct apmu_uarch__stream *s, unsigned i, uint64_t now)
{
	unsigned page = u->dtlb.shift - u->l1d.shift, most = distance_of(&u->p.prefetch, s);
	for (unsigned k = s->ahead + 1u; k <= most; k++) {
		uint64_t line = s->last + (uint64_t)((int64_t)s->stride * k);
		if ((line ^ s->last) >> page && !u->p.prefetch.crosses)
			return;
		s->ahead = (uint8_t)k;
		prefetch_line(u, i, line, now);
	}
}

static bool follows(const struct apmu_uarch__stream *s, uint64_t line, unsigned most)
{
	uint64_t up = line - s->last, down = s->last - line;
	return up <= most || down <= most;
}

static void mark(struct apmu_uarch__streams *all, unsigned k, uint64_t line, unsigned most)
{
	all->from[k] = (uint32_t)line - most - 0x80000000u;
}

typedef int32_t four_signed __attribute__((vector_size(16)));

/* The streams among four that a line does not follow, by the low half of its number. */
static inline apmu_uarch__four beyond(const uint32_t *from, apmu_uarch__four line, four_signed last)
{
	return (apmu_uarch__four)((four_signed)(line - apmu_uarch__four_load(from)) > last);
}

/* The streams that `line` may follow, one bit each. */
static inline unsigned followed(const struct apmu_uarch__streams *all, uint64_t line, unsigned most,
				unsigned streams)
{
	const apmu_uarch__four low = apmu_uarch__four_of((uint32_t)line);
	const four_signed last = (four_signed)apmu_uarch__four_of(2 * most - 0x80000000u);
	const uint32_t *from = all->from;
	if (streams <= 4)
		return all->used & ~apmu_uarch__four_which(beyond(from, low, last));
	return all->used & ~apmu_uarch__sixteen_which(beyond(from, low, last), beyond(from + 4, low, last),
						      beyond(from + 8, low, last),
						      beyond(from + 12, low, last));
}

/* Begins a stream in place of the least recently used one. */
static void begin(struct apmu_uarch__streams *all, uint64_t line, unsigned most, unsigned streams)
{
	unsigned k = apmu_uarch__order_oldest(all->order);
	all->used |= 1u << k;
	all->stream[k] = (struct apmu_uarch__stream){.last = line};
	mark(all, k, line, most);
	all->order = apmu_uarch__order_use_oldest(all->order, streams);
}

/* Advances a stream by one step. */
static void step(struct apmu_uarch__stream *s, uint64_t line)
{
	int64_t stride = (int64_t)(line - s->last);
	if (stride != 0 && stride == s->stride) {
		s->steps = (uint8_t)(s->steps + (s->steps < UINT8_MAX));
		s->ahead = (uint8_t)(s->ahead ? s->ahead - 1 : 0);
	} else if (stride != 0) {
		s->stride = (int8_t)stride;
		s->steps = 1;
		s->ahead = 0;
	}
	s->last = line;
}

static void go_on(struct apmu_uarch *u, struct apmu_uarch__stream *s, unsigned i, uint64_t line, uint64_t now)
{
	struct apmu_uarch__streams *all = &u->streams;
	unsigned k = (unsigned)(s - all->stream);
	all->order = apmu_uarch__order_use(all->order, k, u->p.prefetch.streams);
	mark(all, k, line, u->p.prefetch.max_stride);
	step(s, line);
	if (s->steps < trigger_of(&u->p.prefetch, s))
		return;
	uint32_t slot = u->l1d.slot;
	run_ahead(u, s, i, now);
	u->l1d.slot = slot;
}

/* One of the streams in `found` may continue. noinline: a miss that belongs to no stream needs no stack
 * frame. */
static __attribute__((noinline)) void look_closer(struct apmu_uarch *u, unsigned found, unsigned i,
						  uint64_t line, uint64_t now)
{
	const struct apmu_prefetch_params *p = &u->p.prefetch;
	for (; found; found &= found - 1) {
		struct apmu_uarch__stream *s = &u->streams.stream[__builtin_ctz(found)];
		if (follows(s, line, p->max_stride)) {
			go_on(u, s, i, line, now);
			return;
		}
	}
	begin(&u->streams, line, p->max_stride, p->streams);
}

void apmu_uarch__prefetch(struct apmu_uarch *u, unsigned i, uint64_t line, uint64_t now)
{
	const struct apmu_prefetch_params *p = &u->p.prefetch;
	unsigned found = followed(&u->streams, line, p->max_stride, p->streams);
	if (found)
		look_closer(u, found, i, line, now);
	else
		begin(&u->streams, line, p->max_stride, p->streams);
}
