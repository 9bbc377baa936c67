/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem, memfd_create */
#include "profile/load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCAN 65536 /* most bytes searched at a time for a block */

/* Bytes, besides as many as the file has, that may be read of blocks that turn out to be damaged. A hostile
 * file may have the head of a block at every word, each with a payload of megabytes. */
#define VAIN (64u << 20)

struct say {
	char *text;
	size_t size;
};

static int say(const struct say *to, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int say(const struct say *to, int code, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(to->text, to->size, format, args);
	va_end(args);
	return code;
}

static bool read_at(int fd, off_t at, void *out, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(fd, (char *)out + done, size - done, at + (off_t)done);
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

/* "-" is standard input. */
static int open_file(struct profile__file *f, const char *path, const struct say *to)
{
	struct stat about;

	f->fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
				       : open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &about) != 0)
		return say(to, -errno, "%s: %s", path, strerror(errno));
	if (S_ISDIR(about.st_mode))
		return say(to, -EISDIR, "%s is a folder, not a profile of 'apmu record'", path);
	f->stream = !S_ISREG(about.st_mode);
	f->size = about.st_size;
	return 0;
}

static int check_head(const struct profile__file *f, const char *path, const struct say *to)
{
	struct profile__file_head head;

	if (f->size == 0)
		return say(to, -EINVAL, "%s is empty: 'apmu record' wrote nothing into it", path);
	if (!read_at(f->fd, 0, &head, sizeof(head)) ||
	    memcmp(head.magic, PROFILE__MAGIC, sizeof(head.magic)) != 0)
		return say(to, -EINVAL, "%s is not a profile of 'apmu record'", path);
	if (head.order != PROFILE__ORDER)
		return say(to, -EINVAL, "%s was written on a big-endian machine", path);
	if (head.check != profile__check(0, &head, offsetof(struct profile__file_head, check)))
		return say(to, -EINVAL, "%s: the head of the profile is damaged", path);
	if (head.version > PROFILE__VERSION)
		return say(to, -EINVAL,
			   "%s has format version %u, made by a newer apmu; this one reads up to version %u",
			   path, head.version, PROFILE__VERSION);
	return 0;
}

/* Copies from `from` to f->fd until the end or until the copy has `most` bytes. */
static bool copy(struct profile__file *f, int from, off_t most)
{
	char text[SCAN];

	while (f->size < most) {
		ssize_t got = read(from, text, most - f->size < SCAN ? (size_t)(most - f->size) : SCAN);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0;
		for (ssize_t done = 0, put; done < got; done += put)
			if ((put = write(f->fd, text + done, (size_t)(got - done))) < 0)
				return false;
		f->size += got;
	}
	return true;
}

/* Copies a pipe into memory, since a profile is read twice. The rest is copied only if the first bytes are
 * those of a profile. */
static int take_stream(struct profile__file *f, const char *path, const struct say *to)
{
	int from = f->fd, code = 0;

	f->size = 0;
	f->fd = memfd_create("apmu", MFD_CLOEXEC);
	bool whole = f->fd >= 0 && copy(f, from, (off_t)sizeof(struct profile__file_head));
	if (whole)
		code = check_head(f, path, to);
	if (whole && code == 0)
		whole = copy(f, from, INT64_MAX);
	if (!whole)
		code = say(to, -errno, "%s: %s", path, strerror(errno));
	close(from);
	return code;
}

static uint8_t *payload_room(struct profile__file *f, size_t size)
{
	if (size <= f->room)
		return f->payload;
	uint8_t *larger = realloc(f->payload, size);
	if (larger) {
		f->payload = larger;
		f->room = size;
	}
	return larger;
}

enum found { FOUND, DAMAGED, CUT, NO_MEMORY };

/* True if a block's payload can be as large as its head says. The JSON of META and END grows with the
 * program's arguments and threads. */
static bool may_be(const struct profile__block_head *b)
{
	return b->size <= PROFILE__BLOCK_MOST || b->kind == PROFILE__BLOCK_META ||
	       b->kind == PROFILE__BLOCK_END;
}

/* Reads the block at `at`: its head and, in f->payload, its payload. Of a DAMAGED one, b->size is what was
 * read. */
static enum found block_at(struct profile__file *f, off_t at, struct profile__block_head *b)
{
	off_t left = f->size - at;

	if (left < (off_t)sizeof(*b) || !read_at(f->fd, at, b, sizeof(*b)))
		return CUT;
	if (b->magic != PROFILE__BLOCK_MAGIC || !may_be(b)) {
		b->size = 0;
		return DAMAGED;
	}
	if ((off_t)b->size > left - (off_t)sizeof(*b))
		return CUT;
	uint8_t *payload = payload_room(f, (size_t)b->size + 1);
	if (!payload)
		return NO_MEMORY;
	if (!read_at(f->fd, at + (off_t)sizeof(*b), payload, b->size))
		return CUT;
	uint64_t check = profile__check(0, b, offsetof(struct profile__block_head, check));
	return profile__check(check, payload, b->size) == b->check ? FOUND : DAMAGED;
}

/* Returns where the next block may start after `at`; the file's size if nowhere. */
static off_t next_magic(const struct profile__file *f, off_t at)
{
	static const uint32_t magic = PROFILE__BLOCK_MAGIC;
	char text[SCAN];
	size_t most = 256; /* in a hostile file the next one is near */

	for (at++; at < f->size; most = most < sizeof(text) ? 2 * most : most) {
		ssize_t got = pread(f->fd, text, most, at);
		if (got < (ssize_t)sizeof(magic))
			return f->size;
		const char *hit = memmem(text, (size_t)got, &magic, sizeof(magic));
		if (hit)
			return at + (hit - text);
		at += got - (ssize_t)sizeof(magic) + 1;
	}
	return f->size;
}

static int take(struct profile__file *f, off_t at, const struct profile__block_head *b, uint32_t when)
{
	switch (b->kind) {
	case PROFILE__BLOCK_META: return profile__load_meta(f, f->payload, b->size);
	case PROFILE__BLOCK_MAP: return profile__load_map(f, f->payload, b->size, when);
	case PROFILE__BLOCK_SAMPLES:
		return profile__load_samples(f, f->payload, b->size, at + (off_t)sizeof(*b), when);
	case PROFILE__BLOCK_EDGES: return profile__load_edges(f, f->payload, b->size, when);
	case PROFILE__BLOCK_CODE: return profile__load_code(f, f->payload, b->size);
	case PROFILE__BLOCK_LINES: return profile__load_lines(f, f->payload, b->size);
	case PROFILE__BLOCK_BYTES: return profile__load_bytes(f, f->payload, b->size);
	case PROFILE__BLOCK_END: return profile__load_end(f, f->payload, b->size);
	default: return 0; /* a later addition to the format that does not affect the rest */
	}
}

/* Loads all blocks that are whole. */
static int load(struct profile__file *f)
{
	off_t at = (off_t)sizeof(struct profile__file_head);
	uint64_t vain = 0;
	uint32_t when = 1;

	while (at < f->size && vain <= (uint64_t)f->size + VAIN) {
		struct profile__block_head b;
		enum found found = block_at(f, at, &b);
		int bad = found == NO_MEMORY ? -ENOMEM : 0;
		if (found == FOUND)
			bad = take(f, at, &b, when++);
		if (bad == -ENOMEM)
			return bad;
		if (found == FOUND && bad == 0) {
			at += (off_t)sizeof(b) + b.size;
			continue;
		}
		vain += found == CUT ? 0 : b.size;
		at = next_magic(f, at);
		f->profile.flaws |=
			found == CUT && at == f->size ? PROFILE__FLAW_TRUNCATED : PROFILE__FLAW_DAMAGED;
	}
	return profile__where_sort(f);
}

static int finish(struct profile__file *f, const char *path, const struct say *to)
{
	struct profile__frame root = {0};

	if (profile__chain_node(f, &root) != 0)
		return say(to, -ENOMEM, "no memory for %s", path);
	if (load(f) != 0)
		return say(to, -ENOMEM, "no memory for the tables of %s", path);
	if (!f->meta)
		return say(to, -EINVAL, "%s: the block that says what was recorded is missing or damaged",
			   path);
	if (!f->end)
		f->profile.flaws |= PROFILE__FLAW_UNFINISHED;
	if (f->profile.lost)
		f->profile.flaws |= PROFILE__FLAW_LOST;
	f->profile.file = f;
	return 0;
}

int profile__open(const char *path, struct profile__profile **out, char *error, size_t size)
{
	struct say to = {error, size};
	struct profile__file *f = calloc(1, sizeof(*f));

	*out = NULL;
	if (!f)
		return say(&to, -ENOMEM, "no memory for %s", path);
	f->fd = -1;
	f->profile.file = f;
	int code = open_file(f, path, &to);
	if (code == 0)
		code = f->stream ? take_stream(f, path, &to) : check_head(f, path, &to);
	if (code == 0)
		code = finish(f, path, &to);
	if (code == 0)
		*out = &f->profile;
	else
		profile__close(&f->profile);
	return code;
}

void profile__close(struct profile__profile *p)
{
	struct profile__file *f = p ? p->file : NULL;

	if (!f)
		return;
	if (f->fd >= 0)
		close(f->fd);
	for (size_t i = 0; i < p->threads; i++)
		free(f->nodes[i].node);
	for (size_t i = 0; i < p->maps; i++)
		profile__free_map(&p->map[i]);
	free(p->map);
	free(p->event);
	free(p->thread);
	free(p->frame);
	free(p->edge);
	free((void *)(uintptr_t)p->argv);
	free(f->extent);
	free(f->nodes);
	free(f->bucket);
	free(f->by_start);
	free(f->covered);
	free(f->payload);
	json_decref(f->meta);
	json_decref(f->end);
	free(f);
}

/* Calls `use` with one block's samples. */
static int use_block(const struct profile__file *f, const struct profile__extent *e, const uint8_t *at,
		     int (*use)(void *, const struct profile__sample *), void *context)
{
	const struct profile__nodes *nodes = &f->nodes[e->thread];
	const uint8_t *end = at + e->size;
	struct profile__deltas last = {0};
	struct profile__record r = {0};

	at += sizeof(struct profile__samples_block);
	while (at && (at = profile__get_record(at, end, &last, &r))) {
		if (r.is_frame || r.is_stack || r.sample.event >= f->profile.events)
			continue;
		r.sample.thread = e->thread;
		r.sample.when = e->when;
		r.sample.chain = r.sample.chain - 1 < nodes->n ? nodes->node[r.sample.chain - 1] : 0;
		int stop = use(context, &r.sample);
		if (stop)
			return stop;
	}
	return 0;
}

int profile__each(const struct profile__profile *p, int (*use)(void *, const struct profile__sample *),
		  void *context)
{
	const struct profile__file *f = p->file;
	uint8_t *payload = NULL;
	size_t room = 0;
	int stop = 0;

	for (size_t i = 0; i < f->extents && stop == 0; i++) {
		const struct profile__extent *e = &f->extent[i];
		if (e->size > room) {
			free(payload);
			payload = malloc(room = e->size);
		}
		if (!payload)
			return -ENOMEM;
		if (!read_at(f->fd, e->at, payload, e->size))
			stop = -EIO;
		else
			stop = use_block(f, e, payload, use, context);
	}
	free(payload);
	return stop;
}
