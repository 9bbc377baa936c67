/* SPDX-License-Identifier: MIT */
/**
 * What the short ways look at: copies of what stands elsewhere in the machine, together, so that an access
 * that hits touches few lines of the host's cache. Filled when the machine is made (uarch.c, touch.c).
 */
#ifndef APMU_UARCH_SHORT_H
#define APMU_UARCH_SHORT_H

#include "uarch/cache.h"

/* Where the short way of an access looks: copies, so that it touches few lines of the host's cache. */
struct apmu_uarch__short {
	const struct apmu_uarch__hint *line, *page;
	uint64_t line_mask, page_mask;
	uint8_t line_shift, page_shift;
	bool per_register; /* APMU_ACCESS_PER_REGISTER */
	bool sure;         /* a sure hit changes nothing but counts, dirty bits and the order of its set */
	bool plain;        /* so does any */
	bool ordered;      /* ... that order */
	bool no_dtlb;      /* translation does not matter */
	uint8_t whole;     /* dirty bits that any store sets: both where a line has one bit */
	uint16_t half;     /* bytes of half a data line */
};

/* A table of hints as a look-up by address reads it. */
#define APMU_UARCH__HINT_SHIFT 4 /* log2 of a hint's bytes */
_Static_assert(sizeof(struct apmu_uarch__hint) == 1u << APMU_UARCH__HINT_SHIFT,
	       "the scale of struct apmu_uarch__probe");
struct apmu_uarch__probe {
	const char *hint; /* of struct apmu_uarch__hint */
	uint64_t mask;    /* of a hint's place in bytes */
	uint8_t shift;    /* of an address to its line */
};

/* sure.c: an aligned sure access that is counted already, whatever it meets with. */
struct apmu_uarch;
typedef void apmu_uarch__sure(struct apmu_uarch *u, const struct apmu_spot *s, uint64_t addr);

/* What a sure access looks at (touch.c). */
struct apmu_uarch__touch {
	struct apmu_uarch__probe line, page;
	apmu_uarch__sure *sure[2];   /* a load, a store; NULL: it goes the way of any */
	apmu_uarch__sure *beyond[2]; /* the same where it was counted with its block; else NULL */
	uint8_t *dirty;
	uint8_t whole; /* as in struct apmu_uarch__short */
	uint16_t half; /* likewise */
	unsigned busy; /* all ones where what is in flight matters to any access: out of order */
	bool ordered;  /* a hit changes the order of its set */
	bool lean;     /* lines alone matter: not their order, nor pages, nor time */
};

/* What of the data side a machine has: bits of apmu_uarch.form. */
enum apmu_uarch__form {
	APMU_UARCH__FORM_TIME = 1,
	APMU_UARCH__FORM_WINDOW = 2, /* out of order */
	APMU_UARCH__FORM_DTLB = 4,
	APMU_UARCH__FORM_BELOW = 8,
	APMU_UARCH__FORM_LEVELS = 16,  /* L2 or L3 */
	APMU_UARCH__FORM_STREAMS = 32, /* a prefetcher */
	APMU_UARCH__FORM_RUNS = 64,    /* read-allocate mode */
	APMU_UARCH__FORM_SURE = 128,   /* sure.c may take sure accesses */
	APMU_UARCH__FORM_BARE = 256,   /* of fills of L1D only their number is wanted */
	APMU_UARCH__FORM_PEERS = 1024, /* other threads' first levels are seen */
	APMU_UARCH__FORM_FULL = 512 /* of an access, not a machine: `fours`, and apmu_uarch__cache_full() */
};

/* The short way into a block (enter.h): what matters beyond lines and pages. */
enum apmu_uarch__way {
	APMU_UARCH__WAY_LONG,    /* there is none */
	APMU_UARCH__WAY_LINES,   /* nothing */
	APMU_UARCH__WAY_TAKEN,   /* whether the branch before was taken */
	APMU_UARCH__WAY_UNTIMED, /* whether it was predicted: a table of counters has directions, */
	APMU_UARCH__WAY_TIMED,   /* ... and time */
	APMU_UARCH__WAY_BUFFER,  /* the BTB has them; perhaps time */
	APMU_UARCH__WAY_SOME,    /* something else has; perhaps time */
	APMU_UARCH__WAY_WINDOW   /* out of order: apmu_uarch__enter_window() does everything */
};

/* A block's lines when all were last looked up: they are there still if nothing was brought in since. */
struct apmu_uarch__span {
	uint64_t line;  /* the first */
	uint64_t page;  /* of the last */
	uint64_t epoch; /* 0: empty */
	uint32_t lines;
};
#define APMU_UARCH__SPANS 256u
static inline size_t apmu_uarch__span_place(uint64_t line, uint32_t lines)
{
	return (line + lines * 41u) % APMU_UARCH__SPANS;
}

/* What is counted ahead beyond instructions: bits of apmu_uarch.more. */
enum apmu_uarch__more {
	APMU_UARCH__MORE_BRANCHES = 1,
	APMU_UARCH__MORE_ACCESSES = 2, /* sure ones */
	APMU_UARCH__MORE_DRAINS = 4,   /* and spurious FETCH_STALL_EXTRA */
	APMU_UARCH__MORE_TRAITS = 8,
	APMU_UARCH__MORE_OPS = 16,
	APMU_UARCH__MORE_FETCHES = 32,
	APMU_UARCH__MORE_STALLS = 64,
	APMU_UARCH__MORE_TURNS = 128,   /* PC_CHANGE */
	APMU_UARCH__MORE_KINDS = 256,   /* sure accesses, loads and stores apart */
	APMU_UARCH__MORE_WAYS = 512,    /* taken branches by their kinds */
	APMU_UARCH__MORE_SVE = 1024,    /* loads and stores of SVE, as executed */
	APMU_UARCH__MORE_OUTSIDE = 2048 /* nothing: code is fetched past the cache */
};

#endif
