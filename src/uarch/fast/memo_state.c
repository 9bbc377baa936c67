/* SPDX-License-Identifier: MIT */
/* Packs the window into the halfwords of a state, relative to the dispatch time, and unpacks it. */
#include "uarch/fast/memo.h"

#include "uarch/pass.h"

#include <string.h>

#define FARTHEST UINT16_MAX /* most cycles, or ticks, ahead of dispatch */
#define LATE_IN  4u         /* halfwords of a mask of registers */
#define EACH     4u         /* cycles of a group of pipes per halfword; with a queue per pipe half of them */
#define OWED     8          /* lowest bit of `owed` in the first halfword of a group */
#define IN_ORDER (1u << 15) /* bit of that halfword: `edge` and `after` of the group follow */
#define TURN     (1u << 15) /* bit of the number of a scheduler's entries: `turn` */

/* The halfwords of a state, times being relative to dispatch. From LISTS on: the cycles of the late
 * registers, then of the late stores; for each scheduler, the number of entries taken and `turn`, and the
 * cycle in which each entry becomes free; for each group of pipes, the number of halfwords that follow and
 * `owed`, then the pipes taken in each cycle: their number in four bits, or with a queue per pipe eight bits;
 * for each chunk, the number of entries dispatched since its end, and the cycle in which it has left. */
enum {
	SIZE,                                /* number of halfwords */
	RETIRED = APMU_UARCH__IN_WINDOW,     /* cycles: `retired` */
	DRAINED,                             /* cycles: `drained` */
	FROM,                                /* cycles: from[] */
	FOLLOWS = FROM + APMU_UARCH__CAUSES, /* ticks: `follows` plus `past` */
	FLAGS,                               /* cycles: condition flags that a block carries to itself */
	STARTED,                             /* cycles: `started` */
	LATE,                                /* mask of the late registers, low part first */
	STORES = LATE + LATE_IN,             /* mask of the stores whose data are late */
	COUNTING, /* `counts`; from bit 1 on, ticks of the dispatch cycle that have passed */
	CHUNKS,   /* by queue: number of chunks */
	LISTS = CHUNKS + APMU_UARCH__QUEUES
};

static uint16_t ahead(uint64_t when, uint64_t now)
{
	uint64_t more = when > now ? when - now : 0;
	return more < FARTHEST ? (uint16_t)more : FARTHEST;
}

/* Cycles after the flags are ready in which an instruction may still wait for them. */
static uint64_t margin(const struct apmu_uarch__window *w)
{
	return w->factor + w->mulh_flags;
}

static uint32_t add_registers(const struct apmu_uarch__window *w, uint64_t now, uint16_t *out, uint32_t n)
{
	uint64_t late = 0;
	for (unsigned r = 0; r < APMU_UARCH__FLAGS; r++) {
		uint64_t matters = w->ready[r] + w->factor; /* a multiplication may wait for it until then */
		if (matters <= now)
			continue;
		late |= (uint64_t)1 << r;
		out[n++] = ahead(matters, now);
	}
	for (unsigned k = 0; k < LATE_IN; k++)
		out[LATE + k] = (uint16_t)(late >> 16 * k);
	return n;
}

static uint32_t add_stores(const struct apmu_uarch__window *w, uint64_t now, uint16_t *out, uint32_t n)
{
	out[STORES] = 0;
	for (uint32_t age = 1; w->forwards && age <= APMU_UARCH__AGES; age++) {
		uint64_t until = w->data[(w->stored - age) % APMU_UARCH__DATA];
		if (until <= now)
			continue;
		out[STORES] = (uint16_t)(out[STORES] | 1u << (age - 1));
		out[n++] = ahead(until, now);
	}
	return n;
}

/* Adds the entries of a scheduler that are taken, the first to become free first. */
static uint32_t add_scheduler(const struct apmu_uarch__scheduler *s, uint64_t now, uint16_t *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->size; i++) {
		uint16_t until = ahead(s->leaves[i], now);
		uint32_t k = n;
		if (until == 0)
			continue;
		for (; k && out[k - 1] > until; k--)
			out[k] = out[k - 1];
		out[k] = until;
		n++;
	}
	return n;
}

/* True if the next choice of two schedulers is the second, which it never is while both are empty. */
static bool turn_of(const struct apmu_uarch__window *w, const struct apmu_uarch__scheduler *s, uint64_t now)
{
	return s->turn &&
	       apmu_uarch__later(w->scheduler[s->first].latest, w->scheduler[s->second].latest) > now;
}

static uint32_t add_schedulers(const struct apmu_uarch__window *w, uint64_t now, uint16_t *out, uint32_t n)
{
	for (unsigned k = 1; w->scheduling && k < APMU_UNITS; k++) {
		const struct apmu_uarch__scheduler *s = &w->scheduler[k];
		if (s->size == 0)
			continue;
		if (n + 1 + s->size > APMU_UARCH__LONGEST)
			return APMU_UARCH__LONGEST;
		uint32_t waiting = add_scheduler(s, now, &out[n + 1]);
		out[n] = (uint16_t)(waiting | (turn_of(w, s, now) ? TURN : 0));
		n += 1 + waiting;
	}
	return n;
}

static const uint16_t *take_schedulers(struct apmu_uarch__window *w, uint64_t now, const uint16_t *list)
{
	for (unsigned k = 1; w->scheduling && k < APMU_UNITS; k++) {
		struct apmu_uarch__scheduler *s = &w->scheduler[k];
		if (s->size == 0)
			continue;
		uint32_t waiting = *list & (TURN - 1u);
		s->turn = *list++ & TURN;
		memset(s->leaves, 0, s->size * sizeof(s->leaves[0]));
		for (uint32_t i = 0; i < waiting; i++)
			s->leaves[i] = now + *list++;
		s->latest = waiting ? s->leaves[waiting - 1] : 0;
		s->next = waiting < s->size ? waiting : 0;
	}
	return list;
}

/* Cycles of the group per halfword. */
static unsigned each_of(const struct apmu_uarch__pipes *g)
{
	return g->queues ? EACH / 2 : EACH;
}

/* Bit k: byte k, which is 0 or 1. */
static unsigned bits_of(uint64_t by_pipe)
{
	return (unsigned)(by_pipe * 0x0102040810204080u >> 56);
}

/* What of the group is taken in each cycle of a halfword from `at` on. */
static uint16_t taken_from(const struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t at)
{
	const struct apmu_uarch__pipes *g = &p->group[unit];
	unsigned all = 0, each = each_of(g);
	for (unsigned c = 0; c < each && at + c < g->edge; c++) {
		unsigned cycle = (at + c) % APMU_UARCH__PIPE_CYCLES;
		unsigned taken =
			g->queues ? bits_of(p->by_pipe[cycle]) : (unsigned)p->taken[unit][cycle] - g->none;
		all |= taken << 16 / each * c;
	}
	return (uint16_t)all;
}

/* True if no pipe is taken in sizeof(uint64_t) cycles from `at` on, the common case. May be false where the
 * answer would be slow. */
static bool none_taken(const struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t at)
{
	unsigned first = at % APMU_UARCH__PIPE_CYCLES;
	uint64_t taken = 0;
	if (first > APMU_UARCH__PIPE_CYCLES - sizeof(taken))
		return false;
	if (p->group[unit].queues) {
		for (unsigned c = 0; c < sizeof(taken); c++)
			taken |= p->by_pipe[first + c];
		return taken == 0;
	}
	memcpy(&taken, &p->taken[unit][first], sizeof(taken));
	return taken == p->group[unit].none * (UINT64_MAX / UINT8_MAX);
}

/* Adds a group of pipes, from the cycle of dispatch up to `end`: past cycles do not matter. */
static uint32_t add_group(const struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t end,
			  uint16_t *out)
{
	const struct apmu_uarch__pipes *g = &p->group[unit];
	uint32_t n = 0, used = 0;
	unsigned each = each_of(g);
	end = g->edge < end ? g->edge : end;
	if (g->queues && unit != p->queued) /* its pipes are in the outermost group */
		end = now;
	for (uint64_t at = now; at < end; at += sizeof(uint64_t)) {
		bool none = none_taken(p, unit, at);
		for (unsigned c = 0; c < sizeof(uint64_t); c += each) {
			out[++n] = none ? 0 : taken_from(p, unit, at + c);
			used = out[n] ? n : used;
		}
	}
	bool in_order = g->edge != UINT64_MAX && g->after > now * g->n;
	out[0] = (uint16_t)(used | (uint32_t)g->owed << OWED | (in_order ? IN_ORDER : 0));
	if (!in_order)
		return 1 + used;
	out[1 + used] = ahead(g->edge, now);
	out[2 + used] = ahead(g->after, now * g->n);
	return out[2 + used] < FARTHEST ? 3 + used : APMU_UARCH__LONGEST;
}

static uint32_t add_pipes(const struct apmu_uarch__window *w, uint64_t now, uint16_t *out, uint32_t n)
{
	const struct apmu_uarch__all_pipes *p = &w->pipes;
	uint64_t end = w->retired < p->held ? p->held : w->retired + 1, most = now + APMU_UARCH__PIPES_AHEAD;
	for (unsigned k = 1; k < APMU_UNITS; k++) {
		if (n + 6 + 2 * APMU_UARCH__PIPES_AHEAD / EACH > APMU_UARCH__LONGEST)
			return APMU_UARCH__LONGEST;
		n += add_group(p, k, now, end < most ? end : most, &out[n]);
	}
	return n;
}

static const uint16_t *take_group(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now,
				  const uint16_t *list)
{
	struct apmu_uarch__pipes *g = &p->group[unit];
	uint32_t n = *list & ((1u << OWED) - 1);
	bool in_order = *list & IN_ORDER;
	unsigned each = each_of(g), bits = 16 / each;
	g->owed = (uint8_t)(*list++ >> OWED & 15);
	uint64_t end = now + (uint64_t)n * each;
	p->held = p->held > end ? p->held : end;
	for (uint64_t at = now; n; n--, at += each, list++)
		for (unsigned c = 0; c < each && *list >> bits * c; c++) {
			unsigned taken = *list >> bits * c & ((1u << bits) - 1);
			unsigned cycle = (at + c) % APMU_UARCH__PIPE_CYCLES;
			if (!g->queues) {
				p->taken[unit][cycle] = (uint8_t)(g->none + taken);
				continue;
			}
			p->by_pipe[cycle] = apmu_uarch__pipes_spread(taken);
			p->work += p->by_pipe[cycle];
		}
	if (in_order) {
		apmu_uarch__pipes_close(p, unit, now + *list++);
		g->after = now * g->n + *list++;
	}
	return list;
}

static const uint16_t *take_pipes(struct apmu_uarch__window *w, uint64_t now, const uint16_t *list)
{
	struct apmu_uarch__all_pipes *p = &w->pipes;
	apmu_uarch__pipes_clear(p, now);
	for (unsigned k = 1; k < APMU_UNITS; k++)
		list = take_group(p, k, now, list);
	return list;
}

uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w)
{
	return w->memo->room[w->state + STORES];
}

/* Adds the chunks that have not left, the oldest first, unless they will have left before the queue can be
 * full: with at most `width` more entries per cycle, and a chunk that waits for room as a whole. 0: no such
 * limit. */
static uint32_t add_chunks(const struct apmu_uarch__queue *q, uint64_t now, uint32_t width, uint16_t *out,
			   uint32_t n, uint16_t *count)
{
	uint32_t i = q->first, added = 0;
	while (i != q->last && q->chunk[i].until <= now)
		i = (i + 1) & q->mask;
	uint32_t left = (q->last - i) & q->mask;
	if (n + 2 * left > APMU_UARCH__LONGEST)
		return APMU_UARCH__LONGEST;
	for (; i != q->last; i = (i + 1) & q->mask) {
		uint64_t room = q->chunk[i].due - q->count, until = q->chunk[i].until - now;
		if (width && room > until * width + APMU_UARCH__CHUNK)
			continue;
		out[n++] = (uint16_t)(q->size - room);
		out[n++] = ahead(q->chunk[i].until, now);
		added++;
	}
	*count = (uint16_t)added;
	return n;
}

bool apmu_uarch__memo_describe(const struct apmu_uarch__window *w, uint16_t out[APMU_UARCH__LONGEST])
{
	uint64_t now = apmu_uarch__dispatching(w);
	out[RETIRED] = ahead(w->retired, now);
	out[DRAINED] = ahead(w->drained, now);
	for (unsigned k = 0; k < APMU_UARCH__CAUSES; k++)
		out[FROM + k] = ahead(w->from[k], now);
	out[FOLLOWS] = ahead(w->follows + w->past, w->now);
	out[FLAGS] = ahead(w->ready[APMU_UARCH__CARRIED] + margin(w), now);
	out[STARTED] = ahead(w->started, now);
	out[COUNTING] = (uint16_t)(w->counts | apmu_uarch__phase(w) << 1);
	uint32_t n = add_schedulers(w, now, out, add_stores(w, now, out, add_registers(w, now, out, LISTS)));
	n = add_pipes(w, now, out, n);
	n = add_chunks(&w->queue[APMU_UARCH__OPS], now, 0, out, n, &out[CHUNKS]);
	for (unsigned q = APMU_UARCH__OPS + 1; q < APMU_UARCH__QUEUES; q++)
		n = add_chunks(&w->queue[q], now, w->cycle / APMU_UARCH__TICKS, out, n, &out[CHUNKS + q]);
	out[SIZE] = (uint16_t)n;
	return n < APMU_UARCH__LONGEST && out[DRAINED] < FARTHEST / 2 && /* no other time is much later */
	       out[FOLLOWS] < FARTHEST;
}

void apmu_uarch__memo_unpack(struct apmu_uarch__window *w)
{
	if (!w->state)
		return;
	const uint16_t *in = &w->memo->room[w->state], *list = in + LISTS;
	uint64_t late = 0, now = apmu_uarch__dispatching(w);
	for (unsigned k = 0; k < LATE_IN; k++)
		late |= (uint64_t)in[LATE + k] << 16 * k;
	w->state = 0;
	w->late_stores = APMU_UARCH__AGES;
	w->retired = now + in[RETIRED];
	w->drained = now + in[DRAINED];
	for (unsigned k = 0; k < APMU_UARCH__CAUSES; k++)
		w->from[k] = now + in[FROM + k];
	w->follows = w->now + in[FOLLOWS] > w->past ? w->now + in[FOLLOWS] - w->past : 0;
	memset(w->ready, 0, sizeof(w->ready));
	w->ready[APMU_UARCH__CARRIED] = in[FLAGS] ? now + in[FLAGS] - margin(w) : 0;
	w->started = now + in[STARTED];
	for (; late; late &= late - 1)
		w->ready[__builtin_ctzll(late)] = now + *list++ - w->factor;
	memset(w->data, 0, sizeof(w->data));
	for (uint32_t stores = in[STORES]; stores; stores &= stores - 1)
		w->data[(w->stored - 1 - (uint32_t)__builtin_ctz(stores)) % APMU_UARCH__DATA] = now + *list++;
	list = take_pipes(w, now, take_schedulers(w, now, list));
	for (unsigned k = 0; k < APMU_UARCH__QUEUES; k++) {
		struct apmu_uarch__queue *q = &w->queue[k];
		q->first = 0;
		q->last = in[CHUNKS + k];
		q->newest = 0;
		uint64_t room = q->count + q->size;
		for (uint32_t i = 0; i < q->last; i++, list += 2)
			q->chunk[i] = (struct apmu_uarch__leave){room - list[0], now + list[1]};
		if (q->last) /* behind the loop: inside it, gcc 12 at -O3 gives the wrong `due` */
			q->newest = q->chunk[q->last - 1].until;
		q->chunk[q->last].due = UINT64_MAX;
	}
}
