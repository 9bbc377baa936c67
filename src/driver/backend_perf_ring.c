/* SPDX-License-Identifier: MIT */
/* Samples from the kernel's ring buffer behind an event's page (linux/perf_event.h: data_head, data_tail,
 * records). */
#define _DEFAULT_SOURCE
#include "driver/backend_perf.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>

#define SILENT ((uint64_t)1 << 62) /* a period that is never reached */

struct ring {
	const struct apmu_perf_event *event;
	struct perf_event_mmap_page *page;
	const unsigned char *data;
	uint64_t size, tail;
};

/* Copies bytes of the ring from `at` on, which may wrap around its end. */
static void copy(const struct ring *ring, uint64_t at, void *to, size_t n)
{
	size_t offset = (size_t)(at & (ring->size - 1)), first = (size_t)ring->size - offset;

	if (first > n)
		first = n;
	memcpy(to, ring->data + offset, first);
	memcpy((unsigned char *)to + first, ring->data, n - first);
}

/* A sample record, with the fields that backend_perf.c asks for: IP, TID, TIME, READ. */
struct record {
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t read[3 + APMU_PERF_COUNTERS +
		      1]; /* value, enabled, running; a group: n, enabled, running, values */
};

static void sample(struct apmu_dev *dev, struct apmu_dev_slot *slot, const struct ring *ring,
		   const struct record *record)
{
	const struct apmu_perf_event *event = ring->event;
	struct apmu_perf_sample state = {
		.ip = record->ip, .time = record->time, .pid = record->pid, .tid = record->tid};
	uint64_t value = record->read[event->grouped ? 3 + event->nth : 0] + event->offset;
	struct apmu_sample out = {.slot = (uint8_t)(slot - dev->config->slots),
				  .periods = 1,
				  .value = slot->base + value - slot->last,
				  .state = &state};

	if (slot->flags & APMU_DRIVER__THROTTLED)
		return;
	apmu_driver__slot_throttle(dev, slot);
	out.throttled = slot->flags & APMU_DRIVER__THROTTLED;
	if (out.throttled)
		apmu_driver__perf_period(dev, event, SILENT);
	else if (slot->want.jitter)
		apmu_driver__perf_period(dev, event, apmu_driver__slot_period(dev, slot));
	if (dev->config->sample)
		dev->config->sample(dev->config->user, &out);
}

/* Handles one record; returns its length in bytes, 0 for one that makes no sense. */
static uint64_t take(struct apmu_dev *dev, struct apmu_dev_slot *slot, const struct ring *ring, uint64_t left,
		     int *served)
{
	struct apmu_perf *perf = dev->ctx;
	struct perf_event_header header;
	struct record record = {0};
	uint64_t lost[2]; /* id, number of records lost */
	size_t n;

	copy(ring, ring->tail, &header, sizeof(header));
	if (header.size < sizeof(header) || header.size > left)
		return 0;
	n = header.size - sizeof(header);
	if (header.type == PERF_RECORD_LOST && n >= sizeof(lost)) {
		copy(ring, ring->tail + sizeof(header), lost, sizeof(lost));
		perf->lost += (uint32_t)lost[1];
		slot->flags |= APMU_DRIVER__OMITTED;
	} else if (header.type == PERF_RECORD_THROTTLE) {
		slot->flags |= APMU_DRIVER__OMITTED;
	} else if (header.type == PERF_RECORD_SAMPLE) {
		copy(ring, ring->tail + sizeof(header), &record, n < sizeof(record) ? n : sizeof(record));
		sample(dev, slot, ring, &record);
		++*served;
	}
	return header.size;
}

static int drain(struct apmu_dev *dev, struct apmu_dev_slot *slot, struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	int served = 0;

	ring->tail = ring->page->data_tail;
	while (ring->tail != head) {
		uint64_t length = take(dev, slot, ring, head - ring->tail, &served);

		ring->tail = length ? ring->tail + length : head;
		__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE);
	}
	return served;
}

int apmu_driver__perf_serve(struct apmu_dev *dev)
{
	struct apmu_dev_slot *slot;
	int served = 0;

	for (unsigned i = 0; (slot = apmu_driver__next(dev, &i));) {
		struct apmu_perf_event *event = apmu_driver__perf_event(dev, slot->counter);
		struct ring ring = {.event = event, .page = event->page};

		if (!slot->want.period || !ring.page || !ring.page->data_size)
			continue;
		ring.size = ring.page->data_size;
		ring.data = (const unsigned char *)event->page + ring.page->data_offset;
		served += drain(dev, slot, &ring);
	}
	return served;
}

#endif
