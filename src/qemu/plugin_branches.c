/* SPDX-License-Identifier: MIT */
/*
 * Branches (record -b): the last ones taken, for samples, and how often each block followed each other one,
 * in memory that the command shares, so that the counts outlive the process however it ends.
 *
 * Whether a branch was mispredicted is known when the machine enters the next block; samples of that block
 * come later still. So leave() notes the branch and follow() records it, before the first sample behind it.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>
#include <string.h>

struct apmu_qemu__branch_trace {
	struct profile__branch ring[PROFILE__BRANCHES];
	uint32_t taken;                        /* branches put into the ring since it was last emptied */
	uint64_t cycles;                       /* cycles at the last of them */
	uint64_t flushes;                      /* mispredictions before the noted branch */
	uint64_t now;                          /* cycles when the noted branch was left */
	const struct apmu_qemu__tb *from, *to; /* the noted branch; from: NULL if there is none */

	struct apmu_qemu__edges *page; /* page with room, or NULL */
	struct profile__edge_row **bucket;
	uint32_t buckets, edges;
	struct profile__edge_row none; /* takes the counts for which there is no room */
};

uint8_t apmu_qemu__kind_of(const struct apmu_insn *last)
{
	switch (last->branch) {
	case APMU_BRANCH_IMMED:
		return last->flags & APMU_INSN_CONDITIONAL ? PROFILE__KIND_CONDITIONAL : PROFILE__KIND_JUMP;
	case APMU_BRANCH_IMMED_LINK:
	case APMU_BRANCH_IMMED_X: return PROFILE__KIND_CALL;
	case APMU_BRANCH_INDIRECT_LINK: return PROFILE__KIND_CALL_INDIRECT;
	case APMU_BRANCH_RETURN: return PROFILE__KIND_RETURN;
	case APMU_BRANCH_INDIRECT:
	case APMU_BRANCH_LOAD_PC: return PROFILE__KIND_INDIRECT;
	default: return PROFILE__KIND_NONE;
	}
}

void apmu_qemu__branch_trace_begin(struct apmu_qemu__sampler *s)
{
	s->branch_trace = calloc(1, sizeof(*s->branch_trace));
	if (!s->branch_trace)
		apmu_qemu__plugin_die("no memory for branches");
	s->thread->late = true; /* each block is entered by way of the sampler */
}

void apmu_qemu__branch_trace_free(struct apmu_qemu__sampler *s)
{
	if (s->branch_trace)
		free(s->branch_trace->bucket);
	free(s->branch_trace);
	s->branch_trace = NULL;
}

static uint32_t place(const struct apmu_qemu__branch_trace *r, uint64_t start, uint64_t to)
{
	uint64_t h = (start * 0x9E3779B97F4A7C15u ^ to) * 0x9E3779B97F4A7C15u;
	uint32_t at = (uint32_t)(h >> 32) & (r->buckets - 1);

	while (r->bucket[at] && (r->bucket[at]->start != start || r->bucket[at]->to != to))
		at = (at + 1) & (r->buckets - 1);
	return at;
}

static void grow(struct apmu_qemu__branch_trace *r)
{
	struct profile__edge_row **old = r->bucket;
	uint32_t n = r->buckets;

	if (r->edges * 2 < n)
		return;
	r->buckets = n ? n * 2 : 4096;
	r->bucket = calloc(r->buckets, sizeof(*r->bucket));
	if (!r->bucket)
		apmu_qemu__plugin_die("no memory for branches");
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			r->bucket[place(r, old[i]->start, old[i]->to)] = old[i];
	free(old);
}

static bool take_page(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	uint32_t page = atomic_fetch_add(&share->record.edge_pages, 1);

	if (page >= APMU_QEMU__EDGES_SIZE / APMU_QEMU__EDGES_PAGE) {
		atomic_fetch_sub(&share->record.edge_pages, 1);
		return false;
	}
	s->branch_trace->page = apmu_qemu__share_edges(share, apmu_qemu__plugin.record.exact, page);
	s->branch_trace->page->head = (struct profile__samples_block){
		s->thread->slot->pid, s->thread->slot->tid, s->thread->slot->serial, 0};
	return true;
}

static uint64_t last_of(const struct apmu_qemu__tb *b)
{
	return b->addr + b->offset[b->n - 1];
}

static struct profile__edge_row *look_up(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from,
					 uint64_t to, bool taken)
{
	struct apmu_qemu__branch_trace *r = s->branch_trace;

	grow(r);
	struct profile__edge_row **at = &r->bucket[place(r, from->addr, to)];
	/* the end differs if the code was rewritten */
	if (*at && (*at)->from == last_of(from))
		return *at;
	if ((!r->page || r->page->used == APMU_QEMU__EDGES_MOST) && !take_page(s))
		return &r->none;
	struct profile__edge_row *row = &r->page->row[r->page->used++];
	*row = (struct profile__edge_row){
		.start = from->addr, .from = last_of(from), .to = to, .kind = from->kind, .taken = taken};
	r->edges += !*at;
	return *at = row;
}

void apmu_qemu__branch_trace_leave(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *from,
				   const struct apmu_qemu__tb *to)
{
	struct apmu_qemu__branch_trace *r = s->branch_trace;
	const struct apmu_qemu__slot *slot = s->thread->slot;

	r->from = NULL;
	if (from->n == 0) { /* a signal, or the start: no branch led here */
		r->taken = 0;
		r->cycles = slot->tally.n[APMU_SIG_CYCLES];
		return;
	}
	if (apmu_qemu__plugin.region.kind != APMU_QEMU__REGION_ALL && !slot->inside)
		return;
	r->from = from;
	r->to = to;
	r->flushes = slot->tally.n[APMU_SIG_BR_MIS_PRED];
	r->now = slot->tally.n[APMU_SIG_CYCLES];
}

void apmu_qemu__branch_trace_follow(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__branch_trace *r = s->branch_trace;
	const struct apmu_qemu__tb *from = r->from;

	if (!from)
		return;
	uint64_t to = r->to->addr;
	bool wrong = s->thread->slot->tally.n[APMU_SIG_BR_MIS_PRED] != r->flushes;
	bool taken = to != from->end || (from->kind != PROFILE__KIND_NONE && from->unconditional);
	struct profile__edge_row *row = look_up(s, from, to, taken);

	r->from = NULL;
	row->runs++;
	row->mispredicted += wrong;
	if (row == &r->none)
		atomic_fetch_add(&apmu_qemu__plugin.share->record.edges_lost, 1);
	if (!taken)
		return;
	r->ring[r->taken++ % PROFILE__BRANCHES] = (struct profile__branch){.from = last_of(from),
									   .to = to,
									   .cycles = r->now - r->cycles,
									   .kind = from->kind,
									   .mispredicted = wrong};
	r->cycles = r->now;
}

uint32_t apmu_qemu__branch_trace_stack(const struct apmu_qemu__sampler *s,
				       struct profile__branch out[PROFILE__BRANCHES])
{
	const struct apmu_qemu__branch_trace *r = s->branch_trace;
	uint32_t n = r->taken < PROFILE__BRANCHES ? r->taken : PROFILE__BRANCHES;

	for (uint32_t i = 0; i < n; i++)
		out[i] = r->ring[(r->taken - 1 - i) % PROFILE__BRANCHES];
	return n;
}
