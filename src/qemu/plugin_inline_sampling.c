/* SPDX-License-Identifier: MIT */
/*
 * Metering: sampling an event to which each run of a block adds the same (instructions, loads), without a
 * machine.
 *
 * One count, shared with the command, goes up with each block; its highest bit, FLAG, becomes 1 when the next
 * sample is due. So a block's callback adds and tests the sign, four instructions of the host (the amount and
 * the block's address come in one word); and a QEMU with conditional calls adds inline and calls when the
 * flag is 1. Only then is there a sample, located by what each of the block's instructions adds.
 *
 * Metering ends for good when blocks are no longer counted inline (plugin_inline_counters.c), because the
 * counts of a block that is left early would have to be taken back. From then until all translations are
 * dropped the flag stays 1: only the new thread runs, and what is added is its own.
 */
#include "qemu/plugin_record.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define FLAG        ((uint64_t)1 << 63)
#define GAIN        48 /* a word: from this bit on a block's gain, below it the block's address */

static struct apmu_tally discarded;
static uint64_t *retired =
	&discarded.n[APMU_SIG_INST];    /* the thread's instruction total; a dummy if that is the event */
static struct apmu_qemu__thread *owner; /* thread that is metered; NULL: the next thread to run */
static bool ending;
static uint64_t begun;                                /* the event's total, as settled last */
static uint64_t *count = &discarded.n[APMU_SIG_INST]; /* the meter's count, once there is a thread */

static struct apmu_qemu__meter *meter(void)
{
	return &apmu_qemu__plugin.share->meter;
}

static enum apmu_signal signal_of(void)
{
	return apmu_qemu__plugin.record.event[0].signal[0];
}

bool apmu_qemu__meter_fits(void)
{
	const struct apmu_qemu__share_record *r = &apmu_qemu__plugin.record;

	return r->events == 1 && r->event[0].signals == 1 && !r->exact && !r->skid && !r->chains &&
	       !r->data && !r->branches;
}

/* Restarts the count at the event's total `now`. */
static void begin(uint64_t now, uint64_t due)
{
	uint64_t left = due > now && !ending ? due - now : 0;

	meter()->count = FLAG - (left < FLAG ? left : FLAG);
	meter()->base = now - meter()->count;
	begun = now;
}

static uint64_t total(void)
{
	return meter()->base + meter()->count;
}

void apmu_qemu__meter_set(struct apmu_qemu__thread *t)
{
	uint64_t *n = t->slot->tally.n;

	if (!apmu_qemu__plugin.counts_inline && !ending)
		return;
	owner = t;
	count = &meter()->count;
	retired = signal_of() == APMU_SIG_INST ? &discarded.n[APMU_SIG_INST] : &n[APMU_SIG_INST];
	begin(n[signal_of()], t->due);
	meter()->signal = (uint32_t)signal_of();
	meter()->slot = (uint32_t)(t->slot - apmu_qemu__plugin.share->slot);
	meter()->on = !t->private && !ending;
}

/* Adds to the tally: while metering ends, blocks that are entered add to it too. */
void apmu_qemu__meter_settle(void)
{
	if (owner)
		owner->slot->tally.n[signal_of()] += total() - begun;
	begun = total();
}

/* Between the end of metering and the drop of translations: gives the new thread what was added since. */
static void take_over(const struct apmu_qemu__tb *b)
{
	uint64_t counted = total();

	apmu_qemu__thread_begin();
	apmu_qemu__meter_set(apmu_qemu__self);
	apmu_qemu__self->slot->tally.n[signal_of()] += counted;
	begin(apmu_qemu__self->slot->tally.n[signal_of()], apmu_qemu__self->due);
	if (signal_of() != APMU_SIG_INST)
		*retired += b->instructions;
}

/* Called when the flag is 1, after `b` was counted. */
static __attribute__((noinline, cold)) void due(const struct apmu_qemu__tb *b)
{
	if (!owner)
		take_over(b);
	apmu_qemu__meter_settle();
	uint64_t now = owner->slot->tally.n[signal_of()];
	if (now >= owner->due)
		apmu_qemu__sampler_metered(owner, b);
	begin(now, owner->due);
}

static void meter_word(unsigned vcpu, void *user)
{
	uintptr_t word = (uintptr_t)user;

	(void)vcpu;
	*count += word >> GAIN;
	if (UNLIKELY(*count & FLAG))
		due((const struct apmu_qemu__tb *)(word & (((uintptr_t)1 << GAIN) - 1)));
}

static void meter_block(unsigned vcpu, void *user)
{
	const struct apmu_qemu__tb *b = user;

	(void)vcpu;
	*retired += b->instructions;
	*count += b->gain;
	if (UNLIKELY(*count & FLAG))
		due(b);
}

static void meter_flagged(unsigned vcpu, void *user)
{
	(void)vcpu;
	due(user);
}

/* Reports instructions unknown to the classifier, each time that the block runs. */
static void meter_undecoded(unsigned vcpu, void *user)
{
	const struct apmu_qemu__tb *b = user;

	apmu_qemu__count_undecoded(apmu_qemu__plugin.share, b->undecoded_word, b->undecoded);
	meter_block(vcpu, user);
}

/* True if the block adds to nothing but the meter, and its gain and address fit a word. */
static bool fits_word(const struct apmu_qemu__tb *b)
{
	return signal_of() == APMU_SIG_INST && !b->undecoded && b->gain >> (64 - GAIN) == 0 &&
	       (uintptr_t)b >> GAIN == 0;
}

static void call(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b)
{
	void *word = (void *)((uintptr_t)b->gain << GAIN | (uintptr_t)b);

	if (fits_word(b))
		qemu_plugin_register_vcpu_tb_exec_cb(tb, meter_word, QEMU_PLUGIN_CB_NO_REGS, word);
	else
		qemu_plugin_register_vcpu_tb_exec_cb(tb, b->undecoded ? meter_undecoded : meter_block,
						     QEMU_PLUGIN_CB_NO_REGS, b);
}

void apmu_qemu__meter_block(struct qemu_plugin_tb *tb, struct apmu_qemu__tb *b)
{
	apmu_qemu__thread_begin();
	if (signal_of() != APMU_SIG_INST || b->undecoded || !apmu_qemu__calls_conditionally()) {
		call(tb, b);
		return;
	}
	apmu_qemu__add_inline(tb, count, b->gain);
	apmu_qemu__call_from(tb, meter_flagged, count, FLAG, b);
}

/* Detaches the meter from its thread. */
static void detach(void)
{
	apmu_qemu__meter_settle();
	meter()->on = 0;
	owner = NULL;
	retired = &discarded.n[APMU_SIG_INST];
	begin(0, 0);
}

void apmu_qemu__meter_end(void)
{
	detach();
	ending = true;
}

void apmu_qemu__meter_leave(const struct apmu_qemu__thread *t)
{
	if (owner == t)
		detach();
}

void apmu_qemu__meter_forked(void)
{
	owner = NULL;
	ending = false;
}

void apmu_qemu__meter_flush(struct apmu_tally *newborn)
{
	if (!ending)
		return;
	if (!owner)
		newborn->n[signal_of()] += total();
	apmu_qemu__meter_settle();
	meter()->on = 0;
	owner = NULL;
	ending = false;
}
