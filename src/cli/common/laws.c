/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* PATH_MAX */
#include "cli/common/laws.h"

#include "symbol/symbol.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#define PLACE    (PATH_MAX + 256)
#define CROSSING 65536u /* cycles of misses that one border of a region may put on the wrong side */

/* Formats " (function of program)"; leaves `out` alone if the function is unknown. */
static void name_function(const struct apmu_qemu__run_options *options,
			  const struct apmu_qemu__run_result *run, uint64_t block, char *out, size_t size)
{
	const struct symbol__symbols_options names = {.sysroot = options->sysroot, .no_lines = true};
	struct symbol__frame frame = {0};
	struct symbol__symbols *symbols;
	char program[PATH_MAX], error[512] = "";
	uint16_t machine;

	if (options->system ||
	    apmu_qemu__run_find(options, program, sizeof program, &machine, error, sizeof error) != 0 ||
	    symbol__symbols_open(program, &names, &symbols, error, sizeof error) != 0)
		return;
	if (symbol__symbols_frames(symbols, block - run->load_bias, &frame, 1) && frame.function)
		snprintf(out, size, " (%s of %s)", frame.function, program);
	symbol__symbols_close(symbols);
}

#define LAST "the cycles, and all values computed from them, are wrong"
#define PLEA "This is a fault of apmu; please report it with the program"

static void complain_block(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
			   const struct apmu_qemu__run_result *run, const struct apmu_qemu__snapshot *mark)
{
	const struct apmu_uarch_violation *violation = &mark->violation;
	char function[PLACE] = "";

	name_function(options, run, violation->block, function, sizeof function);
	cli__message(cli,
		     "%s: after the block at 0x%" PRIx64 "%s the clock was at %" PRIu64
		     " cycles, and what ran so far takes at most %" PRIu64
		     ", nothing overlapped (thread %ld): " LAST ". " PLEA,
		     options->core->name, violation->block, function, violation->cycles, violation->most,
		     (long)mark->tid);
}

static void complain_totals(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
			    const struct apmu_qemu__snapshot *mark, uint64_t least, uint64_t most)
{
	const uint64_t *n = mark->tally.n;

	cli__message(cli,
		     "%s: %" PRIu64 " cycles for %" PRIu64 " instructions are impossible (possible: %" PRIu64
		     " to %" PRIu64 ", thread %ld): " LAST ". %" PRIu64 " misses of L1 data, %" PRIu64
		     " of L1 instruction, %" PRIu64 " lines prefetched, %" PRIu64 " and %" PRIu64
		     " refills of the TLBs. " PLEA,
		     options->core->name, n[APMU_SIG_CYCLES], n[APMU_SIG_INST], least, most, (long)mark->tid,
		     n[APMU_SIG_L1D_MISS], n[APMU_SIG_L1I_MISS], n[APMU_SIG_PREFETCH_FILL],
		     n[APMU_SIG_L1D_TLB_REFILL], n[APMU_SIG_L1I_TLB_REFILL]);
}

/* True if cycles are counted. */
static bool timed(const struct apmu_qemu__run_options *options)
{
	bool any = apmu_signal_in(options->wanted, APMU_SIG_CYCLES);

	for (size_t e = 0; options->record && e < options->record->events; e++)
		for (unsigned k = 0; k < options->record->event[e].signals; k++)
			any |= options->record->event[e].signal[k] == APMU_SIG_CYCLES;
	return any;
}

static bool mark_lawful(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
			const struct apmu_qemu__run_result *run, const struct apmu_qemu__snapshot *mark)
{
	bool region = options->region.kind != APMU_QEMU__REGION_ALL;
	uint64_t slack = region ? (run->entered + run->marks) * CROSSING : 0;
	uint64_t least = apmu_uarch_fewest_cycles(options->uarch, &mark->tally);
	uint64_t most = apmu_uarch_most_cycles(options->uarch, &mark->tally) + slack;

	least = least > slack ? least - slack : 0;
	if (mark->violation.cycles) {
		complain_block(cli, options, run, mark);
		return false;
	}
	if (mark->untimed) /* the cycles are an estimate */
		return true;
	if (mark->tally.n[APMU_SIG_CYCLES] >= least && mark->tally.n[APMU_SIG_CYCLES] <= most)
		return true;
	complain_totals(cli, options, mark, least, most);
	return false;
}

bool cli__lawful(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
		 const struct apmu_qemu__run_result *run)
{
	bool lawful = true;

	for (size_t i = 0; lawful && timed(options) && i < run->marks; i++)
		lawful = mark_lawful(cli, options, run, &run->mark[i]);
	return lawful;
}
