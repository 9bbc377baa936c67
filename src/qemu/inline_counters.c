/* SPDX-License-Identifier: MIT */
/* Sums what the blocks counted inline have counted. Both the plugin and the command use this: the plugin when
 * it stops counting blocks inline, the command when the program ended before that. */
#include "qemu/share.h"

void apmu_qemu__meter_read(struct apmu_qemu__share *share)
{
	const struct apmu_qemu__meter *m = &share->meter;

	uint32_t slot = apmu_qemu__read_once(&m->slot), signal = apmu_qemu__read_once(&m->signal);

	if (m->on && slot < APMU_QEMU__SLOTS && signal < APMU_SIGNALS)
		share->slot[slot].tally.n[signal] = m->base + m->count;
}

static uint64_t runs_of(const struct apmu_qemu__block_counter *t)
{
	return t->runs + t->second_runs;
}

static void add_runs(const struct apmu_qemu__block_counter *t, struct apmu_tally *tally)
{
	for (unsigned k = 0; k < APMU_QEMU__INCREMENTS && k < t->increments; k++) {
		uint16_t signal = *(const volatile uint16_t *)&t->signal[k];
		if (signal < APMU_SIGNALS)
			tally->n[signal] += runs_of(t) * t->amount[k];
	}
}

void apmu_qemu__block_counters_add(struct apmu_qemu__share *share, struct apmu_tally *tally)
{
	uint32_t n = atomic_load(&share->block_counters);

	for (uint32_t i = 0; i < n && i < APMU_QEMU__BLOCK_COUNTERS; i++) {
		const struct apmu_qemu__block_counter *t = &share->block_counter[i];
		add_runs(t, tally);
		if (runs_of(t) && t->undecoded)
			apmu_qemu__count_undecoded(share, t->undecoded_word, runs_of(t) * t->undecoded);
	}
}
