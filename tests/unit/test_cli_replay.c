/* SPDX-License-Identifier: MIT */
/* How a run's marks become counts: threads, slices, multiplexed counters. */
#include "cli/stat/stat.h"
#include "test.h"

#include <stdlib.h>

#define MARKS 4096

/* A run made of marks only: per turn a thread counts 2 cycles and 1 instruction, every fourth one a branch.
 */
struct stage {
	struct cli__cli cli;
	struct cli__stat_options options;
	struct cli__stat_core core;
	struct apmu_qemu__run_result run;
	struct cli__counts counts;
};

static struct stage stage_on(const char *core, const char *events)
{
	struct stage s = {.cli = {.out = stdout, .err = stderr}};
	const struct apmu_core *row = apmu_core_find(core);

	CHECK(row != NULL);
	CHECK_EQ(cli__rows_parse(&s.cli, &s.options.rows, events), 0);
	s.core.core = row;
	s.core.wanted = cli__wanted_of(&s.cli, &s.options.rows, row, &row, 1);
	CHECK(s.core.wanted != NULL);
	s.options.cores = 1;
	s.run.mark = calloc(MARKS, sizeof *s.run.mark);
	return s;
}

static void mark(struct stage *s, int tid, uint64_t instructions, bool last)
{
	struct apmu_qemu__snapshot *m = &s->run.mark[s->run.marks++];

	*m = (struct apmu_qemu__snapshot){.pid = 100, .tid = tid, .serial = (uint32_t)tid, .last = last};
	m->tally.n[APMU_SIG_CYCLES] = 2 * instructions;
	m->tally.n[APMU_SIG_INST] = instructions;
	m->tally.n[APMU_SIG_BR_EXEC] = instructions / 4;
}

static void replay(struct stage *s)
{
	CHECK_EQ(cli__replay(&s->options, &s->core, APMU_SIG_CYCLES, &s->run, &s->counts), 0);
}

static void strike(struct stage *s)
{
	cli__counts_free(&s->counts);
	cli__rows_free(&s->options.rows);
	free(s->core.wanted);
	free(s->run.mark);
}

TEST(each_thread_has_counters_of_its_own_and_the_total_is_their_sum)
{
	struct stage s = stage_on("arm1136", "instructions,branches,cycles");

	mark(&s, 1, 100, false);
	mark(&s, 2, 4000, false);
	mark(&s, 1, 200, true);
	mark(&s, 2, 8000, true);
	replay(&s);
	CHECK_EQ(s.counts.threads, 2);
	CHECK_EQ(s.counts.thread[0].count[0].value, 200);
	CHECK_EQ(s.counts.thread[1].count[0].value, 8000);
	CHECK_EQ(s.counts.total[0].value, 8200);
	CHECK_EQ(s.counts.total[1].value, 2050);
	CHECK_EQ(s.counts.total[2].value, 16400);
	CHECK_EQ(s.counts.total[0].enabled, 16400);
	CHECK_EQ(s.counts.total[0].running, 16400);
	strike(&s);
}

TEST(a_thread_number_that_comes_back_is_another_thread)
{
	struct stage s = stage_on("arm1136", "instructions");

	mark(&s, 7, 100, true);
	mark(&s, 7, 30, true);
	replay(&s);
	CHECK_EQ(s.counts.threads, 2);
	CHECK_EQ(s.counts.total[0].value, 130);
	strike(&s);
}

TEST(a_slice_holds_what_its_own_thread_gained)
{
	struct stage s = stage_on("xscale1", "instructions,cycles");

	s.options.interval = 1000;
	s.options.interval_signal = APMU_SIG_INST;
	mark(&s, 1, 1003, false);
	mark(&s, 2, 1000, false);
	mark(&s, 1, 2001, false);
	mark(&s, 1, 2500, true);
	mark(&s, 2, 1700, true);
	replay(&s);
	CHECK_EQ(s.counts.slices, 5);
	CHECK_EQ(s.counts.slice[0].count[0].value, 1003);
	CHECK_EQ(s.counts.slice[1].count[0].value, 998);
	CHECK_EQ(s.counts.slice[1].at, 2001);
	CHECK_EQ(s.counts.slice[2].count[0].value, 499);
	CHECK_EQ(s.counts.slice[2].count[1].value, 998);
	CHECK_EQ(s.counts.slice[4].thread, 1);
	CHECK_EQ(s.counts.slice[4].count[0].value, 700);
	strike(&s);
}

TEST(events_take_turns_on_the_counters_that_the_core_has)
{
	struct stage s = stage_on("arm1136", "cycles,instructions,branches,branch-misses,cache-misses");

	s.options.hardware = true;
	for (unsigned i = 1; i <= 1000; i++)
		mark(&s, 1, 400u * i, i == 1000);
	replay(&s);
	CHECK_EQ(s.counts.total[0].value, 800000); /* cycles have a counter of their own */
	CHECK_EQ(s.counts.total[0].running, s.counts.total[0].enabled);
	for (size_t i = 1; i <= 4; i++) {
		CHECK_EQ(s.counts.total[i].enabled, 800000);
		CHECK_EQ(s.counts.total[i].running,
			 400000); /* two counters, four events: half the time each */
	}
	CHECK(s.counts.total[1].value < 400000);
	CHECK_EQ((uint64_t)cli__scaled(&s.counts.total[1]), 400000);
	CHECK_EQ((uint64_t)cli__scaled(&s.counts.total[2]), 100000);
	strike(&s);
}

TEST(the_events_of_a_group_are_on_the_counters_together)
{
	struct stage s = stage_on("arm1136", "{instructions,branches},branch-misses,cache-misses");

	s.options.hardware = true;
	for (unsigned i = 1; i <= 300; i++)
		mark(&s, 1, 400u * i * i, i == 300); /* turns of growing length */
	replay(&s);
	CHECK(s.counts.total[0].running < s.counts.total[0].enabled);
	CHECK_EQ(s.counts.total[0].running, s.counts.total[1].running);
	CHECK_EQ(s.counts.total[0].value, 4 * s.counts.total[1].value);
	CHECK_EQ(cli__rotation_check(&s.cli, &s.options, &s.core), 0);
	strike(&s);
}

TEST(a_group_of_more_events_than_counters_is_refused)
{
	struct stage s = stage_on("arm1136", "{cycles,instructions,branches,cache-misses}");

	s.options.hardware = true;
	s.cli.err = fopen("/dev/null", "w");
	CHECK_EQ(cli__rotation_check(&s.cli, &s.options, &s.core), CLI__EXIT_USAGE);
	s.core.core = apmu_core_find("xscale2"); /* four counters */
	CHECK_EQ(cli__rotation_check(&s.cli, &s.options, &s.core), 0);
	fclose(s.cli.err);
	strike(&s);
}
