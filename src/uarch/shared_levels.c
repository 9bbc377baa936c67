/* SPDX-License-Identifier: MIT */
/* The levels below the first, made from the core's parameters. */
#ifdef __linux__
#define _GNU_SOURCE /* PTHREAD_MUTEX_ADAPTIVE_NP */
#endif
#include "uarch/machine.h"

#include <stdlib.h>

_Static_assert(APMU_SIGNALS <= UINT16_MAX, "signals are kept in 16 bits");

static const struct apmu_uarch__level_signals signals[] = {
	[APMU_UARCH__AT_L2] = {.read = {APMU_SIG_L2_RD, APMU_SIG_L2_WR, APMU_SIG_L2_FETCH, APMU_SIG_L2_RD,
					APMU_SIG_L2_AHEAD},
			       .fill = {APMU_SIG_L2_FILL_RD, APMU_SIG_L2_FILL_WR, APMU_SIG_L2_FILL_FETCH,
					APMU_SIG_L2_FILL_RD, APMU_SIG_L2_FILL_AHEAD},
			       .write = APMU_SIG_L2_WR,
			       .write_back = APMU_SIG_L2_WB,
			       .allocate = APMU_SIG_L2_ALLOCATE,
			       .hit_write = APMU_SIG_L2_HIT_WR,
			       .modified_read = APMU_SIG_L2_HITM_RD,
			       .modified_write = APMU_SIG_L2_HITM_WR,
			       .unique = APMU_SIG_L2_UNIQUE,
			       .fill_unique = APMU_SIG_L2_FILL_UNIQUE},
	[APMU_UARCH__AT_L3] = {.read = {APMU_SIG_L3_RD, APMU_SIG_L3_WR, APMU_SIG_L3_FETCH, APMU_SIG_L3_RD,
					APMU_SIG_L3_AHEAD},
			       .fill = {APMU_SIG_L3_FILL_RD, APMU_SIG_L3_FILL_WR, APMU_SIG_L3_FILL_FETCH,
					APMU_SIG_L3_FILL_RD, APMU_SIG_L3_FILL_AHEAD},
			       .write = APMU_SIG_L3_WR,
			       .write_back = APMU_SIG_L3_WB,
			       .allocate = APMU_SIG_L3_ALLOCATE,
			       .hit_write = APMU_SIG_L3_HIT_WR,
			       .modified_read = APMU_SIG_L3_HITM_RD,
			       .modified_write = APMU_SIG_L3_HITM_WR,
			       .unique = APMU_SIG_L3_UNIQUE,
			       .fill_unique = APMU_SIG_L3_FILL_UNIQUE},
};

static int make(struct apmu_uarch__level *v, const struct apmu_uarch_params *all, enum apmu_uarch__at at)
{
	const struct apmu_level_params *p = at == APMU_UARCH__AT_L2 ? &all->l2 : &all->l3;
	enum apmu_uarch__at counts = all->l3_as_l2 && !all->l2.size ? APMU_UARCH__AT_L2 : at;
	unsigned shift = (unsigned)__builtin_ctz(p->line);
	*v = (struct apmu_uarch__level){
		.signal = &signals[counts], .at = (uint8_t)at, .inclusion = p->inclusion};
	v->write_allocate = p->write_allocate;
	return apmu_uarch__packed_init(&v->sets, p->size / p->line, p->ways, shift, p->replace, all->seed);
}

/* True if threads share the level. */
static bool common(const struct apmu_uarch_params *p, enum apmu_uarch__at at)
{
	unsigned number = at == APMU_UARCH__AT_L2 ? 2 : 3;
	const struct apmu_level_params *v = at == APMU_UARCH__AT_L2 ? &p->l2 : &p->l3;
	return v->size && p->shared && number >= p->shared;
}

bool apmu_uarch_shares(const struct apmu_uarch_params *p)
{
	return common(p, APMU_UARCH__AT_L2) || common(p, APMU_UARCH__AT_L3);
}

/* The lock is held for less time than it takes to sleep and wake, so where the C library can, a thread that
 * finds it taken first tries again for a while. */
static int lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t how;
	int failed = pthread_mutexattr_init(&how);

	if (failed)
		return failed;
#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
	pthread_mutexattr_settype(&how, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
	failed = pthread_mutex_init(lock, &how);
	pthread_mutexattr_destroy(&how);
	return failed;
}

struct apmu_shared *apmu_shared_new(const struct apmu_uarch_params *p)
{
	struct apmu_shared *s = apmu_uarch_check(p) ? NULL : calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	int failed = lock_init(&s->lock) != 0;
	if (common(p, APMU_UARCH__AT_L2))
		failed |= make(&s->level[0], p, APMU_UARCH__AT_L2);
	if (common(p, APMU_UARCH__AT_L3))
		failed |= make(&s->level[1], p, APMU_UARCH__AT_L3);
	if (!failed)
		return s;
	apmu_shared_free(s);
	return NULL;
}

void apmu_shared_free(struct apmu_shared *s)
{
	if (!s)
		return;
	apmu_uarch__packed_free(&s->level[0].sets);
	apmu_uarch__packed_free(&s->level[1].sets);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

void apmu_shared_many(struct apmu_shared *s)
{
	s->many = true;
}

void apmu_shared_forked(struct apmu_shared *s)
{
	lock_init(&s->lock);
}

static int add(struct apmu_uarch *u, const struct apmu_level_params *p, enum apmu_uarch__at at)
{
	unsigned k = u->levels;
	if (p->size == 0)
		return APMU_OK;
	u->levels++;
	u->latency[at] = p->latency;
	u->line_fill[at] = p->fill;
	u->level[k] = &u->own[k];
	if (!u->shared || !common(&u->p, at))
		return make(&u->own[k], &u->p, at);
	u->level[k] = &u->shared->level[at == APMU_UARCH__AT_L2 ? 0 : 1];
	return APMU_OK;
}

/* In this order: each takes the next level. */
static int add_both(struct apmu_uarch *u)
{
	int failed = add(u, &u->p.l2, APMU_UARCH__AT_L2);

	return failed | add(u, &u->p.l3, APMU_UARCH__AT_L3);
}

void apmu_uarch__levels_set(struct apmu_uarch *u, unsigned levels)
{
	u->levels = levels;
	u->bus_level = 0;
	while (u->bus_level < levels && u->level[u->bus_level]->at != APMU_UARCH__AT_L3)
		u->bus_level++;
}

static uint16_t beats(const struct apmu_uarch *u, unsigned line)
{
	unsigned bytes = u->bus_level ? 1u << u->level[u->bus_level - 1]->sets.shift : line;
	return (uint16_t)((bytes + u->p.bus_width - 1) / u->p.bus_width);
}

int apmu_uarch__levels_init(struct apmu_uarch *u)
{
	u->latency[APMU_UARCH__AT_PEER] = u->p.transfer;
	u->line_fill[APMU_UARCH__AT_PEER] = u->p.shared == 3 ? u->p.l3.fill : u->p.l2.fill;
	u->latency[APMU_UARCH__AT_MEMORY] = u->p.memory;
	u->line_fill[APMU_UARCH__AT_MEMORY] = u->p.line_fill;
	u->line_write = u->p.line_write ? u->p.line_write : u->p.line_fill;
	u->memory.written_ahead = u->line_write * (uint64_t)u->p.write_buffer;
	int failed = 0;
	if (u->units & APMU_UARCH__LOWER)
		failed = add_both(u);
	apmu_uarch__levels_set(u, u->levels);
	u->lower_shift = u->levels ? u->level[0]->sets.shift : u->l1d.shift;
	if ((u->p.bus_width & (u->p.bus_width - 1u)) == 0)
		u->bus_shifts = true, u->bus_shift = (uint8_t)__builtin_ctz(u->p.bus_width);
	for (unsigned request = 0; request < APMU_UARCH__REQUESTS; request++)
		u->beats[request] = beats(u, request == APMU_UARCH__REQUEST_CODE   ? u->p.l1i.line
					     : request == APMU_UARCH__REQUEST_WALK ? 8
										   : u->p.l1d.line);
	u->streams.order = apmu_uarch__order_new(u->p.prefetch.streams ? u->p.prefetch.streams : 1);
	u->arrive =
		u->p.prefetch.streams ? calloc(u->p.l1d.size / u->p.l1d.line + 1, sizeof(*u->arrive)) : NULL;
	return failed | (u->p.prefetch.streams && !u->arrive ? APMU_ENOMEM : APMU_OK);
}

void apmu_uarch__levels_free(struct apmu_uarch *u)
{
	for (unsigned k = 0; k < 2; k++)
		apmu_uarch__packed_free(&u->own[k].sets);
	free(u->arrive);
}
