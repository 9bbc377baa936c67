/* SPDX-License-Identifier: MIT */
/* What sampling must know of a block: made at translation, with its lock held; and what that says of it. */
#include "qemu/plugin_record.h"

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
	uint64_t sum[APMU__PROFILE_EVENTS] = {0};
	struct apmu_tally less = {{0}}; /* 0 less what is ahead from an instruction on */

	for (uint32_t i = b->n; i-- > 0;) {
		b->later[i] = (uint32_t)(0 - less.n[APMU_SIG_CYCLES]);
		apmu_uarch_ahead(u, b->block, i, &less);
		for (uint32_t e = 0; e < r->events; e++) {
			uint64_t now = apmu__run_event_sum(&r->event[e], &less), own = sum[e] - now;
			b->own[(size_t)e * b->n + i] = own < UINT16_MAX ? (uint16_t)own : 0;
			sum[e] = now;
		}
	}
	b->instructions = (uint32_t)(0 - less.n[APMU_SIG_INST]);
}

/*
 * The most that may be added to an event: by a block as a whole, by entering it, by entering it where nothing
 * is waited for (src/uarch/enter.h), by one access. While the event is farther from its due than that, the
 * machine need not be watched. Too much costs time; too little would cost exactness, and is seen and counted
 * (struct apmu__share_record.blurred).
 *
 * Waits for lines that were asked for before overlap, for each is until a certain time: together they are
 * one.
 */
enum {
	LINE = 16,   /* occurrences that one line's fetch or access may add; */
	BEATS = 128, /* of bus beats; */
	BRANCH = 4,  /* and that a branch adds to events of branches */
	BEFORE = 2,  /* waits at a block's entry beside those for its lines: what is on its way, a branch */
	ACCESS = 3   /* waits of an access: what is on its way, and two lines */
};

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

static bool is_branch(const char *name)
{
	return strncmp(name, "BR_", 3) == 0 || strncmp(name, "RETURN", 6) == 0 || strcmp(name, "CALL") == 0 ||
	       strcmp(name, "PC_CHANGE") == 0;
}

/* Where nothing is waited for: the branch before, and operands. */
static uint64_t no_wait(const struct apmu_uarch_params *p)
{
	return (uint64_t)p->mispredict + p->taken + 16u;
}

/* What a line that is waited for so long may add to the signals of an event; of which instructions and
 * branches are counted otherwise. */
static uint64_t each_line(const struct apmu__run_event *event, uint64_t wait)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < event->signals; k++) {
		const char *name = apmu_signal_row(event->signal[k])->name;
		if (is_time(event->signal[k]))
			sum += wait;
		else if (event->signal[k] != APMU_SIG_INST && !is_branch(name))
			sum += strncmp(name, "BUS_", 4) == 0 ? BEATS : LINE;
	}
	return sum;
}

uint64_t apmu__weigh_access(const struct apmu__run_event *event, const struct apmu_uarch *u)
{
	return apmu__leaps(u) ? UINT32_MAX : ACCESS * each_line(event, longest_wait(&apmu__plugin.uarch));
}

static uint64_t code_lines(const struct apmu__tb *b)
{
	uint32_t line = apmu__plugin.uarch.l1i.line ? apmu__plugin.uarch.l1i.line : 16;

	return (b->end - 1) / line - b->addr / line + 1;
}

/* Lines that a block's loads and stores may move, at two of an element at most. */
static uint64_t data_lines(const struct apmu__tb *b, const struct apmu_insn *insn)
{
	uint64_t lines = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		if (!insn[i].width && insn[i].cls != APMU_CLASS_SWAP)
			continue;
		uint64_t vectors = (insn[i].reads | insn[i].writes) >> 32;
		lines += 2u * (insn[i].regs > 2 ? insn[i].regs : vectors ? 8u : 2u);
	}
	return lines;
}

static uint32_t narrow(uint64_t most)
{
	return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static void bound(struct apmu__tb *b, const struct apmu_insn *insn, uint32_t e, bool leaps)
{
	const struct apmu__run_event *event = &apmu__plugin.record.event[e];
	const struct apmu_uarch_params *p = &apmu__plugin.uarch;
	uint64_t own = BRANCH * event->signals, each = each_line(event, longest_wait(p));
	uint64_t lines = code_lines(b) + BEFORE;

	for (uint32_t i = 0; i < b->n; i++)
		own += b->own[(size_t)e * b->n + i];
	b->bound[e] = narrow(own + (lines + data_lines(b, insn)) * each);
	b->entry[e] = leaps ? b->bound[e] : narrow(own + lines * each);
	b->quick[e] = leaps ? b->bound[e] : narrow(own + lines * each_line(event, no_wait(p)));
}

bool apmu__sampler_block(struct apmu__tb *b, const struct apmu_insn *insn)
{
	size_t n = b->n, own = apmu__plugin.record.events * n;
	const struct apmu_uarch *u = apmu__scale();
	uint32_t events = apmu__plugin.record.events;
	uint32_t *extra = malloc((n + 3u * events) * sizeof(uint32_t) + (n + own) * sizeof(uint16_t));

	if (!extra || !u) {
		free(extra);
		return false;
	}
	b->later = extra;
	b->bound = extra + n;
	b->entry = b->bound + events;
	b->quick = b->entry + events;
	b->offset = (uint16_t *)(b->quick + events);
	b->own = b->offset + n;
	for (uint32_t i = 0; i < n; i++)
		b->offset[i] = (uint16_t)(insn[i].addr - b->addr);
	weigh(b, u);
	for (uint32_t e = 0; e < events; e++)
		bound(b, insn, e, apmu__leaps(u));
	b->entry_first = b->entry[0];
	b->quick_first = b->quick[0];
	for (uint32_t i = 0; i < b->n; i++)
		b->gain += b->own[i];
	return true;
}

/* May an overflow come where each event can gain so much? */
static inline bool is_near(const struct apmu__sampler *s, const uint32_t *most)
{
	bool near = false;

	for (uint32_t e = 0; e < s->watch.gauges; e++) {
		const struct apmu_gauge *g = &s->gauge[e];
		near |= apmu_gauge_value(g) + most[e] >= g->due;
	}
	return near;
}

bool apmu__sampler_near(struct apmu__thread *t, const struct apmu__tb *tb, bool closely)
{
	bool near = is_near(t->sampler, tb->quick);

	t->near = near || !closely || is_near(t->sampler, tb->bound);
	return near;
}

bool apmu__sampler_wants(struct apmu__thread *t, const struct apmu__tb *tb)
{
	bool wants = is_near(t->sampler, tb->entry);

	t->near = wants || !apmu__leaps(t->u); /* with leaps that is the block as a whole */
	return wants;
}
