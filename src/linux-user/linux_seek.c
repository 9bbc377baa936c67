/* SPDX-License-Identifier: MIT */
/* Places in files, and their length. */
#define _GNU_SOURCE /* lseek */
#include "linux-user/linux_internal.h"

#include <errno.h>
#include <unistd.h>

#define FILE_MOST ((uint64_t)1 << 30)

static int64_t seek(struct apmu__linux *p, uint64_t fd, int64_t to, uint64_t whence)
{
	if (!apmu__linux_is_open(p, fd))
		return -EBADF;
	if (p->open[fd].kind == APMU__LINUX_FOLDER && to == 0 && whence == 0) {
		apmu__linux_folder_rewind(p->open[fd].folder);
		return 0;
	}
	if (p->open[fd].kind == APMU__LINUX_NOTHING)
		return 0;
	if (p->open[fd].kind != APMU__LINUX_FILE)
		return p->open[fd].kind == APMU__LINUX_FOLDER ? -EINVAL : -ESPIPE;
	if (whence > 2)
		return -EINVAL;
	off_t at = lseek(p->open[fd].host, to, (int)whence);
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

static int64_t cut(struct apmu__linux *p, uint64_t fd, uint64_t length)
{
	if (!apmu__linux_is_open(p, fd))
		return -EBADF;
	if (p->open[fd].kind != APMU__LINUX_FILE || length > INT64_MAX)
		return -EINVAL;
	if (length > FILE_MOST)
		return -EFBIG;
	return ftruncate(p->open[fd].host, (off_t)length) != 0 ? -errno : 0;
}

int64_t apmu__linux_ftruncate(struct apmu__linux_call *call)
{
	return cut(call->p, call->arg[0], call->arg[1]);
}

/* AArch32: 64 bits come in an even pair of registers. */
int64_t apmu__linux_ftruncate64(struct apmu__linux_call *call)
{
	return cut(call->p, call->arg[0], call->arg[3] << 32 | (uint32_t)call->arg[2]);
}

/* The host keeps what was written, whatever becomes of the program. */
int64_t apmu__linux_fsync(struct apmu__linux_call *call)
{
	const struct apmu__linux *p = call->p;

	if (!apmu__linux_is_open(p, call->arg[0]))
		return -EBADF;
	return p->open[call->arg[0]].kind == APMU__LINUX_FILE ||
			       p->open[call->arg[0]].kind == APMU__LINUX_FOLDER
		       ? 0
		       : -EINVAL;
}
