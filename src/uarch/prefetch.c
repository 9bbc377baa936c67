/* SPDX-License-Identifier: MIT */
/*
 * The data prefetcher: streams of L1 misses with a constant stride. A line that it brings has no hint, so
 * that its first use takes the long way and moves the stream on; a hit costs nothing.
 */
#include "machine.h"

static void fetch_ahead(struct apmu_uarch *u, uint64_t line, uint64_t now)
{
	struct apmu__cache *c = &u->l1d;
	if (apmu__cache_has(c, line)) {
		u->n[APMU_SIG_PREFETCH_DROP]++;
		return;
	}
	u->n[APMU_SIG_PREFETCH_FILL]++;
	enum apmu__at at = apmu__bring(u, c, line, APMU__AHEAD);
	c->dirty[c->slot] |= APMU__PREFETCHED;
	apmu__cache_unhint(c, line);
	if (u->parts & APMU__TIME)
		u->arrive[c->slot] = now + apmu__read_bus(u, now, at);
}

/* Lines up to the distance, within the page. */
static void run_ahead(struct apmu_uarch *u, struct apmu__stream *s, uint64_t now)
{
	unsigned page = u->dtlb.shift - u->l1d.shift;
	for (unsigned k = s->ahead + 1u; k <= u->p.prefetch.distance; k++) {
		uint64_t line = s->last + (uint64_t)((int64_t)s->stride * k);
		if ((line ^ s->last) >> page)
			return;
		s->ahead = (uint8_t)k;
		fetch_ahead(u, line, now);
	}
}

static bool follows(const struct apmu__stream *s, uint64_t line, unsigned most)
{
	uint64_t up = line - s->last, down = s->last - line;
	return up <= most || down <= most;
}

static struct apmu__stream *find(struct apmu_uarch *u, uint64_t line)
{
	struct apmu__stream *oldest = &u->stream[0];
	for (unsigned k = 0; k < u->p.prefetch.streams; k++) {
		struct apmu__stream *s = &u->stream[k];
		if (s->used && follows(s, line, u->p.prefetch.max_stride))
			return s;
		if (s->used < oldest->used)
			oldest = s;
	}
	*oldest = (struct apmu__stream){.last = line};
	return oldest;
}

void apmu__prefetch(struct apmu_uarch *u, uint64_t line, uint64_t now)
{
	uint32_t slot = u->l1d.slot;
	struct apmu__stream *s = find(u, line);
	int64_t stride = (int64_t)(line - s->last);
	s->used = ++u->streams_used;
	if (stride != 0 && stride == s->stride) {
		s->steps = (uint8_t)(s->steps + (s->steps < UINT8_MAX));
		s->ahead = (uint8_t)(s->ahead ? s->ahead - 1 : 0);
	} else if (stride != 0) {
		s->stride = (int8_t)stride;
		s->steps = 1;
		s->ahead = 0;
	}
	s->last = line;
	if (s->steps >= u->p.prefetch.trigger)
		run_ahead(u, s, now);
	u->l1d.slot = slot;
}
