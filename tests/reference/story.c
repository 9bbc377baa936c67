/* SPDX-License-Identifier: MIT */
#include "story.h"

#include "../unit/tower.h"
#include "../unit/uarch_sim.h"
#include "branches.h"
#include "prefetcher.h"

#include <stdlib.h>
#include <string.h>

/* State of caches, TLBs and predictors while the story is made. */
struct teller {
	const struct apmu_uarch_params *p;
	struct story *s;
	struct tower data, code;
	struct sim dtlb, tlb, mop;
	struct streams streams;
	struct branches branches;
	uint64_t *line;
	size_t *by;         /* by L1 way: the fill that brought the line it holds */
	uint64_t code_line; /* the last instruction line */
	uint64_t l2_line;   /* the last instruction line that was looked up in L2 */
	size_t brings;  /* `code_next`: the last code line that missed, if it brings its next; else NO_FILL */
	size_t *ahead;  /* by way of L2: the fill that read its instruction line ahead; NO_FILL: none */
	size_t pieces;  /* number of the last piece of a block */
	uint64_t piece; /* the last 32-byte block looked up in the cache of decoded instructions */
	bool piece_missed;
};

/* What an access to one line does in the hierarchy. */
struct found {
	uint8_t level;   /* level that has the line; 1: L1, 0: the store bypasses L1 */
	unsigned out[5]; /* as in struct fill */
	bool read;       /* the line is read from memory */
};

static size_t add_fill(struct story *s, uint64_t line, const struct found *found, bool prefetched)
{
	if (s->fills == s->room) {
		s->room = s->room ? 2 * s->room : 1024;
		s->fill = realloc(s->fill, s->room * sizeof(*s->fill));
		if (!s->fill)
			abort();
	}
	s->fill[s->fills] = (struct fill){.line = line,
					  .level = found->level,
					  .prefetched = prefetched,
					  .behind = NO_FILL,
					  .next = NO_FILL};
	memcpy(s->fill[s->fills].out, found->out, sizeof found->out);
	s->from[found->level]++;
	s->written += found->out[4];
	return s->fills++;
}

static void build(struct tower *t, const struct apmu_uarch_params *p, const struct apmu_cache_params *l1,
		  bool code)
{
	const struct apmu_level_params *level[] = {&p->l2, &p->l3};
	unsigned n = 1;
	tower_add(t, l1->size, l1->ways, l1->line, l1->replace, 0, p->seed);
	for (unsigned i = 0; i < 2; i++) {
		const struct apmu_level_params *v = level[i];
		if (!v->size)
			continue;
		tower_add(t, v->size, v->ways, v->line, v->replace, code ? APMU_NEITHER : v->inclusion,
			  p->seed);
		t->level[n++].leaves = !v->write_allocate;
	}
	t->through = l1->write == APMU_WRITE_THROUGH;
	t->passes = !l1->write_allocate;
}

/* The way of a level that holds the line. */
static size_t way_of(const struct tower_level *v, uint64_t address)
{
	unsigned set = (unsigned)(address / v->bytes % v->sets);
	for (size_t w = (size_t)set * v->ways; w < (size_t)(set + 1) * v->ways; w++)
		if (v->way[w].valid && v->way[w].line == address / v->bytes)
			return w;
	return SIZE_MAX;
}

/* Lines written into a level: look-ups there that are not reads. */
static unsigned put_in(const struct tower_level *now, const struct tower_level *before, bool read)
{
	return (unsigned)(now->looked - before->looked) - read;
}

static struct found look(struct teller *t, struct tower *w, uint64_t address, bool store)
{
	struct tower before = *w;
	struct found f = {.level = 1};
	unsigned first = t->p->l2.size ? 2 : 3; /* the level next to L1 */
	tower_access(w, address, store);
	bool missed = w->level[0].missed != before.level[0].missed;
	bool fills = w->level[0].filled != before.level[0].filled;
	bool further = w->level[1].missed != before.level[1].missed;
	f.read = w->memory_reads != before.memory_reads;
	f.out[4] = (unsigned)(w->memory_writes - before.memory_writes);
	if ((missed && !fills) || (store && w->through)) {
		f.level = 0;
	} else if (missed) {
		f.level = f.read ? 4 : (uint8_t)(further ? first + 1 : first);
		f.out[first] = w->level[1].sets ? put_in(&w->level[1], &before.level[1], true) : 0;
		f.out[first + 1] += w->level[2].sets ? put_in(&w->level[2], &before.level[2], further) : 0;
	}
	return f;
}

static void bring(struct teller *t, uint64_t address, bool prefetched, const struct found *f)
{
	size_t way = way_of(&t->data.level[0], address);
	if (way == SIZE_MAX)
		abort();
	t->by[way] = add_fill(t->s, address / t->p->l1d.line, f, prefetched);
}

/* Trains the prefetcher with a line that missed, or that it fetched and that is used for the first time. */
static void prefetch(struct teller *t, struct event *e, uint64_t line)
{
	uint64_t wanted[STREAM_MOST];
	unsigned n = streams_see(&t->streams, t->p, line, wanted);
	for (unsigned k = 0; k < n; k++) {
		uint64_t address = wanted[k] * t->p->l1d.line;
		if (way_of(&t->data.level[0], address) != SIZE_MAX)
			continue;
		struct found f = look(t, &t->data, address, false);
		if (!e->prefetches++)
			e->first_prefetch = t->s->fills;
		bring(t, address, true, &f);
	}
}

static void touch_line(struct teller *t, struct event *e, uint64_t address, bool store, unsigned half)
{
	uint64_t line = address / t->p->l1d.line;
	struct found found = look(t, &t->data, address, store);
	e->fill[half] = NO_FILL;
	if (found.level == 0) {
		e->outside = true;
		t->s->misses++;
		e->line = line;
		if (t->data.level[0].below) { /* else the write buffer alone decides the time */
			e->spills += found.out[4];
			t->s->written += found.out[4];
		}
		if (found.read) {
			memset(found.out, 0, sizeof found.out);
			found.level = 4;
			e->below = add_fill(t->s, line, &found, false);
		}
		return;
	}
	if (found.level > 1) {
		t->s->misses++;
		bring(t, address, false, &found);
	}
	size_t way = way_of(&t->data.level[0], address);
	e->fill[half] = t->by[way];
	struct fill *f = e->fill[half] == NO_FILL ? NULL : &t->s->fill[e->fill[half]];
	bool first_use = f && f->prefetched && !f->asked;
	if (first_use)
		f->asked = true; /* used; story_tell() clears the flag for the clocks */
	if (found.level > 1 || first_use)
		prefetch(t, e, line);
}

static void translate(struct teller *t, struct event *e)
{
	if (!t->p->dtlb.entries)
		return;
	uint64_t page = e->address / t->p->page, misses = t->dtlb.misses, walks = t->tlb.misses;
	sim_access(&t->dtlb, page, false, false, false);
	if (t->dtlb.misses == misses)
		return;
	t->s->refills++;
	if (t->p->tlb.entries)
		sim_access(&t->tlb, page, false, false, false);
	if (t->p->tlb.entries && t->tlb.misses == walks) {
		e->translation = t->p->tlb_hit;
		return;
	}
	t->s->walks++;
	e->translation = t->p->walk;
}

static void access(struct teller *t, struct event *e, uint64_t address)
{
	const struct apmu_insn *x = e->insn;
	unsigned line = t->p->l1d.line;
	e->address = address;
	e->bytes = program_bytes(x);
	translate(t, e);
	touch_line(t, e, address, program_stores(x), 0);
	if (address / line != (address + e->bytes - 1) / line)
		touch_line(t, e, (address + e->bytes - 1) / line * line, program_stores(x), 1);
}

/* L2 reads a code line ahead: unless it has it, and within the 4 KiB of the line `by`. */
static void read_ahead(struct teller *t, size_t fill, uint64_t by, uint64_t line)
{
	uint64_t bytes = t->p->l1i.line, address = line * bytes;
	if (address / 4096 != by * bytes / 4096 || way_of(&t->code.level[1], address) != SIZE_MAX)
		return;
	uint64_t reads = t->code.memory_reads;
	tower_read_ahead(&t->code, address);
	struct found f = {.level = t->code.memory_reads != reads ? 4 : 3};
	size_t ahead = add_fill(t->s, line, &f, false);
	t->ahead[way_of(&t->code.level[1], address)] = ahead;
	if (!t->s->fill[fill].aheads++)
		t->s->fill[fill].first_ahead = ahead;
}

/* A code line was looked up in L2: what L2 reads ahead because of it. */
static void code_in_l2(struct teller *t, size_t fill, uint64_t line)
{
	bool missed = t->s->fill[fill].level != 2, next = line == t->l2_line + 1;
	size_t way = way_of(&t->code.level[1], line * t->p->l1i.line);
	unsigned n = t->p->code_ahead;
	t->l2_line = line;
	if (missed)
		t->ahead[way] = NO_FILL;
	t->s->fill[fill].behind = t->ahead[way];
	if (missed)
		for (unsigned k = 1; k <= n; k++)
			read_ahead(t, fill, line, line + k);
	else if (next && n)
		read_ahead(t, fill, line, line + n);
}

/* A code line missed: it came with the line that missed before it, or brings its own next line. What a line
 * brings is forgotten if another one misses next. */
static void pair(struct teller *t, size_t fill, uint64_t line)
{
	uint64_t lines = 4096 / t->p->l1i.line;
	const struct fill *first = t->brings == NO_FILL ? NULL : &t->s->fill[t->brings];
	if (!t->p->code_next || t->p->run_ahead.queue)
		return;
	if (first && line == first->line + 1 && line / lines == first->line / lines) {
		t->s->fill[t->brings].next = fill;
		t->brings = NO_FILL;
	} else {
		t->brings = fill;
	}
}

static void fetch(struct teller *t, struct event *e, const struct program_block *b)
{
	if (!t->p->l1i.size)
		return;
	uint64_t bytes = t->p->l1i.line, last = (b->addr + 4 * b->n - 1) / bytes;
	for (uint64_t line = b->addr / bytes; line <= last; line++) {
		if (line == t->code_line)
			continue;
		t->code_line = line;
		struct found f = look(t, &t->code, line * bytes, false);
		if (f.level == 1)
			continue;
		bool own = story_runs_ahead(t->p) && line * bytes > b->addr;
		struct event *at = own ? e + (line * bytes - b->addr + 3) / 4 : e;
		if (at->codes == CODES)
			abort();
		size_t fill = add_fill(t->s, line, &f, false);
		at->code[at->codes++] = fill;
		pair(t, fill, line);
		if (t->p->l2.size)
			code_in_l2(t, fill, line);
	}
}

/* Numbers what blocks have in each piece of 32 bytes. */
static void number(struct teller *t, struct event *e)
{
	if (e->first || e->insn->addr / 32 != e[-1].insn->addr / 32)
		t->pieces++;
	e->piece = t->pieces;
}

/* Looks each 32-byte piece of a block up in the cache of decoded instructions; a piece that misses is decoded
 * and inserted. */
static void decode(struct teller *t, struct event *e)
{
	uint64_t piece = e->insn->addr / 32, misses = t->mop.misses;
	if (!t->p->mop.entries || !t->p->rob)
		return;
	if (e->first || piece != t->piece) {
		sim_access(&t->mop, piece, false, false, false);
		t->piece_missed = t->mop.misses != misses;
		t->piece = piece;
	}
	e->decoded = t->piece_missed;
}

/* Memory for a fill per way of a level. */
static size_t *no_fills(const struct tower_level *v)
{
	size_t ways = (size_t)v->sets * v->ways, *fill = malloc((ways + 1) * sizeof(*fill));
	if (!fill)
		abort();
	for (size_t w = 0; w < ways; w++)
		fill[w] = NO_FILL;
	return fill;
}

static void open_units(struct teller *t)
{
	const struct apmu_uarch_params *p = t->p;
	build(&t->data, p, &p->l1d, false);
	if (p->l1i.size)
		build(&t->code, p, &p->l1i, true);
	t->ahead = no_fills(&t->code.level[1]);
	if (p->dtlb.entries)
		sim_open(&t->dtlb, p->dtlb.entries / p->dtlb.ways, p->dtlb.ways, p->dtlb.replace, true,
			 p->seed);
	if (p->tlb.entries)
		sim_open(&t->tlb, p->tlb.entries / p->tlb.ways, p->tlb.ways, p->tlb.replace, true, p->seed);
	if (p->mop.entries)
		sim_open(&t->mop, p->mop.entries / 8 / p->mop.ways, p->mop.ways, APMU_REPLACE_ROUND_ROBIN,
			 true, p->seed);
	t->by = no_fills(&t->data.level[0]);
	t->code_line = t->l2_line = UINT64_MAX - 1;
	t->brings = NO_FILL;
	branches_open(&t->branches, p);
}

static void close_units(struct teller *t)
{
	tower_close(&t->data);
	tower_close(&t->code);
	if (t->p->dtlb.entries)
		sim_close(&t->dtlb);
	if (t->p->tlb.entries)
		sim_close(&t->tlb);
	if (t->p->mop.entries)
		sim_close(&t->mop);
	free(t->by);
	free(t->ahead);
	branches_close(&t->branches);
}

void story_tell(struct story *s, const struct apmu_uarch_params *p, const struct program *program)
{
	struct teller t = {.p = p, .s = s};
	size_t n = 0, address = 0;
	*s = (struct story){0};
	for (size_t k = 0; k < program->runs; k++)
		n += program->block[program->run[k]].n;
	s->event = calloc(n, sizeof(*s->event));
	if (!s->event)
		abort();
	open_units(&t);
	for (size_t k = 0; k < program->runs; k++) {
		const struct program_block *b = &program->block[program->run[k]];
		for (unsigned i = 0; i < b->n; i++) {
			struct event *e = &s->event[s->events++];
			e->insn = &b->insn[i];
			e->first = i == 0;
			e->fill[0] = e->fill[1] = e->below = NO_FILL;
			number(&t, e);
			if (i == 0)
				fetch(&t, e, b);
			decode(&t, e);
			if (program_accesses(e->insn))
				access(&t, e, program->address[address++]);
			if (e->insn->branch && k + 1 < program->runs)
				e->outcome = branches_see(&t.branches, p, e->insn,
							  program->block[program->run[k + 1]].addr);
			s->wrong += e->outcome == BRANCH_WRONG;
		}
	}
	close_units(&t);
	for (size_t k = 0; k < s->fills; k++)
		s->fill[k].asked = false;
}

void story_close(struct story *s)
{
	free(s->event);
	free(s->fill);
	*s = (struct story){0};
}
