/* SPDX-License-Identifier: MIT */
/**
 * What the model costs: nanoseconds to take a tally, to read and to write a register, beside an empty loop of
 * the same shape in the same run. Each figure is the median of several rounds, and beside it the fastest of
 * them (less the loop's fastest), which a machine that others use as well disturbs least; rounds of all kinds
 * take turns, so that a slow moment of the machine falls on all of them.
 */
#define _POSIX_C_SOURCE 199309L
#include <apmu/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 15
#define TURNS  1000000u

/* Together, so that a figure does not depend on where the linker puts them. */
static _Alignas(4096) struct {
	struct apmu_tally tally;
	struct apmu pmu;
} bench;

#define tally bench.tally
#define pmu   bench.pmu

static uint64_t sink;

/* The compiler may assume nothing about memory from here on. */
static void fence(void)
{
	__asm__ volatile("" : : : "memory");
}

/* What an event source does between two looks: a block of ten instructions with one miss. */
static void block(void)
{
	tally.n[APMU_SIG_CYCLES] += 12;
	tally.n[APMU_SIG_INST] += 10;
	tally.n[APMU_SIG_L1D_MISS] += 1;
	fence();
}

/* A core and the accesses that stand for its control register and its first counter. */
struct subject {
	const struct apmu_core *core;
	const char *what;
	struct apmu_access control, counter;
	uint64_t start; /* the control register's value with everything on */
	uint64_t turn;  /* its bit D */
};

static const struct subject *now;

static void empty(unsigned i)
{
	(void)i;
	block();
}

static void take(unsigned i)
{
	(void)i;
	block();
	apmu_advance(&pmu);
}

static void take_nothing(unsigned i)
{
	(void)i;
	fence();
	apmu_advance(&pmu);
}

static void read_counter(unsigned i)
{
	uint64_t value = 0;

	(void)i;
	fence();
	apmu_read(&pmu, now->counter, &value);
	sink += value;
}

static void write_counter(unsigned i)
{
	fence();
	apmu_write(&pmu, now->counter, i);
}

static void write_control(unsigned i)
{
	(void)i;
	fence();
	apmu_write(&pmu, now->control, now->start);
}

/* A control bit turns with each write: nothing of the last one can be kept. */
static void turn_control(unsigned i)
{
	fence();
	apmu_write(&pmu, now->control, i & 1 ? now->start : now->start ^ now->turn);
}

/* Everything stops or starts with each write: all that is derived is derived anew. */
static void stop_and_start(unsigned i)
{
	fence();
	apmu_write(&pmu, now->control, i & 1 ? now->start : now->start ^ 1);
}

static void take_and_write(unsigned i)
{
	block();
	apmu_write(&pmu, now->counter, i);
}

struct kind {
	const char *what;
	void (*turn)(unsigned i);
	double ns[ROUNDS];
};

static struct kind kinds[] = {
	{"empty loop: three adds to the tally", empty, {0}},
	{"take a tally into the counters", take, {0}},
	{"the same with no news", take_nothing, {0}},
	{"read a register", read_counter, {0}},
	{"write a register (counter), no news", write_counter, {0}},
	{"write a register (control, same bits), no news", write_control, {0}},
	{"write a register (control, D turned), no news", turn_control, {0}},
	{"write a register (control, E turned), no news", stop_and_start, {0}},
	{"write a register (counter), taking what is pending", take_and_write, {0}},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static double round_of(void (*turn)(unsigned i))
{
	struct timespec start, end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	for (unsigned i = 0; i < TURNS; i++)
		turn(i);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) / TURNS;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(struct kind *kind)
{
	qsort(kind->ns, ROUNDS, sizeof kind->ns[0], by_size);
	return kind->ns[ROUNDS / 2];
}

/* Every event counter of a PMUv3 on, counting instructions; MSR PMSELR and PMXEVTYPER as a driver would. */
static void all_counters_on(const struct subject *subject)
{
	const struct apmu_mode el1 = subject->control.from;

	for (unsigned n = 0; n < subject->core->counters && subject->core->counters > 4; n++)
		apmu_write(&pmu,
			   (struct apmu_access){APMU_VIEW_A64, apmu_sysreg(3, 3, 14, 12 + n / 8, n % 8), el1},
			   0x08);
	apmu_write(&pmu, (struct apmu_access){APMU_VIEW_A64, apmu_sysreg(3, 3, 9, 12, 1), el1}, 0xFFFFFFFF);
}

static void measure(const struct subject *subject)
{
	double nothing, least;

	now = subject;
	apmu_init(&pmu, subject->core, &tally, (struct apmu_lines){0});
	apmu_enter(&pmu, subject->control.from);
	all_counters_on(subject);
	write_control(0);
	tally.n[APMU_SIG_CYCLES] += 3;
	apmu_advance(&pmu);
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t k = 0; k < KINDS; k++)
			kinds[k].ns[round] = round_of(kinds[k].turn);
	nothing = median(&kinds[0]);
	least = kinds[0].ns[0];
	printf("%-56s %8s %14s %14s\n", subject->what, "ns", "less the loop", "fastest round");
	printf("%-56s %8.2f %14s %14.2f\n", kinds[0].what, nothing, "", least);
	for (size_t k = 1; k < KINDS; k++) {
		double ns = median(&kinds[k]);

		printf("%-56s %8.2f %14.2f %14.2f\n", kinds[k].what, ns, ns - nothing,
		       kinds[k].ns[0] - least);
	}
}

int main(void)
{
	const struct apmu_mode kernel = {.el = 1};
	const struct subject subjects[] = {
		{&apmu_core_arm1136jf_s,
		 "model (arm1136jf-s, two counters and CCNT on)",
		 {APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), kernel},
		 {APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 2), kernel},
		 0x07u << 20 | 0x0Bu << 12 | 1u,
		 8},
		{&apmu_core_generic_v9,
		 "model (generic-v9, 31 counters and PMCCNTR on)",
		 {APMU_VIEW_A64, apmu_sysreg(3, 3, 9, 12, 0), kernel},
		 {APMU_VIEW_A64, apmu_sysreg(3, 3, 14, 8, 0), kernel},
		 0xC1,
		 8},
	};

	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
		measure(&subjects[i]);
	printf("%-56s %8zu bytes\n", "sizeof(struct apmu)", sizeof(struct apmu));
	return sink == 1; /* keeps the reads */
}
