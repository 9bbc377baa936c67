/* SPDX-License-Identifier: MIT */
/**
 * Reading a profile: read.c opens the file and walks its blocks, load.c puts them into the tables, meta.c
 * reads the JSON blocks, chain.c interns chains, where.c finds mappings.
 */
#ifndef APMU_PROFILE_LOAD_H
#define APMU_PROFILE_LOAD_H

#include "profile/format.h"

#include <jansson.h>
#include <sys/types.h>

/* A thread's numbering of chain nodes. */
struct profile__nodes {
	uint32_t *node; /* indexed by the thread's node number - 1: index into profile->frame */
	uint32_t n;
};

/* A samples block in the file. */
struct profile__extent {
	off_t at; /* offset of its payload */
	uint32_t size, thread, when;
};

struct profile__file {
	struct profile__profile profile; /* the public part; first, so that both have one address */
	int fd;
	off_t size;
	bool stream; /* the file is a pipe or a terminal, and fd a copy in memory */
	struct profile__extent *extent;
	size_t extents;
	struct profile__nodes *nodes; /* indexed by thread */
	uint64_t lost_nodes;          /* nodes of all threads that stand for those of lost blocks */
	uint32_t *bucket;             /* chain.c: hash of the frames, a power of two; 0: empty */
	size_t buckets;
	uint32_t *by_start; /* where.c: maps in order of pid, start, when */
	uint64_t *covered;  /* where.c: for each of by_start, the highest end so far in its process */
	json_t *meta, *end; /* own the strings */
	uint8_t *payload;   /* payload of the block being loaded */
	size_t room;
};

/* Load a block's payload. 0 or a negative errno value: -ENOMEM, or -EINVAL for a payload that makes no sense
 * (the block is skipped). */
int profile__load_meta(struct profile__file *f, const uint8_t *bytes, size_t size);
int profile__load_end(struct profile__file *f, const uint8_t *bytes, size_t size);
int profile__load_map(struct profile__file *f, const uint8_t *payload, size_t size, uint32_t when);
int profile__load_code(struct profile__file *f, const uint8_t *payload, size_t size);
int profile__load_lines(struct profile__file *f, const uint8_t *payload, size_t size);
int profile__load_bytes(struct profile__file *f, const uint8_t *payload, size_t size);
void profile__free_map(struct profile__map *map); /* frees what the mapping points to */
int profile__load_samples(struct profile__file *f, const uint8_t *payload, size_t size, off_t at,
			  uint32_t when);

int profile__load_edges(struct profile__file *f, const uint8_t *payload, size_t size, uint32_t when);

/* Returns the thread with this serial number, made if necessary; PROFILE__NONE without memory. */
uint32_t profile__load_thread(struct profile__file *f, uint32_t serial, int32_t pid, int32_t tid);

/* Returns the node with this parent and pc, made if necessary; PROFILE__NONE without memory. */
uint32_t profile__chain_node(struct profile__file *f, const struct profile__frame *frame);

/* Sorts the mappings for profile__map_at(). */
int profile__where_sort(struct profile__file *f);

/* Makes room for one more element in an array of `n`, by doubling; NULL without memory: the old array stays
 * valid. */
void *profile__room(void *array, size_t n, size_t size);

#endif
