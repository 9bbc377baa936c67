/* SPDX-License-Identifier: MIT */
/**
 * The data prefetcher, slow and obvious: streams of L1 misses with a constant stride. Written from
 * spec/uarch/keys.txt, docs/accuracy.md and tests/unit/test_uarch_levels.c.
 *
 * What it sees are lines that miss L1, and first uses of lines that it brought. A stream is the last line
 * seen, a stride of at most `max_stride` lines and how often it was made; after `trigger` steps (`next`, if
 * not 0, where the stride is to the next line, up or down) the `distance` next lines at that stride are asked
 * for: as far as they lie in the line's page, unless the core's prefetcher `crosses`.
 */
#ifndef APMU_TEST_AHEAD_H
#define APMU_TEST_AHEAD_H

#include <apmu/uarch_params.h>

enum { STREAM_MOST = 32 }; /* lines ahead at most */

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

/* The lines to ask for, nearest first; their number. */
unsigned streams_see(struct streams *s, const struct apmu_uarch_params *p, uint64_t line,
		     uint64_t wanted[STREAM_MOST]);

#endif
