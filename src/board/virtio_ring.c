/* SPDX-License-Identifier: MIT */
/* Split virtqueues (2.7), which the guest may have filled with anything. */
#include "board/virtio_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { DESCRIPTORS, AVAILABLE, USED };
#define NEXT         1u
#define WRITE        2u
#define NO_INTERRUPT 1u
#define IN           0
#define OUT          1

struct descriptor {
	uint64_t address;
	uint32_t size;
	uint16_t flags, next;
};

/* A message: the first thing that is wrong with a ring. */
struct wrong {
	char text[120];
};

#define WRONG(wrong, ...) (snprintf((wrong)->text, sizeof(wrong)->text, __VA_ARGS__), false)

static bool read_half(const struct apmu_board__memory *memory, uint64_t address, uint16_t *value)
{
	uint8_t bytes[2];

	if (!memory->read(memory->ctx, address, bytes, sizeof bytes))
		return false;
	*value = (uint16_t)(bytes[0] | bytes[1] << 8);
	return true;
}

static void put_little(uint8_t *bytes, unsigned n, uint64_t value)
{
	for (unsigned i = 0; i < n; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
}

static bool read_descriptor(const struct apmu_board__memory *memory, uint64_t address, struct descriptor *d)
{
	uint8_t bytes[16];

	if (!memory->read(memory->ctx, address, bytes, sizeof bytes))
		return false;
	d->address = apmu_board__little(bytes, 8);
	d->size = (uint32_t)apmu_board__little(bytes + 8, 4);
	d->flags = (uint16_t)apmu_board__little(bytes + 12, 2);
	d->next = (uint16_t)apmu_board__little(bytes + 14, 2);
	return true;
}

static bool add_part(struct apmu_board__virtio_chain *chain, const struct descriptor *d, unsigned index,
		     struct wrong *wrong)
{
	bool writes = d->flags & WRITE;

	if (d->flags & ~(NEXT | WRITE))
		return WRONG(wrong, "descriptor %u has flags 0x%x: only NEXT and WRITE were negotiated",
			     index, d->flags);
	if (!writes && chain->n > chain->reads)
		return WRONG(wrong, "descriptor %u is to be read and follows one to be written", index);
	chain->part[chain->n].address = d->address;
	chain->part[chain->n].size = d->size;
	chain->n++;
	chain->reads += !writes;
	chain->left[writes] += d->size;
	return true;
}

static bool follow(const struct apmu_board__virtio_queue *queue, unsigned head,
		   struct apmu_board__virtio_chain *chain, struct wrong *wrong)
{
	struct descriptor d = {.flags = NEXT, .next = (uint16_t)head};

	while (d.flags & NEXT) {
		unsigned index = d.next;

		if (index >= queue->num)
			return WRONG(wrong, "descriptor %u of %u is named", index, queue->num);
		if (chain->n == queue->num)
			return WRONG(wrong, "the chain from descriptor %u has no end", head);
		if (!read_descriptor(chain->memory, queue->ring[DESCRIPTORS] + 16 * (uint64_t)index, &d))
			return WRONG(wrong, "descriptor %u is not in RAM", index);
		if (!add_part(chain, &d, index, wrong))
			return false;
	}
	chain->at[OUT] = chain->reads;
	return true;
}

/* Passes over up to n bytes of a stream, within one part; returns how many, and their address. */
static size_t pass(struct apmu_board__virtio_chain *chain, unsigned way, uint64_t n, uint64_t *address)
{
	unsigned at = chain->at[way];
	uint32_t room = chain->part[at].size - chain->into[way], now = room < n ? room : (uint32_t)n;

	*address = chain->part[at].address + chain->into[way];
	chain->into[way] += now;
	chain->left[way] -= now;
	if (chain->into[way] == chain->part[at].size) {
		chain->at[way]++;
		chain->into[way] = 0;
	}
	return now;
}

static bool move(struct apmu_board__virtio_chain *chain, unsigned way, uint8_t *bytes, uint64_t n)
{
	const struct apmu_board__memory *memory = chain->memory;
	uint64_t address;

	if (n > chain->left[way] || chain->beyond)
		return false;
	while (n) {
		size_t now = pass(chain, way, n, &address);

		if (!(way == IN ? memory->read(memory->ctx, address, bytes, now)
				: memory->write(memory->ctx, address, bytes, now))) {
			chain->beyond = true;
			chain->beyond_at = address;
			return false;
		}
		bytes += now;
		n -= now;
	}
	return true;
}

bool apmu_board__virtio_take(struct apmu_board__virtio_chain *chain, void *to, uint64_t n)
{
	return move(chain, IN, to, n);
}

bool apmu_board__virtio_give(struct apmu_board__virtio_chain *chain, const void *from, uint64_t n)
{
	if (!move(chain, OUT, (uint8_t *)(uintptr_t)from, n))
		return false;
	chain->written += (uint32_t)n;
	return true;
}

void apmu_board__virtio_skip(struct apmu_board__virtio_chain *chain, uint64_t n)
{
	uint64_t address;

	while (n)
		n -= pass(chain, OUT, n, &address);
}

static bool put_used(const struct apmu_board__virtio *bus, struct apmu_board__virtio_queue *queue,
		     unsigned head, uint32_t written, struct wrong *wrong)
{
	uint64_t ring = queue->ring[USED];
	uint8_t element[8], index[2];

	put_little(element, 4, head);
	put_little(element + 4, 4, written);
	put_little(index, 2, (uint16_t)(queue->used + 1));
	if (!bus->memory.write(bus->memory.ctx, ring + 4 + 8 * (uint64_t)(queue->used & (queue->num - 1)),
			       element, 8) ||
	    !bus->memory.write(bus->memory.ctx, ring + 2, index, 2))
		return WRONG(wrong, "the used ring at 0x%" PRIx64 " is not in RAM", ring);
	queue->used++;
	return true;
}

static bool use(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device, unsigned q,
		struct apmu_board__virtio_chain *chain)
{
	return device->config.kind == APMU_BOARD__VIRTIO_BLOCK
		       ? apmu_board__virtio_block(device, chain)
		       : apmu_board__virtio_console(bus, device, q, chain);
}

/* Serves the next chain. False: there is none, or the ring is wrong. */
static bool serve_one(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device, unsigned q,
		      struct wrong *wrong)
{
	struct apmu_board__virtio_queue *queue = &device->queue[q];
	struct apmu_board__virtio_chain chain = {.memory = &bus->memory};
	uint64_t ring = queue->ring[AVAILABLE];
	uint16_t index, head;

	if (!read_half(&bus->memory, ring + 2, &index) ||
	    !read_half(&bus->memory, ring + 4 + 2 * (uint64_t)(queue->seen & (queue->num - 1)), &head))
		return WRONG(wrong, "the available ring at 0x%" PRIx64 " is not in RAM", ring);
	if ((uint16_t)(index - queue->seen) > queue->num)
		return WRONG(wrong, "the available index is %u after %u, in a queue of %u", index,
			     queue->seen, queue->num);
	if (index == queue->seen || !follow(queue, head, &chain, wrong) || !use(bus, device, q, &chain))
		return false;
	if (chain.beyond)
		return WRONG(wrong, "a buffer at 0x%" PRIx64 " is not in RAM", chain.beyond_at);
	queue->seen++;
	return put_used(bus, queue, head, chain.written, wrong);
}

static void stop(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device, unsigned q,
		 const char *text)
{
	char line[240];

	device->status |= APMU_BOARD__VIRTIO_NEEDS_RESET;
	device->interrupt |= APMU_BOARD__VIRTIO_CONFIG;
	snprintf(line, sizeof line,
		 "virtio %s at 0x%" PRIx64 ", queue %u: %s; the device stops until it is reset",
		 device->config.kind == APMU_BOARD__VIRTIO_BLOCK ? "block device" : "console",
		 bus->base + (uint64_t)device->config.slot * APMU_BOARD__VIRTIO_STRIDE, q, text);
	if (bus->warn)
		bus->warn(bus->ctx, line);
}

void apmu_board__virtio_serve(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device,
			      unsigned q)
{
	struct apmu_board__virtio_queue *queue = &device->queue[q];
	struct wrong wrong = {""};
	uint16_t before = queue->used, flags = 0;

	/* A chain is available once per turn of the index, so at most `num` chains are. */
	for (unsigned k = 0; k < queue->num && serve_one(bus, device, q, &wrong); k++)
		;
	if (wrong.text[0]) {
		stop(bus, device, q, wrong.text);
		return;
	}
	if (queue->used != before && read_half(&bus->memory, queue->ring[AVAILABLE], &flags) &&
	    !(flags & NO_INTERRUPT))
		device->interrupt |= APMU_BOARD__VIRTIO_USED;
}
