/* SPDX-License-Identifier: MIT */
#include "cli/run/run_watch.h"

#include <stdlib.h>

struct apmu__run_watch {
	struct apmu__trace *trace; /* NULL: not asked for */
	struct apmu__vcd *vcd;
};

static void on_access(void *ctx, const struct apmu_seen_access *seen)
{
	apmu__trace_access(((struct apmu__run_watch *)ctx)->trace, seen);
}

static void on_exception(void *ctx, const struct apmu_seen_exception *seen)
{
	apmu__trace_exception(((struct apmu__run_watch *)ctx)->trace, seen);
}

static void on_line(void *ctx, enum apmu_line line, bool up, uint64_t cycle)
{
	apmu__trace_line(((struct apmu__run_watch *)ctx)->trace, line, up, cycle);
}

static void on_step(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained)
{
	apmu__vcd_step(((struct apmu__run_watch *)ctx)->vcd, pc, cycle, gained);
}

int apmu__run_watch_open(struct apmu__cli *cli, const struct apmu__run_watch_options *options,
			 struct apmu__run_watch **watch, struct apmu_observer *observer)
{
	struct apmu__run_watch *w;

	*watch = NULL;
	*observer = (struct apmu_observer){0};
	if (!options->trace_pmu && !options->vcd)
		return 0;
	w = apmu__zalloc(1, sizeof *w);
	observer->ctx = w;
	if (options->trace_pmu) {
		w->trace = apmu__trace_open(cli, options);
		observer->access = on_access;
		observer->exception = on_exception;
		observer->line = on_line;
	}
	if (options->vcd) {
		w->vcd = apmu__vcd_open(cli, options);
		observer->step = on_step;
	}
	*watch = w;
	if (!options->vcd || w->vcd)
		return 0;
	apmu__run_watch_close(w);
	*watch = NULL;
	return APMU__EXIT_FAILURE;
}

void apmu__run_watch_attach(struct apmu__run_watch *watch, const struct apmu *pmu)
{
	if (watch && watch->vcd)
		apmu__vcd_attach(watch->vcd, pmu);
}

int apmu__run_watch_close(struct apmu__run_watch *watch)
{
	int status;

	if (!watch)
		return 0;
	apmu__trace_close(watch->trace);
	status = apmu__vcd_close(watch->vcd);
	free(watch);
	return status;
}
