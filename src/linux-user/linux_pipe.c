/* SPDX-License-Identifier: MIT */
/* Pipes, with both ends in the one process that there is. */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM    65536u
#define CLOEXEC 0x80000u
#define SIGPIPE 13u

/* How many descriptors hold an end. */
unsigned apmu__linux_pipe_ends(const struct apmu__linux *p, unsigned pipe, enum apmu__linux_kind kind)
{
	unsigned n = 0;

	for (unsigned fd = 0; fd < APMU__LINUX_FILES; fd++)
		n += p->open[fd].kind == kind && p->open[fd].pipe == pipe;
	return n;
}

void apmu__linux_pipe_drop(struct apmu__linux *p, unsigned pipe)
{
	if (apmu__linux_pipe_ends(p, pipe, APMU__LINUX_TAKES) ||
	    apmu__linux_pipe_ends(p, pipe, APMU__LINUX_GIVES))
		return;
	free(p->pipe[pipe].bytes);
	p->pipe[pipe] = (struct apmu__linux_pipe){0};
}

/* Empty: the end if nobody can write any more. */
int64_t apmu__linux_pipe_take(struct apmu__linux *p, unsigned pipe, void *to, size_t n)
{
	struct apmu__linux_pipe *q = &p->pipe[pipe];

	if (q->n == 0)
		return apmu__linux_pipe_ends(p, pipe, APMU__LINUX_GIVES) ? -EAGAIN : 0;
	n = n < q->n ? n : q->n;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = q->bytes[(q->from + i) % ROOM];
	q->from = (uint32_t)((q->from + n) % ROOM);
	q->n -= (uint32_t)n;
	return (int64_t)n;
}

int64_t apmu__linux_pipe_give(struct apmu__linux *p, unsigned pipe, const void *from, size_t n)
{
	struct apmu__linux_pipe *q = &p->pipe[pipe];

	if (!apmu__linux_pipe_ends(p, pipe, APMU__LINUX_TAKES)) {
		apmu__linux_send(p, SIGPIPE, false);
		return -EPIPE;
	}
	if (q->n == ROOM)
		return -EAGAIN;
	n = n < ROOM - q->n ? n : ROOM - q->n;
	for (size_t i = 0; i < n; i++)
		q->bytes[(q->from + q->n + i) % ROOM] = ((const uint8_t *)from)[i];
	q->n += (uint32_t)n;
	return (int64_t)n;
}

static int free_pipe(struct apmu__linux *p)
{
	for (int i = 0; i < (int)APMU__LINUX_PIPES; i++)
		if (!p->pipe[i].bytes)
			return (p->pipe[i].bytes = malloc(ROOM)) ? i : -ENOMEM;
	return -ENFILE;
}

static int64_t make(struct apmu__linux_call *call, uint64_t flags)
{
	struct apmu__linux *p = call->p;
	int64_t takes = apmu__linux_free_fd(p, 0),
		gives = takes < 0 ? takes : apmu__linux_free_fd(p, (uint64_t)takes + 1);
	const uint32_t pair[2] = {(uint32_t)takes, (uint32_t)gives};

	if (flags & ~(uint64_t)(CLOEXEC | APMU__LINUX_NONBLOCK))
		return -EINVAL;
	if (gives < 0)
		return gives;
	int pipe = free_pipe(p);
	if (pipe < 0)
		return pipe;
	if (!apmu__linux_put(p, call->arg[0], pair, sizeof(pair))) {
		apmu__linux_pipe_drop(p, (unsigned)pipe);
		return -EFAULT;
	}
	p->open[takes] =
		(struct apmu__linux_open){APMU__LINUX_TAKES, (uint8_t)pipe, (uint32_t)flags, -1, 0, NULL};
	p->open[gives] =
		(struct apmu__linux_open){APMU__LINUX_GIVES, (uint8_t)pipe, (uint32_t)flags | 1, -1, 0, NULL};
	return 0;
}

int64_t apmu__linux_pipe(struct apmu__linux_call *call)
{
	return make(call, 0);
}

int64_t apmu__linux_pipe2(struct apmu__linux_call *call)
{
	return make(call, call->arg[1]);
}
