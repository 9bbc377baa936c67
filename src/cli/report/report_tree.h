/* SPDX-License-Identifier: MIT */
/**
 * Counts of functions with what they called, from stacks, each kept once, and the tree of their chains.
 *
 * Work grows with the nodes of the tree, not with the samples times the depth of their chains.
 */
#ifndef APMU_CLI_REPORT_REPORT_TREE_H
#define APMU_CLI_REPORT_REPORT_TREE_H

#include "cli/report/report_rows.h"

/* A stack: a leaf at the end of a chain. */
struct cli__report_stack {
	uint64_t weight;
	uint32_t class; /* of the leaf */
	uint32_t chain;
	uint32_t in_group, at_node; /* next stack in the group and at the node, plus 1 */
};

/* Stacks of one thread between two changes of its mappings, so that equal addresses mean the same code. */
struct cli__report_group {
	uint32_t thread, when;
	uint32_t stacks; /* first stack, plus 1 */
};

struct cli__report_tree {
	struct cli__report_rows *rows;
	struct profile__resolver *resolver;
	struct profile__index stacks, groups;
	struct cli__report_stack *stack;
	struct cli__report_group *group;
};

/* A group's number for samples of a thread after `maps` mappings; UINT32_MAX without memory. */
uint32_t cli__report_group(struct cli__report_tree *tree, uint32_t thread, uint32_t maps, uint32_t when);

/* A stack's number; UINT32_MAX without memory. */
uint32_t cli__report_stack(struct cli__report_tree *tree, uint32_t group, uint32_t chain, uint32_t class);

/* Adds every stack's weight to `children` of each row that is on it, once. 0, or -ENOMEM. */
int cli__report_children(struct cli__report_tree *tree);

void cli__report_tree_close(struct cli__report_tree *tree);

#endif
