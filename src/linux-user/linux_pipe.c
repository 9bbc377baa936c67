/* SPDX-License-Identifier: MIT */
/* Pipes, with both ends in the only process. */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROOM    65536u
#define ATOMIC  4096u /* PIPE_BUF */
#define SIGPIPE 13u

/* Returns how many descriptors hold this end, PIPE_READ or PIPE_WRITE. */
unsigned apmu_linux__pipe_ends(const struct apmu_linux__linux *p, unsigned pipe, enum apmu_linux__kind kind)
{
	unsigned n = 0;

	for (unsigned fd = 0; fd < APMU_LINUX__FILES; fd++)
		n += p->open[fd].kind == kind && p->open[fd].pipe == pipe;
	return n;
}

void apmu_linux__pipe_release(struct apmu_linux__linux *p, unsigned pipe)
{
	if (apmu_linux__pipe_ends(p, pipe, APMU_LINUX__PIPE_READ) ||
	    apmu_linux__pipe_ends(p, pipe, APMU_LINUX__PIPE_WRITE))
		return;
	free(p->pipe[pipe].bytes);
	p->pipe[pipe] = (struct apmu_linux__pipe){0};
}

/* An empty pipe reads as at its end if nobody can write any more. */
int64_t apmu_linux__pipe_read(struct apmu_linux__linux *p, unsigned pipe, void *to, size_t n)
{
	struct apmu_linux__pipe *q = &p->pipe[pipe];

	if (q->n == 0)
		return apmu_linux__pipe_ends(p, pipe, APMU_LINUX__PIPE_WRITE) ? -EAGAIN : 0;
	n = n < q->n ? n : q->n;
	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = q->bytes[(q->from + i) % ROOM];
	q->from = (uint32_t)((q->from + n) % ROOM);
	q->n -= (uint32_t)n;
	return (int64_t)n;
}

bool apmu_linux__pipe_has_room(const struct apmu_linux__linux *p, unsigned pipe)
{
	return p->pipe[pipe].n <= ROOM - ATOMIC;
}

/* Writes all of up to PIPE_BUF bytes, or nothing. */
int64_t apmu_linux__pipe_write(struct apmu_linux__linux *p, unsigned pipe, const void *from, size_t n)
{
	struct apmu_linux__pipe *q = &p->pipe[pipe];

	if (!apmu_linux__pipe_ends(p, pipe, APMU_LINUX__PIPE_READ)) {
		apmu_linux__send(p, SIGPIPE, false);
		return -EPIPE;
	}
	if (n > ROOM - q->n)
		return -EAGAIN;
	for (size_t i = 0; i < n; i++)
		q->bytes[(q->from + q->n + i) % ROOM] = ((const uint8_t *)from)[i];
	q->n += (uint32_t)n;
	return (int64_t)n;
}

static int free_pipe(struct apmu_linux__linux *p)
{
	for (int i = 0; i < (int)APMU_LINUX__PIPES; i++)
		if (!p->pipe[i].bytes)
			return (p->pipe[i].bytes = malloc(ROOM)) ? i : -ENOMEM;
	return -ENFILE;
}

static int64_t make(struct apmu_linux__call *call, uint64_t flags)
{
	struct apmu_linux__linux *p = call->p;
	int64_t takes = apmu_linux__free_fd(p, 0),
		gives = takes < 0 ? takes : apmu_linux__free_fd(p, (uint64_t)takes + 1);
	const uint32_t pair[2] = {(uint32_t)takes, (uint32_t)gives};

	if (flags & ~(uint64_t)(APMU_LINUX__CLOEXEC | APMU_LINUX__NONBLOCK))
		return -EINVAL;
	if (gives < 0)
		return gives;
	int pipe = free_pipe(p);
	if (pipe < 0)
		return pipe;
	if (!apmu_linux__put(p, call->arg[0], pair, sizeof(pair))) {
		apmu_linux__pipe_release(p, (unsigned)pipe);
		return -EFAULT;
	}
	p->open[takes] =
		(struct apmu_linux__open){APMU_LINUX__PIPE_READ, (uint8_t)pipe, (uint32_t)flags, -1, 0, NULL};
	p->open[gives] = (struct apmu_linux__open){
		APMU_LINUX__PIPE_WRITE, (uint8_t)pipe, (uint32_t)flags | 1, -1, 0, NULL};
	return 0;
}

int64_t apmu_linux__pipe(struct apmu_linux__call *call)
{
	return make(call, 0);
}

int64_t apmu_linux__pipe2(struct apmu_linux__call *call)
{
	return make(call, call->arg[1]);
}
