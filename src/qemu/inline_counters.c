/* SPDX-License-Identifier: MIT */
/* What counted blocks add up to. The plugin and the command both come here: the plugin when it stops counting
 * blocks, the command when the program ended while it did. */
#include "qemu/share.h"

void apmu_qemu__meter_read(struct apmu_qemu__share *share)
{
	const struct apmu_qemu__meter *m = &share->meter;

	if (m->on && m->slot < APMU_QEMU__SLOTS && m->signal < APMU_SIGNALS)
		share->slot[m->slot].tally.n[m->signal] = m->base + m->count;
}

void apmu_qemu__block_counters_add(struct apmu_qemu__share *share, struct apmu_tally *tally)
{
	uint32_t n = atomic_load(&share->block_counters);

	for (uint32_t i = 0; i < n && i < APMU_QEMU__BLOCK_COUNTERS; i++) {
		const struct apmu_qemu__block_counter *t = &share->block_counter[i];
		for (unsigned k = 0; k < t->increments; k++)
			tally->n[t->signal[k]] += t->runs * t->amount[k];
		if (!t->runs || !t->undecoded)
			continue;
		uint64_t none = 0;
		atomic_compare_exchange_strong(&share->undecoded_word, &none, t->undecoded_word);
		atomic_fetch_add(&share->undecoded, t->runs * t->undecoded);
	}
}
