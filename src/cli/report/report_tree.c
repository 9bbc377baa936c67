/* SPDX-License-Identifier: MIT */
#include "cli/report/report_tree.h"

#include <errno.h>
#include <stdlib.h>

/* A node of the profile's tree of chains, as one group sees it. */
struct node {
	uint64_t weight; /* of all stacks through the node */
	uint32_t class;
	uint32_t group;       /* last group that touched it, plus 1 */
	uint32_t stacks;      /* first stack that ends here, plus 1 */
	uint32_t child, next; /* nodes; 0: none */
};

struct walk {
	struct cli__report_tree *tree;
	const struct profile__profile *profile;
	struct cli__report_row *row;
	struct node *node;
	uint32_t *touched;
	size_t n;
	uint64_t stack; /* number of the current stack, over all groups */
};

uint32_t cli__report_group(struct cli__report_tree *tree, uint32_t thread, uint32_t maps, uint32_t when)
{
	bool fresh;
	uint32_t i = profile__index_add(&tree->groups, (struct profile__key){{thread, maps, 0}}, &fresh);

	if (i != UINT32_MAX && fresh) {
		tree->group = cli__grow(tree->group, i, sizeof *tree->group);
		tree->group[i] = (struct cli__report_group){.thread = thread, .when = when};
	}
	return i;
}

uint32_t cli__report_stack(struct cli__report_tree *tree, uint32_t group, uint32_t chain, uint32_t class)
{
	bool fresh;
	uint32_t i = profile__index_add(&tree->stacks, (struct profile__key){{chain, class, group}}, &fresh);

	if (i != UINT32_MAX && fresh) {
		tree->stack = cli__grow(tree->stack, i, sizeof *tree->stack);
		tree->stack[i] = (struct cli__report_stack){
			.class = class, .chain = chain, .in_group = tree->group[group].stacks};
		tree->group[group].stacks = i + 1;
	}
	return i;
}

void cli__report_tree_close(struct cli__report_tree *tree)
{
	profile__index_free(&tree->stacks);
	profile__index_free(&tree->groups);
	free(tree->stack);
	free(tree->group);
}

/* A node's parent, which has a lower number; if the file says otherwise, the root. */
static uint32_t parent_of(const struct walk *w, uint32_t node)
{
	uint32_t parent = w->profile->frame[node].parent;

	return parent < node ? parent : 0;
}

static int touch(struct walk *w, uint32_t group, uint32_t node)
{
	const struct cli__report_group *g = &w->tree->group[group];
	struct cli__report_rows *rows = w->tree->rows;

	for (; w->node[node].group != group + 1; node = parent_of(w, node)) {
		w->node[node] = (struct node){.group = group + 1};
		w->touched[w->n++] = node;
		if (node == 0)
			break;
		const struct profile__place *place =
			profile__place_at(w->tree->resolver, g->thread, g->when, w->profile->frame[node].pc);
		w->node[node].class = place ? cli__report_class(rows, place, g->thread) : UINT32_MAX;
		if (w->node[node].class == UINT32_MAX)
			return -ENOMEM;
	}
	return 0;
}

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Builds the group's part of the tree: each node's weight and children. */
static int grow_tree(struct walk *w, uint32_t group)
{
	int bad = 0;

	w->n = 0;
	for (uint32_t i = w->tree->group[group].stacks; bad == 0 && i; i = w->tree->stack[i - 1].in_group) {
		struct cli__report_stack *stack = &w->tree->stack[i - 1];
		uint32_t at = stack->chain < w->profile->frames ? stack->chain : 0;
		bad = touch(w, group, at);
		w->node[at].weight += stack->weight;
		stack->at_node = w->node[at].stacks;
		w->node[at].stacks = i;
	}
	qsort(w->touched, w->n, sizeof *w->touched, by_number);
	for (size_t i = w->n; i-- > 0 && w->touched[i] != 0;) {
		struct node *node = &w->node[w->touched[i]];
		struct node *parent = &w->node[parent_of(w, w->touched[i])];
		parent->weight += node->weight;
		node->next = parent->child;
		parent->child = w->touched[i];
	}
	return bad;
}

/* Puts the rows of a node's functions on the path; of equal rows on it, the outermost takes the weight. */
static void enter(struct walk *w, uint32_t node)
{
	const struct cli__report_class *classes = w->tree->rows->classes;

	for (uint32_t c = w->node[node].class; c; c = classes[c - 1].shorter)
		if (w->row[classes[c - 1].row].on_path++ == 0)
			w->row[classes[c - 1].row].children += w->node[node].weight;
	for (uint32_t i = w->node[node].stacks; i; i = w->tree->stack[i - 1].at_node) {
		w->stack++;
		for (uint32_t c = w->tree->stack[i - 1].class; c; c = classes[c - 1].shorter) {
			struct cli__report_row *row = &w->row[classes[c - 1].row];
			if (row->on_path == 0 && row->seen != w->stack)
				row->children += w->tree->stack[i - 1].weight;
			row->seen = w->stack;
		}
	}
}

static void leave(struct walk *w, uint32_t node)
{
	const struct cli__report_class *classes = w->tree->rows->classes;

	for (uint32_t c = w->node[node].class; c; c = classes[c - 1].shorter)
		w->row[classes[c - 1].row].on_path--;
}

static void visit_all(struct walk *w)
{
	uint32_t node = 0;

	for (enter(w, 0);;) {
		uint32_t child = w->node[node].child;
		if (child) {
			w->node[node].child = w->node[child].next;
			enter(w, child);
			node = child;
			continue;
		}
		leave(w, node);
		if (node == 0)
			break;
		node = parent_of(w, node);
	}
}

int cli__report_children(struct cli__report_tree *tree)
{
	const struct profile__profile *profile = tree->rows->profile;
	struct walk w = {.tree = tree, .profile = profile};
	int bad = 0;

	w.node = cli__zalloc(profile->frames + 1, sizeof *w.node);
	w.touched = cli__zalloc(profile->frames + 1, sizeof *w.touched);
	for (uint32_t g = 0; bad == 0 && g < tree->groups.n; g++) {
		bad = grow_tree(&w, g);
		w.row = tree->rows->report->row;
		if (bad == 0 && w.n)
			visit_all(&w);
	}
	free(w.node);
	free(w.touched);
	return bad;
}
