/* SPDX-License-Identifier: MIT */
/* Metrics of spec/groups from the counts of a plan. */
#include <apmu/region.h>

#include "driver/device.h"

static bool is_for(const struct apmu_want *want, unsigned number)
{
	bool cycles = want->flags & APMU_WANT_CYCLES;

	return number == APMU_METRIC_CYCLES ? cycles : !cycles && want->event == number;
}

int apmu_metric_wants(const struct apmu_metric *metric, uint8_t group, struct apmu_want *want, size_t n,
		      size_t max)
{
	for (const struct apmu_op_step *step = metric->op; step->op != APMU_OP_END; step++) {
		size_t i = 0;

		if (step->op != APMU_OP_EVENT)
			continue;
		while (i < n && !is_for(&want[i], step->value))
			i++;
		if (i < n)
			continue;
		if (n == max)
			return APMU_E2BIG;
		want[n] = (struct apmu_want){.counter = APMU_ANY_COUNTER, .group = group};
		if (step->value == APMU_METRIC_CYCLES)
			want[n].flags = APMU_WANT_CYCLES;
		else
			want[n].event = step->value;
		n++;
	}
	return (int)n;
}

#if APMU_METRIC_DOUBLE

struct lookup {
	const struct apmu_dev *dev;
	const struct apmu_count *counts;
	bool missing;
};

static double value(void *ctx, unsigned number)
{
	struct lookup *l = ctx;

	for (unsigned i = 0; i < l->dev->n; i++)
		if (is_for(&l->dev->config->slots[i].want, number))
			return (double)l->counts[i].scaled;
	l->missing = true;
	return 0;
}

int apmu_dev_metric(const struct apmu_dev *dev, const struct apmu_metric *metric,
		    const struct apmu_count *counts, double *out)
{
	struct lookup l = {.dev = dev, .counts = counts};
	double result = 0;
	int bad = apmu_metric_eval(metric, value, &l, &result);

	if (l.missing)
		return APMU_ENOENT;
	if (!bad)
		*out = result;
	return bad;
}

#endif
