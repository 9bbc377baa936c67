/* SPDX-License-Identifier: MIT */
/**
 * The fields of a register, with or without a value, as a table or as JSON.
 */
#ifndef APMU_CLI_COMMON_REGISTER_FIELDS_H
#define APMU_CLI_COMMON_REGISTER_FIELDS_H

#include "cli/cli.h"
#include "cli/common/json.h"

/* `value` NULL: what the fields are, not what they hold. */
void cli__fields_print(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value,
		       unsigned width, FILE *out);
json_t *cli__fields_json(const struct apmu_core *core, const struct apmu_reg *reg, const uint64_t *value);

/* Bits of this kind are no field that a person sets. */
bool cli__field_is_reserved(unsigned kind);

/* Does the field hold an event's number? */
bool cli__field_is_event(const struct apmu_field *field);

#endif
