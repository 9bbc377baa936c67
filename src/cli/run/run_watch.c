/* SPDX-License-Identifier: MIT */
#include "cli/run/run_watch.h"

#include <stdlib.h>

struct cli__run_watch {
	struct cli__trace *trace; /* NULL: not asked for */
	struct cli__vcd *vcd;
};

static void on_access(void *ctx, const struct apmu_seen_access *seen)
{
	cli__trace_access(((struct cli__run_watch *)ctx)->trace, seen);
}

static void on_exception(void *ctx, const struct apmu_seen_exception *seen)
{
	cli__trace_exception(((struct cli__run_watch *)ctx)->trace, seen);
}

static void on_line(void *ctx, enum apmu_line line, bool up, uint64_t cycle)
{
	cli__trace_line(((struct cli__run_watch *)ctx)->trace, line, up, cycle);
}

static void on_step(void *ctx, uint64_t pc, uint64_t cycle, const struct apmu_tally *gained)
{
	cli__vcd_step(((struct cli__run_watch *)ctx)->vcd, pc, cycle, gained);
}

int cli__run_watch_open(struct cli__cli *cli, const struct cli__run_watch_options *options,
			struct cli__run_watch **watch, struct apmu_observer *observer)
{
	struct cli__run_watch *w;

	*watch = NULL;
	*observer = (struct apmu_observer){0};
	if (!options->trace_pmu && !options->vcd)
		return 0;
	w = cli__zalloc(1, sizeof *w);
	observer->ctx = w;
	if (options->trace_pmu) {
		w->trace = cli__trace_open(cli, options);
		observer->access = on_access;
		observer->exception = on_exception;
		observer->line = on_line;
	}
	if (options->vcd) {
		w->vcd = cli__vcd_open(cli, options);
		observer->step = on_step;
	}
	*watch = w;
	if (!options->vcd || w->vcd)
		return 0;
	cli__run_watch_close(w);
	*watch = NULL;
	return CLI__EXIT_FAILURE;
}

void cli__run_watch_attach(struct cli__run_watch *watch, const struct apmu *pmu)
{
	if (watch && watch->vcd)
		cli__vcd_attach(watch->vcd, pmu);
}

int cli__run_watch_close(struct cli__run_watch *watch)
{
	int status;

	if (!watch)
		return 0;
	cli__trace_close(watch->trace);
	status = cli__vcd_close(watch->vcd);
	free(watch);
	return status;
}
