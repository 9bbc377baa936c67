/* SPDX-License-Identifier: MIT */
#include "profile/proto.h"

#include <stdlib.h>
#include <string.h>

void profile__blob_add(struct profile__blob *blob, const void *data, size_t size)
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

void profile__blob_free(struct profile__blob *blob)
{
	free(blob->at);
	*blob = (struct profile__blob){0};
}

void profile__proto_varint(struct profile__blob *blob, uint64_t value)
{
	uint8_t byte[10];
	size_t n = 0;

	for (; value >= 0x80; value >>= 7)
		byte[n++] = (uint8_t)(value | 0x80);
	byte[n++] = (uint8_t)value;
	profile__blob_add(blob, byte, n);
}

/* Wire types: 0 a varint, 2 a length and bytes. */
void profile__proto_number(struct profile__blob *blob, unsigned field, uint64_t value)
{
	if (value == 0)
		return;
	profile__proto_varint(blob, field << 3);
	profile__proto_varint(blob, value);
}

void profile__proto_text(struct profile__blob *blob, unsigned field, const char *text)
{
	size_t n = strlen(text);

	profile__proto_varint(blob, field << 3 | 2);
	profile__proto_varint(blob, n);
	profile__blob_add(blob, text, n);
}

void profile__proto_message(struct profile__blob *blob, unsigned field, struct profile__blob *from)
{
	profile__proto_varint(blob, field << 3 | 2);
	profile__proto_varint(blob, from->size);
	profile__blob_add(blob, from->at, from->size);
	blob->failed = blob->failed || from->failed;
	from->size = 0;
}
