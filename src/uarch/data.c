/* SPDX-License-Identifier: MIT */
/*
 * The data side: one call an element that an instruction reads or writes.
 *
 * What counts as one access is the core's rule (apmu_access_rule): on ARM11 the elements of one instruction
 * that lie in one line are one access (AN195 7), on XScale each register is one. Different instructions count
 * separately.
 */
#include "touch.h"

struct access {
	struct apmu_uarch *u;
	const struct apmu_block *b;
	uint64_t addr;
	unsigned i, size;
	bool store;
};

static bool timed(const struct apmu_uarch *u)
{
	return u->parts & APMU__TIME;
}

/* Dirty bits of what the access covers of `line`; where a line has one bit, both halves are dirty at once. */
static unsigned halves(const struct access *a, const struct apmu__cache *c, uint64_t line,
		       unsigned dirty_bits)
{
	uint64_t first = line << c->shift, half = (uint64_t)1 << (c->shift - 1);
	bool starts_before = a->addr - first >= 2 * half; /* the access began in the line below */
	uint64_t from = starts_before ? 0 : a->addr - first;
	uint64_t to = a->addr + a->size - 1 - first;
	if (dirty_bits == 1)
		return 3;
	return (from < half ? 1u : 0u) | (to >= half ? 2u : 0u);
}

static void outside(const struct access *a, uint64_t line)
{
	a->u->n[APMU_SIG_EXT_ACCESS]++;
	a->u->last.external_store = true;
	if (timed(a->u))
		apmu__write_out(a->u, a->b, a->i, line);
}

/* A store that L1 passes on. */
static void write_outside(const struct access *a, uint64_t line, enum apmu__stored how)
{
	uint64_t first = line << a->u->l1d.shift;
	if (a->u->parts & APMU__BELOW) {
		apmu__below_store(a->u, a->addr > first ? a->addr : first, how);
		if (a->u->seen.at)
			a->u->seen.at = (a->u->outside.to_memory ? APMU__AT_MEMORY : APMU__AT_L2) + 1;
	}
	outside(a, line);
}

/* A store's line, after the last one's: in read-allocate mode after as many as the core wants, each written
 * from its first byte on. Lines that the prefetcher brought count too: the store buffer had them whole. */
static void advance_run(const struct access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	struct apmu__run *r = &u->run;
	if (u->p.read_allocate == 0 || line == r->line)
		return;
	bool next = line == r->line + 1 && a->addr <= line << u->l1d.shift;
	r->line = line;
	r->length = (uint8_t)(next ? r->length + (r->length < UINT8_MAX) : 0);
	u->n[APMU_SIG_RA_ENTER] += !r->on && r->length >= u->p.read_allocate;
	r->on = r->length >= u->p.read_allocate;
}

/* The first use of a line that the prefetcher brought: it may still be on its way, and the stream goes on,
 * but for stores that need no line. */
static void prefetched(const struct access *a, struct apmu__cache *c, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	uint64_t now = timed(u) ? apmu__position(u, a->b, a->i) : 0;
	u->n[APMU_SIG_PREFETCH_HIT]++;
	c->dirty[c->slot] &= (uint8_t)~APMU__PREFETCHED;
	if (a->store)
		advance_run(a, line);
	else if (timed(u) && u->arrive[c->slot] > now)
		apmu__late_data(u, a->b, a->i, u->arrive[c->slot] - now, APMU__FOR_MEMORY);
	if (!a->store || !u->run.on)
		apmu__prefetch(u, line, now);
}

/* In order, a line on its way has no hint: who finds a hint need not look at what is in flight. */
static void unhint_in_flight(const struct access *a, struct apmu__cache *c, uint64_t line)
{
	const struct apmu__memory *m = &a->u->memory;
	if (m->flights == 0 || a->u->window)
		return;
	uint64_t now = apmu__position(a->u, a->b, a->i);
	for (unsigned k = 0; k < m->flights; k++)
		if (m->flight[k].line == line && m->flight[k].ready > now)
			apmu__cache_unhint(c, line);
}

static void use_line(const struct access *a, struct apmu__cache *c, const struct apmu_cache_params *p,
		     uint64_t line)
{
	if (c->dirty[c->slot] & APMU__PREFETCHED)
		prefetched(a, c, line);
	unhint_in_flight(a, c, line);
	if (!a->store) {
		if (a->u->memory.flights | a->u->memory.pendings)
			apmu__in_flight(a->u, a->b, a->i, line);
		return;
	}
	if (p->write == APMU_WRITE_BACK)
		c->dirty[c->slot] |= (uint8_t)halves(a, c, line, p->dirty_per_line);
	else
		write_outside(a, line, APMU__STORE_PART);
}

static void fill(const struct access *a, struct apmu__cache *c, const struct apmu_cache_params *p,
		 uint64_t line)
{
	struct apmu_uarch *u = a->u;
	enum apmu__why why = a->store ? APMU__WRITE : APMU__READ;
	u->n[APMU_SIG_EXT_ACCESS]++;
	u->n[APMU_SIG_L1D_FILL]++;
	u->n[a->store ? APMU_SIG_L1D_FILL_WR : APMU_SIG_L1D_FILL_RD]++;
	u->n[APMU_SIG_BCU_REQUEST]++;
	enum apmu__at at = apmu__bring(u, c, line, why);
	u->seen.at = (uint8_t)(at + 1);
	u->n[at == APMU__AT_MEMORY ? APMU_SIG_L1D_FILL_OUTER : APMU_SIG_L1D_FILL_INNER]++;
	if (timed(u))
		apmu__read_data(u, a->b, a->i, line, at);
	unhint_in_flight(a, c, line);
	if (u->p.prefetch.streams && c == &u->l1d)
		apmu__prefetch(u, line, timed(u) ? apmu__position(u, a->b, a->i) : 0);
	if (a->store)
		use_line(a, c, p, line);
}

/* How a store that misses goes past L1, if it does. */
static enum apmu__stored past_l1(const struct access *a, uint64_t line)
{
	const struct apmu_uarch *u = a->u;
	advance_run(a, line);
	a->u->n[APMU_SIG_RA_STORE] += u->run.on;
	if (!u->run.on)
		return APMU__STORE_PART;
	bool streams = u->p.read_allocate_l2 && u->run.length >= u->p.read_allocate_l2;
	return streams ? APMU__STORE_STREAM : APMU__STORE_WHOLE;
}

static void look_up(const struct access *a, struct apmu__cache *c, const struct apmu_cache_params *p,
		    uint64_t line)
{
	if (apmu__cache_hit(c, line)) {
		use_line(a, c, p, line);
		return;
	}
	a->u->n[APMU_SIG_L1D_MISS]++;
	a->u->seen.at = APMU__AT_MEMORY + 1; /* fill() knows better */
	enum apmu__stored how = a->store ? past_l1(a, line) : APMU__STORE_PART;
	if (a->store && (!p->write_allocate || how != APMU__STORE_PART))
		write_outside(a, line, how);
	else
		fill(a, c, p, line);
}

static void translate(const struct access *a, uint64_t page)
{
	struct apmu_uarch *u = a->u;
	u->dpage.line = page;
	if (!(u->parts & APMU__DTLB) || apmu__cache_hit(&u->dtlb, page))
		return;
	u->n[APMU_SIG_L1D_TLB_REFILL]++;
	u->n[a->store ? APMU_SIG_L1D_TLB_REFILL_WR : APMU_SIG_L1D_TLB_REFILL_RD]++;
	enum apmu__refill r = apmu__tlb_refill(u, &u->dtlb, page, a->store ? APMU__WRITE : APMU__READ);
	u->seen.refill = (uint8_t)(r + 1);
	if (!timed(u))
		return;
	if (r == APMU__REFILL_WALK && !u->window) { /* nothing issues while the tables are walked */
		u->n[APMU_SIG_DATA_STALL] += apmu__refill_stall(u, r);
		u->n[APMU_SIG_STALL_BACK_TLB] += apmu__refill_stall(u, r);
		u->n[APMU_SIG_STALL_BACK_BOUND] += apmu__refill_stall(u, r);
		u->seen.cycles += (uint32_t)apmu__refill_cycles(u, r);
		apmu__wait(u, apmu__refill_cycles(u, r));
	} else if (!a->store) {
		apmu__late_data(u, a->b, a->i, apmu__refill_cycles(u, r),
				r == APMU__REFILL_MAIN ? APMU__FOR_MAIN : APMU__FOR_TABLES);
	}
}

static void count_access(const struct access *a, unsigned count)
{
	a->u->n[APMU_SIG_L1D_ACCESS] += count;
	a->u->n[a->store ? APMU_SIG_MEM_WR : APMU_SIG_MEM_RD] += count;
}

/* A TCM access is looked up like a cacheable one and never misses; a read right after a write to the level-2
 * memory is looked up again (AN195 7). */
static void tightly_coupled(const struct access *a, unsigned count)
{
	struct apmu_uarch *u = a->u;
	if (!a->store && u->last.external_store)
		count += u->p.speculative_after_store;
	count_access(a, count);
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
	u->last.external_store = false;
}

/* Non-cacheable: looked up all the same (AN195 7), then outside. */
static void uncached(const struct access *a, uint64_t line, unsigned count)
{
	struct apmu_uarch *u = a->u;
	count_access(a, count);
	u->n[APMU_SIG_L1D_MISS] += count;
	u->seen.at = APMU__AT_MEMORY + 1;
	u->last.external_store = a->store;
	if (u->p.uncached_ordered) {
		u->n[APMU_SIG_WBUF_DRAIN] += count;
		u->n[APMU_SIG_BCU_DRAIN] += count;
		if (timed(u))
			apmu__drain(u);
	}
	if (a->store) {
		u->n[APMU_SIG_EXT_ACCESS] += count - 1;
		u->n[APMU_SIG_BUS_WR] += count;
		outside(a, line);
		return;
	}
	u->n[APMU_SIG_EXT_ACCESS] += count;
	u->n[APMU_SIG_BUS_RD] += count;
	u->n[APMU_SIG_BCU_REQUEST] += count;
	if (timed(u))
		apmu__read_data(u, a->b, a->i, APMU__NO_LINE, APMU__AT_MEMORY);
}

static void cacheable(const struct access *a, struct apmu__cache *c, const struct apmu_cache_params *p,
		      uint64_t line, unsigned count)
{
	struct apmu_uarch *u = a->u;
	count_access(a, count);
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
	u->last.external_store = false;
	if (u->parts & APMU__L1D)
		look_up(a, c, p, line);
}

static void special(const struct access *a, uint64_t line, unsigned count)
{
	struct apmu_uarch *u = a->u;
	if (apmu__inside(&u->p.dtcm, a->addr) || apmu__inside(&u->p.itcm, a->addr))
		tightly_coupled(a, count);
	else if (apmu__inside(&u->p.uncached, a->addr))
		uncached(a, line, count);
	else if (apmu__inside(&u->p.mini_window, a->addr))
		cacheable(a, &u->mini, &u->p.mini, line, count);
	else
		cacheable(a, &u->l1d, &u->p.l1d, line, count);
}

/* More of a line that this instruction has accessed: no access of its own, but it may dirty the other half.
 */
static void sequential(const struct access *a, uint64_t line)
{
	struct apmu_uarch *u = a->u;
	bool mini = u->windows && apmu__inside(&u->p.mini_window, a->addr);
	const struct apmu_cache_params *p = mini ? &u->p.mini : &u->p.l1d;
	struct apmu__cache *c = mini ? &u->mini : &u->l1d;
	if (!a->store || !(u->parts & APMU__L1D) || c->tag[c->slot] != line || p->write != APMU_WRITE_BACK)
		return;
	c->dirty[c->slot] |= (uint8_t)halves(a, c, line, p->dirty_per_line);
}

static void one_line(const struct access *a, uint64_t line, uint32_t key, unsigned count)
{
	struct apmu_uarch *u = a->u;
	bool same = key == u->last.key && line == u->last.line;
	u->last.key = key;
	u->last.line = line;
	if (same && u->p.access_rule == APMU_ACCESS_PER_LINE)
		sequential(a, line);
	else if (u->windows)
		special(a, line, count);
	else
		cacheable(a, &u->l1d, &u->p.l1d, line, count);
}

/* XScale counts an LDRD twice though it is one eight-byte access. */
static unsigned registers(const struct access *a)
{
	unsigned width = a->b->step[a->i].width;
	if (a->u->p.access_rule == APMU_ACCESS_PER_LINE || width == 0 || a->size <= width)
		return 1;
	return a->size / width;
}

static bool crosses_word(const struct access *a)
{
	unsigned offset = (unsigned)(a->addr & 3);
	return offset + (a->size < 4 ? a->size : 4) > 4;
}

static void unaligned(const struct access *a)
{
	if (a->u->window)
		apmu__late_data(a->u, a->b, a->i, a->u->p.unaligned_extra, APMU__FOR_ALIGNMENT);
	else
		apmu__wait(a->u, a->u->p.unaligned_extra);
}

/* The common case in short: an aligned access of one element that hits, translation too, with nothing in
 * flight. True if that was it; else nothing has been done. */
static inline bool quick(struct apmu_uarch *u, const struct apmu_block *b, uint32_t key, uint64_t addr,
			 unsigned size)
{
	const struct apmu__short *d = &u->data;
	uint64_t line = addr >> d->line_shift, page = addr >> d->page_shift;
	const struct apmu__hint *h = &d->line[line & d->line_mask];
	bool idle = (u->memory.pendings | (u->memory.flights & u->touch.flights)) == 0;
	bool translated = d->no_dtlb | (d->page[page & d->page_mask].line == page);
	bool aligned = (size - 1 < 8) & !((addr | size) & (size - 1));
	if (!(d->plain & aligned & idle & translated & (h->line == line)))
		return false;
	if (size > b->step[key / 2].most) /* several elements at once, a store-exclusive */
		return false;
	bool again = key == u->last.key;
	unsigned count = !again | (line != u->last.line) | d->per_register;
	u->n[key & 1 ? APMU_SIG_ST_RETIRED : APMU_SIG_LD_RETIRED] += !again;
	u->n[key & 1 ? APMU_SIG_MEM_WR : APMU_SIG_MEM_RD] += count;
	u->n[APMU_SIG_L1D_ACCESS] += count;
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
	u->last = (struct apmu__last){line, key, false};
	unsigned ends = (addr & d->half ? 2 : 1) | ((addr + size - 1) & d->half ? 2 : 1);
	u->l1d.slot = h->slot;
	if (d->ordered)
		apmu__cache_touch(&u->l1d, line);
	if (key & 1)
		u->l1d.dirty[h->slot] |= (uint8_t)(d->whole | ends);
	return true;
}

/* An element's bytes; what is not said, or is larger than the access, is the access. */
static unsigned element(const struct access *a)
{
	unsigned width = a->b->step[a->i].width;
	return width && width < a->size ? width : a->size;
}

/* Counted once an instruction: by its first access. */
static void first_access(const struct access *a)
{
	struct apmu_uarch *u = a->u;
	bool exclusive = u->traits && (a->b->step[a->i].traits >> APMU_TRAIT_STREX & 1);
	u->n[a->store ? APMU_SIG_ST_RETIRED : APMU_SIG_LD_RETIRED]++;
	u->n[a->store ? APMU_SIG_UNALIGNED_ST : APMU_SIG_UNALIGNED_LD] += (a->addr & (element(a) - 1)) != 0;
	u->n[APMU_SIG_STREX_PASS] += exclusive;
	u->n[APMU_SIG_STREX_FAIL] -= exclusive;
}

void apmu__access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		      unsigned size, bool store)
{
	const struct access a = {u, b, addr, i, size, store};
	uint32_t key = i * 2 + store;
	uint64_t last = addr + size - 1;
	if (key != u->last.key)
		first_access(&a);
	if (u->memory.pendings && !u->window)
		apmu__settle_waits(u, b, b->step[i].issue);
	if (timed(u) && crosses_word(&a))
		unaligned(&a);
	if (addr >> u->dtlb.shift != u->dpage.line)
		translate(&a, addr >> u->dtlb.shift);
	one_line(&a, addr >> u->l1d.shift, key, registers(&a));
	if (last >> u->l1d.shift == addr >> u->l1d.shift)
		return;
	u->n[store ? APMU_SIG_SPLIT_ST : APMU_SIG_SPLIT_LD]++;
	if (last >> u->dtlb.shift != u->dpage.line)
		translate(&a, last >> u->dtlb.shift);
	one_line(&a, last >> u->l1d.shift, key, u->p.access_rule == APMU_ACCESS_PER_LINE);
}

/* Every case. Not inlined, so that the short one needs no stack frame. */
static __attribute__((noinline)) void access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
						 uint64_t addr, unsigned size, bool store)
{
	if (u->vectors && b->step[i].touches >> 32)
		apmu__access_vector(u, b, i, addr, size, store);
	else
		apmu__access_any(u, b, i, addr, size, store);
}

void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		       unsigned size, bool store)
{
	if (!(u->parts & APMU__ACCESS) || i >= b->n || size == 0 || quick(u, b, i * 2 + store, addr, size))
		return;
	access_any(u, b, i, addr, size, store);
}
