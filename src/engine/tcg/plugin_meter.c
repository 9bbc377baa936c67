/* SPDX-License-Identifier: MIT */
/*
 * Metering: sampling an event that each block adds the same to each time (instructions, loads), without a
 * machine.
 *
 * The call at a block adds and compares, no more. Only when the event has come to its due is there a sample,
 * found by what each of the block's instructions adds. It ends for good when blocks are no longer counted
 * (plugin_ahead.c), for a block that is left early would have to be taken back.
 */
#include "plugin_record.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/* What the thread's calls touch: its totals, the event's among them, and when that is due. */
struct meter {
	uint64_t *total, *event;
	uint64_t due;
};

/* A thread that has none yet counts to where nobody looks, and is due at once. */
static struct apmu_tally nobody;
static __thread struct meter meter __attribute__((tls_model("initial-exec"))) = {nobody.n, nobody.n, 0};

bool apmu__meter_fits(void)
{
	const struct apmu__share_record *r = &apmu__plugin.record;

	return r->events == 1 && r->event[0].signals == 1 && !r->exact && !r->skid && !r->chains && !r->data;
}

void apmu__meter_set(struct apmu__thread *t)
{
	uint64_t *n = t->slot->tally.n;

	meter = (struct meter){n, &n[apmu__plugin.record.event[0].signal[0]], t->due};
}

static __attribute__((noinline, cold)) void due(const struct apmu__tb *b)
{
	if (!apmu__self) {
		apmu__thread_begin();
		meter.total[APMU_SIG_INST] += b->instructions;
		if (meter.event != &meter.total[APMU_SIG_INST])
			*meter.event += b->gain;
	}
	if (*meter.event >= meter.due)
		apmu__sampler_metered(apmu__self, b);
}

static void meter_instructions(unsigned vcpu, void *user)
{
	const struct apmu__tb *b = user;
	uint64_t now = *meter.event + b->gain;

	(void)vcpu;
	*meter.event = now;
	if (UNLIKELY(now >= meter.due))
		due(b);
}

static void meter_event(unsigned vcpu, void *user)
{
	const struct apmu__tb *b = user;
	uint64_t now = *meter.event + b->gain;

	(void)vcpu;
	meter.total[APMU_SIG_INST] += b->instructions;
	*meter.event = now;
	if (UNLIKELY(now >= meter.due))
		due(b);
}

/* Instructions that no row knows are told each time. */
static void meter_undecoded(unsigned vcpu, void *user)
{
	const struct apmu__tb *b = user;
	struct apmu__share *share = apmu__plugin.share;
	uint64_t none = 0;

	atomic_compare_exchange_strong(&share->undecoded_word, &none, b->undecoded_word);
	atomic_fetch_add(&share->undecoded, b->undecoded);
	(apmu__plugin.record.event[0].signal[0] == APMU_SIG_INST ? meter_instructions : meter_event)(vcpu,
												     user);
}

qemu_plugin_exec_cb apmu__meter_of(const struct apmu__tb *b)
{
	if (b->undecoded)
		return meter_undecoded;
	return apmu__plugin.record.event[0].signal[0] == APMU_SIG_INST ? meter_instructions : meter_event;
}
