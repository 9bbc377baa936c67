/* SPDX-License-Identifier: MIT */
/**
 * The lists of `apmu list`: each printed for a person or made into JSON.
 */
#ifndef APMU_CLI_LIST_LIST_H
#define APMU_CLI_LIST_LIST_H

#include "cli/cli.h"
#include "cli/common/json.h"

struct apmu__list {
	const struct apmu__cli *cli;
	const struct apmu_core *core; /* NULL: all */
	bool verbose;
	unsigned width; /* of the terminal; 0: no limit */
	char **word;    /* only what one of these matches; see apmu__list_wants() */
	unsigned words; /* 0: all */
};

/* Does a word of the command line match `name` (NULL: nothing does)? A word with *, ? or [ is a pattern of
 * the whole name, another a part of it; case does not count. True without words. */
bool apmu__list_wants(const struct apmu__list *list, const char *name);

void apmu__list_cores(const struct apmu__list *list);
void apmu__list_events(const struct apmu__list *list);
void apmu__list_registers(const struct apmu__list *list);
void apmu__list_metrics(const struct apmu__list *list);

json_t *apmu__list_cores_json(const struct apmu__list *list);
json_t *apmu__list_events_json(const struct apmu__list *list);
json_t *apmu__list_registers_json(const struct apmu__list *list);
json_t *apmu__list_metrics_json(const struct apmu__list *list);

/* "exact", "modelled", "injected", "not produced" */
const char *apmu__produced_name(unsigned produced);

#endif
