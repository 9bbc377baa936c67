/* SPDX-License-Identifier: MIT */
/* The program's descriptors: the console, files and directories of the folder, pipes. */
#define _GNU_SOURCE /* O_CLOEXEC, pread */
#include "board/folder.h"
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define MOVE_MOST    ((uint64_t)64 << 20) /* bytes per call */
#define PIECE        4096u
#define IOV_MOST     1024u
#define F_DUPFD_     0u
#define F_GETFD_     1u
#define F_SETFD_     2u
#define F_GETFL_     3u
#define F_SETFL_     4u
#define F_CLOEXEC_   1030u
#define FLAGS_SET    0xC00u   /* O_APPEND, O_NONBLOCK */
#define APPENDS      0x400u   /* O_APPEND */
#define FLAGS_GET    0x20C03u /* FLAGS_SET, the access mode, O_LARGEFILE */
#define POLL_IN      0x41u    /* IN, RDNORM */
#define POLL_OUT     0x104u   /* OUT, WRNORM */
#define POLL_HANGUP  0x10u
#define POLL_ERROR   0x08u
#define POLL_INVALID 0x20u
#define HERE         UINT64_MAX /* at the descriptor's own offset */

int64_t apmu_linux__free_fd(const struct apmu_linux__linux *p, uint64_t from)
{
	for (uint64_t fd = from; fd < APMU_LINUX__FILES; fd++)
		if (!apmu_linux__is_open(p, fd))
			return (int64_t)fd;
	return -EMFILE;
}

/* One transfer under way. */
struct move {
	struct apmu_linux__call *call;
	uint64_t fd;
	uint64_t place; /* offset in the file, or HERE */
	bool out;
	bool more; /* a buffer before this one has its bytes: a read does not wait for others */
};

static int64_t put_file(const struct apmu_linux__open *one, const void *bytes, size_t n, uint64_t place)
{
	int64_t at = apmu_board__folder_writes_at(one->host, place == HERE ? -1 : (int64_t)place);

	if (at < 0 || (uint64_t)at + n > APMU_LINUX__FILE_MOST)
		return -EFBIG;
	ssize_t did = place == HERE ? write(one->host, bytes, n) : pwrite(one->host, bytes, n, at);
	return did < 0 ? -errno : did;
}

/* Writes to a descriptor. Returns how many bytes it took, or a negative errno value. */
static int64_t put(struct apmu_linux__linux *p, const struct move *m, const void *bytes, size_t n,
		   uint64_t place)
{
	const struct apmu_linux__open *one = &p->open[m->fd];

	switch ((enum apmu_linux__kind)one->kind) {
	case APMU_LINUX__STDOUT:
	case APMU_LINUX__STDERR:
		p->config.machine.write(p->config.machine.ctx, one->kind == APMU_LINUX__STDERR, bytes, n);
		return (int64_t)n;
	case APMU_LINUX__DEV_NULL: return (int64_t)n;
	case APMU_LINUX__FILE: return put_file(one, bytes, n, place);
	case APMU_LINUX__PIPE_WRITE: return apmu_linux__pipe_write(p, one->pipe, bytes, n);
	default: return -EBADF;
	}
}

static int64_t get(struct apmu_linux__linux *p, const struct move *m, void *bytes, size_t n, uint64_t place)
{
	const struct apmu_linux__open *one = &p->open[m->fd];
	const struct apmu_linux__machine *machine = &p->config.machine;
	ssize_t did;

	switch ((enum apmu_linux__kind)one->kind) {
	case APMU_LINUX__STDIN: return machine->read ? (int64_t)machine->read(machine->ctx, bytes, n) : 0;
	case APMU_LINUX__DEV_NULL: return 0;
	case APMU_LINUX__FOLDER: return -EISDIR;
	case APMU_LINUX__PIPE_READ: return apmu_linux__pipe_read(p, one->pipe, bytes, n);
	case APMU_LINUX__FILE:
		did = place == HERE ? read(one->host, bytes, n) : pread(one->host, bytes, n, (off_t)place);
		return did < 0 ? -errno : did;
	default: return -EBADF;
	}
}

/* Ends the run if a blocking pipe would wait: nobody else holds an end, so it would wait forever. */
static int64_t stuck(const struct move *m, int64_t code)
{
	bool waits = !(m->call->p->open[m->fd].flags & APMU_LINUX__NONBLOCK) && (m->out || !m->more);

	if (code == -EAGAIN && waits)
		m->call->result->end = APMU_LINUX__STUCK;
	return code;
}

/* Moves bytes between a descriptor and memory, a piece at a time. Returns how many were moved, or the error
 * if none was. */
static int64_t move(const struct move *m, uint64_t at, uint64_t length)
{
	struct apmu_linux__linux *p = m->call->p;
	uint64_t done = 0;
	uint8_t piece[PIECE];

	length = length < MOVE_MOST ? length : MOVE_MOST;
	while (done < length) {
		size_t n = length - done < PIECE ? (size_t)(length - done) : PIECE;
		uint64_t place = m->place == HERE ? HERE : m->place + done;
		int64_t did;

		if (m->out && !apmu_linux__get(p, at + done, piece, n))
			return done ? (int64_t)done : -EFAULT;
		did = m->out ? put(p, m, piece, n, place) : get(p, m, piece, n, place);
		if (did < 0 && (!done || (m->out && did == -EAGAIN)))
			return done && p->open[m->fd].flags & APMU_LINUX__NONBLOCK ? (int64_t)done
										   : stuck(m, did);
		if (did < 0)
			break;
		if (!m->out && !apmu_linux__put(p, at + done, piece, (size_t)did))
			return done ? (int64_t)done : -EFAULT;
		done += (uint64_t)did;
		if ((size_t)did < n && !(m->out && p->open[m->fd].kind == APMU_LINUX__PIPE_WRITE))
			break;
	}
	return (int64_t)done;
}

static int64_t move_one(struct apmu_linux__call *call, bool out, uint64_t place)
{
	const struct move m = {call, call->arg[0], place, out, false};

	const struct apmu_linux__open *one = &call->p->open[m.fd % APMU_LINUX__FILES];

	if (!apmu_linux__is_open(call->p, m.fd))
		return -EBADF;
	if (one->kind == APMU_LINUX__FILE && (one->flags & O_ACCMODE) == (out ? O_RDONLY : O_WRONLY))
		return -EBADF; /* for no bytes, too */
	return move(&m, call->arg[1], call->arg[2]);
}

int64_t apmu_linux__read(struct apmu_linux__call *call)
{
	return move_one(call, false, HERE);
}

int64_t apmu_linux__write(struct apmu_linux__call *call)
{
	return move_one(call, true, HERE);
}

/* Reads or writes at an offset. AArch32 passes 64 bits in an even-odd pair of registers. */
static int64_t move_at(struct apmu_linux__call *call, bool out)
{
	bool wide = call->p->config.aarch64;
	uint64_t place = wide ? call->arg[3] : call->arg[5] << 32 | (uint32_t)call->arg[4];

	if (!apmu_linux__is_open(call->p, call->arg[0]))
		return -EBADF;
	if (place > INT64_MAX - MOVE_MOST)
		return -EINVAL;
	switch ((enum apmu_linux__kind)call->p->open[call->arg[0]].kind) {
	case APMU_LINUX__FILE: return move_one(call, out, place);
	case APMU_LINUX__FOLDER: return out ? -EBADF : -EISDIR;
	default: return -ESPIPE;
	}
}

int64_t apmu_linux__pread(struct apmu_linux__call *call)
{
	return move_at(call, false);
}

int64_t apmu_linux__pwrite(struct apmu_linux__call *call)
{
	return move_at(call, true);
}

static int64_t move_all(struct apmu_linux__call *call, bool out)
{
	struct move m = {call, call->arg[0], HERE, out, false};
	struct apmu_linux__linux *p = call->p;
	unsigned width = apmu_linux__width(p);
	int64_t total = 0;

	if (!apmu_linux__is_open(p, m.fd))
		return -EBADF;
	if (call->arg[2] > IOV_MOST)
		return -EINVAL;
	for (uint64_t i = 0; i < call->arg[2]; i++) {
		uint64_t base = 0, length = 0, at = call->arg[1] + i * 2 * width;

		if (!apmu_linux__get(p, at, &base, width) || !apmu_linux__get(p, at + width, &length, width))
			return total ? total : -EFAULT;
		m.more = total > 0;
		int64_t did = move(&m, base, length);
		if (did < 0)
			return total ? total : did;
		total += did;
		if ((uint64_t)did < length || total >= (int64_t)MOVE_MOST)
			break;
	}
	return total;
}

int64_t apmu_linux__readv(struct apmu_linux__call *call)
{
	return move_all(call, false);
}

int64_t apmu_linux__writev(struct apmu_linux__call *call)
{
	return move_all(call, true);
}

void apmu_linux__shut_fd(struct apmu_linux__linux *p, uint64_t fd)
{
	struct apmu_linux__open old = p->open[fd];

	p->open[fd] = (struct apmu_linux__open){.host = -1};
	if (old.kind == APMU_LINUX__FILE)
		close(old.host);
	if (old.kind == APMU_LINUX__FOLDER)
		apmu_linux__folder_close(old.folder);
	if (old.kind == APMU_LINUX__PIPE_READ || old.kind == APMU_LINUX__PIPE_WRITE)
		apmu_linux__pipe_release(p, old.pipe);
}

int64_t apmu_linux__shut(struct apmu_linux__call *call)
{
	if (!apmu_linux__is_open(call->p, call->arg[0]))
		return -EBADF;
	apmu_linux__shut_fd(call->p, call->arg[0]);
	return 0;
}

void apmu_linux__close(struct apmu_linux__linux *process)
{
	for (uint64_t fd = 0; fd < APMU_LINUX__FILES; fd++)
		apmu_linux__shut_fd(process, fd);
}

/* `kept`: APMU_LINUX__CLOEXEC, or 0; the copy does not inherit it. */
static int64_t duplicate(struct apmu_linux__linux *p, uint64_t fd, int64_t to, uint32_t kept)
{
	struct apmu_linux__open one;
	int code = 0;

	if (!apmu_linux__is_open(p, fd))
		return -EBADF;
	if (to < 0 || (uint64_t)to == fd)
		return to;
	one = p->open[fd];
	if (one.kind == APMU_LINUX__FILE && (one.host = fcntl(one.host, F_DUPFD_CLOEXEC, 3)) < 0)
		code = -errno;
	if (one.kind == APMU_LINUX__FOLDER)
		code = apmu_linux__folder_copy(p->open[fd].folder, &one.folder);
	if (code != 0)
		return code;
	apmu_linux__shut_fd(p, (uint64_t)to);
	one.flags = (one.flags & ~APMU_LINUX__CLOEXEC) | kept;
	p->open[to] = one;
	return to;
}

int64_t apmu_linux__dup(struct apmu_linux__call *call)
{
	return duplicate(call->p, call->arg[0], apmu_linux__free_fd(call->p, 0), 0);
}

static int64_t duplicate_to(struct apmu_linux__call *call, uint32_t kept)
{
	return duplicate(call->p, call->arg[0],
			 call->arg[1] < APMU_LINUX__FILES ? (int64_t)call->arg[1] : -EBADF, kept);
}

int64_t apmu_linux__dup2(struct apmu_linux__call *call)
{
	return duplicate_to(call, 0);
}

/* Unlike dup2, dup3 refuses equal descriptors. */
int64_t apmu_linux__dup3(struct apmu_linux__call *call)
{
	if (call->arg[0] == call->arg[1] || call->arg[2] & ~(uint64_t)APMU_LINUX__CLOEXEC)
		return -EINVAL;
	return duplicate_to(call, (uint32_t)call->arg[2]);
}

/* A file's host appends; the rest is ours. */
static int64_t set_flags(struct apmu_linux__open *one, uint32_t flags)
{
	int now = one->kind == APMU_LINUX__FILE ? fcntl(one->host, F_GETFL) : 0;

	if (one->kind == APMU_LINUX__FILE &&
	    fcntl(one->host, F_SETFL, (now & ~O_APPEND) | (flags & APPENDS ? O_APPEND : 0)) != 0)
		return -errno;
	one->flags = (one->flags & ~FLAGS_SET) | flags;
	return 0;
}

static int64_t duplicate_from(struct apmu_linux__call *call)
{
	if (call->arg[2] >= APMU_LINUX__FILES)
		return -EINVAL;
	return duplicate(call->p, call->arg[0], apmu_linux__free_fd(call->p, call->arg[2]),
			 call->arg[1] == F_CLOEXEC_ ? APMU_LINUX__CLOEXEC : 0);
}

int64_t apmu_linux__fcntl(struct apmu_linux__call *call)
{
	struct apmu_linux__linux *p = call->p;
	struct apmu_linux__open *one = &p->open[call->arg[0] % APMU_LINUX__FILES];

	if (!apmu_linux__is_open(p, call->arg[0]))
		return -EBADF;
	switch (call->arg[1]) {
	case F_DUPFD_:
	case F_CLOEXEC_: return duplicate_from(call);
	case F_GETFD_: return (one->flags & APMU_LINUX__CLOEXEC) != 0;
	case F_SETFD_:
		one->flags =
			(one->flags & ~APMU_LINUX__CLOEXEC) | (call->arg[2] & 1 ? APMU_LINUX__CLOEXEC : 0);
		return 0;
	case F_SETFL_: return set_flags(one, (uint32_t)call->arg[2] & FLAGS_SET);
	case F_GETFL_: return one->flags & FLAGS_GET;
	default: return -EINVAL;
	}
}

/* Returns the events that a descriptor is ready for. Files and the console never block. */
static unsigned ready(const struct apmu_linux__linux *p, uint64_t fd)
{
	const struct apmu_linux__open *one = &p->open[fd];
	unsigned others;

	switch ((enum apmu_linux__kind)one->kind) {
	case APMU_LINUX__PIPE_READ:
		others = apmu_linux__pipe_ends(p, one->pipe, APMU_LINUX__PIPE_WRITE);
		return (p->pipe[one->pipe].n ? POLL_IN : 0) | (others ? 0 : POLL_HANGUP);
	case APMU_LINUX__PIPE_WRITE:
		others = apmu_linux__pipe_ends(p, one->pipe, APMU_LINUX__PIPE_READ);
		return (apmu_linux__pipe_has_room(p, one->pipe) ? POLL_OUT : 0) | (others ? 0 : POLL_ERROR);
	default: return POLL_IN | POLL_OUT;
	}
}

/* struct pollfd: descriptor, 16 bits of requested events, 16 bits of returned ones. */
static int64_t look_at_each(struct apmu_linux__call *call)
{
	struct {
		int32_t fd;
		uint16_t events, came;
	} one;
	int64_t n = 0;

	if (call->arg[1] > APMU_LINUX__FILES)
		return -EINVAL;
	for (uint64_t i = 0; i < call->arg[1]; i++) {
		uint64_t at = call->arg[0] + i * sizeof(one);

		if (!apmu_linux__get(call->p, at, &one, sizeof(one)))
			return -EFAULT;
		unsigned came =
			one.fd < 0 ? 0
			: !apmu_linux__is_open(call->p, (uint32_t)one.fd)
				? POLL_INVALID
				: ready(call->p, (uint32_t)one.fd) & (one.events | POLL_HANGUP | POLL_ERROR);
		one.came = (uint16_t)came;
		n += one.came != 0;
		if (!apmu_linux__put(call->p, at, &one, sizeof(one)))
			return -EFAULT;
	}
	return n;
}

/* Nobody else can make a descriptor ready: without a time-out the program would wait forever. */
int64_t apmu_linux__poll(struct apmu_linux__call *call)
{
	int32_t milliseconds = (int32_t)(uint32_t)call->arg[2];
	int64_t n = look_at_each(call);

	if (n == 0 && milliseconds < 0)
		call->result->end = APMU_LINUX__STUCK;
	return n == 0 && milliseconds > 0 ? apmu_linux__time_out(call, (uint32_t)milliseconds) : n;
}

int64_t apmu_linux__ppoll(struct apmu_linux__call *call)
{
	int64_t n = look_at_each(call);

	if (n == 0 && !call->arg[2])
		call->result->end = APMU_LINUX__STUCK;
	return n == 0 && call->arg[2] ? apmu_linux__time_out_at(call, call->arg[2]) : n;
}
