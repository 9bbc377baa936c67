/* SPDX-License-Identifier: MIT */
/* The transports' registers (4.2.2): 32 bits each, the configuration space from 0x100 on in any size. */
#include "board/virtio_internal.h"

#include <string.h>

enum {
	MAGIC = 0x000,
	VERSION = 0x004,
	DEVICE_ID = 0x008,
	VENDOR_ID = 0x00C,
	FEATURES = 0x010,
	FEATURES_SELECT = 0x014,
	ACCEPT = 0x020,
	ACCEPT_SELECT = 0x024,
	QUEUE_SELECT = 0x030,
	QUEUE_MOST = 0x034,
	QUEUE_SIZE = 0x038,
	QUEUE_READY = 0x044,
	NOTIFY = 0x050,
	INTERRUPT_STATUS = 0x060,
	INTERRUPT_ACK = 0x064,
	STATUS = 0x070,
	QUEUE_RINGS = 0x080, /* descriptors; 0x090 available, 0x0A0 used: low and high words */
	QUEUE_RINGS_END = 0x0A8,
	GENERATION = 0x0FC,
	CONFIGURATION = 0x100,
};

#define VIRT        0x74726976u /* "virt" */
#define VENDOR      0x756D7061u /* "apmu" */
#define FEATURES_OK 0x08u
#define DRIVER_OK   0x04u
#define VERSION_1   ((uint64_t)1 << 32)
#define SEG_MAX     ((uint64_t)1 << 2) /* of a block device */
#define READ_ONLY   ((uint64_t)1 << 5)
#define FLUSH       ((uint64_t)1 << 9)
#define CONFIG_SIZE 16u

static uint64_t features(const struct apmu_board__virtio_device *device)
{
	if (device->config.kind != APMU_BOARD__VIRTIO_BLOCK)
		return VERSION_1;
	return VERSION_1 | SEG_MAX | (device->config.writable ? FLUSH : READ_ONLY);
}

static unsigned queues(const struct apmu_board__virtio_device *device)
{
	return device->config.kind == APMU_BOARD__VIRTIO_BLOCK ? 1 : 2;
}

static void reset_device(struct apmu_board__virtio_device *device)
{
	struct apmu_board__virtio_device fresh = {
		.config = device->config, .received = device->received, .comes_at = APMU_BOARD__NEVER};

	*device = fresh;
}

static void reset(void *state)
{
	struct apmu_board__virtio *bus = state;

	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++)
		reset_device(&bus->device[i]);
}

static struct apmu_board__virtio_device *device_at(struct apmu_board__virtio *bus, uint32_t offset)
{
	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++)
		if (bus->device[i].config.kind &&
		    bus->device[i].config.slot == offset / APMU_BOARD__VIRTIO_STRIDE)
			return &bus->device[i];
	return NULL;
}

/* 5.2.4: capacity in sectors, size_max, seg_max, which leaves out the header and the status byte. A console's
 * fields are not there, since the features that would say so are not offered. */
static uint64_t read_configuration(const struct apmu_board__virtio_device *device, uint32_t offset,
				   unsigned size)
{
	uint64_t capacity = device->config.size / APMU_BOARD__SECTOR, value = 0;
	uint32_t segments = APMU_BOARD__VIRTIO_LONGEST - 2;
	uint8_t bytes[CONFIG_SIZE + 8] = {0};

	if (device->config.kind != APMU_BOARD__VIRTIO_BLOCK || offset >= CONFIG_SIZE)
		return 0;
	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(capacity >> 8 * i);
	for (unsigned i = 0; i < 4; i++)
		bytes[12 + i] = (uint8_t)(segments >> 8 * i);
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)bytes[offset + i] << 8 * i;
	return value;
}

static uint32_t read_register(const struct apmu_board__virtio_device *device, uint32_t at)
{
	const struct apmu_board__virtio_queue *queue =
		device->queue_select < queues(device) ? &device->queue[device->queue_select] : NULL;

	switch (at) {
	case FEATURES:
		return device->feature_select < 2
			       ? (uint32_t)(features(device) >> 32 * device->feature_select)
			       : 0;
	case QUEUE_MOST: return queue ? APMU_BOARD__VIRTIO_LONGEST : 0;
	case QUEUE_READY: return queue ? queue->ready : 0;
	case INTERRUPT_STATUS: return device->interrupt;
	case STATUS: return device->status;
	default: return 0;
	}
}

static uint64_t read(void *state, uint32_t offset, unsigned size)
{
	struct apmu_board__virtio *bus = state;
	const struct apmu_board__virtio_device *device = device_at(bus, offset);
	uint32_t at = offset % APMU_BOARD__VIRTIO_STRIDE;

	if (at >= CONFIGURATION)
		return device ? read_configuration(device, at - CONFIGURATION, size) : 0;
	if (size != 4 || at % 4)
		return 0;
	switch (at) {
	case MAGIC: return VIRT;
	case VERSION: return 2;
	case VENDOR_ID: return VENDOR;
	case DEVICE_ID: return device ? device->config.kind : APMU_BOARD__VIRTIO_NONE;
	default: return device ? read_register(device, at) : 0;
	}
}

static void set_status(struct apmu_board__virtio_device *device, uint32_t value)
{
	if (value == 0) {
		reset_device(device);
		return;
	}
	value |= device->status & APMU_BOARD__VIRTIO_NEEDS_RESET;
	if (device->accepted & ~features(device) || !(device->accepted & VERSION_1))
		value &= ~FEATURES_OK;
	device->status = (uint8_t)value;
}

static void set_half(uint64_t *word, bool high, uint32_t value)
{
	*word = high ? (uint32_t)*word | (uint64_t)value << 32 : (*word >> 32 << 32) | value;
}

/* A queue that is ready keeps its size and its place. */
static void set_queue(struct apmu_board__virtio_queue *queue, uint32_t at, uint32_t value)
{
	if (at == QUEUE_READY) {
		if ((value & 1) && !queue->ready)
			queue->seen = queue->used = 0;
		queue->ready = (value & 1) && queue->num;
	} else if (queue->ready) {
		return;
	} else if (at == QUEUE_SIZE) {
		bool power = value && !(value & (value - 1));

		queue->num = power && value <= APMU_BOARD__VIRTIO_LONGEST ? (uint16_t)value : 0;
	} else if (at % 16 < 8) {
		set_half(&queue->ring[(at - QUEUE_RINGS) / 16], at % 8, value);
	}
}

static bool receives(const struct apmu_board__virtio_device *device, uint32_t q)
{
	return device->config.kind == APMU_BOARD__VIRTIO_CONSOLE && q == 0;
}

static void notify(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device, uint32_t q)
{
	bool works = (device->status & DRIVER_OK) && !(device->status & APMU_BOARD__VIRTIO_NEEDS_RESET);

	if (!works || q >= queues(device) || !device->queue[q].ready)
		return;
	if (receives(device, q) && !device->typing && device->comes_at == APMU_BOARD__NEVER)
		device->comes_at = bus->now + bus->pause;
	if (!receives(device, q) || device->typing)
		apmu_board__virtio_serve(bus, device, q);
}

static void advance(void *state, uint64_t now)
{
	struct apmu_board__virtio *bus = state;

	bus->now = now;
	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++) {
		struct apmu_board__virtio_device *device = &bus->device[i];

		if (device->comes_at > now)
			continue;
		device->comes_at = APMU_BOARD__NEVER;
		device->typing = true;
		notify(bus, device, 0);
	}
}

static uint64_t deadline(const void *state)
{
	const struct apmu_board__virtio *bus = state;
	uint64_t soonest = APMU_BOARD__NEVER;

	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++)
		soonest = bus->device[i].comes_at < soonest ? bus->device[i].comes_at : soonest;
	return soonest;
}

static void write(void *state, uint32_t offset, uint64_t value64, unsigned size)
{
	struct apmu_board__virtio *bus = state;
	struct apmu_board__virtio_device *device = device_at(bus, offset);
	uint32_t at = offset % APMU_BOARD__VIRTIO_STRIDE, value = (uint32_t)value64;

	if (!device || size != 4 || at % 4)
		return;
	switch (at) {
	case FEATURES_SELECT: device->feature_select = value; break;
	case ACCEPT_SELECT: device->accept_select = value; break;
	case ACCEPT:
		if (device->accept_select < 2 && !(device->status & FEATURES_OK))
			set_half(&device->accepted, device->accept_select, value);
		break;
	case QUEUE_SELECT: device->queue_select = value; break;
	case NOTIFY: notify(bus, device, value); break;
	case INTERRUPT_ACK: device->interrupt &= (uint8_t)~value; break;
	case STATUS: set_status(device, value); break;
	default:
		if (device->queue_select < queues(device) &&
		    (at == QUEUE_SIZE || at == QUEUE_READY || (at >= QUEUE_RINGS && at < QUEUE_RINGS_END)))
			set_queue(&device->queue[device->queue_select], at, value);
	}
}

static uint32_t lines(const void *state)
{
	const struct apmu_board__virtio *bus = state;
	uint32_t up = 0;

	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++)
		if (bus->device[i].interrupt)
			up |= (uint32_t)1 << bus->device[i].config.slot;
	return up;
}

uint32_t apmu_board__virtio_slots(const struct apmu_board__virtio *bus)
{
	uint32_t slots = 0;

	for (unsigned i = 0; i < APMU_BOARD__VIRTIO_DEVICES; i++)
		if (bus->device[i].config.kind)
			slots |= (uint32_t)1 << bus->device[i].config.slot;
	return slots;
}

const struct apmu_board__device_ops apmu_board__virtio_ops = {
	.name = "virtio transport",
	.wide = true,
	.reset = reset,
	.read = read,
	.write = write,
	.lines = lines,
	.advance = advance,
	.deadline = deadline,
};
