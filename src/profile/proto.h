/* SPDX-License-Identifier: MIT */
/**
 * Bytes that grow, and the few things of protocol buffers' wire format that pprof's messages need.
 */
#ifndef APMU_PROFILE_PROTO_H
#define APMU_PROFILE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile__blob {
	uint8_t *at;
	size_t size, room;
	bool failed; /* memory ran out: what is here is not whole */
};

void profile__blob_add(struct profile__blob *blob, const void *data, size_t size);
void profile__blob_free(struct profile__blob *blob);

/* A field: a number (left out when 0, as proto3 has it), a text, a message that was made in `from` and is
 * then empty again. */
void profile__proto_number(struct profile__blob *blob, unsigned field, uint64_t value);
void profile__proto_text(struct profile__blob *blob, unsigned field, const char *text);
void profile__proto_message(struct profile__blob *blob, unsigned field, struct profile__blob *from);
/* An element of a packed field's blob. */
void profile__proto_varint(struct profile__blob *blob, uint64_t value);

#endif
