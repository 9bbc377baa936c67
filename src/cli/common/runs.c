/* SPDX-License-Identifier: MIT */
#include "cli/common/runs.h"

#include "cli/common/interrupt.h"
#include "cli/common/side_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli__runs_begin(const struct cli__cli *cli, struct cli__runs *runs,
		    const struct apmu_qemu__run_options *option, size_t total, unsigned jobs)
{
	*runs = (struct cli__runs){.option = option};
	fflush(cli->out);
	fflush(cli->err);
	cli__interrupts_program();
	if (total == 1 || (runs->side = cli__side_begin(option, total, jobs)) != NULL)
		return 0;
	cli__message(cli, "%s", strerror(errno));
	return CLI__EXIT_FAILURE;
}

int cli__runs_take(struct cli__runs *runs, size_t i, struct apmu_qemu__run_result *result, char *error,
		   size_t size)
{
	int bad = runs->side ? cli__side_take(runs->side, i, result, error, size)
			     : apmu_qemu__run(&runs->option[i], result, error, size);

	runs->told = result->ended_by ? result->ended_by : runs->told;
	if (runs->side == NULL)
		cli__interrupts_results(runs->told);
	return bad;
}

bool cli__runs_stopped(int bad)
{
	return bad == -ECANCELED || (bad == -EINTR && cli__interrupted());
}

void cli__runs_say_not_run(const struct cli__cli *cli, const struct apmu_qemu__run_options *option,
			   size_t total)
{
	struct cli__names names = {0};

	for (size_t i = 0; i < total; i++)
		if (i == 0 || option[i].core != option[i - 1].core)
			cli__names_add(&names, option[i].core->name);
	char *list = cli__names_take(&names);
	cli__message(cli, "interrupted: the program did not run on %s", list);
	free(list);
}

bool cli__runs_unwritten(const struct cli__cli *cli, const struct cli__runs *runs, size_t i)
{
	int why = runs->side ? cli__side_unwritten(runs->side, i) : 0;

	if (why != 0)
		cli__message(cli, "what the program printed could not all be written: %s", strerror(why));
	return why != 0;
}

int cli__runs_failed(const struct cli__cli *cli, const struct cli__runs *runs, size_t i, int bad,
		     const char *error, const char *lost)
{
	if (bad == -ECANCELED)
		cli__message(cli, "interrupted before %s ran: %s", runs->option[i].core->name, lost);
	else
		cli__message(cli, "%s", error[0] != '\0' ? error : strerror(-bad));
	return (bad == -EINTR || bad == -ECANCELED) && cli__interrupted() ? 128 + cli__interrupted()
									  : CLI__EXIT_FAILURE;
}

void cli__runs_end(struct cli__runs *runs)
{
	if (runs->option == NULL)
		return;
	cli__side_end(runs->side);
	cli__interrupts_results(runs->told);
}
