/* SPDX-License-Identifier: MIT */
/* Metrics in `apmu stat`: which to print, the events they need, and their values from counts. */
#include "base/names.h"
#include "cli/common/suggest.h"
#include "cli/stat/stat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Metrics whose events are counted if neither -e nor -M is given. */
static const char *const usual[] = {"cpi", "branch-prediction-ratio", "data-cache-miss-ratio"};

static bool named(const struct apmu_metric *metric, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (apmu_base__same_name(names[i], "all") || apmu_base__same_name(names[i], metric->group) ||
		    apmu_base__same_name(names[i], metric->name))
			return true;
	return false;
}

static bool has_row(const struct cli__stat_options *options, const struct apmu_core *core, unsigned number)
{
	for (size_t i = 0; i < options->rows.n; i++)
		if (cli__label_means(core, options->rows.row[i].label, number))
			return true;
	return false;
}

static void add_rows_of(struct cli__stat_options *options, const struct apmu_core *core,
			const struct apmu_metric *metric)
{
	for (const struct apmu_op_step *step = metric->op; step->op != APMU_OP_END; step++) {
		const struct apmu_event *event;

		if (step->op != APMU_OP_EVENT || has_row(options, core, step->value))
			continue;
		event = step->value == APMU_METRIC_CYCLES ? NULL : apmu_event_find(core, step->value);
		if (event != NULL || step->value == APMU_METRIC_CYCLES)
			cli__rows_add(&options->rows, event != NULL ? event->name : "cycles", false);
	}
}

static int unknown_metric(const struct cli__cli *cli, const struct cli__stat_options *options,
			  const char *name)
{
	struct cli__nearest near = {.want = name};

	for (size_t c = 0; c < options->cores; c++)
		for (size_t i = 0; i < apmu_metric_count(options->core[c].core); i++) {
			cli__nearest_offer(&near, apmu_metric_at(options->core[c].core, i)->group);
			cli__nearest_offer(&near, apmu_metric_at(options->core[c].core, i)->name);
		}
	if (cli__nearest(&near) != NULL)
		cli__message(cli, "unknown metric or group '%s'; did you mean '%s'?", name,
			     cli__nearest(&near));
	else
		cli__message(cli, "unknown metric or group '%s'; 'apmu list metrics' has them all", name);
	return CLI__EXIT_USAGE;
}

static bool known(const struct cli__stat_options *options, const char *name)
{
	for (size_t c = 0; c < options->cores; c++)
		for (size_t i = 0; i < apmu_metric_count(options->core[c].core); i++)
			if (named(apmu_metric_at(options->core[c].core, i), &name, 1))
				return true;
	return false;
}

int cli__metrics_rows(const struct cli__cli *cli, struct cli__stat_options *options, const char *const *names,
		      size_t n)
{
	if (n == 0) {
		names = usual;
		n = sizeof usual / sizeof usual[0];
	} else {
		for (size_t i = 0; i < n; i++)
			if (!known(options, names[i]))
				return unknown_metric(cli, options, names[i]);
	}
	for (size_t c = 0; c < options->cores; c++)
		for (size_t i = 0; i < apmu_metric_count(options->core[c].core); i++) {
			const struct apmu_metric *metric = apmu_metric_at(options->core[c].core, i);

			if (named(metric, names, n))
				add_rows_of(options, options->core[c].core, metric);
		}
	return 0;
}

static bool suffices(const struct cli__stat_options *options, const struct cli__stat_core *core,
		     const struct apmu_metric *metric)
{
	for (const struct apmu_op_step *step = metric->op; step->op != APMU_OP_END; step++)
		if (step->op == APMU_OP_EVENT &&
		    cli__wanted_find(core->wanted, options->rows.n, step->value) == options->rows.n)
			return false;
	return true;
}

void cli__metrics_choose(struct cli__stat_options *options, const char *const *names, size_t n)
{
	for (size_t c = 0; c < options->cores; c++) {
		struct cli__stat_core *core = &options->core[c];
		const struct apmu_metric **chosen =
			cli__zalloc(apmu_metric_count(core->core), sizeof(void *));

		for (size_t i = 0; i < apmu_metric_count(core->core); i++) {
			const struct apmu_metric *metric = apmu_metric_at(core->core, i);

			if (suffices(options, core, metric) && (n == 0 || named(metric, names, n)))
				chosen[core->metrics++] = metric;
		}
		core->metric = chosen;
	}
}

struct look {
	const struct cli__stat_options *options;
	const struct cli__stat_core *core;
	const struct cli__count *counts;
	bool missing; /* an event was never on a counter */
};

static double value_of(void *ctx, unsigned number)
{
	struct look *look = ctx;
	size_t i = cli__wanted_find(look->core->wanted, look->options->rows.n, number);

	if (i == look->options->rows.n)
		return 0;
	look->missing |= cli__uncounted(&look->counts[i]);
	return cli__scaled(&look->counts[i]);
}

int cli__metric_value(const struct cli__stat_options *options, const struct cli__stat_core *core,
		      const struct apmu_metric *metric, const struct cli__count *counts, double *out)
{
	struct look look = {options, core, counts, false};

	if (apmu_metric_eval(metric, value_of, &look, out) != 0)
		*out = (double)NAN;
	return look.missing ? APMU_EINVAL : 0;
}
