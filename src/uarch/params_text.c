/* SPDX-License-Identifier: MIT */
/* Parameters from text: the lines of a .uarch file, applied to a row. */
#include "uarch/param_table.h"

#include <stdio.h>
#include <string.h>

#define LONGEST 256 /* bytes of a line */

struct reading {
	struct apmu_uarch_params *params;
	struct apmu_uarch_params base; /* the parameters before those of the file */
	struct apmu_uarch_fault *fault;
	bool row;                               /* the file has a line 'uarch': it is a row */
	bool begun, any, like;                  /* read so far: any line; a parameter; a 'like' */
	unsigned line[APMU_UARCH__MOST_PARAMS]; /* line that sets each parameter; 0: none */
};

static int refuse(const struct reading *r, const char *format, const char *a, const char *b)
{
	snprintf(r->fault->text, sizeof(r->fault->text), format, a, b);
	return APMU_EINVAL;
}

static char *trim(char *text)
{
	text += strspn(text, " \t\r");
	size_t n = strlen(text);
	while (n && strchr(" \t\r", text[n - 1]))
		text[--n] = '\0';
	return text;
}

/* True if nothing, or the source in quotation marks, follows a value. */
static bool is_source(const char *text)
{
	const char *end = text[0] == '"' ? strchr(text + 1, '"') : NULL;
	return text[0] == '\0' || (end && end[1] == '\0');
}

static int set(struct reading *r, const char *key, const char *value)
{
	size_t i = apmu_uarch__param_index(key);
	char may[96], where[16];
	if (i == APMU_UARCH__MOST_PARAMS) {
		refuse(r, "unknown key '%s'%s", key, "");
		return APMU_ENOENT;
	}
	snprintf(where, sizeof(where), "%u", r->line[i]);
	if (r->line[i])
		return refuse(r, "%s stands twice: in line %s too", key, where);
	r->line[i] = r->fault->line;
	r->any = true;
	if (apmu_uarch_set(r->params, key, value) == APMU_OK)
		return APMU_OK;
	apmu_uarch_range(key, may, sizeof(may));
	snprintf(r->fault->text, sizeof(r->fault->text), "%s cannot be '%s': it is %s", key, value, may);
	return APMU_EINVAL;
}

/* Parses: key = value "source"; the source may be left out. */
static int param(struct reading *r, char *line)
{
	char *equals = strchr(line, '=');
	if (!equals)
		return refuse(r, "'%s' is no parameter: key = value \"source\"%s", line, "");
	*equals = '\0';
	char *key = trim(line), *value = trim(equals + 1), *rest = value + strcspn(value, " \t\"");
	char *source = trim(rest);
	if (!is_source(source))
		return refuse(r, "'%s' behind the value is no source: key = value \"source\"%s", source, "");
	snprintf(r->fault->key, sizeof(r->fault->key), "%s", key);
	*rest = '\0';
	return set(r, key, value);
}

static int like(struct reading *r, const char *name)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(name);
	if (r->any)
		return refuse(r, "'like %s' stands before the parameters%s", name, "");
	if (r->like)
		return refuse(r, "'like %s' is the second 'like': a machine begins as one row%s", name, "");
	if (!row)
		return refuse(r, "no parameters '%s' to be like%s", name, "");
	*r->params = r->base = *row;
	r->like = true;
	return APMU_OK;
}

/* Removes the comment; a '#' in quotation marks does not begin one. */
static void uncomment(char *text)
{
	bool quoted = false;
	for (; *text && (quoted || *text != '#'); text++)
		quoted ^= *text == '"';
	*text = '\0';
}

static bool begins(const char *text, const char *word)
{
	size_t n = strlen(word);
	return strncmp(text, word, n) == 0 && (text[n] == ' ' || text[n] == '\t');
}

static int line(struct reading *r, char *text)
{
	uncomment(text);
	text = trim(text);
	if (*text == '\0')
		return APMU_OK;
	bool first = !r->begun;
	r->begun = true;
	r->row |= begins(text, "uarch");
	if (begins(text, "uarch"))
		return first ? APMU_OK : refuse(r, "'%s' is not the first line%s", text, "");
	return begins(text, "like") ? like(r, trim(text + 4)) : param(r, text);
}

/* Refuses a parameter without effect, if the file does not set the parameter that disables it. */
static int idle(struct reading *r)
{
	struct apmu_uarch_param f;
	for (size_t i = 0; apmu_uarch_param(r->params, i, &f); i++) {
		const char *on =
			r->line[i] ? apmu_uarch_idle(r->params, f.key, r->fault->text, sizeof(r->fault->text))
				   : NULL;
		size_t decides = on ? apmu_uarch__param_index(on) : APMU_UARCH__MOST_PARAMS;
		if (!on || (decides < APMU_UARCH__MOST_PARAMS && r->line[decides]))
			continue;
		r->fault->line = r->line[i];
		snprintf(r->fault->key, sizeof(r->fault->key), "%s", f.key);
		return APMU_EINVAL;
	}
	return APMU_OK;
}

/* Blames the last parameter of the file without which the fault would be another or none; if there is none,
 * the last of all. */
static void blame(struct reading *r, const char *why)
{
	unsigned worst = 0, last = 0;
	for (size_t i = 0; i < APMU_UARCH__MOST_PARAMS; i++) {
		struct apmu_uarch_params without = *r->params;
		if (!r->line[i])
			continue;
		last = r->line[i] > last ? r->line[i] : last;
		apmu_uarch__param_copy(&without, &r->base, i);
		if (apmu_uarch_check(&without) != why && r->line[i] > worst)
			worst = r->line[i];
	}
	r->fault->line = worst ? worst : last;
}

static int whole(struct reading *r)
{
	const char *why = apmu_uarch_check(r->params);
	if (!why)
		return r->row ? APMU_OK : idle(r); /* a row may give parameters that have no effect */
	blame(r, why);
	apmu_uarch_explain(r->params, r->fault->text, sizeof(r->fault->text));
	return APMU_EINVAL;
}

static int lines(struct reading *r, const char *text)
{
	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		text += 3; /* byte order mark */
	for (const char *at = text; *at;) {
		char copy[LONGEST];
		size_t n = strcspn(at, "\n");
		r->fault->line++;
		if (n >= sizeof(copy))
			return refuse(r, "the line is too long%s%s", "", "");
		memcpy(copy, at, n);
		copy[n] = '\0';
		int bad = line(r, copy);
		if (bad)
			return bad;
		at += n + (at[n] == '\n');
	}
	if (r->any || r->like)
		return whole(r);
	r->fault->line = 0;
	return refuse(r, "no parameter in it: key = value \"source\"%s%s", "", "");
}

int apmu_uarch_read(struct apmu_uarch_params *params, const char *text, struct apmu_uarch_fault *fault)
{
	struct apmu_uarch_params changed = *params;
	struct reading r = {.params = &changed, .base = *params, .fault = fault};
	*fault = (struct apmu_uarch_fault){.line = 0};
	int bad = lines(&r, text);
	if (!bad)
		*params = changed;
	return bad;
}
