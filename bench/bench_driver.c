/* SPDX-License-Identifier: MIT */
/**
 * What the driver costs on the model backend: nanoseconds and register accesses of start, stop, read and the
 * handler, beside one access of the model's in the same run. Medians of rounds that take turns.
 */
#define _POSIX_C_SOURCE 199309L
#include <apmu/driver.h>
#include <apmu/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS 15
#define TURNS  100000u

static struct apmu_tally tally;
static struct apmu pmu;
static struct apmu_model_port port;
static const struct apmu_backend *model;
static struct apmu_dev dev;
static struct apmu_dev_slot slots[8];
static struct apmu_count count[8];
static unsigned accesses;

static int counting_read(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t *value)
{
	accesses++;
	return model->read(ctx, reg, n, value);
}

static int counting_write(void *ctx, enum apmu_dev_reg reg, unsigned n, uint64_t value)
{
	accesses++;
	return model->write(ctx, reg, n, value);
}

static struct apmu_backend counted;
static struct apmu_dev_config config;

static void start(void)
{
	apmu_dev_start(&dev);
}

static void stop(void)
{
	apmu_dev_stop(&dev);
}

static void start_and_stop(void)
{
	start();
	stop();
}

static void read_one(void)
{
	apmu_dev_read_one(&dev, 0, count);
}

static void read_two(void)
{
	apmu_dev_read(&dev, count, 2);
}

static void not_ours(void)
{
	apmu_dev_interrupt(&dev, NULL);
}

/* One access by the backend alone: what no driver can go below. */
static void access(void)
{
	uint64_t value;

	model->read(&port, APMU_DEV_COUNTER, 0, &value);
}

static const struct {
	const char *what;
	void (*once)(void);
} rows[] = {
	{"one access of the model's", access},
	{"start and stop", start_and_stop},
	{"read one count", read_one},
	{"read two counts", read_two},
	{"handler, not its interrupt", not_ours},
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static double round_of(void (*once)(void))
{
	struct timespec from, to;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
	for (unsigned i = 0; i < TURNS; i++) {
		tally.n[APMU_SIG_CYCLES] += 12;
		tally.n[APMU_SIG_INST] += 10;
		once();
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
	return ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / TURNS;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void prepare(const struct apmu_core *core, const struct apmu_backend *backend)
{
	struct apmu_want want[2] = {{.event = 3, .counter = APMU_ANY_COUNTER},
				    {.event = 4, .counter = APMU_ANY_COUNTER}};

	config = (struct apmu_dev_config){.backend = backend,
					  .ctx = &port,
					  .core = core,
					  .slots = slots,
					  .slots_n = 8,
					  .el = 1,
					  .interrupt = true};
	if (apmu_dev_open(&dev, &config, NULL) || apmu_dev_use(&dev, want, 2, 0, NULL))
		exit(1);
}

static void one_core(const char *name)
{
	static double times[ROWS][ROUNDS];
	const struct apmu_core *core = apmu_core_find(name);

	apmu_init(&pmu, core, &tally, (struct apmu_lines){.line = NULL});
	apmu_enter(&pmu, (struct apmu_mode){.el = 1});
	port = (struct apmu_model_port){.pmu = &pmu, .from = {.el = 1}};
	model = apmu_backend_of_model(&port);
	counted = *model;
	counted.read = counting_read;
	counted.write = counting_write;
	prepare(core, model);
	for (unsigned r = 0; r < ROUNDS; r++)
		for (size_t i = 0; i < ROWS; i++)
			times[i][r] = round_of(rows[i].once);
	prepare(core, &counted);
	for (size_t i = 0; i < ROWS; i++) {
		qsort(times[i], ROUNDS, sizeof(double), compare);
		accesses = 0;
		rows[i].once();
		printf("%-12s %-28s %6.1f ns %4u accesses\n", name, rows[i].what, times[i][ROUNDS / 2],
		       i ? accesses : 1);
	}
}

int main(void)
{
	printf("driver on the model backend\n");
	one_core("arm1136");
	one_core("xscale2");
	one_core("cortex-a9");
	one_core("cortex-a53");
	one_core("neoverse-n2");
	return 0;
}
