/* SPDX-License-Identifier: MIT */
/* The rules of Armv7 and PMUv3, a table of the functions of other files. */
#include "model/model.h"

static int judge(const struct apmu *pmu, const struct apmu_model__access *access)
{
	return access->external ? apmu_model__frame(pmu, access) : apmu_model__trap(pmu, access);
}

const struct apmu_model__rules apmu_model__rules_ranged = {
	.judge = judge,
	.mask = apmu_model__mask,
	.split = apmu_model__split,
	.take_threads = apmu_model__take_threads,
	.watch_threads = apmu_model__watch_threads,
	.threads_gained = apmu_model__threads_gained,
	.open = apmu_model__open,
	.act = apmu_model__act,
	.seen = apmu_model__seen,
	.lint = apmu_model__lint_ranged,
	.reset = apmu_model__reset_words,
	.words = offsetof(struct apmu_state, errata) / sizeof(uint64_t),
	.mirrored = apmu_model__mirrored,
	.fixed = apmu_model__fixed,
	.hpmn = apmu_model__hpmn_read,
	.globally_enabled = apmu_model__ranges_enabled,
	.permitted = apmu_model__permitted,
	.exports = apmu_model__exports,
	.filters = apmu_model__filters,
	.refilter = apmu_model__refilter,
	.thresholds = apmu_model__thresholds,
	.take_by_cycle = apmu_model__take_by_cycle,
	.overflow_bit = apmu_model__overflow_bit,
	.long_cycle = apmu_model__long_cycle,
	.unseen = apmu_model__unseen,
	.wrapped = apmu_model__chain,
	.interrupts = apmu_model__interrupts,
	.profiling = apmu_profiling,
	.other_lines = apmu_model__other_lines,
};
