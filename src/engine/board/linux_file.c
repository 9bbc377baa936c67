/* SPDX-License-Identifier: MIT */
/* The program's descriptors: the console and files of the folder. */
#define _GNU_SOURCE /* O_CLOEXEC, lseek */
#include "folder.h"
#include "linux_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MOVE_MOST    ((uint64_t)64 << 20) /* bytes a call */
#define FILE_MOST    ((uint64_t)1 << 30)
#define PIECE        4096u
#define IOV_MOST     1024u
#define AT_FDCWD_    ((uint32_t)-100)
#define DUP_MINIMUM  0u
#define F_DUPFD_     0u
#define F_GETFD_     1u
#define F_SETFD_     2u
#define F_GETFL_     3u
#define F_SETFL_     4u
#define F_CLOEXEC_   1030u
#define POLL_READY   0x145u /* IN, OUT, RDNORM, WRNORM */
#define POLL_INVALID 0x20u

/* Linux's numbers on Arm; the access mode is the low two bits everywhere. */
#define ARM_O_CREAT  0x40u
#define ARM_O_EXCL   0x80u
#define ARM_O_TRUNC  0x200u
#define ARM_O_APPEND 0x400u

enum console { CONSOLE_IN = 1, CONSOLE_OUT, CONSOLE_ERR };

int apmu__linux_path(const struct apmu__linux *p, uint64_t at, char *to, size_t room)
{
	for (size_t i = 0; i < room; i++) {
		if (!apmu__linux_get(p, at + i, &to[i], 1))
			return -EFAULT;
		if (to[i] == '\0')
			return 0;
	}
	return -ENAMETOOLONG;
}

static bool is_open(const struct apmu__linux *p, uint64_t fd)
{
	return fd < APMU__LINUX_FILES && (p->console[fd] || p->file[fd] >= 0);
}

static int64_t free_fd(const struct apmu__linux *p, uint64_t from)
{
	for (uint64_t fd = from; fd < APMU__LINUX_FILES; fd++)
		if (!is_open(p, fd))
			return (int64_t)fd;
	return -EMFILE;
}

/* How many bytes a descriptor took, or a negative errno. */
static int64_t put(struct apmu__linux *p, uint64_t fd, const void *bytes, size_t n)
{
	if (p->console[fd] == CONSOLE_IN)
		return -EBADF;
	if (p->console[fd]) {
		p->config.machine.write(p->config.machine.ctx, p->console[fd] == CONSOLE_ERR, bytes, n);
		return (int64_t)n;
	}
	off_t at = lseek(p->file[fd], 0, SEEK_CUR);
	if (at < 0 || (uint64_t)at + n > FILE_MOST)
		return -EFBIG;
	ssize_t did = write(p->file[fd], bytes, n);
	return did < 0 ? -errno : did;
}

static int64_t get(struct apmu__linux *p, uint64_t fd, void *bytes, size_t n)
{
	const struct apmu__linux_machine *machine = &p->config.machine;

	if (p->console[fd])
		return p->console[fd] != CONSOLE_IN ? -EBADF
		       : machine->read              ? (int64_t)machine->read(machine->ctx, bytes, n)
						    : 0;
	ssize_t did = read(p->file[fd], bytes, n);
	return did < 0 ? -errno : did;
}

/* Bytes between a descriptor and memory, a piece at a time; what was moved before an error counts. */
static int64_t move(struct apmu__linux *p, uint64_t fd, uint64_t at, uint64_t length, bool out)
{
	uint64_t done = 0;
	uint8_t piece[PIECE];

	if (!is_open(p, fd))
		return -EBADF;
	length = length < MOVE_MOST ? length : MOVE_MOST;
	while (done < length) {
		size_t n = length - done < PIECE ? (size_t)(length - done) : PIECE;
		int64_t did;

		if (out && !apmu__linux_get(p, at + done, piece, n))
			return done ? (int64_t)done : -EFAULT;
		did = out ? put(p, fd, piece, n) : get(p, fd, piece, n);
		if (did < 0)
			return done ? (int64_t)done : did;
		if (!out && !apmu__linux_put(p, at + done, piece, (size_t)did))
			return done ? (int64_t)done : -EFAULT;
		done += (uint64_t)did;
		if ((size_t)did < n)
			break;
	}
	return (int64_t)done;
}

int64_t apmu__linux_read(struct apmu__linux_call *call)
{
	return move(call->p, call->arg[0], call->arg[1], call->arg[2], false);
}

int64_t apmu__linux_write(struct apmu__linux_call *call)
{
	return move(call->p, call->arg[0], call->arg[1], call->arg[2], true);
}

static int64_t move_all(struct apmu__linux_call *call, bool out)
{
	struct apmu__linux *p = call->p;
	unsigned width = apmu__linux_width(p);
	int64_t total = 0;

	if (call->arg[2] > IOV_MOST)
		return -EINVAL;
	for (uint64_t i = 0; i < call->arg[2]; i++) {
		uint64_t base = 0, length = 0, at = call->arg[1] + i * 2 * width;

		if (!apmu__linux_get(p, at, &base, width) || !apmu__linux_get(p, at + width, &length, width))
			return total ? total : -EFAULT;
		int64_t did = move(p, call->arg[0], base, length, out);
		if (did < 0)
			return total ? total : did;
		total += did;
		if ((uint64_t)did < length || total >= (int64_t)MOVE_MOST)
			break;
	}
	return total;
}

int64_t apmu__linux_readv(struct apmu__linux_call *call)
{
	return move_all(call, false);
}

int64_t apmu__linux_writev(struct apmu__linux_call *call)
{
	return move_all(call, true);
}

static int host_flags(uint64_t flags)
{
	return (int)(flags & 3) | (flags & ARM_O_CREAT ? O_CREAT : 0) | (flags & ARM_O_EXCL ? O_EXCL : 0) |
	       (flags & ARM_O_TRUNC ? O_TRUNC : 0) | (flags & ARM_O_APPEND ? O_APPEND : 0);
}

/* An absolute name is of a file system that is not there. */
static int64_t open_name(struct apmu__linux *p, uint64_t at, uint64_t flags)
{
	char name[APMU__FOLDER_NAME_MAX];
	int code = apmu__linux_path(p, at, name, sizeof(name));
	int64_t fd = free_fd(p, DUP_MINIMUM);

	if (code != 0 || fd < 0)
		return code ? code : fd;
	if (name[0] == '/' || (flags & 3) == 3)
		return name[0] == '/' ? -ENOENT : -EINVAL;
	int host = apmu__folder_open(p->config.folder, name, host_flags(flags));
	if (host < 0)
		return host;
	p->file[fd] = host;
	return fd;
}

int64_t apmu__linux_open(struct apmu__linux_call *call)
{
	return open_name(call->p, call->arg[0], call->arg[1]);
}

int64_t apmu__linux_openat(struct apmu__linux_call *call)
{
	if ((uint32_t)call->arg[0] != AT_FDCWD_)
		return -ENOTDIR;
	return open_name(call->p, call->arg[1], call->arg[2]);
}

int64_t apmu__linux_unlinkat(struct apmu__linux_call *call)
{
	char name[APMU__FOLDER_NAME_MAX];
	int code = apmu__linux_path(call->p, call->arg[1], name, sizeof(name));

	if (code != 0 || (uint32_t)call->arg[0] != AT_FDCWD_ || call->arg[2])
		return code ? code : -EINVAL;
	return apmu__folder_remove(call->p->config.folder, name);
}

static void shut(struct apmu__linux *p, uint64_t fd)
{
	if (p->file[fd] >= 0)
		close(p->file[fd]);
	p->file[fd] = -1;
	p->console[fd] = 0;
}

int64_t apmu__linux_shut(struct apmu__linux_call *call)
{
	if (!is_open(call->p, call->arg[0]))
		return -EBADF;
	shut(call->p, call->arg[0]);
	return 0;
}

void apmu__linux_close(struct apmu__linux *process)
{
	for (uint64_t fd = 0; fd < APMU__LINUX_FILES; fd++)
		shut(process, fd);
}

static int64_t seek(struct apmu__linux *p, uint64_t fd, int64_t to, uint64_t whence)
{
	if (!is_open(p, fd))
		return -EBADF;
	if (p->console[fd])
		return -ESPIPE;
	if (whence > 2)
		return -EINVAL;
	off_t at = lseek(p->file[fd], to, (int)whence);
	return at < 0 ? -errno : at;
}

int64_t apmu__linux_lseek(struct apmu__linux_call *call)
{
	int64_t to = call->p->config.aarch64 ? (int64_t)call->arg[1] : (int32_t)(uint32_t)call->arg[1];

	return seek(call->p, call->arg[0], to, call->arg[2]);
}

/* AArch32: descriptor, high word, low word, where the result goes, whence. */
int64_t apmu__linux_llseek(struct apmu__linux_call *call)
{
	int64_t at = seek(call->p, call->arg[0], (int64_t)(call->arg[1] << 32 | (uint32_t)call->arg[2]),
			  call->arg[4]);

	if (at < 0)
		return at;
	return apmu__linux_put(call->p, call->arg[3], &at, sizeof(at)) ? 0 : -EFAULT;
}

static int64_t duplicate(struct apmu__linux *p, uint64_t fd, int64_t to)
{
	int host = -1;

	if (!is_open(p, fd))
		return -EBADF;
	if (to < 0 || (uint64_t)to == fd)
		return to;
	if (!p->console[fd] && (host = fcntl(p->file[fd], F_DUPFD_CLOEXEC, 3)) < 0)
		return -errno;
	if (is_open(p, (uint64_t)to))
		shut(p, (uint64_t)to);
	p->console[to] = p->console[fd];
	p->file[to] = host;
	return to;
}

int64_t apmu__linux_dup(struct apmu__linux_call *call)
{
	return duplicate(call->p, call->arg[0], free_fd(call->p, DUP_MINIMUM));
}

int64_t apmu__linux_dup3(struct apmu__linux_call *call)
{
	return duplicate(call->p, call->arg[0],
			 call->arg[1] < APMU__LINUX_FILES ? (int64_t)call->arg[1] : -EBADF);
}

int64_t apmu__linux_fcntl(struct apmu__linux_call *call)
{
	struct apmu__linux *p = call->p;

	if (!is_open(p, call->arg[0]))
		return -EBADF;
	switch (call->arg[1]) {
	case F_DUPFD_:
	case F_CLOEXEC_: return duplicate(p, call->arg[0], free_fd(p, call->arg[2]));
	case F_GETFD_:
	case F_SETFD_:
	case F_SETFL_: return 0;
	case F_GETFL_: return p->console[call->arg[0]] == CONSOLE_IN ? O_RDONLY : O_RDWR;
	default: return -EINVAL;
	}
}

/* Files and a console never make anybody wait. struct pollfd: descriptor, 16 bits of events, 16 of what came.
 */
int64_t apmu__linux_poll(struct apmu__linux_call *call)
{
	struct {
		int32_t fd;
		uint16_t events, came;
	} one;
	int64_t ready = 0;

	if (call->arg[1] > APMU__LINUX_FILES)
		return -EINVAL;
	for (uint64_t i = 0; i < call->arg[1]; i++) {
		uint64_t at = call->arg[0] + i * sizeof(one);

		if (!apmu__linux_get(call->p, at, &one, sizeof(one)))
			return -EFAULT;
		one.came = one.fd < 0                           ? 0
			   : is_open(call->p, (uint32_t)one.fd) ? one.events & POLL_READY
								: POLL_INVALID;
		ready += one.came != 0;
		if (!apmu__linux_put(call->p, at, &one, sizeof(one)))
			return -EFAULT;
	}
	return ready;
}
