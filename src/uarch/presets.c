/* SPDX-License-Identifier: MIT */
/*
 * The cores' rows, and figures by name: setting one and listing them is a walk over the table of keys.
 */
#include <apmu/uarch.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum kind {
	KIND_INT, KIND_BOOL, KIND_REPLACE, KIND_WRITE, KIND_RULE, KIND_INCLUSION, KIND_DIRECTION, KIND_PAIR,
	KIND_KINDS
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

#include "gen/keys.inc"
#include "gen/presets.inc"

#define ROWS (sizeof(rows) / sizeof(rows[0]))

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

/* "immed+return": bits by number; "none" is the empty set. */
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

static bool parse(const struct key *k, const char *text, uint64_t *value)
{
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
	return sources[row - rows][i];
}

bool apmu_uarch_figure(const struct apmu_uarch_params *params, size_t i, struct apmu_figure *out)
{
	if (i >= KEYS)
		return false;
	out->key = keys[i].name;
	out->text = keys[i].text;
	out->source = source(params, i);
	print(&keys[i], load(params, &keys[i]), out->value, sizeof(out->value));
	return true;
}

static bool power_of_two(uint64_t n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* Sets x ways, sets a power of two: the shape of every table. Ranges are the keys' business. */
static bool shape(uint64_t entries, unsigned ways, unsigned replace)
{
	if (replace == APMU_REPLACE_PLRU && !power_of_two(ways))
		return false;
	return entries == 0 || (entries % ways == 0 && power_of_two(entries / ways));
}

static bool cache_fits(const struct apmu_cache_params *c)
{
	return power_of_two(c->line) && c->size % c->line == 0 &&
	       shape(c->size / c->line, c->ways, c->replace);
}

/* Lines of a level hold whole lines of the caches above it; exclusive ones change places with them. */
static bool level_fits(const struct apmu_uarch_params *p, const struct apmu_level_params *v, unsigned above)
{
	if (v->size == 0)
		return true;
	return power_of_two(v->line) && v->size % v->line == 0 &&
	       shape(v->size / v->line, v->ways, v->replace) && v->line >= above &&
	       (v->inclusion != APMU_EXCLUSIVE || v->line == p->l1d.line);
}

static unsigned longest_line(const struct apmu_uarch_params *p)
{
	return p->l1i.line > p->l1d.line ? p->l1i.line : p->l1d.line;
}

static bool tlb_fits(const struct apmu_tlb_params *t)
{
	return shape(t->entries, t->ways, t->replace);
}

static bool in_range(const struct apmu_uarch_params *params)
{
	for (const struct key *k = keys; k < keys + KEYS; k++)
		if (load(params, k) < k->low || load(params, k) > k->high)
			return false;
	return true;
}

static bool stall_fits(const struct apmu_uarch_params *p)
{
	unsigned stall = p->stall_on_mispredict;
	return stall <= p->mispredict && stall <= p->return_wrong && stall <= p->indirect &&
	       stall <= p->load_pc;
}

/* Tables that are indexed by address bits. */
static const char *odd_table(const struct apmu_uarch_params *p)
{
	if (!power_of_two(p->page))
		return "page: not a power of two";
	if (p->btb && !power_of_two(p->btb))
		return "btb: not a power of two";
	if (!power_of_two(p->counters) || !power_of_two(p->locals) || !power_of_two(p->tage_entries))
		return "counters, locals, tage_entries: not a power of two";
	if ((p->loops && !power_of_two(p->loops)) || (p->targets && !power_of_two(p->targets)))
		return "loops, targets: not a power of two";
	return NULL;
}

const char *apmu_uarch_check(const struct apmu_uarch_params *p)
{
	if (!p->name || !in_range(p))
		return "a figure is outside its range";
	if (!cache_fits(&p->l1i))
		return "l1i: size is not ways x line x a power of two of sets";
	if (!cache_fits(&p->l1d))
		return "l1d: size is not ways x line x a power of two of sets";
	if (!cache_fits(&p->mini) || p->mini.line != p->l1d.line)
		return "mini: size is not ways x line x a power of two of sets, or its line is not that of "
		       "l1d";
	if (!level_fits(p, &p->l2, longest_line(p)))
		return "l2: size is not ways x line x a power of two of sets, or its line does not suit "
		       "those "
		       "of L1";
	if (!level_fits(p, &p->l3, p->l2.size ? p->l2.line : longest_line(p)))
		return "l3: size is not ways x line x a power of two of sets, or its line does not suit "
		       "those "
		       "above";
	if (p->l2.size && p->l2.latency == 0)
		return "l2: a cache without a latency (l2.latency)";
	if (p->l3.size && p->l3.latency == 0)
		return "l3: a cache without a latency (l3.latency)";
	if (!tlb_fits(&p->itlb))
		return "itlb: entries are not ways x a power of two of sets";
	if (!tlb_fits(&p->dtlb))
		return "dtlb: entries are not ways x a power of two of sets";
	if (!tlb_fits(&p->tlb))
		return "tlb: entries are not ways x a power of two of sets";
	const char *table = odd_table(p);
	if (table)
		return table;
	if (p->misses + p->store_buffer > 32)
		return "misses, store_buffer: more than 32 together";
	if (p->forward_fail && p->forward_fail < p->forward)
		return "forward_fail: less than forward";
	if (!stall_fits(p))
		return "stall_on_mispredict: more than a flush costs";
	return NULL;
}
