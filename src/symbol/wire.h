/* SPDX-License-Identifier: MIT */
/**
 * What client and child say to each other over a socket: a question, then an answer, each a fixed head and
 * some bytes. Both ends are this program, but the child reads hostile files, so the client checks all it
 * gets.
 */
#ifndef APMU_SYMBOL_WIRE_H
#define APMU_SYMBOL_WIRE_H

#include "symbol/symbol.h"

#include <sys/types.h>

enum apmu__ask { APMU__ASK_FRAMES, APMU__ASK_FIND, APMU__ASK_NAME, APMU__ASK_ISA, APMU__ASK_CODE };

enum { APMU__WIRE_MAX = 1 << 20 }; /* most bytes after a head */

struct apmu__wire_head {
	uint32_t what;  /* a question: enum apmu__ask; an answer: 0 or a negative errno, as its bits */
	uint32_t size;  /* bytes that follow */
	uint64_t value; /* an address, an index, a number of frames */
	uint64_t more;  /* of frames and code: the most wanted; of an answer for frames: how far it reaches,
			   see run.h */
};

/* Bytes that grow; `failed` when memory or APMU__WIRE_MAX ran out. */
struct apmu__bytes {
	uint8_t *at;
	size_t size, room;
	bool failed;
};
void apmu__bytes_add(struct apmu__bytes *bytes, const void *data, size_t size);
void apmu__bytes_text(struct apmu__bytes *bytes, const char *text); /* with its zero; NULL is "" */

/* Bytes that are taken apart; `failed` past the end. */
struct apmu__cut {
	const uint8_t *at;
	size_t left;
	bool failed;
};
void apmu__cut_take(struct apmu__cut *cut, void *out, size_t size);
const char *apmu__cut_text(struct apmu__cut *cut); /* never NULL */

/* A frame and a symbol as bytes. Reading points into the bytes; "" becomes NULL. */
void apmu__wire_put_frame(struct apmu__bytes *bytes, const struct apmu__frame *frame);
bool apmu__wire_get_frame(struct apmu__cut *cut, struct apmu__frame *out);
void apmu__wire_put_symbol(struct apmu__bytes *bytes, const struct apmu__symbol *symbol);
bool apmu__wire_get_symbol(struct apmu__cut *cut, struct apmu__symbol *out);

/* Whole messages. 0; -EPIPE when the other end is gone, -ETIMEDOUT after `seconds` (0: wait for ever),
 * -EPROTO for a head that cannot be. `body` of a received message has room for APMU__WIRE_MAX + 1. */
int apmu__wire_send(int fd, const struct apmu__wire_head *head, const void *body);
int apmu__wire_receive(int fd, struct apmu__wire_head *head, uint8_t *body, unsigned seconds);

/* The child of `client`: reads the file, sends what it is, answers until the socket closes. Does not return.
 */
_Noreturn void apmu__serve(int fd, pid_t client, const char *path,
			   const struct apmu__symbols_options *options);

#endif
