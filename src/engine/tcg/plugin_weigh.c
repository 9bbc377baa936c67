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
 * The most that may be added to an event: by a block as a whole, by entering it, by one access. While the
 * event is farther from its due than that, the machine need not be watched. Too much costs time; too little
 * would cost exactness, and is seen and counted (struct apmu__share_record.blurred).
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

/* What a line may add to the signals of an event; of which instructions and branches are counted otherwise.
 */
static uint64_t each_line(const struct apmu__run_event *event)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < event->signals; k++) {
		const char *name = apmu_signal_row(event->signal[k])->name;
		if (is_time(event->signal[k]))
			sum += longest_wait(&apmu__plugin.uarch);
		else if (event->signal[k] != APMU_SIG_INST && !is_branch(name))
			sum += strncmp(name, "BUS_", 4) == 0 ? BEATS : LINE;
	}
	return sum;
}

uint64_t apmu__weigh_access(const struct apmu__run_event *event)
{
	/* out of order, time comes in leaps */
	return apmu__plugin.uarch.rob ? UINT32_MAX : ACCESS * each_line(event);
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

static void bound(struct apmu__tb *b, const struct apmu_insn *insn, uint32_t e)
{
	const struct apmu__run_event *event = &apmu__plugin.record.event[e];
	uint64_t each = each_line(event), most = (code_lines(b) + BEFORE) * each + BRANCH * event->signals;

	for (uint32_t i = 0; i < b->n; i++)
		most += b->own[(size_t)e * b->n + i];
	uint64_t whole = most + data_lines(b, insn) * each;
	b->bound[e] = whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX;
	b->entry[e] = most < UINT32_MAX && !apmu__plugin.uarch.rob ? (uint32_t)most : b->bound[e];
}

bool apmu__sampler_block(struct apmu__tb *b, const struct apmu_insn *insn)
{
	size_t n = b->n, own = apmu__plugin.record.events * n;
	const struct apmu_uarch *u = apmu__scale();
	uint32_t events = apmu__plugin.record.events;
	uint32_t *extra = malloc((n + 2u * events) * sizeof(uint32_t) + (n + own) * sizeof(uint16_t));

	if (!extra || !u) {
		free(extra);
		return false;
	}
	b->later = extra;
	b->bound = extra + n;
	b->entry = b->bound + events;
	b->offset = (uint16_t *)(b->entry + events);
	b->own = b->offset + n;
	for (uint32_t i = 0; i < n; i++)
		b->offset[i] = (uint16_t)(insn[i].addr - b->addr);
	weigh(b, u);
	for (uint32_t e = 0; e < events; e++)
		bound(b, insn, e);
	b->bound_first = b->bound[0];
	b->entry_first = b->entry[0];
	for (uint32_t i = 0; i < b->n; i++)
		b->gain += b->own[i];
	return true;
}
