/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getline, stpcpy */
#include "cli/common/suggest.h"
#include "cli/sweep/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void cli__words_add(struct cli__words *words, const char *word)
{
	words->word = realloc((void *)words->word, (words->n + 2) * sizeof *words->word);
	if (words->word == NULL)
		abort();
	words->word[words->n++] = cli__copy(word);
	words->word[words->n] = NULL;
}

void cli__words_add_new(struct cli__words *words, const char *word)
{
	for (size_t i = 0; i < words->n; i++)
		if (strcmp(words->word[i], word) == 0)
			return;
	cli__words_add(words, word);
}

void cli__words_free(struct cli__words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->word[i]);
	free((void *)words->word);
	*words = (struct cli__words){0};
}

static char *joined(char *before, const char *more)
{
	char *both = cli__format("%s%s", before, more);

	free(before);
	return both;
}

/* Writes a word to `to` as a shell quotes it, 'it'\''s'. `to` has room for four characters for each and two
 * more. Returns the end. */
static char *quoted(char *to, const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%";
	size_t length = strlen(word);

	if (length && strspn(word, safe) == length)
		return stpcpy(to, word);
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = stpcpy(to, "'\\'");
		*to++ = *word;
	}
	*to++ = '\'';
	return to;
}

char *cli__words_quoted(const struct cli__words *words)
{
	size_t room = 1;

	for (size_t i = 0; i < words->n; i++)
		room += 4 * strlen(words->word[i]) + 3;
	char *text = cli__zalloc(room, 1), *to = text;
	for (size_t i = 0; i < words->n; i++) {
		if (i)
			*to++ = ' ';
		to = quoted(to, words->word[i]);
	}
	return text;
}

struct reading {
	const struct cli__cli *cli;
	const char *path;
	unsigned line;
	struct cli__sweep *sweep;
};

static int bad(const struct reading *reading, const char *what, const char *word)
{
	cli__message(reading->cli, "%s:%u: %s%s%s%s", reading->path, reading->line ? reading->line : 1, what,
		     word ? " '" : "", word ? word : "", word ? "'" : "");
	return CLI__EXIT_USAGE;
}

/* Cuts a line into words; quotes of both kinds hold spaces, '#' begins a comment. False if a quote is
 * open. */
static bool cut(const char *line, struct cli__words *out)
{
	char *word = cli__zalloc(strlen(line) + 1, 1);
	char open = '\0';

	while (!open) {
		size_t n = 0;
		while (isspace((unsigned char)*line))
			line++;
		if (*line == '\0' || *line == '#')
			break;
		for (; *line && (open || !isspace((unsigned char)*line)); line++) {
			if (*line == open)
				open = '\0';
			else if (!open && (*line == '\'' || *line == '"'))
				open = *line;
			else
				word[n++] = *line;
		}
		word[n] = '\0';
		cli__words_add(out, word);
	}
	free(word);
	return !open;
}

static void add_all(struct cli__words *to, const struct cli__words *from, size_t first)
{
	for (size_t i = first; i < from->n; i++)
		cli__words_add(to, from->word[i]);
}

static int take_cores(const struct reading *reading, const struct cli__words *words)
{
	for (size_t i = 1; i < words->n; i++) {
		const struct apmu_core *core = cli__core(reading->cli, words->word[i]);
		if (core == NULL)
			return bad(reading, "'core' needs names of cores, not", words->word[i]);
		cli__words_add_new(&reading->sweep->cores, core->name);
	}
	return 0;
}

static const struct {
	const char *key;
	size_t least; /* words of a line, with the key */
	const char *lacking;
} known[] = {
	{"program", 2, "'program' needs a command line"},
	{"core", 2, "'core' needs the name of a core"},
	{"event", 2, "'event' needs the name of an event"},
	{"set", 3, "'set' needs a parameter and its values"},
	{"option", 2, "'option' needs an option of 'apmu stat'"},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* What a line lacks; NULL: nothing. */
static const char *lacks(const struct cli__words *words)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (strcmp(words->word[0], known[i].key) == 0 && words->n < known[i].least)
			return known[i].lacking;
	return NULL;
}

static int unknown_word(const struct reading *reading, const char *word)
{
	struct cli__nearest near = {.want = word};

	for (size_t i = 0; i < KNOWN; i++)
		cli__nearest_offer(&near, known[i].key);
	const char *best = cli__nearest(&near);
	char *text =
		best ? cli__format("unknown word '%s'; did you mean '%s'?", word, best)
		     : cli__format(
			       "unknown word '%s'; a line begins with program, core, event, set or option",
			       word);
	int code = bad(reading, text, NULL);
	free(text);
	return code;
}

static int take_set(const struct reading *reading, const struct cli__words *words)
{
	struct cli__sweep *sweep = reading->sweep;

	for (size_t i = 0; i < sweep->sets; i++)
		if (strcmp(sweep->set[i].key, words->word[1]) == 0)
			return bad(reading,
				   "one 'set' line has all values of a parameter, and there is one of",
				   words->word[1]);
	sweep->set = cli__grow(sweep->set, sweep->sets, sizeof *sweep->set);
	sweep->set[sweep->sets].key = cli__copy(words->word[1]);
	for (size_t i = 2; i < words->n; i++)
		cli__words_add_new(&sweep->set[sweep->sets].values, words->word[i]);
	sweep->sets++;
	return 0;
}

/* Takes options of stat, but not those with which a run's core and result are named. */
static int take_options(const struct reading *reading, const struct cli__words *words)
{
	static const char *const own[] = {
		"-c",       "--core", "-j",     "--json", "-x",         "--field-separator", "-o",
		"--output", "-h",     "--help", "-I",     "--interval", "--interval-print"};

	for (size_t i = 1; i < words->n; i++)
		for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
			const char *word = words->word[i];
			size_t n = strncmp(word, "--", 2) == 0 ? strcspn(word, "=") : 2;
			if (strlen(own[k]) == n && strncmp(word, own[k], n) == 0)
				return bad(reading, "a sweep has its own core and results, without", word);
		}
	add_all(&reading->sweep->options, words, 1);
	return 0;
}

static bool same_words(const struct cli__words *a, const struct cli__words *b)
{
	size_t i = 0;

	while (i < a->n && i < b->n && strcmp(a->word[i], b->word[i]) == 0)
		i++;
	return i == a->n && i == b->n;
}

/* Adds a program that is not there yet: what a plan names twice is run once. */
static void take_program(struct cli__sweep *sweep, const struct cli__words *words)
{
	struct cli__words program = {0};
	size_t i = 0;

	add_all(&program, words, 1);
	while (i < sweep->programs && !same_words(&sweep->program[i], &program))
		i++;
	if (i < sweep->programs) {
		cli__words_free(&program);
		return;
	}
	sweep->program = cli__grow(sweep->program, sweep->programs, sizeof *sweep->program);
	sweep->program[sweep->programs++] = program;
}

static int take_line(const struct reading *reading, const struct cli__words *words)
{
	struct cli__sweep *sweep = reading->sweep;
	const char *key = words->word[0];
	const char *lacking = lacks(words);

	if (lacking != NULL)
		return bad(reading, lacking, NULL);
	if (strcmp(key, "core") == 0)
		return take_cores(reading, words);
	if (strcmp(key, "set") == 0)
		return take_set(reading, words);
	if (strcmp(key, "option") == 0)
		return take_options(reading, words);
	if (strcmp(key, "event") == 0) {
		add_all(&sweep->events, words, 1);
	} else if (strcmp(key, "program") == 0) {
		take_program(sweep, words);
	} else {
		return unknown_word(reading, key);
	}
	return 0;
}

/* All events of the plan as one list, as -e has it; to be freed. */
static char *event_list(const struct cli__sweep *sweep)
{
	char *events = cli__copy("");

	for (size_t i = 0; i < sweep->events.n; i++)
		events = joined(joined(events, i ? "," : ""), sweep->events.word[i]);
	return events;
}

/* Finds the events, which are fewer or more than the plan's words: "cycles:u,{a b}" has three. */
static int find_events(const struct reading *reading)
{
	struct cli__sweep *sweep = reading->sweep;
	char *events = event_list(sweep);
	int code = sweep->events.n ? cli__rows_parse(reading->cli, &sweep->rows, events) : 0;

	free(events);
	return code;
}

static void find_lacks(struct cli__sweep *sweep)
{
	size_t cores = sweep->cores.n, rows = sweep->rows.n;
	const struct apmu_core **core = cli__zalloc(cores + 1, sizeof(void *));

	sweep->lacks = cli__zalloc(cores * rows + 1, sizeof *sweep->lacks);
	for (size_t c = 0; c < cores; c++)
		core[c] = apmu_core_find(sweep->cores.word[c]);
	for (size_t i = 0; i < cores * rows; i++)
		sweep->lacks[i] =
			cli__label_absent(core[i / rows], sweep->rows.row[i % rows].label, core, cores);
	free((void *)core);
}

bool cli__sweep_lacks(const struct cli__sweep *sweep, const struct cli__sweep_run *run, size_t row)
{
	return row < sweep->rows.n && sweep->lacks[run->core * sweep->rows.n + row];
}

/* The first row from `from` on that the run's core does not lack; rows.n if there is none. */
static size_t next_row(const struct cli__sweep *sweep, const struct cli__sweep_run *run, size_t from)
{
	while (cli__sweep_lacks(sweep, run, from))
		from++;
	return from;
}

/* The events of a run's -e: without those that its core lacks. `instructions`, which is quick to count, if it
 * lacks all, because the program is run in any case. To be freed. */
static char *events_of(const struct cli__sweep *sweep, const struct cli__sweep_run *run)
{
	const struct cli__row *row = sweep->rows.row;
	size_t n = sweep->rows.n, lacked = 0;
	bool open = false; /* in a group */

	for (size_t i = 0; i < n; i++)
		lacked += cli__sweep_lacks(sweep, run, i);
	if (lacked == 0)
		return event_list(sweep); /* as the plan has them */
	char *events = cli__copy(lacked == n ? "instructions" : "");
	for (size_t i = next_row(sweep, run, 0), next; i < n; i = next) {
		next = next_row(sweep, run, i + 1);
		bool more = next < n && row[next].group == row[i].group;
		events = joined(joined(joined(events, events[0] ? "," : ""), more && !open ? "{" : ""),
				row[i].label);
		events = joined(events, open && !more ? "}" : "");
		open = more;
	}
	return events;
}

static void make_command(struct cli__sweep *sweep, struct cli__sweep_run *run)
{
	struct cli__words all = {0};
	char *events = events_of(sweep, run);

	cli__words_add(&run->stat, "stat");
	cli__words_add(&run->stat, "-c");
	cli__words_add(&run->stat, sweep->cores.word[run->core]);
	if (sweep->events.n) {
		cli__words_add(&run->stat, "-e");
		cli__words_add(&run->stat, events);
	}
	for (size_t i = 0; i < sweep->sets; i++) {
		char *set = cli__format("%s=%s", sweep->set[i].key, sweep->set[i].values.word[run->value[i]]);
		cli__words_add(&run->stat, "--set");
		cli__words_add(&run->stat, set);
		free(set);
	}
	add_all(&run->stat, &sweep->options, 0);
	cli__words_add(&run->stat, "--");
	add_all(&run->stat, &sweep->program[run->program], 0);
	cli__words_add(&all, "apmu");
	add_all(&all, &run->stat, 0);
	run->command = cli__words_quoted(&all);
	cli__words_free(&all);
	free(events);
}

/* Makes run i of programs x cores x values; the last set varies fastest. */
static void make_run(struct cli__sweep *sweep, size_t i)
{
	struct cli__sweep_run *run = &sweep->run[i];

	run->value = cli__zalloc(sweep->sets + 1, sizeof *run->value);
	for (size_t s = sweep->sets; s-- > 0;) {
		run->value[s] = i % sweep->set[s].values.n;
		i /= sweep->set[s].values.n;
	}
	run->core = i % sweep->cores.n;
	run->program = i / sweep->cores.n;
	make_command(sweep, run);
}

static int make_runs(const struct reading *reading)
{
	struct cli__sweep *sweep = reading->sweep;
	size_t n = sweep->programs;

	if (sweep->programs == 0 || sweep->cores.n == 0)
		return bad(reading,
			   sweep->programs ? "no core: 'core cortex-a53'"
					   : "no program: 'program ./prog args'",
			   NULL);
	for (size_t s = 0; s <= sweep->sets && n <= CLI__SWEEP_RUNS; s++)
		n *= s < sweep->sets ? sweep->set[s].values.n : sweep->cores.n;
	if (n > CLI__SWEEP_RUNS)
		return bad(reading, "more than 100000 runs", NULL);
	find_lacks(sweep);
	sweep->run = cli__zalloc(n, sizeof *sweep->run);
	sweep->runs = n;
	for (size_t i = 0; i < n; i++)
		make_run(sweep, i);
	return 0;
}

int cli__sweep_plan(const struct cli__cli *cli, const char *path, struct cli__sweep *sweep)
{
	struct reading reading = {cli, path, 0, sweep};
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int code = 0;

	while (file != NULL && code == 0 && (n = getline(&line, &room, file)) > 0) {
		struct cli__words words = {0};
		bool mark = reading.line++ == 0 && strncmp(line, "\xEF\xBB\xBF", 3) == 0;
		if (strlen(line) != (size_t)n)
			code = bad(&reading, "a byte of 0: a plan is text", NULL);
		else if (!cut(line + (mark ? 3 : 0), &words)) /* byte order mark */
			code = bad(&reading, "a quote is not closed", NULL);
		else if (words.n)
			code = take_line(&reading, &words);
		cli__words_free(&words);
	}
	free(line);
	if (file == NULL || ferror(file)) { /* missing, or a folder */
		cli__message(cli, "'%s': %s", path, strerror(errno));
		code = CLI__EXIT_FAILURE;
	}
	if (file != NULL)
		fclose(file);
	if (code == 0)
		code = find_events(&reading);
	return code ? code : make_runs(&reading);
}

void cli__sweep_free(struct cli__sweep *sweep)
{
	for (size_t i = 0; i < sweep->runs; i++) {
		free(sweep->run[i].value);
		cli__words_free(&sweep->run[i].stat);
		free(sweep->run[i].command);
		json_decref(sweep->run[i].result);
	}
	for (size_t i = 0; i < sweep->programs; i++)
		cli__words_free(&sweep->program[i]);
	for (size_t i = 0; i < sweep->sets; i++) {
		free(sweep->set[i].key);
		cli__words_free(&sweep->set[i].values);
	}
	free(sweep->run);
	free(sweep->program);
	free(sweep->set);
	cli__words_free(&sweep->cores);
	cli__words_free(&sweep->events);
	cli__rows_free(&sweep->rows);
	free(sweep->lacks);
	cli__words_free(&sweep->options);
	cli__words_free(&sweep->sbatch);
	free(sweep->folder);
	free(sweep->results);
	*sweep = (struct cli__sweep){0};
}
