/* SPDX-License-Identifier: MIT */
/* Shared between virtio's files. virtio.c: registers. virtio_ring.c: rings. virtio_block.c, virtio_console.c:
 * what is done with a chain. */
#ifndef APMU_BOARD_VIRTIO_INTERNAL_H
#define APMU_BOARD_VIRTIO_INTERNAL_H

#include "board/virtio.h"

/* The value of n little-endian bytes. */
static inline uint64_t apmu_board__little(const uint8_t *bytes, unsigned n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | bytes[n];
	return value;
}

/* A chain of descriptors, as two streams of bytes: [0] what the device reads, then [1] what it writes. */
struct apmu_board__virtio_chain {
	const struct apmu_board__memory *memory;
	struct {
		uint64_t address;
		uint32_t size;
	} part[APMU_BOARD__VIRTIO_LONGEST];
	unsigned n, reads; /* the device reads the first `reads` parts */
	unsigned at[2];    /* the current part of each stream */
	uint32_t into[2];  /* bytes of the current part that are done */
	uint64_t left[2];  /* bytes left of each stream */
	uint32_t written;
	bool beyond;        /* a buffer is not in RAM */
	uint64_t beyond_at; /* address that is not in RAM */
};

/* Moves the next n bytes; false: there are fewer, or a buffer is not in RAM. */
bool apmu_board__virtio_take(struct apmu_board__virtio_chain *chain, void *to, uint64_t n);
bool apmu_board__virtio_give(struct apmu_board__virtio_chain *chain, const void *from, uint64_t n);
/* Skips the next n bytes of what the device writes. */
void apmu_board__virtio_skip(struct apmu_board__virtio_chain *chain, uint64_t n);

/* Serves all chains of a queue that are available, in turn. */
void apmu_board__virtio_serve(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device,
			      unsigned q);

/* Executes the request of a chain. False: it stays available (a console with nothing to receive). */
bool apmu_board__virtio_block(struct apmu_board__virtio_device *device,
			      struct apmu_board__virtio_chain *chain);
bool apmu_board__virtio_console(struct apmu_board__virtio *bus, struct apmu_board__virtio_device *device,
				unsigned q, struct apmu_board__virtio_chain *chain);

/* Status (2.1) and interrupt bits. */
#define APMU_BOARD__VIRTIO_NEEDS_RESET 0x40u
#define APMU_BOARD__VIRTIO_USED        1u
#define APMU_BOARD__VIRTIO_CONFIG      2u

#endif
