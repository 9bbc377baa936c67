/* SPDX-License-Identifier: MIT */
/**
 * Inputs of the fast paths: copies of values from all over the machine, kept together so that an access that
 * hits touches few lines of the host's cache. Filled when the machine is made and when control registers
 * change (fast_inputs.c, fast/access.c).
 */
#ifndef APMU_UARCH_FAST_INPUTS_H
#define APMU_UARCH_FAST_INPUTS_H

#include "uarch/block.h"
#include "uarch/cache.h"

/* Inputs of the fast path of an access. */
struct apmu_uarch__fast_inputs {
	const struct apmu_uarch__hint *line, *page;
	uint64_t line_mask, page_mask;
	uint8_t line_shift, page_shift;
	bool per_register;  /* APMU_ACCESS_PER_REGISTER */
	bool unconditional; /* a hit of an unconditional access changes only counts, dirty bits and the LRU
			       order of its set */
	bool plain;         /* a hit of any access changes no more than that */
	bool ordered;       /* a hit changes the LRU order of its set */
	bool no_dtlb;       /* the data micro-TLB is not modelled */
	bool orders_pages;  /* micro-TLB with LRU order: a hit also makes its page the most recently used */
	uint8_t whole;      /* dirty bits that every store sets: 3 where a line has one dirty bit, else 0 */
	uint8_t widest;     /* bytes of the widest access that, if aligned, lies within half a line */
	uint16_t half;      /* bytes of half a data line */
};

/* How to find the hint for an address in a table of hints. */
#define APMU_UARCH__HINT_SHIFT 4 /* log2 of a hint's bytes */
_Static_assert(sizeof(struct apmu_uarch__hint) == 1u << APMU_UARCH__HINT_SHIFT,
	       "the scale of struct apmu_uarch__probe");
struct apmu_uarch__probe {
	const char *hint; /* table of struct apmu_uarch__hint */
	uint64_t mask;    /* of a hint's byte offset in the table */
	uint8_t shift;    /* log2 of a line's bytes */
};

/* access_variants.c: makes an aligned unconditional access that was counted at block entry; adds the misses
 * and stalls that it causes. */
struct apmu_uarch;
typedef void apmu_uarch__access_unconditional(struct apmu_uarch *u, const struct apmu_access_site *s,
					      uint64_t addr);

/* What the fast path of an access checks besides the tag of its line. */
enum apmu_uarch__hit {
	APMU_UARCH__HIT_TAG,  /* nothing: no LRU order, no micro-TLB, no time */
	APMU_UARCH__HIT_PAGE, /* the translation: no LRU order, no time */
	APMU_UARCH__HIT_USER, /* the translation, and that no earlier instruction waits for a load: in order,
				 no LRU order */
	APMU_UARCH__HIT_ALL   /* as HIT_USER, and misses in flight; the LRU order changes */
};

/* Inputs of the fast path of an unconditional access (fast/access.h). */
struct apmu_uarch__fast_access {
	struct apmu_uarch__probe line, page;
	apmu_uarch__access_unconditional
		*unconditional[2]; /* [0] loads, [1] stores; NULL: use apmu_uarch_access() */
	apmu_uarch__access_unconditional *beyond[2]; /* unconditional[] if unconditional accesses are counted
							at block entry, else NULL */
	uint8_t *dirty;
	uint8_t whole; /* as in struct apmu_uarch__fast_inputs */
	uint16_t half; /* as in struct apmu_uarch__fast_inputs */
	unsigned busy; /* out of order: all ones, as misses in flight matter to each access; in order: 0 */
	bool ordered;  /* a hit changes the LRU order of its set */
	uint8_t hit;   /* enum apmu_uarch__hit */
};

/* Units of the data side that a machine has: bits of apmu_uarch.variant. The slow path is compiled once per
 * constant set of these bits (fast/access_variants.c). */
enum apmu_uarch__variant {
	APMU_UARCH__VARIANT_TIME = 1,
	APMU_UARCH__VARIANT_WINDOW = 2, /* out of order */
	APMU_UARCH__VARIANT_DTLB = 4,
	APMU_UARCH__VARIANT_LOWER = 8,
	APMU_UARCH__VARIANT_LEVELS = 16,         /* there is an L2 or L3 */
	APMU_UARCH__VARIANT_STREAMS = 32,        /* there is a prefetcher */
	APMU_UARCH__VARIANT_RUNS = 64,           /* there is a read-allocate mode */
	APMU_UARCH__VARIANT_UNCONDITIONAL = 128, /* access_variants.c may take unconditional accesses */
	APMU_UARCH__VARIANT_FILLS_ONLY = 256,    /* only the number of L1D fills is wanted */
	APMU_UARCH__VARIANT_FULL = 512,  /* of one access: `fours`, and apmu_uarch__cache_full() of its set */
	APMU_UARCH__VARIANT_PEERS = 1024 /* coherent with the first levels of other threads */
};

/* The fast path of block entry (entry.h), named after what it models besides lines and pages. */
enum apmu_uarch__fast_path {
	APMU_UARCH__FAST_NONE,         /* none: block entry always takes apmu_uarch__enter_any() */
	APMU_UARCH__FAST_BARE,         /* taken branches and returns, if wanted; no lines, no pages */
	APMU_UARCH__FAST_LINES,        /* taken branches and returns, if wanted */
	APMU_UARCH__FAST_CACHE,        /* nothing: counts only instructions and cache fills */
	APMU_UARCH__FAST_UNTIMED,      /* mispredictions, directions from a table of counters */
	APMU_UARCH__FAST_TIMED,        /* as FAST_UNTIMED, and time */
	APMU_UARCH__FAST_HYBRID,       /* mispredictions, directions from a hybrid predictor */
	APMU_UARCH__FAST_HYBRID_TIMED, /* as FAST_HYBRID, and time */
	APMU_UARCH__FAST_BUFFER,       /* mispredictions, directions from the BTB; time if modelled */
	APMU_UARCH__FAST_TAGE, /* mispredictions, directions from TAGE; no time; pages may have an LRU order
				*/
	APMU_UARCH__FAST_PREDICTED, /* mispredictions, any other predictor; time if modelled */
	APMU_UARCH__FAST_ORDERED, /* no time; a fetch that hits changes an LRU order, or no cache takes code:
				     apmu_uarch__enter_ordered() does everything */
	APMU_UARCH__FAST_WINDOW   /* out of order: apmu_uarch__enter_window() does everything */
};

/* A block whose lines were all present at `epoch`. They still are if no line or page was filled since. */
struct apmu_uarch__span {
	uint64_t line;  /* the block's first line */
	uint64_t page;  /* page of the block's last line */
	uint64_t epoch; /* 0: empty */
	uint32_t lines;
};
#define APMU_UARCH__SPANS 256u
static inline size_t apmu_uarch__span_place(uint64_t line, uint32_t lines)
{
	return ((uint32_t)line + lines * 41u) % APMU_UARCH__SPANS;
}

/* What a fast path of block entry is allowed to do. */
enum apmu_uarch__entering {
	APMU_UARCH__INLINE_ONLY, /* only what needs no call */
	APMU_UARCH__CALLING,     /* calls too */
	APMU_UARCH__SETTLING /* calls too; also settles pending loads, even if no fast path then applies */
};

/* The result of a fast path of block entry. */
enum apmu_uarch__entered {
	APMU_UARCH__ENTERED,           /* done */
	APMU_UARCH__ENTERED_UNCOUNTED, /* done except for apmu_uarch__enter_count(), which the caller must
					  call */
	APMU_UARCH__ENTERED_ANY        /* nothing done: the caller must call apmu_uarch__enter_any() */
};

/* The transition from the previous block. */
struct apmu_uarch__entry_edge {
	const struct apmu_block *before;
	int cost;     /* cycles beyond issue of the previous block's branch */
	bool taken;   /* the previous block ends with a branch, and that was taken */
	bool counted; /* all signals of that branch are counted */
	bool flushed; /* that branch was mispredicted */
};

/* True if the previous block falls through to `b` or branches to it directly. */
static inline bool apmu_uarch__is_successor(const struct apmu_block *before, const struct apmu_block *b)
{
	return (b->addr == before->end) | (b->addr == before->target);
}

#endif
