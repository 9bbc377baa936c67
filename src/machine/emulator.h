/* SPDX-License-Identifier: MIT */
/* Start and end of the emulator: boot.c, load.c, hook.c, run.c, abort_guard.c. */
#ifndef APMU_MACHINE_EMULATOR_H
#define APMU_MACHINE_EMULATOR_H

#include "machine/machine_internal.h"

/* boot.c: the device tree, and the registers that say where it is */
int apmu_machine__boot(struct apmu_machine *m, char *error, size_t size);

/* load.c */
int apmu_machine__start(struct apmu_machine *m, bool a64, uint64_t entry, char *error, size_t size);

/* hook.c */
int apmu_machine__hooks(struct apmu_machine *m);
/* Replaces the emulator by a new one in the same state, without translations: libunicorn fails when its
 * memory for them is full. */
void apmu_machine__renew(struct apmu_machine *m);
/* Installs the hook that passes accesses to the event sources. False: the emulator has no memory for it. */
bool apmu_machine__hook_accesses(struct apmu_machine *m);
void apmu_machine__finish(struct apmu_machine *m, uint64_t address);

/* run.c, abort_guard.c */
uc_err apmu_machine__emulate(struct apmu_machine *m, uint64_t pc);
void apmu_machine__end(struct apmu_machine *m, enum apmu_stop_reason reason, uint64_t pc, const char *format,
		       ...) __attribute__((format(printf, 4, 5)));

#endif
