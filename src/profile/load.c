/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strndup */
#include "profile/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FEW_THREADS 65536u

static bool add_thread(struct profile__file *f)
{
	struct profile__profile *p = &f->profile;
	struct profile__thread *thread = profile__room(p->thread, p->threads, sizeof(*thread));

	if (thread)
		p->thread = thread;
	struct profile__nodes *nodes = profile__room(f->nodes, p->threads, sizeof(*nodes));
	if (nodes)
		f->nodes = nodes;
	if (!thread || !nodes)
		return false;
	p->thread[p->threads] = (struct profile__thread){0};
	f->nodes[p->threads++] = (struct profile__nodes){0};
	return true;
}

/* A thread's index is its serial number, so that equal runs have equal indices. A thread with samples needs
 * some 40 bytes of the file; others may have numbers between, so some thousands more are taken. */
uint32_t profile__load_thread(struct profile__file *f, uint32_t serial, int32_t pid, int32_t tid)
{
	struct profile__profile *p = &f->profile;

	if (serial > FEW_THREADS && (off_t)serial > f->size / 40)
		return PROFILE__NONE;
	while (p->threads <= serial)
		if (!add_thread(f))
			return PROFILE__NONE;
	p->thread[serial].pid = pid;
	p->thread[serial].tid = tid;
	return serial;
}

void profile__free_map(struct profile__map *map)
{
	for (uint32_t i = 0; i < map->lines; i++)
		if (i == 0 || map->line[i].file != map->line[i - 1].file)
			free((void *)(uintptr_t)map->line[i].file);
	free((void *)(uintptr_t)map->line);
	free((void *)(uintptr_t)map->code);
	free((void *)(uintptr_t)map->path);
	free((void *)(uintptr_t)map->function);
}

/* Adds a mapping and takes ownership of its strings. */
static int add_map(struct profile__profile *p, const struct profile__map *map)
{
	struct profile__map *larger = profile__room(p->map, p->maps, sizeof(*larger));

	if (larger)
		p->map = larger;
	if (larger && map->path && p->maps < PROFILE__NONE) {
		p->map[p->maps++] = *map;
		return 0;
	}
	free((void *)(uintptr_t)map->path);
	free((void *)(uintptr_t)map->function);
	return -ENOMEM;
}

int profile__load_map(struct profile__file *f, const uint8_t *payload, size_t size, uint32_t when)
{
	struct profile__map_block b;

	if (size < sizeof(b))
		return -EINVAL;
	memcpy(&b, payload, sizeof(b));
	if (b.start >= b.end || b.build_id_size > sizeof(b.build_id) ||
	    memchr(payload + sizeof(b), '\0', size - sizeof(b)))
		return -EINVAL;
	struct profile__map map = {.pid = b.pid,
				   .start = b.start,
				   .end = b.end,
				   .offset = b.offset,
				   .when = when,
				   .build_id_size = (uint8_t)b.build_id_size};
	memcpy(map.build_id, b.build_id, sizeof(map.build_id));
	map.path = strndup((const char *)payload + sizeof(b), size - sizeof(b));
	map.unmapped = map.path && strcmp(map.path, PROFILE__UNMAPPED) == 0;
	return add_map(&f->profile, &map);
}

/* Returns the moment from which on a process ran its last program, whose the code is that it made. */
static uint32_t last_executed(const struct profile__profile *p, int32_t pid)
{
	for (size_t i = p->maps; i-- > 0;)
		if (p->map[i].pid == pid && (p->map[i].unmapped || p->map[i].function))
			return p->map[i].when;
	return 0;
}

int profile__load_code(struct profile__file *f, const uint8_t *payload, size_t size)
{
	struct profile__code_block b;

	if (size <= sizeof(b))
		return -EINVAL;
	memcpy(&b, payload, sizeof(b));
	if (b.size == 0 || b.start + b.size < b.start || memchr(payload + sizeof(b), '\0', size - sizeof(b)))
		return -EINVAL;
	struct profile__map map = {.pid = b.pid,
				   .start = b.start,
				   .end = b.start + b.size,
				   .offset = b.start,
				   .when = last_executed(&f->profile, b.pid)};
	map.path = strdup("[JIT]");
	map.function = strndup((const char *)payload + sizeof(b), size - sizeof(b));
	if (map.function)
		return add_map(&f->profile, &map);
	free((void *)(uintptr_t)map.path);
	return -ENOMEM;
}

/* Returns the mapping that a LINES or BYTES block belongs to, the one of the CODE block before it; NULL:
 * there is none. */
static struct profile__map *last_code(struct profile__profile *p)
{
	struct profile__map *map = p->maps ? &p->map[p->maps - 1] : NULL;

	return map && map->function ? map : NULL;
}

int profile__load_lines(struct profile__file *f, const uint8_t *payload, size_t size)
{
	struct profile__map *map = last_code(&f->profile);
	struct profile__line_row row;
	struct profile__line *line = NULL;
	const char *file = NULL;
	uint32_t lines = 0;
	size_t at = 0;

	if (!map || map->line)
		return -EINVAL;
	for (; at + sizeof(row) <= size; at += sizeof(row) + row.length) {
		memcpy(&row, payload + at, sizeof(row));
		if (row.length > size - at - sizeof(row) ||
		    (lines && row.at < line[lines - 1].address - map->start))
			break;
		struct profile__line *larger = profile__room(line, lines, sizeof(*line));
		if (row.length && larger)
			file = strndup((const char *)payload + at + sizeof(row), row.length);
		if (larger)
			line = larger;
		if (!larger || !file)
			break;
		line[lines++] = (struct profile__line){map->start + row.at, row.line, file};
	}
	map->line = line;
	map->lines = lines;
	return at == size ? 0 : -EINVAL;
}

int profile__load_bytes(struct profile__file *f, const uint8_t *payload, size_t size)
{
	struct profile__map *map = last_code(&f->profile);

	if (!map || map->code || size != map->end - map->start)
		return -EINVAL;
	uint8_t *code = malloc(size);
	if (!code)
		return -ENOMEM;
	memcpy(code, payload, size);
	map->code = code;
	map->bytes = (uint32_t)size;
	return 0;
}

static int add_extent(struct profile__file *f, struct profile__extent extent)
{
	struct profile__extent *larger = profile__room(f->extent, f->extents, sizeof(*larger));

	if (!larger)
		return -ENOMEM;
	f->extent = larger;
	f->extent[f->extents++] = extent;
	return 0;
}

/* Adds a thread's node with its own number. A parent that a lost block defined becomes the root. */
static int add_node(struct profile__file *f, uint32_t thread, uint32_t number,
		    const struct profile__frame *frame)
{
	struct profile__nodes *nodes = &f->nodes[thread];
	struct profile__frame own = *frame;

	own.parent = frame->parent - 1 < nodes->n ? nodes->node[frame->parent - 1] : 0;
	uint32_t node = profile__chain_node(f, &own);
	uint32_t *larger = profile__room(nodes->node, nodes->n, sizeof(*larger));
	if (larger)
		nodes->node = larger;
	if (!larger || node == PROFILE__NONE)
		return -ENOMEM;
	if (number == nodes->n + 1)
		nodes->node[nodes->n++] = node;
	return 0;
}

/* Adds the nodes that lost blocks would have defined: of all threads together never more than the file has
 * bytes. */
static int skip_nodes(struct profile__file *f, uint32_t thread, uint32_t first)
{
	struct profile__frame unknown = {0};
	uint32_t defined = f->nodes[thread].n;
	uint64_t lost = first > defined + 1 ? first - defined - 1 : 0;
	int bad = 0;

	if (lost > (uint64_t)f->size - f->lost_nodes)
		return -EINVAL;
	f->lost_nodes += lost;
	while (bad == 0 && f->nodes[thread].n + 1 < first)
		bad = add_node(f, thread, f->nodes[thread].n + 1, &unknown);
	return bad;
}

static void count(struct profile__profile *p, uint32_t thread, const struct profile__sample *s)
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

static int walk(struct profile__file *f, uint32_t thread, const uint8_t *at, const uint8_t *end,
		uint32_t node)
{
	struct profile__deltas last = {0};
	struct profile__record r = {0};
	int bad = 0;

	while (bad == 0 && at && (at = profile__get_record(at, end, &last, &r))) {
		if (r.is_frame)
			bad = add_node(f, thread, node++, &r.frame);
		else if (!r.is_stack)
			count(&f->profile, thread, &r.sample);
	}
	return bad;
}

/* Reads the head of a block of edges or samples, and finds its thread. */
static int read_head(struct profile__file *f, const uint8_t *payload, size_t size,
		     struct profile__samples_block *head, uint32_t *thread)
{
	if (size < sizeof(*head) || !f->meta)
		return -EINVAL;
	memcpy(head, payload, sizeof(*head));
	*thread = profile__load_thread(f, head->serial, head->pid, head->tid);
	if (*thread == PROFILE__NONE)
		return (off_t)head->serial > f->size ? -EINVAL : -ENOMEM;
	return 0;
}

int profile__load_edges(struct profile__file *f, const uint8_t *payload, size_t size, uint32_t when)
{
	struct profile__profile *p = &f->profile;
	struct profile__samples_block b;
	uint32_t thread;
	int bad = read_head(f, payload, size, &b, &thread);

	if (bad != 0)
		return bad;
	for (size_t at = sizeof(b); at + sizeof(struct profile__edge_row) <= size;
	     at += sizeof(struct profile__edge_row)) {
		struct profile__edge_row row;
		memcpy(&row, payload + at, sizeof(row));
		if (row.runs == 0) /* its runs are in an earlier row */
			continue;
		struct profile__edge *larger = profile__room(p->edge, p->edges, sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		p->edge = larger;
		p->edge[p->edges++] = (struct profile__edge){.start = row.start,
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

int profile__load_samples(struct profile__file *f, const uint8_t *payload, size_t size, off_t at,
			  uint32_t when)
{
	struct profile__samples_block b;
	uint32_t thread;
	int bad = read_head(f, payload, size, &b, &thread);

	if (bad != 0)
		return bad;
	bad = skip_nodes(f, thread, b.node);
	if (bad == 0)
		bad = add_extent(f, (struct profile__extent){at, (uint32_t)size, thread, when});
	return bad ? bad : walk(f, thread, payload + sizeof(b), payload + size, b.node);
}
