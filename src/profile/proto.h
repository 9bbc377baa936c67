/* SPDX-License-Identifier: MIT */
/**
 * Bytes that grow, and the few things of protocol buffers' wire format that pprof's messages need.
 */
#ifndef APMU_PROFILE_PROTO_H
#define APMU_PROFILE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct apmu__blob {
	uint8_t *at;
	size_t size, room;
	bool failed; /* memory ran out: what is here is not whole */
};

void apmu__blob_add(struct apmu__blob *blob, const void *data, size_t size);
void apmu__blob_free(struct apmu__blob *blob);

/* A field: a number (left out when 0, as proto3 has it), a text, a message that was made in `from` and is
 * then empty again. */
void apmu__proto_number(struct apmu__blob *blob, unsigned field, uint64_t value);
void apmu__proto_text(struct apmu__blob *blob, unsigned field, const char *text);
void apmu__proto_message(struct apmu__blob *blob, unsigned field, struct apmu__blob *from);
/* An element of a packed field's blob. */
void apmu__proto_varint(struct apmu__blob *blob, uint64_t value);

#endif
