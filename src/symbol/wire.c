/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* MSG_NOSIGNAL, clock_gettime */
#include "symbol/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

void symbol__bytes_add(struct symbol__bytes *bytes, const void *data, size_t size)
{
	if (bytes->failed || size > SYMBOL__WIRE_MAX - bytes->size) {
		bytes->failed = true;
		return;
	}
	if (bytes->size + size > bytes->room) {
		size_t room = 2 * (bytes->size + size);
		uint8_t *more = realloc(bytes->at, room);
		if (more == NULL) {
			bytes->failed = true;
			return;
		}
		bytes->at = more;
		bytes->room = room;
	}
	if (size)
		memcpy(bytes->at + bytes->size, data, size);
	bytes->size += size;
}

void symbol__bytes_text(struct symbol__bytes *bytes, const char *text)
{
	text = text ? text : "";
	symbol__bytes_add(bytes, text, strlen(text) + 1);
}

void symbol__cut_take(struct symbol__cut *cut, void *out, size_t size)
{
	memset(out, 0, size);
	if (cut->failed || size > cut->left) {
		cut->failed = true;
		return;
	}
	memcpy(out, cut->at, size);
	cut->at += size;
	cut->left -= size;
}

const char *symbol__cut_text(struct symbol__cut *cut)
{
	const uint8_t *end = cut->failed || cut->left == 0 ? NULL : memchr(cut->at, '\0', cut->left);
	const char *text = (const char *)cut->at;

	if (end == NULL) {
		cut->failed = true;
		return "";
	}
	cut->left -= (size_t)(end + 1 - cut->at);
	cut->at = end + 1;
	return text;
}

static const char *or_null(const char *text)
{
	return text[0] ? text : NULL;
}

void symbol__wire_put_frame(struct symbol__bytes *bytes, const struct symbol__frame *frame)
{
	uint8_t inlined = frame->inlined;

	symbol__bytes_add(bytes, &frame->start, sizeof frame->start);
	symbol__bytes_add(bytes, &frame->size, sizeof frame->size);
	symbol__bytes_add(bytes, &frame->line, sizeof frame->line);
	symbol__bytes_add(bytes, &inlined, sizeof inlined);
	symbol__bytes_text(bytes, frame->function);
	symbol__bytes_text(bytes, frame->file);
}

bool symbol__wire_get_frame(struct symbol__cut *cut, struct symbol__frame *out)
{
	uint8_t inlined;

	*out = (struct symbol__frame){0};
	symbol__cut_take(cut, &out->start, sizeof out->start);
	symbol__cut_take(cut, &out->size, sizeof out->size);
	symbol__cut_take(cut, &out->line, sizeof out->line);
	symbol__cut_take(cut, &inlined, sizeof inlined);
	out->inlined = inlined != 0;
	out->function = or_null(symbol__cut_text(cut));
	out->file = or_null(symbol__cut_text(cut));
	return !cut->failed;
}

void symbol__wire_put_symbol(struct symbol__bytes *bytes, const struct symbol__symbol *symbol)
{
	uint8_t function = symbol->function;

	symbol__bytes_add(bytes, &symbol->start, sizeof symbol->start);
	symbol__bytes_add(bytes, &symbol->size, sizeof symbol->size);
	symbol__bytes_add(bytes, &function, sizeof function);
	symbol__bytes_text(bytes, symbol->name);
}

bool symbol__wire_get_symbol(struct symbol__cut *cut, struct symbol__symbol *out)
{
	uint8_t function;

	*out = (struct symbol__symbol){0};
	symbol__cut_take(cut, &out->start, sizeof out->start);
	symbol__cut_take(cut, &out->size, sizeof out->size);
	symbol__cut_take(cut, &function, sizeof function);
	out->function = function != 0;
	out->name = symbol__cut_text(cut);
	return !cut->failed;
}

static int send_all(int fd, const void *data, size_t size)
{
	const uint8_t *at = data;

	while (size) {
		ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return -EPIPE;
		at += sent;
		size -= (size_t)sent;
	}
	return 0;
}

int symbol__wire_send(int fd, const struct symbol__wire_head *head, const void *body)
{
	int code = send_all(fd, head, sizeof *head);

	return code == 0 && head->size ? send_all(fd, body, head->size) : code;
}

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits until something can be read or the deadline passes (milliseconds of now(); 0: none). */
static int readable(int fd, int64_t deadline)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};

	for (;;) {
		int64_t left = deadline ? deadline - now() : -1;
		if (deadline && left <= 0)
			return -ETIMEDOUT;
		int n = poll(&wait, 1, (int)left);
		if (n > 0)
			return 0;
		if (n == 0)
			return -ETIMEDOUT;
		if (errno != EINTR)
			return -EPIPE;
	}
}

static int receive_all(int fd, void *out, size_t size, int64_t deadline)
{
	uint8_t *at = out;

	while (size) {
		int code = readable(fd, deadline);
		if (code != 0)
			return code;
		ssize_t got = recv(fd, at, size, 0);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return -EPIPE;
		at += got;
		size -= (size_t)got;
	}
	return 0;
}

int symbol__wire_receive(int fd, struct symbol__wire_head *head, uint8_t *body, unsigned seconds)
{
	int64_t deadline = seconds ? now() + (int64_t)seconds * 1000 : 0;
	int code = receive_all(fd, head, sizeof *head, deadline);

	if (code == 0 && head->size > SYMBOL__WIRE_MAX)
		return -EPROTO;
	if (code == 0)
		code = receive_all(fd, body, head->size, deadline);
	if (code == 0)
		body[head->size] = '\0';
	return code;
}
