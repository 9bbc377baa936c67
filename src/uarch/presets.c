/* SPDX-License-Identifier: MIT */
/*
 * The cores' rows, and parameters by name: setting one and listing them walk the table of keys.
 */
#include "uarch/param_table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum kind {
	KIND_INT, KIND_BOOL, KIND_REPLACE, KIND_WRITE, KIND_RULE, KIND_INCLUSION, KIND_DIRECTION, KIND_PAIR,
	KIND_KINDS, KIND_TIMING
};
/* clang-format on */

struct key {
	const char *name, *text;
	uint64_t low, high;
	uint16_t offset;
	uint8_t size; /* of the member, bytes */
	uint8_t kind; /* enum kind */
};

#define MEMBER_SIZE(member) sizeof(((struct apmu_uarch_params *)0)->member)
#define KEY(name, member, kind, low, high, text)                                             \
	{                                                                                    \
		name, text, low, high, (uint16_t)offsetof(struct apmu_uarch_params, member), \
			MEMBER_SIZE(member), kind                                            \
	}
#define FITS(member, high) _Static_assert((high) <= UINT64_MAX >> (64 - 8 * MEMBER_SIZE(member)), #member)

#include "uarch/gen/keys.inc"
#include "uarch/gen/presets.inc"

#define ROWS (sizeof(rows) / sizeof(rows[0]))

_Static_assert(KEYS < APMU_UARCH__MOST_PARAMS, "more parameters than param_table.h allows");

/* clang-format off */
static const char *const *const words[] = {
	[KIND_REPLACE] = words_replace,
	[KIND_WRITE] = words_write,
	[KIND_RULE] = words_rule,
	[KIND_INCLUSION] = words_inclusion,
	[KIND_DIRECTION] = words_direction,
	[KIND_PAIR] = words_pair,
	[KIND_KINDS] = words_kinds,
};
/* clang-format on */

size_t apmu_uarch_count(void)
{
	return ROWS;
}

const struct apmu_uarch_params *apmu_uarch_at(size_t i)
{
	return i < ROWS ? &rows[i] : NULL;
}

const struct apmu_uarch_params *apmu_uarch_find(const char *name)
{
	for (size_t i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, name))
			return &rows[i];
	return NULL;
}

static uint64_t load(const struct apmu_uarch_params *params, const struct key *k)
{
	const unsigned char *at = (const unsigned char *)params + k->offset;
	uint64_t wide;
	uint32_t word;
	uint16_t half;
	switch (k->size) {
	case 8: return memcpy(&wide, at, 8), wide;
	case 4: return memcpy(&word, at, 4), word;
	case 2: return memcpy(&half, at, 2), half;
	default: return *at;
	}
}

static void store(struct apmu_uarch_params *params, const struct key *k, uint64_t value)
{
	unsigned char *at = (unsigned char *)params + k->offset;
	uint32_t word = (uint32_t)value;
	uint16_t half = (uint16_t)value;
	switch (k->size) {
	case 8: memcpy(at, &value, 8); return;
	case 4: memcpy(at, &word, 4); return;
	case 2: memcpy(at, &half, 2); return;
	default: *at = (unsigned char)value;
	}
}

static bool word_number(const char *const *list, const char *word, size_t length, uint64_t *value)
{
	for (uint64_t i = 0; list[i]; i++) {
		if (strlen(list[i]) != length || strncmp(list[i], word, length) != 0)
			continue;
		*value = i;
		return true;
	}
	return false;
}

/* Parses "immed+return": one bit per kind; "none" is the empty set. */
static bool parse_set(const char *text, uint64_t *value)
{
	*value = 0;
	for (;;) {
		size_t length = strcspn(text, "+");
		uint64_t bit;
		if (!word_number(words_kinds, text, length, &bit))
			return false;
		*value |= bit ? (uint64_t)1 << bit : 0;
		if (text[length] == '\0')
			return true;
		text += length + 1;
	}
}

static bool parse_number(const char *text, uint64_t *value)
{
	char *end;
	if (*text < '0' || *text > '9')
		return false;
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	errno = 0;
	*value = strtoull(text, &end, hex ? 16 : 10);
	return *end == '\0' && errno == 0;
}

/* The fields of a timing in text form. */
static const struct field {
	const char *name;
	unsigned low, bits, most, per; /* per: units per cycle; 1: whole numbers only */
} fields[] = {{"result", APMU_TIMING_RESULT, 10, 1000, 1},      {"busy", APMU_TIMING_BUSY, 14, 12000, 12},
	      {"unit", APMU_TIMING_UNIT, 4, APMU_UNITS - 1, 1}, {"late", APMU_TIMING_LATE, 6, 60, 1},
	      {"slots", APMU_TIMING_SLOTS, 5, 20, 1},           {"issue", APMU_TIMING_ISSUE, 6, 60, 1},
	      {"early", APMU_TIMING_EARLY, 6, 60, 1},           {"base", APMU_TIMING_BASE, 3, 6, 1},
	      {"vector", APMU_TIMING_VECTOR, 4, 12, 1}};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* Parses "3" or, for a field in parts of a cycle, "1.33", rounded to parts. False: neither, or more than the
 * field allows. */
static bool parse_cycles(const char *text, size_t length, const struct field *f, uint64_t *value)
{
	uint64_t hundredths = 0, scale = 100;
	bool point = false;
	if (length == 0 || length > 7 || *text == '.')
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '.' && f->per > 1 && !point && i + 1 < length) {
			point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9' || (point && scale == 1))
			return false;
		hundredths = hundredths * 10 + (uint64_t)(text[i] - '0');
		scale /= point ? 10 : 1;
	}
	*value = (hundredths * scale * f->per + 50) / 100;
	return *value <= f->most;
}

/* Parses "result:4,busy:1.33": fields left out come from the parent; "parent": all of them. */
static bool parse_timing(const char *text, uint64_t *value)
{
	*value = 0;
	for (bool more = strcmp(text, "parent") != 0; more;) {
		size_t length = strcspn(text, ","), name = strcspn(text, ":"), i = 0;
		uint64_t number;
		while (i < FIELDS &&
		       (strlen(fields[i].name) != name || strncmp(fields[i].name, text, name) != 0))
			i++;
		if (i == FIELDS || name >= length ||
		    !parse_cycles(text + name + 1, length - name - 1, &fields[i], &number) ||
		    *value >> fields[i].low & (((uint64_t)1 << fields[i].bits) - 1))
			return false;
		*value |= (number + 1) << fields[i].low;
		more = text[length] == ',';
		text += length + more;
	}
	return true;
}

static void print_timing(uint64_t value, char *out, size_t size)
{
	size_t used = 0;
	snprintf(out, size, "parent");
	for (size_t i = 0; i < FIELDS; i++) {
		uint64_t field = value >> fields[i].low & (((uint64_t)1 << fields[i].bits) - 1);
		unsigned cycles = (unsigned)((field - 1) / fields[i].per);
		unsigned parts = (unsigned)((field - 1) % fields[i].per * 100 / fields[i].per);
		if (!field || used >= size)
			continue;
		used += (size_t)snprintf(out + used, size - used, parts ? "%s%s:%u.%02u" : "%s%s:%u",
					 used ? "," : "", fields[i].name, cycles, parts);
	}
}

static bool parse(const struct key *k, const char *text, uint64_t *value)
{
	if (k->kind == KIND_TIMING)
		return parse_timing(text, value);
	if (k->kind == KIND_KINDS)
		return parse_set(text, value);
	if (k->kind == KIND_INT || k->kind == KIND_BOOL)
		return parse_number(text, value);
	return word_number(words[k->kind], text, strlen(text), value);
}

int apmu_uarch_set(struct apmu_uarch_params *params, const char *key, const char *value)
{
	const struct key *k = keys;
	uint64_t number;
	while (k < keys + KEYS && strcmp(k->name, key) != 0)
		k++;
	if (k == keys + KEYS)
		return APMU_ENOENT;
	if (!parse(k, value, &number) || number < k->low || number > k->high)
		return APMU_EINVAL;
	store(params, k, number);
	return APMU_OK;
}

void apmu_uarch_range(const char *key, char *out, size_t size)
{
	const struct key *k = keys;
	while (k < keys + KEYS && strcmp(k->name, key) != 0)
		k++;
	snprintf(out, size, "nothing");
	if (k == keys + KEYS)
		return;
	if (k->kind == KIND_INT || k->kind == KIND_BOOL) {
		snprintf(out, size, "a number from %llu to %llu", (unsigned long long)k->low,
			 (unsigned long long)k->high);
		return;
	}
	if (k->kind == KIND_TIMING) {
		size_t used = (size_t)snprintf(out, size, "parent, or some of");
		for (size_t i = 0; i < FIELDS && used < size; i++)
			used += (size_t)snprintf(out + used, size - used, " %s:0%s-%u", fields[i].name,
						 fields[i].per > 1 ? ".00" : "",
						 fields[i].most / fields[i].per);
		return;
	}
	const char *const *word = k->kind == KIND_KINDS ? words_kinds : words[k->kind];
	size_t used = (size_t)snprintf(out, size, "%s", k->kind == KIND_KINDS ? "some of" : "one of");
	for (; *word && used < size; word++)
		used += (size_t)snprintf(out + used, size - used, " %s", *word);
}

static void print_set(uint64_t set, char *out, size_t size)
{
	size_t used = 0;
	for (unsigned i = 1; i < APMU_BRANCHES; i++) {
		if (!(set >> i & 1) || used >= size)
			continue;
		used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "+" : "", words_kinds[i]);
	}
	if (used == 0)
		snprintf(out, size, "%s", words_kinds[0]);
}

static void print(const struct key *k, uint64_t value, char *out, size_t size)
{
	if (k->kind == KIND_TIMING) {
		print_timing(value, out, size);
		return;
	}
	if (k->kind == KIND_KINDS)
		print_set(value, out, size);
	else if (k->kind == KIND_INT || k->kind == KIND_BOOL)
		snprintf(out, size, "%llu", (unsigned long long)value);
	else
		snprintf(out, size, "%s", value <= k->high ? words[k->kind][value] : "?");
}

static const char *source(const struct apmu_uarch_params *params, size_t i)
{
	const struct apmu_uarch_params *row = apmu_uarch_find(params->name);
	if (!row || load(row, &keys[i]) != load(params, &keys[i]))
		return "set by the user";
	return sources[row - rows][i] ? sources[row - rows][i] : "as the group's parent";
}

bool apmu_uarch_param(const struct apmu_uarch_params *params, size_t i, struct apmu_uarch_param *out)
{
	if (i >= KEYS)
		return false;
	out->key = keys[i].name;
	out->text = keys[i].text;
	out->source = source(params, i);
	print(&keys[i], load(params, &keys[i]), out->value, sizeof(out->value));
	return true;
}

size_t apmu_uarch__param_outside(const struct apmu_uarch_params *params)
{
	size_t i = 0;
	while (i < KEYS && load(params, &keys[i]) >= keys[i].low && load(params, &keys[i]) <= keys[i].high)
		i++;
	return i < KEYS ? i : APMU_UARCH__MOST_PARAMS;
}

size_t apmu_uarch__param_index(const char *key)
{
	size_t i = 0;
	while (i < KEYS && strcmp(keys[i].name, key) != 0)
		i++;
	return i < KEYS ? i : APMU_UARCH__MOST_PARAMS;
}

size_t apmu_uarch__param_offset(size_t i)
{
	return keys[i].offset;
}

uint64_t apmu_uarch__param_value(const struct apmu_uarch_params *params, size_t i)
{
	return load(params, &keys[i]);
}

void apmu_uarch__param_copy(struct apmu_uarch_params *to, const struct apmu_uarch_params *from, size_t i)
{
	store(to, &keys[i], load(from, &keys[i]));
}
