/* SPDX-License-Identifier: MIT */
/**
 * The store of line numbers below the first level: L2, L3, the main TLB. Unlike struct apmu_uarch__cache it
 * is made for look-ups that rarely repeat: a line is one 32-bit word, so that a set of sixteen ways is one
 * line of the host's cache and all of its ways are compared at once. Holds no data, keeps no hints.
 *
 * A word holds the low 30 bits of a tag; addresses of programs below about 2^43 have no more. Once a line has
 * more (`deep`), upper[] is compared as well. Line numbers are any 64-bit value except APMU_UARCH__NO_LINE.
 */
#ifndef APMU_UARCH_TAGSTORE_PACKED_H
#define APMU_UARCH_TAGSTORE_PACKED_H

#include "uarch/cache.h"
#include "uarch/simd.h"

/* Bits of a word, below the tag. A word of 0 is an empty way. */
#define APMU_UARCH__WORD_HELD     1u
#define APMU_UARCH__WORD_DIRTY    2u
#define APMU_UARCH__WORD_TAG      2  /* shift of the tag */
#define APMU_UARCH__WORD_TAG_BITS 30 /* bits of the tag */

struct apmu_uarch__packed {
	uint32_t *word;  /* [sets << pitch], aligned to lines of the host; words that are no way hold DIRTY
			    alone */
	uint32_t *upper; /* [sets << pitch] bits of the tags that do not fit `word` */
	uint64_t *stamp; /* LRU: [sets << pitch] time of last use; FIFO: [sets << pitch] time of fill; PLRU:
			    [sets] tree bits */
	uint64_t *keep;  /* PLRU: [ways] masks of the tree bits that a use keeps, then [ways] those that it
			    sets */
	uint8_t *next;   /* round-robin: [sets] pointer */
	uint64_t clock;  /* LRU and FIFO time */
	uint64_t set_mask;
	uint32_t ways, random;
	uint8_t pitch;    /* log2 of the words per set */
	uint8_t set_bits; /* log2 of the number of sets */
	uint8_t shift;    /* from an address to its line number */
	uint8_t replace;  /* enum apmu_replace */
	bool ordered;     /* hits change the replacement state */
	bool deep;        /* some element of upper[] is not 0 */
	uint8_t low;      /* bits of a tag below the address's top byte */
	void *memory;     /* allocation that holds word[] */
};

/* What a fill evicted, for apmu_uarch__packed_evicted(). */
struct apmu_uarch__put {
	uint64_t left;  /* tag of the victim */
	uint32_t slot;  /* slot of the new line */
	bool held;      /* there was a victim */
	unsigned dirty; /* of the victim: APMU_UARCH__DIRTY or 0 */
};

/* Arguments and result as of apmu_uarch__cache_init(). */
int apmu_uarch__packed_init(struct apmu_uarch__packed *s, uint32_t lines, uint32_t ways, unsigned shift,
			    unsigned replace, uint32_t seed);
void apmu_uarch__packed_free(struct apmu_uarch__packed *s);

/* Where a line is, or would be filled. */
struct apmu_uarch__place {
	uint64_t tag;
	uint32_t first; /* first slot of its set */
	uint32_t slot;  /* APMU_UARCH__NOWHERE: not present */
};

/* The victim of a full set under LRU, FIFO or PLRU. */
uint32_t apmu_uarch__packed_oldest(const struct apmu_uarch__packed *s, uint32_t set);

/* Returns the slot among the ways in `found` (bits), of the set that begins at `first`, whose tag has this
 * upper part; or APMU_UARCH__NOWHERE. */
uint32_t apmu_uarch__packed_deep(const struct apmu_uarch__packed *s, uint32_t upper, uint32_t first,
				 uint64_t found);

/* packed_tag() makes the tag of a line number, packed_line() the reverse. The top byte of an address is 0 in
 * programs, and only three bits of it tell page tables apart (tlb.c): those become the tag's lowest bits, the
 * other five its highest. */
static inline uint64_t apmu_uarch__packed_tag(const struct apmu_uarch__packed *s, uint64_t line)
{
	uint64_t tag = line >> s->set_bits, top = tag >> s->low;
	if (top == 0)
		return tag << 3;
	return (tag ^ top << s->low) << 3 | (top & 3) | (top >> 7) << 2 | (top >> 2 & 31) << (s->low + 3);
}

static inline uint64_t apmu_uarch__packed_line(const struct apmu_uarch__packed *s, uint64_t tag, uint64_t set)
{
	uint64_t top = (tag & 3) | (tag & 4) << 5 | (tag >> (s->low + 3)) << 2;
	uint64_t low = tag >> 3 & (((uint64_t)1 << s->low) - 1);
	return (top << s->low | low) << s->set_bits | set;
}

/* The tag, and the line number, of the line in `slot`; a hidden one (spaces.c) too. */
static inline uint64_t apmu_uarch__packed_tag_in(const struct apmu_uarch__packed *s, size_t slot)
{
	uint64_t tag = s->word[slot] >> APMU_UARCH__WORD_TAG;
	return s->deep ? tag | (uint64_t)s->upper[slot] << APMU_UARCH__WORD_TAG_BITS : tag;
}

static inline uint64_t apmu_uarch__packed_line_in(const struct apmu_uarch__packed *s, size_t slot)
{
	return apmu_uarch__packed_line(s, apmu_uarch__packed_tag_in(s, slot), slot >> s->pitch);
}

/* A pattern for the ways of a set: words equal to `want`, ignoring the bits in `but`. */
struct apmu_uarch__want {
	apmu_uarch__four want, but;
};

static inline apmu_uarch__four apmu_uarch__words_equal(const struct apmu_uarch__want *w, const uint32_t *word)
{
	return (apmu_uarch__four)((apmu_uarch__four_load(word) | w->but) == w->want);
}

/* Compares sixteen words; one bit each. */
static inline uint32_t apmu_uarch__words_equal_16(const struct apmu_uarch__want *w, const uint32_t *word)
{
	return apmu_uarch__sixteen_which(
		apmu_uarch__words_equal(w, word), apmu_uarch__words_equal(w, word + 4),
		apmu_uarch__words_equal(w, word + 8), apmu_uarch__words_equal(w, word + 12));
}

/* Compares the ways of a set; one bit each. Most sets have few enough ways to need no loop. */
static inline __attribute__((always_inline)) uint64_t
apmu_uarch__packed_equal(const struct apmu_uarch__packed *s, const uint32_t *word, uint32_t want,
			 uint32_t but)
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
apmu_uarch__packed_look(const struct apmu_uarch__packed *s, uint64_t line)
{
	struct apmu_uarch__place at = {.tag = apmu_uarch__packed_tag(s, line)};
	at.first = (uint32_t)(line & s->set_mask) << s->pitch;
	uint32_t want = (uint32_t)at.tag << APMU_UARCH__WORD_TAG | APMU_UARCH__WORD_HELD;
	uint64_t found = apmu_uarch__packed_equal(s, &s->word[at.first], want, APMU_UARCH__WORD_DIRTY);
	if (s->deep | (at.tag >> APMU_UARCH__WORD_TAG_BITS))
		at.slot = apmu_uarch__packed_deep(s, (uint32_t)(at.tag >> APMU_UARCH__WORD_TAG_BITS),
						  at.first, found);
	else
		at.slot = found ? at.first + (uint32_t)__builtin_ctzll(found) : APMU_UARCH__NOWHERE;
	return at;
}

/* Returns the line's slot, or APMU_UARCH__NOWHERE. */
static inline uint32_t apmu_uarch__packed_find(const struct apmu_uarch__packed *s, uint64_t line)
{
	return apmu_uarch__packed_look(s, line).slot;
}

/* Marks the line in `slot` as just used (LRU, PLRU). */
static inline void apmu_uarch__packed_touch(struct apmu_uarch__packed *s, uint32_t slot)
{
	if (s->replace == APMU_REPLACE_LRU) {
		s->stamp[slot] = ++s->clock;
	} else {
		uint32_t set = slot >> s->pitch, way = slot & ((1u << s->pitch) - 1);
		s->stamp[set] = (s->stamp[set] & s->keep[way]) | s->keep[s->ways + way];
	}
}

/* Looks a line up and, on a hit, marks it as just used. */
static inline __attribute__((always_inline)) struct apmu_uarch__place
apmu_uarch__packed_hit(struct apmu_uarch__packed *s, uint64_t line)
{
	struct apmu_uarch__place at = apmu_uarch__packed_look(s, line);
	if (s->ordered && at.slot != APMU_UARCH__NOWHERE)
		apmu_uarch__packed_touch(s, at.slot);
	return at;
}

/* The lowest empty way, or the victim. For random replacement without a branch: an exclusive level often has
 * an empty way, and the host cannot predict when. */
static inline uint32_t apmu_uarch__packed_way(struct apmu_uarch__packed *s, uint32_t set, uint64_t empty)
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
		return apmu_uarch__packed_oldest(s, set);
	way = s->next[set];
	s->next[set] = (uint8_t)(way + 1 == s->ways ? 0 : way + 1);
	return way;
}

/* Fills a line that a look-up did not find. */
static inline __attribute__((always_inline)) struct apmu_uarch__put
apmu_uarch__packed_put(struct apmu_uarch__packed *s, const struct apmu_uarch__place *at, unsigned dirty)
{
	uint32_t set = at->first >> s->pitch;
	uint64_t empty = apmu_uarch__packed_equal(s, &s->word[at->first], 0, 0);
	uint32_t slot = at->first + apmu_uarch__packed_way(s, set, empty), old = s->word[slot];
	struct apmu_uarch__put put = {.left = apmu_uarch__packed_tag_in(s, slot),
				      .slot = slot,
				      .held = old & APMU_UARCH__WORD_HELD};
	put.dirty = old & APMU_UARCH__WORD_DIRTY ? APMU_UARCH__DIRTY : 0;

	s->deep |= at->tag >> APMU_UARCH__WORD_TAG_BITS != 0;
	if (s->deep)
		s->upper[slot] = (uint32_t)(at->tag >> APMU_UARCH__WORD_TAG_BITS);
	s->word[slot] = (uint32_t)at->tag << APMU_UARCH__WORD_TAG | APMU_UARCH__WORD_HELD |
			(dirty ? APMU_UARCH__WORD_DIRTY : 0);
	if (s->ordered)
		apmu_uarch__packed_touch(s, slot);
	else if (s->replace == APMU_REPLACE_FIFO)
		s->stamp[slot] = ++s->clock;
	return put;
}

/* The line that was evicted; APMU_UARCH__NO_LINE: none. */
static inline uint64_t apmu_uarch__packed_evicted(const struct apmu_uarch__packed *s,
						  const struct apmu_uarch__put *put)
{
	return put->held ? apmu_uarch__packed_line(s, put->left, put->slot >> s->pitch) : APMU_UARCH__NO_LINE;
}

/* Prefetches into the host's cache what a look-up of the line will read. */
static inline void apmu_uarch__packed_ask(const struct apmu_uarch__packed *s, uint64_t line)
{
	__builtin_prefetch(&s->word[(line & s->set_mask) << s->pitch]);
}

static inline unsigned apmu_uarch__packed_dirty(const struct apmu_uarch__packed *s, uint32_t slot)
{
	return s->word[slot] & APMU_UARCH__WORD_DIRTY ? APMU_UARCH__DIRTY : 0;
}

/* Invalidates what is in `slot`. */
static inline void apmu_uarch__packed_drop(struct apmu_uarch__packed *s, uint32_t slot)
{
	s->word[slot] = 0;
}

/* Marks the line in `slot` dirty if `dirty` is not 0; an empty way stays empty. */
static inline void apmu_uarch__packed_mark_dirty(struct apmu_uarch__packed *s, uint32_t slot, unsigned dirty)
{
	s->word[slot] |= dirty && (s->word[slot] & APMU_UARCH__WORD_HELD) ? APMU_UARCH__WORD_DIRTY : 0;
}

#endif
