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
static void make(struct op *op, unsigned n, unsigned spread)
{
	uint64_t now = 1000;
	for (unsigned i = 0; i < n; i++) {
		now += below(4) == 0 ? below(3) : 0;
		op[i] = (struct op){
			.unit = 1 + below(GROUPS - 1), .dispatched = now, .ready = now + below(spread)};
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

TEST(of_those_that_are_ready_the_oldest_go)
{
	enum { OPS = 400 };
	static struct op op[OPS];
	static struct apmu_uarch__all_pipes p;
	for (unsigned life = 1; life < 200; life++) {
		seed = life;
		make(op, OPS, 1 + below(20));
		go_by_cycles(op, OPS);
		apmu_uarch__pipes_init(&p, &row);
		for (unsigned i = 0; i < OPS; i++)
			CHECK_EQ(take(&p, &op[i]), op[i].start);
	}
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
