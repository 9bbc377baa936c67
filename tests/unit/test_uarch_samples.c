/* SPDX-License-Identifier: MIT */
/* Samples of time: what does not depend on time is as without them, what does comes near. */
#include "test.h"
#include "uarch/machine.h"
#include "uarch_lab.h"

#include <apmu/uarch.h>

#define STEPS 400000 /* blocks of 5 instructions on average: twice the part that is exact */

static uint64_t seed;

static unsigned below(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 32) * n >> 32);
}

/* A loop whose branch depends on data, and whose loads hit in L1, in L2, or in neither, behind a long chain
 * of multiplications, behind another loop with stores. Some blocks are left before their end. */
static void live(struct lab *l, struct apmu_uarch_time_samples *samples, uint32_t one_in, bool faults)
{
	struct apmu_insn walk[] = {LDR(2, 1), ADD(3, 2, 2), LDR(4, 3), ADD(1, 4, 4), B(0x8000)};
	struct apmu_insn chain[] = {MUL(1, 1, 2), MUL(1, 1, 2), ADD(2, 1, 1), B(0x9100)};
	struct apmu_insn put[] = {STR(3, 1), ADD(1, 1, 1), STR(4, 1), LDR(5, 1), ADD(5, 5, 5), B(0x9200)};

	lab_start(l);
	*samples = (struct apmu_uarch_time_samples){0};
	if (one_in)
		apmu_uarch_sample_time(l->u, one_in, samples);
	struct apmu_block *block[] = {lab_block(l, 0x8000, walk, 5), lab_block(l, 0x8100, chain, 4),
				      lab_block(l, 0x8200, put, 6)};
	seed = 1;
	for (unsigned k = 0; k < STEPS; k++) {
		unsigned which = below(3);
		apmu_uarch_enter(l->u, block[which]);
		if (which == 0) {
			apmu_uarch_access(l->u, block[0], 0, 0x10000000 + below(0x100000) * 8, 4, false);
			apmu_uarch_access(l->u, block[0], 2, 0x10000000 + below(0x400) * 8, 4, false);
		} else if (which == 2) {
			apmu_uarch_access(l->u, block[2], 0, 0x20000000 + below(0x8000) * 8, 4, true);
			apmu_uarch_access(l->u, block[2], 2, 0x30000000 + k * 64, 4, true);
			apmu_uarch_access(l->u, block[2], 3, 0x30000000 + k * 64, 4, false);
		}
		if (faults && below(512) == 0)
			apmu_uarch_abandon(l->u, below(4));
		else if (faults && below(512) == 0)
			apmu_uarch_break(l->u);
	}
	apmu_uarch_add_untimed(samples, &l->t);
}

static void compare(const char *core, bool faults)
{
	struct apmu_uarch_time_samples none, samples;
	struct lab exact, about;

	lab_open(&exact, core);
	lab_open(&about, core);
	live(&exact, &none, 0, faults);
	live(&about, &samples, 10, faults);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		if (!(apmu_uarch__needs_of(s) & APMU_UARCH__TIME))
			CHECK_EQ(exact.t.n[s], about.t.n[s]);
	double want = (double)exact.t.n[APMU_SIG_CYCLES], have = (double)about.t.n[APMU_SIG_CYCLES];
	CHECK(samples.samples > 10 && samples.untimed > about.t.n[APMU_SIG_INST] / 4);
	CHECK(have != want && have > 0.97 * want && have < 1.03 * want);
	uint64_t stalls = exact.t.n[APMU_SIG_STALL_BACK_BOUND], seen = about.t.n[APMU_SIG_STALL_BACK_BOUND];
	CHECK(stalls > 10000 && seen > stalls / 10 * 9 && seen < stalls / 10 * 11);
	lab_close(&exact);
	lab_close(&about);
}

TEST(samples_of_time_change_no_other_count_and_come_near)
{
	static const char *const cores[] = {"cortex-a9", "neoverse-v1", "cortex-x4"};

	for (unsigned k = 0; k < sizeof(cores) / sizeof(cores[0]); k++)
		compare(cores[k], false);
}

TEST(samples_of_time_survive_blocks_that_are_left)
{
	compare("neoverse-n1", true);
}

TEST(in_order_all_instructions_are_timed)
{
	struct apmu_uarch_time_samples none, samples;
	struct lab exact, same;

	lab_open(&exact, "cortex-a53");
	lab_open(&same, "cortex-a53");
	live(&exact, &none, 0, true);
	live(&same, &samples, 10, true);
	CHECK_EQ(samples.untimed, 0);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		CHECK_EQ(exact.t.n[s], same.t.n[s]);
	lab_close(&exact);
	lab_close(&same);
}

/* The standard error is about the spread of runs with other samples. */
TEST(the_standard_error_of_sampled_time_is_of_the_right_size)
{
	struct apmu_uarch_time_samples none, samples;
	struct lab exact;
	double error = 0, said = 0;

	lab_open(&exact, "neoverse-n1");
	live(&exact, &none, 0, false);
	for (uint32_t one_in = 10; one_in < 40; one_in += 4) {
		struct lab about;
		lab_open(&about, "neoverse-n1");
		live(&about, &samples, one_in, false);
		double off = (double)about.t.n[APMU_SIG_CYCLES] - (double)exact.t.n[APMU_SIG_CYCLES];
		error += off * off;
		said += samples.squares;
		lab_close(&about);
	}
	CHECK(error < 4 * said && said < 4 * error);
	lab_close(&exact);
}
