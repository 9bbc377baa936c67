/* SPDX-License-Identifier: MIT */
/**
 * A growing byte buffer, and what pprof's messages need of protocol buffers' wire format.
 */
#ifndef APMU_PROFILE_PROTO_H
#define APMU_PROFILE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile__blob {
	uint8_t *at;
	size_t size, room;
	bool failed; /* memory ran out: the contents are incomplete */
};

void profile__blob_add(struct profile__blob *blob, const void *data, size_t size);
void profile__blob_free(struct profile__blob *blob);

/* Add a field: a number (omitted if 0, as in proto3), a text, or a message made in `from`, which is then
 * emptied. */
void profile__proto_number(struct profile__blob *blob, unsigned field, uint64_t value);
void profile__proto_text(struct profile__blob *blob, unsigned field, const char *text);
void profile__proto_message(struct profile__blob *blob, unsigned field, struct profile__blob *from);
/* Adds an element to the blob of a packed field. */
void profile__proto_varint(struct profile__blob *blob, uint64_t value);

#endif
