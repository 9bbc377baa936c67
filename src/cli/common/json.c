/* SPDX-License-Identifier: MIT */
#include "cli/common/json.h"

#include "base/text.h"
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void have(int failed)
{
	if (failed != 0) {
		fputs("apmu: out of memory\n", stderr);
		exit(CLI__EXIT_FAILURE);
	}
}

json_t *cli__json_count(uint64_t value)
{
	return value > INT64_MAX ? json_real((double)value) : json_integer((json_int_t)value);
}

json_t *cli__json_bits(uint64_t value)
{
	return value > INT64_MAX ? json_sprintf("0x%" PRIx64, value) : json_integer((json_int_t)value);
}

json_t *cli__json_text(const char *text)
{
	json_t *value = text != NULL ? json_string(text) : json_null();
	char *plain;

	if (value != NULL)
		return value;
	plain = cli__copy(text); /* a file name need not be UTF-8 */
	apmu_base__text_utf8(plain);
	value = json_string(plain);
	free(plain);
	return value;
}

#define MOST 18446744073709551616.0 /* 2^64: counts have 64 bits */

const json_t *cli__json_counted(const json_t *counter)
{
	const json_t *value = json_object_get(counter, "value");
	const json_t *running = json_object_get(counter, "running");
	const json_t *enabled = json_object_get(counter, "enabled");
	double number = json_number_value(value);
	bool never =
		json_is_number(running) && json_number_value(running) <= 0 && json_number_value(enabled) > 0;

	return never || !json_is_number(value) || number < 0 || number >= MOST ? NULL : value;
}

bool cli__json_newer(const struct cli__cli *cli, const char *path, const char *schema)
{
	const size_t name = sizeof CLI__STAT_SCHEMA - 2; /* without the number */

	if (schema == NULL || strncmp(schema, CLI__STAT_SCHEMA, name) != 0 ||
	    strcmp(schema, CLI__STAT_SCHEMA) == 0)
		return false;
	cli__message(cli, "%s: its schema is '%s', of a newer apmu; this one reads '%s'", path, schema,
		     CLI__STAT_SCHEMA);
	return true;
}

void cli__json_add(json_t *object, const char *name, json_t *value)
{
	have(value == NULL || json_object_set_new(object, name, value) != 0);
}

void cli__json_append(json_t *array, json_t *value)
{
	have(value == NULL || json_array_append_new(array, value) != 0);
}

int cli__json_print(json_t *value, FILE *out)
{
	int failed = json_dumpf(value, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER);

	json_decref(value);
	fputc('\n', out);
	return failed != 0 ? CLI__EXIT_FAILURE : 0;
}
