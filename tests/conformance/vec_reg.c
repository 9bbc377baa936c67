/* SPDX-License-Identifier: MIT */
/* Registers by name: the register, the counter's number, and the way to access it. */
#include "vec.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 96 };

/* A way to reach a register, by its suffix. */
struct door {
	const char *suffix;
	enum apmu_view view;
	bool high; /* the upper half, which has an offset of its own */
};

static const struct door doors[] = {
	{"a64", APMU_VIEW_A64, false},   {"a32", APMU_VIEW_CP, false},   {"cp64", APMU_VIEW_CP64, false},
	{"mmio", APMU_VIEW_MMIO, false}, {"high", APMU_VIEW_MMIO, true},
};

static bool has(const struct apmu_core *core, unsigned feature)
{
	return feature == 0xFF || (core->features >> feature & 1);
}

/* The encoding of `reg` for this way of access; NULL if it has none. A core's frame has one programmers'
 * model. */
static const struct apmu_encoding *row(const struct apmu_core *core, const struct apmu_reg *reg,
				       const struct door *door)
{
	unsigned view =
		door->view == APMU_VIEW_MMIO && has(core, APMU_FEATURE_EXT64) ? APMU_VIEW_MMIO64 : door->view;

	for (unsigned i = 0; i < reg->encodings; i++)
		if (reg->at[i].view == view && has(core, reg->at[i].feature) &&
		    (door->view != APMU_VIEW_MMIO || (reg->at[i].lo != 0) == door->high))
			return &reg->at[i];
	return NULL;
}

/* "PMEVCNTR3", "PMEVCNTR3_EL0": moves the number to *n and replaces it by "<n>". */
static bool indexed(const char *name, char out[NAME], unsigned *n)
{
	const char *tail = strstr(name, "_EL");
	size_t end = tail ? (size_t)(tail - name) : strlen(name), digits = 0;

	while (digits < end && isdigit((unsigned char)name[end - digits - 1]))
		digits++;
	if (digits == 0 || digits == end)
		return false;
	*n = (unsigned)strtoul(name + end - digits, NULL, 10);
	snprintf(out, NAME, "%.*s<n>%s", (int)(end - digits), name, tail ? tail : "");
	return *n < APMU_MAX_EVENT_COUNTERS;
}

static const struct apmu_reg *find(const struct apmu_core *core, const char *name, unsigned *n)
{
	const struct apmu_reg *reg = apmu_reg_find(core, name);
	char stem[NAME];

	*n = 0;
	return reg || !indexed(name, stem, n) ? reg : apmu_reg_find(core, stem);
}

/* The encoding of a name without a suffix: AArch64 if the register exists there, else AArch32, else the
 * frame. */
static const struct apmu_encoding *first_row(const struct apmu_core *core, const struct apmu_reg *reg)
{
	static const uint8_t order[] = {0, 1, 3};

	for (size_t i = 0; i < sizeof order; i++) {
		const struct apmu_encoding *found = row(core, reg, &doors[order[i]]);
		if (found)
			return found;
	}
	return NULL;
}

static const struct apmu_encoding *row_of(const struct apmu_core *core, const struct apmu_reg *reg,
					  const char *suffix)
{
	if (!suffix)
		return first_row(core, reg);
	for (size_t i = 0; i < sizeof doors / sizeof doors[0]; i++)
		if (!strcmp(suffix, doors[i].suffix))
			return row(core, reg, &doors[i]);
	return NULL;
}

bool vec_register(const struct apmu_core *core, const char *text, struct apmu_access *at)
{
	char name[NAME];
	unsigned n;

	snprintf(name, sizeof name, "%s", text);
	char *suffix = strchr(name, '.');
	if (suffix)
		*suffix++ = '\0';
	const struct apmu_reg *reg = find(core, name, &n);
	const struct apmu_encoding *found = reg ? row_of(core, reg, suffix) : NULL;
	if (!found)
		return false;
	at->view = found->view == APMU_VIEW_MMIO64 ? APMU_VIEW_MMIO : (enum apmu_view)found->view;
	at->encoding = apmu_encoding_for(found, n);
	return true;
}
