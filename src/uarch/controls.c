/* SPDX-License-Identifier: MIT */
/*
 * The effect of the program's control registers, page tables and maintenance instructions on the units, which
 * they switch off, bypass or empty.
 */
#include "uarch/lower_levels.h"
#include "uarch/spaces.h"

void apmu_uarch__look_anew(struct apmu_uarch *u)
{
	u->iline = u->ipage = u->dpage.line = APMU_UARCH__NO_LINE;
	u->epoch++;
}

void apmu_uarch__controls_init(struct apmu_uarch *u)
{
	u->controls = (struct apmu_uarch__controls){
		.on = APMU_ON_ALL,
		.memory = APMU_MEMORY_CACHED,
		.units = u->units,
		.entry_counts = u->entry_counts,
		.levels = u->levels,
		.returns = u->p.return_stack,
		.streams = u->p.prefetch.streams,
		.predict = u->p.predict,
		.by_rule = u->p.static_predict,
		.windows = u->windows,
	};
}

static void forget_branches(struct apmu_uarch *u)
{
	for (size_t i = 0; i <= u->btb.mask; i++)
		u->btb.entry[i].tag = 1;
	for (size_t i = 0; u->targets && i <= u->targets_mask; i++)
		u->targets[i].tag = 0;
}

static void apply_data(struct apmu_uarch *u)
{
	bool plain = !apmu_uarch__data_outside(u) && u->controls.memory == APMU_MEMORY_CACHED;

	u->windows = u->controls.windows || !plain;
	apmu_uarch__fast_init(u);
}

static uint32_t units_on(const struct apmu_uarch__controls *c)
{
	uint32_t units = c->units;

	if (!(c->on & APMU_ON_MMU))
		units &= ~(uint32_t)(APMU_UARCH__ITLB | APMU_UARCH__DTLB | APMU_UARCH__MAIN);
	if (!(c->on & APMU_ON_ICACHE) || c->code >= APMU_MEMORY_TCM)
		units &= ~(uint32_t)APMU_UARCH__FETCH;
	return units;
}

/* What block entry counts: a fetch from a TCM is no look-up and waits for nothing. */
static uint32_t entry_counts(const struct apmu_uarch__controls *c)
{
	uint32_t others = c->entry_counts & ~(uint32_t)APMU_UARCH__ENTRY_FETCHES;

	if (!(c->units & APMU_UARCH__FETCH))
		return c->entry_counts;
	if (c->code == APMU_MEMORY_TCM)
		return others;
	return c->on & APMU_ON_ICACHE && c->code < APMU_MEMORY_TCM ? c->entry_counts
								   : others | APMU_UARCH__ENTRY_UNCACHED_CODE;
}

static void apply(struct apmu_uarch *u)
{
	const struct apmu_uarch__controls *c = &u->controls;

	u->units = units_on(c);
	u->entry_counts = entry_counts(c);
	apmu_uarch__levels_set(u, c->on & APMU_ON_LEVELS ? c->levels : 0);
	u->p.predict = c->predict && (c->on & APMU_ON_PREDICT);
	u->predicts = (u->units & APMU_UARCH__PREDICT) && u->p.predict;
	u->p.static_predict = c->by_rule && (c->on & APMU_ON_STATIC);
	u->btb.present = u->p.btb && u->p.predict && (c->on & APMU_ON_DYNAMIC);
	u->stack.entries = c->on & APMU_ON_RETURNS ? c->returns : 0;
	u->p.prefetch.streams = c->on & APMU_ON_AHEAD ? c->streams : 0;
	apply_data(u);
	apmu_uarch__look_anew(u);
}

void apmu_uarch_switch(struct apmu_uarch *u, uint32_t on)
{
	uint32_t off = u->controls.on & ~on;

	if (u->controls.on == on)
		return;
	u->controls.on = on;
	if (off & (APMU_ON_PREDICT | APMU_ON_DYNAMIC))
		forget_branches(u);
	if (off & (APMU_ON_PREDICT | APMU_ON_RETURNS))
		u->stack.depth = u->stack.top = 0;
	apply(u);
}

static uint8_t at_most(uint8_t value, unsigned most)
{
	return value < most ? value : (uint8_t)most;
}

void apmu_uarch_tune(struct apmu_uarch *u, const struct apmu_tuning *t)
{
	struct apmu_prefetch_params *p = &u->p.prefetch;
	uint8_t n = at_most(t->streams, APMU_UARCH__STREAMS),
		flights = at_most(t->flights, APMU_UARCH__PREFETCHES);
	bool streams = u->arrive && u->controls.streams != n;

	if (!streams && p->flights == flights && p->next == t->next && u->p.read_allocate == t->read_allocate)
		return;
	if (streams) {
		u->controls.streams = n;
		u->streams.used = 0;
		u->streams.order = apmu_uarch__order_new(n ? n : 1);
	}
	p->flights = flights;
	p->next = t->next;
	u->p.read_allocate = t->read_allocate;
	u->run.on = u->run.on && u->p.read_allocate;
	apply(u);
}

void apmu_uarch_data_memory(struct apmu_uarch *u, enum apmu_memory memory)
{
	if (u->controls.memory == memory)
		return;
	u->controls.memory = (uint8_t)memory;
	apply_data(u);
}

void apmu_uarch_code_memory(struct apmu_uarch *u, enum apmu_memory memory)
{
	if (u->controls.code == memory)
		return;
	u->controls.code = (uint8_t)memory;
	apply(u);
}

/* Cache maintenance of the line in `slot` of a level 1 cache. */
static void maintain_line(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint32_t slot,
			  enum apmu_maintenance what)
{
	uint64_t line = c->tag[slot];
	unsigned dirty = c->dirty[slot] & APMU_UARCH__DIRTY;

	if (line == APMU_UARCH__NO_LINE)
		return;
	if (dirty && (what == APMU_MAINTAIN_CLEAN || what == APMU_MAINTAIN_CLEAN_INVALIDATE)) {
		u->n[APMU_SIG_L1D_WB_CLEAN]++;
		u->n[APMU_SIG_L1D_WB_HALF] += apmu_uarch__dirty_halves(dirty);
		u->n[APMU_SIG_BCU_REQUEST]++;
		if (u->units & APMU_UARCH__LOWER)
			apmu_uarch__lower_put(u, line << c->shift, 1u << c->shift, dirty);
	}
	if (what == APMU_MAINTAIN_CLEAN)
		c->dirty[slot] &= (uint8_t)~APMU_UARCH__DIRTY;
	else
		apmu_uarch__cache_drop(c, line);
}

static void maintain_cache(struct apmu_uarch *u, struct apmu_uarch__cache *c, uint64_t addr,
			   enum apmu_maintenance what)
{
	if (addr != APMU_MAINTAIN_ALL) {
		uint32_t slot = apmu_uarch__cache_find(c, addr >> c->shift);

		if (slot != APMU_UARCH__NOWHERE)
			maintain_line(u, c, slot, what);
		return;
	}
	for (uint32_t slot = 0; slot < apmu_uarch__cache_slots(c); slot++)
		if (!apmu_uarch__cache_is_pinned(c, slot))
			maintain_line(u, c, slot, what);
}

/* 80200 4.3.4: a line that is present already is not pinned. */
static void pin_code(struct apmu_uarch *u, uint64_t addr)
{
	struct apmu_uarch__cache *c = &u->l1i;
	uint64_t line = addr >> c->shift;

	if (!u->p.l1i.size || apmu_uarch__cache_has(c, line))
		return;
	apmu_uarch__cache_pin(c, true);
	apmu_uarch__cache_fill(c, line);
	apmu_uarch__cache_pin(c, false);
	u->n[APMU_SIG_BCU_REQUEST]++;
}

/* XSCALE 7.2.8: a line that is present already stays as it is. The victim is written back. */
static void allocate_data(struct apmu_uarch *u, uint64_t addr)
{
	struct apmu_uarch__cache *c = &u->l1d;
	uint64_t line = addr >> c->shift;
	unsigned dirty;

	if (!u->p.l1d.size || apmu_uarch__cache_has(c, line))
		return;
	dirty = apmu_uarch__cache_fill(c, line);
	apmu_uarch__count_victim(u, dirty);
	if (dirty && (u->units & APMU_UARCH__LOWER))
		apmu_uarch__lower_put(u, c->evicted << c->shift, 1u << c->shift, dirty);
}

static void maintain_data(struct apmu_uarch *u, uint64_t addr, enum apmu_maintenance what)
{
	maintain_cache(u, &u->l1d, addr, what);
	if (u->p.mini.size)
		maintain_cache(u, &u->mini, addr, what);
	if (addr != APMU_MAINTAIN_ALL && (u->units & APMU_UARCH__LOWER))
		apmu_uarch__lower_maintain_at(u, addr, what);
}

static void empty_main(struct apmu_uarch *u, uint64_t addr)
{
	struct apmu_uarch__packed *s = &u->tlb;
	size_t slots = (size_t)(s->set_mask + 1) << s->pitch;

	maintain_cache(u, &u->walks, APMU_MAINTAIN_ALL, APMU_MAINTAIN_INVALIDATE);
	if (!u->p.tlb.entries)
		return;
	if (addr != APMU_MAINTAIN_ALL) {
		uint32_t slot = apmu_uarch__packed_find(s, addr >> s->shift);

		if (slot != APMU_UARCH__NOWHERE)
			apmu_uarch__packed_drop(s, slot);
		return;
	}
	for (size_t slot = 0; slot < slots; slot++) /* of all address spaces */
		if ((slot & (((size_t)1 << s->pitch) - 1)) < s->ways)
			apmu_uarch__packed_drop(s, (uint32_t)slot);
}

void apmu_uarch_maintain(struct apmu_uarch *u, enum apmu_maintenance what, uint64_t addr)
{
	switch (what) {
	case APMU_MAINTAIN_ICACHE: maintain_cache(u, &u->l1i, addr, APMU_MAINTAIN_INVALIDATE); break;
	case APMU_MAINTAIN_INVALIDATE:
	case APMU_MAINTAIN_CLEAN:
	case APMU_MAINTAIN_CLEAN_INVALIDATE: maintain_data(u, addr, what); break;
	case APMU_MAINTAIN_ITLB:
	case APMU_MAINTAIN_DTLB:
		maintain_cache(u, what == APMU_MAINTAIN_ITLB ? &u->itlb : &u->dtlb, addr,
			       APMU_MAINTAIN_INVALIDATE);
		empty_main(u, addr);
		break;
	case APMU_MAINTAIN_BRANCHES: forget_branches(u); break;
	case APMU_MAINTAIN_PIN: pin_code(u, addr); break;
	case APMU_MAINTAIN_UNPIN_CODE: apmu_uarch__cache_unpin(&u->l1i); break;
	case APMU_MAINTAIN_PIN_DATA:
	case APMU_MAINTAIN_PIN_NO_MORE: apmu_uarch__cache_pin(&u->l1d, what == APMU_MAINTAIN_PIN_DATA); break;
	case APMU_MAINTAIN_UNPIN_DATA: apmu_uarch__cache_unpin(&u->l1d); break;
	case APMU_MAINTAIN_ALLOCATE: allocate_data(u, addr); break;
	case APMU_MAINTENANCE_KINDS: return;
	}
	apmu_uarch__fast_access_init(u); /* whether lines are pinned selects a path */
	apmu_uarch__look_anew(u);
}

void apmu_uarch_maintain_way(struct apmu_uarch *u, enum apmu_maintenance what, unsigned level, uint32_t set,
			     uint32_t way)
{
	bool data = what == APMU_MAINTAIN_INVALIDATE || what == APMU_MAINTAIN_CLEAN ||
		    what == APMU_MAINTAIN_CLEAN_INVALIDATE;

	if (!data || level == 0)
		return;
	if (level == 1) {
		if (set <= u->l1d.set_mask && way < u->l1d.ways)
			maintain_line(u, &u->l1d, set * u->l1d.ways + way, what);
	} else if (level - 2 < u->controls.levels) {
		const struct apmu_uarch__packed *s = &u->level[level - 2]->sets;

		if (set <= s->set_mask && way < s->ways)
			apmu_uarch__lower_maintain(u, level - 2, (set << s->pitch) + way, what);
	}
	apmu_uarch__look_anew(u);
}

void apmu_uarch_lock(struct apmu_uarch *u, bool code, uint64_t ways)
{
	apmu_uarch__cache_lock(code ? &u->l1i : &u->l1d, ways);
	apmu_uarch__fast_access_init(u);
}
