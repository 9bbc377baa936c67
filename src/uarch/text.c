/* SPDX-License-Identifier: MIT */
/* Parameters from text: the lines of a .uarch file, applied to a row. */
#include <apmu/uarch.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 256 /* bytes of a line */

/* The figure that says whether a unit is there; its other figures begin with the unit's name and a dot. */
static const char *const present[] = {"l1i.size",     "l1d.size",    "mini.size",
				      "l2.size",      "l3.size",     "itlb.entries",
				      "dtlb.entries", "tlb.entries", "prefetch.streams"};

struct reading {
	struct apmu_uarch_params *params;
	struct apmu_uarch_fault *fault;
	bool figures;                                        /* one has been set */
	unsigned last[sizeof(present) / sizeof(present[0])]; /* line of a unit's last figure; 0: none */
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

static size_t unit_length(const char *key)
{
	const char *dot = strchr(key, '.');
	return dot ? (size_t)(dot - key) : 0;
}

static void remember(struct reading *r, const char *key)
{
	size_t n = unit_length(key);
	r->figures = true;
	for (size_t i = 0; i < sizeof(present) / sizeof(present[0]); i++)
		if (n && n == unit_length(present[i]) && strncmp(present[i], key, n) == 0)
			r->last[i] = r->fault->line;
}

/* key = value "source"; the source may be left out. */
static int figure(struct reading *r, char *line)
{
	char *equals = strchr(line, '='), may[96];
	if (!equals)
		return refuse(r, "'%s' is no figure: key = value \"source\"%s", line, "");
	*equals = '\0';
	char *key = trim(line), *value = trim(equals + 1), *rest = value + strcspn(value, " \t\"");
	if (*rest) {
		*rest++ = '\0';
		rest = trim(rest);
	}
	snprintf(r->fault->key, sizeof(r->fault->key), "%s", key);
	switch (apmu_uarch_set(r->params, key, value)) {
	case APMU_OK: remember(r, key); return APMU_OK;
	case APMU_ENOENT: refuse(r, "unknown key '%s'%s", key, ""); return APMU_ENOENT;
	default: apmu_uarch_range(key, may, sizeof(may)); break;
	}
	snprintf(r->fault->text, sizeof(r->fault->text), "%s cannot be '%s': it is %s", key, value, may);
	return APMU_EINVAL;
}

static int like(struct reading *r, const char *name)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(name);
	if (r->figures)
		return refuse(r, "'like %s' stands before the figures%s", name, "");
	if (!row)
		return refuse(r, "no parameters '%s' to be like%s", name, "");
	*r->params = *row;
	return APMU_OK;
}

static int line(struct reading *r, char *text)
{
	text[strcspn(text, "#")] = '\0';
	text = trim(text);
	if (*text == '\0' || strncmp(text, "uarch ", 6) == 0)
		return APMU_OK;
	return strncmp(text, "like ", 5) == 0 ? like(r, trim(text + 5)) : figure(r, text);
}

static bool absent(const struct apmu_uarch_params *p, const char *key)
{
	struct apmu_figure f;
	for (size_t i = 0; apmu_uarch_figure(p, i, &f); i++)
		if (strcmp(f.key, key) == 0)
			return strcmp(f.value, "0") == 0;
	return true;
}

/* A unit that has figures and is not there; then whatever else does not fit, at the unit's last line. */
static int whole(struct reading *r)
{
	const char *why = apmu_uarch_check(r->params);
	for (size_t i = 0; i < sizeof(present) / sizeof(present[0]); i++) {
		size_t n = unit_length(present[i]);
		r->fault->line = r->last[i];
		if (r->last[i] && why && strncmp(why, present[i], n) == 0 && why[n] == ':')
			return refuse(r, "%s%s", why, "");
	}
	r->fault->line = 0;
	return why ? refuse(r, "%s%s", why, "") : APMU_OK;
}

static int missing_unit(struct reading *r)
{
	for (size_t i = 0; i < sizeof(present) / sizeof(present[0]); i++) {
		r->fault->line = r->last[i];
		if (r->last[i] && strcmp(r->fault->key, present[i]) != 0 && absent(r->params, present[i]))
			return refuse(r, "a figure of a unit that is missing: %s is 0%s", present[i], "");
	}
	r->fault->line = 0;
	return APMU_OK;
}

int apmu_uarch_read(struct apmu_uarch_params *params, const char *text, struct apmu_uarch_fault *fault)
{
	struct apmu_uarch_params changed = *params;
	struct reading r = {.params = &changed, .fault = fault};
	*fault = (struct apmu_uarch_fault){.line = 0};
	for (const char *at = text; *at;) {
		char copy[LONGEST];
		size_t n = strcspn(at, "\n");
		fault->line++;
		if (n >= sizeof(copy))
			return refuse(&r, "the line is too long%s%s", "", "");
		memcpy(copy, at, n);
		copy[n] = '\0';
		int bad = line(&r, copy);
		if (bad)
			return bad;
		at += n + (at[n] == '\n');
	}
	int bad = whole(&r);
	bad = bad ? bad : missing_unit(&r);
	if (!bad)
		*params = changed;
	return bad;
}
