/* SPDX-License-Identifier: MIT */
/**
 * Writing a profile: the blocks before and after the samples. The samples themselves are blocks that the
 * engine appends.
 */
#ifndef APMU_PROFILE_WRITE_H
#define APMU_PROFILE_WRITE_H

#include "profile/profile.h"

#include <time.h>

/* Writes the head and META block of a new file. Uses of `p`: version, core, program, machine, uarch, clock,
 * chains, branches, data, cycles, exact, system, skid, argv, event. `fd` was opened with O_APPEND. 0 or a
 * negative errno value. */
int profile__begin(int fd, const struct profile__profile *p);

/* Writes a mapping that is known before the run, without `when`. 0 or a negative errno value. */
int profile__map(int fd, const struct profile__map *map);

/* Appends the code that the recorded processes made and named for perf (/tmp/perf-PID.map, jitdump) since a
 * time to the end of the file `path`, of which `fd` is open for appending. 0 or a negative errno value. */
int profile__made_code(int fd, const char *path, time_t since);

/* True for the name of a jitdump file (jit-PID.dump), by which a program shows perf the code that it
 * makes. */
bool profile__is_jitdump(const char *path);

/* Writes the END block. Uses of `p`: exit, signal, lost, events, thread (pid, tid, name, instructions,
 * cycles, total, resyncs); serial[i] is the serial number of thread i in its samples. */
int profile__finish(int fd, const struct profile__profile *p, const uint32_t *serial);

#endif
