/* SPDX-License-Identifier: MIT */
/* Reads the JSON blocks META and END: what was recorded, and the totals. */
#include "profile/load.h"

#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *text(const json_t *object, const char *name)
{
	const char *value = json_string_value(json_object_get(object, name));

	return value ? value : "";
}

/* Returns a text without what may not be shown. It is printed as it is; paths and arguments are not of this
 * kind. */
static const char *word(const json_t *object, const char *name)
{
	const char *value = text(object, name);

	return value[0] ? apmu_base__text_plain((char *)(uintptr_t)value, '\0') : value;
}

static uint64_t number(const json_t *object, const char *name)
{
	json_int_t value = json_integer_value(json_object_get(object, name));

	return value > 0 ? (uint64_t)value : 0;
}

static bool truth(const json_t *object, const char *name)
{
	return json_is_true(json_object_get(object, name));
}

static int take_events(struct profile__profile *p, const json_t *list)
{
	size_t n = json_array_size(list);

	if (n == 0 || n > PROFILE__EVENTS)
		return -EINVAL;
	p->event = calloc(n, sizeof(*p->event));
	if (!p->event)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const json_t *from = json_array_get(list, i);
		bool cycle_counter = truth(from, "cycle_counter");
		p->event[i] = (struct profile__event){
			.label = word(from, "label"),
			.name = word(from, "name"),
			.number = cycle_counter ? PROFILE__CYCLE_COUNTER : (uint32_t)number(from, "number"),
			.period = number(from, "period"),
			.frequency = number(from, "frequency"),
			.part = text(from, "part"),
			.scale = number(from, "scale"),
			.aside = truth(from, "aside")};
		if (p->event[i].part[0] == '\0')
			p->event[i].part = NULL;
	}
	p->events = n;
	return 0;
}

static int take_argv(struct profile__profile *p, const json_t *list)
{
	size_t n = json_array_size(list);
	const char **argv = calloc(n + 1, sizeof(*argv));

	if (!argv)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		const char *word = json_string_value(json_array_get(list, i));
		argv[i] = word ? word : "";
	}
	p->argv = argv;
	p->args = n;
	return 0;
}

int profile__load_meta(struct profile__file *f, const uint8_t *bytes, size_t size)
{
	struct profile__profile *p = &f->profile;

	if (f->meta)
		return -EINVAL;
	f->meta = json_loadb((const char *)bytes, size, 0, NULL);
	p->version = word(f->meta, "version");
	p->core = word(f->meta, "core");
	p->program = text(f->meta, "program");
	p->uarch = text(f->meta, "uarch");
	p->line = (uint32_t)number(f->meta, "line");
	p->clock = number(f->meta, "clock");
	p->machine = (uint16_t)number(f->meta, "machine");
	p->skid = (uint32_t)number(f->meta, "skid");
	p->chains = truth(f->meta, "chains");
	p->branches = truth(f->meta, "branches");
	p->data = truth(f->meta, "data");
	p->cycles = truth(f->meta, "cycles");
	p->exact = truth(f->meta, "exact");
	p->system = truth(f->meta, "system");
	int bad = f->meta ? take_events(p, json_object_get(f->meta, "events")) : -EINVAL;
	if (bad == 0)
		bad = take_argv(p, json_object_get(f->meta, "argv"));
	if (bad) {
		json_decref(f->meta);
		f->meta = NULL;
	}
	return bad;
}

static int end_thread(struct profile__file *f, const json_t *from)
{
	struct profile__profile *p = &f->profile;
	uint32_t serial = (uint32_t)number(from, "serial");
	uint32_t i =
		profile__load_thread(f, serial, (int32_t)number(from, "pid"), (int32_t)number(from, "tid"));
	const json_t *totals = json_object_get(from, "totals");

	if (i == PROFILE__NONE)
		return (off_t)serial > f->size ? -EINVAL : -ENOMEM;
	struct profile__thread *t = &p->thread[i];
	if (t->ended)
		return -EINVAL;
	t->name = text(from, "name");
	t->instructions = number(from, "instructions");
	t->cycles = number(from, "cycles");
	t->resyncs = number(from, "resyncs");
	t->ended = true;
	for (size_t e = 0; e < p->events; e++) {
		json_int_t value = json_integer_value(json_array_get(totals, e));
		t->total[e] = value > 0 ? (uint64_t)value : 0;
		p->event[e].total += t->total[e];
	}
	return 0;
}

int profile__load_end(struct profile__file *f, const uint8_t *bytes, size_t size)
{
	const json_t *threads;
	int bad = 0;

	if (!f->meta || f->end)
		return -EINVAL;
	f->end = json_loadb((const char *)bytes, size, 0, NULL);
	if (!f->end)
		return -EINVAL;
	f->profile.exit = (int)number(f->end, "exit");
	f->profile.signal = (int)number(f->end, "signal");
	f->profile.lost = number(f->end, "lost");
	threads = json_object_get(f->end, "threads");
	for (size_t i = 0; bad == 0 && i < json_array_size(threads); i++)
		bad = end_thread(f, json_array_get(threads, i));
	return bad;
}
