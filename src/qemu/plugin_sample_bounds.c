/* SPDX-License-Identifier: MIT */
/* Bounds on what a block may add to each event: computed at translation, with its lock held, and used when
 * the block is entered. */
#include "qemu/plugin_record.h"

#include <stdlib.h>

struct apmu_uarch *apmu_qemu__reference_machine(void)
{
	static struct apmu_uarch *u;
	static struct apmu_tally unused;

	if (u)
		return u;
	u = apmu_uarch_new(&apmu_qemu__plugin.uarch, &unused, apmu_qemu__plugin.wanted);
	if (u && apmu_qemu__plugin.precounts)
		apmu_uarch_precount(u);
	return u;
}

static void weigh(struct apmu_qemu__tb *b, const struct apmu_uarch *u)
{
	const struct apmu_qemu__share_record *r = &apmu_qemu__plugin.record;
	uint64_t sum[PROFILE__EVENTS] = {0};
	struct apmu_tally less = {{0}}; /* 0 minus what block entry counts from an instruction on */

	for (uint32_t i = b->n; i-- > 0;) {
		b->later[i] = (uint32_t)(0 - less.n[APMU_SIG_CYCLES]);
		apmu_uarch_ahead(u, b->block, i, &less);
		for (uint32_t e = 0; e < r->events; e++) {
			uint64_t now = apmu_qemu__run_event_sum(&r->event[e], &less), own = sum[e] - now;
			b->own[(size_t)e * b->n + i] = own < UINT16_MAX ? (uint16_t)own : 0;
			sum[e] = now;
		}
	}
	b->instructions = (uint32_t)(0 - less.n[APMU_SIG_INST]);
}

/*
 * The most that may be added to an event: by a block as a whole, by entering it, by entering it where nothing
 * is waited for (src/uarch/fast/entry.h), by one access. While the event is farther from its due value than
 * that, the machine need not be watched. Too large a bound costs time; too small a bound would cost
 * exactness, and is seen and counted (struct apmu_qemu__share_record.blurred). Columns of spec/signals.sig
 * say what a signal may add.
 *
 * Waits for lines that were requested earlier overlap, because each lasts until a fixed time: together they
 * count as one.
 */
enum {
	BEFORE = 2, /* waits at a block's entry besides those for its lines: for outstanding fills, and for a
		       branch */
	ACCESS = 3  /* waits of an access: for outstanding fills, and for two lines */
};

/* Returns the most cycles that the core may wait for a line. */
static uint64_t longest_wait(const struct apmu_uarch_params *p)
{
	uint64_t reads = 1u + p->walk_reads;

	return reads * p->memory + (uint64_t)(p->misses + p->bus_queue + 2u) * p->line_fill +
	       (uint64_t)p->write_buffer * (p->write_drain + (uint64_t)p->line_write + p->line_fill) +
	       p->walk + p->tlb_hit + p->mispredict + 64u;
}

/* Returns the most cycles that a block's entry takes if no line is waited for: the branch before it, and
 * operands. */
static uint64_t no_wait(const struct apmu_uarch_params *p)
{
	const uint64_t branch[] = {p->mispredict,       p->taken,        p->static_taken, p->indirect,
				   p->return_predicted, p->return_wrong, p->load_pc};
	uint64_t most = 0;

	for (unsigned i = 0; i < sizeof(branch) / sizeof(branch[0]); i++)
		most = branch[i] > most ? branch[i] : most;
	return most + 16u;
}

bool apmu_qemu__counts_time(const struct apmu_qemu__share_record *r)
{
	for (uint32_t e = 0; e < r->events; e++)
		for (uint32_t k = 0; k < r->event[e].signals; k++) {
			uint8_t kind = apmu_signal_row(r->event[e].signal[k])->kind;
			if (kind == APMU_KIND_TIME || kind == APMU_KIND_SLOTS)
				return true;
		}
	return false;
}

/* Returns how often a signal can gain its maximum while a line is waited for during `wait` cycles. */
static uint64_t times(const struct apmu_signal_row *row, uint64_t wait)
{
	switch (row->kind) {
	case APMU_KIND_TIME: return wait;
	case APMU_KIND_SLOTS: return wait * apmu_qemu__plugin.uarch.width;
	default: return 1;
	}
}

/* Returns what a line may add to an event, if it is waited for during `wait` cycles. */
static uint64_t each_line(const struct apmu_qemu__run_event *event, uint64_t wait)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < event->signals; k++) {
		const struct apmu_signal_row *row = apmu_signal_row(event->signal[k]);
		sum += row->line * times(row, wait);
	}
	return sum;
}

/* Returns what the end of a block of `n` instructions may add to an event, and what the instructions may add
 * beyond what entry counts. */
static uint64_t each_block(const struct apmu_qemu__run_event *event, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t k = 0; k < event->signals; k++) {
		const struct apmu_signal_row *row = apmu_signal_row(event->signal[k]);
		sum += row->block + (uint64_t)n * row->insn;
	}
	return sum;
}

uint64_t apmu_qemu__weigh_access(const struct apmu_qemu__run_event *event, const struct apmu_uarch *u)
{
	return apmu_qemu__is_out_of_order(u)
		       ? UINT32_MAX
		       : ACCESS * each_line(event, longest_wait(&apmu_qemu__plugin.uarch));
}

static uint64_t code_lines(const struct apmu_qemu__tb *b)
{
	uint32_t line = apmu_qemu__plugin.uarch.l1i.line ? apmu_qemu__plugin.uarch.l1i.line : 16;

	return (b->end - 1) / line - b->addr / line + 1;
}

/* Returns how many lines a block's loads and stores may move: at most two per element. */
static uint64_t data_lines(const struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	uint64_t lines = 0;

	for (uint32_t i = 0; i < b->n; i++) {
		if (!insn[i].width && insn[i].cls != APMU_CLASS_SWAP)
			continue;
		bool vectors = insn[i].flags & APMU_INSN_VECTOR;
		lines += (uint64_t)2 * (insn[i].regs > 2 ? insn[i].regs : vectors ? 8u : 2u);
	}
	return lines;
}

static uint32_t narrow(uint64_t most)
{
	return most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
}

static void bound(struct apmu_qemu__tb *b, const struct apmu_insn *insn, uint32_t e, bool out_of_order)
{
	const struct apmu_qemu__run_event *event = &apmu_qemu__plugin.record.event[e];
	const struct apmu_uarch_params *p = &apmu_qemu__plugin.uarch;
	uint64_t own = each_block(event, b->n), each = each_line(event, longest_wait(p));
	uint64_t lines = code_lines(b) + BEFORE;

	for (uint32_t i = 0; i < b->n; i++)
		own += b->own[(size_t)e * b->n + i];
	b->bound[e] = narrow(own + (lines + data_lines(b, insn)) * each);
	b->entry[e] = narrow(own + lines * each);
	b->fast[e] = out_of_order ? b->entry[e] : narrow(own + lines * each_line(event, no_wait(p)));
}

bool apmu_qemu__sampler_block(struct apmu_qemu__tb *b, const struct apmu_insn *insn)
{
	size_t n = b->n, own = apmu_qemu__plugin.record.events * n;
	const struct apmu_uarch *u = apmu_qemu__reference_machine();
	uint32_t events = apmu_qemu__plugin.record.events;
	uint32_t *extra = malloc((n + (size_t)3 * events) * sizeof(uint32_t) + (n + own) * sizeof(uint16_t));

	if (!extra || !u) {
		free(extra);
		return false;
	}
	b->later = extra;
	b->bound = extra + n;
	b->entry = b->bound + events;
	b->fast = b->entry + events;
	b->offset = (uint16_t *)(b->fast + events);
	b->own = b->offset + n;
	for (uint32_t i = 0; i < n; i++)
		b->offset[i] = (uint16_t)(insn[i].addr - b->addr);
	weigh(b, u);
	for (uint32_t e = 0; e < events; e++)
		bound(b, insn, e, apmu_qemu__is_out_of_order(u));
	b->bound_first = b->bound[0];
	b->entry_first = b->entry[0];
	b->fast_first = b->fast[0];
	for (uint32_t i = 0; i < b->n; i++)
		b->gain += b->own[i];
	return true;
}

/* True if some event may overflow when each gains at most its `most`, besides `coming` cycles of waiting. */
static inline bool is_near(const struct apmu_qemu__sampler *s, const uint32_t *most, uint64_t coming)
{
	bool near = false;

	for (uint32_t e = 0; e < s->watch.gauges; e++) {
		const struct apmu_gauge *g = &s->gauge[e];
		near |= apmu_gauge_value(g) + most[e] + coming * s->event[e].rate >= g->due;
	}
	return near;
}

uint64_t apmu_qemu__weigh_rate(const struct apmu_qemu__run_event *event)
{
	return each_line(event, 1);
}

uint64_t apmu_qemu__weigh_wait(void)
{
	return longest_wait(&apmu_qemu__plugin.uarch);
}

bool apmu_qemu__sampler_near(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *tb, bool closely)
{
	bool near = is_near(t->sampler, tb->fast, apmu_qemu__cycles_to_come(t, t->tb));

	t->near = near || !closely || is_near(t->sampler, tb->bound, 0);
	return near;
}

bool apmu_qemu__sampler_wants(struct apmu_qemu__thread *t, const struct apmu_qemu__tb *before,
			      const struct apmu_qemu__tb *tb)
{
	bool wants = is_near(t->sampler, tb->entry, apmu_qemu__cycles_to_come(t, before));

	t->near = wants || !apmu_qemu__is_out_of_order(t->u) || apmu_qemu__plugin.reports_all ||
		  is_near(t->sampler, tb->bound, 0);
	return wants;
}
