/* SPDX-License-Identifier: MIT */
/* How a run ended, for people. */
#include "cli/run.h"

static void print_registers(FILE *out, const struct apmu_machine *m)
{
	const char *name;
	uint64_t value;
	bool wide = false;

	for (unsigned i = 0; apmu_machine_register(m, i, &name, &value); i++)
		wide = wide || name[0] == 'x';
	for (unsigned i = 0; apmu_machine_register(m, i, &name, &value); i++)
		fprintf(out, "%s%6s %0*llx", i % 4 == 0 ? (i ? "\n" : "") : "  ", name, wide ? 16 : 8,
			(unsigned long long)value);
	fputc('\n', out);
}

static int code_of(const struct apmu_stop *stop)
{
	return stop->reason == APMU_STOP_EXIT ? stop->status : APMU__EXIT_FAILURE;
}

int apmu__run_report(const struct apmu__cli *cli, const struct apmu__run_command *run,
		     const struct apmu_machine *m, const struct apmu_stop *stop)
{
	if (stop->reason == APMU_STOP_EXIT)
		return code_of(stop);
	fflush(cli->out);
	apmu__complain(cli, "%s: %s", run->file, stop->what);
	fprintf(cli->err, "at 0x%llx, after %llu instructions, %llu cycles\n", (unsigned long long)stop->pc,
		(unsigned long long)stop->insns, (unsigned long long)stop->cycles);
	print_registers(cli->err, m);
	return code_of(stop);
}
