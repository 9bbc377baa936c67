/* SPDX-License-Identifier: MIT */
/**
 * The fields of a register, with or without a value, as a table or as JSON.
 */
#ifndef APMU_CLI_COMMON_REGISTER_FIELDS_H
#define APMU_CLI_COMMON_REGISTER_FIELDS_H

#include "cli/cli.h"
#include "cli/common/json.h"

/* Prints the fields of a register, with their contents unless `value` is NULL. */
void cli__fields_print(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value,
		       unsigned width, FILE *out);
json_t *cli__fields_json(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value);

/* True for bits that no user sets: unpredictable (UNP) and reserved ones (RES0, RES1). */
bool cli__field_is_reserved(unsigned kind);

/* True if the field selects an event. */
bool cli__field_is_event(const struct apmu_field *field);

#endif
