/* SPDX-License-Identifier: MIT */
/**
 * The limit on the memory of the blocks' records. Records can be freed only all at once, and QEMU then
 * translates all code anew that still runs. That is worth it where most records are of code that is gone, or
 * that will not run again; a program whose blocks do not fit gets a higher limit instead.
 *
 * How blocks come back tells the cases apart. A block that is made twice since records were freed has left a
 * dead record: the program has written its code anew. A block that was freed and is made again was needed.
 * Sets of blocks are bits by a hash of the address, so their sizes are estimates.
 *
 * Not thread-safe: the caller holds a lock.
 */
#ifndef APMU_QEMU_RECORD_LIMIT_H
#define APMU_QEMU_RECORD_LIMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define APMU_QEMU__LIMIT_FIRST ((size_t)40 << 20)  /* bytes of records */
#define APMU_QEMU__LIMIT_MOST  ((size_t)640 << 20) /* never more */
#define APMU_QEMU__LIMIT_SHIFT 21                  /* log2 of the bits of a set */
#define APMU_QEMU__LIMIT_BITS  (1u << APMU_QEMU__LIMIT_SHIFT)

struct apmu_qemu__record_limit {
	size_t limit;
	size_t made, twice; /* blocks made since records were freed; of these, a second time since then */
	size_t returned;    /* of these, for the first time since then, but freed before */
	size_t known;       /* blocks in `freed` */
	uint64_t now[APMU_QEMU__LIMIT_BITS / 64], freed[APMU_QEMU__LIMIT_BITS / 64];
};

/* A block at this address was made. */
void apmu_qemu__limit_made(struct apmu_qemu__record_limit *l, uint64_t addr);

/* True if the records, of `bytes` in all, are to be freed; may raise the limit instead. */
bool apmu_qemu__limit_passed(struct apmu_qemu__record_limit *l, size_t bytes);

/* The records were freed. */
void apmu_qemu__limit_freed(struct apmu_qemu__record_limit *l);

#endif
