/* SPDX-License-Identifier: MIT */
/**
 * The protocol of client and child on a socket: a question, then an answer, each a fixed head and some bytes.
 * Both ends are this program, but the child reads hostile files, so the client checks all that it receives.
 */
#ifndef APMU_SYMBOL_WIRE_H
#define APMU_SYMBOL_WIRE_H

#include "symbol/symbol.h"

#include <sys/types.h>

enum symbol__ask {
	SYMBOL__ASK_FRAMES,
	SYMBOL__ASK_FIND,
	SYMBOL__ASK_NAME,
	SYMBOL__ASK_ISA,
	SYMBOL__ASK_CODE
};

enum { SYMBOL__WIRE_MAX = 1 << 20 }; /* most bytes after a head */

struct symbol__wire_head {
	uint32_t what;  /* a question: enum symbol__ask; an answer: 0 or a negative errno, as its bits */
	uint32_t size;  /* bytes that follow */
	uint64_t value; /* an address, an index, or a number of frames */
	uint64_t more;  /* a question for frames or code: the most wanted; an answer for frames: how far it
			   reaches (run.h) */
};

/* A growing byte buffer; `failed` if memory or SYMBOL__WIRE_MAX ran out. */
struct symbol__bytes {
	uint8_t *at;
	size_t size, room;
	bool failed;
};
void symbol__bytes_add(struct symbol__bytes *bytes, const void *data, size_t size);
/* With its terminating 0; NULL is "". */
void symbol__bytes_text(struct symbol__bytes *bytes, const char *text);

/* A read position in bytes; `failed` past the end. */
struct symbol__cut {
	const uint8_t *at;
	size_t left;
	bool failed;
};
void symbol__cut_take(struct symbol__cut *cut, void *out, size_t size);
const char *symbol__cut_text(struct symbol__cut *cut); /* never NULL */

/* Encode and decode a frame and a symbol. Decoded strings point into the bytes; "" becomes NULL. */
void symbol__wire_put_frame(struct symbol__bytes *bytes, const struct symbol__frame *frame);
bool symbol__wire_get_frame(struct symbol__cut *cut, struct symbol__frame *out);
void symbol__wire_put_symbol(struct symbol__bytes *bytes, const struct symbol__symbol *symbol);
bool symbol__wire_get_symbol(struct symbol__cut *cut, struct symbol__symbol *out);

/* Send and receive a whole message. 0; -EPIPE if the other end is gone, -ETIMEDOUT after `seconds` (0: no
 * limit), -EPROTO for an impossible head. `body` of a received message has room for SYMBOL__WIRE_MAX + 1
 * bytes. */
int symbol__wire_send(int fd, const struct symbol__wire_head *head, const void *body);
int symbol__wire_receive(int fd, struct symbol__wire_head *head, uint8_t *body, unsigned seconds);

/* Runs the child of `client`: opens the file, sends what is known of it, answers until the socket closes.
 * Does not return. */
_Noreturn void symbol__serve(int fd, pid_t client, const char *path,
			     const struct symbol__symbols_options *options);

#endif
