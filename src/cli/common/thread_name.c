/* SPDX-License-Identifier: MIT */
#include "cli/common/thread_name.h"

#include "cli/cli.h"

#include <inttypes.h>

char *cli__thread_name(const struct profile__profile *profile, uint32_t thread)
{
	const struct profile__thread *t = &profile->thread[thread];

	if (profile->system)
		return cli__format("vCPU %" PRId32, t->tid);
	if (t->name && *t->name)
		return cli__plain(cli__format("%" PRIu32 " (%s)", thread + 1, t->name), '\0');
	return cli__format("%" PRIu32, thread + 1);
}
