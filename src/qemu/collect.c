/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pread */
#include "qemu/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Returns the number of whole marks in the file; a torn one at its end is from a process that died while
 * writing it. */
static size_t file_marks(int fd)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return 0;
	return (size_t)about.st_size / sizeof(struct apmu_qemu__snapshot);
}

static bool taken(const struct apmu_qemu__slot *slot)
{
	return atomic_load(&slot->used) && slot->pid != 0;
}

static size_t slot_marks(const struct apmu_qemu__share *share)
{
	size_t n = 0;

	for (size_t i = 0; i < apmu_qemu__slots(share); i++)
		n += taken(&share->slot[i]);
	return n;
}

/* Reads exactly `size` bytes from the start. */
static bool read_all(int fd, char *out, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(fd, out + done, size - done, (off_t)done);
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* Copies the slots' marks, at most `room`; returns how many. */
static size_t read_slots(const struct apmu_qemu__share *share, struct apmu_qemu__snapshot *out, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; n < room && i < apmu_qemu__slots(share); i++) {
		const struct apmu_qemu__slot *slot = &share->slot[i];
		if (!taken(slot))
			continue;
		out[n++] = (struct apmu_qemu__snapshot){.pid = slot->pid,
							.tid = slot->tid,
							.last = true,
							.serial = slot->serial,
							.image = slot->image,
							.asked = slot->asked,
							.resyncs = slot->resyncs,
							.violation = slot->violation,
							.untimed = slot->samples.untimed,
							.variance = slot->samples.squares,
							.tally = apmu_qemu__slot_counted(share, slot)};
		memcpy(out[n - 1].name, slot->name, sizeof(slot->name) - 1);
	}
	return n;
}

/* Writes the samples left in the buffers of threads that still have slots, and exact counts and edges. */
static void write_samples(struct apmu_qemu__share *share, const struct apmu_qemu__run_record *record,
			  struct apmu_qemu__run_result *result)
{
	for (size_t i = 0; i < apmu_qemu__slots(share); i++)
		if (taken(&share->slot[i]))
			apmu_qemu__buffer_write(share, &share->buffer[i], record->file);
	result->samples = atomic_load(&share->record.samples);
	result->samples_lost = atomic_load(&share->record.lost);
	result->blurred = atomic_load(&share->record.blurred);
	result->record_error = atomic_load(&share->record.error);
	result->edges_lost = atomic_load(&share->record.edges_lost);
	int bad = record->exact ? apmu_qemu__collect_cells(share, (uint32_t)record->events, record->file) : 0;
	if (bad == 0 && record->branches)
		bad = apmu_qemu__collect_edges(share, record->exact, record->file);
	if (bad)
		result->record_error = -bad;
}

/* Returns the preloads of unknown address; 0 if they are at most one per FEW instructions, too few to matter.
 */
#define FEW 10000u
static uint64_t preloads(const struct apmu_qemu__share *share, const struct apmu_qemu__run_result *result)
{
	uint64_t n = atomic_load(&share->preloads), instructions = 0;

	for (size_t i = 0; i < result->marks; i++)
		instructions += result->mark[i].last ? result->mark[i].tally.n[APMU_SIG_INST] : 0;
	return n > instructions / FEW ? n : 0;
}

const char *apmu_qemu__hidden_text(uint32_t hidden)
{
	return hidden & APMU_QEMU__HIDDEN_MOST
		       ? "most SVE loads and stores (8.1 and newer do)"
		       : "SVE gathers and scatters, and few of first-fault and no-fault loads";
}

/* Ends writing by children that live on, and waits for what they have begun: 200 ms at most, since a child
 * that is killed meanwhile ends nothing. */
static void close_share(struct apmu_qemu__share *share)
{
	static const struct timespec tick = {0, 1000000};

	atomic_store(&share->closed, 1);
	for (unsigned ms = 0; ms < 200 && atomic_load(&share->writing) != 0; ms++)
		nanosleep(&tick, NULL);
}

int apmu_qemu__collect(struct apmu_qemu__share *share, int marks, const struct apmu_qemu__run_record *record,
		       struct apmu_qemu__run_result *result, const struct apmu_qemu__error *error)
{
	close_share(share);
	apmu_qemu__meter_read(share);
	apmu_qemu__block_counters_add(share,
				      &share->slot[share->block_counter_slot % APMU_QEMU__SLOTS].tally);
	size_t slots = slot_marks(share), written = file_marks(marks);
	struct apmu_qemu__snapshot *all = calloc(written + slots + 1, sizeof(*all));

	if (!all)
		return apmu_qemu__say(error, -ENOMEM, "no memory for %zu marks", written + slots);
	if (!read_all(marks, (char *)all, written * sizeof(*all))) {
		free(all);
		return apmu_qemu__say(error, -EIO, "the marks file cannot be read back: %s", strerror(errno));
	}
	slots = read_slots(share, all + written, slots);
	for (size_t i = 0; i < written; i++)
		all[i].name[sizeof(all[i].name) - 1] = '\0';
	if (record)
		write_samples(share, record, result);
	result->mark = all;
	result->marks = written + slots;
	result->requests = atomic_load(&share->requests);
	result->requests_unread = atomic_load(&share->requests_unread);
	result->unfixed = atomic_load(&share->unfixed);
	result->entered = atomic_load(&share->region_entered);
	result->load_bias = atomic_load(&share->load_bias);
	result->undecoded = atomic_load(&share->undecoded);
	result->preloads = preloads(share, result);
	result->hidden = atomic_load(&share->hidden);
	result->undecoded_word = atomic_load(&share->undecoded_word);
	result->marks_lost = atomic_load(&share->marks_lost);
	result->marks_error = atomic_load(&share->marks_error);
	result->native = atomic_load(&share->native);
	memcpy(result->native_path, share->native_path, sizeof(result->native_path) - 1);
	result->threads_lost = atomic_load(&share->slotless);
	return 0;
}
