/* SPDX-License-Identifier: MIT */
/* Out-of-order pipes: the cycles in which instructions start, against a clock that goes cycle by cycle. */
#include "test.h"

#include "uarch/pipes.h"

/* Pipe groups: two pipes, one of which multiplies; one pipe; three pipes. */
enum { PAIR = 1, MULTIPLY, SINGLE, TRIPLE, GROUPS };

static const struct apmu_uarch_params row = {
	.pipes = {[PAIR] = 2, [MULTIPLY] = 1, [SINGLE] = 1, [TRIPLE] = 3},
	.within = {[MULTIPLY] = PAIR},
};

struct op {
	unsigned unit;
	uint64_t dispatched, ready, start;
};

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

/* Random instructions, dispatched in order; their operands are ready less than `spread` cycles later. */
static void make(struct op *op, unsigned n, unsigned groups, unsigned spread)
{
	uint64_t now = 1000;
	for (unsigned i = 0; i < n; i++) {
		now += below(4) == 0 ? below(3) : 0;
		op[i] = (struct op){
			.unit = 1 + below(groups - 1), .dispatched = now, .ready = now + below(spread)};
	}
}

/* The reference: in each cycle the oldest ready instructions start for which a pipe of each of their groups
 * is free. */
static void go_by_cycles(struct op *op, unsigned n)
{
	unsigned left = n;
	for (uint64_t cycle = 0; left; cycle++) {
		unsigned taken[GROUPS] = {0};
		for (unsigned i = 0; i < n; i++) {
			bool free = op[i].start == 0 && op[i].ready <= cycle;
			for (unsigned k = op[i].unit; k; k = row.within[k])
				free &= taken[k] < row.pipes[k];
			if (!free)
				continue;
			for (unsigned k = op[i].unit; k; k = row.within[k])
				taken[k]++;
			op[i].start = cycle;
			left--;
		}
	}
}

static uint64_t take(struct apmu_uarch__all_pipes *p, const struct op *op)
{
	uint64_t far = apmu_uarch__pipes_from(p, op->dispatched);
	if (!row.within[op->unit] && below(2))
		return apmu_uarch__pipes_take_one(p, op->unit, op->dispatched, far, op->ready);
	return below(2) ? apmu_uarch__pipes_take_short(p, op->unit, op->dispatched, far, op->ready)
			: apmu_uarch__pipes_take(p, op->unit, op->dispatched, far, op->ready, 1);
}

/* Checks that instructions start when the reference has them start. */
static void check_starts(const struct apmu_uarch_params *params, unsigned groups,
			 void (*reference)(struct op *op, unsigned n),
			 uint64_t (*start_of)(struct apmu_uarch__all_pipes *p, const struct op *op))
{
	enum { OPS = 400 };
	static struct op op[OPS];
	static struct apmu_uarch__all_pipes p;
	for (unsigned life = 1; life < 200; life++) {
		seed = life;
		make(op, OPS, groups, 1 + below(20));
		reference(op, OPS);
		apmu_uarch__pipes_init(&p, params);
		for (unsigned i = 0; i < OPS; i++)
			CHECK_EQ(start_of(&p, &op[i]), op[i].start);
	}
}

TEST(of_those_that_are_ready_the_oldest_go)
{
	check_starts(&row, GROUPS, go_by_cycles, take);
}

TEST(a_pipe_that_is_held_is_held_by_one)
{
	static struct apmu_uarch__all_pipes p;
	apmu_uarch__pipes_init(&p, &row);
	uint64_t far = apmu_uarch__pipes_from(&p, 10);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 10, 3), 10);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 10, 3), 13);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 11, 1), 16);
	CHECK_EQ(p.held, 17);
	CHECK_EQ(apmu_uarch__pipes_take(&p, MULTIPLY, 10, far, 10, 4), 10);
	CHECK_EQ(apmu_uarch__pipes_take(&p, PAIR, 10, far, 10, 4), 10); /* the other pipe of the pair */
	CHECK_EQ(apmu_uarch__pipes_take(&p, PAIR, 10, far, 10, 1), 14);
}

/* An older instruction has the pipe in cycle 13; a younger one that holds the pipe across that cycle holds it
 * a cycle longer. */
TEST(two_share_a_pipe_where_an_older_one_is_ready_later)
{
	static struct apmu_uarch__all_pipes p;
	apmu_uarch__pipes_init(&p, &row);
	uint64_t far = apmu_uarch__pipes_from(&p, 10);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 13, 1), 13);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 11, 4), 11);
	CHECK_EQ(apmu_uarch__pipes_take(&p, SINGLE, 10, far, 11, 1), 16);
}

/* Beyond the tracked cycles, starts are only counted: no more than the pipes allow; when dispatch gets there,
 * the cycles that are left are open. */
TEST(far_ahead_pipes_are_taken_in_bulk)
{
	static struct apmu_uarch__all_pipes p;
	apmu_uarch__pipes_init(&p, &row);
	uint64_t far = apmu_uarch__pipes_from(&p, 10), last = 0;
	for (unsigned i = 0; i < 3000; i++) {
		uint64_t start = apmu_uarch__pipes_take(&p, TRIPLE, 10, far, far + 5, 1);
		CHECK(start >= far + 5 && start <= far + 5 + i / 3);
		last = start;
	}
	CHECK_EQ(last, far + 1000);
	CHECK_EQ(apmu_uarch__pipes_take(&p, TRIPLE, 10, far, 10, 1), 10); /* near cycles are not affected */
	uint64_t then = far + 500;
	CHECK_EQ(apmu_uarch__pipes_take(&p, TRIPLE, then, apmu_uarch__pipes_from(&p, then), then, 1),
		 far + 1000);
	then = far + 1001;
	far = apmu_uarch__pipes_from(&p, then);
	for (unsigned i = 0; i < 6; i++)
		CHECK_EQ(apmu_uarch__pipes_take(&p, TRIPLE, then, far, then, 1), then + i / 3);
}

/* Pipe groups with a queue per pipe: four pipes; the last two; the first three; the last one of the two. */
enum { ALL = 1, LAST_TWO, FIRST_THREE, LAST, QUEUED_GROUPS };

static const struct apmu_uarch_params queued = {
	.pipes = {[ALL] = 4, [LAST_TWO] = 2, [FIRST_THREE] = 3, [LAST] = 1},
	.within = {[LAST_TWO] = ALL, [FIRST_THREE] = ALL, [LAST] = LAST_TWO},
	.queue_per_pipe = ALL,
	.queue_first = FIRST_THREE,
};

static const struct {
	unsigned first, end;
} pipes_of[] = {[ALL] = {0, 4}, [LAST_TWO] = {2, 4}, [FIRST_THREE] = {0, 3}, [LAST] = {3, 4}};

/* The reference: at dispatch an instruction goes to that of its pipes for which fewest wait; in each cycle
 * the oldest ready instruction of each pipe starts. */
static void go_by_queues(struct op *op, unsigned n)
{
	enum { PIPES = 4 };
	static unsigned pipe[400];
	unsigned dispatched = 0, left = n;
	for (uint64_t cycle = 0; left; cycle++) {
		for (; dispatched < n && op[dispatched].dispatched == cycle; dispatched++) {
			unsigned waiting[PIPES] = {0}, unit = op[dispatched].unit;
			for (unsigned i = 0; i < dispatched; i++)
				waiting[pipe[i]] += op[i].start == 0;
			pipe[dispatched] = pipes_of[unit].first;
			for (unsigned k = pipes_of[unit].first; k < pipes_of[unit].end; k++)
				if (waiting[k] < waiting[pipe[dispatched]])
					pipe[dispatched] = k;
		}
		bool taken[PIPES] = {false};
		for (unsigned i = 0; i < dispatched; i++) {
			if (op[i].start || op[i].ready > cycle || taken[pipe[i]])
				continue;
			taken[pipe[i]] = true;
			op[i].start = cycle;
			left--;
		}
	}
}

static uint64_t take_queued(struct apmu_uarch__all_pipes *p, const struct op *op)
{
	uint64_t far = apmu_uarch__pipes_from(p, op->dispatched);
	return below(2) ? apmu_uarch__pipes_take_one(p, op->unit, op->dispatched, far, op->ready)
			: apmu_uarch__pipes_take(p, op->unit, op->dispatched, far, op->ready, 1);
}

TEST(with_a_queue_per_pipe_each_waits_for_the_one_with_the_least_work)
{
	check_starts(&queued, QUEUED_GROUPS, go_by_queues, take_queued);
}

/* One pipe of four that has work beyond the tracked cycles starts one instruction per cycle all the same. */
TEST(a_queue_of_one_pipe_starts_one_per_cycle_however_long_it_is)
{
	static struct apmu_uarch__all_pipes p;
	uint64_t last = 0;
	unsigned started = 0;
	apmu_uarch__pipes_init(&p, &queued);
	for (uint64_t now = 10; now < 1010; now++) {
		uint64_t far = apmu_uarch__pipes_from(&p, now);
		CHECK(apmu_uarch__pipes_take_one(&p, FIRST_THREE, now, far, now) >= now);
		for (unsigned k = 0; k < 2 && last < now + 256; k++, started++) { /* a window of 256 */
			uint64_t start = apmu_uarch__pipes_take_one(&p, LAST, now, far, now);
			CHECK(start > last);
			last = start;
		}
	}
	CHECK(started >= 1000);
}

/* Of each pipe with a queue, the cycles from `counted` on that are taken one by one, eight bits per pipe. */
static uint64_t taken_ahead(const struct apmu_uarch__all_pipes *p)
{
	uint64_t all = 0, end = p->swept + APMU_UARCH__PIPE_CYCLES;
	for (uint64_t c = p->counted; c < end && c < p->group[ALL].edge; c++)
		all += p->by_pipe[c % APMU_UARCH__PIPE_CYCLES];
	return all;
}

/* Whatever is taken, and whether pipes far ahead are taken in bulk or no longer. */
TEST(work_of_queues_is_what_is_taken_of_their_pipes)
{
	static struct apmu_uarch__all_pipes p;
	uint64_t now = 0;
	unsigned closed = 0;
	seed = 1;
	apmu_uarch__pipes_init(&p, &queued);
	for (unsigned k = 0; k < 200000; k++) {
		now += below(8) ? below(2) : below(60);
		uint64_t far = apmu_uarch__pipes_from(&p, now);
		unsigned unit = 1 + below(QUEUED_GROUPS - 1), hold = below(3) ? 1 : 1 + below(12);
		uint64_t at = now + (below(400) ? below(20) : below(300));
		for (unsigned n = at > far ? 1 + below(20) : 1; n; n--)
			CHECK(apmu_uarch__pipes_take(&p, unit, now, far, at, hold) >= at);
		if (below(2))
			CHECK(apmu_uarch__pipes_take_short(&p, unit, now, far, at) >= at);
		closed += p.group[ALL].edge != UINT64_MAX;
		CHECK_EQ(p.work, taken_ahead(&p));
	}
	CHECK(closed > 1000);
}
