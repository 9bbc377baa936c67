/* SPDX-License-Identifier: MIT */
/* `report -g`: the tree of calls as text, from the outermost function down or, inverted, from where the
 * counts are up to the callers. */
#define _GNU_SOURCE /* qsort_r */
#include "cli/common/format_number.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* A function with callers (or, inverted, callees) above it. */
struct box {
	const struct profile__function *function; /* NULL: the whole program */
	uint64_t self, total;
	uint32_t first, next; /* child, sibling; 0: none */
};

struct graph {
	const struct profile__summary *summary;
	uint32_t event;
	uint64_t whole;
	double limit; /* percent of the whole: smaller boxes are left out */
	struct box *box;
	uint32_t boxes;
	bool coloured, inverted;
	const struct cli__call_pair *pair; /* of a recording with branches; else NULL */
	size_t pairs;
	FILE *out;
};

static uint32_t child_of(struct graph *g, uint32_t parent, const struct profile__function *function)
{
	uint32_t at = g->box[parent].first;

	while (at && g->box[at].function != function)
		at = g->box[at].next;
	if (at)
		return at;
	g->box = cli__grow(g->box, g->boxes, sizeof *g->box);
	g->box[g->boxes] = (struct box){.function = function, .next = g->box[parent].first};
	return g->box[parent].first = g->boxes++;
}

static const struct profile__function *function_of(const struct graph *g, uint32_t node)
{
	return &g->summary->function[g->summary->node[node].function];
}

/* Builds the inverted tree: each node's own count goes up the chain of its callers. */
static void invert(struct graph *g)
{
	const struct profile__summary *s = g->summary;

	for (uint32_t i = 1; i < s->nodes; i++) {
		uint64_t self = s->node_self[i * s->events + g->event];
		uint32_t at = 0, depth = 0;
		if (self == 0)
			continue;
		g->box[0].total += self;
		for (uint32_t node = i; node && depth < PROFILE__SUMMARY_DEEPEST;
		     node = s->node[node].parent, depth++) {
			at = child_of(g, at, function_of(g, node));
			g->box[at].total += self;
			g->box[at].self += node == i ? self : 0;
		}
	}
}

static void follow(struct graph *g)
{
	const struct profile__summary *s = g->summary;
	uint32_t *box = cli__zalloc(s->nodes + 1, sizeof *box);

	g->box[0].total = s->nodes ? s->node_total[g->event] : 0;
	for (uint32_t i = 1; i < s->nodes; i++) {
		box[i] = child_of(g, box[s->node[i].parent], function_of(g, i));
		g->box[box[i]].self += s->node_self[i * s->events + g->event];
		g->box[box[i]].total += s->node_total[i * s->events + g->event];
	}
	free(box);
}

static int by_total(const void *a, const void *b, void *context)
{
	const struct graph *g = context;
	const struct box *x = &g->box[*(const uint32_t *)a], *y = &g->box[*(const uint32_t *)b];

	return x->total > y->total   ? -1
	       : x->total < y->total ? 1
				     : strcmp(x->function->name, y->function->name);
}

static double percent(const struct graph *g, uint64_t part)
{
	return g->whole ? 100.0 * (double)part / (double)g->whole : 0;
}

enum { DEEPEST = 30 }; /* levels of indentation; deeper ones show their number */

static void put_share(const struct graph *g, double share)
{
	enum cli__colour colour = !g->coloured    ? CLI__COLOUR_NONE
				  : share < 0.005 ? CLI__COLOUR_DIM
						  : cli__colour_share(share);

	fprintf(g->out, "%s%7.2f%%%s ", cli__colour_begin(colour), share, cli__colour_end(colour));
}

/* Prints how often this function was called by the one above it or, inverted, how often it called that
 * one. */
static void put_calls(const struct graph *g, const struct profile__function *above,
		      const struct profile__function *function)
{
	const char *caller = g->inverted ? function->name : above ? above->name : NULL;
	const char *callee = g->inverted ? above ? above->name : NULL : function->name;
	uint64_t calls = caller && callee ? cli__report_call_count(g->pair, g->pairs, caller, callee) : 0;
	char text[CLI__NUMBER] = "";

	if (calls)
		cli__format_whole(text, calls);
	fprintf(g->out, "%14s  ", text);
}

static void put_row(struct graph *g, uint32_t at, uint32_t above, uint32_t depth)
{
	const struct box *box = &g->box[at];
	char count[CLI__NUMBER];

	cli__format_whole(count, box->self);
	put_share(g, percent(g, box->total));
	put_share(g, percent(g, box->self));
	fprintf(g->out, "%16s  ", count);
	if (g->pair)
		put_calls(g, g->box[above].function, box->function);
	if (depth > DEEPEST)
		fprintf(g->out, "%*s(%u) ", 2 * DEEPEST, "", depth);
	else
		fprintf(g->out, "%*s", (int)(2 * depth), "");
	cli__put_plain(box->function->name, g->out);
	fputc('\n', g->out);
}

/* A box that is being printed: its children, largest first; `next` is the next to print. */
struct open {
	uint32_t *child;
	size_t children, next;
	uint32_t at, depth;
};

static struct open open_box(struct graph *g, uint32_t at, uint32_t depth)
{
	struct open made = {.at = at, .depth = depth};

	for (uint32_t i = g->box[at].first; i; i = g->box[i].next) {
		if (g->box[i].total == 0 || percent(g, g->box[i].total) < g->limit)
			continue;
		made.child = cli__grow(made.child, made.children, sizeof *made.child);
		made.child[made.children++] = i;
	}
	if (made.children)
		qsort_r(made.child, made.children, sizeof *made.child, by_total, g);
	return made;
}

/* Prints the tree without recursion, because a program's calls may nest deeper than the stack allows. */
static void put_tree(struct graph *g, uint64_t most)
{
	struct open *open = NULL;
	size_t n = 0;
	uint64_t rows = 0;

	open = cli__grow(open, n, sizeof *open);
	open[n++] = open_box(g, 0, 0);
	while (n) {
		struct open *top = &open[n - 1];
		if (top->next == top->children || (most && rows == most)) {
			free(top->child);
			n--;
			continue;
		}
		uint32_t at = top->child[top->next++], depth = top->depth;
		put_row(g, at, top->at, depth);
		rows++;
		open = cli__grow(open, n, sizeof *open);
		open[n++] = open_box(g, at, depth + 1);
	}
	free(open);
}

static void put_titles(const struct graph *g)
{
	if (g->pair)
		fputs(g->inverted
			      ? "# calls: exact number of calls that the function makes to the one above it\n"
			      : "# calls: exact number of calls that the function above makes to it\n",
		      g->out);
	fprintf(g->out, "%8s %8s %16s  ", "total", "self", "count");
	if (g->pair)
		fprintf(g->out, "%14s  ", "calls");
	fprintf(g->out, "%s\n", g->inverted ? "function, and who called it" : "function, and what it called");
}

void cli__report_graph(const struct cli__report_options *o, const struct cli__open_profile *loaded,
		       uint32_t event, FILE *out)
{
	const struct profile__summary *summary = &loaded->summary;
	struct graph g = {.summary = summary,
			  .event = event,
			  .whole = summary->weight[event],
			  .limit = o->limited ? o->limit : 0.5,
			  .coloured = o->coloured,
			  .inverted = o->callees_first,
			  .out = out};

	struct cli__call_pair *pair = NULL;
	if (loaded->profile->branches && cli__report_call_pairs(loaded, &pair, &g.pairs) == 0)
		g.pair = pair;
	g.box = cli__grow(NULL, 0, sizeof *g.box);
	g.boxes = 1;
	cli__report_head(o, loaded, event, g.whole, loaded->profile->event[event].samples, out);
	if (g.whole == 0) {
		fputs("nothing was sampled here\n", out);
	} else {
		if (o->callees_first)
			invert(&g);
		else
			follow(&g);
		put_titles(&g);
		put_tree(&g, o->most);
	}
	free(pair);
	free(g.box);
}
