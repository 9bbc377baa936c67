/* SPDX-License-Identifier: MIT */
/*
 * Names of code that a program makes while it runs. A program tells perf of it in one of two ways:
 *
 *     /tmp/perf-PID.map   text, a function per line: "START SIZE NAME", both numbers in hexadecimal
 *     jit-PID.dump        binary ("jitdump"), of which the program maps a page as code, so that it is noticed
 *
 * Either file is the program's, so nothing in it is trusted. What they say is copied into the profile,
 * because the next program with this number overwrites the first one.
 */
#define _GNU_SOURCE /* getline */
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

#define PROCESSES 4096    /* of one recording that are looked for */
#define NAMES     1000000 /* the most taken of one process */
#define LONGEST   4096    /* bytes of a name */

/* tools/perf/util/jitdump.h of Linux */
#define DUMP_MAGIC 0x4A695444u /* "JiTD" */
#define DUMP_LOAD  0u

struct dump_head {
	uint32_t magic, version, size, machine, zero, pid;
	uint64_t time, flags;
};
struct dump_record {
	uint32_t kind, size;
	uint64_t time;
};
struct dump_load { /* follows the record; then the name with its zero, then the code */
	uint32_t pid, tid;
	uint64_t vma, address, size, number;
};

static int put(int fd, int32_t pid, uint64_t start, uint64_t size, const char *name, size_t n)
{
	struct profile__code_block block = {.start = start, .size = size, .pid = pid};

	if (size == 0 || start + size < start || n == 0 || n > LONGEST)
		return 0;
	return profile__block_write(fd, PROFILE__BLOCK_CODE, &block, sizeof(block), name, n);
}

/* A file of this user that was written since; NULL if there is none. */
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

static int add_map(int fd, int32_t pid, time_t since)
{
	char path[64], *line = NULL;
	size_t room = 0;
	int bad = 0;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", pid);
	FILE *from = open_own(path, since);
	if (!from)
		return 0;
	for (long i = 0; i < NAMES && bad == 0 && getline(&line, &room, from) > 0; i++)
		bad = put_line(fd, pid, line);
	free(line);
	fclose(from);
	return bad;
}

/* The name behind `load`; its code, and what else the record has, is passed over. */
static int put_load(int fd, int32_t pid, FILE *from, size_t left)
{
	struct dump_load load;
	char name[LONGEST];

	if (left < sizeof(load) || fread(&load, sizeof(load), 1, from) != 1)
		return 0;
	left -= sizeof(load);
	size_t n = fread(name, 1, left < sizeof(name) ? left : sizeof(name), from);
	return put(fd, pid, load.address, load.size, name, strnlen(name, n));
}

static int add_dump(int fd, int32_t pid, const char *path, time_t since)
{
	struct dump_head head;
	struct dump_record record;
	int bad = 0;
	FILE *from = open_own(path, since);

	if (!from)
		return 0;
	off_t at =
		fread(&head, sizeof(head), 1, from) == 1 && head.magic == DUMP_MAGIC ? (off_t)head.size : -1;
	for (long i = 0; i < NAMES && at > 0 && bad == 0; i++) {
		if (fseeko(from, at, SEEK_SET) != 0 || fread(&record, sizeof(record), 1, from) != 1 ||
		    record.size < sizeof(record))
			break;
		if (record.kind == DUMP_LOAD)
			bad = put_load(fd, pid, from, record.size - sizeof(record));
		at += record.size;
	}
	fclose(from);
	return bad;
}

/* The file's blocks name the processes. */
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
