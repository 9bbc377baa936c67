/* SPDX-License-Identifier: MIT */
/*
 * Exports of control flow for compilers: BOLT's profile (llvm bolt/docs, DataReader.h), and the texts of
 * counted ranges and branches that autofdo's create_llvm_prof (--profiler=text) and llvm-profgen
 * (--unsymbolized-profile) read. Addresses are relative to the program's first segment. Code of its libraries
 * is omitted.
 */
#include "profile/export.h"
#include "profile/program_code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* The counts of a pair of addresses; UINT64_MAX: outside the program. */
struct pair {
	uint64_t from, to, runs, mispredicted;
};

struct pairs {
	struct pair *pair;
	size_t n;
};

static int by_addresses(const void *left, const void *right)
{
	const struct pair *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

/* Sorts the pairs and adds up equal ones. */
static void merge(struct pairs *all)
{
	size_t kept = 0;

	qsort(all->pair, all->n, sizeof(*all->pair), by_addresses);
	for (size_t i = 0; i < all->n; i++) {
		struct pair *last = kept ? &all->pair[kept - 1] : NULL;
		if (last && by_addresses(last, &all->pair[i]) == 0) {
			last->runs += all->pair[i].runs;
			last->mispredicted += all->pair[i].mispredicted;
		} else {
			all->pair[kept++] = all->pair[i];
		}
	}
	all->n = kept;
}

static uint64_t address(const struct profile__program_code *code, const struct profile__edge *edge,
			uint64_t pc)
{
	uint64_t at;

	return profile__program_code_address(code, edge->thread, edge->when, pc, &at) ? at : UINT64_MAX;
}

/* Collects the pairs that `choose` takes from the edges. */
static int collect(const struct profile__program_code *code, struct pairs *out,
		   bool (*choose)(const struct profile__edge *edge, uint64_t *from, uint64_t *to))
{
	const struct profile__profile *profile = code->profile;

	*out = (struct pairs){.pair = malloc((profile->edges + 1) * sizeof(*out->pair))};
	if (!out->pair)
		return -ENOMEM;
	for (size_t i = 0; i < profile->edges; i++) {
		const struct profile__edge *edge = &profile->edge[i];
		uint64_t from, to;
		if (!choose(edge, &from, &to))
			continue;
		from = address(code, edge, from);
		to = address(code, edge, to);
		if (from != UINT64_MAX || to != UINT64_MAX)
			out->pair[out->n++] = (struct pair){from, to, edge->runs, edge->mispredicted};
	}
	merge(out);
	return 0;
}

static bool taken(const struct profile__edge *edge, uint64_t *from, uint64_t *to)
{
	*from = edge->from;
	*to = edge->to;
	return edge->taken;
}

/* Chooses branches and their fall-through. BOLT wants no returns: it knows the calls. */
static bool ways(const struct profile__edge *edge, uint64_t *from, uint64_t *to)
{
	*from = edge->from;
	*to = edge->to;
	return edge->kind != PROFILE__KIND_NONE && edge->kind != PROFILE__KIND_RETURN;
}

static bool ranges(const struct profile__edge *edge, uint64_t *from, uint64_t *to)
{
	*from = edge->start;
	*to = edge->from;
	return true;
}

static void put_place(FILE *out, const struct profile__program_code *code, uint64_t at)
{
	const struct profile__code_function *f =
		at == UINT64_MAX ? NULL : profile__program_code_function(code, at);

	if (f == NULL) {
		fputs("0 [unknown] 0 ", out);
		return;
	}
	fputs("1 ", out);
	profile__put_shown(out, f->name, " \\", '\\');
	fprintf(out, " %" PRIx64 " ", at - f->start);
}

static int put_bolt(const struct profile__program_code *code, FILE *out)
{
	struct pairs all;
	int bad = collect(code, &all, ways);

	for (size_t i = 0; bad == 0 && i < all.n; i++) {
		const struct pair *p = &all.pair[i];
		put_place(out, code, p->from);
		put_place(out, code, p->to);
		fprintf(out, "%" PRIu64 " %" PRIu64 "\n", p->mispredicted, p->runs);
	}
	free(all.pair);
	return bad;
}

/* Prints the number of pairs that are within the program, then each. */
static int put_pairs(const struct profile__program_code *code, FILE *out, const char *arrow,
		     bool (*choose)(const struct profile__edge *edge, uint64_t *from, uint64_t *to))
{
	struct pairs all;
	size_t n = 0;
	uint64_t base = code->segments ? code->segment[0].address : 0;
	int bad = collect(code, &all, choose);

	for (size_t i = 0; bad == 0 && i < all.n; i++)
		n += all.pair[i].from != UINT64_MAX && all.pair[i].to != UINT64_MAX;
	if (bad == 0)
		fprintf(out, "%zu\n", n);
	for (size_t i = 0; bad == 0 && i < all.n; i++)
		if (all.pair[i].from != UINT64_MAX && all.pair[i].to != UINT64_MAX)
			fprintf(out, "%" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", all.pair[i].from - base, arrow,
				all.pair[i].to - base, all.pair[i].runs);
	free(all.pair);
	return bad;
}

static int put_profgen(const struct profile__program_code *code, FILE *out)
{
	int bad = put_pairs(code, out, "-", ranges);

	return bad ? bad : put_pairs(code, out, "->", taken);
}

static int put_autofdo(const struct profile__program_code *code, FILE *out)
{
	int bad = put_pairs(code, out, "-", ranges);

	if (bad == 0)
		fputs("0\n", out); /* no samples of single addresses: the ranges have all of them */
	return bad ? bad : put_pairs(code, out, "->", taken);
}

static int with_code(const struct profile__export *export,
		     int (*put)(const struct profile__program_code *code, FILE *out))
{
	struct profile__program_code code;
	int bad = profile__program_code_open(&code, export->summary->profile);

	if (bad == 0)
		bad = put(&code, export->out);
	profile__program_code_free(&code);
	return bad;
}

int profile__export_bolt(const struct profile__export *export)
{
	return with_code(export, put_bolt);
}

int profile__export_autofdo(const struct profile__export *export)
{
	return with_code(export, put_autofdo);
}

int profile__export_profgen(const struct profile__export *export)
{
	return with_code(export, put_profgen);
}
