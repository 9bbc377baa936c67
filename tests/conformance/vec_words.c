/* SPDX-License-Identifier: MIT */
#include "vec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]); n--)
		text[n - 1] = '\0';
	return text;
}

bool vec_split(char *line, struct vec *v)
{
	char **column[] = {&v->cores, &v->setup, &v->happens, &v->expect, &v->source};
	enum { COLUMNS = sizeof column / sizeof column[0] };

	for (unsigned i = 0; i < COLUMNS; i++) {
		if (!line)
			return false;
		char *bar = strchr(line, '|');
		if (bar)
			*bar++ = '\0';
		*column[i] = trim(line);
		line = bar;
	}
	return !line && *v->cores && *v->expect && *v->source;
}

/* Length of the word at `at`: parentheses join words, ';' is a word of its own. */
static size_t word_length(const char *at)
{
	int deep = 0;
	size_t n = 0;

	if (*at == ';')
		return 1;
	while (at[n] && (deep > 0 || (!isspace((unsigned char)at[n]) && at[n] != ';'))) {
		deep += (at[n] == '(') - (at[n] == ')');
		n++;
	}
	return n;
}

bool vec_word(const char **words, char *word, size_t size)
{
	const char *at = *words + strspn(*words, " \t");
	size_t n = word_length(at);

	if (n == 0 || n >= size)
		return false;
	memcpy(word, at, n);
	word[n] = '\0';
	*words = at + n;
	return true;
}

char *vec_part(char **rest, const char *separators)
{
	char *part = *rest + strspn(*rest, separators);
	char *end = part + strcspn(part, separators);

	*rest = *end ? end + 1 : end;
	*end = '\0';
	return *part ? part : NULL;
}

/* Parses "5", "0x40" or "1<<59"; *text moves behind it. */
static bool term(const char **text, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)**text))
		return false;
	*value = strtoull(*text, &end, 0);
	if (!strncmp(end, "<<", 2) && isdigit((unsigned char)end[2])) {
		unsigned long by = strtoul(end + 2, &end, 10);
		if (by > 63)
			return false;
		*value <<= by;
	}
	*text = end;
	return true;
}

bool vec_number(const char *text, uint64_t *value)
{
	uint64_t sum = 0, next;

	for (;; text++) {
		if (!term(&text, &next))
			return false;
		sum += next;
		if (*text != '+')
			break;
	}
	*value = sum;
	return *text == '\0';
}

bool vec_inside(const char *word, const char *name, char *inside, size_t size)
{
	size_t n = strlen(name), length = strlen(word);

	if (strncmp(word, name, n) || word[n] != '(' || word[length - 1] != ')' || length - n - 2 >= size)
		return false;
	memcpy(inside, word + n + 1, length - n - 2);
	inside[length - n - 2] = '\0';
	return true;
}

bool vec_fail(struct vec_bench *b, const char *format, ...)
{
	va_list args;

	if (*b->why)
		return false;
	va_start(args, format);
	vsnprintf(b->why, sizeof b->why, format, args);
	va_end(args);
	return false;
}
