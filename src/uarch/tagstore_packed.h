/* SPDX-License-Identifier: MIT */
/**
 * The store of line numbers below the first level: L2, L3, the main TLB. Like struct apmu_uarch__cache, but
 * for look-ups that find anything but what was found last: a line is one 32-bit word, so that a set of
 * sixteen ways is one line of the host's cache, and all of its ways are compared at once. Holds no data,
 * keeps no hints.
 *
 * A word has what the low 30 bits of a tag are; programs' addresses below 2^43 or so have no more. Once a
 * line has
 * (`deep`), upper[] is looked at as well. Line numbers are any 64-bit value but APMU_UARCH__NO_LINE.
 */
#ifndef APMU_UARCH_TAGSTORE_PACKED_H
#define APMU_UARCH_TAGSTORE_PACKED_H

#include "uarch/cache.h"
#include "uarch/simd.h"

/* Bits of a word; above them the tag. 0: an empty way. */
#define APMU_UARCH__SET_HELD  1u
#define APMU_UARCH__SET_DIRTY 2u
#define APMU_UARCH__SET_TAG   2  /* shift */
#define APMU_UARCH__SET_BITS  30 /* of a tag */

struct apmu_uarch__sets {
	uint32_t *word;  /* [sets << pitch], the sets at whole lines of the host; ways that are not: DIRTY
			    alone */
	uint32_t *upper; /* likewise: of tags what `word` has no room for */
	uint64_t *stamp; /* LRU, FIFO: [sets << pitch] time of last use, of filling; PLRU: [sets] bits; or
			    NULL */
	uint64_t *keep;  /* PLRU: [ways] tree bits a touch leaves, then [ways] those it sets */
	uint8_t *next;   /* round-robin: [sets] pointer */
	uint64_t clock;  /* LRU and FIFO time */
	uint64_t set_mask;
	uint32_t ways, random;
	uint8_t pitch;    /* log2 of the words from set to set */
	uint8_t set_bits; /* log2 of the sets */
	uint8_t shift;    /* of an address to its line number */
	uint8_t replace;  /* enum apmu_replace */
	bool ordered;     /* hits change the replacement state */
	bool deep;        /* something in upper[] is not 0 */
	uint8_t low;      /* bits of a tag as it is in an address, but the top byte */
	void *memory;     /* of word[] */
};

/* What a fill evicted: apmu_uarch__sets_evicted(). */
struct apmu_uarch__put {
	uint64_t left;  /* its tag */
	uint32_t slot;  /* where the new line is */
	bool held;      /* was there anything? */
	unsigned dirty; /* was it dirty? APMU_UARCH__DIRTY or 0 */
};

/* As apmu_uarch__cache_init(). */
int apmu_uarch__sets_init(struct apmu_uarch__sets *s, uint32_t lines, uint32_t ways, unsigned shift,
			  unsigned replace, uint32_t seed);
void apmu_uarch__sets_free(struct apmu_uarch__sets *s);

/* Where a line is, or would go. */
struct apmu_uarch__place {
	uint64_t tag;
	uint32_t first; /* slot of its set */
	uint32_t slot;  /* APMU_UARCH__NOWHERE: it is not there */
};

/* The way of a full set that goes, by order (LRU, FIFO, PLRU). */
uint32_t apmu_uarch__sets_oldest(const struct apmu_uarch__sets *s, uint32_t set);

/* Which of the ways in `found`, of the set that begins at `first`, has that upper part of a tag;
 * APMU_UARCH__NOWHERE. */
uint32_t apmu_uarch__sets_deep(const struct apmu_uarch__sets *s, uint32_t upper, uint32_t first,
			       uint64_t found);

/* A tag, all of it, and back. The top byte of an address is 0 in programs, and few bits of it distinguish
 * page tables (tlb.c) apart: these three come lowest, the other five highest. */
static inline uint64_t apmu_uarch__sets_tag(const struct apmu_uarch__sets *s, uint64_t line)
{
	uint64_t tag = line >> s->set_bits, top = tag >> s->low;
	if (top == 0)
		return tag << 3;
	return (tag ^ top << s->low) << 3 | (top & 3) | (top >> 7) << 2 | (top >> 2 & 31) << (s->low + 3);
}

static inline uint64_t apmu_uarch__sets_line(const struct apmu_uarch__sets *s, uint64_t tag, uint64_t set)
{
	uint64_t top = (tag & 3) | (tag & 4) << 5 | (tag >> (s->low + 3)) << 2;
	uint64_t low = tag >> 3 & (((uint64_t)1 << s->low) - 1);
	return (top << s->low | low) << s->set_bits | set;
}

/* What the ways of a set are compared with: words that are `want`, but for bits `but`. */
struct apmu_uarch__want {
	apmu_uarch__four want, but;
};

static inline apmu_uarch__four apmu_uarch__words_equal(const struct apmu_uarch__want *w, const uint32_t *word)
{
	return (apmu_uarch__four)((apmu_uarch__four_load(word) | w->but) == w->want);
}

/* Sixteen, a bit each. */
static inline uint32_t apmu_uarch__words_equal_16(const struct apmu_uarch__want *w, const uint32_t *word)
{
	return apmu_uarch__sixteen_which(
		apmu_uarch__words_equal(w, word), apmu_uarch__words_equal(w, word + 4),
		apmu_uarch__words_equal(w, word + 8), apmu_uarch__words_equal(w, word + 12));
}

/* A set's ways, a bit each. Most sets have few enough for no loop. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__sets_equal(const struct apmu_uarch__sets *s, const uint32_t *word, uint32_t want, uint32_t but)
{
	const struct apmu_uarch__want w = {apmu_uarch__four_of(want | but), apmu_uarch__four_of(but)};
	if (s->pitch == 4)
		return apmu_uarch__words_equal_16(&w, word);
	if (s->pitch == 2)
		return apmu_uarch__four_which(apmu_uarch__words_equal(&w, word));
	if (s->pitch == 3)
		return apmu_uarch__four_which(apmu_uarch__words_equal(&w, word)) |
		       apmu_uarch__four_which(apmu_uarch__words_equal(&w, word + 4)) << 4;
	uint64_t all = 0;
	for (unsigned first = 0; first < 1u << s->pitch; first += 16)
		all |= (uint64_t)apmu_uarch__words_equal_16(&w, word + first) << first;
	return all;
}

static inline __attribute__((always_inline)) struct apmu_uarch__place
apmu_uarch__sets_look(const struct apmu_uarch__sets *s, uint64_t line)
{
	struct apmu_uarch__place at = {.tag = apmu_uarch__sets_tag(s, line)};
	at.first = (uint32_t)(line & s->set_mask) << s->pitch;
	uint32_t want = (uint32_t)at.tag << APMU_UARCH__SET_TAG | APMU_UARCH__SET_HELD;
	uint64_t found = apmu_uarch__sets_equal(s, &s->word[at.first], want, APMU_UARCH__SET_DIRTY);
	if (s->deep | (at.tag >> APMU_UARCH__SET_BITS))
		at.slot =
			apmu_uarch__sets_deep(s, (uint32_t)(at.tag >> APMU_UARCH__SET_BITS), at.first, found);
	else
		at.slot = found ? at.first + (uint32_t)__builtin_ctzll(found) : APMU_UARCH__NOWHERE;
	return at;
}

/* Where the line is; APMU_UARCH__NOWHERE. */
static inline uint32_t apmu_uarch__sets_find(const struct apmu_uarch__sets *s, uint64_t line)
{
	return apmu_uarch__sets_look(s, line).slot;
}

/* Marks the line in `slot` as just used (LRU, PLRU). */
static inline void apmu_uarch__sets_touch(struct apmu_uarch__sets *s, uint32_t slot)
{
	if (s->replace == APMU_REPLACE_LRU) {
		s->stamp[slot] = ++s->clock;
	} else {
		uint32_t set = slot >> s->pitch, way = slot & ((1u << s->pitch) - 1);
		s->stamp[set] = (s->stamp[set] & s->keep[way]) | s->keep[s->ways + way];
	}
}

/* Looks a line up and uses it. */
static inline __attribute__((always_inline)) struct apmu_uarch__place
apmu_uarch__sets_hit(struct apmu_uarch__sets *s, uint64_t line)
{
	struct apmu_uarch__place at = apmu_uarch__sets_look(s, line);
	if (s->ordered && at.slot != APMU_UARCH__NOWHERE)
		apmu_uarch__sets_touch(s, at.slot);
	return at;
}

/* The lowest empty way, or the victim. At random without a jump: an exclusive level often has an
 * empty way, and the host cannot foresee when. */
static inline uint32_t apmu_uarch__sets_way(struct apmu_uarch__sets *s, uint32_t set, uint64_t empty)
{
	uint32_t lowest = empty ? (uint32_t)__builtin_ctzll(empty) : 0, drawn = s->random, way;
	if (s->replace == APMU_REPLACE_RANDOM) {
		way = apmu_uarch__draw(&drawn, s->ways);
		s->random = empty ? s->random : drawn;
		return empty ? lowest : way;
	}
	if (empty)
		return lowest;
	if (s->replace != APMU_REPLACE_ROUND_ROBIN)
		return apmu_uarch__sets_oldest(s, set);
	way = s->next[set];
	s->next[set] = (uint8_t)(way + 1 == s->ways ? 0 : way + 1);
	return way;
}

/* Puts the line in that was looked for and not found. */
static inline __attribute__((always_inline)) struct apmu_uarch__put
apmu_uarch__sets_put(struct apmu_uarch__sets *s, const struct apmu_uarch__place *at, unsigned dirty)
{
	uint32_t set = at->first >> s->pitch;
	uint64_t empty = apmu_uarch__sets_equal(s, &s->word[at->first], 0, 0);
	uint32_t slot = at->first + apmu_uarch__sets_way(s, set, empty), old = s->word[slot];
	struct apmu_uarch__put put = {
		.left = old >> APMU_UARCH__SET_TAG, .slot = slot, .held = old & APMU_UARCH__SET_HELD};
	put.dirty = old & APMU_UARCH__SET_DIRTY ? APMU_UARCH__DIRTY : 0;

	s->deep |= at->tag >> APMU_UARCH__SET_BITS != 0;
	if (s->deep) {
		put.left |= (uint64_t)s->upper[slot] << APMU_UARCH__SET_BITS;
		s->upper[slot] = (uint32_t)(at->tag >> APMU_UARCH__SET_BITS);
	}
	s->word[slot] = (uint32_t)at->tag << APMU_UARCH__SET_TAG | APMU_UARCH__SET_HELD |
			(dirty ? APMU_UARCH__SET_DIRTY : 0);
	if (s->ordered)
		apmu_uarch__sets_touch(s, slot);
	else if (s->replace == APMU_REPLACE_FIFO)
		s->stamp[slot] = ++s->clock;
	return put;
}

/* The line that was put out; APMU_UARCH__NO_LINE: none. */
static inline uint64_t apmu_uarch__sets_evicted(const struct apmu_uarch__sets *s,
						const struct apmu_uarch__put *put)
{
	return put->held ? apmu_uarch__sets_line(s, put->left, put->slot >> s->pitch) : APMU_UARCH__NO_LINE;
}

/* The host's memory is asked for what a look-up of the line will read. */
static inline void apmu_uarch__sets_ask(const struct apmu_uarch__sets *s, uint64_t line)
{
	__builtin_prefetch(&s->word[(line & s->set_mask) << s->pitch]);
}

static inline unsigned apmu_uarch__sets_dirty(const struct apmu_uarch__sets *s, uint32_t slot)
{
	return s->word[slot] & APMU_UARCH__SET_DIRTY ? APMU_UARCH__DIRTY : 0;
}

/* Takes out what is in `slot`. */
static inline void apmu_uarch__sets_drop(struct apmu_uarch__sets *s, uint32_t slot)
{
	s->word[slot] = 0;
}

/* Marks the line in `slot`; an empty way stays so. */
static inline void apmu_uarch__sets_mark_dirty(struct apmu_uarch__sets *s, uint32_t slot, unsigned dirty)
{
	s->word[slot] |= dirty && (s->word[slot] & APMU_UARCH__SET_HELD) ? APMU_UARCH__SET_DIRTY : 0;
}

#endif
