/* SPDX-License-Identifier: MIT */
/* What sampling must know of a block: made at translation, with its lock held. */
#include "plugin_record.h"

#include <stdlib.h>
#include <string.h>

struct apmu_uarch *apmu__scale(void)
{
	static struct apmu_uarch *u;
	static struct apmu_tally unused;

	if (!u)
		u = apmu_uarch_new(&apmu__plugin.uarch, &unused, apmu__plugin.wanted);
	return u;
}

static void weigh(struct apmu__tb *b, const struct apmu_uarch *u)
{
	const struct apmu__share_record *r = &apmu__plugin.record;
	uint64_t later = 0;

	for (uint32_t i = b->n; i-- > 0;) {
		struct apmu_tally own;
		apmu_uarch_ahead(u, b->block, i, &own);
		b->later[i] = (uint32_t)later;
		b->instructions += (uint32_t)own.n[APMU_SIG_INST];
		later += own.n[APMU_SIG_CYCLES];
		for (uint32_t e = 0; e < r->events; e++) {
			uint64_t sum = apmu__run_event_sum(&r->event[e], &own);
			b->own[(size_t)e * b->n + i] = sum < UINT16_MAX ? (uint16_t)sum : 0;
		}
	}
}

/*
 * The most that entering a block and running it may add to an event: while the event is farther from its due
 * than that, the machine need not be watched. Too much costs time; too little would cost exactness, and is
 * seen and counted (struct apmu__share_record.blurred).
 */
enum { LINE = 16, BEATS = 128 }; /* occurrences that one line's fetch or access may add; of bus beats */

static bool is_time(unsigned signal)
{
	switch (signal) {
	case APMU_SIG_CYCLES:
	case APMU_SIG_FETCH_STALL:
	case APMU_SIG_DATA_STALL:
	case APMU_SIG_LSU_FULL_STALL:
	case APMU_SIG_BCU_FULL: return true;
	default: return strstr(apmu_signal_row(signal)->name, "STALL") != NULL;
	}
}

/* Cycles that a line may make the core wait. */
static uint64_t longest_wait(const struct apmu_uarch_params *p)
{
	uint64_t reads = 1u + p->walk_reads;

	return reads * p->memory + (uint64_t)(p->misses + p->bus_queue + 2u) * p->line_fill +
	       (uint64_t)p->write_buffer * (p->write_drain + (uint64_t)p->line_write + p->line_fill) +
	       p->walk + p->tlb_hit + p->mispredict + 64u;
}

/* Elements that a block's loads and stores may move, at two lines each at most. */
static uint64_t lines_of(const struct apmu__tb *b, const struct apmu_insn *insn)
{
	uint64_t lines = 2 + (b->end - b->addr) / 16;

	for (uint32_t i = 0; i < b->n; i++) {
		if (!insn[i].width && insn[i].cls != APMU_CLASS_SWAP)
			continue;
		uint64_t vectors = (insn[i].reads | insn[i].writes) >> 32;
		lines += 2u * (insn[i].regs > 2 ? insn[i].regs : vectors ? 8u : 2u);
	}
	return lines;
}

static void bound(struct apmu__tb *b, const struct apmu_insn *insn, uint32_t e)
{
	const struct apmu__run_event *event = &apmu__plugin.record.event[e];
	uint64_t lines = lines_of(b, insn), wait = longest_wait(&apmu__plugin.uarch), most = 0;

	for (uint32_t i = 0; i < b->n; i++)
		most += b->own[(size_t)e * b->n + i];
	for (uint32_t k = 0; k < event->signals; k++) {
		const char *name = apmu_signal_row(event->signal[k])->name;
		uint64_t each = is_time(event->signal[k])       ? wait
				: strncmp(name, "BUS_", 4) == 0 ? BEATS
								: LINE;
		if (event->signal[k] != APMU_SIG_INST)
			most += (lines + 2) * each;
	}
	b->bound[e] = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

bool apmu__sampler_block(struct apmu__tb *b, const struct apmu_insn *insn)
{
	size_t n = b->n, own = apmu__plugin.record.events * n;
	const struct apmu_uarch *u = apmu__scale();
	uint32_t events = apmu__plugin.record.events;
	uint32_t *extra = malloc((n + events) * sizeof(uint32_t) + (n + own) * sizeof(uint16_t));

	if (!extra || !u) {
		free(extra);
		return false;
	}
	b->later = extra;
	b->bound = extra + n;
	b->offset = (uint16_t *)(extra + n + events);
	b->own = b->offset + n;
	for (uint32_t i = 0; i < n; i++)
		b->offset[i] = (uint16_t)(insn[i].addr - b->addr);
	weigh(b, u);
	for (uint32_t e = 0; e < events; e++)
		bound(b, insn, e);
	b->bound_first = b->bound[0];
	for (uint32_t i = 0; i < b->n; i++)
		b->gain += b->own[i];
	return true;
}
