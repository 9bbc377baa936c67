/* SPDX-License-Identifier: MIT */
/** What a thread of a recording is called, everywhere: "2 (writer0)", its number from 1 and the name it has.
 */
#ifndef APMU_CLI_COMMON_THREAD_NAME_H
#define APMU_CLI_COMMON_THREAD_NAME_H

#include "profile/profile.h"

/* To be freed. Of a whole system: "vCPU 0". */
char *cli__thread_name(const struct profile__profile *profile, uint32_t thread);

#endif
