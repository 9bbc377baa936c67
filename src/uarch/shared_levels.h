/* SPDX-License-Identifier: MIT */
/**
 * Levels of cache that the machines of several threads have in common: made from the core's parameters, see
 * apmu_shared_new(). A lock is taken for each miss that goes there, from when there are several threads on.
 */
#ifndef APMU_UARCH_SHARED_LEVELS_H
#define APMU_UARCH_SHARED_LEVELS_H

#include "uarch/tagstore_packed.h"

#include <pthread.h>

/* What a level counts as what. */
struct apmu_uarch__level_signals;

struct apmu_uarch__level {
	struct apmu_uarch__sets sets;
	const struct apmu_uarch__level_signals *signal;
	uint8_t at;        /* enum apmu_uarch__at */
	uint8_t inclusion; /* enum apmu_inclusion */
	bool write_allocate;
};

#define APMU_UARCH__MACHINES 64u /* those of further threads see nobody, and are not seen */

struct apmu_shared {
	bool many;     /* machines run on several threads, */
	bool coherent; /* and their first levels see each other (coherence.h) */
	pthread_mutex_t lock;
	struct apmu_uarch__level level[2];                /* L2, L3; a private one is empty */
	struct apmu_uarch *machine[APMU_UARCH__MACHINES]; /* whose first levels see each other; NULL: free */
};

/* Around what looks into levels, if any are shared. */
static inline void apmu_uarch__levels_lock(struct apmu_shared *s)
{
	if (s && s->many)
		pthread_mutex_lock(&s->lock);
}

static inline void apmu_uarch__levels_unlock(struct apmu_shared *s)
{
	if (s && s->many)
		pthread_mutex_unlock(&s->lock);
}

#endif
