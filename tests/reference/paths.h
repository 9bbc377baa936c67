/* SPDX-License-Identifier: MIT */
/**
 * The memory system below L1, a cycle at a time: the paths to L2, L3 and memory (the bus), the MSHRs, the
 * prefetcher's queue, lines that wait to be written to memory, and the write buffer.
 *
 * A path takes one line at a time: first those that an access wants, in order of request, then those of the
 * prefetcher. The bus writes lines when nobody reads, or when more than `write_buffer` lines wait.
 *
 * Code lines take no MSHR. A line that L2 reads ahead is a prefetch on its path. Fetch takes such a line from
 * L2 when it has arrived there; if it is still on its way, without a turn of the path from L2. Where
 * prediction runs ahead, code lines arrive in L1I in the order of their requests.
 */
#ifndef APMU_TEST_PATHS_H
#define APMU_TEST_PATHS_H

#include "story.h"

struct queue {
	size_t *item;
	size_t first, n, room;
};

struct path {
	struct queue wanted, prefetches; /* fills */
	uint64_t free;                   /* cycle from which the path can take the next line */
};

/* An entry of the write buffer. */
struct outside {
	uint64_t line;
	size_t fill; /* the fill by which a level below reads the line from memory; NO_FILL: none */
};

enum { READ_AHEAD = 16 }; /* lines that L2 remembers as read ahead and in flight */

struct paths {
	const struct apmu_uarch_params *p;
	struct story *s;
	uint64_t now, next;          /* this cycle; the next one in which something can move */
	struct path path[5];         /* 2: L2, 3: L3, 4: memory */
	struct queue flying;         /* fills that have begun and not arrived */
	struct queue codes;          /* `run_ahead`: code lines that are requested and not in L1I */
	uint64_t code_turn;          /* `run_ahead`: cycle from which the next of them may arrive */
	struct queue behind;         /* code lines that wait for one that L2 reads ahead, not begun */
	uint64_t read_ahead;         /* lines that L2 has been asked to read ahead */
	unsigned misses, prefetches; /* in flight: misses of accesses (MSHRs), prefetches */
	unsigned lines_out;          /* lines that wait to be written to memory */
	struct outside buffer[256];  /* write buffer, the oldest entry first */
	uint64_t from_l2;            /* cycle in which the last line comes that an access had from L2 */
	unsigned buffered;
	uint64_t drained; /* cycle from which the oldest entry can leave the write buffer */
};

void paths_open(struct paths *m, const struct apmu_uarch_params *p, struct story *s);
void paths_close(struct paths *m);

/* Begins a cycle: lines that are due in it arrive. */
void paths_begin(struct paths *m);
/* Ends the cycle: fills begin on each path that is free. Then advances by one cycle or, if nothing moved, to
 * the first cycle for which something waits; nothing would change in the cycles between. */
void paths_end(struct paths *m);

/* Says that something has changed in this cycle, so that the next one is not skipped. */
static inline void paths_moved(struct paths *m)
{
	m->next = m->now + 1;
}

/* True from cycle `at` on. Whoever waits for a cycle must ask here, so that it is not skipped. */
static inline bool paths_since(struct paths *m, uint64_t at)
{
	if (m->now >= at)
		return true;
	if (at < m->next)
		m->next = at;
	return false;
}

bool paths_here(struct paths *m, size_t fill);        /* true for NO_FILL, or if the data have arrived */
bool paths_code_here(struct paths *m, size_t fill);   /* true if the code line is in L1I */
bool paths_asked(const struct paths *m, size_t fill); /* true for NO_FILL, or if the line was requested */
bool paths_room(const struct paths *m);               /* true if an MSHR is free */
bool paths_turn(struct paths *m, size_t fill); /* false: a miss waits for the rest of a line (`l2_chain`) */
void paths_ask(struct paths *m, size_t fill);  /* requires: paths_room(), not requested */
void paths_ask_code(struct paths *m, size_t fill); /* requests a code line; L2 reads ahead then */
void paths_fetch(struct paths *m, size_t fill);    /* the same, if nobody has, and for the line it brings */
bool paths_code_room(const struct paths *m);       /* false: `run_ahead.refills` are in flight */
void paths_want(struct paths *m, size_t fill);     /* an access wants a line that was requested */
void paths_ask_prefetches(struct paths *m, const struct event *e);

/* Puts a store that L1 does not take into the write buffer. False if that is full. */
bool paths_store(struct paths *m, const struct event *e);

#endif
