/* SPDX-License-Identifier: MIT */
/* `apmu run --stat`: what the host counted beside the guest's PMU. */
#include "cli/common/events.h"
#include "cli/common/format_number.h"
#include "cli/common/run_event.h"
#include "cli/common/table.h"
#include "cli/run/run.h"
#include "cli/run/sandbox.h"

#include <stdlib.h>

int cli__run_events(const struct cli__cli *cli, struct cli__run_command *run)
{
	const struct apmu_core *core = run->config.core;

	if (!run->stat)
		return 0;
	if (run->rows.n == 0) {
		cli__rows_usual(&run->rows);
		if (run->uarch.l2.line_buffers != 0)
			cli__rows_l2c(&run->rows);
	}
	run->rows.firmware = !run->linux_program;
	run->wanted = cli__wanted_of(cli, &run->rows, core, &core, 1);
	if (!run->wanted)
		return CLI__EXIT_USAGE;
	if (run->uarch.l2.line_buffers == 0 &&
	    cli__wanted_refuse_outside(cli, run->wanted, run->rows.n, "needs --l2c l210") != 0)
		return CLI__EXIT_USAGE;
	for (size_t i = 0; i < run->rows.n; i++)
		if (!run->wanted[i].absent)
			cli__wanted_signals(core, &run->wanted[i], run->config.wanted);
	return 0;
}

void cli__run_counts(const struct cli__cli *cli, const struct cli__run_command *run,
		     const struct apmu_machine *m)
{
	static const char *const head[] = {"count", "event"};
	struct cli__table table = {.head = head, .right = "RL", .columns = 2, .indent = 2};

	if (!run->stat)
		return;
	fflush(cli->out);
	cli__fence_printed(cli);
	fprintf(cli->err,
		"\nCounted by the host, on %s: the whole run, independent of how the program set up the PMU\n\n",
		run->config.core->title);
	for (size_t i = 0; i < run->rows.n; i++) {
		char number[CLI__NUMBER];

		if (run->wanted[i].absent)
			continue;
		cli__format_count(number, (double)cli__wanted_sum(run->config.core, &run->wanted[i],
								  apmu_machine_tally(m)));
		cli__table_add(&table, "%s", number);
		cli__table_add(&table, "%s (%s)", run->wanted[i].label, cli__wanted_name(&run->wanted[i]));
	}
	cli__table_print(&table, 0, cli->err);
}

void cli__run_free(struct cli__run_command *run)
{
	cli__rows_free(&run->rows);
	cli__run_close_virtio(run);
	free(run->wanted);
	free(run->sets);
	free(run->command_line);
}
