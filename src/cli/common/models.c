/* SPDX-License-Identifier: MIT */
#include "cli/common/models.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

char *cli__models(const char *models)
{
	size_t n = strcspn(models, " ");

	if (!models[n])
		return cli__format("%s", models);
	char *rest = cli__models(models + n + 1), *text = cli__format("%.*s, else %s", (int)n, models, rest);

	free(rest);
	return text;
}
