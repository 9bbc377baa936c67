/* SPDX-License-Identifier: MIT */
/**
 * Regions of code, tasks, and several cores: counts of "this function", "this task", "all of them".
 *
 * A region is memory of the caller's; begin and end read the counters, so they cost what a read costs.
 * Regions nest: `total` includes what runs inside, `self` does not.
 *
 *     static struct apmu_region decode = {.name = "decode"};
 *     apmu_region_begin(&dev, &decode);
 *     ...
 *     apmu_region_end(&dev, &decode);               decode.total[0], decode.calls
 *
 * With an RTOS each task has a struct apmu_task, and the switch hook calls apmu_task_switch(): then regions
 * and apmu_task_read() count the task alone, wherever it was preempted.
 *
 * Threads: as apmu_dev_read(). The switch hook runs with interrupts masked, as switch hooks do.
 */
#ifndef APMU_REGION_H
#define APMU_REGION_H

#include <apmu/driver.h>
#include <apmu/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

#define APMU_REGION_EVENTS 8 /* the most wants that a region or a task follows */

struct apmu_region {
	const char *name;
	uint32_t calls;
	uint32_t open;             /* begins without their end: a region may call itself; 1 is counted */
	struct apmu_region *outer; /* while open */
	uint64_t total[APMU_REGION_EVENTS];
	uint64_t self[APMU_REGION_EVENTS];
	uint64_t begin[APMU_REGION_EVENTS]; /* while open */
	uint64_t inner[APMU_REGION_EVENTS]; /* while open: what regions inside took */
};

struct apmu_task {
	uint64_t total[APMU_REGION_EVENTS]; /* up to when it last was switched out */
	uint64_t since[APMU_REGION_EVENTS]; /* while it runs: the counts when it was switched in */
	struct apmu_region *region;         /* innermost open one */
	uint32_t switches;
};

/* Enters and leaves. 0; APMU_EINVAL: no plan is loaded, or the region ended is not the innermost open one. */
int apmu_region_begin(struct apmu_dev *dev, struct apmu_region *region);
int apmu_region_end(struct apmu_dev *dev, struct apmu_region *region);

/* From now on counts belong to `to`; NULL: to nobody in particular. The first call starts the accounts. */
int apmu_task_switch(struct apmu_dev *dev, struct apmu_task *to);
/* What the running task, or NULL for the whole core, has counted. */
int apmu_task_read(struct apmu_dev *dev, uint64_t *out, size_t n);

/* Several cores: one struct apmu_dev each, reached by calling `on` there (an inter-processor interrupt, a
 * message, or the call itself where there is a frame). `on` returns when fn has run. */
struct apmu_team {
	struct apmu_dev *const *dev;
	uint8_t n;
	int (*on)(void *ctx, unsigned core, int (*fn)(void *arg), void *arg); /* NULL: call here */
	void *ctx;
};
/* 0, or the first failure; the others are tried all the same. */
int apmu_team_start(const struct apmu_team *team);
int apmu_team_stop(const struct apmu_team *team);
/* counts[core * n + want]; sum[want] over the cores, `enabled` and `running` too. Either may be NULL. */
int apmu_team_read(const struct apmu_team *team, struct apmu_count *counts, struct apmu_count *sum, size_t n);

/* Wants for every event that a metric of spec/groups uses, each once, in one group (1..255, so that they
 * count at the same time). Returns how many, or APMU_E2BIG. Give several metrics one after the other to add
 * to what `n` wants already hold. */
int apmu_metric_wants(const struct apmu_metric *metric, uint8_t group, struct apmu_want *want, size_t n,
		      size_t max);
/* The metric from the counts of the loaded plan (scaled ones). 0; APMU_ENOENT: an event is not in the plan;
 * APMU_EINVAL: it divides by zero. */
int apmu_dev_metric(const struct apmu_dev *dev, const struct apmu_metric *metric,
		    const struct apmu_count *counts, double *out);

#ifdef __cplusplus
}
#endif

#endif
