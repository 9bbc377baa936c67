/* SPDX-License-Identifier: MIT */
/**
 * What lies behind L1, a cycle at a time: the ways to L2 and L3, the bus to memory, the places for misses in
 * flight, the prefetcher's queue, lines that wait to be written to memory, and the write buffer.
 *
 * A way takes one line at a time, those that an access wants first, in the order in which they were asked
 * for, then those of the prefetcher; the bus writes lines when nobody reads, or when `write_buffer` of them
 * wait.
 */
#ifndef APMU_TEST_PATHS_H
#define APMU_TEST_PATHS_H

#include "story.h"

struct queue {
	size_t *item;
	size_t first, n, room;
};

struct way {
	struct queue wanted, ahead; /* fills */
	uint64_t free;              /* cycle from which it can take the next line */
};

/* An entry of the write buffer. */
struct outside {
	uint64_t line;
	size_t fill; /* the line that a level below reads from memory for it */
};

struct paths {
	const struct apmu_uarch_params *p;
	struct story *s;
	uint64_t now, next;         /* the cycle; the one after it that is looked at */
	struct way way[5];          /* 2: L2, 3: L3, 4: memory */
	struct queue flying;        /* fills begun that have not come */
	unsigned misses, aheads;    /* in flight: of accesses, of the prefetcher */
	unsigned lines_out;         /* lines that wait to be written to memory */
	struct outside buffer[256]; /* write buffer, the oldest first */
	unsigned buffered;
	uint64_t drained; /* cycle in which the oldest has gone */
};

void paths_open(struct paths *m, const struct apmu_uarch_params *p, struct story *s);
void paths_close(struct paths *m);

/* The cycle begins: what comes in it has come. */
void paths_begin(struct paths *m);
/* The cycle ends: what was asked for in it begins where its way is free. Then it is the next cycle. A cycle
 * in which nothing moved is followed by the first for which something waits: those between are as it was. */
void paths_end(struct paths *m);

/* Something has changed in this cycle. */
static inline void paths_moved(struct paths *m)
{
	m->next = m->now + 1;
}

/* Is it the cycle `at` or a later one? Whatever waits for a cycle asks here. */
static inline bool paths_since(struct paths *m, uint64_t at)
{
	if (m->now >= at)
		return true;
	if (at < m->next)
		m->next = at;
	return false;
}

bool paths_here(struct paths *m, size_t fill);        /* NO_FILL, or its data have come */
bool paths_asked(const struct paths *m, size_t fill); /* NO_FILL, or somebody waits for it already */
bool paths_room(const struct paths *m);               /* among the misses */
void paths_ask(struct paths *m, size_t fill);         /* requires: paths_room(), not asked */
void paths_ask_code(struct paths *m, size_t fill);    /* takes no place among the misses */
void paths_want(struct paths *m, size_t fill);        /* an access wants what somebody asked for */
void paths_ask_ahead(struct paths *m, const struct event *e);

/* A store that L1 does not take: has it a place in the write buffer? Then it is in. */
bool paths_store(struct paths *m, const struct event *e);

#endif
