/* SPDX-License-Identifier: MIT */
/**
 * The pipes of a group, out of order: how many are taken in each cycle from dispatch on.
 *
 * An instruction takes the first cycle in which its operands have come and a pipe is free. Instructions ask
 * in the order of the program, so of those that could start in a cycle the oldest do, and a later one that is
 * ready sooner goes before an earlier one that waits.
 *
 * Cycles are told apart up to a number of them ahead of dispatch. From there on pipes are taken in the order
 * of the program, until dispatch has passed all that were taken so.
 */
#ifndef APMU_UARCH_PIPES_H
#define APMU_UARCH_PIPES_H

#include <apmu/uarch.h>

#include <stdint.h>
#include <string.h>

#define APMU_UARCH__PARTS       12u  /* of a cycle for which a pipe is held */
#define APMU_UARCH__PIPE_CYCLES 256u /* a power of two */
#define APMU_UARCH__PIPES_AHEAD 192u /* cycles ahead of dispatch that are told apart */
#define APMU_UARCH__SWEPT       64u  /* cycles that make room together; AHEAD and these are within CYCLES */
#define APMU_UARCH__FULL        128u /* of taken[]: no pipe is free */
#define APMU_UARCH__CLOSED      255u /* ... for from this cycle on they are taken in order */

struct apmu_uarch__pipes {
	uint8_t n;      /* 0: as many as are asked for */
	uint8_t within; /* the group that they are some of; 0: none */
	uint8_t owed;   /* parts of a cycle for which one is held, but was not yet */
	uint8_t none;   /* taken[] of a cycle in which none of them is: FULL - n */
	uint64_t edge;  /* from this cycle on they are taken in order; UINT64_MAX: in none */
	uint64_t after; /* ... and the next one is not before this cycle, times `n` */
};

struct apmu_uarch__all_pipes {
	uint64_t swept; /* a multiple of SWEPT: taken[] is of CYCLES cycles from this one on */
	uint64_t held;  /* the cycle until which one is held that is held for more than one, at least */
	struct apmu_uarch__pipes group[APMU_UNITS]; /* [0]: none */
	/* Of a group, element cycle % CYCLES: its `none` and as many as are taken. */
	uint8_t taken[APMU_UNITS][APMU_UARCH__PIPE_CYCLES];
};

void apmu_uarch__pipes_init(struct apmu_uarch__all_pipes *p, const struct apmu_uarch_params *params);

/* Forgets what is taken. taken[] is then of cycles from `now` on. */
void apmu_uarch__pipes_clear(struct apmu_uarch__all_pipes *p, uint64_t now);

/* From the cycle `edge` on pipes of the group are taken in order. */
void apmu_uarch__pipes_close(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t edge);

/* A pipe of the group for `hold` cycles, one at least, from `at` or later on, and one of each larger group
 * that those pipes are some of, for an instruction that is dispatched in the cycle `now`. Cycles are told
 * apart before `far`. Gives the first of its cycles. It starts where a pipe is free, though an earlier
 * instruction that is ready later was given one of the next cycles; then the two share the pipe, and both are
 * done when it has done both. */
uint64_t apmu_uarch__pipes_take(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t far,
				uint64_t at, unsigned hold);

/* Cycles before `now` make room for later ones. */
void apmu_uarch__pipes_sweep(struct apmu_uarch__all_pipes *p, uint64_t now);

/* Dispatch goes on in the cycle `now`. Gives the first cycle that is not told apart. */
static inline uint64_t apmu_uarch__pipes_from(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	if (now - p->swept >= APMU_UARCH__SWEPT)
		apmu_uarch__pipes_sweep(p, now);
	return now + APMU_UARCH__PIPES_AHEAD;
}

/* The same of one cycle, of a group that is within none. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__pipes_take_one(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t far,
			   uint64_t at)
{
	uint8_t *taken = p->taken[unit];
	uint64_t from = at;
	while (at < far && taken[at % APMU_UARCH__PIPE_CYCLES] == APMU_UARCH__FULL)
		at++;
	if (__builtin_expect((at >= far) | (taken[at % APMU_UARCH__PIPE_CYCLES] > APMU_UARCH__FULL), 0))
		return apmu_uarch__pipes_take(p, unit, now, far, from, 1);
	taken[at % APMU_UARCH__PIPE_CYCLES]++;
	return at;
}

/* ... and of one that may be within another. */
static inline uint64_t apmu_uarch__pipes_take_short(struct apmu_uarch__all_pipes *p, unsigned unit,
						    uint64_t now, uint64_t far, uint64_t at)
{
	for (uint64_t start = at; start < far; start++) {
		unsigned c = start % APMU_UARCH__PIPE_CYCLES, most = 0;
		for (unsigned k = unit; k; k = p->group[k].within)
			most = p->taken[k][c] > most ? p->taken[k][c] : most;
		if (most > APMU_UARCH__FULL)
			break;
		if (most == APMU_UARCH__FULL)
			continue;
		for (unsigned k = unit; k; k = p->group[k].within)
			p->taken[k][c]++;
		return start;
	}
	return apmu_uarch__pipes_take(p, unit, now, far, at, 1);
}

#endif
