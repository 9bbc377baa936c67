/* SPDX-License-Identifier: MIT */
/** Misses in flight (the MSHRs, or miss buffer) and the loads that wait for them; memory.h has the operations
 * on them. */
#ifndef APMU_UARCH_MSHRS_H
#define APMU_UARCH_MSHRS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a line comes from; what it is wanted for. */
enum apmu_uarch__at {
	APMU_UARCH__AT_L2,
	APMU_UARCH__AT_L3,
	APMU_UARCH__AT_MEMORY,
	APMU_UARCH__AT_PEER /* another thread's first level */,
	APMU_UARCH__PLACES
};
enum apmu_uarch__request {
	APMU_UARCH__REQUEST_READ,
	APMU_UARCH__REQUEST_WRITE,
	APMU_UARCH__REQUEST_CODE,
	APMU_UARCH__REQUEST_WALK,     /* a table walk */
	APMU_UARCH__REQUEST_PREFETCH, /* the prefetcher */
	APMU_UARCH__REQUESTS
};

#define APMU_UARCH__HELD    16 /* as many as a block has long results */
#define APMU_UARCH__PENDING 32 /* elements of pending[]: the most data misses in flight */
/* Out of order, the most misses kept, including those that are issued later than younger ones. */
#define APMU_UARCH__MSHRS      256
#define APMU_UARCH__PREFETCHES 128 /* the most prefetches in flight */
/* Out of order, the most idle gaps kept of a bus. */
#define APMU_UARCH__GAPS 32

/* In order: a load, or a long result of an earlier block, that has not arrived. */
struct apmu_uarch__pending {
	uint64_t ready;     /* cycle in which it arrives */
	uint64_t regs;      /* registers that it loads */
	uint32_t user;      /* instruction of the current block that uses it, as schedule.user */
	uint32_t first_use; /* as schedule.first_use */
	uint8_t why;        /* enum apmu_uarch__late_reason */
	uint8_t what;       /* unless a load: struct apmu_uarch__live_out.what */
	uint8_t forwards;   /* as schedule.forwards */
	uint16_t by;        /* instruction to which a watch attributes the wait: `user`, or the load itself if
			       nothing uses it */
};

/* Prefetches in flight, in the order in which they were requested. */
struct apmu_uarch__prefetches {
	unsigned n;
	uint64_t last; /* the latest arrival */
	struct apmu_uarch__prefetch_line {
		uint64_t ready; /* cycle in which it arrives */
		uint32_t slot;  /* slot in the L1 data cache */
		uint8_t at;     /* enum apmu_uarch__at */
		bool wanted;    /* an access waits for it */
	} line[APMU_UARCH__PREFETCHES];
};

/* When a prefetched line arrives, and from where. */
struct apmu_uarch__arrival {
	uint64_t when; /* cycle; APMU_UARCH__NEVER: no place was free to request it */
	uint8_t at;    /* enum apmu_uarch__at */
	uint32_t took; /* cycles from request to arrival */
};
#define APMU_UARCH__NEVER UINT64_MAX

/* Out of order: an instruction that starts late begins its read after younger ones that start early, so the
 * requests to a bus are not in the order of time. Gaps before `free` in which the bus is idle, the earliest
 * first. */
struct apmu_uarch__gaps {
	unsigned n;
	struct apmu_uarch__gap {
		uint64_t from, to;
	} gap[APMU_UARCH__GAPS];
};

struct apmu_uarch__memory {
	unsigned pendings;   /* used elements of pending[]; out of order: misses among the window's late
				accesses */
	unsigned mshrs;      /* used elements of mshr[] */
	unsigned most_early; /* apmu_uarch__timing_most_early() */
	uint32_t user;       /* in order: the lowest `user` of pending[]; APMU_UARCH__NO_USE: none */
	uint64_t next_fill;  /* mshr[0].ready; UINT64_MAX: none */
	uint64_t free[APMU_UARCH__PLACES]; /* cycle from which the bus to each place accepts another read */
	uint64_t owed[APMU_UARCH__PLACES]; /* cycles that victims will occupy each bus, after the next read */
	uint64_t from_l2;                  /* out of order: cycle in which the last line from L2 comes */
	uint64_t written;                  /* cycle in which memory will have all victims written */
	uint64_t written_ahead; /* cycles by which `written` may be ahead before reads and stores wait */
	uint64_t buffer_free;   /* cycle in which the write buffer will be empty */
	uint64_t buffer_full;   /* cycles by which buffer_free may be ahead before a store waits */
	unsigned entry;         /* element of leaves[] that the next entry takes */
	uint64_t buffer_line;   /* line of the write buffer's youngest entry */
	uint32_t held[APMU_UARCH__HELD]; /* of the current block's live->out[]: cycles that the block has
					    stalled since each was begun */
	uint64_t full_end;               /* cycle in which the last LSU_FULL_STALL ended */
	struct apmu_uarch__pending pending[APMU_UARCH__PENDING];
	struct apmu_uarch__mshr {
		uint64_t line, ready;
		uint64_t issued;   /* out of order: cycle from which it occupies an MSHR */
		uint32_t slot;     /* slot in the L1 data cache when issued; APMU_UARCH__NOWHERE: none */
		uint8_t at;        /* out of order: enum apmu_uarch__at */
	} mshr[APMU_UARCH__MSHRS]; /* reads in flight, in the order of arrival */
	struct apmu_uarch__prefetches prefetches;
	struct apmu_uarch__gaps gaps[APMU_UARCH__PLACES];
	uint64_t leaves[256]; /* cycle in which each entry of the write buffer will have drained */
};

#endif
