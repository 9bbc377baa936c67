/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strsep */
#include "cli/report/report_rows.h"

#include "cli/common/thread_name.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const cli__report_key_name[CLI__KEYS] = {"function", "object", "file", "line",
						     "address",  "thread", "level"};

void cli__report_rows_open(struct cli__report_rows *rows, const struct cli__report_options *options,
			   const struct profile__profile *profile, struct cli__report *report)
{
	*rows = (struct cli__report_rows){.options = options, .profile = profile, .report = report};
}

void cli__report_rows_close(struct cli__report_rows *rows)
{
	profile__index_free(&rows->texts);
	profile__index_free(&rows->lists);
	profile__index_free(&rows->places);
	free(rows->classes);
	free(rows->class_of);
}

struct cli__report_level cli__report_leaf(const struct profile__place *place, uint32_t thread)
{
	return (struct cli__report_level){
		.place = place, .frame = place->frames ? place->frame : NULL, .thread = thread};
}

static const char *function_of(const struct cli__report_level *l)
{
	return l->frame && l->frame->function ? l->frame->function : l->place->function;
}

static const char *file_of(const struct cli__report_level *l)
{
	const char *file = l->frame ? l->frame->file : l->place->file;

	return file ? file : "[unknown]";
}

/* A file as compilers name it, without "./" and "folder/../": a header has several names otherwise, one by
 * each folder that it was included from. */
static char *tidy(const char *file)
{
	char *made = cli__copy(file), *to = made;
	size_t folders = 0; /* that a ".." can take back */

	for (const char *at = file; *at;) {
		size_t n = strcspn(at, "/");
		bool last = at[n] == '\0';
		if (n == 2 && !last && folders && strncmp(at, "..", 2) == 0) {
			for (to--; to > made && to[-1] != '/'; to--)
				;
			folders--;
		} else if (last || n != 1 || at[0] != '.') {
			folders = n == 0 || (n == 2 && strncmp(at, "..", 2) == 0) ? 0 : folders + 1;
			memmove(to, at, n + !last);
			to += n + !last;
		}
		at += n + !last;
	}
	*to = '\0';
	return made;
}

static char *line_text(const char *file, uint32_t line)
{
	char *path = line ? tidy(file) : NULL;
	char *made = path ? cli__format("%s:%" PRIu32, path, line) : cli__copy("[unknown]");

	free(path);
	return made;
}

static char *level_text(const struct cli__report_level *l)
{
	static const char *const name[] = {
		"[none]", "L1", "L2", "L3", "memory", "another core", "another core, modified"};
	unsigned level = l->level < sizeof name / sizeof name[0] ? l->level : 0;

	return cli__format("%s%s", name[level], l->walk ? ", table walk" : l->tlb_miss ? ", TLB miss" : "");
}

static char *key_text(const struct cli__report_rows *rows, const struct cli__report_level *l, unsigned key)
{
	uint32_t line = l->frame ? l->frame->line : l->place->line;

	switch (key) {
	case CLI__KEY_FUNCTION: return cli__copy(function_of(l));
	case CLI__KEY_OBJECT: return cli__copy(l->place->object);
	case CLI__KEY_FILE: return tidy(file_of(l));
	case CLI__KEY_LINE: return line_text(file_of(l), line);
	case CLI__KEY_ADDRESS: return cli__format("0x%" PRIx64, l->place->address);
	case CLI__KEY_THREAD: return cli__thread_name(rows->profile, l->thread);
	default: return level_text(l);
	}
}

/* Two hashes after FNV-1a with different starts: 128 bits are enough to tell texts apart. */
static void add_hash(struct profile__key *key, const char *text)
{
	for (const unsigned char *c = (const unsigned char *)text;; c++) {
		key->word[0] = (key->word[0] ^ *c) * 0x100000001B3u;
		key->word[1] = (key->word[1] ^ *c ^ 0x55) * 0x100000001B3u + key->word[0];
		if (*c == '\0')
			break;
	}
}

uint32_t cli__report_row(struct cli__report_rows *rows, const struct cli__report_level *l)
{
	struct profile__key key = {{0xCBF29CE484222325u, 0x84222325CBF29CE4u, 0}};
	struct cli__report *r = rows->report;
	char *text[CLI__KEYS] = {NULL};
	bool fresh;

	for (size_t k = 0; k < rows->options->keys; k++) {
		text[k] = key_text(rows, l, rows->options->key[k]);
		add_hash(&key, text[k]);
	}
	uint32_t i = profile__index_add(&rows->texts, key, &fresh);
	if (i != UINT32_MAX && fresh) {
		r->row = cli__grow(r->row, i, sizeof *r->row);
		memcpy(r->row[i].text, text, sizeof text);
		r->rows = (size_t)i + 1;
		return i;
	}
	for (size_t k = 0; k < rows->options->keys; k++)
		free(text[k]);
	return i;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(profile__base_name(*(char *const *)left), profile__base_name(*(char *const *)right));
}

/* Length of what is a file's: of "file.c:" in "file.c:12", else of all. */
static size_t name_length(const char *name, enum cli__report_key key)
{
	const char *colon = key == CLI__KEY_LINE ? strrchr(name, ':') : NULL;

	return colon ? (size_t)(colon - name) + 1 : strlen(name) + 1;
}

static bool same_name(const char *a, const char *b, enum cli__report_key key)
{
	a = profile__base_name(a);
	b = profile__base_name(b);
	return strncmp(a, b, name_length(a, key)) == 0;
}

static bool same_folder(const char *a, const char *b)
{
	size_t n = (size_t)(profile__base_name(a) - a);

	return n == (size_t)(profile__base_name(b) - b) && strncmp(a, b, n) == 0;
}

static void shorten(char **text, size_t n, enum cli__report_key key)
{
	if (n)
		qsort(text, n, sizeof *text, by_name);
	for (size_t i = 0, end; i < n; i = end) {
		bool one = true;
		for (end = i + 1; end < n && same_name(text[i], text[end], key); end++)
			one = one && same_folder(text[i], text[end]);
		for (size_t k = i; one && k < end; k++) {
			const char *name = profile__base_name(text[k]);
			memmove(text[k], name, strlen(name) + 1);
		}
	}
}

void cli__report_shorten(const struct cli__report_options *options, struct cli__report *report)
{
	char **text = cli__zalloc(report->rows + 1, sizeof *text);

	for (size_t k = 0; k < options->keys; k++) {
		for (size_t i = 0; i < report->rows; i++)
			text[i] = report->row[i].text[k];
		if (options->key[k] == CLI__KEY_LINE || options->key[k] == CLI__KEY_OBJECT)
			shorten(text, report->rows, (enum cli__report_key)options->key[k]);
	}
	free(text);
}

/* The class that extends `shorter` by one row. */
static uint32_t longer(struct cli__report_rows *rows, uint32_t shorter, uint32_t row)
{
	bool fresh;
	uint32_t i = row == UINT32_MAX ? row
				       : profile__index_add(&rows->lists,
							    (struct profile__key){{shorter, row, 0}}, &fresh);

	if (i == UINT32_MAX)
		return i;
	if (fresh) {
		rows->classes = cli__grow(rows->classes, i, sizeof *rows->classes);
		rows->classes[i] = (struct cli__report_class){shorter, row};
	}
	return i + 1;
}

static uint32_t make_class(struct cli__report_rows *rows, const struct profile__place *place, uint32_t thread)
{
	struct cli__report_level l = cli__report_leaf(place, thread);
	uint32_t list = 0;

	for (size_t f = 0; list != UINT32_MAX && (f == 0 || f < place->frames); f++) {
		if (f)
			l.frame = &place->frame[f];
		list = longer(rows, list, cli__report_row(rows, &l));
	}
	return list;
}

uint32_t cli__report_class(struct cli__report_rows *rows, const struct profile__place *place, uint32_t thread)
{
	bool fresh;
	uint32_t i = profile__index_add(&rows->places, (struct profile__key){{(uintptr_t)place, thread, 0}},
					&fresh);

	if (i == UINT32_MAX)
		return i;
	if (fresh) {
		rows->class_of = cli__grow(rows->class_of, i, sizeof *rows->class_of);
		rows->class_of[i] = make_class(rows, place, thread);
	}
	return rows->class_of[i];
}

/* Names that are no patterns may have brackets: "[program+0x6af60]", "fib [eval]". */
static bool fits_one(const char *pattern, const char *text)
{
	return strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0;
}

bool cli__report_fits(const char *patterns, const char *text)
{
	if (!patterns || fits_one(patterns, text))
		return true;
	if (!strchr(patterns, ','))
		return false;
	bool found = false;
	char *copy = cli__copy(patterns), *rest = copy;
	for (char *one; !found && (one = strsep(&rest, ",")) != NULL;)
		found = fits_one(one, text);
	free(copy);
	return found;
}

bool cli__report_passes(const struct cli__report_rows *rows, const struct cli__report_level *l)
{
	const struct cli__report_options *o = rows->options;
	uint64_t number = profile__thread_number(rows->profile, l->thread);

	return cli__report_fits(o->function, function_of(l)) && (!o->by_thread || number == o->thread) &&
	       (cli__report_fits(o->file, file_of(l)) ||
		cli__report_fits(o->file, profile__base_name(file_of(l)))) &&
	       (cli__report_fits(o->object, l->place->object) ||
		cli__report_fits(o->object, profile__base_name(l->place->object)));
}
