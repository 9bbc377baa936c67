/* SPDX-License-Identifier: MIT */
/** Parameters by number, for reading a file of them and for checking them. */
#ifndef APMU_UARCH_PARAM_TABLE_H
#define APMU_UARCH_PARAM_TABLE_H

#include <apmu/uarch.h>

#define APMU_UARCH__MOST_PARAMS 1024u /* above all parameter numbers, which gen/keys.inc assigns */

/* The number of a key; APMU_UARCH__MOST_PARAMS: there is no such key. */
size_t apmu_uarch__param_index(const char *key);

/* requires (all three): i is the number of a key */
size_t apmu_uarch__param_offset(size_t i); /* in struct apmu_uarch_params */
uint64_t apmu_uarch__param_value(const struct apmu_uarch_params *params, size_t i);
void apmu_uarch__param_copy(struct apmu_uarch_params *to, const struct apmu_uarch_params *from, size_t i);

/* The first parameter outside its range, a value that apmu_uarch_set() refuses; APMU_UARCH__MOST_PARAMS:
 * none. */
size_t apmu_uarch__param_outside(const struct apmu_uarch_params *params);

#endif
