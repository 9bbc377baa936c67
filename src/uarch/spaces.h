/* SPDX-License-Identifier: MIT */
/**
 * The owners of TLB entries. An entry that the current address space cannot see is hidden: it keeps its
 * place and its age, but no look-up finds it. Look-ups therefore need not know about address spaces; entering
 * another one goes through all entries.
 */
#ifndef APMU_UARCH_SPACES_H
#define APMU_UARCH_SPACES_H

#include "uarch/machine.h"

/* The owner of an entry. global: all ASIDs of its regime and VMID see it. */
struct apmu_uarch__owner {
	struct apmu_space space;
	bool global;
};

struct apmu_uarch__spaces {
	struct apmu_space now;
	apmu_local_fn *local;
	void *user;
	struct apmu_uarch__owner *itlb, *dtlb, *walks, *tlb; /* [slots of each] */
};

/* spaces.c: makes the current space the owner of an entry just filled, in a first level or the walk cache, or
 * in the main TLB. */
void apmu_uarch__own(struct apmu_uarch *u, const struct apmu_uarch__cache *c, uint64_t line);
void apmu_uarch__own_main(struct apmu_uarch *u, uint32_t slot, uint64_t page);
void apmu_uarch__spaces_free(struct apmu_uarch *u);

/* controls.c: makes everything that is remembered beyond a block be looked up again. */
void apmu_uarch__look_anew(struct apmu_uarch *u);

#endif
