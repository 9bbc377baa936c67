/* SPDX-License-Identifier: MIT */
/**
 * The fields of a register, with or without a value, as a table or as JSON.
 */
#ifndef APMU_CLI_COMMON_REGISTER_FIELDS_H
#define APMU_CLI_COMMON_REGISTER_FIELDS_H

#include "cli/cli.h"
#include "cli/common/json.h"

/* Prints the fields of a register that have bits in `part`, with their contents unless `value` is NULL. */
void cli__fields_print(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t part,
		       const uint64_t *value, unsigned width, FILE *out);
json_t *cli__fields_json(const struct apmu_core *core, const struct apmu_reg *reg, uint64_t part,
			 const uint64_t *value);

/* True for bits that no user sets: unpredictable (UNP) and reserved ones (RES0, RES1). */
bool cli__field_is_reserved(unsigned kind);

/* True for bits with a name. Bits that are neither a PMU's nor reserved, such as those of other extensions in
 * MDCR_EL2, have none. */
bool cli__field_is_named(const struct apmu_field *field, unsigned kind);

/* True if the field selects an event. */
bool cli__field_is_event(const struct apmu_field *field);

/* True if `part` holds bits of the event's number that `field` selects: it is `field` itself, or the field
 * above it that PMUv3p1 has (evtCountHi). */
bool cli__field_holds_event(const struct apmu_core *core, const struct apmu_field *field,
			    const struct apmu_field *part);

/* The event that field i of a decoded register selects; NULL: the number is reserved. */
const struct apmu_event *cli__fields_event(const struct apmu_core *core,
					   const struct apmu_field_value *fields, size_t n, size_t i);

#endif
