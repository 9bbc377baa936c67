/* SPDX-License-Identifier: MIT */
/**
 * The pipes of each group, out of order: how many are taken in each cycle from dispatch on.
 *
 * An instruction takes the first cycle in which its operands are ready and a pipe is free. Pipes are reserved
 * in program order, so of the instructions that could start in a cycle the oldest do, and a younger one that
 * is ready sooner starts before an older one that waits.
 *
 * Cycles are tracked individually up to APMU_UARCH__PIPES_AHEAD cycles ahead of dispatch. From there on pipes
 * are taken in program order, until dispatch has passed all that were taken in this way.
 */
#ifndef APMU_UARCH_PIPES_H
#define APMU_UARCH_PIPES_H

#include <apmu/uarch.h>

#include <stdint.h>
#include <string.h>

#define APMU_UARCH__PIPE_CYCLES 256u /* cycles of taken[], a power of two */
#define APMU_UARCH__PIPES_AHEAD 192u /* cycles ahead of dispatch that are tracked individually */
#define APMU_UARCH__SWEPT       64u  /* cycles swept at once; PIPES_AHEAD + SWEPT <= PIPE_CYCLES */
#define APMU_UARCH__FULL        128u /* taken[]: no pipe is free */
#define APMU_UARCH__CLOSED      255u /* taken[]: from this cycle on pipes are taken in program order */

struct apmu_uarch__pipes {
	uint8_t n;      /* pipes of the group; 0: unlimited */
	uint8_t within; /* the larger group that these pipes are part of; 0: none */
	uint8_t owed;  /* parts of a cycle (timing.h) not charged yet; at APMU_UARCH__PARTS of them, a pipe is
			  held a cycle longer */
	uint8_t none;  /* taken[] of a cycle in which no pipe is taken: FULL - n */
	uint64_t edge; /* from this cycle on pipes are taken in program order; UINT64_MAX: from none */
	uint64_t after; /* after `edge`: earliest cycle of the next pipe taken, times `n` */
};

struct apmu_uarch__all_pipes {
	uint64_t swept; /* first cycle of taken[], a multiple of SWEPT */
	uint64_t held;  /* no pipe that is held for more than one cycle is held beyond this cycle */
	struct apmu_uarch__pipes group[APMU_UNITS]; /* [0]: none */
	/* [group][cycle % PIPE_CYCLES]: the group's `none` plus the number of pipes taken in that cycle. */
	uint8_t taken[APMU_UNITS][APMU_UARCH__PIPE_CYCLES];
};

void apmu_uarch__pipes_init(struct apmu_uarch__all_pipes *p, const struct apmu_uarch_params *params);

/* Frees all pipes. taken[] then covers cycles from `now` on. */
void apmu_uarch__pipes_clear(struct apmu_uarch__all_pipes *p, uint64_t now);

/* From the cycle `edge` on, pipes of the group are taken in program order. */
void apmu_uarch__pipes_close(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t edge);

/* Takes a pipe of the group for `hold` cycles, at least one, from the cycle `at` or later on, and a pipe of
 * each larger group that the group is part of, for an instruction that is dispatched in the cycle `now`.
 * Cycles before `far` are tracked individually. Returns the first cycle taken. The instruction starts as soon
 * as a pipe is free, even if an older instruction that is ready later has one of the next cycles; then the
 * two share the pipe, and both are done when the pipe has done both. */
uint64_t apmu_uarch__pipes_take(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t far,
				uint64_t at, unsigned hold);

/* Reuses the elements of taken[] of cycles before `now` for later cycles. */
void apmu_uarch__pipes_sweep(struct apmu_uarch__all_pipes *p, uint64_t now);

/* Dispatch goes on in the cycle `now`. Returns the first cycle that is not tracked individually. */
static inline uint64_t apmu_uarch__pipes_from(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	if (now - p->swept >= APMU_UARCH__SWEPT)
		apmu_uarch__pipes_sweep(p, now);
	return now + APMU_UARCH__PIPES_AHEAD;
}

/* Short form of apmu_uarch__pipes_take() for one cycle, for a group that is not part of a larger group. */
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

/* Short form of apmu_uarch__pipes_take() for one cycle, for any group. */
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
