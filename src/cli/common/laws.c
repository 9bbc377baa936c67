/* SPDX-License-Identifier: MIT */
#include "cli/common/laws.h"

#include <inttypes.h>

static void complain(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
		     const struct apmu_qemu__snapshot *mark, uint64_t least, uint64_t most)
{
	const uint64_t *n = mark->tally.n;

	cli__complain(
		cli,
		"%s: %" PRIu64 " cycles for %" PRIu64 " instructions cannot be (%" PRIu64 " to %" PRIu64
		" could, thread %ld): the cycles, and what is made of them, are not to be trusted. %" PRIu64
		" misses of L1 data, %" PRIu64 " of L1 instruction, %" PRIu64 " lines prefetched, %" PRIu64
		" and %" PRIu64
		" refills of the TLBs. This is a fault of apmu; please report it with the program",
		options->core->name, n[APMU_SIG_CYCLES], n[APMU_SIG_INST], least, most, (long)mark->tid,
		n[APMU_SIG_L1D_MISS], n[APMU_SIG_L1I_MISS], n[APMU_SIG_PREFETCH_FILL],
		n[APMU_SIG_L1D_TLB_REFILL], n[APMU_SIG_L1I_TLB_REFILL]);
}

/* Are cycles counted? */
static bool timed(const struct apmu_qemu__run_options *options)
{
	bool any = apmu_signal_in(options->wanted, APMU_SIG_CYCLES);

	for (size_t e = 0; options->record && e < options->record->events; e++)
		for (unsigned k = 0; k < options->record->event[e].signals; k++)
			any |= options->record->event[e].signal[k] == APMU_SIG_CYCLES;
	return any;
}

/* A region's misses may have begun before it: then nothing is known. */
bool cli__lawful(const struct cli__cli *cli, const struct apmu_qemu__run_options *options,
		 const struct apmu_qemu__run_result *run)
{
	if (!timed(options) || options->region.kind != APMU_QEMU__REGION_ALL)
		return true;
	for (size_t i = 0; i < run->marks; i++) {
		const struct apmu_qemu__snapshot *mark = &run->mark[i];
		uint64_t cycles = mark->tally.n[APMU_SIG_CYCLES];
		uint64_t least = apmu_uarch_fewest_cycles(options->uarch, &mark->tally);
		uint64_t most = apmu_uarch_most_cycles(options->uarch, &mark->tally);
		if (cycles >= least && cycles <= most)
			continue;
		complain(cli, options, mark, least, most);
		return false;
	}
	return true;
}
