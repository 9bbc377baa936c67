/* SPDX-License-Identifier: MIT */
/*
 * Exact counts: one cell per instruction and thread, in memory that the command shares, so that they outlive
 * the process however it ends.
 */
#include "qemu/plugin_record.h"

#include <stdlib.h>

struct apmu_qemu__cell_table {
	struct apmu_qemu__cells *page; /* page with room, or NULL */
	struct apmu_qemu__cell **bucket;
	uint32_t buckets, cells;
	struct apmu_qemu__cell *none; /* takes the counts for which there is no room; nobody reads it */
};

static size_t cell_size(void)
{
	return apmu_qemu__cell_size(apmu_qemu__plugin.record.events);
}

static bool take_page(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	uint32_t page = atomic_fetch_add(&share->record.cell_pages, 1);

	if (page >= APMU_QEMU__CELLS_SIZE / APMU_QEMU__CELLS_PAGE) {
		atomic_fetch_sub(&share->record.cell_pages, 1);
		return false;
	}
	s->cell_table->page = apmu_qemu__share_cells(share, page);
	*s->cell_table->page = (struct apmu_qemu__cells){s->thread->slot->pid, s->thread->slot->tid,
							 s->thread->slot->serial, 0};
	return true;
}

static struct apmu_qemu__cell *new_cell(struct apmu_qemu__sampler *s, uint64_t pc)
{
	struct apmu_qemu__cell_table *c = s->cell_table;
	size_t most = (APMU_QEMU__CELLS_PAGE - sizeof(struct apmu_qemu__cells)) / cell_size();

	if (!c->page || c->page->used == most)
		if (!take_page(s))
			return c->none;
	struct apmu_qemu__cell *cell =
		(struct apmu_qemu__cell *)(void *)(c->page->cell + c->page->used * cell_size());
	cell->pc = pc;
	c->page->used++;
	return cell;
}

static uint32_t place(const struct apmu_qemu__cell_table *c, uint64_t pc)
{
	uint64_t h = pc * 0x9E3779B97F4A7C15u;
	uint32_t at = (uint32_t)(h >> 32) & (c->buckets - 1);

	while (c->bucket[at] && c->bucket[at]->pc != pc)
		at = (at + 1) & (c->buckets - 1);
	return at;
}

static void grow(struct apmu_qemu__cell_table *c)
{
	struct apmu_qemu__cell **old = c->bucket;
	uint32_t n = c->buckets;

	if (c->cells * 2 < n)
		return;
	c->buckets = n ? n * 2 : 4096;
	c->bucket = calloc(c->buckets, sizeof(*c->bucket));
	if (!c->bucket)
		apmu_qemu__plugin_die("no memory for exact counts");
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			c->bucket[place(c, old[i]->pc)] = old[i];
	free(old);
}

static void make_table(struct apmu_qemu__sampler *s)
{
	s->cell_table = calloc(1, sizeof(*s->cell_table));
	if (s->cell_table)
		s->cell_table->none = calloc(1, cell_size());
	if (!s->cell_table || !s->cell_table->none)
		apmu_qemu__plugin_die("no memory for exact counts");
}

static struct apmu_qemu__cell *look_up(struct apmu_qemu__sampler *s, uint64_t pc)
{
	if (!s->cell_table)
		make_table(s);
	grow(s->cell_table);
	struct apmu_qemu__cell **at = &s->cell_table->bucket[place(s->cell_table, pc)];
	if (*at)
		return *at;
	struct apmu_qemu__cell *cell = new_cell(s, pc);
	if (cell != s->cell_table->none) {
		*at = cell;
		s->cell_table->cells++;
	}
	return cell;
}

static void add_at(struct apmu_qemu__sampler *s, uint32_t event, uint64_t pc, uint64_t n)
{
	struct apmu_qemu__cell *cell = look_up(s, pc);

	cell->count[event] += n;
	if (cell == s->cell_table->none)
		atomic_fetch_add(&apmu_qemu__plugin.share->record.lost, 1);
}

static void add(struct apmu_qemu__sampler *s, uint32_t event, const struct apmu_qemu__tb *b, uint32_t i,
		uint64_t n)
{
	add_at(s, event, b->addr + b->offset[i], n);
}

void apmu_qemu__cells_add(struct apmu_qemu__sampler *s, uint32_t event, uint64_t pc)
{
	uint64_t value = apmu_gauge_value(&s->gauge[event]), gained = value - s->event[event].last;

	s->event[event].last = value;
	if (gained)
		add_at(s, event, pc, gained);
}

void apmu_qemu__cells_count(struct apmu_qemu__sampler *s, uint32_t event, const struct apmu_qemu__tb *b,
			    uint32_t at, bool each)
{
	uint64_t value = apmu_gauge_value(&s->gauge[event]), gained = value - s->event[event].last;

	s->event[event].last = value;
	if (gained == 0)
		return;
	for (uint32_t i = 0; each && i < b->n; i++) {
		uint16_t own = b->own[(size_t)event * b->n + i];
		if (own)
			add(s, event, b, i, own);
		gained -= own;
	}
	if (gained)
		add(s, event, b, at, gained);
}

void apmu_qemu__cells_abandon(struct apmu_qemu__sampler *s, uint32_t executed)
{
	const struct apmu_qemu__tb *b = s->tb;

	for (uint32_t e = 0; e < apmu_qemu__plugin.record.events; e++) {
		uint64_t value = apmu_gauge_value(&s->gauge[e]), gained = value - s->event[e].last;
		for (uint32_t i = executed; i < b->n; i++) {
			uint64_t own = b->own[(size_t)e * b->n + i];
			if (own)
				add(s, e, b, i, 0 - own);
			gained += own;
		}
		if (gained)
			add(s, e, b, executed, gained);
		s->event[e].last = value;
	}
}

void apmu_qemu__cells_shift(struct apmu_qemu__sampler *s, const struct apmu_qemu__tb *b, uint32_t from,
			    bool plus)
{
	for (uint32_t e = 0; e < apmu_qemu__plugin.record.events; e++) {
		for (uint32_t i = from; i < b->n; i++) {
			uint64_t own = b->own[(size_t)e * b->n + i];
			if (own)
				add(s, e, b, i, plus ? own : 0 - own);
		}
		s->event[e].last = apmu_gauge_value(&s->gauge[e]);
	}
}

void apmu_qemu__cells_free(struct apmu_qemu__sampler *s)
{
	if (!s->cell_table)
		return;
	free(s->cell_table->bucket);
	free(s->cell_table->none);
	free(s->cell_table);
	s->cell_table = NULL;
}
