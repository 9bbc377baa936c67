/* SPDX-License-Identifier: MIT */
/*
 * Counting blocks inline instead of entering them.
 *
 * If no wanted signal depends on the order of events (instructions, branches), each run of a block adds the
 * same. The translated code then adds 1 to the block's counter by itself, without a call: a few times faster
 * than a callback. The addition is not atomic, not per thread, and does not see blocks left early. Inline
 * counting therefore ends, for good, at the system call by which the program makes a second thread or handles
 * a fault, before either can happen: all translations are dropped, and blocks are entered from then on.
 * Between that call and the drop only the new thread can run, so what the counters count then is its own.
 * QEMU translates its blocks anew, which are then entered, unless the program has mapped shared memory
 * before. So the thread may come to its end without having entered a block: it gets its slot at its first
 * system call. When no counter is left, further blocks are entered, until the next time that translations are
 * dropped.
 */
#include "qemu/plugin.h"

/* Guards what follows, and the counters: QEMU drops translations while no thread runs blocks, but one may
 * make a system call. Taken after the locks of threads and of translation. */
static pthread_mutex_t settling = PTHREAD_MUTEX_INITIALIZER;
static struct apmu_tally newborn; /* what the second thread did before all blocks were entered */
static _Atomic bool ending;       /* the counters now count for `*heir` */
static struct apmu_tally *heir;   /* the second thread's tally; `newborn` until it has a slot */

/* Fills a counter's increments. False if the block adds to more signals, or more to one, than a counter has
 * room for. */
static bool pack(const struct apmu_block *b, struct apmu_qemu__block_counter *t)
{
	const struct apmu_block_count *count;
	size_t counts = apmu_block_counts(b, &count);

	for (size_t k = 0; k < counts; k++) {
		if (!apmu_signal_in(apmu_qemu__plugin.wanted, count[k].signal))
			continue;
		if (t->increments == APMU_QEMU__INCREMENTS || count[k].amount > UINT16_MAX)
			return false;
		t->signal[t->increments] = count[k].signal;
		t->amount[t->increments++] = (uint16_t)count[k].amount;
	}
	return true;
}

/* False for the private slot of a thread that found all slots of the share taken. */
static bool in_share(const struct apmu_qemu__slot *slot)
{
	const struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	return slot >= share->slot && slot < share->slot + APMU_QEMU__SLOTS;
}

bool apmu_qemu__inline_count(struct qemu_plugin_tb *tb, const struct apmu_qemu__tb *b)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	uint32_t n = atomic_load(&share->block_counters);
	struct apmu_qemu__block_counter t = {.undecoded = (uint16_t)b->undecoded,
					     .undecoded_word = b->undecoded_word};

	apmu_qemu__thread_begin();
	struct apmu_qemu__slot *slot = apmu_qemu__thread_slot();
	if (n == APMU_QEMU__BLOCK_COUNTERS || !in_share(slot) || !pack(b->block, &t))
		return false;
	share->block_counter_slot = (uint32_t)(slot - share->slot);
	share->block_counter[n] = t;
	if (!apmu_qemu__add_inline(tb, &share->block_counter[n].runs, 1))
		return false;
	atomic_store(&share->block_counters, n + 1);
	return true;
}

/* Adds all runs so far to `tally` and restarts the counters. */
static void apply(struct apmu_tally *tally)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	apmu_qemu__block_counters_add(share, tally);
	for (uint32_t i = 0; i < atomic_load(&share->block_counters); i++)
		share->block_counter[i].runs = share->block_counter[i].second_runs = 0;
}

void apmu_qemu__inline_settle(void)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	pthread_mutex_lock(&settling);
	apply(&share->slot[share->block_counter_slot].tally);
	pthread_mutex_unlock(&settling);
	if (apmu_qemu__plugin.record.on)
		apmu_qemu__meter_settle();
}

void apmu_qemu__inline_flush(void)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	pthread_mutex_lock(&settling);
	apply(ending ? heir : &share->slot[share->block_counter_slot].tally);
	atomic_store(&share->block_counters, 0);
	if (apmu_qemu__plugin.record.on)
		apmu_qemu__meter_flush(&newborn);
	ending = false;
	pthread_mutex_unlock(&settling);
}

void apmu_qemu__inline_end(qemu_plugin_id_t id)
{
	if (!apmu_qemu__plugin.counts_inline)
		return;
	apmu_qemu__inline_settle();
	apmu_qemu__plugin.counts_inline = false;
	pthread_mutex_lock(&settling);
	heir = &newborn;
	ending = true;
	pthread_mutex_unlock(&settling);
	if (apmu_qemu__plugin.record.on)
		apmu_qemu__meter_end();
	apmu_qemu__start_over(id);
}

void apmu_qemu__inline_call(void)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	if (!ending)
		return;
	apmu_qemu__thread_begin();
	struct apmu_qemu__slot *slot = apmu_qemu__thread_slot();
	pthread_mutex_lock(&settling);
	if (ending) {
		heir = &slot->tally;
		apply(heir);
		if (in_share(slot))
			share->block_counter_slot = (uint32_t)(slot - share->slot);
	}
	pthread_mutex_unlock(&settling);
}

void apmu_qemu__inline_inherit(struct apmu_tally *tally)
{
	pthread_mutex_lock(&settling);
	for (unsigned s = 0; s < APMU_SIGNALS; s++)
		tally->n[s] += newborn.n[s];
	newborn = (struct apmu_tally){{0}};
	pthread_mutex_unlock(&settling);
}

void apmu_qemu__inline_forked(void)
{
	pthread_mutex_init(&settling, NULL);
	apmu_qemu__meter_forked();
}
