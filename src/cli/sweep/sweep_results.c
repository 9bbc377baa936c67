/* SPDX-License-Identifier: MIT */
/* One JSON line per run, appended when the run ends: apmu-sweep/1, docs/json.md. */
#define _GNU_SOURCE /* getline, O_CLOEXEC */
#include "cli/common/json.h"
#include "cli/common/output.h"
#include "cli/sweep/sweep.h"
#include "qemu/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *cli__sweep_path(const struct cli__sweep *sweep, size_t i, const char *suffix)
{
	return cli__format("%s/run-%zu.%s", sweep->folder, i, suffix);
}

void cli__sweep_forget(const struct cli__sweep *sweep, size_t i)
{
	static const char *const suffix[] = {"json", "out", "err"};

	for (size_t k = 0; k < sizeof suffix / sizeof suffix[0]; k++) {
		char *path = cli__sweep_path(sweep, i, suffix[k]);
		unlink(path);
		free(path);
	}
}

void cli__sweep_words(const struct cli__sweep *sweep, size_t i, struct cli__words *out)
{
	char self[PATH_MAX];
	char *json = cli__sweep_path(sweep, i, "json");

	apmu_qemu__own_path(self, sizeof self);
	cli__words_add(out, self[0] != '\0' ? self : "apmu");
	cli__words_add(out, "stat");
	cli__words_add(out, "-j");
	cli__words_add(out, "-o");
	cli__words_add(out, json);
	for (size_t w = 1; w < sweep->run[i].stat.n; w++)
		cli__words_add(out, sweep->run[i].stat.word[w]);
	free(json);
}

#define HASH 0xCBF29CE484222325 /* of nothing */
enum { HASHED = 17 };           /* bytes of a hash's text */

/* Adds text to a hash (FNV-1a). */
static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001B3;
	return hash;
}

/* Adds a file to a hash; false if it is no file that can be read here. */
static bool hash_file(uint64_t *hash, const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct stat about;
	bool whole = file && fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode);

	for (int c; whole && (c = getc_unlocked(file)) != EOF;)
		*hash = (*hash ^ (unsigned char)c) * 0x100000001B3;
	whole = whole && !ferror(file);
	if (file)
		fclose(file);
	return whole;
}

/* Prints a hash of a program's file, by which its builds are told apart; "" if it cannot be read here. */
static void build_of(const struct cli__sweep *sweep, size_t program, char out[HASHED])
{
	uint64_t hash = HASH;
	bool whole = hash_file(&hash, sweep->program[program].word[0]);

	snprintf(out, HASHED, "%016" PRIx64, hash);
	out[whole ? HASHED - 1 : 0] = '\0';
}

/* Prints a hash of what else a result depends on: apmu's version, and the files that the plan's options name,
 * as in "--uarch FILE" and "--uarch=FILE". */
static void inputs_of(const struct cli__sweep *sweep, char out[HASHED])
{
	uint64_t hash = hash_text(HASH, APMU_VERSION);

	for (size_t i = 0; i < sweep->options.n; i++) {
		const char *word = sweep->options.word[i], *equals = strchr(word, '=');
		hash_file(&hash, word[0] == '-' && equals ? equals + 1 : word);
	}
	snprintf(out, HASHED, "%016" PRIx64, hash);
}

/* True if a line of the results has this hash by this name, or none. */
static bool same(const json_t *line, const char *name, const char *hash)
{
	const char *was = json_string_value(json_object_get(line, name));

	return was == NULL || hash[0] == '\0' || strcmp(was, hash) == 0;
}

static bool succeeded(const json_t *line)
{
	return json_is_object(json_object_get(line, "counters"));
}

static int by_command(const void *a, const void *b)
{
	const struct cli__sweep_run *const *x = a, *const *y = b;

	return strcmp((*x)->command, (*y)->command);
}

/* The runs in order of their command lines: to be freed. */
static struct cli__sweep_run **in_order(struct cli__sweep *sweep)
{
	struct cli__sweep_run **order = cli__zalloc(sweep->runs + 1, sizeof(struct cli__sweep_run *));

	for (size_t i = 0; i < sweep->runs; i++)
		order[i] = &sweep->run[i];
	qsort(order, sweep->runs, sizeof *order, by_command);
	return order;
}

/* Index of the first run with this command line or a greater one; several runs may be alike. */
static size_t first_of(struct cli__sweep_run *const *order, size_t n, const char *command)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;
		if (strcmp(order[middle]->command, command) < 0)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Gives a line to the runs that it is of; of several lines the last counts. */
static void take_line(const struct cli__sweep *sweep, struct cli__sweep_run *const *order, const char *text)
{
	size_t n = sweep->runs;
	json_t *line = json_loads(text, 0, NULL); /* NULL for a torn line */
	const char *command = json_string_value(json_object_get(line, "command"));

	if (command && succeeded(line))
		for (size_t i = first_of(order, n, command); i < n && strcmp(order[i]->command, command) == 0;
		     i++) {
			json_decref(order[i]->result);
			order[i]->result = json_incref(line);
		}
	json_decref(line);
}

/* Forgets results of programs that have been built anew, of options whose files have changed, and of another
 * version of apmu. */
static void forget_stale(const struct cli__cli *cli, struct cli__sweep *sweep)
{
	char *build = cli__zalloc(sweep->programs, HASHED), inputs[HASHED];
	size_t built = 0, stale = 0;

	for (size_t i = 0; i < sweep->programs; i++)
		build_of(sweep, i, build + i * HASHED);
	inputs_of(sweep, inputs);
	for (size_t i = 0; i < sweep->runs; i++) {
		struct cli__sweep_run *run = &sweep->run[i];
		bool program = same(run->result, "build", build + run->program * HASHED);
		if (program && same(run->result, "inputs", inputs))
			continue;
		json_decref(run->result);
		run->result = NULL;
		*(program ? &stale : &built) += 1;
	}
	free(build);
	if (built)
		cli__message(cli, "%zu results are of another build of their program: these are run again",
			     built);
	if (stale)
		cli__message(
			cli,
			"%zu results are of another version of apmu or of the files of 'option': these are run again",
			stale);
}

/* True for the first line of a file of results, which may be torn. */
static bool begins_results(const char *line)
{
	return line[0] == '{' && (strstr(line, "\"apmu-sweep/") != NULL || strchr(line, '\n') == NULL);
}

int cli__sweep_resume(const struct cli__cli *cli, struct cli__sweep *sweep)
{
	struct stat about;
	bool special =
		stat(sweep->results, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
	FILE *file = special ? NULL : fopen(sweep->results, "r"); /* /dev/full would be read without end */
	char *line = NULL;
	size_t room = 0;

	if (special || (file == NULL && errno == ENOENT))
		return 0;
	if (file == NULL) {
		cli__message(cli, "%s: %s", sweep->results, strerror(errno));
		return CLI__EXIT_FAILURE;
	}
	struct cli__sweep_run **order = in_order(sweep);
	bool first = true, foreign = false;
	while (!foreign && getline(&line, &room, file) > 0) {
		foreign = first && !begins_results(line);
		first = false;
		take_line(sweep, order, line);
	}
	if (foreign)
		cli__message(cli, "'%s' has no results of 'apmu sweep': name another file for them",
			     sweep->results);
	else
		forget_stale(cli, sweep);
	free(order);
	free(line);
	fclose(file);
	return foreign ? CLI__EXIT_USAGE : 0;
}

/* The last line of a file of messages, which says why stat failed. */
static char *last_words(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = cli__copy("it left no result"), *next = NULL;
	size_t room = 0;

	while (file && getline(&next, &room, file) > 0) {
		next[strcspn(next, "\n")] = '\0';
		free(line);
		line = cli__copy(next);
	}
	free(next);
	if (file)
		fclose(file);
	return line;
}

static void add_result(json_t *line, const json_t *stat, const struct cli__sweep *sweep,
		       const struct cli__sweep_run *run)
{
	json_t *counters = json_object(), *unsupported = json_array();
	const json_t *counter;
	size_t i;

	cli__json_add(line, "exit", json_incref(json_object_get(stat, "exit")));
	json_array_foreach(json_object_get(stat, "counters"), i, counter)
	{
		const char *event = json_string_value(json_object_get(counter, "event"));
		if (event)
			cli__json_add(counters, event,
				      cli__json_counted(counter)
					      ? json_incref(json_object_get(counter, "value"))
					      : json_null());
	}
	for (i = 0; i < sweep->rows.n; i++)
		if (cli__sweep_lacks(sweep, run, i))
			cli__json_append(unsupported, cli__json_text(sweep->rows.row[i].label));
	cli__json_add(line, "counters", counters);
	cli__json_add(line, "unsupported", unsupported);
}

static json_t *line_of(const struct cli__sweep *sweep, size_t i)
{
	const struct cli__sweep_run *run = &sweep->run[i];
	char *json = cli__sweep_path(sweep, i, "json");
	char *err = cli__sweep_path(sweep, i, "err");
	json_t *stat = json_load_file(json, 0, NULL);
	json_t *line = json_object();
	json_t *program = json_array();
	json_t *set = json_object();

	for (size_t w = 0; w < sweep->program[run->program].n; w++)
		cli__json_append(program, cli__json_text(sweep->program[run->program].word[w]));
	for (size_t s = 0; s < sweep->sets; s++)
		cli__json_add(set, sweep->set[s].key,
			      cli__json_text(sweep->set[s].values.word[run->value[s]]));
	cli__json_add(line, "schema", json_string("apmu-sweep/1"));
	cli__json_add(line, "command", cli__json_text(run->command));
	cli__json_add(line, "program", program);
	char hash[HASHED];
	build_of(sweep, run->program, hash);
	if (hash[0])
		cli__json_add(line, "build", json_string(hash));
	inputs_of(sweep, hash);
	cli__json_add(line, "inputs", json_string(hash));
	cli__json_add(line, "core", cli__json_text(sweep->cores.word[run->core]));
	cli__json_add(line, "set", set);
	if (json_is_array(json_object_get(stat, "counters"))) {
		add_result(line, stat, sweep, run);
	} else {
		char *why = last_words(err);
		cli__json_add(line, "error", cli__json_text(why));
		free(why);
	}
	json_decref(stat);
	free(json);
	free(err);
	return line;
}

/* Appends a line with one write. A torn line, left by a sweep that died, is ended first. */
static int append(const struct cli__cli *cli, const char *path, const json_t *line)
{
	char *text = json_dumps(line, JSON_COMPACT);
	int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	char last = '\n';
	off_t end = fd < 0 ? 0 : lseek(fd, 0, SEEK_END);

	if (end > 0 && pread(fd, &last, 1, end - 1) != 1)
		last = '\n';
	char *whole = cli__format("%s%s\n", last == '\n' ? "" : "\n", text ? text : "");
	bool ok = fd >= 0 && text && cli__write_all(fd, whole, strlen(whole));
	if (!ok)
		cli__message(cli, "%s: %s", path, strerror(errno));
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	free(whole);
	free(text);
	return ok ? 0 : CLI__EXIT_FAILURE;
}

int cli__sweep_collect(const struct cli__cli *cli, struct cli__sweep *sweep, size_t i)
{
	json_t *line = line_of(sweep, i);
	int code = append(cli, sweep->results, line);

	json_decref(sweep->run[i].result);
	sweep->run[i].result = line;
	return code;
}
