/* SPDX-License-Identifier: MIT */
#include "paths.h"

#include <stdlib.h>
#include <string.h>

static void push(struct queue *q, size_t item)
{
	if (q->first + q->n == q->room) {
		if (q->first)
			memmove(q->item, q->item + q->first, q->n * sizeof(*q->item));
		q->first = 0;
		if (q->n == q->room) {
			q->room = q->room ? 2 * q->room : 64;
			q->item = realloc(q->item, q->room * sizeof(*q->item));
			if (!q->item)
				abort();
		}
	}
	q->item[q->first + q->n++] = item;
}

static size_t pop(struct queue *q)
{
	q->n--;
	return q->item[q->first++];
}

void paths_open(struct paths *m, const struct apmu_uarch_params *p, struct story *s)
{
	*m = (struct paths){.p = p, .s = s};
}

void paths_close(struct paths *m)
{
	for (unsigned k = 0; k < 5; k++) {
		free(m->path[k].wanted.item);
		free(m->path[k].prefetches.item);
	}
	free(m->flying.item);
	free(m->codes.item);
	free(m->behind.item);
}

static void land(struct paths *m)
{
	for (size_t n = m->flying.n; n > 0; n--) {
		size_t fill = pop(&m->flying);
		struct fill *f = &m->s->fill[fill];
		if (!paths_since(m, f->comes))
			push(&m->flying, fill);
		else if (f->holds)
			m->misses--;
		else if (f->queued)
			m->prefetches--;
	}
}

/* Code lines arrive in L1I in the order in which they were requested, `run_ahead.fill` cycles apart. */
static void land_codes(struct paths *m)
{
	while (m->codes.n) {
		struct fill *f = &m->s->fill[m->codes.item[m->codes.first]];
		if (!f->begun || !paths_since(m, f->comes) || !paths_since(m, m->code_turn))
			return;
		f->here = true;
		m->code_turn = m->now + m->p->run_ahead.fill;
		paths_moved(m);
		pop(&m->codes);
	}
}

static bool begun(const struct paths *m, size_t fill)
{
	return fill == NO_FILL || m->s->fill[fill].begun;
}

static void drain(struct paths *m)
{
	if (!m->buffered || !paths_since(m, m->drained) || !begun(m, m->buffer[0].fill))
		return;
	paths_moved(m);
	memmove(m->buffer, m->buffer + 1, --m->buffered * sizeof(m->buffer[0]));
	m->drained = m->now + m->p->write_drain;
}

void paths_begin(struct paths *m)
{
	m->next = UINT64_MAX;
	land(m);
	land_codes(m);
	drain(m);
}

static void push_out(struct paths *m, unsigned level, unsigned lines)
{
	if (m->path[level].free < m->now)
		m->path[level].free = m->now;
	m->path[level].free += (uint64_t)lines * (level == 2 ? m->p->l2.fill : m->p->l3.fill);
}

static void begin(struct paths *m, unsigned level, size_t fill)
{
	const struct apmu_uarch_params *p = m->p;
	unsigned latency = level == 2 ? p->l2.latency : level == 3 ? p->l3.latency : p->memory;
	unsigned busy = level == 2 ? p->l2.fill : level == 3 ? p->l3.fill : p->line_fill;
	struct fill *f = &m->s->fill[fill];
	paths_moved(m);
	f->begun = true;
	f->comes = m->now + latency;
	if (level == 2 && f->holds)
		m->from_l2 = f->comes;
	m->path[level].free = m->now + busy;
	m->lines_out += f->out[4];
	for (unsigned k = 2; k <= 3; k++) /* victims use their path behind the fill */
		push_out(m, k, f->out[k]);
	push(&m->flying, fill);
}

static void write_line(struct paths *m)
{
	paths_moved(m);
	m->path[4].free = m->now + (m->p->line_write ? m->p->line_write : m->p->line_fill);
	m->lines_out--;
}

/* True for a prefetch that an access has wanted since: it is in the `wanted` queue too. */
static bool stale(const struct paths *m, size_t fill)
{
	return m->s->fill[fill].wanted;
}

static void serve(struct paths *m, unsigned level)
{
	struct path *w = &m->path[level];
	while (w->prefetches.n && stale(m, w->prefetches.item[w->prefetches.first]))
		pop(&w->prefetches);
	while (paths_since(m, w->free)) {
		if (level == 4 && m->lines_out > m->p->write_buffer)
			write_line(m);
		else if (w->wanted.n)
			begin(m, level, pop(&w->wanted));
		else if (w->prefetches.n)
			begin(m, level, pop(&w->prefetches));
		else if (level == 4 && m->lines_out)
			write_line(m);
		else
			return;
		while (w->prefetches.n && stale(m, w->prefetches.item[w->prefetches.first]))
			pop(&w->prefetches);
	}
}

/* Code lines that wait for L2: when one comes is known when the fill that reads it ahead has begun. */
static void follow(struct paths *m)
{
	for (size_t n = m->behind.n; n > 0; n--) {
		size_t fill = pop(&m->behind);
		struct fill *f = &m->s->fill[fill], *ahead = &m->s->fill[f->behind];
		if (!ahead->begun) {
			push(&m->behind, fill);
			continue;
		}
		f->begun = true;
		f->comes = f->since + m->p->l2.latency;
		if (ahead->comes > f->comes)
			f->comes = ahead->comes;
		paths_moved(m);
	}
}

void paths_end(struct paths *m)
{
	for (unsigned level = 2; level <= 4; level++)
		serve(m, level);
	follow(m);
	m->now = m->s->every_cycle || m->next == UINT64_MAX ? m->now + 1 : m->next;
}

bool paths_here(struct paths *m, size_t fill)
{
	return fill == NO_FILL || (m->s->fill[fill].begun && paths_since(m, m->s->fill[fill].comes));
}

bool paths_code_here(struct paths *m, size_t fill)
{
	return story_runs_ahead(m->p) ? m->s->fill[fill].here : paths_here(m, fill);
}

bool paths_asked(const struct paths *m, size_t fill)
{
	return fill == NO_FILL || m->s->fill[fill].asked;
}

bool paths_room(const struct paths *m)
{
	return m->misses < m->p->misses;
}

bool paths_turn(struct paths *m, size_t fill)
{
	uint64_t used = m->from_l2 + m->p->result[APMU_CLASS_LOAD];
	if (!m->p->l2_chain || m->s->fill[fill].level != 2 || m->now < used)
		return true;
	return paths_since(m, used + m->p->l2_chain);
}

bool paths_code_room(const struct paths *m)
{
	return m->codes.n < m->p->run_ahead.refills;
}

/* Requests a line that an access, fetch or the write buffer wants. */
static void ask(struct paths *m, size_t fill)
{
	struct fill *f = &m->s->fill[fill];
	f->asked = true;
	paths_moved(m);
	push(&m->path[f->level].wanted, fill);
}

/* True if L2 has been asked to read the code line ahead and knows that it has not arrived. */
static bool on_its_way(const struct paths *m, size_t ahead)
{
	const struct fill *f = ahead == NO_FILL ? NULL : &m->s->fill[ahead];
	return f && f->asked && !(f->begun && f->comes <= m->now) && m->read_ahead - f->turn <= READ_AHEAD;
}

/* Waits for a code line that L2 reads ahead. Its path serves it as a wanted line from now on. */
static void wait_for_l2(struct paths *m, size_t fill)
{
	struct fill *f = &m->s->fill[fill], *ahead = &m->s->fill[f->behind];
	f->asked = true;
	f->since = m->now;
	push(&m->behind, fill);
	paths_moved(m);
	if (ahead->begun || ahead->wanted)
		return;
	ahead->wanted = true;
	push(&m->path[ahead->level].wanted, f->behind);
}

static void ask_ahead(struct paths *m, size_t fill)
{
	struct fill *f = &m->s->fill[fill];
	f->asked = true;
	f->turn = m->read_ahead++;
	push(&m->path[f->level].prefetches, fill);
}

void paths_ask_code(struct paths *m, size_t fill)
{
	struct fill *f = &m->s->fill[fill];
	if (on_its_way(m, f->behind))
		wait_for_l2(m, fill);
	else
		ask(m, fill);
	if (story_runs_ahead(m->p))
		push(&m->codes, fill);
	for (size_t k = f->first_ahead; k < f->first_ahead + f->aheads; k++)
		ask_ahead(m, k);
}

void paths_fetch(struct paths *m, size_t fill)
{
	const struct fill *f = &m->s->fill[fill];
	if (f->asked)
		return;
	paths_ask_code(m, fill);
	if (f->next != NO_FILL)
		paths_ask_code(m, f->next);
}

void paths_ask(struct paths *m, size_t fill)
{
	ask(m, fill);
	m->s->fill[fill].holds = true;
	m->misses++;
}

void paths_want(struct paths *m, size_t fill)
{
	if (fill == NO_FILL)
		return;
	struct fill *f = &m->s->fill[fill];
	if (!f->queued || f->begun || f->wanted)
		return;
	f->wanted = true;
	paths_moved(m);
	push(&m->path[f->level].wanted, fill);
}

void paths_ask_prefetches(struct paths *m, const struct event *e)
{
	for (size_t k = e->first_prefetch; k < e->first_prefetch + e->prefetches; k++) {
		struct fill *f = &m->s->fill[k];
		if (f->asked || m->prefetches == m->p->prefetch.flights)
			continue; /* not requested: an access to the line will be a miss */
		f->asked = f->queued = true;
		m->prefetches++;
		paths_moved(m);
		push(&m->path[f->level].prefetches, k);
	}
}

bool paths_store(struct paths *m, const struct event *e)
{
	if (m->buffered && m->buffer[m->buffered - 1].line == e->line)
		return true; /* merged with the store before, to the same line */
	if (m->buffered == m->p->write_buffer || m->lines_out > m->p->write_buffer)
		return false;
	if (!m->buffered)
		m->drained = m->now + m->p->write_drain;
	paths_moved(m);
	m->buffer[m->buffered++] = (struct outside){e->line, e->below};
	m->lines_out += e->spills;
	if (e->below != NO_FILL)
		ask(m, e->below);
	return true;
}
