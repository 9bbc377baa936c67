/* SPDX-License-Identifier: MIT */
/* The flame graph's boxes. */
#include "cli/export/html.h"

#include <inttypes.h>
#include <stdlib.h>

static bool large(const struct profile__summary *summary, size_t node, uint64_t parts)
{
	for (size_t e = 0; e < summary->events; e++) {
		uint64_t mine = summary->node_total[node * summary->events + e];
		if (mine > 0 && mine >= summary->weight[e] / parts)
			return true;
	}
	return false;
}

/* A box: a node, or the sum of the nodes below its parent that are too small for boxes of their own. */
struct box {
	uint32_t parent, node; /* PROFILE__NONE: a sum */
};

/* Chooses the boxes of at least one of `parts` parts of the whole; row[] is each node's box. Returns how many
 * there are, at most twice CLI__HTML_NODES. */
static uint32_t choose(const struct profile__summary *summary, uint64_t parts, uint32_t *row, struct box *box)
{
	/* Of a box: the sum below it; 0: none. */
	uint32_t *sum = cli__zalloc(2ul * CLI__HTML_NODES, sizeof *sum);
	uint32_t n = 1;

	box[0] = (struct box){0, 0};
	row[0] = 0;
	for (uint32_t i = 1; i < summary->nodes; i++) {
		uint32_t parent = row[summary->node[i].parent];
		bool own = n < CLI__HTML_NODES && large(summary, i, parts);
		if (box[parent].node == PROFILE__NONE) {
			row[i] = parent;
		} else if (own || sum[parent] == 0) {
			box[n] = (struct box){parent, own ? i : PROFILE__NONE};
			sum[parent] = own ? sum[parent] : n;
			row[i] = n++;
		} else {
			row[i] = sum[parent];
		}
	}
	free(sum);
	return n;
}

/* Chooses the boxes of the finest size that leaves few enough of them. */
static uint32_t finest(const struct profile__summary *summary, uint32_t *row, struct box *box)
{
	uint64_t parts = 1 << 20;
	uint32_t n = choose(summary, parts, row, box);

	while (n > CLI__HTML_NODES && parts > 16)
		n = choose(summary, parts /= 2, row, box);
	return n;
}

void cli__html_nodes(const struct profile__summary *summary, struct cli__html_rows *rows, FILE *out)
{
	size_t events = summary->events;
	uint32_t *row = rows->node = cli__zalloc(summary->nodes + 1, sizeof *row);
	struct box *box = cli__zalloc(2ul * CLI__HTML_NODES, sizeof *box);
	uint32_t n = finest(summary, row, box);
	uint64_t *weight = cli__zalloc(n * events + 1, sizeof *weight);

	for (size_t i = 0; i < summary->nodes; i++)
		if (i == 0 || row[summary->node[i].parent] != row[i])
			for (size_t e = 0; e < events; e++)
				weight[row[i] * events + e] += summary->node_total[i * events + e];
	fputs("[", out);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t function = PROFILE__NONE;
		if (i && box[i].node != PROFILE__NONE)
			function = rows->function[summary->node[box[i].node].function];
		fprintf(out, "%s[%" PRIu32 ",", i ? ",\n" : "\n", box[i].parent);
		if (function == PROFILE__NONE)
			fputs("null,", out);
		else
			fprintf(out, "%" PRIu32 ",", function);
		cli__html_weights(&weight[i * events], events, out);
		fputs("]", out);
	}
	fputs("]", out);
	free(weight);
	free(box);
}
