/* SPDX-License-Identifier: MIT */
/* Regions and tasks, counted as differences of reads. */
#include <apmu/region.h>

#include "driver/device.h"

static size_t followed(const struct apmu_dev *dev)
{
	return dev->n < APMU_REGION_EVENTS ? dev->n : APMU_REGION_EVENTS;
}

static int core_read(struct apmu_dev *dev, uint64_t *out)
{
	struct apmu_count count[APMU_REGION_EVENTS];
	int bad = apmu_dev_read(dev, count, followed(dev));

	for (size_t i = 0; i < followed(dev) && !bad; i++)
		out[i] = count[i].value;
	return bad;
}

/* Reads the counts of the running task, or of the core if no task runs. */
static int task_read(struct apmu_dev *dev, uint64_t *out)
{
	const struct apmu_task *task = dev->task;
	int bad = core_read(dev, out);

	for (size_t i = 0; i < followed(dev) && !bad && task; i++)
		out[i] += task->total[i] - task->since[i];
	return bad;
}

int apmu_task_read(struct apmu_dev *dev, uint64_t *out, size_t n)
{
	uint64_t now[APMU_REGION_EVENTS];
	int bad = n > followed(dev) ? APMU_EINVAL : task_read(dev, now);

	for (size_t i = 0; i < n && !bad; i++)
		out[i] = now[i];
	return bad;
}

int apmu_task_switch(struct apmu_dev *dev, struct apmu_task *to)
{
	struct apmu_task *from = dev->task;
	uint64_t now[APMU_REGION_EVENTS];
	int bad = core_read(dev, now);

	if (bad)
		return bad;
	for (size_t i = 0; i < followed(dev); i++) {
		if (from)
			from->total[i] += now[i] - from->since[i];
		if (to)
			to->since[i] = now[i];
	}
	if (to)
		to->switches++;
	dev->task = to;
	return APMU_OK;
}

static struct apmu_region **innermost(struct apmu_dev *dev)
{
	return dev->task ? &dev->task->region : &dev->region;
}

int apmu_region_begin(struct apmu_dev *dev, struct apmu_region *region)
{
	struct apmu_region **top = innermost(dev);
	int bad;

	region->calls++;
	if (region->open++) /* recursion: only the outermost begin reads the counters */
		return APMU_OK;
	region->outer = *top;
	*top = region;
	for (size_t i = 0; i < APMU_REGION_EVENTS; i++)
		region->inner[i] = 0;
	bad = task_read(dev, region->begin);
	if (bad) { /* not entered */
		*top = region->outer;
		region->outer = NULL;
		region->calls--;
		region->open = 0;
	}
	return bad;
}

int apmu_region_end(struct apmu_dev *dev, struct apmu_region *region)
{
	struct apmu_region **top = innermost(dev);
	uint64_t now[APMU_REGION_EVENTS];
	int bad = task_read(dev, now);

	if (bad)
		return bad;
	if (!region->open || (region->open == 1 && *top != region))
		return APMU_EINVAL;
	if (--region->open)
		return APMU_OK;
	*top = region->outer;
	for (size_t i = 0; i < followed(dev); i++) {
		uint64_t took = now[i] - region->begin[i];

		region->total[i] += took;
		region->self[i] += took - region->inner[i];
		if (region->outer)
			region->outer->inner[i] += took;
	}
	region->outer = NULL;
	return APMU_OK;
}
