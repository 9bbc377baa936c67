/* SPDX-License-Identifier: MIT */
/* Where samples go: the thread's buffer, and from there the file, which is open no longer than a block takes.
 */
#include "qemu/plugin_record.h"

#include <string.h>
#include <unistd.h>

static int open_file(void)
{
	return apmu__keeper_open(&apmu__plugin.record.file);
}

void apmu__sink_flush(struct apmu__sampler *s)
{
	struct apmu__buffer *b = s->buffer;

	if (atomic_load(&b->used) && !apmu__plugin.muted) {
		int fd = open_file();
		if (!apmu__plugin.muted)
			apmu__buffer_write(apmu__plugin.share, b, fd);
		if (fd >= 0)
			close(fd);
	}
	atomic_store(&b->used, 0);
	atomic_store(&b->waiting, 0);
	b->head.node = s->stack.nodes + 1;
	s->deltas = (struct apmu__deltas){0};
}

/* Room for records of so many bytes. */
static uint8_t *room(struct apmu__sampler *s, uint32_t most)
{
	if (s->buffer->used + most > sizeof(s->buffer->record))
		apmu__sink_flush(s);
	return s->buffer->record + s->buffer->used;
}

static void put(struct apmu__sampler *s, const uint8_t *end)
{
	atomic_store_explicit(&s->buffer->used, (uint32_t)(end - s->buffer->record), memory_order_release);
}

void apmu__sink_sample(struct apmu__sampler *s, struct apmu__sample *sample)
{
	struct apmu__profile_branch branch[APMU__BRANCHES];
	uint32_t branches = s->roads ? apmu__roads_stack(s, branch) : 0;
	uint8_t *at = room(s, APMU__RECORD_MOST + (branches ? APMU__STACK_MOST : 0));

	if (branches)
		at = apmu__put_stack(at, branch, branches);
	put(s, apmu__put_sample(at, &s->deltas, sample));
	atomic_fetch_add_explicit(&s->buffer->waiting, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&apmu__plugin.share->record.samples, 1, memory_order_relaxed);
}

uint32_t apmu__sink_frame(struct apmu__sampler *s, uint32_t parent, uint64_t pc, bool signal)
{
	uint8_t *at = room(s, APMU__RECORD_MOST);

	put(s, apmu__put_frame(at, parent, pc, signal));
	return ++s->stack.nodes;
}

void apmu__sink_map(const struct apmu__map_block *map, const char *path)
{
	int fd = open_file();

	if (fd < 0)
		return;
	apmu__block_write(fd, APMU__BLOCK_MAP, map, sizeof(*map), path, strlen(path));
	close(fd);
}
