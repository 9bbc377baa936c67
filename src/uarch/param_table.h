/* SPDX-License-Identifier: MIT */
/** Figures by number, for who reads a file of them or looks whether they fit together. */
#ifndef APMU_UARCH_PARAM_TABLE_H
#define APMU_UARCH_PARAM_TABLE_H

#include <apmu/uarch.h>

#define APMU_UARCH__MOST_PARAMS 1024u /* their numbers are below; gen/keys.inc has them */

/* The key's number; APMU_UARCH__MOST_PARAMS: there is no such key. */
size_t apmu_uarch__param_index(const char *key);

/* requires (both): the number of a key */
uint64_t apmu_uarch__param_value(const struct apmu_uarch_params *params, size_t i);
void apmu_uarch__param_copy(struct apmu_uarch_params *to, const struct apmu_uarch_params *from, size_t i);

/* The first parameter outside its range, which apmu_uarch_set() does not make; APMU_UARCH__MOST_PARAMS: none.
 */
size_t apmu_uarch__param_outside(const struct apmu_uarch_params *params);

#endif
