/* SPDX-License-Identifier: MIT */
/** What the data prefetcher knows: streams of L1 misses. prefetch.c is what it does. */
#ifndef APMU_UARCH_STREAMS_H
#define APMU_UARCH_STREAMS_H

#include "uarch/lru16.h"

/* A stream of misses. */
struct apmu_uarch__stream {
	uint64_t last; /* line */
	int8_t stride;
	uint8_t steps, ahead; /* of that stride; lines fetched beyond the last */
};
#define APMU_UARCH__STREAMS APMU_UARCH__ORDER_MOST
struct apmu_uarch__streams {
	uint32_t from[APMU_UARCH__STREAMS]; /* 2^31 before the lowest line that may follow each: for who looks
					 at all at once by signed comparison */
	uint32_t used;                      /* a bit each */
	uint64_t order;                     /* lru16.h */
	struct apmu_uarch__stream stream[APMU_UARCH__STREAMS];
};

#endif
