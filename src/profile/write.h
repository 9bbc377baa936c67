/* SPDX-License-Identifier: MIT */
/**
 * Writing a profile: what stands before the samples and what stands after them. The samples themselves are
 * blocks that the engine appends.
 */
#ifndef APMU_PROFILE_WRITE_H
#define APMU_PROFILE_WRITE_H

#include "profile/profile.h"

#include <time.h>

/* Head and META of a new file. Of `p` are used: version, core, program, machine, chains, data, cycles, exact,
 * system, skid, argv, event. `fd` was opened with O_APPEND. 0 or a negative errno value. */
int profile__begin(int fd, const struct profile__profile *p);

/* A mapping, known before the run: struct profile__map without `when`. 0 or a negative errno value. */
int profile__map(int fd, const struct profile__map *map);

/* Code that the recorded processes made and named for perf (/tmp/perf-PID.map, jitdump) since a time: their
 * names go to the end of the file `path`, of which `fd` is open for appending. 0 or a negative errno value.
 */
int profile__made_code(int fd, const char *path, time_t since);

/* Is this a file by which a program shows perf the code that it makes: jit-PID.dump? */
bool profile__is_jitdump(const char *path);

/* The END block. Of `p` are used: exit, signal, lost, thread (pid, tid, instructions, cycles, total,
 * resyncs); serial[i] is the number by which thread i's samples call it. */
int profile__finish(int fd, const struct profile__profile *p, const uint32_t *serial);

#endif
