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

/* The least size of a box, as one of so many parts of the whole: the finest that leaves few enough boxes. */
static uint64_t finest(const struct profile__summary *summary)
{
	for (uint64_t parts = 1 << 20; parts > 16; parts /= 2) {
		size_t n = 0;
		for (size_t i = 0; i < summary->nodes; i++)
			n += large(summary, i, parts);
		if (n <= CLI__HTML_NODES)
			return parts;
	}
	return 16;
}

void cli__html_nodes(const struct profile__summary *summary, struct cli__html_rows *rows, FILE *out)
{
	uint32_t *row = rows->node = cli__zalloc(summary->nodes + 1, sizeof *row);
	uint64_t parts = finest(summary);
	uint32_t n = 0;

	fputs("[", out);
	for (size_t i = 0; i < summary->nodes; i++) {
		uint32_t parent = row[summary->node[i].parent];
		row[i] = PROFILE__NONE;
		if (i > 0 && (parent == PROFILE__NONE || !large(summary, i, parts) || n >= CLI__HTML_NODES))
			continue;
		row[i] = n++;
		uint32_t function = i ? rows->function[summary->node[i].function] : PROFILE__NONE;
		fprintf(out, "%s[%" PRIu32 ",", i ? ",\n" : "\n", i ? parent : 0);
		if (function == PROFILE__NONE)
			fputs("null,", out);
		else
			fprintf(out, "%" PRIu32 ",", function);
		cli__html_weights(&summary->node_total[i * summary->events], summary->events, out);
		fputs("]", out);
	}
	fputs("]", out);
}
