/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* getline */
#include "cli/common/suggest.h"
#include "cli/sweep/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void apmu__words_add(struct apmu__words *words, const char *word)
{
	words->word = realloc((void *)words->word, (words->n + 2) * sizeof *words->word);
	if (words->word == NULL)
		abort();
	words->word[words->n++] = apmu__copy(word);
	words->word[words->n] = NULL;
}

void apmu__words_free(struct apmu__words *words)
{
	for (size_t i = 0; i < words->n; i++)
		free(words->word[i]);
	free((void *)words->word);
	*words = (struct apmu__words){0};
}

static char *joined(char *before, const char *more)
{
	char *both = apmu__format("%s%s", before, more);

	free(before);
	return both;
}

/* 'it'\''s', written to `to`, which has room for four characters for each and two more; its end. */
static char *quoted(char *to, const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%";
	size_t length = strlen(word);

	if (length && strspn(word, safe) == length)
		return (char *)memcpy(to, word, length) + length;
	*to++ = '\'';
	for (; *word; word++) {
		if (*word == '\'')
			to = (char *)memcpy(to, "'\\'", 3) + 3;
		*to++ = *word;
	}
	*to++ = '\'';
	return to;
}

char *apmu__words_quoted(const struct apmu__words *words)
{
	size_t room = 1;

	for (size_t i = 0; i < words->n; i++)
		room += 4 * strlen(words->word[i]) + 3;
	char *text = apmu__zalloc(room, 1), *to = text;
	for (size_t i = 0; i < words->n; i++) {
		if (i)
			*to++ = ' ';
		to = quoted(to, words->word[i]);
	}
	return text;
}

struct reading {
	const struct apmu__cli *cli;
	const char *path;
	unsigned line;
	struct apmu__sweep *sweep;
};

static int bad(const struct reading *reading, const char *what, const char *word)
{
	apmu__complain(reading->cli, "%s:%u: %s%s%s%s", reading->path, reading->line ? reading->line : 1,
		       what, word ? " '" : "", word ? word : "", word ? "'" : "");
	return APMU__EXIT_USAGE;
}

/* Cuts a line into words; quotes of both kinds hold spaces, '#' begins a comment. False: a quote is open. */
static bool cut(const char *line, struct apmu__words *out)
{
	char *word = apmu__zalloc(strlen(line) + 1, 1);
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
		apmu__words_add(out, word);
	}
	free(word);
	return !open;
}

static void add_all(struct apmu__words *to, const struct apmu__words *from, size_t first)
{
	for (size_t i = first; i < from->n; i++)
		apmu__words_add(to, from->word[i]);
}

static int take_cores(const struct reading *reading, const struct apmu__words *words)
{
	for (size_t i = 1; i < words->n; i++) {
		const struct apmu_core *core = apmu__cli_core(reading->cli, words->word[i]);
		if (core == NULL)
			return bad(reading, "no core", words->word[i]);
		apmu__words_add(&reading->sweep->cores, core->name);
	}
	return 0;
}

static int take_line(const struct reading *reading, const struct apmu__words *words)
{
	static const char *const known[] = {"program", "core", "event", "set", "option"};
	struct apmu__sweep *sweep = reading->sweep;
	const char *key = words->word[0];
	struct apmu__nearest near = {.want = key};

	if (words->n < 2 || (strcmp(key, "set") == 0 && words->n < 3))
		return bad(reading, "nothing after", key);
	if (strcmp(key, "core") == 0)
		return take_cores(reading, words);
	if (strcmp(key, "event") == 0) {
		add_all(&sweep->events, words, 1);
	} else if (strcmp(key, "option") == 0) {
		add_all(&sweep->options, words, 1);
	} else if (strcmp(key, "program") == 0) {
		sweep->program = apmu__grow(sweep->program, sweep->programs, sizeof *sweep->program);
		add_all(&sweep->program[sweep->programs++], words, 1);
	} else if (strcmp(key, "set") == 0) {
		sweep->set = apmu__grow(sweep->set, sweep->sets, sizeof *sweep->set);
		sweep->set[sweep->sets].key = apmu__copy(words->word[1]);
		add_all(&sweep->set[sweep->sets++].values, words, 2);
	} else {
		for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
			apmu__nearest_offer(&near, known[i]);
		const char *best = apmu__nearest(&near);
		char *text = best ? apmu__format("did you mean '%s'? There is no", best)
				  : apmu__copy("program, core, event, set or option is wanted, not");
		int code = bad(reading, text, key);
		free(text);
		return code;
	}
	return 0;
}

static void make_command(struct apmu__sweep *sweep, struct apmu__sweep_run *run)
{
	struct apmu__words all = {0};
	char *events = apmu__copy("");

	apmu__words_add(&run->stat, "stat");
	apmu__words_add(&run->stat, "-c");
	apmu__words_add(&run->stat, sweep->cores.word[run->core]);
	for (size_t i = 0; i < sweep->events.n; i++)
		events = joined(joined(events, i ? "," : ""), sweep->events.word[i]);
	if (sweep->events.n) {
		apmu__words_add(&run->stat, "-e");
		apmu__words_add(&run->stat, events);
	}
	for (size_t i = 0; i < sweep->sets; i++) {
		char *set =
			apmu__format("%s=%s", sweep->set[i].key, sweep->set[i].values.word[run->value[i]]);
		apmu__words_add(&run->stat, "--set");
		apmu__words_add(&run->stat, set);
		free(set);
	}
	add_all(&run->stat, &sweep->options, 0);
	apmu__words_add(&run->stat, "--");
	add_all(&run->stat, &sweep->program[run->program], 0);
	apmu__words_add(&all, "apmu");
	add_all(&all, &run->stat, 0);
	run->command = apmu__words_quoted(&all);
	apmu__words_free(&all);
	free(events);
}

/* Run i of programs x cores x values: the last set turns fastest. */
static void make_run(struct apmu__sweep *sweep, size_t i)
{
	struct apmu__sweep_run *run = &sweep->run[i];

	run->value = apmu__zalloc(sweep->sets + 1, sizeof *run->value);
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
	struct apmu__sweep *sweep = reading->sweep;
	size_t n = sweep->programs;

	if (sweep->programs == 0 || sweep->cores.n == 0)
		return bad(reading,
			   sweep->programs ? "no core: 'core cortex-a53'"
					   : "no program: 'program ./prog args'",
			   NULL);
	for (size_t s = 0; s <= sweep->sets && n <= APMU__SWEEP_RUNS; s++)
		n *= s < sweep->sets ? sweep->set[s].values.n : sweep->cores.n;
	if (n > APMU__SWEEP_RUNS)
		return bad(reading, "more than 100000 runs", NULL);
	sweep->run = apmu__zalloc(n, sizeof *sweep->run);
	sweep->runs = n;
	for (size_t i = 0; i < n; i++)
		make_run(sweep, i);
	return 0;
}

int apmu__sweep_plan(const struct apmu__cli *cli, const char *path, struct apmu__sweep *sweep)
{
	struct reading reading = {cli, path, 0, sweep};
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	int code = 0;

	while (file != NULL && code == 0 && getline(&line, &room, file) > 0) {
		struct apmu__words words = {0};
		reading.line++;
		if (!cut(line, &words))
			code = bad(&reading, "a quote is not closed", NULL);
		else if (words.n)
			code = take_line(&reading, &words);
		apmu__words_free(&words);
	}
	free(line);
	if (file == NULL || ferror(file)) { /* not there; a folder */
		apmu__complain(cli, "'%s': %s", path, strerror(errno));
		code = APMU__EXIT_FAILURE;
	}
	if (file != NULL)
		fclose(file);
	return code ? code : make_runs(&reading);
}

void apmu__sweep_free(struct apmu__sweep *sweep)
{
	for (size_t i = 0; i < sweep->runs; i++) {
		free(sweep->run[i].value);
		apmu__words_free(&sweep->run[i].stat);
		free(sweep->run[i].command);
		json_decref(sweep->run[i].result);
	}
	for (size_t i = 0; i < sweep->programs; i++)
		apmu__words_free(&sweep->program[i]);
	for (size_t i = 0; i < sweep->sets; i++) {
		free(sweep->set[i].key);
		apmu__words_free(&sweep->set[i].values);
	}
	free(sweep->run);
	free(sweep->program);
	free(sweep->set);
	apmu__words_free(&sweep->cores);
	apmu__words_free(&sweep->events);
	apmu__words_free(&sweep->options);
	apmu__words_free(&sweep->sbatch);
	free(sweep->folder);
	free(sweep->results);
	*sweep = (struct apmu__sweep){0};
}
