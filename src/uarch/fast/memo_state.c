/* SPDX-License-Identifier: MIT */
/* The window's state in words, relative to the dispatch time, and back. */
#include "uarch/fast/memo.h"

#include "uarch/pass.h"

#include <string.h>

#define FARTHEST UINT32_MAX /* ticks ahead */

/* The words of a state: how many follow; ticks ahead of dispatch: retired, drained, from[], what follows
 * the next taken branch where it still matters, flags that a block carries to itself, the
 * last instruction that started in order, the pipes; a mask of
 * the registers that are late, low half first; one of the stores whose data are; whether stalls are counted,
 * and, where a taken branch ends a cycle, the ticks that have passed of this one;
 * how many chunks each queue has; the registers' ticks, the stores'; of each scheduler how many wait there,
 * and their ticks; of each chunk how many were dispatched since its end, and ticks until it has left. */
enum {
	SIZE,
	RETIRED = APMU_UARCH__IN_WINDOW,
	DRAINED,
	FROM,
	FOLLOWS = FROM + APMU_UARCH__CAUSES,
	FLAGS,
	STARTED,
	PIPES,
	LATE = PIPES + APMU_UNITS,
	STORES = LATE + 2,
	COUNTING,
	CHUNKS,
	LISTS = CHUNKS + APMU_UARCH__QUEUES
};

static uint32_t ahead(uint64_t when, uint64_t now)
{
	uint64_t ticks = when > now ? when - now : 0;
	return ticks < FARTHEST ? (uint32_t)ticks : FARTHEST;
}

static uint32_t add_registers(const struct apmu_uarch__window *w, uint32_t *out, uint32_t n)
{
	uint64_t late = 0;
	for (unsigned r = 0; r < APMU_UARCH__FLAGS; r++) {
		uint64_t matters = w->ready[r] + w->factor; /* a multiplication waits for it until then */
		if (matters <= w->now)
			continue;
		late |= (uint64_t)1 << r;
		out[n++] = ahead(matters, w->now);
	}
	out[LATE] = (uint32_t)late;
	out[LATE + 1] = (uint32_t)(late >> 32);
	return n;
}

static uint32_t add_stores(const struct apmu_uarch__window *w, uint32_t *out, uint32_t n)
{
	out[STORES] = 0;
	for (uint32_t age = 1; w->fail && age <= APMU_UARCH__AGES; age++) {
		uint64_t until = w->data[(w->stored - age) % APMU_UARCH__DATA];
		if (until <= w->now)
			continue;
		out[STORES] |= 1u << (age - 1);
		out[n++] = ahead(until, w->now);
	}
	return n;
}

/* Those of a scheduler that wait, the first to leave first. */
static uint32_t add_scheduler(const struct apmu_uarch__scheduler *s, uint64_t now, uint32_t *out)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->size; i++) {
		uint32_t until = ahead(s->leaves[i], now), k = n;
		if (until == 0)
			continue;
		for (; k && out[k - 1] > until; k--)
			out[k] = out[k - 1];
		out[k] = until;
		n++;
	}
	return n;
}

static uint32_t add_schedulers(const struct apmu_uarch__window *w, uint32_t *out, uint32_t n)
{
	for (unsigned k = 1; w->scheduling && k < APMU_UNITS; k++) {
		const struct apmu_uarch__scheduler *s = &w->scheduler[k];
		if (s->size == 0)
			continue;
		if (n + 1 + s->size > APMU_UARCH__LONGEST)
			return APMU_UARCH__LONGEST;
		out[n] = add_scheduler(s, w->now, &out[n + 1]);
		n += 1 + out[n];
	}
	return n;
}

static const uint32_t *take_schedulers(struct apmu_uarch__window *w, const uint32_t *list)
{
	for (unsigned k = 1; w->scheduling && k < APMU_UNITS; k++) {
		struct apmu_uarch__scheduler *s = &w->scheduler[k];
		uint32_t waiting = s->size ? *list++ : 0;
		memset(s->leaves, 0, sizeof(s->leaves));
		for (uint32_t i = 0; i < waiting; i++)
			s->leaves[i] = w->now + *list++;
		s->next = waiting < s->size ? waiting : 0;
	}
	return list;
}

uint32_t apmu_uarch__memo_late(const struct apmu_uarch__window *w)
{
	return w->memo->room[w->state + STORES];
}

/* The chunks that are still there, the oldest first. */
static uint32_t add_chunks(const struct apmu_uarch__queue *q, uint64_t now, uint32_t *out, uint32_t n,
			   uint32_t *count)
{
	uint32_t i = q->first;
	while (i != q->last && q->chunk[i].until <= now)
		i = (i + 1) & q->mask;
	*count = (q->last - i) & q->mask;
	if (n + 2 * *count > APMU_UARCH__LONGEST)
		return APMU_UARCH__LONGEST;
	for (; i != q->last; i = (i + 1) & q->mask) {
		out[n++] = (uint32_t)(q->count + q->size - q->chunk[i].due);
		out[n++] = ahead(q->chunk[i].until, now);
	}
	return n;
}

bool apmu_uarch__memo_describe(const struct apmu_uarch__window *w, uint32_t out[APMU_UARCH__LONGEST])
{
	out[RETIRED] = ahead(w->retired, w->now);
	out[DRAINED] = ahead(w->drained, w->now);
	for (unsigned k = 0; k < APMU_UARCH__CAUSES; k++)
		out[FROM + k] = ahead(w->from[k], w->now);
	out[FOLLOWS] = ahead(w->follows + w->past, w->now);
	out[FLAGS] = ahead(w->ready[APMU_UARCH__CARRIED], w->now);
	out[STARTED] = ahead(w->started, w->now);
	for (unsigned k = 0; k < APMU_UNITS; k++)
		out[PIPES + k] = ahead(w->pipe[k], w->now);
	out[COUNTING] = w->causes | (w->breaks ? apmu_uarch__phase(w) << 1 : 0);
	uint32_t n = add_schedulers(w, out, add_stores(w, out, add_registers(w, out, LISTS)));
	for (unsigned q = 0; q < APMU_UARCH__QUEUES; q++)
		n = add_chunks(&w->queue[q], w->now, out, n, &out[CHUNKS + q]);
	out[SIZE] = n;
	return n < APMU_UARCH__LONGEST && out[DRAINED] < FARTHEST / 2; /* nothing is much later than that */
}

void apmu_uarch__memo_unpack(struct apmu_uarch__window *w)
{
	if (!w->state)
		return;
	const uint32_t *in = &w->memo->room[w->state], *list = in + LISTS;
	uint64_t late = in[LATE] | (uint64_t)in[LATE + 1] << 32, now = w->now;
	w->state = 0;
	w->late_stores = APMU_UARCH__AGES;
	w->retired = now + in[RETIRED];
	w->drained = now + in[DRAINED];
	for (unsigned k = 0; k < APMU_UARCH__CAUSES; k++)
		w->from[k] = now + in[FROM + k];
	w->follows = now + in[FOLLOWS] > w->past ? now + in[FOLLOWS] - w->past : 0;
	for (unsigned k = 0; k < APMU_UNITS; k++)
		w->pipe[k] = now + in[PIPES + k];
	memset(w->ready, 0, sizeof(w->ready));
	w->ready[APMU_UARCH__CARRIED] = now + in[FLAGS];
	w->started = now + in[STARTED];
	for (; late; late &= late - 1)
		w->ready[__builtin_ctzll(late)] = now + *list++ - w->factor;
	memset(w->data, 0, sizeof(w->data));
	for (uint32_t stores = in[STORES]; stores; stores &= stores - 1)
		w->data[(w->stored - 1 - (uint32_t)__builtin_ctz(stores)) % APMU_UARCH__DATA] = now + *list++;
	list = take_schedulers(w, list);
	for (unsigned k = 0; k < APMU_UARCH__QUEUES; k++) {
		struct apmu_uarch__queue *q = &w->queue[k];
		q->first = 0;
		q->last = in[CHUNKS + k];
		q->newest = 0;
		for (uint32_t i = 0; i < q->last; i++, list += 2)
			q->chunk[i] = (struct apmu_uarch__leave){q->count + q->size - list[0],
								 q->newest = now + list[1]};
		q->chunk[q->last].due = UINT64_MAX;
	}
}
