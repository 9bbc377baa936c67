/* SPDX-License-Identifier: MIT */
/**
 * Counts of a region of code, of a task, and over several cores.
 *
 * The caller owns the memory of a region. Begin and end each read the counters, so each costs as much as
 * apmu_dev_read(). Regions nest: `total` includes the regions inside, `self` does not.
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

#define APMU_REGION_EVENTS 8 /* a region or a task counts at most the first 8 wants of the plan */

struct apmu_region {
	const char *name;
	uint32_t calls; /* begins; of a region that calls itself the inner ones too */
	uint32_t open;  /* begins without an end yet; of a region that calls itself only the outermost pair
			   counts */
	struct apmu_region *outer; /* the region around it, while open */
	uint64_t total[APMU_REGION_EVENTS];
	uint64_t self[APMU_REGION_EVENTS];
	uint64_t begin[APMU_REGION_EVENTS]; /* while open: the counts at begin */
	uint64_t inner[APMU_REGION_EVENTS]; /* while open: what the regions inside counted */
};

struct apmu_task {
	uint64_t total[APMU_REGION_EVENTS]; /* counts up to the last switch away from the task */
	uint64_t since[APMU_REGION_EVENTS]; /* while it runs: the core's counts when it was switched in */
	struct apmu_region *region;         /* the innermost open region */
	uint32_t switches;
};

/* Enters and leaves a region. 0; APMU_EINVAL: no plan is loaded, or the region to be left is not the
 * innermost open one. Only the outermost pair of a region that calls itself is checked: after begin of A, A
 * and B, end of A returns 0; and begin of a region that is open returns 0 even if no plan is loaded any more,
 * as after apmu_dev_close(). */
int apmu_region_begin(struct apmu_dev *dev, struct apmu_region *region);
int apmu_region_end(struct apmu_dev *dev, struct apmu_region *region);

/* Makes `to` the running task, which the counts belong to from now on; NULL: no task. The first call starts
 * the accounting. 0; APMU_EINVAL: no plan is loaded. */
int apmu_task_switch(struct apmu_dev *dev, struct apmu_task *to);
/* Reads the counts of the running task, or of the whole core if no task runs. APMU_EINVAL if `n` is more than
 * a task counts. */
int apmu_task_read(struct apmu_dev *dev, uint64_t *out, size_t n);

/* Several cores, one struct apmu_dev each. `on` runs `fn` on a core (by an inter-processor interrupt, a
 * message, or a plain call where the PMU is reached through a frame) and returns when `fn` has run. */
struct apmu_team {
	struct apmu_dev *const *dev;
	uint8_t n;
	int (*on)(void *ctx, unsigned core, int (*fn)(void *arg), void *arg); /* NULL: plain calls */
	void *ctx;
};
/* Start and stop all cores. 0, or the first failure; the other cores are started or stopped all the same. */
int apmu_team_start(const struct apmu_team *team);
int apmu_team_stop(const struct apmu_team *team);
/* Fills counts[core * n + want], and sum[want] with the sums over the cores, `enabled` and `running` too.
 * Either may be NULL. APMU_E2BIG if `n` is more than APMU_REGION_EVENTS. */
int apmu_team_read(const struct apmu_team *team, struct apmu_count *counts, struct apmu_count *sum, size_t n);

/* Adds wants for the events of a metric of spec/groups to the first `n` of `want`, in one group (1 to 255, so
 * that they count at the same time); an event that is already there is not added. Returns the new number of
 * wants, or APMU_E2BIG if that is more than `max`. Call it once per metric to combine several. */
int apmu_metric_wants(const struct apmu_metric *metric, uint8_t group, struct apmu_want *want, size_t n,
		      size_t max);
#if APMU_METRIC_DOUBLE
/* Evaluates a metric from the scaled counts of the loaded plan. 0; APMU_ENOENT: an event is not in the plan;
 * APMU_EINVAL: the metric divides by zero. */
int apmu_dev_metric(const struct apmu_dev *dev, const struct apmu_metric *metric,
		    const struct apmu_count *counts, double *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
