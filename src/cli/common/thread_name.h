/* SPDX-License-Identifier: MIT */
/** Name of a thread of a recording, the same in all output: "2 (writer0)", its number from 1 and its own
 * name. */
#ifndef APMU_CLI_COMMON_THREAD_NAME_H
#define APMU_CLI_COMMON_THREAD_NAME_H

#include "profile/profile.h"

/* Returns the name, to be freed; in a whole system "vCPU 0". */
char *cli__thread_name(const struct profile__profile *profile, uint32_t thread);

#endif
