/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include "profile/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool add_thread(struct apmu__profile_file *f)
{
	struct apmu__profile *p = &f->profile;
	struct apmu__profile_thread *thread = apmu__room(p->thread, p->threads, sizeof(*thread));

	if (thread)
		p->thread = thread;
	struct apmu__nodes *nodes = apmu__room(f->nodes, p->threads, sizeof(*nodes));
	if (nodes)
		f->nodes = nodes;
	if (!thread || !nodes)
		return false;
	p->thread[p->threads] = (struct apmu__profile_thread){0};
	f->nodes[p->threads++] = (struct apmu__nodes){0};
	return true;
}

/* A thread's index is its serial number, so that it is the same in equal runs. No file has more threads than
 * bytes. */
uint32_t apmu__load_thread(struct apmu__profile_file *f, uint32_t serial, int32_t pid, int32_t tid)
{
	struct apmu__profile *p = &f->profile;

	if ((off_t)serial > f->size)
		return APMU__PROFILE_NONE;
	while (p->threads <= serial)
		if (!add_thread(f))
			return APMU__PROFILE_NONE;
	p->thread[serial].pid = pid;
	p->thread[serial].tid = tid;
	return serial;
}

int apmu__load_map(struct apmu__profile_file *f, const uint8_t *payload, size_t size, uint32_t when)
{
	struct apmu__profile *p = &f->profile;
	struct apmu__map_block b;

	if (size < sizeof(b))
		return -EINVAL;
	memcpy(&b, payload, sizeof(b));
	if (b.start >= b.end || b.build_id_size > sizeof(b.build_id) ||
	    memchr(payload + sizeof(b), '\0', size - sizeof(b)))
		return -EINVAL;
	struct apmu__profile_map *larger = apmu__room(p->map, p->maps, sizeof(*larger));
	char *path = strndup((const char *)payload + sizeof(b), size - sizeof(b));
	if (larger)
		p->map = larger;
	if (!larger || !path || p->maps >= APMU__PROFILE_NONE) {
		free(path);
		return -ENOMEM;
	}
	struct apmu__profile_map *map = &p->map[p->maps++];
	*map = (struct apmu__profile_map){.pid = b.pid, .start = b.start, .end = b.end, .offset = b.offset};
	map->path = path;
	map->build_id_size = (uint8_t)b.build_id_size;
	map->when = when;
	memcpy(map->build_id, b.build_id, sizeof(map->build_id));
	return 0;
}

static int add_extent(struct apmu__profile_file *f, struct apmu__extent extent)
{
	struct apmu__extent *larger = apmu__room(f->extent, f->extents, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	f->extent = larger;
	f->extent[f->extents++] = extent;
	return 0;
}

/* A thread's node, by its own number. Where blocks were lost, so were nodes: those are the root. */
static int add_node(struct apmu__profile_file *f, uint32_t thread, uint32_t number,
		    const struct apmu__profile_frame *frame)
{
	struct apmu__nodes *nodes = &f->nodes[thread];
	struct apmu__profile_frame own = *frame;

	own.parent = frame->parent - 1 < nodes->n ? nodes->node[frame->parent - 1] : 0;
	uint32_t node = apmu__chain_node(f, &own);
	uint32_t *larger = apmu__room(nodes->node, nodes->n, sizeof(*larger));
	if (larger)
		nodes->node = larger;
	if (!larger || node == APMU__PROFILE_NONE)
		return -ENOMEM;
	if (number == nodes->n + 1)
		nodes->node[nodes->n++] = node;
	return 0;
}

/* Numbers that lost blocks would have defined. Never more than the bytes that the file has. */
static int skip_nodes(struct apmu__profile_file *f, uint32_t thread, uint32_t first)
{
	struct apmu__profile_frame unknown = {0};
	int bad = 0;

	if ((off_t)first > f->size)
		return -EINVAL;
	while (bad == 0 && f->nodes[thread].n + 1 < first)
		bad = add_node(f, thread, f->nodes[thread].n + 1, &unknown);
	return bad;
}

static void count(struct apmu__profile *p, uint32_t thread, const struct apmu__sample *s)
{
	if (s->event >= p->events)
		return;
	p->samples++;
	p->event[s->event].samples++;
	p->event[s->event].weight += s->weight;
	p->thread[thread].samples++;
	if (s->instructions > p->thread[thread].instructions)
		p->thread[thread].instructions = s->instructions;
	if (s->cycles > p->thread[thread].cycles)
		p->thread[thread].cycles = s->cycles;
}

static int walk(struct apmu__profile_file *f, uint32_t thread, const uint8_t *at, const uint8_t *end,
		uint32_t node)
{
	struct apmu__deltas last = {0};
	struct apmu__record r = {0};
	int bad = 0;

	while (bad == 0 && at && (at = apmu__get_record(at, end, &last, &r))) {
		if (r.is_frame)
			bad = add_node(f, thread, node++, &r.frame);
		else if (!r.is_stack)
			count(&f->profile, thread, &r.sample);
	}
	return bad;
}

int apmu__load_edges(struct apmu__profile_file *f, const uint8_t *payload, size_t size, uint32_t when)
{
	struct apmu__profile *p = &f->profile;
	struct apmu__samples_block b;

	if (size < sizeof(b) || !f->meta)
		return -EINVAL;
	memcpy(&b, payload, sizeof(b));
	uint32_t thread = apmu__load_thread(f, b.serial, b.pid, b.tid);
	if (thread == APMU__PROFILE_NONE)
		return (off_t)b.serial > f->size ? -EINVAL : -ENOMEM;
	for (size_t at = sizeof(b); at + sizeof(struct apmu__edge_row) <= size;
	     at += sizeof(struct apmu__edge_row)) {
		struct apmu__edge_row row;
		memcpy(&row, payload + at, sizeof(row));
		struct apmu__profile_edge *larger = apmu__room(p->edge, p->edges, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		p->edge = larger;
		p->edge[p->edges++] = (struct apmu__profile_edge){.start = row.start,
								  .from = row.from,
								  .to = row.to,
								  .runs = row.runs,
								  .mispredicted = row.mispredicted,
								  .kind = (uint8_t)row.kind,
								  .taken = row.taken != 0,
								  .thread = thread,
								  .when = when};
	}
	return 0;
}

int apmu__load_samples(struct apmu__profile_file *f, const uint8_t *payload, size_t size, off_t at,
		       uint32_t when)
{
	struct apmu__samples_block b;

	if (size < sizeof(b) || !f->meta)
		return -EINVAL;
	memcpy(&b, payload, sizeof(b));
	uint32_t thread = apmu__load_thread(f, b.serial, b.pid, b.tid);
	if (thread == APMU__PROFILE_NONE)
		return (off_t)b.serial > f->size ? -EINVAL : -ENOMEM;
	int bad = skip_nodes(f, thread, b.node);
	if (bad == 0)
		bad = add_extent(f, (struct apmu__extent){at, (uint32_t)size, thread, when});
	return bad ? bad : walk(f, thread, payload + sizeof(b), payload + size, b.node);
}
