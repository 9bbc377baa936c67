/* SPDX-License-Identifier: MIT */
/**
 * The lists of `apmu list`: each printed for a person or made into JSON.
 */
#ifndef APMU_CLI_LIST_LIST_H
#define APMU_CLI_LIST_LIST_H

#include "cli/cli.h"
#include "cli/common/json.h"

struct cli__list {
	const struct cli__cli *cli;
	const struct apmu_core *core; /* NULL: all */
	bool verbose;
	unsigned width; /* of the terminal; 0: no limit */
	char **word;    /* only what one of these matches; see cli__list_wants() */
	unsigned words; /* 0: all */
};

/* True if a word of the command line matches `name` (NULL matches nothing), or if there are no words. A word
 * with *, ? or [ is a pattern of the whole name, any other a part of it; case does not count. */
bool cli__list_wants(const struct cli__list *list, const char *name);

void cli__list_cores(const struct cli__list *list);
void cli__list_events(const struct cli__list *list);
void cli__list_registers(const struct cli__list *list);
void cli__list_metrics(const struct cli__list *list);

json_t *cli__list_cores_json(const struct cli__list *list);
json_t *cli__list_events_json(const struct cli__list *list);
json_t *cli__list_registers_json(const struct cli__list *list);
json_t *cli__list_metrics_json(const struct cli__list *list);

/* tolower() of ASCII, whatever the locale. */
static inline char cli__list_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* "exact", "modelled", "injected", "not produced" */
const char *cli__produced_name(unsigned produced);

#endif
