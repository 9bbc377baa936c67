/* SPDX-License-Identifier: MIT */
/**
 * The data prefetcher, slow and obvious: streams of L1 misses with a constant stride. Written from
 * spec/uarch/keys.txt, docs/accuracy.md and tests/unit/test_uarch_levels.c.
 *
 * The prefetcher is trained by lines that miss L1 and by first uses of lines that it fetched. A stream is the
 * last line seen, a stride of at most `max_stride` lines, and the number of successive steps of that stride.
 * After `trigger` steps (`next` steps, if not 0, for a stride of +1 or -1 line) the next `distance` lines
 * (with `begin`: so many at first, one more with each step) at that stride are requested; lines outside the
 * page only if the core's prefetcher `crosses`.
 */
#ifndef APMU_TEST_PREFETCHER_H
#define APMU_TEST_PREFETCHER_H

#include <apmu/uarch_params.h>

enum { STREAM_MOST = 128 }; /* the largest `distance`, in lines */

struct stream {
	bool used;
	uint64_t last; /* line seen */
	int64_t stride;
	unsigned steps;
	uint64_t when;
};

struct streams {
	struct stream stream[16];
	uint64_t now;
};

/* Trains the streams with a line. Writes the lines to request, nearest first; returns their number. */
unsigned streams_see(struct streams *s, const struct apmu_uarch_params *p, uint64_t line,
		     uint64_t wanted[STREAM_MOST]);

#endif
