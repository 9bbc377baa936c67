/* SPDX-License-Identifier: MIT */
/* Pipes with a queue each: `work` is what is taken of them, whatever was taken, reopened and closed. */
#include "uarch/pipes.h"

#include "test.h"

static uint64_t state = 88172645463325252u;

static unsigned any(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 32) % n;
}

/* Of each pipe, the cycles from `counted` on that are taken one by one, eight bits per pipe. */
static uint64_t taken(const struct apmu_uarch__all_pipes *p)
{
	uint64_t all = 0, end = p->swept + APMU_UARCH__PIPE_CYCLES;
	for (uint64_t c = p->counted; c < end && c < p->group[1].edge; c++)
		for (unsigned pipe = 0; pipe < 8; pipe++)
			all += (uint64_t)(p->taken[1][c % APMU_UARCH__PIPE_CYCLES] >> pipe & 1) << 8 * pipe;
	return all;
}

TEST(work_is_what_is_taken)
{
	static struct apmu_uarch__all_pipes p;
	struct apmu_uarch_params params = {
		.pipes = {0, 4, 2, 3, 1}, .within = {0, 0, 1, 1, 2}, .queue_per_pipe = 1, .queue_first = 3};
	uint64_t now = 0, far;
	unsigned closed = 0;

	apmu_uarch__pipes_init(&p, &params);
	for (unsigned k = 0; k < 200000; k++) {
		now += any(8) ? any(2) : any(60);
		far = apmu_uarch__pipes_from(&p, now);
		unsigned unit = 1 + any(4), hold = any(3) ? 1 : 1 + any(12);
		uint64_t at = now + (any(400) ? any(20) : any(300));
		for (unsigned n = at > far ? 1 + any(20) : 1; n; n--) {
			uint64_t start = hold == 1 ? apmu_uarch__pipes_take_short(&p, unit, now, far, at)
						   : apmu_uarch__pipes_take(&p, unit, now, far, at, hold);
			CHECK(start >= at);
		}
		closed += p.group[1].edge != UINT64_MAX;
		CHECK_EQ(p.work, taken(&p));
	}
	CHECK(closed > 1000);
}
