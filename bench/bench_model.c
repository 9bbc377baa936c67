/* SPDX-License-Identifier: MIT */
/**
 * What the model costs: nanoseconds to take a tally, to read and to write a register, beside an empty loop of
 * the same shape in the same run. Each figure is the median of several rounds; rounds of all kinds take
 * turns, so that a slow moment of the machine falls on all of them.
 */
#define _POSIX_C_SOURCE 199309L
#include <apmu/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 15
#define TURNS  1000000u

static struct apmu_tally tally;
static struct apmu pmu;
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

static struct apmu_access pmnc(void)
{
	return (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 0), {.el = 1}};
}

static struct apmu_access pmn0(void)
{
	return (struct apmu_access){APMU_VIEW_CP, apmu_cp(15, 0, 15, 12, 2), {.el = 1}};
}

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

static void read_counter(unsigned i)
{
	uint64_t value = 0;

	(void)i;
	block();
	apmu_read(&pmu, pmn0(), &value);
	sink += value;
}

static void write_counter(unsigned i)
{
	block();
	apmu_write(&pmu, pmn0(), i);
}

static void write_control(unsigned i)
{
	(void)i;
	block();
	apmu_write(&pmu, pmnc(), 0x07u << 20 | 0x0Bu << 12 | 1u);
}

struct kind {
	const char *what;
	void (*turn)(unsigned i);
	double ns[ROUNDS];
};

static struct kind kinds[] = {
	{"empty loop: three adds to the tally", empty, {0}},
	{"take a tally into two counters and the cycle counter", take, {0}},
	{"read a register", read_counter, {0}},
	{"write a register (counter), taking what is pending", write_counter, {0}},
	{"write a register (control), taking what is pending", write_control, {0}},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static double round_of(void (*turn)(unsigned i))
{
	struct timespec start, end;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned i = 0; i < TURNS; i++)
		turn(i);
	clock_gettime(CLOCK_MONOTONIC, &end);
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

int main(void)
{
	double nothing;

	apmu_init(&pmu, &apmu_core_arm1136jf_s, &tally, (struct apmu_lines){0});
	write_control(0);
	tally.n[APMU_SIG_CYCLES] += 3;
	apmu_advance(&pmu);
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t k = 0; k < KINDS; k++)
			kinds[k].ns[round] = round_of(kinds[k].turn);

	nothing = median(&kinds[0]);
	printf("%-56s %8s %14s\n", "model (arm1136jf-s, two counters and CCNT on)", "ns", "less the loop");
	printf("%-56s %8.2f\n", kinds[0].what, nothing);
	for (size_t k = 1; k < KINDS; k++) {
		double ns = median(&kinds[k]);

		printf("%-56s %8.2f %14.2f\n", kinds[k].what, ns, ns - nothing);
	}
	printf("%-56s %8zu bytes\n", "sizeof(struct apmu)", sizeof(struct apmu));
	return sink == 1; /* keeps the reads */
}
