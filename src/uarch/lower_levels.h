/* SPDX-License-Identifier: MIT */
/** The levels below L1: reads, write-backs, stores past L1. Inline here: traffic between L1 and memory
 * without a level between. */
#ifndef APMU_UARCH_LOWER_LEVELS_H
#define APMU_UARCH_LOWER_LEVELS_H

#include "uarch/machine.h"

/* lower_levels.c: writes back a line that L1 cleans. */
void apmu_uarch__lower_put(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty);

/* lower_levels.c, with the levels locked: lower_write() is lower_put() without locking, to the first level
 * that threads share; lower_leave() writes all lines of the machine's own levels there. lower_drop()
 * invalidates bytes that another thread wrote in the machine's own levels. */
void apmu_uarch__lower_write(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty);
void apmu_uarch__lower_leave(struct apmu_uarch *u);
void apmu_uarch__lower_drop(struct apmu_uarch *u, uint64_t addr, unsigned bytes);

/* lower_levels.c: a store past L1 by one of several coherent threads, if no level below L1 runs. */
void apmu_uarch__store_past(struct apmu_uarch *u, uint64_t addr, uint64_t last);

/* lower_levels.c: cache maintenance of the line in `slot` of level k (0: the first below L1), or of an
 * address in all levels. */
void apmu_uarch__lower_maintain(struct apmu_uarch *u, unsigned k, uint32_t slot, enum apmu_maintenance what);
void apmu_uarch__lower_maintain_at(struct apmu_uarch *u, uint64_t addr, enum apmu_maintenance what);

/* l2c_events.c: l2c_buffered() is true if the port's line buffer serves the read, which then does not reach
 * the controller. l2c_read() and l2c_write() count requests that do. */
bool apmu_uarch__l2c_buffered(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__request request);
void apmu_uarch__l2c_read(struct apmu_uarch *u, enum apmu_uarch__request request, bool hit);
void apmu_uarch__l2c_write(struct apmu_uarch *u, uint64_t line, bool through, bool hit);

static inline unsigned apmu_uarch__dirty_halves(unsigned dirty)
{
	return (dirty & 1) + (dirty >> 1 & 1);
}

/* Beats of the bus in so many bytes, or up to an address. */
static inline uint64_t apmu_uarch__beats(const struct apmu_uarch *u, uint64_t bytes)
{
	return u->bus_shifts ? bytes >> u->bus_shift : bytes / u->p.bus_width;
}

/* Writes the dirty part of a line of `bytes` to memory. */
static inline void apmu_uarch__to_memory(struct apmu_uarch *u, unsigned bytes, unsigned dirty)
{
	unsigned share = apmu_uarch__dirty_halves(dirty);
	if (share == 0)
		return;
	if (u->bus_level == u->levels) {
		u->n[APMU_SIG_BUS_REQ_WR]++;
		u->n[APMU_SIG_BUS_WR] += apmu_uarch__beats(u, bytes * share / 2 + u->p.bus_width - 1);
	}
	u->memory.owed[APMU_UARCH__AT_MEMORY] += (uint64_t)u->line_write * share / 2;
}

/* Counts an L1 data victim; ARM11 and XScale count half lines. */
static inline void apmu_uarch__count_victim(struct apmu_uarch *u, unsigned dirty)
{
	u->n[APMU_SIG_L1D_WB] += dirty != 0;
	u->n[APMU_SIG_L1D_WB_HALF] += apmu_uarch__dirty_halves(dirty);
	u->n[APMU_SIG_BCU_REQUEST] += dirty != 0;
}

/* Counts the read of a line that comes over the bus from `at`. */
static inline void apmu_uarch__bus_read(struct apmu_uarch *u, enum apmu_uarch__request request,
					enum apmu_uarch__at at)
{
	u->n[APMU_SIG_BUS_RD] += u->beats[request];
	u->n[APMU_SIG_BUS_REQ_RD]++;
	u->n[APMU_SIG_BUS_RD_CYCLES] += u->latency[at];
}

/* Counts the read of a line from memory. */
static inline void apmu_uarch__from_memory(struct apmu_uarch *u, enum apmu_uarch__request request)
{
	u->n[APMU_SIG_MEMORY_RD]++;
	if (u->bus_level == u->levels)
		apmu_uarch__bus_read(u, request, APMU_UARCH__AT_MEMORY);
}

/* Counts the beats of a store past L1 of the bytes up to `last`. One that it shares with what was stored
 * before is counted once. */
static inline void apmu_uarch__store_beats(struct apmu_uarch *u, uint64_t addr, uint64_t last)
{
	struct apmu_uarch__outside *o = &u->outside;
	uint64_t beat = apmu_uarch__beats(u, addr), end = apmu_uarch__beats(u, last);
	u->n[APMU_SIG_BUS_WR] += o->on_bus * (end - beat + (beat != o->beat));
	o->beat = end;
}

/* A store past L1; u->outside tells if it leaves the core. */
static inline void apmu_uarch__store_out(struct apmu_uarch *u, uint64_t addr, uint64_t last)
{
	struct apmu_uarch__outside *o = &u->outside;
	uint64_t line = addr >> u->lower_shift;
	u->n[APMU_SIG_STORE_OUT]++;
	u->n[APMU_SIG_STORE_MERGE] += line == o->line;
	u->n[APMU_SIG_BUS_REQ_WR] += o->on_bus & (apmu_uarch__beats(u, last) != o->beat);
	o->line = line;
	apmu_uarch__store_beats(u, addr, last);
}

/* A store past L1, without levels between L1 and memory. */
static inline void apmu_uarch__memory_store(struct apmu_uarch *u, uint64_t addr, uint64_t last)
{
	u->outside.to_memory = u->outside.on_bus = true;
	apmu_uarch__store_out(u, addr, last);
}

#endif
