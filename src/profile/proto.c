/* SPDX-License-Identifier: MIT */
#include "profile/proto.h"

#include <stdlib.h>
#include <string.h>

void apmu__blob_add(struct apmu__blob *blob, const void *data, size_t size)
{
	if (blob->failed || size == 0)
		return;
	if (size > blob->room - blob->size) {
		size_t room = 2 * (blob->size + size);
		uint8_t *more = realloc(blob->at, room);
		if (more == NULL) {
			blob->failed = true;
			return;
		}
		blob->at = more;
		blob->room = room;
	}
	memcpy(blob->at + blob->size, data, size);
	blob->size += size;
}

void apmu__blob_free(struct apmu__blob *blob)
{
	free(blob->at);
	*blob = (struct apmu__blob){0};
}

void apmu__proto_varint(struct apmu__blob *blob, uint64_t value)
{
	uint8_t byte[10];
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		byte[n++] = (uint8_t)(value | 0x80);
	byte[n++] = (uint8_t)value;
	apmu__blob_add(blob, byte, n);
}

/* Wire types: 0 a varint, 2 a length and bytes. */
void apmu__proto_number(struct apmu__blob *blob, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	apmu__proto_varint(blob, field << 3);
	apmu__proto_varint(blob, value);
}

void apmu__proto_text(struct apmu__blob *blob, unsigned field, const char *text)
{
	size_t n = strlen(text);

	apmu__proto_varint(blob, field << 3 | 2);
	apmu__proto_varint(blob, n);
	apmu__blob_add(blob, text, n);
}

void apmu__proto_message(struct apmu__blob *blob, unsigned field, struct apmu__blob *from)
{
	apmu__proto_varint(blob, field << 3 | 2);
	apmu__proto_varint(blob, from->size);
	apmu__blob_add(blob, from->at, from->size);
	blob->failed = blob->failed || from->failed;
	from->size = 0;
}
