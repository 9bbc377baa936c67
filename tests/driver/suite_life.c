/* SPDX-License-Identifier: MIT */
/* Random lives: work, reads, starts, stops, delayed interrupts, polls and ticks in any order, with counters
 * moved close to their wrap. A count must be at least the work done, and at most that plus the cost of the
 * calls. */
#include "suite_check.h"

#define STEPS  150
#define PERIOD 7001u

static struct {
	uint32_t random;
	bool interrupt, sample, running;
	uint64_t least, most; /* instructions since the life began */
	uint64_t last;        /* value read last */
	uint64_t early;       /* instructions that starts, also by the handler, may have missed */
} t;
static volatile uint64_t periods;

static void sample(void *ctx, const struct apmu_sample *s)
{
	(void)ctx;
	periods += s->periods;
}

static uint32_t draw(uint32_t below)
{
	t.random ^= t.random << 13;
	t.random ^= t.random >> 17;
	t.random ^= t.random << 5;
	return t.random % below;
}

static void work(uint32_t units)
{
	rig_work(units);
	if (!t.running)
		return;
	t.least += (uint64_t)units * RIG_UNIT;
	t.most += (uint64_t)units * RIG_UNIT;
}

static void look(void)
{
	uint64_t now = suite_value(0);

	CHECK_NEAR(now, t.least > t.early ? t.least - t.early : 0, t.most);
	CHECK(now >= t.last);
	t.last = now;
}

/* Moves a counter close to its wrap while nothing is pending or running. */
static void move(void)
{
	CHECK_EQ(apmu_dev_poll(&rig_dev), 0);
	if (t.running)
		return;
	suite_near_the_wrap(1);
	if (!t.sample)
		suite_near_the_wrap(0);
}

static void step(void)
{
	t.early += 4 * RIG_EARLY;
	if (t.running) /* the step's own instructions, with its interrupts */
		t.most += RIG_SLACK * 4;
	switch (draw(10)) {
	case 0:
		CHECK_EQ(apmu_dev_start(&rig_dev), 0);
		t.most += RIG_SLACK;
		t.running = true;
		break;
	case 1:
		CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
		t.running = false;
		break;
	case 2: look(); break;
	case 3: rig_interrupts(t.interrupt && draw(2)); break;
	case 4: CHECK_EQ(apmu_dev_poll(&rig_dev), 0); break;
	case 5: CHECK_EQ(apmu_dev_tick(&rig_dev), 0); break;
	case 6: move(); break;
	default: work(draw(4) ? draw(100) : draw(6000));
	}
}

static void live(bool interrupt, bool sampling, uint32_t seed)
{
	struct apmu_want want[2];

	t.interrupt = interrupt;
	t.sample = sampling;
	t.running = false;
	t.random = seed * 0x9E3779B9u + 1;
	t.least = t.most = t.last = t.early = 0;
	periods = 0;
	suite_describe(interrupt);
	suite_config.sample = sample;
	CHECK_EQ(apmu_dev_open(&rig_dev, &suite_config, NULL), 0);
	suite_wants(want, 2);
	if (sampling)
		want[0].period = PERIOD;
	CHECK_EQ(apmu_dev_use(&rig_dev, want, 2, 0, NULL), 0);
	for (unsigned i = 0; i < STEPS; i++)
		step();
	CHECK_EQ(apmu_dev_stop(&rig_dev), 0);
	t.running = false;
	rig_interrupts(interrupt);
	work(10);
	rig_interrupts(false);
	look();
	if (sampling)
		CHECK_EQ(periods, t.last / PERIOD);
	CHECK_EQ(apmu_dev_close(&rig_dev), 0);
}

static void lives_by_interrupt(void)
{
	for (uint32_t seed = 1; seed <= SUITE_LIVES; seed++)
		live(true, false, seed);
}

static void lives_by_polling(void)
{
	for (uint32_t seed = 1; seed <= SUITE_LIVES; seed++)
		live(false, false, seed);
}

static void lives_with_samples(void)
{
	for (uint32_t seed = 1; seed <= SUITE_LIVES; seed++)
		live(true, true, seed);
}

const struct suite_test suite_life[] = {
	{"random lives by interrupt", lives_by_interrupt},
	{"random lives by polling", lives_by_polling},
	{"random lives with samples", lives_with_samples},
	{0},
};
