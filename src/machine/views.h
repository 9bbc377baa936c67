/* SPDX-License-Identifier: MIT */
/* RAM, and the views of memory that devices and the machine have: memory.c. */
#ifndef APMU_MACHINE_VIEWS_H
#define APMU_MACHINE_VIEWS_H

#include "machine/machine_internal.h"

/* memory.c */
int apmu_machine__memory_init(struct apmu_machine *m, char *error, size_t size);
int apmu_machine__memory_map(struct apmu_machine *m);
void apmu_machine__memory_free(struct apmu_machine *m);
uint8_t *apmu_machine__host(const struct apmu_machine *m, uint64_t physical, size_t n); /* NULL: not RAM */
bool apmu_machine__cover(struct apmu_machine *m, uint64_t address); /* maps a dummy at a virtual address */
struct apmu_board__memory apmu_machine__virtual(struct apmu_machine *m);
struct apmu_board__memory apmu_machine__physical(struct apmu_machine *m);
struct apmu_board__memory apmu_machine__device(struct apmu_machine *m); /* as devices access it */
void apmu_machine__retranslate(struct apmu_machine *m);                 /* what devices wrote; or all */

#endif
