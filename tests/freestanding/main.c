/* SPDX-License-Identifier: MIT */
/**
 * A program with no C library: one ARM11 core's PMU and every call of the model, linked for its size and, as
 * an Arm program, run. The exit status is 0, or the number of the first check that failed.
 */
#include <apmu/model.h>

_Static_assert(sizeof(struct apmu) < 4096, "a PMU must stay under 4 KiB");

#define PMNC apmu_cp(15, 0, 15, 12, 0)
#define CCNT apmu_cp(15, 0, 15, 12, 1)
#define PMN0 apmu_cp(15, 0, 15, 12, 2)

static struct apmu pmu;
static struct apmu_tally tally;
static struct apmu_snapshot snapshot;
static unsigned line_changes;

static void on_line(void *ctx, enum apmu_line line, bool up)
{
	(void)ctx;
	(void)line;
	(void)up;
	line_changes++;
}

static struct apmu_access privileged(uint32_t encoding)
{
	return (struct apmu_access){APMU_VIEW_CP, encoding, {.el = 1, .security = APMU_SECURE}};
}

static uint64_t get(uint32_t encoding)
{
	uint64_t value = ~(uint64_t)0;

	return apmu_read_now(&pmu, privileged(encoding), &value) == APMU_DONE ? value : ~(uint64_t)0;
}

static void run(unsigned cycles, unsigned instructions)
{
	tally.n[APMU_SIG_CYCLES] += cycles;
	tally.n[APMU_SIG_INST] += instructions;
	apmu_advance(&pmu);
}

/* Instructions (0x7) in counter 0, three short of its wrap; E, the counter's interrupt, both resets. */
static int counts_and_interrupts(void)
{
	apmu_write(&pmu, privileged(PMNC), 0x7u << 20 | 1u << 4 | 7u);
	apmu_write(&pmu, privileged(PMN0), 0xFFFFFFFDu);
	run(3, 0); /* the start delay, AN195 2 */
	if (get(CCNT) != 0 || apmu_until_overflow(&pmu, APMU_SIG_INST) != 3)
		return 1;
	run(10, 2);
	if (get(CCNT) != 10 || get(PMN0) != 0xFFFFFFFFu || apmu_line_up(&pmu, APMU_LINE_IRQ))
		return 2;
	run(10, 2);
	if (get(PMN0) != 1 || !apmu_line_up(&pmu, APMU_LINE_IRQ) || line_changes != 1)
		return 3;
	return 0;
}

static int saves_and_restores(void)
{
	apmu_save(&pmu, &snapshot);
	apmu_reset(&pmu);
	if (get(PMN0) != 0 || apmu_restore(&pmu, &snapshot) != APMU_OK || get(PMN0) != 1)
		return 4;
	return 0;
}

static int answers_the_rest(void)
{
	apmu_enter(&pmu, (struct apmu_mode){.el = 0});
	apmu_input(&pmu, (struct apmu_inputs){.dbgen = true, .export_heard = true});
	apmu_errata(&pmu, 0);
	if (apmu_export(&pmu, &tally) != 0 || !apmu_wants(&pmu, APMU_SIG_INST) || apmu_wants_cycles(&pmu))
		return 5;
	return 0;
}

int main(void)
{
	int failed;

	apmu_init(&pmu, &apmu_core_arm1136jf_s, &tally, (struct apmu_lines){.line = on_line});
	failed = counts_and_interrupts();
	if (!failed)
		failed = saves_and_restores();
	return failed ? failed : answers_the_rest();
}
