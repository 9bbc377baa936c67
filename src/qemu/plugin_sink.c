/* SPDX-License-Identifier: MIT */
/* Sends samples to the thread's buffer, and from there to the file, which is open only while a block is
 * written. */
#include "qemu/plugin_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_file(void)
{
	return apmu_qemu__command_file_open(&apmu_qemu__plugin.record.file);
}

void apmu_qemu__sink_buffer(struct apmu_qemu__buffer *b)
{
	int bad = 0, fd = open_file();

	if (!apmu_qemu__plugin.muted)
		bad = apmu_qemu__buffer_write(apmu_qemu__plugin.share, b, fd);
	apmu_qemu__command_file_close(fd, -bad);
}

/* Leaves the shared buffer to the command, which collects. Further samples go to a private one, unread. */
static void leave_buffer(struct apmu_qemu__sampler *s)
{
	apmu_qemu__plugin.muted = true;
	if (s->owns_buffer)
		return;
	s->buffer = calloc(1, sizeof(*s->buffer));
	if (!s->buffer)
		apmu_qemu__plugin_die("no memory for a thread's samples");
	s->owns_buffer = true;
}

void apmu_qemu__sink_flush(struct apmu_qemu__sampler *s)
{
	if (!apmu_qemu__command_hold())
		leave_buffer(s);
	struct apmu_qemu__buffer *b = s->buffer;
	if (atomic_load(&b->used) && !apmu_qemu__plugin.muted)
		apmu_qemu__sink_buffer(b);
	atomic_store(&b->used, 0);
	atomic_store(&b->waiting, 0);
	apmu_qemu__command_release();
	b->head.node = s->stack.nodes + 1;
	s->deltas = (struct profile__deltas){0};
}

/* Returns room for records of at most `most` bytes; flushes the buffer if it has none. */
static uint8_t *room(struct apmu_qemu__sampler *s, uint32_t most)
{
	if (s->buffer->used + most > sizeof(s->buffer->record))
		apmu_qemu__sink_flush(s);
	return s->buffer->record + s->buffer->used;
}

static void put(struct apmu_qemu__sampler *s, const uint8_t *end)
{
	atomic_store_explicit(&s->buffer->used, (uint32_t)(end - s->buffer->record), memory_order_release);
}

void apmu_qemu__sink_sample(struct apmu_qemu__sampler *s, struct profile__sample *sample)
{
	struct profile__branch branch[PROFILE__BRANCHES];
	uint32_t branches = s->branch_trace ? apmu_qemu__branch_trace_stack(s, branch) : 0;
	uint8_t *at = room(s, PROFILE__RECORD_MOST + (branches ? PROFILE__STACK_MOST : 0));

	if (branches)
		at = profile__put_stack(at, branch, branches);
	put(s, profile__put_sample(at, &s->deltas, sample));
	atomic_fetch_add_explicit(&s->buffer->waiting, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&apmu_qemu__plugin.share->record.samples, 1, memory_order_relaxed);
}

uint32_t apmu_qemu__sink_frame(struct apmu_qemu__sampler *s, uint32_t parent, uint64_t pc, bool signal)
{
	uint8_t *at = room(s, PROFILE__RECORD_MOST);

	put(s, profile__put_frame(at, parent, pc, signal));
	return ++s->stack.nodes;
}

/* Opens the file for a block that is not of samples; end_block() must follow. -ESRCH: the command is gone, or
 * collects already. */
static int begin_block(void)
{
	return apmu_qemu__command_hold() ? open_file() : -ESRCH;
}

/* Closes the file. The command reports the first failure. */
static void end_block(int fd, int bad)
{
	int32_t none = 0;
	int why = fd < 0 ? fd : bad;

	if (why && why != -ESRCH)
		atomic_compare_exchange_strong(&apmu_qemu__plugin.share->record.error, &none, -why);
	apmu_qemu__command_file_close(fd, -bad);
	apmu_qemu__command_release();
}

void apmu_qemu__sink_counts(uint64_t first, uint64_t last)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;
	int bad = 0;

	if (!apmu_qemu__plugin.record.exact && !apmu_qemu__plugin.record.branches)
		return;
	int fd = begin_block();
	if (fd >= 0)
		bad = apmu_qemu__cells_take(share, getpid(), first, last, fd);
	if (fd >= 0 && bad == 0)
		bad = apmu_qemu__edges_take(share, getpid(), first, last, fd);
	end_block(fd, bad);
}

static void write_threads(void)
{
	struct apmu_qemu__share *share = apmu_qemu__plugin.share;

	for (size_t i = 0; i < apmu_qemu__slots(share); i++)
		if (atomic_load(&share->slot[i].used) && share->slot[i].pid == getpid() &&
		    atomic_load(&share->buffer[i].used))
			apmu_qemu__sink_buffer(&share->buffer[i]);
}

void apmu_qemu__sink_executed(void)
{
	if (apmu_qemu__command_hold())
		write_threads();
	apmu_qemu__command_release();
	apmu_qemu__sink_counts(0, UINT64_MAX);
	apmu_qemu__maps_executed();
}

void apmu_qemu__sink_map(const struct profile__map_block *map, const char *path)
{
	int fd = begin_block(), bad = 0;

	if (fd >= 0)
		bad = profile__block_write(fd, PROFILE__BLOCK_MAP, map, sizeof(*map), path, strlen(path));
	end_block(fd, bad);
}
