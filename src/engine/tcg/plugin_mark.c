/* SPDX-License-Identifier: MIT */
/* Marks: a thread's totals go to the command's file. */
#define _GNU_SOURCE /* open flags */
#include "plugin.h"

#include <fcntl.h>
#include <unistd.h>

/* Marks go through a descriptor that is open no longer than it takes: the program may close any number, or
 * use it. */
static bool write_mark(const struct apmu__mark *mark)
{
	if (apmu__plugin.muted)
		return true;
	int fd = open(apmu__plugin.marks, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return false;
	bool whole = write(fd, mark, sizeof(*mark)) == (ssize_t)sizeof(*mark);
	close(fd);
	return whole;
}

bool apmu__thread_mark(const struct apmu__thread *t, bool last)
{
	struct apmu__mark m = {.pid = t->slot->pid,
			       .tid = t->slot->tid,
			       .last = last,
			       .serial = t->slot->serial,
			       .resyncs = t->slot->resyncs,
			       .tally = apmu__slot_counted(apmu__plugin.share, t->slot)};

	if (write_mark(&m))
		return true;
	atomic_fetch_add(&apmu__plugin.share->marks_lost, 1);
	return false;
}
