/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "profile/write.h"

#include "base/text.h"
#include "profile/format.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* JSON text is UTF-8, but file names need not be: other bytes become '?'. */
static json_t *text(const char *bytes)
{
	bytes = bytes ? bytes : "";
	json_t *value = json_string(bytes);
	char *copy = value ? NULL : strdup(bytes);

	if (!copy)
		return value;
	apmu_base__text_utf8(copy);
	value = json_string(copy);
	free(copy);
	return value;
}

static json_t *count(uint64_t n)
{
	return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

static json_t *event(const struct profile__event *e)
{
	json_t *o = json_object();

	json_object_set_new(o, "label", text(e->label));
	json_object_set_new(o, "name", text(e->name));
	if (e->number == PROFILE__CYCLE_COUNTER)
		json_object_set_new(o, "cycle_counter", json_true());
	else
		json_object_set_new(o, "number", count(e->number));
	json_object_set_new(o, "period", count(e->period));
	json_object_set_new(o, "frequency", count(e->frequency));
	if (e->part) {
		json_object_set_new(o, "part", text(e->part));
		json_object_set_new(o, "scale", count(e->scale));
	}
	if (e->aside)
		json_object_set_new(o, "aside", json_true());
	return o;
}

static json_t *meta(const struct profile__profile *p)
{
	json_t *o = json_object(), *events = json_array(), *argv = json_array();

	for (size_t i = 0; i < p->events; i++)
		json_array_append_new(events, event(&p->event[i]));
	for (size_t i = 0; p->argv && p->argv[i]; i++)
		json_array_append_new(argv, text(p->argv[i]));
	json_object_set_new(o, "version", text(p->version));
	json_object_set_new(o, "core", text(p->core));
	json_object_set_new(o, "program", text(p->program));
	json_object_set_new(o, "machine", count(p->machine));
	json_object_set_new(o, "uarch", text(p->uarch));
	if (p->line)
		json_object_set_new(o, "line", count(p->line));
	json_object_set_new(o, "clock", count(p->clock));
	json_object_set_new(o, "argv", argv);
	json_object_set_new(o, "events", events);
	json_object_set_new(o, "chains", json_boolean(p->chains));
	if (p->branches)
		json_object_set_new(o, "branches", json_true());
	json_object_set_new(o, "data", json_boolean(p->data));
	json_object_set_new(o, "cycles", json_boolean(p->cycles));
	json_object_set_new(o, "exact", json_boolean(p->exact));
	json_object_set_new(o, "system", json_boolean(p->system));
	json_object_set_new(o, "skid", count(p->skid));
	return o;
}

static json_t *thread(const struct profile__profile *p, size_t i, uint32_t serial)
{
	const struct profile__thread *t = &p->thread[i];
	json_t *o = json_object(), *totals = json_array();

	for (size_t e = 0; e < p->events; e++)
		json_array_append_new(totals, count(t->total[e]));
	json_object_set_new(o, "serial", count(serial));
	json_object_set_new(o, "pid", json_integer(t->pid));
	json_object_set_new(o, "tid", json_integer(t->tid));
	if (t->name && t->name[0])
		json_object_set_new(o, "name", text(t->name));
	json_object_set_new(o, "instructions", count(t->instructions));
	json_object_set_new(o, "cycles", count(t->cycles));
	json_object_set_new(o, "resyncs", count(t->resyncs));
	json_object_set_new(o, "totals", totals);
	return o;
}

static json_t *end(const struct profile__profile *p, const uint32_t *serial)
{
	json_t *o = json_object(), *threads = json_array();

	for (size_t i = 0; i < p->threads; i++)
		json_array_append_new(threads, thread(p, i, serial[i]));
	json_object_set_new(o, "exit", json_integer(p->exit));
	json_object_set_new(o, "signal", json_integer(p->signal));
	json_object_set_new(o, "lost", count(p->lost));
	json_object_set_new(o, "threads", threads);
	return o;
}

/* Writes and frees `object`. */
static int write_json(int fd, enum profile__block_kind kind, json_t *object)
{
	char *dump = object ? json_dumps(object, JSON_COMPACT) : NULL;
	int bad = dump ? profile__block_write(fd, kind, NULL, 0, dump, strlen(dump)) : -ENOMEM;

	free(dump);
	json_decref(object);
	return bad;
}

int profile__begin(int fd, const struct profile__profile *p)
{
	struct profile__file_head head = {.version = p->branches || p->data ? PROFILE__VERSION : 1,
					  .order = PROFILE__ORDER};

	memcpy(head.magic, PROFILE__MAGIC, sizeof(head.magic));
	head.check = profile__check(0, &head, offsetof(struct profile__file_head, check));
	ssize_t done = write(fd, &head, sizeof(head));
	if (done != (ssize_t)sizeof(head))
		return done < 0 ? -errno : profile__cut_short(fd);
	return write_json(fd, PROFILE__BLOCK_META, meta(p));
}

int profile__finish(int fd, const struct profile__profile *p, const uint32_t *serial)
{
	return write_json(fd, PROFILE__BLOCK_END, end(p, serial));
}

int profile__map(int fd, const struct profile__map *map)
{
	struct profile__map_block block = {.start = map->start,
					   .end = map->end,
					   .offset = map->offset,
					   .pid = map->pid,
					   .build_id_size = map->build_id_size};

	memcpy(block.build_id, map->build_id, sizeof(block.build_id));
	return profile__block_write(fd, PROFILE__BLOCK_MAP, &block, sizeof(block), map->path,
				    strlen(map->path));
}
