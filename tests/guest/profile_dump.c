/* SPDX-License-Identifier: MIT */
/*
 * Prints a profile sample by sample: event, pc, weight, instructions, cycles, level, address, thread.
 *
 *   profile_dump FILE
 */
#include "profile/profile.h"

#include <inttypes.h>
#include <stdio.h>

static int print(void *unused, const struct profile__sample *s)
{
	(void)unused;
	printf("%" PRIu32 " 0x%" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %u 0x%" PRIx64 " %" PRIu32 "\n",
	       s->event, s->pc, s->weight, s->instructions, s->cycles, s->level, s->address, s->thread);
	return 0;
}

int main(int argc, char **argv)
{
	struct profile__profile *p;
	char error[256] = "which file?";

	if (argc != 2 || profile__open(argv[1], &p, error, sizeof(error)) != 0) {
		fprintf(stderr, "profile_dump: %s\n", error);
		return 2;
	}
	fprintf(stderr,
		"flaws %" PRIu32 " lost %" PRIu64 " samples %" PRIu64 " threads %zu exit %d signal %d\n",
		p->flaws, p->lost, p->samples, p->threads, p->exit, p->signal);
	for (size_t t = 0; t < p->threads; t++)
		for (size_t e = 0; e < p->events; e++)
			fprintf(stderr, "total %zu %zu %" PRIu64 " resyncs %" PRIu64 "\n", t, e,
				p->thread[t].total[e], p->thread[t].resyncs);
	int bad = profile__each(p, print, NULL);
	profile__close(p);
	return bad ? 1 : 0;
}
