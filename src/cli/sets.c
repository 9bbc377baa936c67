/* SPDX-License-Identifier: MIT */
#include "cli/sets.h"

#include "cli/suggest.h"

#include <stdlib.h>
#include <string.h>

static int unknown_figure(const struct apmu__cli *cli, const struct apmu_uarch_params *params,
			  const char *key)
{
	struct apmu__nearest near = {.want = key};
	struct apmu_figure figure;
	char best[64] = "";

	for (size_t i = 0; apmu_uarch_figure(params, i, &figure); i++)
		apmu__nearest_offer(&near, figure.key);
	if (apmu__nearest(&near) != NULL)
		snprintf(best, sizeof best, "; did you mean '%s'?", apmu__nearest(&near));
	apmu__complain(cli, "--set: no figure '%s'%s", key,
		       best[0] != '\0' ? best : "; 'apmu list cores -v' has them all");
	return APMU__EXIT_USAGE;
}

static int set_figure(const struct apmu__cli *cli, struct apmu_uarch_params *params, const char *key,
		      const char *value)
{
	switch (apmu_uarch_set(params, key, value)) {
	case 0: return 0;
	case APMU_ENOENT: return unknown_figure(cli, params, key);
	default: apmu__complain(cli, "--set: %s cannot be '%s'", key, value); return APMU__EXIT_USAGE;
	}
}

int apmu__set_one(const struct apmu__cli *cli, struct apmu_uarch_params *params, const char *word)
{
	const char *equals = strchr(word, '=');
	char *key;
	int bad;

	if (equals == NULL) {
		apmu__complain(cli, "--set '%s': a figure is set with KEY=VALUE", word);
		return APMU__EXIT_USAGE;
	}
	key = apmu__format("%.*s", (int)(equals - word), word);
	bad = set_figure(cli, params, key, equals + 1);
	free(key);
	return bad;
}

int apmu__set_all(const struct apmu__cli *cli, struct apmu_uarch_params *params, const char *list,
		  const struct apmu_core *core)
{
	char *words = apmu__copy(list);
	const char *why;
	int bad = 0;

	for (char *word = words, *end; bad == 0 && word != NULL; word = end) {
		end = strchr(word, ',');
		if (end != NULL)
			*end++ = '\0';
		bad = apmu__set_one(cli, params, word);
	}
	free(words);
	why = bad == 0 ? apmu_uarch_check(params) : NULL;
	if (why == NULL)
		return bad;
	apmu__complain(cli, "%s: %s", core->name, why);
	return APMU__EXIT_USAGE;
}
