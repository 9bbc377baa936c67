/* SPDX-License-Identifier: MIT */
/**
 * The pipes of each group, out of order: how many are taken in each cycle from dispatch on.
 *
 * An instruction takes the first cycle in which its operands are ready and a pipe is free. Pipes are reserved
 * in program order, so of the instructions that could start in a cycle the oldest do, and a younger one that
 * is ready sooner starts before an older one that waits.
 *
 * In a group with a queue per pipe an instruction gets one of its pipes at dispatch, that with the fewest
 * taken cycles ahead, and takes the first free cycle of this pipe.
 *
 * Cycles are tracked individually up to APMU_UARCH__PIPES_AHEAD cycles ahead of dispatch. From there on pipes
 * are taken in program order, until dispatch has passed all that were taken in this way.
 */
#ifndef APMU_UARCH_PIPES_H
#define APMU_UARCH_PIPES_H

#include <apmu/uarch.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define APMU_UARCH__PIPE_CYCLES 256u /* cycles of taken[], a power of two */
#define APMU_UARCH__PIPES_AHEAD 192u /* cycles ahead of dispatch that are tracked individually */
#define APMU_UARCH__SWEPT       64u  /* cycles swept at once; PIPES_AHEAD + SWEPT <= PIPE_CYCLES */
#define APMU_UARCH__FULL        128u /* taken[]: no pipe is free */
#define APMU_UARCH__CLOSED      255u /* taken[]: from this cycle on pipes are taken in program order */

struct apmu_uarch__pipes {
	uint8_t n;      /* pipes of the group; 0: only of group 0, which has no limit */
	uint8_t within; /* the larger group that these pipes are part of; 0: none */
	uint8_t owed; /* parts of a cycle (timing.h) not charged yet; at APMU_UARCH__PARTS of them, a pipe is
			 held a cycle longer */
	uint8_t none; /* taken[] of a cycle in which no pipe is taken: FULL - n */
	bool queues;  /* it has a queue per pipe */
	uint64_t others; /* then 255 in the byte of each pipe that the group does not have */
	uint64_t edge;   /* from this cycle on pipes are taken in program order; UINT64_MAX: from none */
	uint64_t after;  /* after `edge`: earliest cycle of the next pipe taken, times `n` */
};

struct apmu_uarch__all_pipes {
	uint64_t swept;   /* first cycle of taken[], a multiple of SWEPT */
	uint64_t held;    /* no pipe that is held for more than one cycle is held beyond this cycle */
	unsigned queued;  /* the outermost group with a queue per pipe; 0: none */
	uint64_t edge;    /* of the groups with a queue per pipe, the least `edge` */
	uint64_t counted; /* the cycle from which `work` counts */
	uint64_t work;    /* taken cycles of each pipe of that group, eight bits per pipe */
	struct apmu_uarch__pipes group[APMU_UNITS]; /* [0]: none */
	/* [cycle % PIPE_CYCLES]: of the outermost group with a queue per pipe, 1 in the byte of each pipe
	 * that is taken in that cycle; 0 from `edge` of that group on */
	uint64_t by_pipe[APMU_UARCH__PIPE_CYCLES];
	/* [group][cycle % PIPE_CYCLES]: the group's `none` plus the number of pipes taken in that cycle; not
	 * of groups with a queue per pipe */
	uint8_t taken[APMU_UNITS][APMU_UARCH__PIPE_CYCLES];
};

/* True if the pipes of the group each have a queue of their own. */
static inline bool apmu_uarch__queue_per_pipe(const struct apmu_uarch_params *params, unsigned unit)
{
	while (unit && unit != params->queue_per_pipe)
		unit = params->within[unit];
	return unit != 0;
}

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

/* Each bit of `pipes` as a number of eight bits. */
static inline uint64_t apmu_uarch__pipes_spread(unsigned pipes)
{
	uint64_t each = pipes * 0x0101010101010101u & 0x8040201008040201u; /* bit k in byte k */
	return (each + 0x00406070787C7E7Fu) >> 7 & 0x0101010101010101u;
}

/* Leaves the cycles before `now` out of `work`. */
static inline void apmu_uarch__pipes_count(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	for (; p->work && p->counted < now; p->counted++)
		p->work -= p->by_pipe[p->counted % APMU_UARCH__PIPE_CYCLES];
	p->counted = p->counted > now ? p->counted : now;
}

/* Dispatch goes on in the cycle `now`. Returns the first cycle that is not tracked individually. */
static inline uint64_t apmu_uarch__pipes_from(struct apmu_uarch__all_pipes *p, uint64_t now)
{
	if (now - p->swept >= APMU_UARCH__SWEPT)
		apmu_uarch__pipes_sweep(p, now);
	return now + APMU_UARCH__PIPES_AHEAD;
}

/* The smallest of four numbers of eight bits, times eight, plus its index, the first of equal ones. */
static inline uint32_t apmu_uarch__pipes_least(uint32_t four)
{
	uint32_t a = (four & 255) << 3, b = (four >> 8 & 255) << 3 | 1, c = (four >> 16 & 255) << 3 | 2,
		 d = four >> 24 << 3 | 3;
	a = a < b ? a : b;
	c = c < d ? c : d;
	return a < c ? a : c;
}

/* The pipe, of those of a group with a queue per pipe, that has the least work from the cycle `now` on. */
static inline unsigned apmu_uarch__pipes_choose(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now)
{
	apmu_uarch__pipes_count(p, now);
	uint64_t work = p->work | p->group[unit].others;
	uint32_t low = apmu_uarch__pipes_least((uint32_t)work), high = 4;
	if (p->group[p->queued].n <= 4)
		return low & 7;
	high += apmu_uarch__pipes_least((uint32_t)(work >> 32));
	return (low < high ? low : high) & 7;
}

/* Short form of apmu_uarch__pipes_take() for one cycle, for a group with a queue per pipe. */
static inline uint64_t apmu_uarch__pipes_take_queued(struct apmu_uarch__all_pipes *p, unsigned unit,
						     uint64_t now, uint64_t far, uint64_t at)
{
	uint64_t one = (uint64_t)1 << 8 * apmu_uarch__pipes_choose(p, unit, now);
	uint64_t start = at, end = far < p->edge ? far : p->edge;
	while (start < end && p->by_pipe[start % APMU_UARCH__PIPE_CYCLES] & one)
		start++;
	if (__builtin_expect(start >= end, 0))
		return apmu_uarch__pipes_take(p, unit, now, far, at, 1);
	p->by_pipe[start % APMU_UARCH__PIPE_CYCLES] |= one;
	p->work += one;
	return start;
}

/* Short form of apmu_uarch__pipes_take() for one cycle, for a group that is not part of a larger group. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__pipes_take_one(struct apmu_uarch__all_pipes *p, unsigned unit, uint64_t now, uint64_t far,
			   uint64_t at)
{
	uint8_t *taken = p->taken[unit];
	uint64_t from = at;
	if (p->group[unit].queues)
		return apmu_uarch__pipes_take_queued(p, unit, now, far, at);
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
	if (p->group[unit].queues)
		return apmu_uarch__pipes_take_queued(p, unit, now, far, at);
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
