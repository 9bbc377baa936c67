/* SPDX-License-Identifier: MIT */
/* Writes a buffer of samples to the file: the plugin does so when the buffer is full, the command when the
 * process has ended. */
#include "qemu/share.h"

int apmu_qemu__buffer_write(struct apmu_qemu__share *share, struct apmu_qemu__buffer *b, int file)
{
	uint32_t used = atomic_load(&b->used);
	int bad = file < 0 ? file : 0;

	if (used == 0 || used > sizeof(b->record))
		return 0;
	if (bad == 0)
		bad = profile__block_write(file, PROFILE__BLOCK_SAMPLES, &b->head, sizeof(b->head), b->record,
					   used);
	if (bad) {
		int32_t none = 0;
		atomic_compare_exchange_strong(&share->record.error, &none, -bad);
		atomic_fetch_add(&share->record.lost, atomic_load(&b->waiting));
	}
	atomic_store(&b->used, 0);
	atomic_store(&b->waiting, 0);
	return bad;
}

/* The estimate of the time after the last sample, from a copy: a hostile program may change the slot. */
static void add_untimed(const struct apmu_qemu__slot *slot, struct apmu_tally *sum)
{
	const struct apmu_uarch_time_samples samples = slot->samples;

	apmu_uarch_add_untimed(&samples, sum);
}

struct apmu_tally apmu_qemu__slot_counted(const struct apmu_qemu__share *share,
					  const struct apmu_qemu__slot *slot)
{
	bool all = share->region.kind == APMU_QEMU__REGION_ALL;
	struct apmu_tally sum = all ? slot->tally : slot->counted;

	for (unsigned s = 0; !all && slot->inside && s < APMU_SIGNALS; s++)
		sum.n[s] += slot->tally.n[s] - slot->entered.n[s];
	if (all && share->sample_time)
		add_untimed(slot, &sum);
	return sum;
}
