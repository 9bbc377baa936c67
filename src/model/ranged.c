/* SPDX-License-Identifier: MIT */
/* The rules of Armv7 and PMUv3, put together from the files that own them. */
#include "model/model.h"

static int judge(const struct apmu *pmu, const struct apmu__look *look)
{
	return look->external ? apmu__model_frame(pmu, look) : apmu__trap(pmu, look);
}

const struct apmu__rules apmu__rules_ranged = {
	.judge = judge,
	.mask = apmu__mask,
	.split = apmu__split,
	.take_threads = apmu__take_threads,
	.watch_threads = apmu__watch_threads,
	.threads_gained = apmu__threads_gained,
	.open = apmu__open,
	.act = apmu__act,
	.seen = apmu__model_seen,
	.lint = apmu__lint_ranged,
	.reset = apmu__reset_words,
	.mirrored = apmu__mirrored,
	.hpmn = apmu__hpmn_read,
	.globally_enabled = apmu__ranges_enabled,
	.permitted = apmu__permitted,
	.exports = apmu__exports,
	.filters = apmu__filters,
	.refilter = apmu__refilter,
	.thresholds = apmu__thresholds,
	.take_by_cycle = apmu__take_by_cycle,
	.overflow_bit = apmu__overflow_bit,
	.long_cycle = apmu__long_cycle,
	.unseen = apmu__unseen,
	.wrapped = apmu__chain,
	.interrupts = apmu__interrupts,
	.profiling = apmu_profiling,
	.others = apmu__other_lines,
};
