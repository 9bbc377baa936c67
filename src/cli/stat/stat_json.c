/* SPDX-License-Identifier: MIT */
/* `apmu stat -j`: schema apmu-stat/1, as docs/json.md has it. */
#include "cli/common/json.h"
#include "cli/common/uarch_options.h"
#include "cli/stat/stat.h"

#include <math.h>

static json_t *event_json(const struct cli__wanted *wanted, const struct cli__count *count)
{
	json_t *object = json_object();

	cli__json_add(object, "event", cli__json_text(wanted->label));
	cli__json_add(object, "number", wanted->cycles ? json_null() : cli__json_count(wanted->number));
	cli__json_add(object, "name", cli__json_text(cli__wanted_name(wanted)));
	cli__json_add(object, "value", cli__json_count((uint64_t)cli__scaled(count)));
	cli__json_add(object, "enabled", cli__json_count(count->enabled));
	cli__json_add(object, "running", cli__json_count(count->running));
	return object;
}

static json_t *counters_json(const struct cli__stat_options *o, const struct cli__stat_core *core,
			     const struct cli__count *counts, const double *spread)
{
	json_t *array = json_array();

	for (size_t i = 0; i < o->rows.n; i++) {
		json_t *event;

		if (core->wanted[i].absent)
			continue;
		event = event_json(&core->wanted[i], &counts[i]);
		if (o->hardware)
			cli__json_add(event, "counted", cli__json_count(counts[i].value));
		if (spread != NULL)
			cli__json_add(event, "spread", json_real(spread[i]));
		cli__json_append(array, event);
	}
	return array;
}

static json_t *metrics_json(const struct cli__stat_options *o, const struct cli__stat_core *core,
			    const struct cli__count *counts)
{
	json_t *array = json_array();

	for (size_t m = 0; m < core->metrics; m++) {
		const struct apmu_metric *metric = core->metric[m];
		json_t *object = json_object();
		double value;
		bool known = cli__metric_value(o, core, metric, counts, &value) == 0 && isfinite(value);

		cli__json_add(object, "metric", cli__json_text(metric->name));
		cli__json_add(object, "group", cli__json_text(metric->group));
		cli__json_add(object, "value", known ? json_real(value) : json_null());
		cli__json_add(object, "unit", cli__json_text(metric->unit));
		cli__json_append(array, object);
	}
	return array;
}

/* Events that were asked for and that this core lacks. */
static json_t *unsupported_json(const struct cli__stat_options *o, const struct cli__stat_core *core)
{
	json_t *array = json_array();

	for (size_t i = 0; i < o->rows.n; i++)
		if (core->wanted[i].absent && o->rows.row[i].asked)
			cli__json_append(array, cli__json_text(o->rows.row[i].label));
	return array;
}

static json_t *threads_json(const struct cli__stat_options *o, const struct cli__stat_core *core,
			    const struct cli__counts *counts)
{
	json_t *array = json_array();

	for (size_t t = 0; t < counts->threads; t++) {
		json_t *object = json_object();

		if (!o->system)
			cli__json_add(object, "pid", json_integer(counts->thread[t].pid));
		cli__json_add(object, o->system ? "vcpu" : "tid", json_integer(counts->thread[t].tid));
		if (counts->thread[t].name[0])
			cli__json_add(object, "name", cli__json_text(counts->thread[t].name));
		cli__json_add(object, "counters", counters_json(o, core, counts->thread[t].count, NULL));
		cli__json_add(object, "metrics", metrics_json(o, core, counts->thread[t].count));
		cli__json_append(array, object);
	}
	return array;
}

static json_t *slices_json(const struct cli__stat_options *o, const struct cli__stat_core *core,
			   const struct cli__counts *counts)
{
	json_t *array = json_array();

	for (size_t s = 0; s < counts->slices; s++) {
		const struct cli__slice *slice = &counts->slice[s];
		json_t *object = json_object();

		cli__json_add(object, o->system ? "vcpu" : "tid",
			      json_integer(counts->thread[slice->thread].tid));
		cli__json_add(object, "at", cli__json_count(slice->at));
		cli__json_add(object, "counters", counters_json(o, core, slice->count, NULL));
		cli__json_append(array, object);
	}
	return array;
}

/* The expected error of the cycles, and its parts by class. */
static json_t *band_json(const struct cli__band *band)
{
	json_t *object = json_object(), *classes = json_array();

	cli__json_add(object, "within", json_real(band->within));
	for (unsigned k = 0; k < CLI__BAND_CLASSES; k++) {
		json_t *class = json_object();

		cli__json_add(class, "class", cli__json_text(cli__band_name[k]));
		cli__json_add(class, "share", json_real(band->share[k]));
		cli__json_add(class, "error", json_real(band->error[k]));
		cli__json_add(class, "free", json_boolean(band->has[k]));
		cli__json_append(classes, class);
	}
	cli__json_add(object, "classes", classes);
	return object;
}

/* Adds the results of one core to `object`, which is the whole object if only one core was asked for. */
static void add_core(json_t *object, const struct cli__stat_options *o, const struct cli__stat_core *core,
		     const struct cli__stat_result *result)
{
	cli__json_add(object, "exit", json_integer(result->exit));
	if (result->signal != 0)
		cli__json_add(object, "signal", json_integer(result->signal));
	if (!cli__has_own_params(core->core))
		cli__json_add(object, "timing_of", cli__json_text(core->core->uarch));
	cli__json_add(object, "time",
		      cli__json_text(result->time == APMU_SIG_CYCLES ? "cycles" : "instructions"));
	if (cli__simulated(core, result, result->mean) > 0)
		cli__json_add(object, "seconds", json_real(cli__simulated(core, result, result->mean)));
	cli__json_add(object, "counters",
		      counters_json(o, core, result->mean, o->repeat > 1 ? result->spread : NULL));
	cli__json_add(object, "metrics", metrics_json(o, core, result->mean));
	if (o->several)
		cli__json_add(object, "unsupported", unsupported_json(o, core));
	if (result->undecoded != 0)
		cli__json_add(object, "undecoded", cli__json_count(result->undecoded));
	if (result->band.known)
		cli__json_add(object, "band", band_json(&result->band));
	if (result->timed < 1) {
		json_t *samples = json_object();

		cli__json_add(samples, "timed", json_real(result->timed));
		cli__json_add(samples, "error", json_real(result->time_error));
		cli__json_add(object, "time_samples", samples);
	}
	if (result->unlawful)
		cli__json_add(object, "untrusted", cli__json_text("cycles"));
	if (result->hidden)
		cli__json_add(object, "hidden", json_true());
	if (o->per_thread || o->system)
		cli__json_add(object, o->system ? "vcpus" : "threads",
			      threads_json(o, core, &result->counts));
	if (o->interval != 0) {
		cli__json_add(object, "interval", cli__json_count(o->interval));
		cli__json_add(
			object, "interval_unit",
			cli__json_text(o->interval_signal == APMU_SIG_CYCLES ? "cycles" : "instructions"));
		cli__json_add(object, "intervals", slices_json(o, core, &result->counts));
	}
}

static json_t *program_json(const struct cli__stat_options *o)
{
	json_t *array = json_array();

	for (size_t i = 0; o->argv[i] != NULL; i++)
		cli__json_append(array, cli__json_text(o->argv[i]));
	return array;
}

int cli__stat_json(const struct cli__stat_options *o, const struct cli__stat_result *results, FILE *out)
{
	json_t *object = json_object(), *cores = NULL;

	cli__json_add(object, "schema", cli__json_text(CLI__STAT_SCHEMA));
	if (!o->several)
		cli__json_add(object, "core", cli__json_text(o->core[0].core->name));
	cli__json_add(object, "program", program_json(o));
	if (o->system)
		cli__json_add(object, "system", json_true());
	cli__json_add(object, "mode", cli__json_text(o->hardware ? "as-hardware" : "exact"));
	if (o->repeat > 1)
		cli__json_add(object, "runs", json_integer(results[0].runs));
	if (!o->several) {
		add_core(object, o, &o->core[0], &results[0]);
		return cli__json_print(object, out);
	}
	cli__json_add(object, "exit", json_integer(cli__stat_exit(o, results)));
	cores = json_array();
	for (size_t c = 0; c < o->cores; c++) {
		json_t *core = json_object();

		cli__json_add(core, "core", cli__json_text(o->core[c].core->name));
		if (results[c].runs != results[0].runs)
			cli__json_add(core, "runs", json_integer(results[c].runs));
		add_core(core, o, &o->core[c], &results[c]);
		cli__json_append(cores, core);
	}
	cli__json_add(object, "cores", cores);
	return cli__json_print(object, out);
}
