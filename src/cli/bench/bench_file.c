/* SPDX-License-Identifier: MIT */
/* Rows, and the file that they are kept in: schema apmu-bench/1 (docs/json.md). */
#include "cli/bench/bench.h"
#include "cli/common/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cli__bench_row *cli__bench_add(struct cli__bench *bench, const char *name, const char *core,
				      const char *program)
{
	bench->row = cli__grow(bench->row, bench->rows, sizeof *bench->row);
	struct cli__bench_row *row = &bench->row[bench->rows++];
	*row = (struct cli__bench_row){.name = cli__copy(name),
				       .core = cli__copy(core),
				       .program = cli__copy(program),
				       .count = cli__zalloc(bench->events, sizeof(uint64_t))};
	return row;
}

/* How many earlier rows are of the same benchmark: some programs give several parts one name. */
static size_t turn_of(const struct cli__bench *bench, const struct cli__bench_row *row)
{
	size_t n = 0;

	for (const struct cli__bench_row *r = bench->row; r != row; r++)
		n += strcmp(r->name, row->name) == 0 && strcmp(r->core, row->core) == 0 &&
		     strcmp(r->program, row->program) == 0;
	return n;
}

static const struct cli__bench_row *find_turn(const struct cli__bench *bench,
					      const struct cli__bench_row *like, size_t turn)
{
	for (size_t i = 0; i < bench->rows; i++) {
		const struct cli__bench_row *r = &bench->row[i];
		if (strcmp(r->name, like->name) == 0 && strcmp(r->core, like->core) == 0 &&
		    strcmp(r->program, like->program) == 0 && turn-- == 0)
			return r;
	}
	return NULL;
}

const struct cli__bench_row *cli__bench_find(const struct cli__bench *bench, const struct cli__bench *of,
					     const struct cli__bench_row *like)
{
	return find_turn(bench, like, turn_of(of, like));
}

size_t cli__bench_event(const struct cli__bench *bench, const char *label)
{
	size_t i = 0;

	while (i < bench->events && strcmp(bench->event[i], label) != 0)
		i++;
	return i;
}

void cli__bench_free(struct cli__bench *bench)
{
	for (size_t i = 0; i < bench->events; i++)
		free(bench->event[i]);
	for (size_t i = 0; i < bench->rows; i++) {
		free(bench->row[i].name);
		free(bench->row[i].core);
		free(bench->row[i].program);
		free(bench->row[i].count);
	}
	free(bench->event);
	free(bench->row);
}

static void add_event(struct cli__bench *bench, const char *label)
{
	if (cli__bench_event(bench, label) != bench->events)
		return;
	bench->event = cli__grow(bench->event, bench->events, sizeof(*bench->event));
	bench->event[bench->events++] = cli__copy(label);
}

static const char *text(const json_t *row, const char *name)
{
	const char *value = json_string_value(json_object_get(row, name));

	return value ? value : "";
}

/* A count may be real: some tools write 3 as 3.0. */
static bool is_count(const json_t *value)
{
	double number = json_number_value(value);

	return json_is_number(value) && number >= 0 && number < 0x1p64;
}

static bool are_counts(json_t *rows)
{
	const char *label;
	json_t *value;

	for (size_t i = 0; i < json_array_size(rows); i++)
		json_object_foreach(json_object_get(json_array_get(rows, i), "counts"), label, value)
		{
			if (!is_count(value))
				return false;
		}
	return true;
}

static uint64_t count_of(const json_t *value)
{
	return json_is_integer(value) ? (uint64_t)json_integer_value(value)
				      : (uint64_t)json_real_value(value);
}

static void take_row(struct cli__bench *bench, json_t *from)
{
	struct cli__bench_row *row =
		cli__bench_add(bench, text(from, "benchmark"), text(from, "core"), text(from, "program"));
	const char *label;
	json_t *value;

	for (size_t i = 0; i < bench->events; i++)
		row->count[i] = CLI__BENCH_NONE;
	json_object_foreach(json_object_get(from, "counts"), label, value)
		row->count[cli__bench_event(bench, label)] = count_of(value);
}

int cli__bench_read(const struct cli__cli *cli, const char *path, struct cli__bench *bench)
{
	json_error_t error;
	json_t *file = json_load_file(path, 0, &error), *rows = json_object_get(file, "rows");
	bool ours =
		strcmp(text(file, "schema"), "apmu-bench/1") == 0 && json_is_array(rows) && are_counts(rows);
	const char *label;
	json_t *value;

	if (!ours) {
		if (json_error_code(&error) == json_error_cannot_open_file && file == NULL)
			cli__message(cli, "cannot read '%s': %s", path, strerror(errno));
		else
			cli__message(cli, "%s is not a file of 'apmu bench --save'%s%s", path,
				     file ? "" : ": ", file ? "" : error.text);
		json_decref(file);
		return CLI__EXIT_FAILURE;
	}
	for (size_t i = 0; i < json_array_size(rows); i++)
		json_object_foreach(json_object_get(json_array_get(rows, i), "counts"), label, value)
			add_event(bench, label);
	for (size_t i = 0; i < json_array_size(rows); i++)
		take_row(bench, json_array_get(rows, i));
	json_decref(file);
	return 0;
}

static json_t *put_row(const struct cli__bench *bench, const struct cli__bench_row *row)
{
	json_t *o = json_object(), *counts = json_object();

	cli__json_add(o, "benchmark", cli__json_text(row->name));
	cli__json_add(o, "core", cli__json_text(row->core));
	cli__json_add(o, "program", cli__json_text(row->program));
	for (size_t i = 0; i < bench->events; i++)
		if (row->count[i] != CLI__BENCH_NONE)
			cli__json_add(counts, bench->event[i], cli__json_count(row->count[i]));
	cli__json_add(o, "counts", counts);
	return o;
}

bool cli__bench_covers(const struct cli__bench *bench, const struct cli__bench_row *row)
{
	for (size_t i = 0; i < bench->rows; i++)
		if (strcmp(bench->row[i].program, row->program) == 0 &&
		    strcmp(bench->row[i].core, row->core) == 0)
			return true;
	return false;
}

int cli__bench_write(const struct cli__bench *bench, const struct cli__bench *old, FILE *out)
{
	json_t *file = json_object(), *rows = json_array();

	cli__json_add(file, "schema", json_string("apmu-bench/1"));
	for (size_t i = 0; old && i < old->rows; i++)
		if (!cli__bench_covers(bench, &old->row[i]))
			cli__json_append(rows, put_row(old, &old->row[i]));
	for (size_t i = 0; i < bench->rows; i++)
		cli__json_append(rows, put_row(bench, &bench->row[i]));
	cli__json_add(file, "rows", rows);
	return cli__json_print(file, out);
}
