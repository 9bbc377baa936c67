/* SPDX-License-Identifier: MIT */
/**
 * The bytes of a profile file; docs/profile-format.md describes them in words.
 *
 *     file  = head block...
 *     block = block head, payload        each checksummed; in any order but META first
 *
 * Several processes append blocks to one file (O_APPEND, one write per block). A reader that meets a torn or
 * damaged block looks for the next block head. Numbers are little-endian; a SAMPLES payload is a sequence of
 * records, made of varints (7 bits per byte, low first; signed ones zigzag):
 *
 *     sample = tag [event] dpc dinst dcycles [weight] [chain] [daddress latency where]
 *     frame  = tag parent pc
 *     stack  = tag n (dto dfrom kind-and-mispredicted cycles)...    the branches of the next sample
 *
 * The deltas start at 0 in each block; those of a stack start at 0 in each stack, where each refers to the
 * address before it. Nodes of the chain tree are numbered per thread, from 1.
 *
 * Also used by the engine's plugin inside QEMU: no allocation, no state but the caller's.
 */
#ifndef APMU_PROFILE_FORMAT_H
#define APMU_PROFILE_FORMAT_H

#include "profile/profile.h"

#define PROFILE__MAGIC       "APMUPROF"
#define PROFILE__VERSION     2u /* 2: with branches or data (record -b, -d); other files have version 1 */
#define PROFILE__ORDER       0x01020304u
#define PROFILE__BLOCK_MAGIC 0x4b4c4250u /* "PBLK" */
#define PROFILE__BLOCK_MOST  (16u << 20) /* most bytes of a payload other than META and END, which grow */
#define PROFILE__RECORD_MOST 96u         /* most bytes of a record other than a stack */
#define PROFILE__STACK_MOST  1024u       /* most bytes of a stack */

enum profile__block_kind {
	PROFILE__BLOCK_META = 1, /* JSON: what was recorded, and how */
	PROFILE__BLOCK_MAP,      /* struct profile__map_block, path */
	PROFILE__BLOCK_SAMPLES,  /* struct profile__samples_block, records */
	PROFILE__BLOCK_END,      /* JSON: totals, exit status */
	PROFILE__BLOCK_EDGES,    /* struct profile__samples_block, struct profile__edge_row... */
	PROFILE__BLOCK_CODE,     /* struct profile__code_block, name */
	PROFILE__BLOCK_LINES,    /* lines of the CODE block before it: struct profile__line_row, file... */
	PROFILE__BLOCK_BYTES,    /* instructions of the CODE block before it */
};

struct profile__file_head {
	char magic[8];
	uint32_t version, order;
	uint64_t check; /* checksum of what comes before it */
};

struct profile__block_head {
	uint32_t magic, kind, size, zero; /* size: bytes of the payload */
	uint64_t check;                   /* checksum of what comes before it, and of the payload */
};

struct profile__map_block {
	uint64_t start, end, offset;
	int32_t pid;
	uint32_t build_id_size;
	uint8_t build_id[32];
};

/* Code that the program made at any time of the run. */
struct profile__code_block {
	uint64_t start, size;
	int32_t pid;
	uint32_t zero;
};

/* A source line: code from `at` (bytes from the code's start) to the next row belongs to it. */
struct profile__line_row {
	uint32_t at, line;
	uint32_t length; /* bytes of the file's name, which follows; 0: that of the previous row */
};

struct profile__samples_block {
	int32_t pid, tid;
	uint32_t serial; /* serial number of the thread, unique in a run */
	uint32_t node;   /* the first node that this block defines */
};

/* struct profile__edge in the file. */
struct profile__edge_row {
	uint64_t start, from, to, runs, mispredicted;
	uint32_t kind, taken;
};

/* Tags. */
#define PROFILE__TAG_FRAME  0x01u /* not set: a sample */
#define PROFILE__TAG_SIGNAL 0x02u /* in a frame: a signal handler, not a call */
#define PROFILE__TAG_STACK  0x04u /* with TAG_FRAME: branches instead of a frame */
#define PROFILE__TAG_WEIGHT \
	0x02u /* in a sample: the weight differs from the event's last sample in the block */
#define PROFILE__TAG_CHAIN 0x04u /* in a sample: the chain differs from the last sample's */
#define PROFILE__TAG_DATA  0x08u
#define PROFILE__TAG_EVENT 4u /* shift of the event's index; 15: a varint follows */

#define PROFILE__WHERE_TLB   0x80u
#define PROFILE__WHERE_WALK  0x40u
#define PROFILE__WHERE_STORE 0x20u

/* The values that deltas refer to. */
struct profile__deltas {
	uint64_t pc, instructions, cycles, address;
	uint32_t chain;
	uint64_t weight[PROFILE__EVENTS];
};

/* Write a record at `at` and return its end; a record takes at most PROFILE__RECORD_MOST bytes, a stack
 * PROFILE__STACK_MOST. */
uint8_t *profile__put_sample(uint8_t *at, struct profile__deltas *last, const struct profile__sample *sample);
uint8_t *profile__put_frame(uint8_t *at, uint32_t parent, uint64_t pc, bool signal);
uint8_t *profile__put_stack(uint8_t *at, const struct profile__branch *branch, uint32_t n);

/* A record read back. */
struct profile__record {
	bool is_frame, is_stack;
	struct profile__frame frame;
	struct profile__sample sample;                    /* event and chain are not checked */
	struct profile__branch branch[PROFILE__BRANCHES]; /* branches of the last stack */
	uint32_t branches;                                /* 0 after the sample that they belong to */
};

/* Decodes the record at `at` and returns its end; NULL if there is no whole record before `end`. `out` is the
 * caller's, zero before the first record of a block. */
const uint8_t *profile__get_record(const uint8_t *at, const uint8_t *end, struct profile__deltas *last,
				   struct profile__record *out);

/* Returns the checksum of bytes, continuing that of earlier bytes, which were whole words of eight bytes. */
uint64_t profile__check(uint64_t before, const void *bytes, size_t n);

/* Returns why a write to the file ended before its end: -EFBIG at the process's limit (`ulimit -f`), else
 * -ENOSPC. */
int profile__cut_short(int fd);

/* Appends a block of two parts to a file opened with O_APPEND, in one write. 0, or a negative errno value,
 * also if only a part of it fitted. head_size is a multiple of 8. */
int profile__block_write(int fd, enum profile__block_kind kind, const void *head, size_t head_size,
			 const void *body, size_t body_size);

#endif
