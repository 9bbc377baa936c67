/* SPDX-License-Identifier: MIT */
/** Misses in flight (the MSHRs, or miss buffer) and the loads that wait for them; memory.h has what is done
 * with them. */
#ifndef APMU_UARCH_FLIGHTS_H
#define APMU_UARCH_FLIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* Where a line comes from, why it is wanted. */
enum apmu_uarch__at {
	APMU_UARCH__AT_L2,
	APMU_UARCH__AT_L3,
	APMU_UARCH__AT_MEMORY,
	APMU_UARCH__AT_PEER /* another thread's first level */,
	APMU_UARCH__PLACES
};
enum apmu_uarch__why {
	APMU_UARCH__READ,
	APMU_UARCH__WRITE,
	APMU_UARCH__CODE,
	APMU_UARCH__TABLES, /* a table walk */
	APMU_UARCH__AHEAD,  /* the prefetcher */
	APMU_UARCH__WHYS
};

#define APMU_UARCH__HELD    16 /* as many as a block has long results */
#define APMU_UARCH__PENDING 32 /* the most data misses in flight */
/* Out of order, the most flights kept, among them those that leave later than younger ones. */
#define APMU_UARCH__FLIGHTS 128
#define APMU_UARCH__AHEADS  64 /* the most lines of the prefetcher in flight */
/* The most idle gaps kept of a bus before reads that begin later. */
#define APMU_UARCH__GAPS 8

/* A load whose data are in flight. */
struct apmu_uarch__pending {
	uint64_t ready;     /* when they arrive */
	uint64_t regs;      /* which registers wait, while no user is known */
	uint32_t turn;      /* as in struct apmu_uarch__step, of the current block */
	uint32_t first_use; /* likewise */
	uint8_t why;        /* enum apmu_uarch__waiting */
	uint8_t what;       /* as in struct apmu_uarch__hand, where that is why */
	uint16_t by; /* who waits, to whom looks for it: the one whose turn it is, or the load itself */
};

/* Prefetches in flight, in the order in which they were asked for. */
struct apmu_uarch__ahead {
	unsigned n;
	uint64_t last; /* none arrives later */
	struct apmu_uarch__ahead_line {
		uint64_t ready; /* when it arrives */
		uint32_t slot;  /* of the L1 data cache */
		uint8_t at;     /* enum apmu_uarch__at */
		bool wanted;    /* an access waits for it */
	} line[APMU_UARCH__AHEADS];
};

/* When a line that the prefetcher brought arrives, and from where. */
struct apmu_uarch__arrival {
	uint64_t when; /* cycle; APMU_UARCH__NEVER: it could not be asked for */
	uint8_t at;    /* enum apmu_uarch__at */
	uint32_t took; /* cycles since it was asked for */
};
#define APMU_UARCH__NEVER UINT64_MAX

/* Out of order: an instruction that starts late begins its read after younger ones that start early, so a bus
 * gets requests out of the order of time. Gaps before `free` in which it is idle, the earliest first. */
struct apmu_uarch__gaps {
	unsigned n;
	struct apmu_uarch__gap {
		uint64_t from, to;
	} gap[APMU_UARCH__GAPS];
};

struct apmu_uarch__memory {
	unsigned pendings,
		flights; /* out of order: pendings are the misses among the window's late accesses */
	uint32_t turn;   /* in order: the least of the pendings'; APMU_UARCH__NO_USE */
	uint64_t lands;  /* flight[0].ready; UINT64_MAX */
	uint64_t free[APMU_UARCH__PLACES]; /* when the bus to it accepts another read */
	uint64_t owed[APMU_UARCH__PLACES]; /* cycles that victims will occupy it, after the next read */
	uint64_t written;                  /* when memory will have all victims written to it */
	uint64_t written_ahead;            /* how far that may be ahead before reads and stores wait */
	uint64_t buffer_free;              /* when the write buffer will be empty */
	uint64_t buffer_full;              /* how far that may be ahead before a store waits */
	unsigned entry;                    /* of leaves[], that is taken next */
	uint64_t buffer_line;              /* line of its youngest entry */
	uint32_t held[APMU_UARCH__HELD];   /* of the current block's seam->hand[]: cycles that it waited since
					      they   began */
	uint64_t full_end;                 /* when the last LSU_FULL_STALL ended */
	struct apmu_uarch__pending pending[APMU_UARCH__PENDING];
	struct apmu_uarch__flight {
		uint64_t line, ready;
		uint64_t departs;      /* out of order: it occupies an MSHR from then on */
		uint32_t slot;         /* of the L1 data cache, as it was; APMU_UARCH__NOWHERE */
		uint8_t at;            /* out of order: enum apmu_uarch__at */
	} flight[APMU_UARCH__FLIGHTS]; /* reads in flight, in the order of arrival */
	struct apmu_uarch__ahead ahead;
	struct apmu_uarch__gaps gaps[APMU_UARCH__PLACES];
	uint64_t leaves[256]; /* when each entry of the write buffer will have drained */
};

#endif
