/* SPDX-License-Identifier: MIT */
#include "cli/common/events.h"
#include "cli/common/json.h"
#include "cli/diff/diff.h"
#include "profile/format.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* One number for the cycle counter and for the event that counts the same. */
static int64_t number_on(const char *core, int64_t number)
{
	const struct apmu_core *known = core ? apmu_core_find(core) : NULL;

	if (known && number >= 0 && cli__event_twin(known, (unsigned)number) == APMU_METRIC_CYCLES)
		return CLI__NUMBER_CYCLES;
	return number;
}

static void add(struct cli__measured *out, const char *core, const char *event, int64_t number,
		uint64_t value)
{
	out->count = cli__grow(out->count, out->counts, sizeof *out->count);
	out->count[out->counts++] =
		(struct cli__event_count){.core = cli__plain(cli__copy(core ? core : ""), '\0'),
					  .event = cli__plain(cli__copy(event), '\0'),
					  .number = number_on(core, number),
					  .value = out->cut ? 0 : value,
					  .unknown = out->cut};
}

static int64_t number_of(const json_t *number)
{
	if (json_is_integer(number))
		return json_integer_value(number);
	return json_is_null(number) ? CLI__NUMBER_CYCLES : CLI__NUMBER_NONE;
}

/* Adds the counters of an object of apmu-stat/1, or of an element of its "cores". */
static void add_counters(struct cli__measured *out, const json_t *object)
{
	const char *core = json_string_value(json_object_get(object, "core"));
	const json_t *counters = json_object_get(object, "counters");
	const json_t *counter;
	size_t i;

	json_array_foreach(counters, i, counter)
	{
		const char *event = json_string_value(json_object_get(counter, "event"));
		const json_t *value = cli__json_counted(counter);
		if (event && value)
			add(out, core, event, number_of(json_object_get(counter, "number")),
			    json_is_integer(value) ? (uint64_t)json_integer_value(value)
						   : (uint64_t)json_number_value(value));
	}
}

/* Checks the schema. 0, or 1 after a complaint. */
static int check_schema(const struct cli__cli *cli, const char *path, const char *schema)
{
	if (schema && strcmp(schema, CLI__STAT_SCHEMA) == 0)
		return 0;
	if (!cli__json_newer(cli, path, schema))
		cli__message(cli, "%s: neither a profile of 'apmu record' nor the JSON of 'apmu stat -j'",
			     path);
	return CLI__EXIT_FAILURE;
}

/* A text whose beginning has been read already, because a pipe can be read only once. */
struct text {
	FILE *file;
	const char *begin;
	size_t left;
};

static size_t read_text(void *buffer, size_t size, void *context)
{
	struct text *text = context;
	size_t n = text->left < size ? text->left : size;

	if (n == 0)
		return fread(buffer, 1, size, text->file);
	memcpy(buffer, text->begin, n);
	text->begin += n;
	text->left -= n;
	return n;
}

static int read_json(const struct cli__cli *cli, struct text *text, struct cli__measured *out)
{
	json_error_t error;
	json_t *root = json_load_callback(read_text, text, 0, &error);
	const char *schema = json_string_value(json_object_get(root, "schema"));
	const json_t *cores = json_object_get(root, "cores");
	const json_t *core;
	size_t i;

	if (check_schema(cli, out->path, schema) != 0) {
		json_decref(root);
		return CLI__EXIT_FAILURE;
	}
	add_counters(out, root);
	json_array_foreach(cores, i, core)
	{
		add_counters(out, core);
	}
	const json_t *ended = json_object_get(root, "exit");
	out->exit = json_is_integer(ended) ? (int)json_integer_value(ended) : -1;
	json_decref(root);
	if (out->counts)
		return 0;
	cli__message(cli, "%s: no counts in it", out->path);
	return CLI__EXIT_FAILURE;
}

static int read_profile(const struct cli__cli *cli, const struct cli__load_options *load,
			struct cli__measured *out)
{
	struct cli__load_options options = *load;

	options.input = out->path;
	out->profile = true;
	int code = cli__load(cli, &options, &out->loaded);
	out->cut = code == 0 && (out->loaded.profile->flaws & PROFILE__FLAW_UNFINISHED);
	if (code == 0 && !out->cut)
		out->exit = out->loaded.profile->exit;
	for (size_t e = 0; code == 0 && e < out->loaded.profile->events; e++) {
		const struct profile__event *event = &out->loaded.profile->event[e];
		int64_t number = event->part                               ? CLI__NUMBER_NONE
				 : event->number == PROFILE__CYCLE_COUNTER ? CLI__NUMBER_CYCLES
									   : (int64_t)event->number;
		add(out, out->loaded.profile->core, event->label, number,
		    event->total ? event->total : event->weight);
	}
	return code;
}

static int read_file(const struct cli__cli *cli, FILE *file, const struct cli__load_options *load,
		     struct cli__measured *out)
{
	char magic[8];
	struct text text = {file, magic, fread(magic, 1, sizeof magic, file)};

	if (text.left != sizeof magic || memcmp(magic, PROFILE__MAGIC, sizeof magic) != 0)
		return read_json(cli, &text, out);
	if (fseek(file, 0, SEEK_SET) == 0)
		return read_profile(cli, load, out);
	cli__message(cli, "%s: a profile cannot be read from a pipe; give the name of its file", out->path);
	return CLI__EXIT_FAILURE;
}

int cli__measured_read(const struct cli__cli *cli, const char *path, const struct cli__load_options *load,
		       struct cli__measured *out)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "r");

	*out = (struct cli__measured){.path = path, .exit = -1};
	if (file == NULL) {
		cli__message(cli, "%s: %s", path, strerror(errno));
		return CLI__EXIT_FAILURE;
	}
	int code = read_file(cli, file, load, out);
	if (!standard)
		fclose(file);
	return code;
}

void cli__measured_free(struct cli__measured *measured)
{
	for (size_t i = 0; i < measured->counts; i++) {
		free(measured->count[i].core);
		free(measured->count[i].event);
	}
	free(measured->count);
	if (measured->profile)
		cli__unload(&measured->loaded);
	*measured = (struct cli__measured){0};
}
