/* SPDX-License-Identifier: MIT */
/** Linux programs, between linux.c, linux_memory.c, linux_cpu.c and the machine. Included by
 * machine_internal.h alone.
 */
#ifndef APMU_MACHINE_LINUX_PROCESS_H
#define APMU_MACHINE_LINUX_PROCESS_H

#include "linux-user/linux.h"

struct apmu_machine;
struct apmu__code;
struct apmu__entry;

void apmu__linux_get_cpu(void *ctx, struct apmu__linux_cpu *cpu);
void apmu__linux_set_cpu(void *ctx, const struct apmu__linux_cpu *cpu);
int apmu__linux_reserve(struct apmu_machine *m, char *error, size_t size);
void apmu__linux_memory(struct apmu_machine *m, struct apmu__linux_machine *out);
bool apmu__process_has(const struct apmu_machine *m, uint64_t address, size_t n);
void apmu__linux_svc(struct apmu_machine *m, const struct apmu__code *c);
void apmu__linux_fault(struct apmu_machine *m, const struct apmu__entry *e);
void apmu__linux_free(struct apmu_machine *m);

#endif
