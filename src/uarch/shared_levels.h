/* SPDX-License-Identifier: MIT */
/**
 * Levels of cache that the machines of several threads share, made from the core's parameters: see
 * apmu_shared_new(). As soon as there are several threads, each access to a shared level takes a lock.
 */
#ifndef APMU_UARCH_SHARED_LEVELS_H
#define APMU_UARCH_SHARED_LEVELS_H

#include "uarch/tagstore_packed.h"

#include <pthread.h>

/* The signals that a level counts. */
struct apmu_uarch__level_signals;

struct apmu_uarch__level {
	struct apmu_uarch__packed sets;
	const struct apmu_uarch__level_signals *signal;
	uint8_t at;        /* enum apmu_uarch__at */
	uint8_t inclusion; /* enum apmu_inclusion */
	bool write_allocate;
};

#define APMU_UARCH__MACHINES 64u /* machines of further threads are not coherent with others */

struct apmu_shared {
	bool many;     /* machines run on several threads */
	bool coherent; /* the first levels of the threads are coherent (coherence.h) */
	pthread_mutex_t lock;
	struct apmu_uarch__level level[2];                /* L2, L3; a level that is not shared is empty */
	struct apmu_uarch *machine[APMU_UARCH__MACHINES]; /* coherent machines; NULL: free */
};

/* Locks the levels, if any are shared by several threads. */
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
