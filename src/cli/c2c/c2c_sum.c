/* SPDX-License-Identifier: MIT */
/* Sums samples of transfers by line of memory, and by the code that uses the line's words. */
#include "cli/c2c/c2c.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct summing {
	struct cli__c2c *c2c;
	const struct cli__open_profile *loaded;
	struct profile__index index;
	uint32_t event;
};

static int add_sample(void *context, const struct profile__sample *sample)
{
	struct summing *s = context;
	struct cli__c2c *c = s->c2c;
	bool fresh;

	if (sample->event != s->event || !sample->has_data)
		return 0;
	const struct profile__place *place =
		profile__place_at(s->loaded->resolver, sample->thread, sample->when, sample->pc);
	const struct profile__key key = {
		{sample->address, (uintptr_t)place, sample->thread * UINT64_C(2) + sample->store}};
	uint32_t i = place ? profile__index_add(&s->index, key, &fresh) : UINT32_MAX;
	if (i == UINT32_MAX)
		return -ENOMEM;
	if (fresh) {
		c->use = cli__grow(c->use, i, sizeof *c->use);
		c->use[i] = (struct cli__c2c_use){.address = sample->address,
						  .thread = sample->thread,
						  .store = sample->store,
						  .place = place};
		c->uses = (size_t)i + 1;
	}
	c->use[i].weight += sample->weight;
	c->use[i].samples++;
	c->use[i].modified += sample->level == PROFILE__LEVEL_MODIFIED ? sample->weight : 0;
	c->use[i].latency += sample->latency;
	c->use[i].loads += sample->latency != 0;
	c->weight += sample->weight;
	c->samples++;
	return 0;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* Orders uses by what a reader sees of them: the word, the thread, the access, the source line. */
static int by_source(const struct cli__c2c_use *a, const struct cli__c2c_use *b)
{
	const char *none = "";
	int order = compare(a->address, b->address);

	if (order == 0)
		order = compare(a->thread, b->thread);
	if (order == 0)
		order = compare(a->store, b->store);
	if (order == 0)
		order = strcmp(a->place->file ? a->place->file : none,
			       b->place->file ? b->place->file : none);
	if (order == 0)
		order = compare(a->place->line, b->place->line);
	return order ? order : strcmp(a->place->function, b->place->function);
}

static int by_address(const void *left, const void *right)
{
	const struct cli__c2c_use *a = left, *b = right;
	int order = by_source(a, b);

	return order ? order : compare(a->place->address, b->place->address);
}

/* True if two uses are one row to a reader; without a source line each instruction is a row. */
static bool alike(const struct cli__c2c_use *a, const struct cli__c2c_use *b)
{
	return by_source(a, b) == 0 && a->place->line != 0;
}

static void merge(struct cli__c2c *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->uses; i++) {
		if (n == 0 || !alike(&c->use[n - 1], &c->use[i])) {
			c->use[n++] = c->use[i];
			continue;
		}
		c->use[n - 1].weight += c->use[i].weight;
		c->use[n - 1].samples += c->use[i].samples;
		c->use[n - 1].modified += c->use[i].modified;
		c->use[n - 1].latency += c->use[i].latency;
		c->use[n - 1].loads += c->use[i].loads;
	}
	c->uses = n;
}

/* Finds out if several threads use the line and one writes, and if a word that one writes is another's
 * too. */
static void judge(const struct cli__c2c *c, struct cli__c2c_line *line)
{
	const struct cli__c2c_use *use = &c->use[line->first];
	bool store = false;

	for (size_t i = 0; i < line->uses; i++) {
		bool known = false;
		store |= use[i].store;
		for (size_t k = 0; k < i; k++) {
			known |= use[k].thread == use[i].thread;
			line->truly |= use[k].address == use[i].address && use[k].thread != use[i].thread &&
				       (use[k].store || use[i].store);
		}
		line->threads += !known;
	}
	line->contended = store && line->threads > 1;
}

static int by_use(const void *left, const void *right)
{
	const struct cli__c2c_use *a = left, *b = right;

	return a->weight != b->weight ? compare(b->weight, a->weight) : by_address(left, right);
}

static int by_line(const void *left, const void *right)
{
	const struct cli__c2c_line *a = left, *b = right;

	return a->weight != b->weight ? compare(b->weight, a->weight) : compare(a->line, b->line);
}

static void make_lines(struct cli__c2c *c, uint64_t size)
{
	for (size_t i = 0; i < c->uses; i++) {
		uint64_t line = c->use[i].address & ~(size - 1);
		if (c->lines == 0 || c->line[c->lines - 1].line != line) {
			c->line = cli__grow(c->line, c->lines, sizeof *c->line);
			c->line[c->lines++] = (struct cli__c2c_line){.line = line, .first = i};
		}
		struct cli__c2c_line *last = &c->line[c->lines - 1];
		last->uses++;
		last->weight += c->use[i].weight;
		last->samples += c->use[i].samples;
	}
	for (size_t k = 0; k < c->lines; k++) {
		judge(c, &c->line[k]);
		qsort(&c->use[c->line[k].first], c->line[k].uses, sizeof *c->use, by_use);
	}
	if (c->lines)
		qsort(c->line, c->lines, sizeof *c->line, by_line);
}

/* Returns a thread of a process; 0 if it has none. */
static uint32_t thread_of(const struct profile__profile *p, int32_t pid)
{
	for (uint32_t t = 0; t < p->threads; t++)
		if (p->thread[t].pid == pid)
			return t;
	return 0;
}

/* Returns the symbols of the program that ran, and its load bias: address in the run less address in its
 * file. NULL if no mapping of it is known, or its file is another one now. */
static struct symbol__symbols *program_of(const struct cli__open_profile *loaded, uint64_t *bias)
{
	const struct profile__profile *p = loaded->profile;
	uint64_t address;

	for (size_t i = 0; i < p->maps; i++) {
		const struct profile__map *map = &p->map[i];
		if (strcmp(map->path, p->program) != 0)
			continue;
		const struct profile__place *place =
			profile__place_at(loaded->resolver, thread_of(p, map->pid), map->when, map->start);
		struct symbol__symbols *symbols =
			profile__resolver_symbols(loaded->resolver, place->object_id);
		if (symbols && symbol__symbols_address(symbols, map->offset, &address)) {
			*bias = map->start - address;
			return symbols;
		}
	}
	return NULL;
}

/* Finds the symbol that an address lies in. Names are in order of address; of those that begin together the
 * best comes first. False if there is none. */
static bool symbol_at(struct symbol__symbols *symbols, uint64_t address, struct symbol__symbol *best)
{
	uint64_t from = 0, to = symbol__symbols_about(symbols)->names;
	struct symbol__symbol found;

	*best = (struct symbol__symbol){0};
	while (from < to) {
		uint64_t middle = from + (to - from) / 2;
		if (!symbol__symbols_name(symbols, middle, &found))
			return false;
		if (found.start <= address)
			from = middle + 1;
		else
			to = middle;
	}
	uint64_t start = 0;
	for (uint64_t i = from; i-- > 0 && symbol__symbols_name(symbols, i, &found); start = found.start) {
		if (i + 1 != from && found.start != start)
			break;
		if (found.start + found.size > address)
			*best = found;
	}
	return best->name != NULL;
}

/* A symbol of which a line has a part, or an address that no symbol has. */
struct object {
	const char *name; /* NULL: none */
	uint64_t start, size;
	uint64_t least; /* first address that is used */
	uint64_t weight;
};

/* The objects of a line. */
struct objects {
	struct object *object;
	size_t n;
};

static struct object *object_at(struct objects *o, struct symbol__symbols *symbols, uint64_t address)
{
	struct symbol__symbol symbol;

	for (size_t i = 0; i < o->n; i++)
		if (address - o->object[i].start < o->object[i].size)
			return &o->object[i];
	if (!symbol_at(symbols, address, &symbol))
		symbol = (struct symbol__symbol){.start = address, .size = 1};
	o->object = cli__grow(o->object, o->n, sizeof *o->object);
	o->object[o->n] = (struct object){
		.name = symbol.name, .start = symbol.start, .size = symbol.size, .least = address};
	return &o->object[o->n++];
}

static int by_weight(const void *left, const void *right)
{
	const struct object *a = left, *b = right;

	return a->weight != b->weight ? compare(b->weight, a->weight) : compare(a->start, b->start);
}

/* "a, b+8, ...": the symbols with most of a line's transfers, without those below a percent. NULL: none has a
 * name. */
static char *join(const struct objects *o, uint64_t weight)
{
	enum { SHOWN = 3 };
	char *all = NULL;
	size_t n = 0;

	for (size_t i = 0; i < o->n && n <= SHOWN; i++) {
		const struct object *at = &o->object[i];
		if (at->name == NULL || (n && at->weight < weight / 100))
			continue;
		char *one = n == SHOWN ? cli__copy("...")
			    : at->least == at->start
				    ? cli__copy(at->name)
				    : cli__format("%s+%" PRIu64, at->name, at->least - at->start);
		char *longer = all ? cli__format("%s, %s", all, one) : cli__copy(one);
		free(one);
		free(all);
		all = longer;
		n++;
	}
	return all;
}

static char *name_of(const struct cli__c2c *c, const struct cli__c2c_line *line,
		     struct symbol__symbols *symbols, uint64_t bias)
{
	struct objects o = {0};

	for (size_t i = 0; i < line->uses; i++) {
		const struct cli__c2c_use *use = &c->use[line->first + i];
		uint64_t address = use->address - bias;
		struct object *at = object_at(&o, symbols, address);
		at->least = address < at->least ? address : at->least;
		at->weight += use->weight;
	}
	if (o.n)
		qsort(o.object, o.n, sizeof *o.object, by_weight);
	char *name = join(&o, line->weight);
	free(o.object);
	return name;
}

static void name_lines(struct cli__c2c *c, const struct cli__open_profile *loaded)
{
	uint64_t bias = 0;
	struct symbol__symbols *symbols = program_of(loaded, &bias);

	for (size_t k = 0; symbols && k < c->lines; k++)
		c->line[k].name = name_of(c, &c->line[k], symbols, bias);
}

int cli__c2c_sum(struct cli__c2c *c, const struct cli__open_profile *loaded, uint32_t event, uint64_t size)
{
	struct summing s = {.c2c = c, .loaded = loaded, .event = event};

	*c = (struct cli__c2c){0};
	int bad = profile__each(loaded->profile, add_sample, &s);
	profile__index_free(&s.index);
	if (bad)
		return bad;
	if (c->uses)
		qsort(c->use, c->uses, sizeof *c->use, by_address);
	merge(c);
	make_lines(c, size);
	name_lines(c, loaded);
	return 0;
}

void cli__c2c_free(struct cli__c2c *c)
{
	for (size_t k = 0; k < c->lines; k++)
		free(c->line[k].name);
	free(c->line);
	free(c->use);
}
