/* SPDX-License-Identifier: MIT */
/* Metrics: the ratios that the documents tell users to compute, and that every formula can be computed. */
#include "tables.h"

#include <apmu/metric.h>

#include "test.h"

/* What each event counted in the runs below: different for every number, never 0. */
static double counted(void *ctx, unsigned number)
{
	(void)ctx;
	return number == APMU_METRIC_CYCLES ? 100000 : 1000 + 7 * number * number;
}

/* The same as in a formula of a manual. */
#define e(number) counted(NULL, number)
#define ccnt      counted(NULL, APMU_METRIC_CYCLES)

static const struct apmu_metric *metric(const struct apmu_core *core, const char *name)
{
	for (size_t i = 0; i < apmu_metric_count(core); i++)
		if (!strcmp(apmu_metric_at(core, i)->name, name))
			return apmu_metric_at(core, i);
	return NULL;
}

struct formula {
	const char *name;
	double want;
};

static void check_formulas(const char *name, const struct formula *formula, size_t n)
{
	const struct apmu_core *core = apmu_core_find(name);

	for (size_t i = 0; i < n; i++) {
		const struct apmu_metric *m = metric(core, formula[i].name);
		double got = 0;
		if (!m || apmu_metric_eval(m, counted, NULL, &got))
			fail_msg("%s has no %s", name, formula[i].name);
		if (got - formula[i].want > 1e-9 || formula[i].want - got > 1e-9)
			fail_msg("%s %s: %g, not %g", name, formula[i].name, got, formula[i].want);
	}
}

TEST(the_ratios_of_app_note_195_are_what_it_says)
{
	static const char *const core[] = {"arm1136", "arm1156", "arm1176"};
	const struct formula formula[] = {
		{"branch-prediction-ratio", 1 - e(0x06) / e(0x05)},   /* AN195 5 */
		{"non-cacheable-accesses", e(0x0A) - e(0x09)},        /* AN195 7 */
		{"data-cache-miss-ratio", e(0x0B) / e(0x09)},         /* AN195 8 */
		{"instruction-cache-mpki", 1000 * e(0x00) / e(0x07)}, /* AN195 8 */
		{"cpi", ccnt / e(0x07)},
	};

	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++)
		check_formulas(core[i], formula, sizeof formula / sizeof formula[0]);
}

/* "There is no count of I-cache accesses": so nothing may pretend to be a hit ratio (AN195 8). */
TEST(arm11_offers_no_instruction_cache_hit_ratio)
{
	static const char *const core[] = {"arm1136", "arm1156", "arm1176"};

	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++)
		for (size_t j = 0; j < apmu_metric_count(apmu_core_find(core[i])); j++)
			CHECK(!strstr(apmu_metric_at(apmu_core_find(core[i]), j)->name, "hit"));
}

TEST(the_seven_measurement_modes_of_xscale_are_what_the_manual_says) /* 80200 12, table 12-5 */
{
	static const char *const core[] = {"xscale1", "xscale2"};
	const struct formula formula[] = {
		{"instruction-cache-miss-rate", e(0x00) / e(0x07)},
		{"cpi", ccnt / e(0x07)},
		{"data-cache-miss-ratio", e(0x0B) / e(0x0A)},
		{"cycles-per-fetch", e(0x01) / e(0x00)},
		{"fetch-stall", e(0x01) / ccnt},
		{"buffer-full-stall-length", e(0x08) / e(0x09)},
		{"buffer-full-stall", e(0x08) / ccnt},
		{"data-stall", e(0x02) / ccnt},
		{"write-backs", e(0x0C)},
		{"instruction-tlb-miss-rate", e(0x03) / e(0x07)},
		{"data-tlb-miss-rate", e(0x04) / e(0x0A)},
	};

	for (size_t i = 0; i < sizeof core / sizeof core[0]; i++)
		check_formulas(core[i], formula, sizeof formula / sizeof formula[0]);
}

/* Does the formula fit its stack, and use nothing that the core lacks? */
static void check_program(const struct apmu_core *core, const struct apmu_metric *m)
{
	unsigned depth = 0;

	for (const struct apmu_op_step *step = m->op; step->op != APMU_OP_END; step++) {
		CHECK(step < m->op + APMU_METRIC_OPS);
		if (step->op != APMU_OP_EVENT && step->op != APMU_OP_NUMBER) {
			CHECK_ON(core, m->name, depth >= 2, 1);
			depth--;
			continue;
		}
		depth++;
		if (step->op == APMU_OP_NUMBER || step->value == APMU_METRIC_CYCLES)
			continue;
		const struct apmu_event *event = apmu_event_find(core, step->value);
		CHECK_ON(core, m->name, event && event->produced != APMU_NOTHING, 1);
	}
	CHECK_ON(core, m->name, depth, 1);
}

TEST(every_formula_can_be_computed_from_the_cores_own_events)
{
	EACH_CORE(core)
	{
		CHECK(apmu_metric_count(core) >= 5);
		for (size_t i = 0; i < apmu_metric_count(core); i++) {
			const struct apmu_metric *m = apmu_metric_at(core, i);
			CHECK(m->name && m->group && m->group_text && m->unit && m->text && m->formula);
			CHECK(metric(core, m->name) == m); /* names are unique */
			check_program(core, m);
		}
		CHECK(apmu_metric_at(core, apmu_metric_count(core)) == NULL);
	}
}

static double nothing(void *ctx, unsigned number)
{
	(void)ctx;
	(void)number;
	return 0;
}

TEST(a_ratio_of_nothing_is_refused_and_leaves_the_result_alone)
{
	EACH_CORE(core)
	for (size_t i = 0; i < apmu_metric_count(core); i++) {
		const struct apmu_metric *m = apmu_metric_at(core, i);
		double out = 42;
		bool divides = strchr(m->formula, '/') != NULL;
		CHECK_ON(core, m->name, apmu_metric_eval(m, nothing, NULL, &out), divides ? APMU_EINVAL : 0);
		CHECK_ON(core, m->name, out > 41 && out < 43, divides);
	}
}
