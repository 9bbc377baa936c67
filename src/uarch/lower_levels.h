/* SPDX-License-Identifier: MIT */
/** The levels below L1: read, write-back, write-around. Inline: traffic between L1 and memory where there is
 * no level between. */
#ifndef APMU_UARCH_LOWER_LEVELS_H
#define APMU_UARCH_LOWER_LEVELS_H

#include "uarch/machine.h"

/* lower_levels.c: writes back what L1 cleans of a line. */
void apmu_uarch__lower_put(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty);

/* lower_levels.c, with the levels locked: the same; bytes that another thread wrote leave the levels that are
 * the machine's own. */
void apmu_uarch__lower_write(struct apmu_uarch *u, uint64_t addr, unsigned bytes, unsigned dirty);
void apmu_uarch__lower_drop(struct apmu_uarch *u, uint64_t addr, unsigned bytes);

/* lower_levels.c: maintenance of the line of level k (0: the first below L1) in `slot`, or of an address.
 */
void apmu_uarch__lower_upkeep(struct apmu_uarch *u, unsigned k, uint32_t slot, enum apmu_upkeep what);
void apmu_uarch__lower_upkeep_at(struct apmu_uarch *u, uint64_t addr, enum apmu_upkeep what);

/* l2c_events.c: a read or a write that reaches the controller. In a port's line buffer: it does not, and that
 * is true. */
bool apmu_uarch__l2c_buffered(struct apmu_uarch *u, uint64_t line, enum apmu_uarch__why why);
void apmu_uarch__l2c_read(struct apmu_uarch *u, enum apmu_uarch__why why, bool hit);
void apmu_uarch__l2c_write(struct apmu_uarch *u, uint64_t line, bool through, bool hit);

static inline unsigned apmu_uarch__dirty_halves(unsigned dirty)
{
	return (dirty & 1) + (dirty >> 1 & 1);
}

/* Beats of the bus up to there. */
static inline uint64_t apmu_uarch__beats(const struct apmu_uarch *u, uint64_t bytes)
{
	return u->bus_shifts ? bytes >> u->bus_shift : bytes / u->p.bus_width;
}

/* A line of `bytes` goes to memory, as far as it is dirty. */
static inline void apmu_uarch__to_memory(struct apmu_uarch *u, unsigned bytes, unsigned dirty)
{
	unsigned share = apmu_uarch__dirty_halves(dirty);
	if (share == 0)
		return;
	u->n[APMU_SIG_BUS_REQ_WR]++;
	u->n[APMU_SIG_BUS_WR] += apmu_uarch__beats(u, bytes * share / 2 + u->p.bus_width - 1);
	u->memory.owed[APMU_UARCH__AT_MEMORY] += (uint64_t)u->line_write * share / 2;
}

/* Counts of an L1 data victim, half lines as ARM11 and XScale count them. */
static inline void apmu_uarch__count_victim(struct apmu_uarch *u, unsigned dirty)
{
	u->n[APMU_SIG_L1D_WB] += dirty != 0;
	u->n[APMU_SIG_L1D_WB_HALF] += apmu_uarch__dirty_halves(dirty);
	u->n[APMU_SIG_BCU_REQUEST] += dirty != 0;
}

/* A line is read from memory. */
static inline void apmu_uarch__from_memory(struct apmu_uarch *u, enum apmu_uarch__why why)
{
	u->n[APMU_SIG_BUS_RD] += u->beats[why];
	u->n[APMU_SIG_BUS_REQ_RD]++;
	u->n[APMU_SIG_BUS_RD_CYCLES] += u->latency[APMU_UARCH__AT_MEMORY];
}

/* A store that passed all levels, as u->outside says: what goes over the bus in one beat is counted once. */
static inline void apmu_uarch__store_beat(struct apmu_uarch *u, uint64_t addr)
{
	struct apmu_uarch__outside *o = &u->outside;
	uint64_t line = addr >> u->lower_shift, beat = apmu_uarch__beats(u, addr);
	unsigned out = o->to_memory & (beat != o->beat);
	u->n[APMU_SIG_STORE_OUT]++;
	u->n[APMU_SIG_STORE_MERGE] += line == o->line;
	u->n[APMU_SIG_BUS_WR] += out;
	u->n[APMU_SIG_BUS_REQ_WR] += out;
	o->line = line;
	o->beat = beat;
}

/* The same of a store that has only memory below. */
static inline void apmu_uarch__memory_store(struct apmu_uarch *u, uint64_t addr)
{
	u->outside.to_memory = true;
	apmu_uarch__store_beat(u, addr);
}

#endif
