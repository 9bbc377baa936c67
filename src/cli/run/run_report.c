/* SPDX-License-Identifier: MIT */
/* Prints how a run ended, for people. */
#include "cli/run/run.h"
#include "cli/run/sandbox.h"

#include "isa/elf_probe.h"

#include "symbol/symbol.h"

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

/* The low byte of the program's status, as for any process; but a status that is not 0 is never success. */
static int code_of(const struct apmu_stop *stop)
{
	bool lost = stop->status != 0 && (stop->status & 0xFF) == 0;

	return stop->reason == APMU_STOP_EXIT && !lost ? stop->status : CLI__EXIT_FAILURE;
}

/* Prints " <main+0x10> (main.c:12)", as far as the file knows. */
static void print_place(FILE *out, const char *file, uint64_t pc)
{
	struct symbol__symbols *symbols;
	struct symbol__frame frame[SYMBOL__FRAMES];
	char error[200];

	if (symbol__symbols_open(file, &(struct symbol__symbols_options){0}, &symbols, error, sizeof error) !=
	    0)
		return;
	size_t n = symbol__symbols_frames(symbols, pc, frame, SYMBOL__FRAMES);

	if (n && frame[n - 1].function)
		fprintf(out, " <%s+0x%llx>", frame[n - 1].function,
			(unsigned long long)(pc - frame[n - 1].start));
	if (n && frame[0].file)
		fprintf(out, " (%s:%u)", frame[0].file, frame[0].line);
	symbol__symbols_close(symbols);
}

void cli__run_say_linux(const struct cli__cli *cli, const struct cli__run_command *run)
{
	struct apmu_isa__elf elf;
	char error[200];

	if (!run->linux_program && !run->kernel && !run->raw &&
	    apmu_isa__elf_probe(run->file, &elf, error, sizeof error) == 0 && elf.for_linux)
		cli__message(
			cli,
			"%s is a Linux program, and this is bare metal: 'apmu stat' runs it, or 'apmu run --linux'",
			run->file);
}

#define POLLED 100000u /* instructions; a delay loop of a driver is shorter */

/* Explains a guest that waits by reading the timer for something that is far away in modelled time. */
static void say_polled(const struct cli__cli *cli, const struct cli__run_command *run,
		       const struct apmu_stop *stop)
{
	if (stop->reason == APMU_STOP_LIMIT && stop->polled >= POLLED)
		cli__message(
			cli,
			"the program has read the timer in a loop for %llu instructions: with a lower --hz "
			"(now %llu) modelled time goes faster",
			(unsigned long long)stop->polled,
			(unsigned long long)(run->config.core_hz ? run->config.core_hz : 1000000000));
}

int cli__run_report(const struct cli__cli *cli, const struct cli__run_command *run,
		    const struct apmu_machine *m, const struct apmu_stop *stop)
{
	if (stop->undecoded)
		cli__message(
			cli,
			"%llu instructions of unknown class were executed, the first 0x%x: each takes one cycle",
			(unsigned long long)stop->undecoded, stop->undecoded_word);
	if (stop->reason == APMU_STOP_EXIT)
		return code_of(stop);
	fflush(cli->out);
	cli__fence_printed(cli);
	cli__message(cli, "%s: %s", run->file, stop->what);
	fprintf(cli->err, "at 0x%llx", (unsigned long long)stop->pc);
	if (!run->raw)
		print_place(cli->err, run->file, stop->pc);
	if (stop->fault)
		fprintf(cli->err, ", address 0x%llx", (unsigned long long)stop->fault);
	fprintf(cli->err, ", after %llu instructions, %llu cycles of modelled time\n",
		(unsigned long long)stop->insns, (unsigned long long)stop->cycles);
	say_polled(cli, run, stop);
	print_registers(cli->err, m);
	cli__run_say_linux(cli, run);
	return code_of(stop);
}
