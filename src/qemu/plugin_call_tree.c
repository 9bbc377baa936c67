/* SPDX-License-Identifier: MIT */
/* The tree of a thread's calls: samples name a node of it, which is a call with those below it. */
#include "qemu/plugin_record.h"

#include <stdlib.h>

#define NODES (1u << 22) /* of a thread */

static bool grow_nodes(struct apmu_qemu__calls *k)
{
	struct apmu_qemu__call_node *old = k->node;
	uint32_t n = k->buckets, buckets = n ? n * 2 : 1024;

	if (k->nodes * 2 < n)
		return true;
	struct apmu_qemu__call_node *node = calloc(buckets, sizeof(*node));
	if (!node)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (!old[i].number)
			continue;
		uint32_t at = (uint32_t)apmu_qemu__call_hash(old[i].site ^ (uint64_t)old[i].parent << 32) &
			      (buckets - 1);
		while (node[at].number)
			at = (at + 1) & (buckets - 1);
		node[at] = old[i];
	}
	free(old);
	k->node = node;
	k->buckets = buckets;
	return true;
}

/* Returns the number of the node with this parent and site, which is added if it is new. */
static uint32_t intern(struct apmu_qemu__sampler *s, uint32_t parent, uint64_t site, bool signal)
{
	struct apmu_qemu__calls *k = &s->stack;

	if (k->nodes >= NODES || !grow_nodes(k))
		return parent;
	uint32_t at = (uint32_t)apmu_qemu__call_hash(site ^ (uint64_t)parent << 32) & (k->buckets - 1);
	for (; k->node[at].number; at = (at + 1) & (k->buckets - 1)) {
		const struct apmu_qemu__call_node *there = &k->node[at];
		if (there->site == site && there->parent == parent && there->signal == signal)
			return there->number;
	}
	k->node[at] = (struct apmu_qemu__call_node){site, parent,
						    apmu_qemu__sink_frame(s, parent, site, signal), signal};
	return k->node[at].number;
}

uint32_t apmu_qemu__chain_node(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__calls *k = &s->stack;
	uint32_t i = k->depth;

	while (i > 0 && !k->call[i - 1].node)
		i--;
	for (; i < k->depth; i++)
		k->call[i].node = intern(s, i ? k->call[i - 1].node : 0, k->call[i].site, k->call[i].handler);
	return k->depth ? k->call[k->depth - 1].node : 0;
}

void apmu_qemu__chain_restart(struct apmu_qemu__sampler *s)
{
	struct apmu_qemu__calls *k = &s->stack;

	free(k->node);
	k->node = NULL;
	k->buckets = k->nodes = 0;
	for (uint32_t i = 0; i < k->depth; i++)
		k->call[i].node = 0;
}
