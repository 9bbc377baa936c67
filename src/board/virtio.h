/* SPDX-License-Identifier: MIT */
/**
 * Virtio devices on memory-mapped transports (Virtual I/O Device 1.2, whose sections are cited): a block
 * device (5.2) and a console (5.3), split virtqueues (2.7), version 2 of the registers (4.2.2), no legacy
 * interface. Places and interrupts are those of QEMU's virt: 32 transports of 512 bytes, of which those
 * without a device read DeviceID 0.
 *
 * The guest's rings are not trusted. A ring that breaks the specification makes one line of text (`warn`),
 * sets DEVICE_NEEDS_RESET and stops the device until the driver resets it.
 *
 * Choices. A request is done when the queue is notified: the used ring has it before the notifying store
 * ends. Offered: VERSION_1; block: SEG_MAX, RO if the drive is not writable, FLUSH if it is. A transfer
 * leaves the core's caches as they are. A console's input begins a tenth of a second after the driver's first
 * buffer: Linux's driver drops what comes before it has made the console known.
 */
#ifndef APMU_BOARD_VIRTIO_H
#define APMU_BOARD_VIRTIO_H

#include "board/bus.h"
#include "board/memory.h"

#define APMU_BOARD__VIRTIO_SLOTS   32
#define APMU_BOARD__VIRTIO_STRIDE  0x200u
#define APMU_BOARD__VIRTIO_DEVICES 4
#define APMU_BOARD__VIRTIO_QUEUES  2
#define APMU_BOARD__VIRTIO_LONGEST 256 /* most descriptors of a queue, and so of a chain */
#define APMU_BOARD__SECTOR         512u

enum { APMU_BOARD__VIRTIO_NONE, APMU_BOARD__VIRTIO_BLOCK = 2, APMU_BOARD__VIRTIO_CONSOLE = 3 }; /* DeviceID */

/* The contents behind a device: the whole sectors of a block device, or what a console receives. */
struct apmu_board__virtio_config {
	uint8_t kind, slot;
	bool writable; /* of a block device */
	uint8_t *bytes;
	uint64_t size;
};

struct apmu_board__virtio_queue {
	uint64_t ring[3]; /* addresses: descriptors, available, used */
	uint16_t num, seen, used;
	bool ready;
};

struct apmu_board__virtio_device {
	struct apmu_board__virtio_config config;
	uint64_t accepted; /* features that the driver has accepted */
	uint64_t received; /* console: how many of config.bytes it has received */
	/* Console: when its input begins, in cycles; APMU_BOARD__NEVER: it is not waited for, or it has
	 * begun. */
	uint64_t comes_at;
	bool typing; /* console: its input has begun */
	uint32_t feature_select, accept_select, queue_select;
	uint8_t status, interrupt;
	struct apmu_board__virtio_queue queue[APMU_BOARD__VIRTIO_QUEUES];
};

struct apmu_board__virtio {
	struct apmu_board__virtio_device device[APMU_BOARD__VIRTIO_DEVICES];
	struct apmu_board__memory memory; /* physical */
	void (*transmit)(void *ctx, uint8_t byte);
	void (*warn)(void *ctx, const char *line);
	void *ctx; /* of `transmit` and `warn` */
	uint64_t base;
	uint64_t now, pause; /* cycles; `pause`: from a console's first buffer to its first input */
};
extern const struct apmu_board__device_ops apmu_board__virtio_ops; /* line n: transport n */

/* Transports with a device: bit n for transport n. */
uint32_t apmu_board__virtio_slots(const struct apmu_board__virtio *bus);

#endif
