/* SPDX-License-Identifier: MIT */
/* Several cores at once. */
#include <apmu/region.h>

#include "driver/device.h"

struct job {
	struct apmu_dev *dev;
	struct apmu_count *counts;
	size_t n;
};

static int start(void *arg)
{
	return apmu_dev_start(((struct job *)arg)->dev);
}

static int stop(void *arg)
{
	return apmu_dev_stop(((struct job *)arg)->dev);
}

static int read(void *arg)
{
	struct job *job = arg;

	return apmu_dev_read(job->dev, job->counts, job->n);
}

static int there(const struct apmu_team *team, unsigned core, int (*fn)(void *arg), struct job *job)
{
	job->dev = team->dev[core];
	return team->on ? team->on(team->ctx, core, fn, job) : fn(job);
}

static int everywhere(const struct apmu_team *team, int (*fn)(void *arg))
{
	int first = APMU_OK;

	for (unsigned core = 0; core < team->n; core++) {
		struct job job = {0};
		int bad = there(team, core, fn, &job);

		if (!first)
			first = bad;
	}
	return first;
}

int apmu_team_start(const struct apmu_team *team)
{
	return everywhere(team, start);
}

int apmu_team_stop(const struct apmu_team *team)
{
	return everywhere(team, stop);
}

static void add(struct apmu_count *sum, const struct apmu_count *count)
{
	sum->value += count->value;
	sum->scaled += count->scaled;
	sum->error = sum->error > UINT64_MAX - count->error ? UINT64_MAX : sum->error + count->error;
	sum->enabled += count->enabled;
	sum->running += count->running;
	sum->cost += count->cost;
	sum->lost = sum->lost || count->lost;
	sum->throttled = sum->throttled || count->throttled;
}

int apmu_team_read(const struct apmu_team *team, struct apmu_count *counts, struct apmu_count *sum, size_t n)
{
	struct apmu_count own[APMU_REGION_EVENTS];
	int first = APMU_OK;

	if (n > APMU_REGION_EVENTS)
		return APMU_E2BIG;
	for (size_t i = 0; i < n && sum; i++)
		sum[i] = (struct apmu_count){0};
	for (unsigned core = 0; core < team->n; core++) {
		struct job job = {.counts = counts ? counts + core * n : own, .n = n};
		int bad = there(team, core, read, &job);

		for (size_t i = 0; i < n && sum && !bad; i++)
			add(&sum[i], &job.counts[i]);
		if (!first)
			first = bad;
	}
	return first;
}
