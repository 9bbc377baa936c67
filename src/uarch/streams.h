/* SPDX-License-Identifier: MIT */
/** The state of the data prefetcher: streams of L1 misses. prefetch.c has its operation. */
#ifndef APMU_UARCH_STREAMS_H
#define APMU_UARCH_STREAMS_H

#include "uarch/lru16.h"

/* A stream of misses. */
struct apmu_uarch__stream {
	uint64_t last; /* line of the last miss */
	int8_t stride;
	uint8_t steps, ahead; /* steps: of that stride; ahead: lines prefetched beyond `last` */
};
#define APMU_UARCH__STREAMS APMU_UARCH__ORDER_MOST
struct apmu_uarch__streams {
	uint32_t from[APMU_UARCH__STREAMS]; /* 2^31 below the lowest line that may follow each stream, so that
					       signed comparison tests several streams at once */
	uint32_t used;                      /* bit k: stream k is in use */
	uint64_t order;                     /* lru16.h */
	struct apmu_uarch__stream stream[APMU_UARCH__STREAMS];
};

#endif
