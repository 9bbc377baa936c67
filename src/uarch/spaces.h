/* SPDX-License-Identifier: MIT */
/**
 * Whose translations TLBs hold. An entry that the current address space cannot see is hidden: it keeps its
 * place and its age, and no look-up finds it. Look-ups therefore know nothing of address spaces; entering
 * another one goes through all entries.
 */
#ifndef APMU_UARCH_SPACES_H
#define APMU_UARCH_SPACES_H

#include "uarch/machine.h"

/* Whose an entry is, and whether all ASIDs of that regime and VMID see it. */
struct apmu_uarch__owner {
	struct apmu_space space;
	bool global;
};

struct apmu_uarch__spaces {
	struct apmu_space now;
	apmu_local_fn *local;
	void *user;
	struct apmu_uarch__owner *itlb, *dtlb, *walks, *tlb; /* [their slots] */
};

/* spaces.c: what has just been put into a first level, the walk cache or the main TLB is the current
 * space's. */
void apmu_uarch__own(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line);
void apmu_uarch__own_main(struct apmu_uarch *u, uint32_t slot, uint64_t page);
void apmu_uarch__spaces_free(struct apmu_uarch *u);

/* world.c: everything that lasts beyond a block is looked up anew. */
void apmu_uarch__look_anew(struct apmu_uarch *u);

#endif
