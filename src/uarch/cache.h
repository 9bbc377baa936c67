/* SPDX-License-Identifier: MIT */
/**
 * A set-associative store of line numbers: a cache, or a TLB whose lines are pages. Holds no data.
 *
 * A look-up first probes the hint: the way where a line with the same low bits was last found (in a table
 * with one hint per set, the most recently used way). Then it searches the whole set. The probe order changes
 * no count. Line numbers are any 64-bit value except APMU_UARCH__NO_LINE. apmu_uarch__cache_init() allocates
 * all storage.
 */
#ifndef APMU_UARCH_CACHE_H
#define APMU_UARCH_CACHE_H

#include "uarch/tagstore_wide.h"

#include <apmu/uarch.h>

#define APMU_UARCH__NO_LINE    UINT64_MAX
#define APMU_UARCH__DIRTY      3u /* bits of dirty[]: one per half line */
#define APMU_UARCH__PREFETCHED 4u /* bit of dirty[]: prefetched and not used yet */
#define APMU_UARCH__COMING     8u /* bit of dirty[]: prefetched and still in flight when last used */
#define APMU_UARCH__AWAITED    (APMU_UARCH__PREFETCHED | APMU_UARCH__COMING)
#define APMU_UARCH__NOT_THERE  (-1)

/* A line that is in the cache, and its slot. */
struct apmu_uarch__hint {
	uint64_t line; /* APMU_UARCH__NO_LINE: none */
	uint32_t slot;
	uint32_t held; /* lines of the cache whose hint this is; 0: a look-up misses; not maintained where a
			  set has four ways */
};

struct apmu_uarch__cache {
	uint64_t *tag;   /* [sets * ways] line numbers; APMU_UARCH__NO_LINE: empty */
	uint64_t *stamp; /* LRU: [sets * ways] time of last use; FIFO: [sets * ways] time of fill; PLRU:
			    [sets] tree bits */
	struct apmu_uarch__wide *wide; /* tagstore_wide.h; NULL: a set is searched way by way */
	uint64_t *keep; /* PLRU: [ways] masks of the tree bits that a use keeps, then [ways] those that it
			   sets */
	struct apmu_uarch__hint *hint; /* [hint_mask + 1] */
	uint32_t *next;                /* [sets] round-robin pointer */
	uint16_t *filled;              /* [sets] ways in use */
	uint8_t *dirty; /* [sets * ways] APMU_UARCH__DIRTY, APMU_UARCH__PREFETCHED, APMU_UARCH__COMING */
	uint64_t set_mask, hint_mask;
	uint64_t clock;   /* LRU and FIFO time */
	uint64_t evicted; /* line that the last fill evicted; APMU_UARCH__NO_LINE: none */
	uint64_t locked;  /* bit w: way w takes no new line */
	uint8_t *pinned;  /* [sets] number of ways, from way 0 on, that keep their lines */
	uint32_t ways, random;
	uint32_t slot;   /* of the last hit or fill */
	uint8_t replace; /* enum apmu_replace */
	uint8_t shift;   /* from an address to its line number */
	bool ordered;    /* hits change the replacement state (LRU, PLRU) */
	bool pins;       /* lines that are filled are pinned */
	bool restricted; /* some way is locked or pinned, or new lines are pinned */
	bool fours;      /* four ways, and the victim is found without a loop: random, round-robin, LRU */
};

/* Makes a cache of `lines` lines of 1 << shift bytes. lines == 0 makes an absent cache: every look-up misses.
 * Returns 0 or APMU_ENOMEM. */
int apmu_uarch__cache_init(struct apmu_uarch__cache *c, uint32_t lines, uint32_t ways, unsigned shift,
			   unsigned replace, uint32_t seed);
void apmu_uarch__cache_free(struct apmu_uarch__cache *c);

static inline uint32_t apmu_uarch__cache_slots(const struct apmu_uarch__cache *c)
{
	return (uint32_t)(c->set_mask + 1) * c->ways;
}

/* Searches the whole set; on a hit moves the hint and sets `slot`. */
bool apmu_uarch__cache_search(struct apmu_uarch__cache *c, uint64_t line);

/* cache_oldest(): the victim of a full set under LRU, FIFO or PLRU. cache_empty(): the lowest empty way of a
 * set that is not full; counts the way as used. */
uint32_t apmu_uarch__cache_oldest(const struct apmu_uarch__cache *c, uint32_t set);
uint32_t apmu_uarch__cache_empty(struct apmu_uarch__cache *c, uint32_t set);

/* The victim of a set where some ways are locked or pinned; for a line to be pinned, the first way that is
 * not pinned. */
uint32_t apmu_uarch__cache_unlocked(struct apmu_uarch__cache *c, uint32_t set);

/* Locks these ways and no others. Ways that the cache does not have, and its last way, are never locked. */
void apmu_uarch__cache_lock(struct apmu_uarch__cache *c, uint64_t ways);

/* XScale's lockdown: cache_pin() turns pinning of filled lines on or off; cache_unpin() releases all pinned
 * lines. Four ways of a set are never pinned (80200 4.3.4, 6.4). */
void apmu_uarch__cache_pin(struct apmu_uarch__cache *c, bool on);
void apmu_uarch__cache_unpin(struct apmu_uarch__cache *c);
static inline bool apmu_uarch__cache_is_pinned(const struct apmu_uarch__cache *c, uint32_t slot)
{
	return slot % c->ways < c->pinned[slot / c->ways];
}

/* Fills a missing line; returns the dirty bits of the line that it evicts, 0 if none. The inline version is
 * apmu_uarch__cache_put(). */
unsigned apmu_uarch__cache_fill(struct apmu_uarch__cache *c, uint64_t line);

/* Invalidates a line; returns its dirty bits, or APMU_UARCH__NOT_THERE. Leaves `slot` alone. */
int apmu_uarch__cache_drop(struct apmu_uarch__cache *c, uint64_t line);

/* Invalidates the line in `slot`, which is not empty; returns its dirty bits. */
int apmu_uarch__cache_drop_slot(struct apmu_uarch__cache *c, uint32_t slot);

/* True if the line is present. Changes nothing. */
bool apmu_uarch__cache_has(const struct apmu_uarch__cache *c, uint64_t line);

/* Makes the next look-up of the line search for it. */
void apmu_uarch__cache_unhint(struct apmu_uarch__cache *c, uint64_t line);

/* True if a hint says that the line is present. False says nothing. */
static inline bool apmu_uarch__cache_knows(const struct apmu_uarch__cache *c, uint64_t line)
{
	return c->hint[line & c->hint_mask].line == line;
}

/* cache_find() for four ways, the most common number: only the test for a miss is a branch. */
static inline uint32_t apmu_uarch__cache_find_4(const struct apmu_uarch__cache *c, uint64_t line)
{
	uint32_t slot = (uint32_t)(line & c->set_mask) * 4;
	const uint64_t *t = &c->tag[slot];
	if (!((t[0] == line) | (t[1] == line) | (t[2] == line) | (t[3] == line)))
		return APMU_UARCH__NOWHERE;
	return slot + (t[1] == line) + 2u * (t[2] == line) + 3u * (t[3] == line);
}

/* Returns the line's slot, or APMU_UARCH__NOWHERE. */
static inline uint32_t apmu_uarch__cache_find(const struct apmu_uarch__cache *c, uint64_t line)
{
	if (c->wide)
		return apmu_uarch__wide_find(c->wide, c->tag, line);
	if (c->ways == 4)
		return apmu_uarch__cache_find_4(c, line);
	uint32_t slot = (uint32_t)(line & c->set_mask) * c->ways, end = slot + c->ways;
	while (slot < end && c->tag[slot] != line)
		slot++;
	return slot < end ? slot : APMU_UARCH__NOWHERE;
}

/* True if the line is present. Changes nothing but `slot` and the hint. */
static inline __attribute__((always_inline)) bool apmu_uarch__cache_peek_4(struct apmu_uarch__cache *c,
									   uint64_t line)
{
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	if (h->line != line) {
		uint32_t slot = apmu_uarch__cache_find_4(c, line);
		if (slot == APMU_UARCH__NOWHERE)
			return false;
		h->line = line;
		h->slot = slot;
	}
	c->slot = h->slot;
	return true;
}

static inline __attribute__((always_inline)) bool apmu_uarch__cache_peek(struct apmu_uarch__cache *c,
									 uint64_t line)
{
	if (c->ways == 4)
		return apmu_uarch__cache_peek_4(c, line);
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	if (h->line != line) /* `held` is tested first: without a line there is nothing to search for */
		return h->held && apmu_uarch__cache_search(c, line);
	c->slot = h->slot;
	return true;
}

/* Marks `slot` as just used (LRU, PLRU). */
static inline void apmu_uarch__cache_touch(struct apmu_uarch__cache *c, uint64_t line)
{
	if (c->replace == APMU_REPLACE_LRU) {
		c->stamp[c->slot] = ++c->clock;
	} else {
		uint64_t set = line & c->set_mask, way = c->slot - set * c->ways;
		c->stamp[set] = (c->stamp[set] & c->keep[way]) | c->keep[c->ways + way];
	}
}

/* Looks a line up and, on a hit, marks it as just used. */
static inline __attribute__((always_inline)) bool apmu_uarch__cache_hit(struct apmu_uarch__cache *c,
									uint64_t line)
{
	if (!apmu_uarch__cache_peek(c, line))
		return false;
	if (c->ordered)
		apmu_uarch__cache_touch(c, line);
	return true;
}

/* Sets the hint for a line that is in `slot`. */
static inline void apmu_uarch__cache_hint(struct apmu_uarch__cache *c, uint64_t line, uint32_t slot)
{
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	h->line = line;
	h->slot = slot;
}

/* Removes the line's hint, if it has one. Branch-free, because the host cannot predict whether it has. */
static inline void apmu_uarch__cache_forget(struct apmu_uarch__cache *c, uint64_t line)
{
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	h->line |= -(uint64_t)(h->line == line); /* APMU_UARCH__NO_LINE is all ones */
}

/* Updates the hint of a line that was evicted or invalidated; APMU_UARCH__NO_LINE has none. */
static inline void apmu_uarch__cache_left(struct apmu_uarch__cache *c, uint64_t line)
{
	c->hint[line & c->hint_mask].held -= line != APMU_UARCH__NO_LINE;
	apmu_uarch__cache_forget(c, line);
}

/* Marsaglia's xorshift32, high bits scaled to the ways. */
static inline uint32_t apmu_uarch__draw(uint32_t *random, uint32_t ways)
{
	uint32_t x = *random;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	*random = x;
	return (uint32_t)((uint64_t)x * ways >> 32);
}

/* Tree-PLRU: node k has children 2k and 2k+1, the root is 1; a node's bit points to the half to evict next.
 * plru_victim() returns the way that the bits point to. plru_init() computes what a use of each way keeps of
 * them, and sets: keep[way], keep[ways + way]. */
static inline uint32_t apmu_uarch__plru_victim(uint64_t bits, uint32_t ways)
{
	uint32_t node = 1;
	while (node < ways)
		node = node * 2 + (uint32_t)(bits >> node & 1);
	return node - ways;
}
void apmu_uarch__plru_init(uint64_t *keep, uint32_t ways);

/* The victim of a full set, where it does not depend on use: random, round-robin. */
static inline uint32_t apmu_uarch__cache_turn(struct apmu_uarch__cache *c, uint32_t set)
{
	if (c->replace == APMU_REPLACE_RANDOM)
		return apmu_uarch__draw(&c->random, c->ways);
	uint32_t way = c->next[set];
	c->next[set] = way + 1 == c->ways ? 0 : way + 1;
	return way;
}

static inline uint32_t apmu_uarch__cache_victim(struct apmu_uarch__cache *c, uint32_t set)
{
	if (c->restricted)
		return apmu_uarch__cache_unlocked(c, set);
	if (c->filled[set] != c->ways)
		return apmu_uarch__cache_empty(c, set);
	if (c->replace == APMU_REPLACE_RANDOM || c->replace == APMU_REPLACE_ROUND_ROBIN)
		return apmu_uarch__cache_turn(c, set);
	return apmu_uarch__cache_oldest(c, set);
}

/* Puts the line in `slot`; returns the line that it replaces. */
static inline uint64_t apmu_uarch__cache_replace(struct apmu_uarch__cache *c, uint64_t line, uint32_t slot)
{
	uint64_t evicted = c->tag[slot];

	c->slot = slot;
	c->evicted = evicted;
	c->tag[slot] = line;
	c->dirty[slot] = 0;
	return evicted;
}

/* True if the line's set has no empty way, in a cache with `fours`: then cache_hit_4() and cache_put_4() do
 * the same as apmu_uarch__cache_hit() and apmu_uarch__cache_put(). */
static inline bool apmu_uarch__cache_full(const struct apmu_uarch__cache *c, uint64_t line)
{
	return c->filled[line & c->set_mask] == 4;
}

static inline __attribute__((always_inline)) bool apmu_uarch__cache_hit_4(struct apmu_uarch__cache *c,
									  uint64_t line)
{
	if (!apmu_uarch__cache_peek_4(c, line))
		return false;
	if (c->ordered)
		c->stamp[c->slot] = ++c->clock;
	return true;
}

static inline uint32_t apmu_uarch__oldest_4(const uint64_t stamp[4])
{
	uint32_t low = stamp[1] < stamp[0], high = 2u + (stamp[3] < stamp[2]);
	return stamp[high] < stamp[low] ? high : low;
}

static inline __attribute__((always_inline)) unsigned apmu_uarch__cache_put_4(struct apmu_uarch__cache *c,
									      uint64_t line)
{
	uint32_t set = (uint32_t)(line & c->set_mask), way;
	if (c->replace == APMU_REPLACE_RANDOM)
		way = apmu_uarch__draw(&c->random, 4);
	else if (c->replace == APMU_REPLACE_LRU)
		way = apmu_uarch__oldest_4(&c->stamp[(size_t)set * 4]);
	else
		c->next[set] = ((way = c->next[set]) + 1) & 3;
	uint32_t slot = set * 4 + way;
	unsigned dirty = c->dirty[slot] & APMU_UARCH__DIRTY;

	apmu_uarch__cache_forget(c, apmu_uarch__cache_replace(c, line, slot));
	apmu_uarch__cache_hint(c, line, slot);
	if (c->replace == APMU_REPLACE_LRU)
		c->stamp[slot] = ++c->clock;
	return dirty;
}

static inline __attribute__((always_inline)) unsigned apmu_uarch__cache_put(struct apmu_uarch__cache *c,
									    uint64_t line)
{
	if (c->fours && apmu_uarch__cache_full(c, line))
		return apmu_uarch__cache_put_4(c, line);
	uint32_t set = (uint32_t)(line & c->set_mask),
		 slot = set * c->ways + apmu_uarch__cache_victim(c, set);
	struct apmu_uarch__hint *h = &c->hint[line & c->hint_mask];
	unsigned dirty = c->dirty[slot] & APMU_UARCH__DIRTY;
	uint64_t evicted = apmu_uarch__cache_replace(c, line, slot);

	apmu_uarch__cache_left(c, evicted);
	*h = (struct apmu_uarch__hint){line, slot, h->held + 1};
	if (c->wide)
		apmu_uarch__wide_replace(c->wide, slot, evicted, line);
	if (c->ordered)
		apmu_uarch__cache_touch(c, line);
	else if (c->replace == APMU_REPLACE_FIFO)
		c->stamp[slot] = ++c->clock;
	return evicted == APMU_UARCH__NO_LINE ? 0 : dirty; /* an empty slot may have dirty bits */
}

#endif
