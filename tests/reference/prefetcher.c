/* SPDX-License-Identifier: MIT */
#include "prefetcher.h"

#include <stddef.h>

/* The stream that the line continues: one whose stride matches, else the youngest within `max_stride`. */
static struct stream *find(struct streams *s, const struct apmu_uarch_params *p, uint64_t line)
{
	struct stream *near = NULL;
	for (unsigned k = 0; k < p->prefetch.streams; k++) {
		struct stream *m = &s->stream[k];
		int64_t step = (int64_t)(line - m->last);
		if (!m->used || step == 0)
			continue;
		if (step == m->stride)
			return m;
		if (step >= -(int64_t)p->prefetch.max_stride && step <= p->prefetch.max_stride &&
		    (!near || m->when > near->when))
			near = m;
	}
	return near;
}

static struct stream *oldest(struct streams *s, const struct apmu_uarch_params *p)
{
	struct stream *old = &s->stream[0];
	for (unsigned k = 0; k < p->prefetch.streams; k++) {
		if (!s->stream[k].used)
			return &s->stream[k];
		if (s->stream[k].when < old->when)
			old = &s->stream[k];
	}
	return old;
}

unsigned streams_see(struct streams *s, const struct apmu_uarch_params *p, uint64_t line,
		     uint64_t wanted[STREAM_MOST])
{
	unsigned n = 0;
	if (!p->prefetch.streams)
		return 0;
	struct stream *m = find(s, p, line);
	s->now++;
	if (!m) {
		*oldest(s, p) = (struct stream){.used = true, .last = line, .when = s->now};
		return 0;
	}
	int64_t step = (int64_t)(line - m->last);
	m->steps = step == m->stride ? m->steps + 1 : 1;
	m->stride = step;
	m->last = line;
	m->when = s->now;
	bool neighbour = step == 1 || step == -1;
	unsigned trigger = neighbour && p->prefetch.next ? p->prefetch.next : p->prefetch.trigger;
	if (m->steps < trigger)
		return 0;
	int64_t distance = p->prefetch.distance, grown = (int64_t)p->prefetch.begin + m->steps - trigger;
	if (p->prefetch.begin && grown < distance)
		distance = grown;
	uint64_t page = p->page / p->l1d.line;
	for (int64_t k = 1; k <= distance; k++) {
		uint64_t at = line + (uint64_t)(k * step);
		if (!p->prefetch.crosses && at / page != line / page)
			break;
		wanted[n++] = at;
	}
	return n;
}
