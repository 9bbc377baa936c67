/* SPDX-License-Identifier: MIT */
#include "cli/stat/stat.h"

int cli__stat_check(const struct cli__cli *cli, const struct cli__stat_options *o)
{
	const char *why = NULL;

	if (o->argv[0] == NULL) {
		cli__message(cli, "no program to run; 'apmu %s --help' shows how", cli->command);
		return CLI__EXIT_USAGE;
	}
	if (o->json && o->separator != NULL)
		why = "-j and -x exclude each other";
	else if (o->separator != NULL && o->separator[0] == '\0')
		why = "-x needs a separator, such as ','";
	else if (o->hardware && o->interval != 0)
		why = "-I and --as-hardware exclude each other: both cut the run into slices";
	else if (o->plot && o->interval == 0)
		why = "--plot needs -I: it draws what each interval counted";
	else if (o->plot && o->picture == NULL && (o->json || o->separator != NULL))
		why = "--plot draws in the terminal; with -j or -x give it a file, --plot=FILE";
	else if (o->region != NULL && (o->interval != 0 || o->hardware))
		why = "--region cannot be split into slices: leave out -I and --as-hardware";
	else if (o->system && (o->alone || o->sysroot != NULL || o->qemu != NULL))
		why = "--system runs the QEMU that is named after --: leave out -i, --sysroot and "
		      "--qemu";
	else if (o->system && o->rows.user)
		why = CLI__WHOLE_SYSTEM;
	else if (o->sample_time != 0 && (o->system || o->region != NULL || o->hardware))
		why = "--sample-time estimates cycles of a whole program: leave out --system, --region "
		      "and --as-hardware";
	else if (o->sample_time != 0 && o->interval != 0 && o->interval_signal == APMU_SIG_CYCLES)
		why = "--sample-time needs intervals of instructions: -I Ni";
	else if (o->kernel != NULL && o->by_name && !o->system)
		why = "--kernel-symbols names the code of a whole system: it needs --system";
	else if (o->kernel != NULL && !o->by_name && (!o->system || o->region == NULL))
		why = "--kernel-symbols names the ends of a region of a whole system: it needs --system and "
		      "--region";
	else if (o->repeat > 1 && (o->interval != 0 || o->per_thread))
		why = "-r prints means over all runs: leave out -I and --per-thread, or -r";
	if (why == NULL)
		return 0;
	cli__message(cli, "%s", why);
	return CLI__EXIT_USAGE;
}
