/* SPDX-License-Identifier: MIT */
/*
 * The data side: one call per element that an instruction reads or writes.
 *
 * What counts as one access is the core's rule (apmu_access_rule): on ARM11 the elements of one instruction
 * that lie in one line are one access (AN195 7), on XScale each register is one. Different instructions count
 * separately.
 */
#include "uarch/fast.h"
#include "uarch/line.h"

#define MOST_LINES 64u /* of an access that are looked up after the first */

static void count_access(const struct apmu_uarch__access *a, unsigned count)
{
	a->u->n[APMU_SIG_L1D_ACCESS] += count;
	a->u->n[a->store ? APMU_SIG_MEM_WR : APMU_SIG_MEM_RD] += count;
}

/* On ARM11 a TCM access is looked up like a cacheable one and never misses; a read right after a write to the
 * level-2 memory is looked up again (AN195 7). Cores that look up only cacheable memory do not look up a TCM
 * access. */
static void tightly_coupled(const struct apmu_uarch__access *a, unsigned count)
{
	struct apmu_uarch *u = a->u;
	if (!u->p.uncached_looked_up) {
		u->last.external_store = false;
		return;
	}
	if (!a->store && u->last.external_store)
		count += u->p.speculative_after_store;
	count_access(a, count);
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
	u->last.external_store = false;
}

/* Counts the beats of the bus that an access fills in a line which no cache takes. `further`: it goes on
 * where the element before ended, maybe in the same beat. */
static void count_beats(const struct apmu_uarch__access *a, uint64_t line, bool further)
{
	struct apmu_uarch *u = a->u;
	uint64_t first = line << u->l1d.shift, last = apmu_uarch__last_in(a, line);
	uint64_t beat = apmu_uarch__beats(u, a->addr > first ? a->addr : first);
	uint64_t end = apmu_uarch__beats(u, last);
	u->n[a->store ? APMU_SIG_BUS_WR : APMU_SIG_BUS_RD] +=
		end - beat + !(further && beat == u->uncached_beat);
	u->uncached_beat = end;
}

/* A non-cacheable access. ARM11 (AN195 7) and XScale look it up in L1 first. */
static void uncached(const struct apmu_uarch__access *a, uint64_t line, unsigned count)
{
	struct apmu_uarch *u = a->u;
	if (u->p.uncached_looked_up) {
		count_access(a, count);
		u->n[APMU_SIG_L1D_MISS] += count;
	} else {
		u->n[a->store ? APMU_SIG_UNCACHED_WR : APMU_SIG_UNCACHED_RD] += count;
	}
	u->result.at = APMU_UARCH__AT_MEMORY + 1;
	u->last.external_store = a->store;
	count_beats(a, line, false);
	if (u->p.uncached_ordered || u->controls.memory == APMU_MEMORY_ORDERED) {
		u->n[APMU_SIG_WBUF_DRAIN] += count;
		u->n[APMU_SIG_BCU_DRAIN] += count;
		if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
			apmu_uarch__drain(u);
	}
	if (a->store) {
		u->n[APMU_SIG_EXT_ACCESS] += (uint64_t)count - 1; /* count may be 0 */
		u->n[APMU_SIG_BUS_REQ_WR] += count;
		apmu_uarch__outside(a, line);
		return;
	}
	u->n[APMU_SIG_EXT_ACCESS] += count;
	u->n[APMU_SIG_BUS_REQ_RD] += count;
	u->n[APMU_SIG_BUS_RD_CYCLES] += (uint64_t)count * u->latency[APMU_UARCH__AT_MEMORY];
	u->n[APMU_SIG_BCU_REQUEST] += count;
	if (apmu_uarch__has(a, APMU_UARCH__VARIANT_TIME))
		apmu_uarch__read_data(u, a->b, a->i, APMU_UARCH__NO_LINE, APMU_UARCH__AT_MEMORY);
}

static struct apmu_uarch__side main_side(struct apmu_uarch *u)
{
	return (struct apmu_uarch__side){&u->l1d, &u->p.l1d, false};
}

/* The cache of the access: XScale's mini data cache serves its own address window. */
static struct apmu_uarch__side side_of(const struct apmu_uarch__access *a)
{
	struct apmu_uarch *u = a->u;
	if (u->windows && u->p.mini.size &&
	    (apmu_uarch__inside(&u->p.mini_window, a->addr) || u->controls.memory == APMU_MEMORY_MINI))
		return (struct apmu_uarch__side){&u->mini, &u->p.mini, true};
	return main_side(u);
}

static void cacheable(const struct apmu_uarch__access *a, struct apmu_uarch__side s, uint64_t line,
		      unsigned count)
{
	struct apmu_uarch *u = a->u;
	count_access(a, count);
	u->n[APMU_SIG_L1D_ACCESS_CACHEABLE] += count;
	u->last.external_store = false;
	if (!(u->units & APMU_UARCH__L1D))
		return;
	uint64_t misses = u->n[APMU_SIG_L1D_MISS];
	apmu_uarch__look_up(a, s, line);
	if (count > 1 &&
	    u->last.external_store) { /* each register; a miss brings no line unless it allocates */
		u->n[APMU_SIG_EXT_ACCESS] += count - 1u;
		u->n[APMU_SIG_L1D_MISS] +=
			s.p->write_allocate ? 0 : (u->n[APMU_SIG_L1D_MISS] - misses) * (count - 1u);
	}
}

static bool is_uncached(const struct apmu_uarch *u, uint64_t addr)
{
	return u->windows && (apmu_uarch__data_outside(u) || apmu_uarch__inside(&u->p.uncached, addr));
}

static void special(const struct apmu_uarch__access *a, uint64_t line, unsigned count)
{
	struct apmu_uarch *u = a->u;
	if (u->controls.memory == APMU_MEMORY_TCM || apmu_uarch__inside(&u->p.dtcm, a->addr) ||
	    apmu_uarch__inside(&u->p.itcm, a->addr))
		tightly_coupled(a, count);
	else if (is_uncached(u, a->addr))
		uncached(a, line, count);
	else
		cacheable(a, side_of(a), line, count);
}

/* Another element in a line that this instruction has accessed already: not a new access, but a store may set
 * the dirty bit of the other half line, or fill a further beat of the bus. */
static void sequential(const struct apmu_uarch__access *a, uint64_t line)
{
	struct apmu_uarch__side s = side_of(a);
	if (is_uncached(a->u, a->addr))
		count_beats(a, line, true);
	else if (a->store && a->u->last.external_store)
		apmu_uarch__store_beats(a->u, a->addr, apmu_uarch__last_in(a, line));
	if (a->store && a->u->last.external_store && apmu_uarch__has(a, APMU_UARCH__VARIANT_RUNS) &&
	    a->u->run.on)
		apmu_uarch__lengthen_run(a, line);
	if (!a->store || !(a->u->units & APMU_UARCH__L1D) || s.c->tag[s.c->slot] != line ||
	    s.p->write != APMU_WRITE_BACK)
		return;
	s.c->dirty[s.c->slot] |= (uint8_t)apmu_uarch__halves(a, s.c, line, s.p->dirty_per_line);
}

static void one_line(const struct apmu_uarch__access *a, uint64_t line, uint32_t key, unsigned count)
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
		cacheable(a, main_side(u), line, count);
}

/* Accesses per element: XScale counts an LDRD twice, though it is one eight-byte access. */
static unsigned registers(const struct apmu_uarch__access *a)
{
	unsigned width = a->b->step[a->i].width;
	if (a->u->p.access_rule == APMU_ACCESS_PER_LINE || width == 0 || a->size <= width)
		return 1;
	return a->size / width;
}

/* Parts of the access that cross a word, of 8 bytes at most: a vector of 128 bits is two, as on Cortex-A53
 * (X264), and so is a pair, however QEMU reports them. On some cores the 8 bytes of two words are read at
 * once. */
static unsigned parts_across_words(const struct apmu_uarch__access *a)
{
	unsigned width = a->b->step[a->i].width, part = width > 8 ? 8 : width,
		 offset = (unsigned)(a->addr & 3);
	if (offset + (a->size < 4 ? a->size : 4) <= 4)
		return 0;
	if (a->u->p.unaligned_double && (a->addr & 7) + a->size <= 8)
		return 0;
	return part >= 4 && a->size > part ? a->size / part : 1;
}

/* Waits for the parts of an unaligned access up to the one with the byte number `byte`, without the first
 * `waited` parts; returns how many have been waited for. A part waits before its line is looked up, whether
 * QEMU reports the part by itself or not. */
static unsigned unaligned(const struct apmu_uarch__access *a, unsigned parts, unsigned waited, uint64_t byte)
{
	unsigned upto = (unsigned)(byte * parts / a->size) + 1, cycles;
	if (upto <= waited)
		return waited;
	cycles = (upto - waited) * a->u->p.unaligned_extra;
	if (a->u->window)
		apmu_uarch__late_data(a->u, a->b, a->i, cycles, APMU_UARCH__FOR_ALIGNMENT);
	else
		apmu_uarch__wait(a->u, cycles);
	return upto;
}

/* True for a half of a vector of 128 bits: QEMU 7.2 reports two accesses. */
static bool is_half(const struct apmu_uarch__access *a)
{
	return a->b->step[a->i].whole && a->size == 8;
}

/* True if the address is no multiple of what must be aligned; of the access's size if that is unknown or
 * less. */
static bool is_unaligned(const struct apmu_uarch__access *a)
{
	unsigned bytes = a->b->step[a->i].aligned;
	return (a->addr & ((bytes && (bytes < a->size || is_half(a)) ? bytes : a->size) - 1)) != 0;
}

/* True if what is loaded or stored lies in two lines; for a half, if it is the first of its vector. */
static bool is_split(const struct apmu_uarch__access *a, uint64_t line, bool reaches)
{
	unsigned offset = a->addr & 15, width = a->b->step[a->i].width;
	if (width && a->size > width && !(a->addr & (width - 1))) /* a pair at once, each within a line */
		return false;
	if (!is_half(a) || offset == 0)
		return reaches;
	return offset == a->u->last.first && (a->addr + 15) >> a->u->l1d.shift != line;
}

/* Signals counted once per instruction, at its first access. */
static void first_access(const struct apmu_uarch__access *a)
{
	struct apmu_uarch *u = a->u;
	bool exclusive = u->exclusives && (a->b->step[a->i].traits >> APMU_TRAIT_STREX & 1);
	u->n[a->store ? APMU_SIG_ST_RETIRED : APMU_SIG_LD_RETIRED] += !a->step->sve;
	u->n[a->store ? APMU_SIG_UNALIGNED_ST : APMU_SIG_UNALIGNED_LD] += is_unaligned(a);
	u->last.first = a->addr & 15;
	u->n[APMU_SIG_STREX_PASS] += exclusive;
	u->n[APMU_SIG_STREX_FAIL] -= exclusive;
}

void apmu_uarch__access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
			    unsigned size, bool store)
{
	const struct apmu_uarch__access a = {u, b, addr, &b->step[i], i, size, store, u->variant, NULL};
	uint32_t key = i * 2 + store;
	uint64_t line = addr >> u->l1d.shift, next = line << u->l1d.shift;
	uint64_t more = (addr - next + size - 1) >> u->l1d.shift; /* lines after the first */
	if (u->memory.user <= i) /* before anything of the access is counted */
		apmu_uarch__settle_waits(u, b, i);
	if (key != u->last.key)
		first_access(&a);
	unsigned parts = apmu_uarch__has(&a, APMU_UARCH__VARIANT_TIME) ? parts_across_words(&a) : 0;
	unsigned waited = parts ? unaligned(&a, parts, 0, 0) : 0;
	apmu_uarch__translate(&a, addr >> u->dtlb.shift);
	one_line(&a, line, key, registers(&a));
	u->n[store ? APMU_SIG_SPLIT_ST : APMU_SIG_SPLIT_LD] += is_split(&a, line, more != 0);
	for (more = more < MOST_LINES ? more : MOST_LINES; more; more--) {
		next += (uint64_t)1 << u->l1d.shift; /* 0 after the last line of all */
		if (waited < parts)
			waited = unaligned(&a, parts, waited, next - addr);
		apmu_uarch__translate(&a, next >> u->dtlb.shift);
		one_line(&a, next >> u->l1d.shift, key, u->p.access_rule == APMU_ACCESS_PER_LINE);
	}
	if (waited < parts)
		unaligned(&a, parts, waited, size - 1);
}

/* The general path. noinline: keeps a stack frame off the fast path. */
static __attribute__((noinline)) void access_any(struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
						 uint64_t addr, unsigned size, bool store)
{
	if (u->vectors &&
	    (b->step[i].flags & APMU_INSN_VECTOR || (b->step[i].reads | b->step[i].writes) >> 32))
		apmu_uarch__access_vector(u, b, i, addr, size, store);
	else
		apmu_uarch__access_any(u, b, i, addr, size, store);
}

/* An access with store-to-load forwarding. noinline: as access_any(). */
static __attribute__((noinline)) void forwarded(struct apmu_uarch *u, const struct apmu_block *b, unsigned i,
						uint64_t addr, unsigned size, bool store)
{
	apmu_uarch__forward(u, b, i, addr, size, store);
	if (size > b->step[i].most || !apmu_uarch__quick_access(u, i * 2 + store, addr, size, false))
		access_any(u, b, i, addr, size, store);
}

/* A further element of a load, in the line of the previous one (QEMU reports SVE loads element by element):
 * without time it changes nothing. */
static inline bool goes_on(const struct apmu_uarch *u, unsigned i, uint64_t addr, unsigned size, bool store)
{
	uint64_t line = addr >> u->l1d.shift;

	return !store && u->last.key == i * 2 && u->last.line == line &&
	       (addr + size - 1) >> u->l1d.shift == line && u->p.access_rule == APMU_ACCESS_PER_LINE &&
	       !u->vectors && !u->windows && !(u->units & APMU_UARCH__TIME);
}

void apmu_uarch_access(struct apmu_uarch *u, const struct apmu_block *b, unsigned i, uint64_t addr,
		       unsigned size, bool store)
{
	if (!(u->units & APMU_UARCH__ACCESS) || i >= b->n || size == 0)
		return;
	if (!b->step[i].whole && goes_on(u, i, addr, size, store))
		return;
	if (u->recent)
		forwarded(u, b, i, addr, size, store);
	else if (size > b->step[i].most || !apmu_uarch__quick_access(u, i * 2 + store, addr, size, false))
		access_any(u, b, i, addr, size, store);
}
