/* SPDX-License-Identifier: MIT */
/* The levels of cache that the process's threads share. */
#include "qemu/plugin.h"

static struct apmu_shared *shared;
static _Atomic bool threaded; /* the program has made a second thread */

struct apmu_shared *apmu_qemu__levels_shared(void)
{
	if (shared || !apmu_uarch_shares(&apmu_qemu__plugin.uarch))
		return shared;
	shared = apmu_shared_new(&apmu_qemu__plugin.uarch);
	if (!shared)
		apmu_qemu__plugin_die("no memory for the threads' caches");
	if (threaded || apmu_qemu__plugin.system)
		apmu_shared_many(shared);
	if (apmu_qemu__coheres())
		apmu_shared_cohere(shared);
	return shared;
}

void apmu_qemu__levels_many(qemu_plugin_id_t id)
{
	if (threaded)
		return;
	threaded = true;
	if (shared)
		apmu_shared_many(shared);
	if (!shared || !apmu_qemu__coheres())
		return;
	apmu_shared_cohere(shared);
	apmu_qemu__start_over(id);
}

bool apmu_qemu__is_threaded(void)
{
	return threaded;
}

/* The shared levels are abandoned, not freed: a thread that no longer exists may have held a lock. */
void apmu_qemu__levels_forked(void)
{
	if (shared)
		apmu_shared_forked(shared); /* the thread's machine is still to leave it */
	shared = NULL;
	threaded = false;
}
