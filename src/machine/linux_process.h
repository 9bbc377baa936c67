/* SPDX-License-Identifier: MIT */
/** Linux programs: what linux.c, linux_memory.c, linux_cpu.c and the machine share. */
#ifndef APMU_MACHINE_LINUX_PROCESS_H
#define APMU_MACHINE_LINUX_PROCESS_H

#include "linux-user/linux.h"

struct apmu_machine;
struct apmu_machine__code;
struct apmu_machine__entry;

void apmu_machine__linux_get_cpu(void *ctx, struct apmu_linux__cpu *cpu);
void apmu_machine__linux_set_cpu(void *ctx, const struct apmu_linux__cpu *cpu);
int apmu_machine__linux_reserve(struct apmu_machine *m, char *error, size_t size);
void apmu_machine__linux_memory(struct apmu_machine *m, struct apmu_linux__machine *out);
bool apmu_machine__process_has(const struct apmu_machine *m, uint64_t address, size_t n);
void apmu_machine__linux_svc(struct apmu_machine *m, const struct apmu_machine__code *c);
void apmu_machine__linux_fault(struct apmu_machine *m, const struct apmu_machine__entry *e);
void apmu_machine__linux_free(struct apmu_machine *m);

#endif
