/* SPDX-License-Identifier: MIT */
/*
 * Names of code that a program makes while it runs. A program reports them to perf in one of two ways:
 *
 *     /tmp/perf-PID.map   text, a function per line: "START SIZE NAME", both numbers in hexadecimal
 *     jit-PID.dump        binary ("jitdump"); the program maps a page of it as code, to have it noticed
 *
 * Either file is the program's, so nothing in it is trusted. The contents are copied into the profile,
 * because the next program with this process number overwrites the first file.
 */
#define _GNU_SOURCE /* pread, O_NOFOLLOW */
#include "profile/write.h"

#include "profile/format.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROCESSES 4096    /* most processes of one recording that are looked at */
#define NAMES     1000000 /* most names taken of one process */
#define LONGEST   4096    /* most bytes taken of a name; V8 names a regular expression by all its source */
#define CODE      1048576 /* most bytes of a function's instructions, and of its lines' record */

/* tools/perf/util/jitdump.h of Linux */
#define DUMP_MAGIC 0x4A695444u /* "JiTD" */
enum { DUMP_LOAD, DUMP_MOVE, DUMP_LINES };

struct dump_head {
	uint32_t magic, version, size, machine, zero, pid;
	uint64_t time, flags;
};
struct dump_record {
	uint32_t kind, size;
	uint64_t time;
};
struct dump_load { /* follows the record head; then the name with its terminating 0, then the code */
	uint32_t pid, tid;
	uint64_t vma, address, size, number;
};
struct dump_move { /* moves the function `number` */
	uint32_t pid, tid;
	uint64_t vma, from, to, size, number;
};
struct dump_lines { /* lines of the next DUMP_LOAD; followed by `lines` lines */
	uint64_t address, lines;
};
struct dump_line { /* followed by the file's name with its terminating 0; "\xff": that of the previous line */
	uint64_t address;
	uint32_t line, column;
};

/* A function of the dump: where its records' contents are in the file; size 0: there is none. Indexed by
 * number. */
struct dumped {
	off_t load, lines;
	uint32_t load_size, lines_size;
};
struct dump {
	FILE *from;
	int to;
	int32_t pid;
	struct dumped *function;
	uint64_t functions;
	struct dumped told; /* lines whose DUMP_LOAD has not come yet */
};

static int put(int fd, int32_t pid, uint64_t start, uint64_t size, const char *name, size_t n)
{
	struct profile__code_block block = {.start = start, .size = size, .pid = pid};

	if (size == 0 || start + size < start || n == 0)
		return 0;
	return profile__block_write(fd, PROFILE__BLOCK_CODE, &block, sizeof(block), name,
				    n < LONGEST ? n : LONGEST);
}

/* Opens a file of this user that was written after `since`; NULL if there is none. */
static FILE *open_own(const char *path, time_t since)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);

	if (fd < 0)
		return NULL;
	FILE *from = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
				     about.st_mtime >= since
			     ? fdopen(fd, "r")
			     : NULL;
	if (!from)
		close(fd);
	return from;
}

static int put_line(int fd, int32_t pid, char *line)
{
	char *end, *name;
	uint64_t start = strtoull(line, &end, 16);

	if (end == line || *end != ' ')
		return 0;
	uint64_t size = strtoull(end, &name, 16);
	if (name == end || *name != ' ')
		return 0;
	name++;
	return put(fd, pid, start, size, name, strcspn(name, "\n"));
}

/* Of a line that is longer than `line` the first piece counts: it has as much of the name as is taken. */
static int add_map(int fd, int32_t pid, time_t since)
{
	char path[64], line[LONGEST + 64];
	bool whole = true;
	int bad = 0;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", pid);
	FILE *from = open_own(path, since);
	if (!from)
		return 0;
	for (long i = 0; i < NAMES && bad == 0 && fgets(line, sizeof(line), from); i++) {
		bool begins = whole;
		whole = strlen(line) < sizeof(line) - 1 || line[sizeof(line) - 2] == '\n';
		if (begins)
			bad = put_line(fd, pid, line);
	}
	fclose(from);
	return bad;
}

/* Returns the contents of a record, to be freed; NULL if they are not complete. */
static uint8_t *contents(const struct dump *d, off_t at, uint32_t size)
{
	uint8_t *out = size > 0 && size <= 2 * CODE + LONGEST ? malloc(size) : NULL;

	if (out && pread(fileno(d->from), out, size, at) == (ssize_t)size)
		return out;
	free(out);
	return NULL;
}

/* Writes the lines of a function whose code began at `begin`: those in its own `size` bytes, in order. */
static int put_lines(const struct dump *d, const struct dumped *f, uint64_t begin, uint64_t size)
{
	uint8_t *text = contents(d, f->lines, f->lines_size), *out = text ? calloc(2, f->lines_size) : NULL;
	size_t at = sizeof(struct dump_lines), n = 0;
	uint64_t last = begin;
	int bad = 0;

	while (out && at + sizeof(struct dump_line) < f->lines_size) {
		struct dump_line line;
		memcpy(&line, text + at, sizeof(line));
		at += sizeof(line);
		size_t length = strnlen((char *)text + at, f->lines_size - at);
		bool again = length == 1 && text[at] == 0xFF;
		if (at + length == f->lines_size || line.address < last || line.address - begin >= size ||
		    (length == 0 || (again && n == 0)))
			break;
		struct profile__line_row row = {(uint32_t)(line.address - begin), line.line,
						again ? 0 : (uint32_t)length};
		memcpy(out + n, &row, sizeof(row));
		memcpy(out + n + sizeof(row), text + at, row.length);
		n += sizeof(row) + row.length;
		at += length + 1;
		last = line.address;
	}
	if (n)
		bad = profile__block_write(d->to, PROFILE__BLOCK_LINES, NULL, 0, out, n);
	free(out);
	free(text);
	return bad;
}

/* Writes a function's name, lines and instructions; the function is `moved` bytes behind its first
 * address. */
static int put_function(const struct dump *d, const struct dumped *f, uint64_t moved)
{
	struct dump_load load;
	uint8_t *text = contents(d, f->load, f->load_size);
	int bad = 0;

	if (!text || f->load_size < sizeof(load)) {
		free(text);
		return 0;
	}
	memcpy(&load, text, sizeof(load));
	const char *name = (const char *)text + sizeof(load);
	size_t left = f->load_size - sizeof(load), n = strnlen(name, left < LONGEST ? left : LONGEST);
	bool named = load.size > 0 && load.address + moved + load.size > load.address + moved && n > 0;
	if (named)
		bad = put(d->to, d->pid, load.address + moved, load.size, name, n);
	if (named && bad == 0 && f->lines_size)
		bad = put_lines(d, f, load.address, load.size);
	if (named && bad == 0 && n < left && !name[n] && load.size <= CODE && load.size <= left - n - 1)
		bad = profile__block_write(d->to, PROFILE__BLOCK_BYTES, NULL, 0, name + n + 1, load.size);
	free(text);
	return bad;
}

static bool remember(struct dump *d, uint64_t number, const struct dumped *f)
{
	if (number >= NAMES)
		return false;
	if (number >= d->functions) {
		uint64_t n = number < 512 ? 1024 : 2 * number;
		struct dumped *more = realloc(d->function, n * sizeof(*more));
		if (!more)
			return false;
		memset(more + d->functions, 0, (n - d->functions) * sizeof(*more));
		d->function = more;
		d->functions = n;
	}
	d->function[number] = *f;
	return true;
}

static int take_load(struct dump *d, off_t at, uint32_t size)
{
	struct dumped f = {.load = at, .load_size = size};
	struct dump_lines lines = {0};
	struct dump_load load;

	if (size < sizeof(load) || pread(fileno(d->from), &load, sizeof(load), at) != (ssize_t)sizeof(load))
		return 0;
	if (d->told.lines_size >= sizeof(lines) &&
	    pread(fileno(d->from), &lines, sizeof(lines), d->told.lines) == (ssize_t)sizeof(lines) &&
	    lines.address == load.address) {
		f.lines = d->told.lines;
		f.lines_size = d->told.lines_size;
	}
	d->told.lines_size = 0;
	remember(d, load.number, &f);
	return put_function(d, &f, 0);
}

static int take_move(struct dump *d, off_t at, uint32_t size)
{
	struct dump_move move;
	struct dump_load load;

	if (size < sizeof(move) || pread(fileno(d->from), &move, sizeof(move), at) != (ssize_t)sizeof(move) ||
	    move.number >= d->functions || d->function[move.number].load_size == 0)
		return 0;
	const struct dumped *f = &d->function[move.number];
	if (pread(fileno(d->from), &load, sizeof(load), f->load) != (ssize_t)sizeof(load))
		return 0;
	return put_function(d, f, move.to - load.address);
}

static int take_record(struct dump *d, const struct dump_record *record, off_t at)
{
	uint32_t size = record->size - (uint32_t)sizeof(*record);

	switch (record->kind) {
	case DUMP_LOAD: return take_load(d, at, size);
	case DUMP_MOVE: return take_move(d, at, size);
	case DUMP_LINES: d->told = (struct dumped){.lines = at, .lines_size = size}; return 0;
	default: return 0;
	}
}

static int add_dump(int fd, int32_t pid, const char *path, time_t since)
{
	struct dump d = {.from = open_own(path, since), .to = fd, .pid = pid};
	struct dump_head head;
	struct dump_record record;
	int bad = 0;

	if (!d.from)
		return 0;
	off_t at = fread(&head, sizeof(head), 1, d.from) == 1 && head.magic == DUMP_MAGIC ? (off_t)head.size
											  : -1;
	for (long i = 0; i < NAMES && at > 0 && bad == 0; i++) {
		if (pread(fileno(d.from), &record, sizeof(record), at) != (ssize_t)sizeof(record) ||
		    record.size < sizeof(record))
			break;
		bad = take_record(&d, &record, at + (off_t)sizeof(record));
		at += record.size;
	}
	fclose(d.from);
	free(d.function);
	return bad;
}

/* A scan of the profile's blocks for processes. */
struct scan {
	int from, to;
	time_t since;
	int32_t pid[PROCESSES];
	size_t pids;
};

static int process(struct scan *s, int32_t pid)
{
	for (size_t i = 0; i < s->pids; i++)
		if (s->pid[i] == pid)
			return 0;
	if (s->pids == PROCESSES)
		return 0;
	s->pid[s->pids++] = pid;
	return add_map(s->to, pid, s->since);
}

static int mapping(struct scan *s, off_t at, size_t size)
{
	struct profile__map_block block;
	char path[LONGEST];

	if (size <= sizeof(block) || size - sizeof(block) >= sizeof(path) ||
	    pread(s->from, &block, sizeof(block), at) != (ssize_t)sizeof(block))
		return 0;
	size -= sizeof(block);
	if (pread(s->from, path, size, at + (off_t)sizeof(block)) != (ssize_t)size)
		return 0;
	path[size] = '\0';
	return profile__is_jitdump(path) ? add_dump(s->to, block.pid, path, s->since) : 0;
}

bool profile__is_jitdump(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int end = 0;

	return sscanf(name, "jit-%*[0-9].dump%n", &end) == 0 && end > 0 && name[end] == '\0';
}

static int block(struct scan *s, const struct profile__block_head *head, off_t payload)
{
	struct profile__samples_block samples;

	if (head->kind == PROFILE__BLOCK_MAP)
		return mapping(s, payload, head->size);
	if (head->kind != PROFILE__BLOCK_SAMPLES ||
	    pread(s->from, &samples, sizeof(samples), payload) != (ssize_t)sizeof(samples))
		return 0;
	return process(s, samples.pid);
}

int profile__made_code(int fd, const char *path, time_t since)
{
	struct scan *s = calloc(1, sizeof(*s));
	struct profile__block_head head;
	struct stat about;
	off_t at = (off_t)sizeof(struct profile__file_head);
	int bad = s ? 0 : -ENOMEM;

	if (s)
		s->from = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), s->to = fd, s->since = since;
	off_t end = s && s->from >= 0 && fstat(s->from, &about) == 0 && S_ISREG(about.st_mode) ? about.st_size
											       : 0;
	while (bad == 0 && at < end && pread(s->from, &head, sizeof(head), at) == (ssize_t)sizeof(head) &&
	       head.magic == PROFILE__BLOCK_MAGIC) {
		bad = block(s, &head, at + (off_t)sizeof(head));
		at += (off_t)sizeof(head) + head.size;
	}
	if (s && s->from >= 0)
		close(s->from);
	free(s);
	return bad;
}
