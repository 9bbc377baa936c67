/* SPDX-License-Identifier: MIT */
#include "uarch/pipes.h"

#include <stdbool.h>

void apmu_uarch__pipes_init(struct apmu_uarch__all_pipes *p, const struct apmu_uarch_params *params)
{
	for (unsigned k = 1; k < APMU_UNITS; k++) {
		struct apmu_uarch__pipes *g = &p->group[k];
		g->n = params->pipes[k];
		g->within = params->within[k];
		g->none = (uint8_t)(APMU_UARCH__FULL - g->n);
		if (apmu_uarch__queue_per_pipe(params, k)) {
			unsigned all = params->pipes[params->queue_per_pipe],
				 first = k == params->queue_first ? 0 : all - g->n;
			g->queues = true;
			g->others = ~(UINT8_MAX * apmu_uarch__pipes_spread(((1u << g->n) - 1) << first));
		}
	}
	p->queued = params->queue_per_pipe;
	apmu_uarch__pipes_clear(p, 0);
}

void apmu_uarch__pipes_clear(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	p->swept = now - now % APMU_UARCH__SWEPT;
	p->held = 0;
	p->counted = now;
	p->work = 0;
	p->edge = UINT64_MAX;
	memset(p->by_pipe, 0, sizeof(p->by_pipe));
	for (unsigned k = 1; k < APMU_UNITS; k++) {
		struct apmu_uarch__pipes *g = &p->group[k];
		g->edge = UINT64_MAX;
		memset(p->taken[k], g->none, sizeof(p->taken[k]));
	}
}

void apmu_uarch__pipes_close(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t edge)
{
	struct apmu_uarch__pipes *g = &p->group[unit];
	uint64_t end = p->swept + APMU_UARCH__PIPE_CYCLES;
	for (uint64_t c = edge; c < end && c < g->edge; c++) {
		p->taken[unit][c % APMU_UARCH__PIPE_CYCLES] = APMU_UARCH__CLOSED;
		if (unit != p->queued)
			continue;
		p->work -= c >= p->counted ? p->by_pipe[c % APMU_UARCH__PIPE_CYCLES] : 0;
		p->by_pipe[c % APMU_UARCH__PIPE_CYCLES] = 0;
	}
	g->edge = edge;
	if (g->queues && edge < p->edge)
		p->edge = edge;
}

/* Ends taking in program order: dispatch has passed all pipes that were taken so. */
static void reopen(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now)
{
	struct apmu_uarch__pipes *g = &p->group[unit];
	uint64_t end = p->swept + APMU_UARCH__PIPE_CYCLES, from = g->edge > now ? g->edge : now;
	apmu_uarch__pipes_count(p, now); /* which must not take closed cycles for taken ones */
	for (uint64_t c = from; c < end; c++)
		p->taken[unit][c % APMU_UARCH__PIPE_CYCLES] = g->none;
	g->edge = UINT64_MAX;
	p->edge = UINT64_MAX;
	for (unsigned k = 1; k < APMU_UNITS; k++)
		if (p->group[k].queues && p->group[k].edge < p->edge)
			p->edge = p->group[k].edge;
}

void apmu_uarch__pipes_sweep(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	uint64_t until = now - now % APMU_UARCH__SWEPT;
	apmu_uarch__pipes_count(p, now);
	if (until - p->swept > APMU_UARCH__PIPE_CYCLES)
		p->swept = until - APMU_UARCH__PIPE_CYCLES;
	for (; p->swept < until; p->swept += APMU_UARCH__SWEPT) {
		memset(&p->by_pipe[p->swept % APMU_UARCH__PIPE_CYCLES], 0,
		       APMU_UARCH__SWEPT * sizeof(p->by_pipe[0]));
		for (unsigned k = 1; k < APMU_UNITS; k++) {
			struct apmu_uarch__pipes *g = &p->group[k];
			memset(&p->taken[k][p->swept % APMU_UARCH__PIPE_CYCLES],
			       g->edge == UINT64_MAX ? g->none : APMU_UARCH__CLOSED, APMU_UARCH__SWEPT);
		}
	}
}

static bool is_full(const struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t cycle)
{
	return p->taken[unit][cycle % APMU_UARCH__PIPE_CYCLES] >= APMU_UARCH__FULL;
}

/* apmu_uarch__pipes_take() in program order, from the cycle `edge` on. */
static uint64_t take_after(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t edge, uint64_t at,
			   unsigned hold)
{
	at = at > edge ? at : edge;
	for (unsigned k = unit; k; k = p->group[k].within) {
		struct apmu_uarch__pipes *g = &p->group[k];
		uint64_t after = g->edge == UINT64_MAX ? edge * g->n : g->after;
		uint64_t free = (after + g->n - 1) / g->n;
		at = at > free ? at : free;
		g->after = after + hold;
		if (edge < g->edge)
			apmu_uarch__pipes_close(p, k, edge);
	}
	return at;
}

/* The first cycle from `at` on, before `end`, in which the group and all larger groups that it is part of
 * have a free pipe; `end` if there is none. */
static uint64_t free_from(const struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t at, uint64_t end)
{
	unsigned k = unit;
	while (k && at < end) {
		bool full = is_full(p, k, at);
		at += full;
		k = full ? unit : p->group[k].within;
	}
	return at < end ? at : end;
}

/* Takes `hold` cycles of pipes of the group, from `at` on and before `end`. Returns how many are missing, and
 * through `start` the first cycle taken. */
static unsigned take_of_group(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t at, uint64_t end,
			      unsigned hold, uint64_t *start)
{
	for (; hold; hold--) {
		at = free_from(p, unit, at, end);
		if (at == end)
			break;
		for (unsigned k = unit; k; k = p->group[k].within)
			p->taken[k][at % APMU_UARCH__PIPE_CYCLES]++;
		*start = *start < at ? *start : at;
		at++;
	}
	p->held = p->held > at ? p->held : at;
	return hold;
}

/* The same, of one pipe of a group with a queue per pipe. */
static unsigned take_of_one(struct apmu_uarch__all_pipes *p, unsigned pipe, uint64_t at, uint64_t end,
			    unsigned hold, uint64_t *start)
{
	uint64_t one = (uint64_t)1 << 8 * pipe;
	for (; hold && at < end; at++) {
		uint64_t *taken = &p->by_pipe[at % APMU_UARCH__PIPE_CYCLES];
		if (*taken & one)
			continue;
		*taken |= one;
		p->work += one;
		*start = *start < at ? *start : at;
		hold--;
	}
	p->held = p->held > at ? p->held : at;
	return hold;
}

uint64_t apmu_uarch__pipes_take(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t far,
				uint64_t at, unsigned hold)
{
	uint64_t end = far, asked = at, start = UINT64_MAX;
	for (unsigned k = unit; k; k = p->group[k].within) {
		struct apmu_uarch__pipes *g = &p->group[k];
		if (g->edge != UINT64_MAX && g->after <= now * g->n)
			reopen(p, k, now);
		end = g->edge < end ? g->edge : end;
	}
	if (p->group[unit].queues)
		hold = take_of_one(p, apmu_uarch__pipes_choose(p, unit, now), at, end, hold, &start);
	else
		hold = take_of_group(p, unit, at, end, hold, &start);
	if (hold == 0)
		return start;
	uint64_t rest =
		take_after(p, unit, end > now ? end : now, asked, hold); /* past cycles do not count */
	return start < rest ? start : rest;
}
